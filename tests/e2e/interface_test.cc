// The generated header's contract, from the caller's side: interface_check.c.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "e2e/compare.h"
#include "e2e/net.h"
#include "e2e/to_tflite.h"

namespace usmp::testing {
namespace {

oracle::Model DoubleAndRectify(const std::string& input, const std::string& output) {
  Net net(oracle::Type::kFloat32);
  const int32_t x = net.Input({2, 3}, input);
  const int32_t y = net.Unary("RELU", net.Add(x, x));
  net.Rename(y, output);
  return net.Finish({y});
}

// The application of this folder builds with the generated code, runs and is content.
void ExpectContent(const std::string& application, const oracle::Model& model,
                   const CompileOptions& options, const std::string& defines) {
  const auto compiled = Compile(ToTflite(model), options);
  ASSERT_TRUE(compiled) << ErrorText(compiled.error());
  TemporaryFolder folder;
  WriteFiles(folder.path(), compiled->files);
  const CommandResult result =
      RunCommand(fmt::format("cd {} && cc {} {} {} -I. {}/{} tvmgen_{}.c -lm -o check && ./check",
                             Quoted(folder.path().string()), kStrictFlags, kSanitizedFlags, defines,
                             Quoted(USMP_HARNESS_DIR), application, options.model_name));
  EXPECT_EQ(result.exit_code, 0) << result.output;
}

void ExpectContract(const CompileOptions& options, const std::string& define) {
  ExpectContent("interface_check.c", DoubleAndRectify("x", "y"), options, define);
}

TEST(Interface, ServesFirmwareOfTheOriginal) {
  for (const IoPlacement io : {IoPlacement::kCaller, IoPlacement::kWorkspace}) {
    for (const bool is_external : {false, true}) {
      SCOPED_TRACE(
          fmt::format("workspace {}, external {}", io == IoPlacement::kWorkspace, is_external));
      CompileOptions options{.model_name = "kws", .io = io};
      if (is_external) options.pools = {{.pool_name = "sram", .is_internal = false}};
      ExpectContent("original_interface.c", DoubleAndRectify("input_1", "Identity"), options,
                    fmt::format("{} {}", io == IoPlacement::kWorkspace ? "-DWORKSPACE_IO" : "",
                                is_external ? "-DEXTERNAL_POOL" : ""));
    }
  }
}

TEST(Interface, InternalWorkspace) { ExpectContract({.model_name = "m"}, ""); }

TEST(Interface, CallersPool) {
  ExpectContract({.model_name = "m",
                  .pools = {{.pool_name = "sram", .is_internal = false},
                            {.pool_name = "flash", .kind = PoolKind::kConstant}}},
                 "-DEXTERNAL_POOL");
}

CompileOptions WithPool(CompileOptions options, bool is_external) {
  options.model_name = "m";
  if (is_external) options.pools = {{.pool_name = "sram", .is_internal = false}};
  return options;
}

#if __has_include(<dlpack/dlpack.h>)
TEST(Interface, PackedTakesTensorsOfDlpack) {
  for (const bool is_external : {false, true}) {
    ExpectContent("packed_check.c", DoubleAndRectify("x", "y"),
                  WithPool({.interface = InterfaceApi::kPacked, .dl_tensors = DlTensors::kStatic},
                           is_external),
                  is_external ? "-DEXTERNAL_POOL" : "");
  }
}
#else
TEST(Interface, PackedTakesTensorsOfDlpack) { GTEST_SKIP() << "libdlpack-dev is not installed"; }
#endif

TEST(Interface, Module) {
  for (const IoPlacement io : {IoPlacement::kCaller, IoPlacement::kWorkspace}) {
    for (const bool is_external : {false, true}) {
      ExpectContent("module_check.c", DoubleAndRectify("x:0", "y:0"),
                    WithPool({.io = io, .interface = InterfaceApi::kModule}, is_external),
                    fmt::format("{} {}", io == IoPlacement::kWorkspace ? "-DWORKSPACE_IO" : "",
                                is_external ? "-DEXTERNAL_POOL" : ""));
    }
  }
}

TEST(Interface, DescriptorsInTheWorkspace) {
  for (const DlTensors where : {DlTensors::kWorkspace, DlTensors::kContiguous}) {
    ExpectContent("descriptors_check.c", DoubleAndRectify("x", "y"),
                  WithPool({.io_tensors = {{"x", IoPlacement::kWorkspace}},
                            .dl_tensors = where,
                            .debug = DebugMode::kPoison},
                           true),
                  where == DlTensors::kContiguous ? "-DCONTIGUOUS" : "");
  }
}

// The CMakeLists.txt that comes with the sources is enough to build and link them.
TEST(Interface, GeneratedCMakeLists) {
  const auto model = Compile(ToTflite(DoubleAndRectify("x", "y")), {.model_name = "m"});
  ASSERT_TRUE(model) << ErrorText(model.error());
  TemporaryFolder folder;
  WriteFiles(folder.path() / "model", model->files);
  WriteFile(folder.path() / "CMakeLists.txt",
            fmt::format("cmake_minimum_required(VERSION 3.13)\nproject(firmware C)\n"
                        "add_subdirectory(model)\nadd_executable(check {}/interface_check.c)\n"
                        "target_compile_features(check PRIVATE c_std_11)\n"
                        "target_link_libraries(check PRIVATE tvmgen_m)\n",
                        USMP_HARNESS_DIR));
  const CommandResult result = RunCommand(
      fmt::format("cd {} && cmake -G Ninja -S . -B build && cmake --build build && build/check",
                  Quoted(folder.path().string())));
  EXPECT_EQ(result.exit_code, 0) << result.output;
}

}  // namespace
}  // namespace usmp::testing
