// C identifiers from any text.
#ifndef USMP_SUPPORT_NAMES_H_
#define USMP_SUPPORT_NAMES_H_

#include <set>
#include <string>
#include <string_view>

namespace usmp {

// Every byte outside [A-Za-z0-9] becomes '_', one for one; a leading digit, a C or C++ keyword or
// an empty result gets the prefix '_'. Always a valid identifier.
std::string SanitizeName(std::string_view text);

std::string ToUpper(std::string_view text);  // ASCII only, whatever the locale
std::string ToLower(std::string_view text);

// Hands out distinct names: a taken one gets the suffix _1, _2, ... Names that differ only in case
// count as the same, since macros are upper case.
class Names {
 public:
  void Reserve(std::string_view name);
  std::string Claim(std::string_view wanted);

 private:
  std::set<std::string> taken_upper_{};
};

}  // namespace usmp

#endif  // USMP_SUPPORT_NAMES_H_
