# cmake -DROOT=runtime -DOUT=x.cc -P embed_runtime.cmake: the files of runtime/ as a C++ table, so that the
# compiler can write them out. They stay C files that are tested as C.
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/*.h ${ROOT}/*.tsv)
list(SORT files)
set(text "// Generated from runtime/ by cmake/embed_runtime.cmake.\n#include \"emit/runtime_files.h\"\n\n")
string(APPEND text "namespace usmp::emit {\nnamespace {\nconstexpr RuntimeFile kFiles[] = {\n")
foreach(file ${files})
  file(READ ${ROOT}/${file} content)
  string(APPEND text "{\"${file}\", R\"usmp_embed(${content})usmp_embed\"},\n")
endforeach()
string(APPEND text "};\n}  // namespace\n\nstd::span<const RuntimeFile> RuntimeFiles() { return kFiles; }\n\n}  // namespace usmp::emit\n")
file(WRITE ${OUT} "${text}")
