#include "e2e/scenario.h"

#include <fmt/format.h>

#include <utility>

#include "e2e/net.h"
#include "e2e/to_tflite.h"
#include "oracle/oracle.h"

namespace usmp::testing {

using oracle::Model;
using oracle::Type;

namespace {

std::string Hex(const TensorBytes& bytes) {
  std::string text;
  for (uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
  return text + "\n";
}

}  // namespace

Model Gate() {
  Net net(Type::kInt8, 5);
  const int32_t x = net.Input({1, 4, 4, 3}, "image"), unused = net.Input({1, 7}, "unused");
  const int32_t mask = net.Input({1, 4, 4, 3}, "mask");
  const int32_t a = net.Conv(x, 3, 3), b = net.Conv(a, 3, 1);
  (void)unused;
  return net.Finish({a, net.Add(net.Binary("MUL", b, mask), x), a, mask});
}

Model Chain() {
  Net net(Type::kInt8, 6);
  int32_t x = net.Input({1, 6, 5, 2}, "sound");
  for (int32_t channels : {4, 6, 3}) x = net.Conv(x, channels, 3);
  return net.Finish({x});
}

Scenario MakeScenario(std::vector<Model> models) {
  Scenario run{.models = std::move(models)};
  Random random(77);
  for (const Model& model : run.models) {
    run.inputs.emplace_back();
    for (int32_t input : model.inputs) {
      run.inputs.back().push_back(RandomData(model.tensors[static_cast<size_t>(input)], random));
    }
    const std::vector<oracle::Data> tensors = oracle::Run(model, run.inputs.back());
    run.expected.emplace_back();
    for (int32_t output : model.outputs) {
      run.expected.back() += Hex(tensors[static_cast<size_t>(output)]);
    }
  }
  return run;
}

Result<CompiledModel> CompileAll(const Scenario& run, const std::vector<CompileOptions>& options,
                                 ModelSharing sharing) {
  std::vector<std::vector<uint8_t>> files;
  for (const Model& model : run.models) files.push_back(ToTflite(model));
  std::vector<ModelSource> sources;
  for (size_t i = 0; i < files.size(); ++i) sources.push_back({files[i], options[i]});
  return CompileTogether(sources, sharing);
}

}  // namespace usmp::testing
