#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "usmp/report.h"

namespace usmp {
namespace {

// Drawn by hand: 8 bytes are 8 rows, 3 steps of 12 places.
TEST(MemoryMap, DrawsStepsAcrossAndAddressesUp) {
  Report report{
      .pools = {{.name = "ram", .bytes = 8}},
      .buffers = {{.name = "in", .bytes = 4, .lifetimes = {{0, 2}}},
                  {.name = "out", .bytes = 4, .allocation = {PoolId(0), 4}, .lifetimes = {{1, 3}}}},
      .workspace_bytes = 8,
      .lower_bound_bytes = 8,
      .proof = Proof::kMeetsLowerBound,
      .witness = "live at step 1: in, out"};
  for (int32_t step = 0; step < 3; ++step) {
    report.calls.push_back({.step = step, .label = "op " + std::to_string(step)});
  }
  EXPECT_EQ(MemoryMap(report, 100), R"(pool 'ram': 8 B, 2 buffers
 8 ┐
   │············│bbbbbbbbbbbbbbbbbbbbbbb
   │············│bbbbbbbbb out bbbbbbbbb
   │············│bbbbbbbbbbbbbbbbbbbbbbb
 4 ┤············│bbbbbbbbbbbbbbbbbbbbbbb
   │aaaaaaaaaaaaaaaaaaaaaaaa│···········
   │aaaaaaaaaa in aaaaaaaaaa│···········
   │aaaaaaaaaaaaaaaaaaaaaaaa│···········
 0 ┤aaaaaaaaaaaaaaaaaaaaaaaa│···········
   └┴───────────┴───────────┴───────────
    0           1           2  step
                ▲ peak
at the peak, step 1 (op 1): 8 B alive
  a  4 B  50%  in
  b  4 B  50%  out
    buffer                       bytes offset  kind       steps
  a in                               4      0  tensor     0-1
  b out                              4      4  tensor     1-2

peak 8 B = lower bound: no smaller plan exists for this schedule (live at step 1: in, out)
)");
}

size_t Width(const std::string& line) {
  return static_cast<size_t>(std::ranges::count_if(
      line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// However many steps there are, the picture stays within the terminal and shows the peak.
TEST(MemoryMap, FitsTheTerminal) {
  for (int columns : {80, 100, 120}) {
    for (int32_t steps : {1, 7, 60, 500}) {
      Report report{.pools = {{.name = "ram", .bytes = 1 << 20}}, .workspace_bytes = 1 << 20};
      for (int32_t i = 0; i < steps; ++i) {
        const Bytes bytes = i == steps / 3 ? 1 << 20 : 1000;
        report.buffers.push_back({.name = "block" + std::to_string(i) + "/conv2d/BiasAdd;relu",
                                  .bytes = bytes,
                                  .lifetimes = {{i, i + 1}}});
      }
      const std::string map = MemoryMap(report, columns);
      std::istringstream lines(map);
      for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(Width(line), static_cast<size_t>(columns)) << line;
      }
      EXPECT_NE(map.find("▲ peak"), std::string::npos);
      EXPECT_NE(map.find("at the peak, step " + std::to_string(steps / 3) + ": 1048576 B"),
                std::string::npos)
          << map;
    }
  }
}

TEST(MemoryMap, SaysWhatIsNotProved) {
  const Report report{.pools = {{.name = "ram", .bytes = 110},
                                {.name = "rom", .kind = PoolKind::kConstant, .bytes = 7}},
                      .workspace_bytes = 110,
                      .lower_bound_bytes = 100};
  EXPECT_EQ(MemoryMap(report, 100),
            "pool 'ram': 110 B, 0 buffers\n\npool 'rom': 7 B of constants\n"
            "peak 110 B, at most 10.0% above the least: lower bound 100 B\n");
}

// Names of tensors are any bytes; control characters must not reach the terminal.
TEST(MemoryMap, DefusesControlCharacters) {
  const Report report{.pools = {{.name = "ram", .bytes = 4}},
                      .buffers = {{.name = "a\x1B[31m\n", .bytes = 4, .lifetimes = {{0, 1}}}},
                      .workspace_bytes = 4};
  const std::string map = MemoryMap(report, 100);
  EXPECT_EQ(map.find('\x1B'), std::string::npos);
  EXPECT_NE(map.find("a?[31m?"), std::string::npos) << map;
}

}  // namespace
}  // namespace usmp
