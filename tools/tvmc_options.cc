#include "tvmc_options.h"

#include <algorithm>

#include "numbers.h"
#include "pool_options.h"

namespace usmp::tools {
namespace {

// The key of the same meaning, for kTvmcProperties.
constexpr const char* kKeys[] = {"targets",  "size",         "clock",         "read_bw",
                                 "write_bw", "read_latency", "write_latency", "burst"};

std::string OptionName(PoolKind kind) {
  return kind == PoolKind::kWorkspace ? "--workspace-pools" : "--constant-pools";
}

class Reader {
 public:
  explicit Reader(PoolKind kind) : kind_(kind) {}

  void ReadNames(const std::string& names) {
    for (const std::string& name : Split(names, ',')) {
      pools_.push_back({.pool_name = name, .kind = kind_, .is_internal = false});
    }
  }

  void ReadProperty(size_t property, const std::string& list) {
    for (const std::string& item : Split(list, ',')) {
      const std::vector<std::string> parts = Split(item, ':');
      const bool is_burst = property + 1 == kTvmcProperties.size();
      const auto pool = std::ranges::find(pools_, parts[0], &PoolInfo::pool_name);
      if (parts.size() != (is_burst ? 3U : 2U)) {
        Complain(property, item, is_burst ? "write POOL:TARGET:BYTES" : "write POOL:VALUE");
      } else if (pool == pools_.end()) {
        Complain(property, item, OptionName(kind_) + " has no pool '" + parts[0] + "'");
      } else if (!SetProperty(*pool, property, parts.back())) {
        Complain(property, item, "'" + parts.back() + "' is no value for it");
      }
    }
  }

  Result<std::vector<PoolInfo>> Finish() && {
    if (!problems_.empty()) return Fail(Error{ErrorCode::kInvalidInput, std::move(problems_)});
    return std::move(pools_);
  }

 private:
  // TVM's -1 is "unrestricted", or "not known": as if nothing had been said.
  static bool SetProperty(PoolInfo& pool, size_t property, const std::string& value) {
    if (value == "-1") return true;
    if (property != 0) return SetPoolKey(pool, kKeys[property], value);
    pool.targets.push_back(value);  // one a time, repeated for several
    return !value.empty();
  }

  void Complain(size_t property, const std::string& item, std::string message) {
    problems_.push_back({OptionName(kind_) + "-" + kTvmcProperties[property] + " '" + item + "'",
                         std::move(message)});
  }

  PoolKind kind_;
  std::vector<PoolInfo> pools_{};
  std::vector<Diagnostic> problems_{};
};

}  // namespace

Result<std::vector<PoolInfo>> PoolsOf(const TvmcPools& options, PoolKind kind) {
  Reader reader(kind);
  if (!options.names.empty()) reader.ReadNames(options.names);
  for (size_t i = 0; i < kTvmcProperties.size(); ++i) {
    if (!options.properties[i].empty()) reader.ReadProperty(i, options.properties[i]);
  }
  return std::move(reader).Finish();
}

}  // namespace usmp::tools
