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
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "usmp/interface.h"
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
  kRows,       // nobody the whole: a function of the caller gives an input row by row, or takes an
               // output so; what has to be kept of it is in the workspace
};

// The pools that some constants may go to, in order of preference.
struct ConstantPlacement {
  std::string pattern{};  // of the constant's name, or of the label of a call that reads it, as
                          // they stand in the report; '*' is any text
  std::vector<std::string> pools{};
};

// Whether chains of operators run row by row, so that only some rows of what is between them exist.
enum class StreamMode : uint8_t {
  kOff,
  kAuto,  // where it makes the workspace smaller
  kFit,   // only as far as it takes to stay within `stream_ram_bytes`
};

// Where one input or output lives.
struct IoTensor {
  std::string name{};  // its identifier in the generated C, or "input:N", "output:N"
  IoPlacement placement = IoPlacement::kCaller;
  std::string pool{};        // of kWorkspace: a workspace pool's name; empty: any
  bool is_precious = false;  // an input of kWorkspace that nothing overwrites: `run` can be called
                             // again without writing it again
};

struct CompileOptions {
  std::string model_name = "default";  // any text; sanitized into the C names
  std::string prefix = "tvmgen";
  std::map<std::string, std::vector<int32_t>>
      shapes{};                           // input name -> shape, for unknown dimensions
  IoPlacement io = IoPlacement::kCaller;  // of every input and output that io_tensors leaves out
  std::vector<IoTensor> io_tensors{};
  InterfaceApi interface = InterfaceApi::kC;
  DlTensors dl_tensors = DlTensors::kNone;
  std::vector<Offload> offloads{};
  // Targets of offloads that are opened and closed around each call, by functions of the
  // application; `run` takes their contexts.
  std::vector<std::string> devices{};
  // Inputs that the model quantizes first are taken quantized, outputs that it dequantizes last are
  // given quantized.
  bool quantized_io = false;
  std::vector<PoolInfo> pools{};  // empty: one internal workspace and one internal constant pool
  std::vector<ConstantPlacement>
      constants{};        // the first that fits counts; else all constant pools
  Algorithm algorithm{};  // .run empty: the best we have
  PlanOptions plan{};
  bool overlap = true;  // let an operator's output share bytes with an input that dies there
  bool reorder = true;  // run operators in another order than the model's where the plan is smaller
  StreamMode stream = StreamMode::kAuto;  // off while debug is kKeepTensors
  Bytes stream_ram_bytes = 0;             // kFit: workspace and the caller's inputs and outputs
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

// One of several models of a firmware. `prefix`, `pools`, `algorithm`, `plan` and `debug` are those
// of the first for all; names must differ.
struct ModelSource {
  std::span<const uint8_t> bytes{};
  CompileOptions options{};
};

// May buffers of different models share bytes?
enum class ModelSharing : uint8_t {
  kExclusive,   // yes: a model runs, and its outputs are read, before another one is touched.
                // Precious inputs and state are not shared.
  kConcurrent,  // no: models may interrupt each other
};

// All models by one plan, with one report.
Result<CompiledModel> CompileTogether(std::span<const ModelSource> models, ModelSharing sharing);

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
  // What the program needs at least, inputs and outputs in the workspace: for whole tensors that
  // may overlap, row by row, and row by row with inputs that come in row by row as well. Estimates,
  // which a plan may exceed; absent: something keeps the model from being compiled.
  struct Peaks {
    Bytes overlap_bytes = 0, rows_bytes = 0, input_rows_bytes = 0;
    Bytes order_bytes = 0;        // whole tensors that may overlap, in the best order found
    bool is_order_exact = false;  // no order needs less than that
    // The labels of the operators alive at each.
    std::string overlap_call{}, rows_call{}, input_rows_call{};
    std::vector<ReportTradeoff> tradeoffs{};  // inputs and outputs in the workspace, not by rows
  };
  std::optional<Peaks> peaks{};
  Bytes constant_bytes = 0;  // weights, as they stand in the model
  int64_t multiply_accumulates = 0;
};
Result<Inspection> Inspect(std::span<const uint8_t> model_bytes, const CompileOptions& options);

}  // namespace usmp

#endif  // USMP_COMPILE_H_
