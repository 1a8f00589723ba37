# usmp_add_schema(target folder/name.fbs): an interface library with the C++ of a FlatBuffers schema of
# src/, included as "folder/name_generated.h". The .fbs is the only thing in the repository.

find_program(USMP_FLATC flatc REQUIRED)

function(usmp_add_schema target schema)
  set(source ${PROJECT_SOURCE_DIR}/src/${schema})
  get_filename_component(folder ${schema} DIRECTORY)
  get_filename_component(stem ${schema} NAME_WE)
  set(root ${PROJECT_BINARY_DIR}/generated)
  set(header ${root}/${folder}/${stem}_generated.h)
  add_custom_command(
    OUTPUT ${header}
    COMMAND ${USMP_FLATC} --cpp --gen-object-api --scoped-enums -o ${root}/${folder} ${source}
    DEPENDS ${source}
    COMMENT "Generating ${folder}/${stem}_generated.h"
    VERBATIM)
  add_custom_target(${target}_header DEPENDS ${header})
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE ${root})
  add_dependencies(${target} ${target}_header)
endfunction()
