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

constexpr Proof kProofs[] = {Proof::kNone, Proof::kMeetsLowerBound, Proof::kExhausted};

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
    const Json* witness = JsonReader::Find(*document, "witness");
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
    if (JsonReader::Find(value, "pool") != nullptr || problem_.pools.size() != 1) {
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
    const Json* sizes = JsonReader::Find(document, "pool_sizes");
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

  JsonReader reader_;
  const PlanProblem& problem_;
  std::map<std::string, PoolId, std::less<>> pool_ids_{};
  std::map<std::string, size_t, std::less<>> buffer_ids_{};
};

}  // namespace

Result<Plan> ParsePlanJson(std::string_view text, std::string_view source,
                           const PlanProblem& problem) {
  return PlanReader(source, problem).Read(text);
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
                     {"proof", Name(plan.proof)},
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
