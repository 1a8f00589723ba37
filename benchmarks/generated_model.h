// The generated C of a model, built with a C compiler of this machine and loaded into this process.
#ifndef USMP_BENCHMARKS_GENERATED_MODEL_H_
#define USMP_BENCHMARKS_GENERATED_MODEL_H_

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "usmp/compile.h"

namespace usmp::benchmarks {

class GeneratedModel {
 public:
  struct BuildOptions {
    std::string compiler = "cc";
    std::string flags = "-O3";
  };

  // Writes the model's files to `folder` and builds them there. The library's path; empty, with the
  // compiler's messages in `*complaint`, where that fails.
  static std::filesystem::path Build(const CompiledModel& model,
                                     const std::filesystem::path& folder,
                                     const BuildOptions& options, std::string* complaint);

  // Loads what Build made. Sizes in bytes, in the model's order.
  GeneratedModel(const std::filesystem::path& library, std::span<const Bytes> input_sizes,
                 std::span<const Bytes> output_sizes);
  ~GeneratedModel();
  GeneratedModel(const GeneratedModel&) = delete;
  GeneratedModel& operator=(const GeneratedModel&) = delete;

  std::vector<uint8_t>& Input(size_t index) { return inputs_[index]; }
  const std::vector<uint8_t>& Output(size_t index) const { return outputs_[index]; }
  int32_t Run();

 private:
  void* handle_ = nullptr;
  int32_t (*run_)(void* const* inputs, void* const* outputs) = nullptr;
  std::vector<std::vector<uint8_t>> inputs_{}, outputs_{};
  std::vector<void*> input_pointers_{}, output_pointers_{};
};

}  // namespace usmp::benchmarks

#endif  // USMP_BENCHMARKS_GENERATED_MODEL_H_
