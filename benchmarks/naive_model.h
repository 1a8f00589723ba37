// A model run by the naive kernels, operator by operator, every tensor in memory of its own: what
// the generated code is compared with.
#ifndef USMP_BENCHMARKS_NAIVE_MODEL_H_
#define USMP_BENCHMARKS_NAIVE_MODEL_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/graph.h"

namespace usmp::benchmarks {

class NaiveModel {
 public:
  // Empty, with the operator in `*why`, where the naive kernels lack one.
  static std::optional<NaiveModel> Make(const ir::Graph& graph, std::string* why);

  // Bytes of a graph's input or output, by position.
  std::span<uint8_t> Input(size_t index) { return tensors_[inputs_[index]]; }
  std::span<const uint8_t> Output(size_t index) const { return tensors_[outputs_[index]]; }
  size_t input_count() const { return inputs_.size(); }
  size_t output_count() const { return outputs_.size(); }

  void Run() const;

 private:
  friend class Preparation;
  std::vector<std::vector<uint8_t>> tensors_{};  // by TensorId; steps hold pointers into them
  std::vector<size_t> inputs_{}, outputs_{};
  std::vector<std::function<void()>> steps_{};
};

}  // namespace usmp::benchmarks

#endif  // USMP_BENCHMARKS_NAIVE_MODEL_H_
