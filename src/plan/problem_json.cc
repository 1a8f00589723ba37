#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "plan/describe.h"
#include "plan/json.h"
#include "usmp/plan_io.h"

namespace usmp {
namespace {

using plan::Element;
using plan::Index;
using plan::Json;
using plan::JsonReader;
using plan::Lines;

constexpr PoolKind kPoolKinds[] = {PoolKind::kWorkspace, PoolKind::kConstant};
constexpr BufferKind kBufferKinds[] = {
    BufferKind::kIntermediate, BufferKind::kScratch, BufferKind::kInput,     BufferKind::kOutput,
    BufferKind::kConstant,     BufferKind::kState,   BufferKind::kDescriptor};

class ProblemReader {
 public:
  explicit ProblemReader(std::string_view source) : source_(source), reader_(source) {}

  Result<PlanProblem> Read(std::string_view text) {
    const std::optional<Json> document = reader_.Parse(text);
    if (!document) return reader_.TakeError();
    if (!reader_.IsObject(*document, "", {"format", "pools", "buffers", "conflicts", "overlaps"})) {
      return reader_.TakeError();
    }
    reader_.CheckFormat(*document);
    ReadPools(*document);
    ReadBuffers(*document);
    ReadConflicts(*document);
    ReadOverlaps(*document);
    if (!reader_.ok()) return reader_.TakeError();
    AlignPools();
    return plan::CheckedProblem(std::move(problem_), source_);
  }

 private:
  void ReadPools(const Json& document) {
    const Json* pools = reader_.List(document, "", "pools");
    if (pools == nullptr) {
      reader_.Report("", "has no 'pools': at least [{\"name\": \"ram\"}]");
      return;
    }
    for (size_t i = 0; i < pools->size(); ++i) ReadPool((*pools)[i], Element("pools", i));
  }

  void ReadPool(const Json& value, const std::string& path) {
    if (!reader_.IsObject(value, path, {"name", "size", "alignment", "kind", "performance"}))
      return;
    PoolInfo pool = {.pool_name = reader_.RequiredText(value, path, "name"),
                     .kind = reader_.Word(value, path, "kind", kPoolKinds),
                     .size_hint_bytes = reader_.OptionalNumber<Bytes>(value, path, "size")};
    const auto alignment = reader_.OptionalNumber<Bytes>(value, path, "alignment");
    pool.alignment = alignment.value_or(pool.alignment);
    has_alignment_.push_back(alignment.has_value());
    if (const Json* performance = JsonReader::Find(value, "performance")) {
      ReadPerformance(*performance, JsonReader::Join(path, "performance"), pool.performance);
    }
    pool_ids_.emplace(pool.pool_name, static_cast<PoolId>(problem_.pools.size()));
    problem_.pools.push_back(std::move(pool));
  }

  void ReadPerformance(const Json& value, const std::string& path, PoolPerformance& out) {
    if (!reader_.IsObject(value, path,
                          {"clock_frequency_hz", "read_bandwidth_bytes_per_cycle",
                           "write_bandwidth_bytes_per_cycle", "read_latency_cycles",
                           "write_latency_cycles", "burst_bytes"})) {
      return;
    }
    auto whole = [&](const char* key) { return reader_.OptionalNumber<int64_t>(value, path, key); };
    auto real = [&](const char* key) { return reader_.OptionalReal(value, path, key); };
    out = {.clock_frequency_hz = whole("clock_frequency_hz"),
           .read_bandwidth_bytes_per_cycle = real("read_bandwidth_bytes_per_cycle"),
           .write_bandwidth_bytes_per_cycle = real("write_bandwidth_bytes_per_cycle"),
           .read_latency_cycles = whole("read_latency_cycles"),
           .write_latency_cycles = whole("write_latency_cycles"),
           .burst_bytes = whole("burst_bytes")};
  }

  void ReadBuffers(const Json& document) {
    const Json* buffers = reader_.List(document, "", "buffers");
    if (buffers == nullptr) {
      reader_.Report("", "has no 'buffers': the list of what is to be placed");
      return;
    }
    for (size_t i = 0; i < buffers->size(); ++i) ReadBuffer((*buffers)[i], Element("buffers", i));
  }

