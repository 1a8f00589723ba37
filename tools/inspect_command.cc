#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "commands.h"
#include "inspection_text.h"
#include "io.h"
#include "model_options.h"
#include "usmp/compile.h"

namespace usmp::tools {
namespace {

Result<std::string> InspectFile(const InspectCommand& command) {
  CompileOptions compile;
  auto shapes = ParseShapes(command.shapes);
  if (!shapes) return Fail(shapes.error());
  compile.shapes = std::move(*shapes);
  auto bytes = ReadFile(command.model_path);
  if (!bytes) return Fail(bytes.error());
  auto inspection =
      Inspect({reinterpret_cast<const uint8_t*>(bytes->data()), bytes->size()}, compile);
  if (!inspection) return Fail(inspection.error());
  return command.json ? InspectionToJson(*inspection)
                      : InspectionToText(*inspection, command.model_path);
}

}  // namespace

int RunInspect(const InspectCommand& command) {
  auto text = InspectFile(command);
  if (!text) return PrintError(text.error());
  std::fwrite(text->data(), 1, text->size(), stdout);
  return 0;
}

}  // namespace usmp::tools
