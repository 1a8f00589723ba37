// What is measured of one model.
#ifndef USMP_BENCHMARKS_MODEL_RESULT_H_
#define USMP_BENCHMARKS_MODEL_RESULT_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "generated_model.h"
#include "measure.h"
#include "table.h"
#include "usmp/report.h"

namespace usmp::benchmarks {

struct ModelOptions {
  GeneratedModel::BuildOptions build{};
  int rounds = 21;
  double sample_us = 500;
  // The program `usmp`, to measure its memory; empty: not measured.
  std::string command{};
  // The program `usmp_bench_once`, to count instructions; empty: not counted.
  std::string profiled{};
  // Prints "model<TAB>microseconds" for the model that is its last argument: another engine, run
  // before and after the generated code; empty: none.
  std::string peer_command{};
};

struct ModelResult {
  std::string name{};
  std::string problem{};  // why there are no figures; empty: there are
  std::string note{};     // why one of them is missing
  Timing compile{};
  std::optional<int64_t> compile_peak_kb{};
  Report report{};
  Timing generated{};
  std::optional<Timing> naive{};
  std::optional<int64_t> generated_instructions{}, naive_instructions{};
  std::optional<double> peer_us{};
};

ModelResult MeasureModel(const std::filesystem::path& path, const ModelOptions& options);

// A row for each model without a problem, and one of geometric means of the ratios.
Table TableOf(const std::vector<ModelResult>& results);

}  // namespace usmp::benchmarks

#endif  // USMP_BENCHMARKS_MODEL_RESULT_H_