  void ReadBuffer(const Json& value, const std::string& path) {
    if (!reader_.IsObject(value, path,
                          {"id", "size", "alignment", "kind", "lifetimes", "pools", "pin",
                           "bytes_read", "bytes_written"})) {
      return;
    }
    BufferInfo buffer = {
        .name_hint = reader_.RequiredText(value, path, "id"),
        .size_bytes = reader_.RequiredBytes(value, path, "size"),
        .alignment = reader_.OptionalNumber<Bytes>(value, path, "alignment").value_or(1),
        .kind = reader_.Word(value, path, "kind", kBufferKinds),
        .bytes_read = reader_.OptionalNumber<Bytes>(value, path, "bytes_read").value_or(0),
        .bytes_written = reader_.OptionalNumber<Bytes>(value, path, "bytes_written").value_or(0)};
    ReadCandidates(value, path, buffer);
    ReadLifetimes(value, path, buffer);
    if (const Json* pin = JsonReader::Find(value, "pin")) {
      ReadPin(*pin, JsonReader::Join(path, "pin"), buffer);
    }
    const auto id = static_cast<BufferId>(problem_.buffers.size());
    if (!buffer.name_hint.empty() && !buffer_ids_.emplace(buffer.name_hint, id).second) {
      reader_.Report(JsonReader::Join(path, "id"),
                     fmt::format("'{}' is the id of another buffer too", buffer.name_hint));
    }
    problem_.buffers.push_back(std::move(buffer));
  }

  // All pools that suit the kind, unless they are named.
  void ReadCandidates(const Json& value, const std::string& path, BufferInfo& buffer) {
    const Json* names = reader_.List(value, path, "pools");
    if (names == nullptr) {
      buffer.pool_candidates = DefaultCandidates(buffer.kind);
      return;
    }
    const std::string list_path = JsonReader::Join(path, "pools");
    for (size_t i = 0; i < names->size(); ++i) {
      if (const auto pool = PoolNamed((*names)[i], Element(list_path, i))) {
        buffer.pool_candidates.push_back(*pool);
      }
    }
  }

  // A constant goes to the constant pools if there are any; everything else, to the workspaces.
  std::vector<PoolId> DefaultCandidates(BufferKind kind) const {
    std::vector<PoolId> constant;
    std::vector<PoolId> workspace;
    for (size_t i = 0; i < problem_.pools.size(); ++i) {
      const bool is_constant = problem_.pools[i].kind == PoolKind::kConstant;
      (is_constant ? constant : workspace).push_back(static_cast<PoolId>(i));
    }
    return kind == BufferKind::kConstant && !constant.empty() ? constant : workspace;
  }

  std::optional<PoolId> PoolNamed(const Json& value, const std::string& path) {
    const std::optional<std::string> name = reader_.Text(value, path);
    if (!name) return std::nullopt;
    const auto found = pool_ids_.find(*name);
    if (found != pool_ids_.end()) return found->second;
    reader_.Report(path, fmt::format("there is no pool '{}'", *name));
    return std::nullopt;
  }

  void ReadLifetimes(const Json& value, const std::string& path, BufferInfo& buffer) {
    const Json* lifetimes = reader_.List(value, path, "lifetimes");
    if (lifetimes == nullptr) return;
    const std::string list_path = JsonReader::Join(path, "lifetimes");
    for (size_t i = 0; i < lifetimes->size(); ++i) {
      const std::string element = Element(list_path, i);
      const Json& pair = (*lifetimes)[i];
      if (!pair.is_array() || pair.size() != 2) {
        reader_.Report(element, "must be [begin, end], the end exclusive");
        continue;
      }
      const auto begin = reader_.Number<int32_t>(pair[0], element);
      const auto end = reader_.Number<int32_t>(pair[1], element);
      if (begin && end) buffer.lifetimes.push_back({*begin, *end});
    }
  }

