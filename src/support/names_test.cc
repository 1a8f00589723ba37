#include "support/names.h"

#include <gtest/gtest.h>

#include "support/align.h"
#include "support/interval.h"

namespace usmp {
namespace {

TEST(SanitizeName, MakesValidIdentifiers) {
  struct Case {
    const char* text;
    const char* name;
  };
  const Case cases[] = {
      {"input_1", "input_1"},
      {"serving_default_x:0", "serving_default_x_0"},
      {"block/conv;relu", "block_conv_relu"},
      {"two words", "two_words"},
      {"1st", "_1st"},
      {"", "_"},
      {"int", "_int"},
      {"class", "_class"},
      {"NULL", "_NULL"},
      {"INT8_MAX", "_INT8_MAX"},
      {"M_PI", "_M_PI"},
      {"Case", "Case"},
      {"\xC3\xA9t\xC3\xA9", "__t__"},
  };
  for (const Case& c : cases) EXPECT_EQ(SanitizeName(c.text), c.name) << c.text;
}

TEST(Names, ClashesGetSuffixesInOrder) {
  Names names;
  names.Reserve("WORKSPACE");
  EXPECT_EQ(names.Claim("workspace"), "workspace_1");
  EXPECT_EQ(names.Claim("x"), "x");
  EXPECT_EQ(names.Claim("x"), "x_1");
  EXPECT_EQ(names.Claim("x_1"), "x_1_1");
  EXPECT_EQ(names.Claim("X"), "X_2");
}

TEST(Overlaps, HalfOpenIntervals) {
  EXPECT_TRUE(Overlaps({0, 2}, {0, 2}));  // identical lifetimes do overlap
  EXPECT_TRUE(Overlaps({0, 2}, {1, 3}));
  EXPECT_FALSE(Overlaps({0, 2}, {2, 3}));
  EXPECT_FALSE(Overlaps({2, 3}, {0, 2}));
  EXPECT_TRUE(Overlaps({0, 9}, {4, 5}));
}

TEST(AlignUp, RoundsToTheNextMultiple) {
  EXPECT_EQ(AlignUp(0, 16), 0);
  EXPECT_EQ(AlignUp(1, 16), 16);
  EXPECT_EQ(AlignUp(16, 16), 16);
  EXPECT_EQ(AlignUp(-1, 16), 0);
  EXPECT_EQ(AlignUp(7, 1), 7);
}

}  // namespace
}  // namespace usmp
