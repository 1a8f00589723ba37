#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "plan/describe.h"
#include "usmp/plan_io.h"

namespace usmp {
namespace {

using Json = nlohmann::ordered_json;
using plan::Index;

constexpr std::pair<PoolKind, const char*> kPoolKinds[] = {{PoolKind::kWorkspace, "workspace"},
                                                           {PoolKind::kConstant, "constant"}};
constexpr std::pair<BufferKind, const char*> kBufferKinds[] = {
    {BufferKind::kIntermediate, "intermediate"},
    {BufferKind::kScratch, "scratch"},
    {BufferKind::kInput, "input"},
    {BufferKind::kOutput, "output"},
    {BufferKind::kConstant, "constant"},
    {BufferKind::kState, "state"},
    {BufferKind::kDescriptor, "descriptor"}};
constexpr std::pair<Proof, const char*> kProofs[] = {{Proof::kNone, "none"},
                                                     {Proof::kMeetsLowerBound, "meets_lower_bound"},
                                                     {Proof::kExhausted, "exhausted"}};

template <class Enum, size_t n>
const char* WordOf(const std::pair<Enum, const char*> (&words)[n], Enum value) {
  return std::ranges::find(words, value, &std::pair<Enum, const char*>::first)->second;
}

// Takes values out of a JSON document and reports every one that is not what it should be, with its
// path.
class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source) {}

  void Report(const std::string& path, std::string message) {
    found_.push_back({path.empty() ? source_ : source_ + ": " + path, std::move(message)});
  }

  // The document; nothing if it is not JSON.
  std::optional<Json> Parse(std::string_view text) {
    try {
      return Json::parse(text);
    } catch (const Json::exception& e) {
      Report("", fmt::format("is not JSON: {}", WithoutTag(e.what())));
      return std::nullopt;
    }
  }

  // nullptr if absent or null.
  static const Json* Find(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
  }

  // True if `value` is an object; keys beyond `known` are reported.
  bool IsObject(const Json& value, const std::string& path,
                std::initializer_list<const char*> known) {
    if (!value.is_object()) {
      Report(path, "must be an object: {...}");
      return false;
    }
    for (const auto& item : value.items()) {
      if (std::ranges::find(known, item.key()) != known.end()) continue;
      Report(path, fmt::format("has an unknown key '{}': known are {}", item.key(),
                               fmt::join(known, ", ")));
    }
    return true;
  }

  // The elements of a list that may be absent; nullptr then, or if it is no list.
  const Json* List(const Json& object, const std::string& path, const char* key) {
    const Json* value = Find(object, key);
    if (value == nullptr || value->is_array()) return value;
    Report(Join(path, key), "must be a list: [...]");
    return nullptr;
  }

  template <class Integer>
  std::optional<Integer> Number(const Json& value, const std::string& path) {
    constexpr Integer kMax = std::numeric_limits<Integer>::max();
    constexpr Integer kMin = std::numeric_limits<Integer>::min();
    if (value.is_number_unsigned() && value.get<uint64_t>() <= static_cast<uint64_t>(kMax)) {
      return static_cast<Integer>(value.get<uint64_t>());
    }
    if (value.is_number_integer() && !value.is_number_unsigned() && value.get<int64_t>() >= kMin) {
      return static_cast<Integer>(value.get<int64_t>());
    }
    Report(path, fmt::format("must be a whole number of at most {}, not {}", kMax, Shown(value)));
    return std::nullopt;
  }

  template <class Integer>
  std::optional<Integer> OptionalNumber(const Json& object, const std::string& path,
                                        const char* key) {
    const Json* value = Find(object, key);
    if (value == nullptr) return std::nullopt;
    return Number<Integer>(*value, Join(path, key));
  }

  Bytes RequiredBytes(const Json& object, const std::string& path, const char* key) {
    const Json* value = Find(object, key);
    if (value == nullptr) Report(path, fmt::format("has no '{}'", key));
    return value == nullptr ? 0 : Number<Bytes>(*value, Join(path, key)).value_or(0);
  }

