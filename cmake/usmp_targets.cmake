# How every target of the project is built: one place for warnings, sanitizers and test discovery.

add_library(usmp_flags INTERFACE)
target_compile_options(usmp_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror)
# gcc 12 sees overlapping copies inside std::string's operator+ at -O3 where there are none.
target_compile_options(usmp_flags INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>)
if(USMP_SANITIZE)
  target_compile_options(usmp_flags INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
    # AddressSanitizer finds what these find; without them, compiling takes half the time.
    -fno-sanitize=null,alignment,vptr,object-size,return)
  target_link_options(usmp_flags INTERFACE -fsanitize=address,undefined)
endif()
if(USMP_BUILD_FUZZERS)  # libFuzzer steers by the coverage of the libraries
  target_compile_options(usmp_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# A static library whose sources the folders under src/ add with target_sources().
function(usmp_add_library name)
  add_library(${name} STATIC)
  target_include_directories(${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:usmp_flags> fmt::fmt)
endfunction()

# usmp_add_test(name a_test.cc ... [LIBRARIES lib...]): a GoogleTest program, one ctest row for each test.
function(usmp_add_test name)
  if(NOT USMP_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE
    usmp_flags usmp_compiler usmp_planner fmt::fmt GTest::gtest_main ${arg_LIBRARIES})
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 NO_PRETTY_VALUES
    PROPERTIES SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
endfunction()
if(USMP_BUILD_TESTS)
  include(GoogleTest)
endif()

# usmp_embed(target OUT name.cc ROOT folder PATTERNS "*.h,*.tsv" HEADER h NAMESPACE n ROW type FUNCTION f): a
# source of the target with the files of a folder (embed_files.cmake).
function(usmp_embed target)
  cmake_parse_arguments(arg "" "OUT;ROOT;PATTERNS;HEADER;NAMESPACE;ROW;FUNCTION" "" ${ARGN})
  string(REPLACE "," ";" patterns "${arg_PATTERNS}")
  list(TRANSFORM patterns PREPEND "${arg_ROOT}/")
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${patterns})
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${arg_OUT})
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DROOT=${arg_ROOT} "-DPATTERNS=${arg_PATTERNS}" -DHEADER=${arg_HEADER}
            -DNAMESPACE=${arg_NAMESPACE} -DROW=${arg_ROW} -DFUNCTION=${arg_FUNCTION} -DOUT=${out} -P ${script}
    DEPENDS ${files} ${script}
    COMMENT "Embedding ${arg_ROOT}"
    VERBATIM)
  # The target may be another folder's, which sees the rule only through a target of this folder.
  get_filename_component(name ${arg_OUT} NAME_WE)
  add_custom_target(usmp_${name} DEPENDS ${out})
  add_dependencies(${target} usmp_${name})
  target_sources(${target} PRIVATE ${out})
endfunction()
