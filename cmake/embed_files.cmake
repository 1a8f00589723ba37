# cmake -DROOT=runtime -DPATTERNS=*.h,*.tsv -DHEADER=emit/runtime_files.h -DNAMESPACE=usmp::emit
#       -DROW=RuntimeFile -DFUNCTION=RuntimeFiles -DOUT=x.cc -P embed_files.cmake:
# the files of a folder as a C++ table of {path, content}, which FUNCTION of HEADER returns.
string(REPLACE "," ";" PATTERNS "${PATTERNS}")
list(TRANSFORM PATTERNS PREPEND "${ROOT}/")
file(GLOB_RECURSE files RELATIVE ${ROOT} ${PATTERNS})
list(SORT files)
get_filename_component(folder ${ROOT} NAME)
set(text "// Generated from ${folder}/ by cmake/embed_files.cmake.\n#include \"${HEADER}\"\n\n")
string(APPEND text "namespace ${NAMESPACE} {\nnamespace {\nconstexpr ${ROW} kFiles[] = {\n")
foreach(file ${files})
  file(READ ${ROOT}/${file} content)
  string(APPEND text "{\"${file}\", R\"usmp_embed(${content})usmp_embed\"},\n")
endforeach()
string(APPEND text "};\n}  // namespace\n\nstd::span<const ${ROW}> ${FUNCTION}() { return kFiles; }\n\n}  // namespace ${NAMESPACE}\n")
file(WRITE ${OUT} "${text}")
