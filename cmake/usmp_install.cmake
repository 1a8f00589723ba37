# What `cmake --install` puts where. The component `planner` is the library with its headers, for
# find_package(usmp) and pkg-config.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set_target_properties(usmp_planner PROPERTIES EXPORT_NAME planner)
install(TARGETS usmp_planner EXPORT usmp ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT planner)
install(FILES include/usmp/buffers.h include/usmp/plan.h include/usmp/plan_io.h include/usmp/pool_cost.h include/usmp/result.h include/usmp/usmp.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/usmp COMPONENT planner)
install(EXPORT usmp NAMESPACE usmp:: FILE usmpTargets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/usmp COMPONENT planner)

file(CONFIGURE OUTPUT usmpConfig.cmake CONTENT [[include(CMakeFindDependencyMacro)
find_dependency(fmt)
include(${CMAKE_CURRENT_LIST_DIR}/usmpTargets.cmake)
]] @ONLY)
write_basic_package_version_file(usmpConfigVersion.cmake COMPATIBILITY SameMinorVersion)
file(CONFIGURE OUTPUT usmp.pc CONTENT "prefix=\${pcfiledir}/../..
includedir=\${prefix}/@CMAKE_INSTALL_INCLUDEDIR@
libdir=\${prefix}/@CMAKE_INSTALL_LIBDIR@

Name: usmp
Description: @PROJECT_DESCRIPTION@
Version: @PROJECT_VERSION@
Cflags: -I\${includedir}
Libs: -L\${libdir} -lusmp_planner -lfmt -lstdc++ -lm
" @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/usmpConfig.cmake ${PROJECT_BINARY_DIR}/usmpConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/usmp COMPONENT planner)
install(FILES ${PROJECT_BINARY_DIR}/usmp.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT planner)