  std::optional<double> OptionalReal(const Json& object, const std::string& path, const char* key) {
    const Json* value = Find(object, key);
    if (value == nullptr) return std::nullopt;
    if (value->is_number()) return value->get<double>();
    Report(Join(path, key), fmt::format("must be a number, not {}", Shown(*value)));
    return std::nullopt;
  }

  std::optional<std::string> Text(const Json& value, const std::string& path) {
    if (value.is_string() && !value.get_ref<const std::string&>().empty()) {
      return value.get<std::string>();
    }
    Report(path, fmt::format("must be a text that is not empty, not {}", Shown(value)));
    return std::nullopt;
  }

  std::string RequiredText(const Json& object, const std::string& path, const char* key) {
    const Json* value = Find(object, key);
    if (value == nullptr) Report(path, fmt::format("has no '{}'", key));
    return value == nullptr ? "" : Text(*value, Join(path, key)).value_or("");
  }

  template <class Enum, size_t n>
  Enum Word(const Json& object, const std::string& path, const char* key,
            const std::pair<Enum, const char*> (&words)[n]) {
    const Json* value = Find(object, key);
    if (value == nullptr) return words[0].first;
    std::string all;
    for (const auto& [word, text] : words) {
      if (value->is_string() && value->get_ref<const std::string&>() == text) return word;
      all += (all.empty() ? "" : ", ") + std::string(text);
    }
    Report(Join(path, key), fmt::format("is {}, but must be one of {}", Shown(*value), all));
    return words[0].first;
  }

  void CheckFormat(const Json& document) {
    const Json* format = Find(document, "format");
    if (format == nullptr || *format == 1) return;
    Report("format", fmt::format("is {}, but this version of usmp reads format 1", Shown(*format)));
  }

  static std::string Join(const std::string& path, const char* key) {
    return path.empty() ? key : path + "." + key;
  }

  bool ok() const { return found_.empty(); }
  tl::unexpected<Error> TakeError() { return Fail({ErrorCode::kInvalidInput, std::move(found_)}); }

 private:
  // "[json.exception.parse_error.101] parse error at line 1, ..." without the part in brackets.
  static std::string WithoutTag(std::string_view what) {
    const size_t end = what.find("] ");
    return std::string(end == std::string_view::npos ? what : what.substr(end + 2));
  }

  static std::string Shown(const Json& value) {
    if (value.is_structured()) return value.is_array() ? "a list" : "an object";
    std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (text.size() > 40) text = text.substr(0, 40) + "...";
    return text;
  }

  std::string source_;
  std::vector<Diagnostic> found_{};
};

