// Heavy cliques of an explicit conflict graph: buffers that are all in conflict with each other.
#ifndef USMP_PLAN_CLIQUE_H_
#define USMP_PLAN_CLIQUE_H_

#include <vector>

#include "usmp/plan.h"

namespace usmp::plan {

// A clique of the greatest total weight (by BufferId; buffers of weight 0 are left out), ascending.
// The search is exact within a fixed budget, which small and sparse graphs never exhaust; beyond
// it, the heaviest clique found.
std::vector<BufferId> FindHeaviestClique(const Conflicts& conflicts,
                                         const std::vector<Bytes>& weights);

}  // namespace usmp::plan

#endif  // USMP_PLAN_CLIQUE_H_
