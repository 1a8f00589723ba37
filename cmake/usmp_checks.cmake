# What is checked about the sources themselves: layers, headers that stand alone, the README's commands.

find_package(Python3 REQUIRED COMPONENTS Interpreter)

add_test(NAME layers COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/check_layers.py ${PROJECT_SOURCE_DIR})
add_test(NAME layers.self_test COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/check_layers.py --self-test)

# A translation unit for each header, which includes it twice and nothing before it.
function(usmp_headers_stand_alone target extension)
  set(sources)
  foreach(header IN LISTS ARGN)
    string(MAKE_C_IDENTIFIER ${header} unit)
    set(source ${PROJECT_BINARY_DIR}/header_checks/${unit}.${extension})
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"@header@\"\n#include \"@header@\"\n" @ONLY)
    list(APPEND sources ${source})
  endforeach()
  add_library(${target} OBJECT ${sources})
endfunction()

file(GLOB public_headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include
     ${PROJECT_SOURCE_DIR}/include/usmp/*.h)
usmp_headers_stand_alone(usmp_public_headers_check cc ${public_headers})
target_include_directories(usmp_public_headers_check PRIVATE ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(usmp_public_headers_check PRIVATE usmp_flags)

file(GLOB kernel_headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/runtime
     ${PROJECT_SOURCE_DIR}/runtime/*.h ${PROJECT_SOURCE_DIR}/runtime/kernels/*.h)
usmp_headers_stand_alone(usmp_kernel_headers_check c ${kernel_headers})
target_include_directories(usmp_kernel_headers_check PRIVATE ${PROJECT_SOURCE_DIR}/runtime)
target_compile_options(usmp_kernel_headers_check PRIVATE -Wall -Wextra -Wpedantic -Werror)

add_test(NAME docs.self_test COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/check_docs.py --self-test)
add_test(NAME docs.commands COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/check_docs.py
         ${PROJECT_SOURCE_DIR} $<TARGET_FILE:usmp> README.md examples/README.md)
