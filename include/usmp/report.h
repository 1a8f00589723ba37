// What a compilation tells about its memory: the figures of report.json and the memory map.
// docs/report-format.md describes the JSON. Bytes throughout; never a time, a path or a date.
#ifndef USMP_REPORT_H_
#define USMP_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "usmp/buffers.h"
#include "usmp/plan.h"

namespace usmp {

struct ReportTensor {        // an input or output of a model
  std::string name{};        // in the model
  std::string identifier{};  // in the generated C, and on the command line
  Bytes bytes = 0;
  std::string dtype{};  // "int8", "float32", ...
  std::vector<int32_t> shape{};
  std::vector<float> scales{};  // empty: not quantized
  std::vector<int32_t> zero_points{};
  std::string placement{};                     // "caller", "workspace" or "rows"
  int32_t rows = 0;                            // where placement is "rows"
  std::optional<PoolAllocation> allocation{};  // where placement is "workspace"
  bool precious = false;
  std::vector<int32_t> tensors{};  // tensors of the model file that live in these bytes
};

// One way to run a model, and what it is estimated to need. Ways that need less are slower.
struct ReportTradeoff {
  Bytes ram_bytes = 0;        // workspace and the caller's inputs and outputs: for `--stream`
  int32_t calls_by_rows = 0;  // of the schedule, that run row by row
  int64_t kernel_calls = 0;   // of functions in one inference
  double time_ratio = 1;      // estimated, to that of running every operator as a whole
};

struct ReportModel {
  std::string name{};
  std::string symbol{};  // "tvmgen_kws": starts its names in the generated C, and its files'
  std::string source_sha256{};
  int32_t operators = 0;
  bool is_reordered = false;          // operators run in another order than in the model
  bool is_order_proved_best = false;  // no other order has a smaller plan
  std::vector<ReportTensor> inputs{};
  std::vector<ReportTensor> outputs{};
  std::vector<ReportTradeoff> tradeoffs{};  // the fastest first
};

struct ReportPool {
  std::string name{};
  PoolKind kind{};
  bool is_internal = true;
  bool in_ram = false;  // a workspace pool, or constants that are copied to RAM at startup
  Bytes bytes = 0;
  std::optional<Bytes> size_hint_bytes{};
  Bytes alignment = 1;
};

struct ReportBuffer {
  std::string name{};
  BufferKind kind{};
  Bytes bytes = 0;
  Bytes alignment = 1;
  PoolAllocation allocation{};  // pool indexes Report::pools
  std::vector<Lifetime> lifetimes{};
  int32_t model = 0;                  // index into Report::models
  std::vector<int32_t> tensors{};     // tensors of the model file that live in these bytes
  std::optional<double> memory_ns{};  // its share of Report::memory_ns
};

struct ReportCall {
  int32_t model = 0;
  int32_t step = 0;
  std::string kernel{};         // "conv2d_s8"
  std::string operator_name{};  // "CONV_2D"
  std::string label{};          // "op 3 CONV_2D 'block1/conv'"
  std::vector<std::string> reads{}, writes{}, scratch{};
};

struct Report {
  std::vector<ReportModel> models{};
  std::vector<ReportPool> pools{};
  std::vector<ReportBuffer> buffers{};
  std::vector<ReportCall> calls{};
  Bytes workspace_bytes = 0;     // sum of the workspace pools
  Bytes caller_io_bytes = 0;     // inputs and outputs that the caller owns
  Bytes ram_constant_bytes = 0;  // of constant_bytes, what is in RAM at run time
  Bytes total_ram_bytes = 0;     // workspace_bytes + caller_io_bytes + ram_constant_bytes
  Bytes constant_bytes = 0;      // sum of the constant pools
  Bytes state_bytes = 0;         // of workspace_bytes, what must survive between runs
  Bytes lower_bound_bytes = 0;   // of workspace_bytes, for this schedule
  Bytes fixed_graph_bound_bytes =
      0;  // live sum, inputs and outputs included, no overlap, no streaming
  // Where inputs or outputs were given pools: bytes of workspace more than without that.
  std::optional<Bytes> io_pools_cost_bytes{};
  std::optional<double> memory_ns{};  // of an inference, moving bytes to and from the pools whose
                                      // speeds are given; absent if none is
  Bytes max_stack_bytes = 0;          // of `run` on Cortex-M4 at -O2, the whole call tree
  Proof proof = Proof::kNone;
  std::string witness{};
  std::string algorithm{};
  int64_t plan_steps = 0;
};

// The step at which most bytes of workspace are alive, and which. The first of equals.
struct ReportPeak {
  int32_t step = 0;
  std::string call{};          // ReportCall::label
  std::vector<size_t> live{};  // indices into Report::buffers, constants left out
  Bytes live_bytes = 0;
};
ReportPeak PeakOf(const Report& report);

// The text of report.json, ending in a newline.
std::string ReportToJson(const Report& report);

// The memory map for a terminal `columns` wide: a picture of steps (across) by addresses (up) for
// every workspace pool, with a legend, and what is alive at the peak.
std::string MemoryMap(const Report& report, int columns = 100);

}  // namespace usmp

#endif  // USMP_REPORT_H_
