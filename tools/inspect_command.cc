#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "inspection_text.h"
#include "io.h"
#include "model_options.h"
#include "usmp/compile.h"

namespace usmp::tools {
namespace {

struct InspectOptions {
  std::string model_path{};
  std::vector<std::string> shapes{};
  bool json = false;
};

Result<std::string> InspectFile(const InspectOptions& options) {
  CompileOptions compile;
  auto shapes = ParseShapes(options.shapes);
  if (!shapes) return Fail(shapes.error());
  compile.shapes = std::move(*shapes);
  auto bytes = ReadFile(options.model_path);
  if (!bytes) return Fail(bytes.error());
  auto inspection =
      Inspect({reinterpret_cast<const uint8_t*>(bytes->data()), bytes->size()}, compile);
  if (!inspection) return Fail(inspection.error());
  return options.json ? InspectionToJson(*inspection)
                      : InspectionToText(*inspection, options.model_path);
}

}  // namespace

void AddInspectCommand(CLI::App& app) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* sub = app.add_subcommand("inspect",
                                     "Show what a model contains: inputs, outputs, operators, "
                                     "which of them cannot be compiled and "
                                     "why, and how much memory its tensors need.");
  sub->add_option("MODEL", options->model_path, "a .tflite file")->required();
  sub->add_option("--shape", options->shapes,
                  "NAME=1,96,96,3: the shape of an input with unknown dimensions; repeatable")
      ->allow_extra_args(false);
  sub->add_flag("--json", options->json, "as JSON, with every tensor");
  sub->callback([options] {
    auto text = InspectFile(*options);
    if (!text) throw CLI::RuntimeError(PrintError(text.error()));
    std::fwrite(text->data(), 1, text->size(), stdout);
  });
}

}  // namespace usmp::tools
