// A conformance case: a model, inputs, and what the reference kernels make of them.
#ifndef USMP_TESTS_CONFORMANCE_CASE_H_
#define USMP_TESTS_CONFORMANCE_CASE_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace usmp::testing {

using FileBytes = std::vector<uint8_t>;

struct SeedCase {
  int64_t seed = 0;
  std::vector<FileBytes> inputs{}, outputs{};
};

struct ConformanceCase {
  std::string name{};
  FileBytes model{};
  std::vector<std::string> operators{};
  std::map<std::string, std::vector<int32_t>> shapes{};  // of the inputs, by name
  std::vector<SeedCase> seeds{};
  std::vector<bool> output_is_float{};
  // Every operator's output for one seed, by tensor index; empty: the case has none.
  int64_t tensors_seed = 0;
  std::map<int32_t, FileBytes> tensors{};

  // Whatever the input, the outputs are the same: they prove nothing.
  bool HasConstantOutputs() const;
};

// Names of the cases of a folder, sorted.
std::vector<std::string> ListCases(const std::filesystem::path& folder);
ConformanceCase LoadCase(const std::filesystem::path& folder, const std::string& name);

}  // namespace usmp::testing

#endif  // USMP_TESTS_CONFORMANCE_CASE_H_
