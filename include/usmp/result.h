// How the library reports what is wrong with its input.
//
// Everything that can fail because of the user's input returns Result<T>. An Error carries *every*
// problem found, not only the first. Mistakes of our own are USMP_CHECK failures and never reach
// this type.
#ifndef USMP_RESULT_H_
#define USMP_RESULT_H_

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace usmp {

enum class ErrorCode : uint8_t {
  kInvalidInput,  // malformed: a broken file, a contradiction, an unknown name
  kUnsupported,   // well formed, but we cannot do it (yet); the message says what
  kDoesNotFit,    // the pools are too small; the message has the figures
};

struct Diagnostic {
  std::string where{};    // "op 17 CONV_2D 'block3/conv'", "pools.toml:12", "buffer 'conv1_out'"
  std::string message{};  // one sentence: what is wrong and what would make it right
};

struct Error {
  ErrorCode code{};
  std::vector<Diagnostic> diagnostics{};  // never empty
};

// A T or an Error. A class of its own so that the compiler warns where one is dropped.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
};

// `return Fail(...)` from any function that returns a Result.
[[nodiscard]] inline tl::unexpected<Error> Fail(ErrorCode code, std::string where,
                                                std::string message) {
  return tl::unexpected<Error>(Error{code, {{std::move(where), std::move(message)}}});
}
[[nodiscard]] inline tl::unexpected<Error> Fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace usmp

#endif  // USMP_RESULT_H_
