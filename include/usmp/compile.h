// The compiler: the bytes of a model in, C files out.
//
//   auto model = usmp::Compile(bytes, {.model_name = "kws"});
//   if (!model) { for (auto& d : model.error().diagnostics) ... }
//   for (auto& file : model->files) Write(out / file.path, file.content);
//
// The generated code's contract is docs/generated-c.md. Nothing here touches files, prints or
// exits.
#ifndef USMP_COMPILE_H_
#define USMP_COMPILE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "usmp/plan.h"
#include "usmp/report.h"
#include "usmp/result.h"

namespace usmp {

inline constexpr std::string_view kVersion = "0.1.0";

// Builds of the generated code for finding mistakes; never for firmware.
enum class DebugMode : uint8_t {
  kNone,
  kKeepTensors,  // every tensor keeps its bytes until the end of `run`
  kPoison,       // every buffer is overwritten with 0xA5 as soon as the plan says that it is dead
};

// Who owns the memory of a model's inputs and outputs.
enum class IoPlacement : uint8_t {
  kCaller,     // the caller: `run` takes pointers; inputs are not changed
  kWorkspace,  // the workspace (use case U4): `map_inputs` and `map_outputs` say where; an input is
               // overwritten after its last use, so it must be written again before every run
};

// The pools that some constants may go to, in order of preference.
struct ConstantPlacement {
  std::string pattern{};  // of the constant's name, or of the label of a call that reads it, as
                          // they stand in the report; '*' is any text
  std::vector<std::string> pools{};
};

struct CompileOptions {
  std::string model_name = "default";  // any text; sanitized into the C names
  std::string prefix = "tvmgen";
  std::map<std::string, std::vector<int32_t>>
      shapes{};  // input name -> shape, for unknown dimensions
  IoPlacement io = IoPlacement::kCaller;
  std::vector<PoolInfo> pools{};  // empty: one internal workspace and one internal constant pool
  std::vector<ConstantPlacement>
      constants{};        // the first that fits counts; else all constant pools
  Algorithm algorithm{};  // .run empty: the best we have
  PlanOptions plan{};
  bool overlap = true;  // let an operator's output share bytes with an input that dies there
  DebugMode debug = DebugMode::kNone;
  // Called after each pass with its name and the printed graph, when set (--dump-after).
  std::function<void(std::string_view pass, std::string_view graph)> on_pass{};
};

struct GeneratedFile {
  std::string path{};  // relative, with '/'
  std::string content{};
};

struct CompiledModel {
  std::vector<GeneratedFile> files{};
  Report report{};
  std::vector<Diagnostic> notes{};  // what was assumed: "batch dimension -1 taken as 1"
};

// `model_bytes` need not outlive the call.
Result<CompiledModel> Compile(std::span<const uint8_t> model_bytes, const CompileOptions& options);

// One row of the operator table.
struct OperatorInfo {
  std::string name{};   // TensorFlow Lite's name: "CONV_2D"
  std::string types{};  // "int8, float32"
  std::string summary{};
};
std::span<const OperatorInfo> Operators();

// What a model contains, before any choice is made.
struct Inspection {
  struct TensorRow {
    int32_t index = 0;
    std::string name{}, dtype{};
    std::vector<int32_t> shape{};
    Bytes bytes = 0;
    bool is_constant = false;
    std::vector<float> scales{};  // empty: not quantized
    std::vector<int32_t> zero_points{};
  };
  struct InterfaceRow {
    int32_t tensor = 0;        // index into `tensors`
    std::string identifier{};  // in the generated C
  };
  struct OperatorRow {
    int32_t index = 0;
    std::string name{}, label{};
    std::vector<int32_t> inputs{}, outputs{};  // tensor indices; -1: absent
    std::vector<Diagnostic> problems{};        // why it cannot be compiled; empty: it can
  };
  std::vector<TensorRow> tensors{};
  std::vector<OperatorRow> operators{};
  std::vector<InterfaceRow> inputs{}, outputs{};
  std::vector<Diagnostic> notes{};
  // The most bytes of tensors alive at one time, inputs and outputs included: a bound for whole
  // tensors that never overlap.
  Bytes live_sum_bytes = 0;
  int32_t live_sum_operator = -1;           // index in the model file; -1: there is no operator
  std::vector<int32_t> live_sum_tensors{};  // alive then, the largest first
  Bytes constant_bytes = 0;                 // weights, as they stand in the model
  int64_t multiply_accumulates = 0;
};
Result<Inspection> Inspect(std::span<const uint8_t> model_bytes, const CompileOptions& options);

}  // namespace usmp

#endif  // USMP_COMPILE_H_