  void ReadPin(const Json& value, const std::string& path, BufferInfo& buffer) {
    if (!reader_.IsObject(value, path, {"pool", "offset"})) return;
    const Bytes offset = reader_.RequiredBytes(value, path, "offset");
    const Json* name = JsonReader::Find(value, "pool");
    std::optional<PoolId> pool;
    if (name != nullptr) {
      pool = PoolNamed(*name, JsonReader::Join(path, "pool"));
    } else if (buffer.pool_candidates.size() == 1) {
      pool = buffer.pool_candidates.front();
    } else {
      reader_.Report(path, "has no 'pool', and the buffer may go into several");
    }
    if (pool) buffer.pinned = PoolAllocation{*pool, offset};
  }

  std::optional<BufferId> BufferNamed(const Json& value, const std::string& path) {
    const std::optional<std::string> name = reader_.Text(value, path);
    if (!name) return std::nullopt;
    const auto found = buffer_ids_.find(*name);
    if (found != buffer_ids_.end()) return found->second;
    reader_.Report(path, fmt::format("there is no buffer '{}'", *name));
    return std::nullopt;
  }

  void ReadConflicts(const Json& document) {
    const Json* conflicts = reader_.List(document, "", "conflicts");
    // An empty list beside lifetimes says nothing; without lifetimes it says that nothing is in
    // conflict.
    const bool has_lifetimes = std::ranges::any_of(
        problem_.buffers, [](const BufferInfo& buffer) { return !buffer.lifetimes.empty(); });
    if (conflicts == nullptr || (conflicts->empty() && has_lifetimes)) {
      problem_.conflicts = Conflicts::FromLifetimes(problem_.buffers);
      return;
    }
    std::vector<std::pair<BufferId, BufferId>> pairs;
    for (size_t i = 0; i < conflicts->size(); ++i) {
      const Json& pair = (*conflicts)[i];
      const std::string path = Element("conflicts", i);
      if (!pair.is_array() || pair.size() != 2) {
        reader_.Report(path, "must be a pair of ids: [\"a\", \"b\"]");
        continue;
      }
      const auto a = BufferNamed(pair[0], path);
      const auto b = BufferNamed(pair[1], path);
      if (a && b && *a == *b) reader_.Report(path, "names the same buffer twice");
      if (a && b && *a != *b) pairs.emplace_back(*a, *b);
    }
    problem_.conflicts = Conflicts::FromPairs(problem_.buffers.size(), pairs);
  }

  void ReadOverlaps(const Json& document) {
    const Json* overlaps = reader_.List(document, "", "overlaps");
    if (overlaps == nullptr) return;
    for (size_t i = 0; i < overlaps->size(); ++i) {
      const Json& value = (*overlaps)[i];
      const std::string path = Element("overlaps", i);
      if (!reader_.IsObject(value, path, {"lower", "upper", "distance"})) continue;
      const Bytes distance = reader_.RequiredBytes(value, path, "distance");
      const Json missing;
      const Json* lower = JsonReader::Find(value, "lower");
      const Json* upper = JsonReader::Find(value, "upper");
      const auto lower_id = BufferNamed(lower ? *lower : missing, JsonReader::Join(path, "lower"));
      const auto upper_id = BufferNamed(upper ? *upper : missing, JsonReader::Join(path, "upper"));
      if (lower_id && upper_id) problem_.overlaps.push_back({*lower_id, *upper_id, distance});
    }
  }

  // A pool without a stated alignment has the one that its buffers need.
  void AlignPools() {
    for (const BufferInfo& buffer : problem_.buffers) {
      for (PoolId pool : buffer.pool_candidates) {
        Bytes& alignment = problem_.pools[Index(pool)].alignment;
        if (!has_alignment_[Index(pool)]) alignment = std::max(alignment, buffer.alignment);
      }
    }
  }

