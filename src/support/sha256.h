#ifndef USMP_SUPPORT_SHA256_H_
#define USMP_SUPPORT_SHA256_H_

#include <cstdint>
#include <span>
#include <string>

namespace usmp {

// FIPS 180-4, as 64 lower-case hexadecimal digits. It names a model's bytes in reports; not for
// secrets.
std::string Sha256Hex(std::span<const uint8_t> bytes);

}  // namespace usmp

#endif  // USMP_SUPPORT_SHA256_H_
