#include "conformance/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <set>

#include "support/host_program.h"
#include "usmp/compile.h"

namespace usmp::testing {
namespace {

// "op 17 CONV_2D 'block3/conv'" -> "CONV_2D"; empty: the diagnostic is about something else.
std::string OperatorIn(const std::string& where) {
  if (!where.starts_with("op ")) return "";
  const size_t begin = where.find(' ', 3);
  if (begin == std::string::npos) return "";
  return where.substr(begin + 1, where.find(' ', begin + 1) - begin - 1);
}

// Types as promised: int8 and float32, uint8 only next to a conversion.
bool IsPromised(const Inspection& model) {
  const auto has_type = [&](int32_t t, std::initializer_list<const char*> types) {
    return t < 0 ||
           std::ranges::find(types, model.tensors[static_cast<size_t>(t)].dtype) != types.end();
  };
  for (const Inspection::OperatorRow& op : model.operators) {
    const bool is_known =
        op.name == "PADV2" || op.name == "SQUEEZE" || op.name == "EXPAND_DIMS" ||
        std::ranges::find(Operators(), op.name, &OperatorInfo::name) != Operators().end();
    if (!is_known) return false;
    const bool converts = op.name == "QUANTIZE" || op.name == "DEQUANTIZE";
    for (const auto* operands : {&op.inputs, &op.outputs}) {
      for (int32_t t : *operands) {
        if (t >= 0 && model.tensors[static_cast<size_t>(t)].is_constant) {
          if (!has_type(t, {"int8", "float32", "int32", "int64"})) return false;
        } else if (!has_type(t, {"int8", "float32"}) && !(converts && has_type(t, {"uint8"}))) {
          return false;
        }
      }
    }
  }
  return true;
}

Outcome Unsupported(const ConformanceCase& c, const Error& error) {
  Outcome outcome = {.verdict = Verdict::kUnsupported};
  // Where kernels are missing, sizes are not known, and what else is said may come of that.
  const bool lacks_kernels = std::ranges::any_of(error.diagnostics, [](const Diagnostic& d) {
    return d.message.starts_with("there is no kernel for this operator");
  });
  if (error.code != ErrorCode::kUnsupported && !lacks_kernels) outcome.verdict = Verdict::kFailed;
  std::set<std::string> reasons;
  for (const Diagnostic& d : error.diagnostics) {
    const std::string op = OperatorIn(d.where);
    reasons.insert(op.empty() ? d.where + ": " + d.message : op + ": " + d.message);
  }
  outcome.reasons = {reasons.begin(), reasons.end()};
  outcome.detail = outcome.reasons.empty() ? "no diagnostic" : outcome.reasons[0];
  if (reasons.size() > 1) outcome.detail += fmt::format(" (and {} more)", reasons.size() - 1);
  const auto inspection = Inspect(c.model, {});
  outcome.is_suspect = inspection && IsPromised(*inspection);
  return outcome;
}

// Why the bytes are not the expected ones; empty: they are.
std::string Difference(const TensorBytes& ours, const FileBytes& expected, bool is_float,
                       double relative) {
  if (ours.size() != expected.size()) {
    return fmt::format("{} bytes instead of {}", ours.size(), expected.size());
  }
  if (!is_float) {
    const auto [a, b] = std::ranges::mismatch(ours, expected);
    if (a == ours.end()) return "";
    return fmt::format("byte {} of {} is {} instead of {}", a - ours.begin(), ours.size(),
                       static_cast<int8_t>(*a), static_cast<int8_t>(*b));
  }
  for (size_t i = 0; i + 4 <= ours.size(); i += 4) {
    float a = 0, b = 0;
    std::memcpy(&a, &ours[i], 4);
    std::memcpy(&b, &expected[i], 4);
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    if (!(std::abs(double{a} - double{b}) <= 1e-6 + relative * std::abs(double{b}))) {
      return fmt::format("element {} of {} is {} instead of {}", i / 4, ours.size() / 4, a, b);
    }
  }
  return "";
}

class Checker {
 public:
  explicit Checker(const ConformanceCase& c) : case_(c) {
    const bool has_softmax = std::ranges::find(c.operators, "SOFTMAX") != c.operators.end();
    relative_ = has_softmax ? 2e-5 : 1e-5;
  }

