// Problems and plans as text: the public exchange format (JSON) and the CSV of MiniMalloc.
// docs/planning.md describes both. Nothing here touches files.
#ifndef USMP_PLAN_IO_H_
#define USMP_PLAN_IO_H_

#include <optional>
#include <string>
#include <string_view>

#include "usmp/plan.h"
#include "usmp/result.h"

namespace usmp {

// `source` names the text in diagnostics ("problem.csv"); they carry line numbers where there are
// lines.
Result<PlanProblem> ParseProblemJson(std::string_view text, std::string_view source);
Result<Plan> ParsePlanJson(std::string_view text, std::string_view source,
                           const PlanProblem& problem);
std::string ProblemToJson(const PlanProblem& problem);
std::string PlanToJson(const PlanProblem& problem, const Plan& plan);

// CSV: `id,lower,upper,size[,alignment][,pool|pool...]`, columns by header name in any order.
// `capacity` bounds the one pool.
Result<PlanProblem> ParseProblemCsv(std::string_view text, std::string_view source,
                                    std::optional<Bytes> capacity = {});
Result<Plan> ParsePlanCsv(std::string_view text, std::string_view source,
                          const PlanProblem& problem);
std::string PlanToCsv(const PlanProblem& problem, const Plan& plan);

}  // namespace usmp

#endif  // USMP_PLAN_IO_H_
