#include "e2e/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "e2e/models.h"
#include "e2e/to_tflite.h"
#include "oracle/oracle.h"

namespace usmp::testing {
namespace {

using oracle::Data;
using oracle::Model;
using oracle::Tensor;
using oracle::Type;

Data Filled(const Tensor& tensor, bool largest) {
  if (tensor.type == Type::kFloat32) {
    return oracle::FromFloats(
        std::vector<float>(static_cast<size_t>(Count(tensor)), largest ? 4.0F : -4.0F));
  }
  const int32_t lowest = tensor.type == Type::kInt8 ? -128 : 0;
  return oracle::FromInts(tensor, std::vector<int32_t>(static_cast<size_t>(Count(tensor)),
                                                       largest ? lowest + 255 : lowest));
}

std::vector<Data> InputsOf(const Model& model, int number, Random& random) {
  std::vector<Data> inputs;
  for (int32_t input : model.inputs) {
    const Tensor& tensor = model.tensors[static_cast<size_t>(input)];
    inputs.push_back(number < 2 ? Filled(tensor, number == 1) : RandomData(tensor, random));
  }
  return inputs;
}

bool HasSoftmax(const Model& model) {
  for (const oracle::Op& op : model.ops) {
    if (op.kind == "SOFTMAX") return true;
  }
  return false;
}

void CompareOutputs(const Model& model, const Response& response,
                    const std::vector<Data>& expected) {
  EXPECT_EQ(response.code, 0);
  ASSERT_EQ(response.outputs.size(), model.outputs.size());
  for (size_t i = 0; i < model.outputs.size(); ++i) {
    const auto index = static_cast<size_t>(model.outputs[i]);
    const Data& ours = response.outputs[i];
    const Data& oracles = expected[index];
    ASSERT_EQ(ours.size(), oracles.size());
    if (model.tensors[index].type == Type::kFloat32) {
      EXPECT_EQ(FirstFloatDifference(ours, oracles, HasSoftmax(model) ? 2e-5 : 1e-5), "")
          << "output " << i;
      continue;
    }
    for (size_t k = 0; k < ours.size(); ++k) {
      ASSERT_EQ(static_cast<int8_t>(ours[k]), static_cast<int8_t>(oracles[k]))
          << "output " << i << ", byte " << k << " of " << ours.size();
    }
  }
}

enum class Io : uint8_t {
  kCaller,
  kWorkspace,
  kMixed,     // first input the caller's, others in the workspace, every second of them precious;
              // first output in the workspace, the next the caller's, ...
  kPrecious,  // inputs precious, outputs the caller's
  kRows,      // row by row what can be, the rest in the workspace
};

// One way of compiling a model.
struct Build {
  DebugMode debug = DebugMode::kNone;
  Io io = Io::kCaller;
  bool callers_pools = false;  // one of tensors, one of constants
};
constexpr Build kOtherBuilds[] = {
    {DebugMode::kPoison},
    {DebugMode::kKeepTensors},
    {DebugMode::kNone, Io::kCaller, true},
    {DebugMode::kNone, Io::kWorkspace},
    {DebugMode::kPoison, Io::kWorkspace, true},
    {DebugMode::kPoison, Io::kMixed},
    {DebugMode::kPoison, Io::kPrecious},
    {DebugMode::kPoison, Io::kRows},
};

// Asks for rows of every tensor that has an operator which works on them.
void PlaceByRows(const Model& model, CompileOptions& options) {
  options.io = IoPlacement::kWorkspace;
  const std::vector<uint8_t> file = ToTflite(model);
  std::vector<std::string> names;
  for (size_t i = 0; i < model.inputs.size(); ++i) names.push_back(fmt::format("input:{}", i));
  for (size_t i = 0; i < model.outputs.size(); ++i) names.push_back(fmt::format("output:{}", i));
  for (const std::string& name : names) {
    options.io_tensors.push_back({.name = name, .placement = IoPlacement::kRows});
    if (!Compile(file, options)) options.io_tensors.pop_back();
  }
}

CompileOptions OptionsOf(const Model& model, const Build& build, const std::string& name) {
  CompileOptions options{.model_name = name, .debug = build.debug};
  if (build.io == Io::kWorkspace) options.io = IoPlacement::kWorkspace;
  if (build.callers_pools) {
    options.pools = {{.pool_name = "sram", .is_internal = false},
                     {.pool_name = "flash", .kind = PoolKind::kConstant, .is_internal = false}};
  }
  if (build.io == Io::kRows) PlaceByRows(model, options);
  for (size_t i = 0; i < model.inputs.size(); ++i) {
    IoTensor tensor{.name = fmt::format("input:{}", i), .placement = IoPlacement::kWorkspace};
    tensor.is_precious = build.io == Io::kPrecious || i % 2 == 1;
    const bool is_mapped = build.io == Io::kPrecious || (build.io == Io::kMixed && i > 0);
    if (is_mapped) options.io_tensors.push_back(tensor);
  }
  for (size_t i = 0; i < model.outputs.size() && build.io == Io::kMixed; i += 2) {
    options.io_tensors.push_back(
        {.name = fmt::format("output:{}", i), .placement = IoPlacement::kWorkspace});
  }
  return options;
}

// The models as they compile in one build; `kept` says which of `models` each is.
std::vector<HostModel> CompileAll(const std::vector<Model>& models, const Build& build,
                                  std::vector<size_t>& kept) {
  std::vector<HostModel> compiled;
  for (size_t i = 0; i < models.size(); ++i) {
    const std::string name =
        fmt::format("m{}_{}{}{}", i, static_cast<int>(build.debug), static_cast<int>(build.io),
                    build.callers_pools ? "p" : "");
    auto result = Compile(ToTflite(models[i]), OptionsOf(models[i], build, name));
    if (!result) {
      ADD_FAILURE() << DescribeModel(models[i]) << ErrorText(result.error());
      continue;
    }
    kept.push_back(i);
    compiled.push_back({.symbol = "tvmgen_" + name, .compiled = std::move(*result)});
  }
  return compiled;
}

}  // namespace

std::string DescribeModel(const Model& model) {
  std::string text = "\n";
  const auto operands = [&](const std::vector<int32_t>& tensors) {
    std::string list;
    for (int32_t t : tensors) {
      if (t < 0) continue;
      const Tensor& tensor = model.tensors[static_cast<size_t>(t)];
      list +=
          fmt::format(" {}{}[{}]", t, tensor.data.empty() ? "" : "c", fmt::join(tensor.shape, ","));
      if (!tensor.scales.empty()) {
        list +=
            fmt::format("@{}x{}+{}", tensor.scales[0], tensor.scales.size(), tensor.zero_points[0]);
      }
    }
    return list;
  };
  for (const oracle::Op& op : model.ops) {
    text += fmt::format(
        "  {}{} ->{} act{} {} stride {}x{} dilation {}x{} filter {}x{} multiplier {} axis {} keep "
        "{}\n",
        op.kind, operands(op.inputs), operands(op.outputs), static_cast<int>(op.activation),
        op.same_padding ? "SAME" : "VALID", op.stride_h, op.stride_w, op.dilation_h, op.dilation_w,
        op.filter_h, op.filter_w, op.depth_multiplier, op.axis, op.keep_dims);
  }
  return text;
}

std::string FirstFloatDifference(const Data& ours, const Data& expected, double relative) {
  const std::vector<float> a = oracle::Floats(ours), b = oracle::Floats(expected);
  for (size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(double{a[i]} - double{b[i]});
    const bool both_nan = std::isnan(a[i]) && std::isnan(b[i]);
    if (both_nan || a[i] == b[i]) continue;
    if (!(difference <= 1e-6 + relative * std::abs(double{b[i]}))) {
      return fmt::format("element {} of {}: {} instead of {}", i, a.size(), a[i], b[i]);
    }
  }
  return "";
}

std::string ErrorText(const Error& error) {
  std::string text;
  for (const Diagnostic& d : error.diagnostics)
    text += fmt::format("  {}: {}\n", d.where, d.message);
  return text;
}

void ExpectOracleOutputs(const std::vector<Model>& models, const CompareOptions& options) {
  std::vector<size_t> kept;
  std::vector<HostModel> compiled = CompileAll(models, {}, kept);
  if (options.all_builds) {
    for (const Build& build : kOtherBuilds) {
      for (HostModel& model : CompileAll(models, build, kept)) compiled.push_back(std::move(model));
    }
  }
  HostProgram program;
  const std::string complaint = program.Build(std::move(compiled), {});
  ASSERT_EQ(complaint, "");

  Random random(20240607);
  std::vector<Request> requests;
  for (size_t i = 0; i < kept.size(); ++i) {
    for (int number = 0; number < 2 + options.random_inputs; ++number) {
      requests.push_back({i, InputsOf(models[kept[i]], number, random)});
    }
  }
  std::string message;
  const std::vector<Response> responses = program.Run(requests, &message);
  for (size_t i = 0; i < responses.size(); ++i) {
    const Model& model = models[kept[requests[i].model]];
    SCOPED_TRACE(program.models()[requests[i].model].symbol + DescribeModel(model));
    CompareOutputs(model, responses[i], oracle::Run(model, requests[i].inputs));
  }
  ASSERT_EQ(message, "");
  if (responses.size() < requests.size()) {
    const size_t culprit = requests[responses.size()].model;
    FAIL() << "ended in " << program.models()[culprit].symbol
           << DescribeModel(models[kept[culprit]]);
  }
}

}  // namespace usmp::testing
