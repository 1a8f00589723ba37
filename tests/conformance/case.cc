#include "conformance/case.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/files.h"

namespace usmp::testing {

namespace fs = std::filesystem;

bool ConformanceCase::HasConstantOutputs() const {
  return std::ranges::all_of(seeds,
                             [&](const SeedCase& s) { return s.outputs == seeds[0].outputs; });
}

std::vector<std::string> ListCases(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (fs::exists(entry.path() / "case.json")) names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

ConformanceCase LoadCase(const fs::path& folder, const std::string& name) {
  const fs::path place = folder / name;
  const auto json = nlohmann::json::parse(ReadText(place / "case.json"));
  ConformanceCase out = {.name = name,
                         .model = ReadFile(place / json.at("model").get<std::string>())};
  for (const auto& [op, count] : json.at("operators").items()) out.operators.push_back(op);
  for (const auto& input : json.at("inputs")) {
    out.shapes[input.at("name")] = input.at("shape").get<std::vector<int32_t>>();
  }
  for (const auto& output : json.at("outputs")) {
    out.output_is_float.push_back(output.at("dtype") == "FLOAT32");
  }
  for (const auto& seed : json.at("cases")) {
    SeedCase one = {.seed = seed.at("seed").get<int64_t>()};
    for (const auto& file : seed.at("inputs")) one.inputs.push_back(ReadFile(place / file));
    for (const auto& file : seed.at("outputs")) one.outputs.push_back(ReadFile(place / file));
    out.seeds.push_back(std::move(one));
  }
  constexpr const char* kTensors = "tensors_12345";
  if (json.contains(kTensors)) {
    out.tensors_seed = 12345;
    for (const auto& [index, file] : json.at(kTensors).items()) {
      out.tensors[std::stoi(index)] = ReadFile(place / file.get<std::string>());
    }
  }
  return out;
}

}  // namespace usmp::testing
