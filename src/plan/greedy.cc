#include "plan/greedy.h"

#include <algorithm>
#include <tuple>

#include "plan/describe.h"
#include "plan/explain.h"

namespace usmp::plan {
namespace {

struct Key {
  Bytes size = 0;
  size_t conflicts = 0;
};

std::vector<Key> KeysOf(const Neighborhood& neighborhood) {
  const PlanProblem& problem = neighborhood.problem();
  std::vector<Key> keys;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    keys.push_back(
        {problem.buffers[i].size_bytes, neighborhood.Of(static_cast<BufferId>(i)).size()});
  }
  return keys;
}

// Descending by `rank`, then by id.
template <class Rank>
std::vector<BufferId> OrderBy(const Neighborhood& neighborhood, Rank rank) {
  const std::vector<Key> keys = KeysOf(neighborhood);
  std::vector<BufferId> order;
  for (size_t i = 0; i < keys.size(); ++i) order.push_back(static_cast<BufferId>(i));
  std::ranges::stable_sort(order, std::greater{},
                           [&](BufferId id) { return rank(keys[Index(id)]); });
  return order;
}

Result<Plan> FirstFit(const PlanProblem& problem, const Neighborhood& neighborhood,
                      const std::vector<BufferId>& order) {
  Placement placement(neighborhood);
  Plan plan;
  for (BufferId id : order) {
    if (placement.IsPlaced(id)) continue;
    ++plan.steps;
    if (!placement.PlaceByPreference(id)) return Fail(DoesNotFit(problem, placement, id));
  }
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    plan.allocations.push_back(placement.At(static_cast<BufferId>(i)));
  }
  plan.pool_sizes = placement.PoolSizes();
  return plan;
}

}  // namespace

std::vector<BufferId> OrderBySize(const Neighborhood& neighborhood) {
  return OrderBy(neighborhood, [](const Key& key) { return std::tuple(key.size, key.conflicts); });
}

std::vector<BufferId> OrderByConflicts(const Neighborhood& neighborhood) {
  return OrderBy(neighborhood, [](const Key& key) {
    return std::tuple(key.conflicts, static_cast<size_t>(key.size));
  });
}

Result<Plan> GreedyBySize(const PlanProblem& problem, const PlanOptions&) {
  const Neighborhood neighborhood(problem);
  return FirstFit(problem, neighborhood, OrderBySize(neighborhood));
}

Result<Plan> GreedyByConflicts(const PlanProblem& problem, const PlanOptions&) {
  const Neighborhood neighborhood(problem);
  return FirstFit(problem, neighborhood, OrderByConflicts(neighborhood));
}

}  // namespace usmp::plan
