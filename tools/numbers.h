#ifndef USMP_TOOLS_NUMBERS_H_
#define USMP_TOOLS_NUMBERS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "usmp/buffers.h"

namespace usmp::tools {

// The whole text as a decimal number; absent if it is anything else.
std::optional<int64_t> ParseInteger(std::string_view text);

// "65536", "64K", "1M": bytes, KiB, MiB; not negative.
std::optional<Bytes> ParseBytes(std::string_view text);

// A decimal number with or without a fraction, finite and not negative.
std::optional<double> ParseNumber(std::string_view text);

// The parts between the separators: one more than there are separators.
std::vector<std::string> Split(std::string_view text, char separator);

}  // namespace usmp::tools

#endif  // USMP_TOOLS_NUMBERS_H_
