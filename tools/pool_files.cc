#include "pool_files.h"

#define TOML_EXCEPTIONS 0
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <utility>

#include "io.h"
#include "pool_options.h"

namespace usmp::tools {
namespace {

std::string At(const std::string& where, const toml::source_region& source) {
  return fmt::format("{}:{}:{}", where, source.begin.line, source.begin.column);
}

// A value as the command line writes it; empty: it is of a type that no key has.
std::string TextOf(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return fmt::format("{}", integer->get());
  if (const auto* real = node.as_floating_point()) return fmt::format("{}", real->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  const auto* list = node.as_array();
  std::string text;
  if (list == nullptr) return text;
  for (const toml::node& item : *list) {
    if (!item.is_string()) return {};
    text += (text.empty() ? "" : "|") + item.as_string()->get();
  }
  return text;
}

class Reader {
 public:
  explicit Reader(const std::string& where) : where_(where) {}

  void Read(const toml::table& file) {
    for (const auto& [key, node] : file) {
      if (key == "workspace-pool") {
        ReadPools(node, PoolKind::kWorkspace);
      } else if (key == "summary" && node.is_string()) {
        file_.summary = node.as_string()->get();
      } else if (key != "constant-pool") {
        Complain(node, "'" + std::string(key.str()) +
                           "' is not understood; a file of pools has a summary, "
                           "[[workspace-pool]] and [[constant-pool]]");
      }
    }
    // After the others, wherever it stands in the file.
    if (const toml::node* constants = file.get("constant-pool")) {
      ReadPools(*constants, PoolKind::kConstant);
    }
  }

  Result<PoolFile> Finish() && {
    if (!problems_.empty()) return Fail(Error{ErrorCode::kInvalidInput, std::move(problems_)});
    return std::move(file_);
  }

 private:
  void Complain(const toml::node& node, std::string message) {
    problems_.push_back({At(where_, node.source()), std::move(message)});
  }

  void ReadPools(const toml::node& node, PoolKind kind) {
    const toml::array* rows = node.as_array();
    if (rows == nullptr) return Complain(node, "write it as an array of tables, [[...]]");
    for (const toml::node& row : *rows) {
      if (const toml::table* table = row.as_table()) {
        ReadPool(*table, kind);
      } else {
        Complain(row, "a pool is a table");
      }
    }
  }

  void ReadPool(const toml::table& table, PoolKind kind) {
    PoolInfo pool{.kind = kind, .is_internal = false};
    for (const auto& [key, node] : table) {
      const std::string value = TextOf(node);
      if (key == "name") {
        pool.pool_name = value;
      } else if (value.empty() || !SetPoolKey(pool, std::string(key.str()), value)) {
        Complain(node, "'" + std::string(key.str()) +
                           "' is not understood with this value; the keys are name, " + kPoolKeys);
      }
    }
    if (pool.pool_name.empty()) Complain(table, "the pool has no name");
    file_.pools.push_back(std::move(pool));
  }

  const std::string& where_;
  PoolFile file_{};
  std::vector<Diagnostic> problems_{};
};

}  // namespace

bool IsPoolFile(const std::string& file_or_board) {
  return file_or_board.find('/') != std::string::npos || file_or_board.ends_with(".toml");
}

std::string_view NameOf(const BoardFile& board) {
  return board.path.substr(0, board.path.rfind('.'));
}

Result<BoardFile> FindBoard(const std::string& name) {
  std::string names;
  for (const BoardFile& board : BoardFiles()) {
    if (NameOf(board) == name) return board;
    names += (names.empty() ? "" : ", ") + std::string(NameOf(board));
  }
  return Fail(ErrorCode::kInvalidInput, "board '" + name + "'",
              "there is none of that name; there are " + names +
                  "; or give a file, whose name ends in .toml");
}

Result<PoolFile> ParsePoolFile(std::string_view text, const std::string& where) {
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    return Fail(ErrorCode::kInvalidInput, At(where, parsed.error().source()),
                std::string(parsed.error().description()));
  }
  Reader reader(where);
  reader.Read(parsed.table());
  return std::move(reader).Finish();
}

Result<PoolFile> LoadPools(const std::string& file_or_board) {
  if (IsPoolFile(file_or_board)) {
    auto text = ReadFile(file_or_board);
    if (!text) return Fail(text.error());
    return ParsePoolFile(*text, file_or_board);
  }
  auto board = FindBoard(file_or_board);
  if (!board) return Fail(board.error());
  return ParsePoolFile(board->content, std::string(board->path));
}

}  // namespace usmp::tools
