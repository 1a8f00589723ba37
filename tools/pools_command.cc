#include <cstdio>
#include <string>

#include "commands.h"
#include "io.h"
#include "pool_files.h"

namespace usmp::tools {
namespace {

int ListBoards() {
  for (const BoardFile& board : BoardFiles()) {
    const auto file = ParsePoolFile(board.content, std::string(board.path));
    if (!file) return PrintError(file.error());
    std::printf("%-12s %s\n", std::string(NameOf(board)).c_str(), file->summary.c_str());
  }
  return 0;
}

}  // namespace

int RunPools(const PoolsCommand& command) {
  if (command.board.empty()) return ListBoards();
  const auto board = FindBoard(command.board);
  if (!board) return PrintError(board.error());
  std::fwrite(board->content.data(), 1, board->content.size(), stdout);
  return 0;
}

}  // namespace usmp::tools
