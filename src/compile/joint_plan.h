// One plan for all models of a build.
#ifndef USMP_COMPILE_JOINT_PLAN_H_
#define USMP_COMPILE_JOINT_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compile/unit.h"
#include "usmp/plan.h"

namespace usmp::compile {

// The buffers of all units, unit by unit, and their schedules one after another. Exclusive units
// are in conflict where lifetimes say so; what must survive (constants, state, precious inputs)
// lives for all of the joint schedule. Concurrent ones are in conflict, every buffer with every
// other.
//
//     step       0   1   2 | 3   4                 exclusive: a and c may share bytes
//     a (unit 0) ######    |                       concurrent: they may not
//     c (unit 1)           | ######
struct JointProblem {
  PlanProblem problem{};
  std::vector<PlanProblem> parts{};    // by unit, each for itself
  std::vector<size_t> first_buffer{};  // by unit, and one more: its first BufferId in `problem`
  std::vector<int32_t> first_step{};   // by unit
};
JointProblem Join(std::span<const Unit> units, ModelSharing sharing);

// Runs the algorithm on the joint problem. Concurrent units are planned in turn, each in what the
// units before it have left of the pools; only where that does not fit, together.
Result<Plan> PlanJointly(const JointProblem& joint, ModelSharing sharing,
                         const Algorithm& algorithm, const PlanOptions& options);

// The joint problem, but inputs and outputs may go to any workspace pool. Absent if they may
// anyway.
std::optional<JointProblem> WithoutIoPools(std::span<const Unit> units, const JointProblem& joint);

// What one unit sees of the plan.
struct UnitPlan {
  std::vector<PoolAllocation> planned{};  // by BufferId of the unit's own problem
  // By the program's BufferId: where its data lie; absent: the caller's, or unused. Offsets of
  // constants count from where the unit's part of the pool begins, since every unit has its own
  // constants.
  std::vector<std::optional<PoolAllocation>> allocations{};
  // By PoolId. Of a workspace pool: exclusive, what the unit touches; concurrent, what all do.
  std::vector<Bytes> pool_sizes{};
};
UnitPlan PartOf(const Plan& plan, const JointProblem& joint, std::span<const Unit> units,
                size_t index, ModelSharing sharing);

}  // namespace usmp::compile

#endif  // USMP_COMPILE_JOINT_PLAN_H_
