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
