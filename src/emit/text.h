// Small pieces of C text.
#ifndef USMP_EMIT_TEXT_H_
#define USMP_EMIT_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

namespace usmp::emit {

// Any text made safe inside a C comment: everything that could end it, splice lines or form a
// trigraph, and every byte outside printable ASCII, becomes '_'.
std::string CommentText(std::string_view text);

// "1.5F", exact for every finite float; INFINITY and NAN (math.h) for the others.
std::string FloatLiteral(float value);

// The text as a C string literal, quotes included.
std::string StringLiteral(std::string_view text);

std::string Join(const std::vector<std::string>& items, std::string_view separator);

// "  function(a, b);" as a statement of a function's body, in lines of at most 100 columns where
// the arguments allow it.
std::string CallStatement(std::string_view function, const std::vector<std::string>& arguments,
                          std::string_view indent = "  ");

// The first lines of every file: what it is, who made it, how it may be used.
std::string Banner(std::string_view what, std::string_view version);

}  // namespace usmp::emit

#endif  // USMP_EMIT_TEXT_H_