  std::string source_;
  JsonReader reader_;
  PlanProblem problem_{};
  std::vector<bool> has_alignment_{};  // by PoolId
  std::map<std::string, PoolId, std::less<>> pool_ids_{};
  std::map<std::string, BufferId, std::less<>> buffer_ids_{};
};

template <class T>
void PutIfSet(Json& object, const char* key, const std::optional<T>& value) {
  if (value) object[key] = *value;
}

Json PoolToJson(const PoolInfo& pool) {
  Json out = {{"name", pool.pool_name}};
  PutIfSet(out, "size", pool.size_hint_bytes);
  out["alignment"] = pool.alignment;
  out["kind"] = Name(pool.kind);
  Json performance = Json::object();
  PutIfSet(performance, "clock_frequency_hz", pool.performance.clock_frequency_hz);
  PutIfSet(performance, "read_bandwidth_bytes_per_cycle",
           pool.performance.read_bandwidth_bytes_per_cycle);
  PutIfSet(performance, "write_bandwidth_bytes_per_cycle",
           pool.performance.write_bandwidth_bytes_per_cycle);
  PutIfSet(performance, "read_latency_cycles", pool.performance.read_latency_cycles);
  PutIfSet(performance, "write_latency_cycles", pool.performance.write_latency_cycles);
  PutIfSet(performance, "burst_bytes", pool.performance.burst_bytes);
  if (!performance.empty()) out["performance"] = std::move(performance);
  return out;
}

Json BufferToJson(const PlanProblem& problem, BufferId id) {
  const BufferInfo& buffer = problem.buffers[Index(id)];
  Json out = {{"id", plan::NameOf(problem, id)},
              {"size", buffer.size_bytes},
              {"alignment", buffer.alignment},
              {"kind", Name(buffer.kind)}};
  for (const Lifetime& steps : buffer.lifetimes) {
    out["lifetimes"].push_back({steps.begin, steps.end});
  }
  for (PoolId pool : buffer.pool_candidates) {
    out["pools"].push_back(problem.pools[Index(pool)].pool_name);
  }
  if (buffer.pinned) {
    out["pin"] = {{"pool", problem.pools[Index(buffer.pinned->pool)].pool_name},
                  {"offset", buffer.pinned->byte_offset}};
  }
  if (buffer.bytes_read != 0) out["bytes_read"] = buffer.bytes_read;
  if (buffer.bytes_written != 0) out["bytes_written"] = buffer.bytes_written;
  return out;
}

Json ConflictsToJson(const PlanProblem& problem) {
  Json out = Json::array();
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const auto a = static_cast<BufferId>(i);
    for (BufferId b : problem.conflicts.ConflictsOf(a)) {
      if (a < b) out.push_back({plan::NameOf(problem, a), plan::NameOf(problem, b)});
    }
  }
  return out;
}

}  // namespace

Result<PlanProblem> ParseProblemJson(std::string_view text, std::string_view source) {
  return ProblemReader(source).Read(text);
}

std::string ProblemToJson(const PlanProblem& problem) {
  Json pools = Json::array();
  for (const PoolInfo& pool : problem.pools) pools.push_back(PoolToJson(pool));
  Json buffers = Json::array();
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    buffers.push_back(BufferToJson(problem, static_cast<BufferId>(i)));
  }
  Json conflicts = Json::array();
  if (!problem.conflicts.is_implied_by_lifetimes()) {
    conflicts = ConflictsToJson(problem);
    // Read back, lifetimes beside no conflicts would count.
    if (conflicts.empty()) {
      for (Json& buffer : buffers) buffer.erase("lifetimes");
    }
  }
  Json overlaps = Json::array();
  for (const auto& [lower, upper, distance] : problem.overlaps) {
    overlaps.push_back({{"lower", plan::NameOf(problem, lower)},
                        {"upper", plan::NameOf(problem, upper)},
                        {"distance", distance}});
  }
  std::string out = "{\"format\": 1,\n  \"pools\": " + Lines(pools);
  out += ",\n  \"buffers\": " + Lines(buffers);
  if (!problem.conflicts.is_implied_by_lifetimes()) {
    out += ",\n  \"conflicts\": " + Lines(conflicts);
  }
  if (!overlaps.empty()) out += ",\n  \"overlaps\": " + Lines(overlaps);
  return out + "\n}\n";
}

}  // namespace usmp
