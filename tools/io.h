// Files, and errors on the terminal: what the commands share. The library does neither.
#ifndef USMP_TOOLS_IO_H_
#define USMP_TOOLS_IO_H_

#include <cstdio>
#include <string>
#include <string_view>

#include "usmp/result.h"

namespace usmp::tools {

// The bytes of a file; kInvalidInput that says what the system said (a directory is an error too).
Result<std::string> ReadFile(const std::string& path);

// Creates or replaces a file: written beside it under another name and renamed, so that after a
// failure the old content is still there and nothing else is left. A file that has this content
// already is not touched, so that builds around it have nothing to do. A device or pipe is written
// to directly.
Result<void> WriteFile(const std::string& path, std::string_view text);

// Prints every diagnostic to stderr; returns the exit code of a user's mistake: 1.
int PrintError(const Error& error);

// The width that pictures on this stream may have: that of the terminal, in reason; 100 where it is
// none, so that files are the same everywhere.
int PictureColumns(std::FILE* stream);

}  // namespace usmp::tools

#endif  // USMP_TOOLS_IO_H_
