#include "support/names.h"

#include <algorithm>
#include <array>

namespace usmp {
namespace {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }

// C11 and C++20, and names that common headers define as macros.
constexpr std::string_view kKeywords[] = {
    "alignas",     "alignof",      "and",       "and_eq",
    "asm",         "auto",         "bitand",    "bitor",
    "bool",        "break",        "case",      "catch",
    "char",        "char16_t",     "char32_t",  "char8_t",
    "class",       "co_await",     "co_return", "co_yield",
    "compl",       "concept",      "const",     "const_cast",
    "consteval",   "constexpr",    "constinit", "continue",
    "decltype",    "default",      "delete",    "do",
    "double",      "dynamic_cast", "else",      "enum",
    "explicit",    "export",       "extern",    "false",
    "float",       "for",          "friend",    "goto",
    "if",          "inline",       "int",       "linux",
    "long",        "mutable",      "namespace", "new",
    "noexcept",    "not",          "not_eq",    "nullptr",
    "operator",    "or",           "or_eq",     "private",
    "protected",   "public",       "register",  "reinterpret_cast",
    "requires",    "restrict",     "return",    "short",
    "signed",      "sizeof",       "static",    "static_assert",
    "static_cast", "struct",       "switch",    "template",
    "this",        "thread_local", "throw",     "true",
    "try",         "typedef",      "typeid",    "typename",
    "typeof",      "union",        "unix",      "unsigned",
    "using",       "virtual",      "void",      "volatile",
    "wchar_t",     "while",        "xor",       "xor_eq",
    "errno",       "assert",       "NULL",      "EOF",
    "NAN",         "INFINITY",     "HUGE_VAL",  "HUGE_VALF",
    "HUGE_VALL",   "stdin",        "stdout",    "stderr"};

bool IsKeyword(std::string_view name) {
  return std::ranges::find(kKeywords, name) != std::end(kKeywords);
}

// INT8_MAX, SIZE_MAX, FLT_MIN, M_PI, ...: the headers that the generated code includes define them.
bool IsLimitMacro(std::string_view name) {
  if (std::ranges::any_of(name, IsLower)) return false;
  return name.ends_with("_MAX") || name.ends_with("_MIN") || name.starts_with("M_");
}

}  // namespace

std::string ToUpper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (IsLower(c)) c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

std::string ToLower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (IsUpper(c)) c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string SanitizeName(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (!IsDigit(c) && !IsLower(c) && !IsUpper(c)) c = '_';
  }
  if (out.empty() || IsDigit(out[0]) || IsKeyword(out) || IsLimitMacro(out)) out.insert(0, "_");
  return out;
}

void Names::Reserve(std::string_view name) { taken_upper_.insert(ToUpper(name)); }

std::string Names::Claim(std::string_view wanted) {
  std::string name(wanted);
  for (int suffix = 1; !taken_upper_.insert(ToUpper(name)).second; ++suffix) {
    name = std::string(wanted) + "_" + std::to_string(suffix);
  }
  return name;
}

}  // namespace usmp
