#include "emit/emit.h"

#include <gtest/gtest.h>

#include <limits>

#include "emit/runtime_files.h"
#include "emit/stack_usage.h"
#include "emit/text.h"

namespace usmp::emit {
namespace {

TEST(CommentText, CannotLeaveTheComment) {
  EXPECT_EQ(CommentText("block/conv:0;relu"), "block/conv:0;relu");
  EXPECT_EQ(CommentText("a*/b/*c"), "a_/b/_c");
  EXPECT_EQ(CommentText("x\\\ny"), "x__y");
  EXPECT_EQ(CommentText("\?\?/"), "__/");
  EXPECT_EQ(CommentText("\xC3\xA9"), "__");
}

TEST(FloatLiteral, IsExactAndAlwaysAFloat) {
  EXPECT_EQ(FloatLiteral(1.0F), "1.0F");
  EXPECT_EQ(FloatLiteral(-0.5F), "-0.5F");
  EXPECT_EQ(FloatLiteral(1e30F), "1.00000002e+30F");
  EXPECT_EQ(FloatLiteral(0.1F), "0.100000001F");
  EXPECT_EQ(FloatLiteral(-std::numeric_limits<float>::infinity()), "-INFINITY");
  EXPECT_EQ(FloatLiteral(std::numeric_limits<float>::quiet_NaN()), "NAN");
}

TEST(CallStatement, WrapsAtOneHundredColumns) {
  EXPECT_EQ(CallStatement("f", {}), "  f();\n");
  EXPECT_EQ(CallStatement("f", {"a", "b"}), "  f(a, b);\n");
  const std::string half(60, 'x');
  EXPECT_EQ(CallStatement("f", {half, half, "y"}),
            "  f(\n      " + half + ",\n      " + half + ", y);\n");
  const std::string long_name(200, 'z');
  EXPECT_EQ(CallStatement("f", {long_name}), "  f(\n      " + long_name + ");\n");
}

TEST(FilesOfKernels, FollowsIncludes) {
  const std::string_view kernels[] = {"copy"};
  const std::vector<RuntimeFile> files = FilesOfKernels(kernels, {});
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].path, "kernels/copy.h");
  EXPECT_EQ(files[1].path, "usmp_runtime.h");
}

TEST(RuntimeFiles, EachKernelIsCompleteAndItsStackIsKnown) {
  for (const RuntimeFile& file : RuntimeFiles()) {
    if (!file.path.starts_with("kernels/") || !file.path.ends_with(".h")) continue;
    std::string_view kernel = file.path.substr(8, file.path.size() - 10);
    EXPECT_GE(FilesOfKernels({&kernel, 1}, {}).size(), 2U) << file.path;
    EXPECT_GT(MaxStackBytes({&kernel, 1}, false), 0) << file.path;
  }
}

}  // namespace
}  // namespace usmp::emit
