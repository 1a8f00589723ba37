#include "pool_options.h"

#include <optional>
#include <string_view>

#include "numbers.h"

namespace usmp::tools {
namespace {

template <class T>
bool Set(std::optional<T>& figure, const std::optional<T>& value) {
  figure = value;
  return value.has_value();
}

std::optional<double> PositiveNumber(const std::string& text) {
  const std::optional<double> value = ParseNumber(text);
  return value && *value > 0 ? value : std::nullopt;
}

std::optional<int64_t> NaturalNumber(const std::string& text) {
  const std::optional<int64_t> value = ParseInteger(text);
  return value && *value >= 0 ? value : std::nullopt;
}

bool SetFlag(bool& flag, const std::string& value) {
  flag = value == "true";
  return value == "true" || value == "false";
}

bool SetPerformance(PoolPerformance& figures, const std::string& key, const std::string& value) {
  if (key == "clock") return Set(figures.clock_frequency_hz, NaturalNumber(value));
  if (key == "read_bw") return Set(figures.read_bandwidth_bytes_per_cycle, PositiveNumber(value));
  if (key == "write_bw") return Set(figures.write_bandwidth_bytes_per_cycle, PositiveNumber(value));
  if (key == "read_latency") return Set(figures.read_latency_cycles, NaturalNumber(value));
  if (key == "write_latency") return Set(figures.write_latency_cycles, NaturalNumber(value));
  return key == "burst" && Set(figures.burst_bytes, ParseBytes(value));
}

}  // namespace

const char* const kPoolKeys =
    "size=BYTES (64K, 1M), align=BYTES, section=NAME, internal=true|false, ram=true|false, "
    "targets=NAME|NAME, clock=HERTZ, read_bw and write_bw=BYTES_PER_CYCLE, read_latency and "
    "write_latency=CYCLES, burst=BYTES";

bool SetPoolKey(PoolInfo& pool, const std::string& key, const std::string& value) {
  if (key == "size") return Set(pool.size_hint_bytes, ParseBytes(value));
  if (key == "section") return pool.section = value, !value.empty();
  if (key == "internal") return SetFlag(pool.is_internal, value);
  if (key == "ram") return SetFlag(pool.in_ram, value);
  if (key == "targets") return pool.targets = Split(value, '|'), !value.empty();
  if (key != "align") return SetPerformance(pool.performance, key, value);
  const std::optional<Bytes> alignment = ParseBytes(value);
  pool.alignment = alignment.value_or(0);
  return alignment.has_value();
}

Result<PoolInfo> ParsePool(const std::string& spec, PoolKind kind) {
  const size_t colon = spec.find(':');
  PoolInfo pool{.pool_name = spec.substr(0, colon), .kind = kind, .is_internal = false};
  if (colon == std::string::npos) return pool;
  for (const std::string& item : Split(std::string_view(spec).substr(colon + 1), ',')) {
    const size_t equals = item.find('=');
    const std::string value = equals == std::string::npos ? "" : item.substr(equals + 1);
    if (!SetPoolKey(pool, item.substr(0, equals), value)) {
      return Fail(ErrorCode::kInvalidInput, "pool '" + spec + "'",
                  "'" + item + "' is not understood; the keys are " + kPoolKeys);
    }
  }
  return pool;
}

Result<ConstantPlacement> ParseConstant(const std::string& spec) {
  const size_t equals = spec.rfind('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == spec.size()) {
    return Fail(ErrorCode::kInvalidInput, "--constant " + spec, "write PATTERN=POOL[,POOL]");
  }
  return ConstantPlacement{spec.substr(0, equals),
                           Split(std::string_view(spec).substr(equals + 1), ',')};
}

}  // namespace usmp::tools
