// What known models need, inputs and outputs included: the figures that we promise. Skipped where
// USMP_MODELS_DIR is not set.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "e2e/compare.h"
#include "support/files.h"
#include "usmp/compile.h"

namespace usmp::testing {
namespace {

struct Promise {
  std::string model{};
  Bytes total_ram_bytes = 0;
  IoPlacement input = IoPlacement::kWorkspace;
  bool quantized_io = false;
};

class Ram : public ::testing::TestWithParam<Promise> {};

TEST_P(Ram, IsNoMoreThanPromised) {
  const char* folder = std::getenv("USMP_MODELS_DIR");
  if (folder == nullptr) GTEST_SKIP() << "USMP_MODELS_DIR is not set";
  const auto model = ReadFile(std::filesystem::path(folder) / (GetParam().model + ".tflite"));
  ASSERT_FALSE(model.empty());
  const auto compiled = Compile(model, {.model_name = "m",
                                        .io = IoPlacement::kWorkspace,
                                        .io_tensors = {{"input:0", GetParam().input}},
                                        .quantized_io = GetParam().quantized_io});
  ASSERT_TRUE(compiled) << ErrorText(compiled.error());
  EXPECT_LE(compiled->report.total_ram_bytes, GetParam().total_ram_bytes);
}

INSTANTIATE_TEST_SUITE_P(
    Models, Ram,
    ::testing::Values(Promise{"mlcommons-tiny__ad01_int8", 768},
                      Promise{"mlcommons-tiny__kws_ref_model", 5000},
                      Promise{"mlcommons-tiny__pretrainedResnet_quant", 15100},
                      Promise{"tiny_vww_96_int8", 28000},
                      Promise{"mlcommons-tiny__str_ww_ref_model", 3800},
                      Promise{"mltk__keyword_spotting_mobilenetv2", 7700},
                      Promise{"mlcommons-tiny__kws_ref_model", 4700, IoPlacement::kRows},
                      Promise{"mlcommons-tiny__pretrainedResnet_quant", 12400, IoPlacement::kRows},
                      Promise{"tiny_vww_96_int8", 14200, IoPlacement::kRows},
                      Promise{"mltk__keyword_spotting_mobilenetv2", 6500, IoPlacement::kRows},
                      Promise{"tinyengine__vww", 22000, IoPlacement::kWorkspace, true},
                      Promise{"tinyengine__vww", 15500, IoPlacement::kRows, true}),
    [](const auto& row) {
      std::string name = row.param.model;
      for (char& c : name) c = c == '-' ? '_' : c;
      return name + (row.param.input == IoPlacement::kRows ? "_input_by_rows" : "");
    });

}  // namespace
}  // namespace usmp::testing
