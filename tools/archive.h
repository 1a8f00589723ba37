// The Model Library Format of TVM, version 7: an archive with the C files, and what they need of
// memory.
#ifndef USMP_TOOLS_ARCHIVE_H_
#define USMP_TOOLS_ARCHIVE_H_

#include <string>

#include "usmp/compile.h"
#include "usmp/result.h"

namespace usmp::tools {

// The text of metadata.json: a module for each model, under its name as the generated C has it,
// without the prefix that all names start with.
std::string ModelLibraryMetadata(const CompiledModel& model, const std::string& prefix);

// The bytes of the tar file: the same for the same models and options.
Result<std::string> ModelLibraryArchive(const CompiledModel& model, const std::string& prefix);

}  // namespace usmp::tools

#endif  // USMP_TOOLS_ARCHIVE_H_
