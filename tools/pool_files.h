// Pools from a file, or of a board that comes with usmp: pools/*.toml, embedded at build time.
#ifndef USMP_TOOLS_POOL_FILES_H_
#define USMP_TOOLS_POOL_FILES_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "usmp/buffers.h"
#include "usmp/result.h"

namespace usmp::tools {

struct BoardFile {
  std::string_view path{};  // "stm32h743.toml"
  std::string_view content{};
};
std::span<const BoardFile> BoardFiles();  // ascending by path

std::string_view NameOf(const BoardFile& board);  // "stm32h743"
Result<BoardFile> FindBoard(const std::string& name);

struct PoolFile {
  std::string summary{};
  std::vector<PoolInfo> pools{};  // in order of preference: workspace pools, then constant pools
};

// [[workspace-pool]] and [[constant-pool]], each with a name and the keys of the command line's
// pools. Every fault is listed; `where` is the file's name for messages.
Result<PoolFile> ParsePoolFile(std::string_view text, const std::string& where);

// "boards/mine.toml" is a file, "stm32h743" a board.
bool IsPoolFile(const std::string& file_or_board);
Result<PoolFile> LoadPools(const std::string& file_or_board);

}  // namespace usmp::tools

#endif  // USMP_TOOLS_POOL_FILES_H_
