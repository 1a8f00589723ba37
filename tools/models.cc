#include "models.h"

#include <filesystem>
#include <string_view>
#include <tuple>
#include <utility>

#include "model_options.h"

namespace usmp::tools {
namespace {

std::vector<OneModel> NamedModels(const ModelOptions& options) {
  std::vector<OneModel> models;
  for (size_t i = 0; i < options.model_paths.size(); ++i) {
    const std::string& path = options.model_paths[i];
    models.push_back({.path = path,
                      .name = i < options.names.size()
                                  ? options.names[i]
                                  : std::filesystem::path(path).stem().string()});
  }
  return models;
}

std::string NamesOf(const std::vector<OneModel>& models) {
  std::string names;
  for (const OneModel& model : models) names += (names.empty() ? "" : ", ") + model.name;
  return names;
}

// The model that `spec` names before `separator`, the longest where several do; takes that away.
OneModel* TakeModel(std::vector<OneModel>& models, char separator, std::string& spec) {
  OneModel* found = nullptr;
  for (OneModel& model : models) {
    const bool matches = spec.starts_with(model.name + separator);
    if (matches && (found == nullptr || model.name.size() > found->name.size())) found = &model;
  }
  if (found != nullptr) spec.erase(0, found->name.size() + 1);
  return found;
}

Result<void> AssignIo(const std::vector<std::string>& specs, std::vector<OneModel>& models) {
  for (std::string spec : specs) {
    const std::string where = "--io " + spec;
    OneModel* one = TakeModel(models, '=', spec);
    if (spec != "caller" && spec != "workspace") {
      return Fail(ErrorCode::kInvalidInput, where,
                  "write caller or workspace, or MODEL=caller|workspace where MODEL is one of " +
                      NamesOf(models));
    }
    const IoPlacement io = spec == "caller" ? IoPlacement::kCaller : IoPlacement::kWorkspace;
    for (OneModel& model : models) {
      if (one == nullptr || one == &model) model.io = io;
    }
  }
  return {};
}

Result<void> Assign(std::string_view option, const std::vector<std::string>& specs,
                    std::vector<std::string> OneModel::*member, std::vector<OneModel>& models) {
  std::vector<Diagnostic> problems;
  for (std::string spec : specs) {
    const std::string given = spec;
    OneModel* model = models.size() == 1 ? models.data() : TakeModel(models, '.', spec);
    if (model == nullptr) {
      problems.push_back(
          {std::string(option) + " " + given, "say which model is meant: MODEL." + given +
                                                  ", where MODEL is one of " + NamesOf(models)});
      continue;
    }
    (model->*member).push_back(std::move(spec));
  }
  if (!problems.empty()) return Fail(Error{ErrorCode::kInvalidInput, std::move(problems)});
  return {};
}

}  // namespace

Result<std::vector<OneModel>> ModelsOf(const ModelOptions& options) {
  std::vector<OneModel> models = NamedModels(options);
  if (models.empty()) {
    return Fail(ErrorCode::kInvalidInput, "MODEL",
                "there is none; name a .tflite file, here or in the file of --config");
  }
  if (options.names.size() > models.size()) {
    return Fail(ErrorCode::kInvalidInput, "--name", "there are more names than models");
  }
  if (auto done = AssignIo(options.io, models); !done) return Fail(done.error());
  for (const auto& [option, specs, member] :
       {std::tuple{"--io-tensor", &options.io_tensors, &OneModel::io_tensors},
        std::tuple{"--constant", &options.constants, &OneModel::constants},
        std::tuple{"--shape", &options.shapes, &OneModel::shapes},

        std::tuple{"--offload", &options.offloads, &OneModel::offloads}}) {
    if (auto done = Assign(option, *specs, member, models); !done) return Fail(done.error());
  }
  return models;
}

}  // namespace usmp::tools