std::string Element(const char* list, size_t index) { return fmt::format("{}[{}]", list, index); }

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
    if (Result<void> checked = CheckProblem(problem_); !checked) {
      Error error = checked.error();
      for (Diagnostic& diagnostic : error.diagnostics) {
        diagnostic.where = fmt::format("{}: {}", source_, diagnostic.where);
      }
      return Fail(std::move(error));
    }
    return std::move(problem_);
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
    if (const Json* performance = Reader::Find(value, "performance")) {
      ReadPerformance(*performance, Reader::Join(path, "performance"), pool.performance);
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
    if (const Json* pin = Reader::Find(value, "pin")) {
      ReadPin(*pin, Reader::Join(path, "pin"), buffer);
    }
    const auto id = static_cast<BufferId>(problem_.buffers.size());
    if (!buffer.name_hint.empty() && !buffer_ids_.emplace(buffer.name_hint, id).second) {
      reader_.Report(Reader::Join(path, "id"),
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
    const std::string list_path = Reader::Join(path, "pools");
    for (size_t i = 0; i < names->size(); ++i) {
      if (const auto pool = PoolNamed((*names)[i], Element(list_path.c_str(), i))) {
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
    const std::string list_path = Reader::Join(path, "lifetimes");
    for (size_t i = 0; i < lifetimes->size(); ++i) {
      const std::string element = Element(list_path.c_str(), i);
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
    const Json* name = Reader::Find(value, "pool");
    std::optional<PoolId> pool;
    if (name != nullptr) {
      pool = PoolNamed(*name, Reader::Join(path, "pool"));
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
      const Json* lower = Reader::Find(value, "lower");
      const Json* upper = Reader::Find(value, "upper");
      const auto lower_id = BufferNamed(lower ? *lower : missing, Reader::Join(path, "lower"));
      const auto upper_id = BufferNamed(upper ? *upper : missing, Reader::Join(path, "upper"));
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
  Reader reader_;
  PlanProblem problem_{};
  std::vector<bool> has_alignment_{};  // by PoolId
  std::map<std::string, PoolId, std::less<>> pool_ids_{};
  std::map<std::string, BufferId, std::less<>> buffer_ids_{};
};

class PlanReader {
 public:
  PlanReader(std::string_view source, const PlanProblem& problem)
      : reader_(source), problem_(problem) {
    for (size_t i = 0; i < problem.pools.size(); ++i) {
      pool_ids_.emplace(problem.pools[i].pool_name, static_cast<PoolId>(i));
    }
    for (size_t i = 0; i < problem.buffers.size(); ++i) {
      buffer_ids_.emplace(plan::NameOf(problem, static_cast<BufferId>(i)), i);
    }
  }

  Result<Plan> Read(std::string_view text) {
    const std::optional<Json> document = reader_.Parse(text);
    if (!document) return reader_.TakeError();
    if (!reader_.IsObject(
            *document, "",
            {"format", "allocations", "pool_sizes", "lower_bound", "proof", "witness", "steps"})) {
      return reader_.TakeError();
    }
    reader_.CheckFormat(*document);
    Plan plan;
    ReadAllocations(*document, plan);
    ReadPoolSizes(*document, plan);
    plan.lower_bound_bytes =
        reader_.OptionalNumber<Bytes>(*document, "", "lower_bound").value_or(0);
    plan.proof = reader_.Word(*document, "", "proof", kProofs);
    plan.steps = reader_.OptionalNumber<int64_t>(*document, "", "steps").value_or(0);
    const Json* witness = Reader::Find(*document, "witness");
    if (witness != nullptr && witness->is_string()) plan.witness = witness->get<std::string>();
    if (!reader_.ok()) return reader_.TakeError();
    return plan;
  }

 private:
  void ReadAllocations(const Json& document, Plan& plan) {
    plan.allocations.resize(problem_.buffers.size());
    std::vector<bool> is_placed(problem_.buffers.size(), false);
    const Json* list = reader_.List(document, "", "allocations");
    if (list == nullptr) {
      reader_.Report("", "has no 'allocations': one for each buffer");
      return;
    }
    for (size_t i = 0; i < list->size(); ++i) {
      ReadAllocation((*list)[i], Element("allocations", i), plan, is_placed);
    }
    for (size_t i = 0; i < is_placed.size(); ++i) {
      if (is_placed[i]) continue;
      reader_.Report("allocations", fmt::format("has none for {}",
                                                plan::WhereOf(problem_, static_cast<BufferId>(i))));
    }
  }

  void ReadAllocation(const Json& value, const std::string& path, Plan& plan,
                      std::vector<bool>& is_placed) {
    if (!reader_.IsObject(value, path, {"id", "pool", "offset"})) return;
    const std::string id = reader_.RequiredText(value, path, "id");
    const Bytes offset = reader_.RequiredBytes(value, path, "offset");
    const auto buffer = buffer_ids_.find(id);
    if (buffer == buffer_ids_.end()) {
      if (!id.empty()) reader_.Report(path, fmt::format("the problem has no buffer '{}'", id));
      return;
    }
    if (is_placed[buffer->second]) {
      reader_.Report(path, fmt::format("places buffer '{}' a second time", id));
    }
    is_placed[buffer->second] = true;
    PoolId pool{};
    if (Reader::Find(value, "pool") != nullptr || problem_.pools.size() != 1) {
      const std::string name = reader_.RequiredText(value, path, "pool");
      const auto found = pool_ids_.find(name);
      if (found == pool_ids_.end()) {
        if (!name.empty()) reader_.Report(path, fmt::format("the problem has no pool '{}'", name));
        return;
      }
      pool = found->second;
    }
    plan.allocations[buffer->second] = {pool, offset};
  }

  // What the buffers use, unless it is stated.
  void ReadPoolSizes(const Json& document, Plan& plan) {
    plan.pool_sizes.resize(problem_.pools.size(), 0);
    const Json* sizes = Reader::Find(document, "pool_sizes");
    if (sizes == nullptr) {
      for (size_t i = 0; i < problem_.buffers.size(); ++i) {
        const Bytes size = problem_.buffers[i].size_bytes;
        const auto [pool, offset] = plan.allocations[i];
        if (size == 0 || Index(pool) >= plan.pool_sizes.size()) continue;
        Bytes& used = plan.pool_sizes[Index(pool)];
        if (offset <= INT64_MAX - size) used = std::max(used, offset + size);
      }
      return;
    }
    if (!sizes->is_object()) {
      reader_.Report("pool_sizes", "must be an object: {\"ram\": 1024}");
      return;
    }
    for (const auto& item : sizes->items()) {
      const auto pool = pool_ids_.find(item.key());
      if (pool == pool_ids_.end()) {
        reader_.Report("pool_sizes", fmt::format("the problem has no pool '{}'", item.key()));
        continue;
      }
      const auto bytes = reader_.Number<Bytes>(item.value(), "pool_sizes." + item.key());
      plan.pool_sizes[Index(pool->second)] = bytes.value_or(0);
    }
  }

  Reader reader_;
  const PlanProblem& problem_;
  std::map<std::string, PoolId, std::less<>> pool_ids_{};
  std::map<std::string, size_t, std::less<>> buffer_ids_{};
};

template <class T>
void PutIfSet(Json& object, const char* key, const std::optional<T>& value) {
  if (value) object[key] = *value;
}

Json PoolToJson(const PoolInfo& pool) {
  Json out = {{"name", pool.pool_name}};
  PutIfSet(out, "size", pool.size_hint_bytes);
  out["alignment"] = pool.alignment;
  out["kind"] = WordOf(kPoolKinds, pool.kind);
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
              {"kind", WordOf(kBufferKinds, buffer.kind)}};
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

// One element of a list on one line: long files stay readable, and differences small.
std::string Lines(const Json& list) {
  std::string out;
  for (const Json& element : list) {
    out += out.empty() ? "\n" : ",\n";
    out += "    " + element.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return "[" + out + (out.empty() ? "]" : "\n  ]");
}

}  // namespace

Result<PlanProblem> ParseProblemJson(std::string_view text, std::string_view source) {
  return ProblemReader(source).Read(text);
}

Result<Plan> ParsePlanJson(std::string_view text, std::string_view source,
                           const PlanProblem& problem) {
  return PlanReader(source, problem).Read(text);
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

std::string PlanToJson(const PlanProblem& problem, const Plan& plan) {
  Json allocations = Json::array();
  for (size_t i = 0; i < plan.allocations.size(); ++i) {
    const auto [pool, offset] = plan.allocations[i];
    allocations.push_back({{"id", plan::NameOf(problem, static_cast<BufferId>(i))},
                           {"pool", problem.pools[Index(pool)].pool_name},
                           {"offset", offset}});
  }
  Json sizes = Json::object();
  for (size_t i = 0; i < plan.pool_sizes.size(); ++i) {
    sizes[problem.pools[i].pool_name] = plan.pool_sizes[i];
  }
  const Json rest = {{"pool_sizes", std::move(sizes)},
                     {"lower_bound", plan.lower_bound_bytes},
                     {"proof", WordOf(kProofs, plan.proof)},
                     {"witness", plan.witness},
                     {"steps", plan.steps}};
  std::string out = "{\"format\": 1,\n  \"allocations\": " + Lines(allocations);
  for (const auto& item : rest.items()) {
    out += fmt::format(",\n  \"{}\": {}", item.key(),
                       item.value().dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  return out + "\n}\n";
}

}  // namespace usmp
