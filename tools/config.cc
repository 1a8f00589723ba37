#include "config.h"

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "io.h"
#include "pool_files.h"

namespace usmp::tools {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> TextOf(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
  return {};
}

class Converter {
 public:
  Converter(std::string path, std::vector<std::string>& words)
      : path_(std::move(path)), folder_(fs::path(path_).parent_path()), words_(words) {}

  std::vector<Diagnostic> Convert(const toml::table& file) {
    if (const toml::node* models = file.get("model")) AddModels(*models);
    for (const auto& [key, value] : file) {
      if (key.str() != "model") AddOption(std::string(key.str()), value);
    }
    return std::move(problems_);
  }

 private:
  void Report(const toml::node& node, std::string message) {
    problems_.push_back(
        {path_ + ":" + std::to_string(node.source().begin.line), std::move(message)});
  }

  void Add(const std::string& option, const std::string& value) {
    words_.push_back(option);
    words_.push_back(value);
  }

  // A value, or each of a list; tables are pools.
  void AddOption(const std::string& key, const toml::node& value) {
    const std::string option = key == "output" ? "-o" : "--" + key;
    if (const auto* list = value.as_array()) {
      for (const toml::node& item : *list) AddOption(key, item);
    } else if (const auto* table = value.as_table()) {
      if (const auto spec = PoolSpec(*table)) Add(option, *spec);
    } else if (const auto* truth = value.as_boolean()) {
      if (truth->get()) words_.push_back(option);
    } else if (const auto text = TextOf(value)) {
      const bool is_file = key == "pools" && IsPoolFile(*text);
      Add(option, is_file ? (folder_ / *text).string() : *text);
    } else {
      Report(value,
             "'" + key + "' must be a text, a whole number, true, false, or a list of these");
    }
  }

  // "dtcm:size=64K,internal=true"
  std::optional<std::string> PoolSpec(const toml::table& table) {
    const auto name = table["name"].value<std::string>();
    if (!name) {
      Report(table, "this pool has no name: add name = \"...\"");
      return {};
    }
    std::string spec = *name;
    char separator = ':';
    for (const auto& [key, value] : table) {
      if (key.str() == "name") continue;
      const auto text = TextOf(value);
      if (!text) {
        Report(value, "'" + std::string(key.str()) +
                          "' must be a text, a whole number, true or "
                          "false");
        continue;
      }
      spec += separator + std::string(key.str()) + "=" + *text;
      separator = ',';
    }
    return spec;
  }

  void AddModels(const toml::node& node) {
    const toml::array* models = node.as_array();
    if (models == nullptr || models->empty() || !models->is_array_of_tables()) {
      return Report(node, "models are a list of tables: write [[model]]");
    }
    for (const toml::node& model : *models) AddModel(*model.as_table(), models->size() > 1);
  }

  // `is_named`: there are other models, so that options say which one they are for.
  void AddModel(const toml::table& model, bool is_named) {
    const auto file = model["file"].value<std::string>();
    if (!file) return Report(model, "this model has no file: add file = \"....tflite\"");
    const fs::path path = folder_ / *file;
    const std::string name = model["name"].value_or(path.stem().string());
    words_.push_back(path.string());
    Add("--name", name);
    for (const auto& [key, value] : model) {
      const std::string_view setting = key.str();
      if (setting == "file" || setting == "name") continue;
      if (setting == "io") {
        AddPrefixed("--io", is_named ? name + "=" : "", value);
      } else if (setting == "io-tensor" || setting == "constant" || setting == "shape" ||
                 setting == "offload") {
        AddPrefixed("--" + std::string(setting), is_named ? name + "." : "", value);
      } else {
        Report(value, "'" + std::string(setting) +
                          "' is no setting of a model; those are file, name, io, io-tensor, "
                          "constant, shape, offload; "
                          "what is for all models stands above the first [[model]]");
      }
    }
  }

  void AddPrefixed(const std::string& option, const std::string& prefix, const toml::node& value) {
    if (const auto* list = value.as_array()) {
      for (const toml::node& item : *list) AddPrefixed(option, prefix, item);
    } else if (const auto text = TextOf(value)) {
      Add(option, prefix + *text);
    } else {
      Report(value, "this must be a text or a list of texts");
    }
  }

  std::string path_;
  fs::path folder_;
  std::vector<std::string>& words_;
  std::vector<Diagnostic> problems_{};
};

}  // namespace

Result<std::vector<std::string>> ReadConfig(const std::string& path) {
  auto text = ReadFile(path);
  if (!text) return Fail(text.error());
  const toml::parse_result parsed = toml::parse(*text, path);
  if (!parsed) {
    return Fail(ErrorCode::kInvalidInput,
                path + ":" + std::to_string(parsed.error().source().begin.line),
                "this is not TOML: " + std::string(parsed.error().description()));
  }
  std::vector<std::string> words;
  std::vector<Diagnostic> problems = Converter(path, words).Convert(parsed.table());
  if (!problems.empty()) return Fail(Error{ErrorCode::kInvalidInput, std::move(problems)});
  return words;
}

}  // namespace usmp::tools
