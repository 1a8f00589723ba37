// Generated models, built with a C compiler of this machine and run.
#ifndef USMP_TESTS_SUPPORT_HOST_PROGRAM_H_
#define USMP_TESTS_SUPPORT_HOST_PROGRAM_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "support/files.h"
#include "usmp/compile.h"

namespace usmp::testing {

using TensorBytes = std::vector<uint8_t>;

struct HostModel {
  std::string symbol{};  // "tvmgen_kws"
  CompiledModel compiled{};
  bool expose_workspace = false;
};

struct Request {
  size_t model = 0;  // index
  std::vector<TensorBytes> inputs{};
};

struct Response {
  int32_t code = -1;
  std::vector<TensorBytes> outputs{};
  TensorBytes workspace{};  // after the run, where the model exposes it
};

inline constexpr const char* kStrictFlags = "-std=c11 -Wall -Wextra -Wpedantic -Werror";
inline constexpr const char* kSanitizedFlags =
    "-O1 -g1 -ffp-contract=off -fsanitize=address,undefined -fno-sanitize-recover=all";

// One executable for many models. Models that are built together share a translation unit in
// groups, which makes the build several times faster and proves that their names do not clash.
class HostProgram {
 public:
  struct BuildOptions {
    std::string compiler = "cc";
    std::string flags = kSanitizedFlags;  // added to kStrictFlags
    size_t models_per_unit = 16;
  };
  // The compiler's messages; empty if all went well.
  std::string Build(std::vector<HostModel> models, const BuildOptions& options);

  // As many responses as the program gave before it ended; fewer than requests mean that the
  // request after the last one went wrong, and then `*complaint` has what the program wrote to
  // standard error.
  std::vector<Response> Run(std::span<const Request> requests, std::string* complaint) const;

  const std::vector<HostModel>& models() const { return models_; }

 private:
  TemporaryFolder folder_{};
  std::vector<HostModel> models_{};
};

}  // namespace usmp::testing

#endif  // USMP_TESTS_SUPPORT_HOST_PROGRAM_H_
