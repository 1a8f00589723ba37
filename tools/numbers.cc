#include "numbers.h"

#include <charconv>

namespace usmp::tools {

std::optional<int64_t> ParseInteger(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

std::optional<Bytes> ParseBytes(std::string_view text) {
  int64_t unit = 1;
  if (!text.empty() && (text.back() == 'K' || text.back() == 'M')) {
    unit = text.back() == 'K' ? 1024 : 1024 * 1024;
    text.remove_suffix(1);
  }
  const std::optional<int64_t> value = ParseInteger(text);
  if (!value || *value < 0 || *value > (int64_t{1} << 40)) return {};
  return *value * unit;
}

}  // namespace usmp::tools