  Outcome Run() {
    std::vector<HostModel> models;
    for (DebugMode debug : {DebugMode::kNone, DebugMode::kPoison, DebugMode::kKeepTensors}) {
      if (debug == DebugMode::kKeepTensors && case_.tensors.empty()) continue;
      const std::string name = fmt::format("mode{}", static_cast<int>(debug));
      CompileOptions options = {.model_name = name, .debug = debug};
      auto compiled = Compile(case_.model, options);
      if (!compiled && compiled.error().code == ErrorCode::kInvalidInput) {  // unknown dimensions
        options.shapes = case_.shapes;
        compiled = Compile(case_.model, options);
      }
      if (!compiled) return Unsupported(case_, compiled.error());
      models.push_back({.symbol = "tvmgen_" + name,
                        .compiled = std::move(*compiled),
                        .expose_workspace = debug == DebugMode::kKeepTensors});
    }
    if (auto complaint = program_.Build(std::move(models), {.models_per_unit = 1});
        !complaint.empty()) {
      return {.detail = complaint};
    }
    if (auto difference = CompareSeeds(); !difference.empty()) return {.detail = difference};
    if (auto difference = CompareTensors(); !difference.empty()) return {.detail = difference};
    Outcome outcome = {.verdict = Verdict::kPassed};
    outcome.detail = fmt::format("{} seeds", case_.seeds.size());
    if (!case_.tensors.empty()) {
      outcome.detail += fmt::format(", {} of {} tensors", compared_tensors_, case_.tensors.size());
    }
    if (case_.HasConstantOutputs()) {
      outcome.detail += ", all outputs equal";
      if (compared_tensors_ == 0) outcome.verdict = Verdict::kWeak;
    }
    return outcome;
  }

 private:
  std::string CompareOutputs(const Response& response, const SeedCase& seed) const {
    if (response.code != 0) return fmt::format("run returns {:#x}", response.code);
    if (response.outputs.size() != seed.outputs.size()) return "another number of outputs";
    for (size_t i = 0; i < seed.outputs.size(); ++i) {
      const std::string difference =
          Difference(response.outputs[i], seed.outputs[i], case_.output_is_float[i], relative_);
      if (!difference.empty()) return fmt::format("output {}: {}", i, difference);
    }
    return "";
  }

  // Every seed as users get it, then every seed with dead buffers overwritten.
  std::string CompareSeeds() const {
    std::vector<Request> requests;
    for (size_t model : {0, 1}) {
      for (const SeedCase& seed : case_.seeds) requests.push_back({model, seed.inputs});
    }
    std::string complaint;
    const std::vector<Response> responses = program_.Run(requests, &complaint);
    for (size_t i = 0; i < responses.size(); ++i) {
      const SeedCase& seed = case_.seeds[i % case_.seeds.size()];
      const std::string difference = CompareOutputs(responses[i], seed);
      const char* mode = requests[i].model == 1 ? " in poison mode" : "";
      if (!difference.empty()) return fmt::format("seed {}{}: {}", seed.seed, mode, difference);
    }
    if (!complaint.empty() || responses.size() < requests.size()) return "run fails: " + complaint;
    return "";
  }

  bool IsFloat(int32_t tensor) const {
    return inspection_->tensors[static_cast<size_t>(tensor)].dtype == "float32";
  }

  // The bytes of a tensor of the model file after a run that keeps them all; absent: it does not
  // exist there.
  std::optional<TensorBytes> Find(const Report& report, const Response& response,
                                  int32_t tensor) const {
    const std::vector<ReportTensor>& outputs = report.models[0].outputs;
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (std::ranges::find(outputs[i].tensors, tensor) != outputs[i].tensors.end()) {
        return response.outputs[i];
      }
    }
    for (const ReportBuffer& buffer : report.buffers) {
      if (buffer.kind == BufferKind::kConstant) continue;
      if (std::ranges::find(buffer.tensors, tensor) == buffer.tensors.end()) continue;
      const auto begin = response.workspace.begin() + buffer.allocation.byte_offset;
      return TensorBytes(begin, begin + buffer.bytes);
    }
    return std::nullopt;
  }

  std::string CompareTensors() {
    if (case_.tensors.empty()) return "";
    const size_t keeping = program_.models().size() - 1;
    const auto seed = std::ranges::find(case_.seeds, case_.tensors_seed, &SeedCase::seed);
    if (seed == case_.seeds.end()) return "the seed of the tensors is missing";
    auto inspection = Inspect(case_.model, {});
    if (!inspection) return "cannot be inspected";
    inspection_ = std::move(*inspection);
    std::string complaint;
    const Request request = {keeping, seed->inputs};
    const std::vector<Response> responses = program_.Run({&request, 1}, &complaint);
    if (responses.empty()) return "the run that keeps tensors fails: " + complaint;
    const Report& report = program_.models()[keeping].compiled.report;
    for (const auto& [index, expected] : case_.tensors) {
      const auto ours = Find(report, responses[0], index);
      if (!ours) continue;
      const std::string difference = Difference(*ours, expected, IsFloat(index), relative_);
      if (!difference.empty()) return fmt::format("tensor {}: {}", index, difference);
      ++compared_tensors_;
    }
    return "";
  }

  const ConformanceCase& case_;
  HostProgram program_{};
  std::optional<Inspection> inspection_{};
  double relative_ = 1e-5;
  size_t compared_tensors_ = 0;
};

}  // namespace

Outcome Check(const ConformanceCase& c) { return Checker(c).Run(); }

}  // namespace usmp::testing
