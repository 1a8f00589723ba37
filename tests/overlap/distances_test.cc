// Every distance that a call declares is right and is the least: with the real kernels, on memory
// that input and output share.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "lower/lower.h"
#include "overlap/random_operator.h"
#include "support/run_call.h"

namespace usmp::testing {
namespace {

using ByteVector = std::vector<uint8_t>;

constexpr int kOperators = 60;  // of each family
constexpr int kTries = 4;       // inputs with which a distance that is too small may show

struct Setup {
  const lower::Program& program;
  std::vector<ByteVector> inputs{};  // by index into program.inputs
  Variant variant = Variant::kVector;
};

// `overlap` with the input at `distance` bytes from the output; absent: all buffers apart.
struct Shared {
  const lower::CallOverlap& overlap;
  Bytes distance = 0;
};

size_t Index(BufferId id) { return static_cast<size_t>(id); }

ByteVector Run(const Setup& setup, const std::optional<Shared>& shared) {
  const lower::Program& program = setup.program;
  std::vector<ByteVector> buffers;
  std::vector<void*> addresses;
  for (const lower::Buffer& buffer : program.buffers) {
    buffers.push_back(buffer.kind == BufferKind::kConstant
                          ? buffer.data
                          : ByteVector(static_cast<size_t>(buffer.size_bytes()), 0xA5));
  }
  for (ByteVector& buffer : buffers) addresses.push_back(buffer.data());
  ByteVector arena;
  if (shared) {
    const auto [input, output] =
        std::pair(Index(shared->overlap.input), Index(shared->overlap.output));
    // The one with the larger elements is aligned; the other follows at the distance.
    const bool moves_output = program.buffers[input].alignment() > 1;
    const size_t origin = 64 + std::max(buffers[input].size(), buffers[output].size()) / 8 * 8;
    arena.assign(4 * origin + buffers[input].size() + buffers[output].size(), 0xA5);
    uint8_t* fixed = arena.data() + 2 * origin;
    addresses[input] = moves_output ? fixed : fixed + shared->distance;
    addresses[output] = moves_output ? fixed - shared->distance : fixed;
  }
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    if (setup.inputs[i].empty()) continue;
    std::memcpy(addresses[Index(program.inputs[i])], setup.inputs[i].data(),
                setup.inputs[i].size());
  }
  for (const lower::Call& call : program.calls) {
    std::vector<void*> operands;
    for (const lower::Operand& operand : call.operands) {
      operands.push_back(operand.buffer ? addresses[Index(*operand.buffer)] : nullptr);
    }
    RunCall(call, operands, setup.variant);
  }
  const auto* out = static_cast<const uint8_t*>(addresses[Index(program.outputs[0])]);
  return ByteVector(out, out + program[program.outputs[0]].size_bytes());
}

void SetReverse(lower::Program& program) {
  for (lower::Param& param : program.calls[0].params) {
    if (param.name == "reverse") param.value = int64_t{1};
  }
}

// Runs a program whose one call has the overlap in the direction that it scans.
class Checker {
 public:
  Checker(const ir::Graph& graph, const lower::Program& program, const lower::CallOverlap& overlap,
          Random& random)
      : graph_(graph), program_(program), overlap_(overlap), random_(random) {}

  // `distance` is the least of offset(input) - offset(output), or of the opposite in reverse.
  void Check(Bytes distance, bool reverse, bool tolerates_damage) {
    const Bytes sign = reverse ? -1 : 1;
    const Bytes upper_size = program_[reverse ? overlap_.output : overlap_.input].size_bytes();
    const Bytes element = program_[overlap_.input].alignment();
    EXPECT_EQ(Differences(sign * distance), 0)
        << "distance " << distance << (reverse ? ", reverse" : "");
    if (distance <= -upper_size) {  // no conflict at all
      const int anywhere = RandomInt(random_, 0, static_cast<int>(upper_size / element));
      EXPECT_EQ(Differences(-sign * element * anywhere), 0) << anywhere << " elements";
    } else if (tolerates_damage) {
      EXPECT_GT(Differences(sign * (distance - element)), 0)
          << "distance " << distance << " is not the least" << (reverse ? ", reverse" : "");
    }
  }

 private:
  // In how many runs the result differs from that of buffers apart.
  int Differences(Bytes distance) {
    int found = 0;
    for (int i = 0; i < kTries; ++i) {
      Setup setup{program_};
      for (ir::TensorId id : graph_.inputs) {
        setup.inputs.push_back(RandomValues(random_, graph_[id]));
      }
      for (Variant variant : {Variant::kVector, Variant::kPlain}) {
        setup.variant = variant;
        found += Run(setup, Shared{overlap_, distance}) != Run(setup, {}) ? 1 : 0;
      }
    }
    return found;
  }

  const ir::Graph& graph_;
  const lower::Program& program_;
  const lower::CallOverlap& overlap_;
  Random& random_;
};

class DistancesTest : public ::testing::TestWithParam<OperatorFamily> {};

TEST_P(DistancesTest, AreRightAndTheLeast) {
  Random random(1);
  int checked = 0;
  for (int i = 0; i < kOperators; ++i) {
    const ir::Graph graph = GetParam().make(random);
    auto program = lower::Lower(graph);
    if (!program) continue;  // such as a mean that is too deep
    SCOPED_TRACE(Describe(graph, ir::TensorId{0}) + " -> " + Describe(graph, graph.outputs[0]));
    // Later calls of a concatenation find the output already in use.
    for (const lower::CallOverlap& overlap : program->calls[0].overlaps) {
      const Bytes in = (*program)[overlap.input].size_bytes();
      const Bytes out = (*program)[overlap.output].size_bytes();
      const bool tolerates_damage = GetParam().tolerates_damage;
      if (overlap.forward_distance) {
        Checker(graph, *program, overlap, random)
            .Check(*overlap.forward_distance, /*reverse=*/false, tolerates_damage);
        ++checked;
      }
      if (overlap.reverse_distance) {
        lower::Program reversed = *program;
        SetReverse(reversed);
        Checker(graph, reversed, overlap, random)
            .Check(in - out + *overlap.reverse_distance, /*reverse=*/true, tolerates_damage);
      }
      if (HasFailure()) return;
    }
  }
  if (GetParam().name != "FullyConnectedFloat32") {
    EXPECT_GT(checked, kOperators / 2);
  }
}

std::string NameOf(const ::testing::TestParamInfo<OperatorFamily>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Overlap, DistancesTest, ::testing::ValuesIn(OperatorFamilies()), NameOf);

}  // namespace
}  // namespace usmp::testing
