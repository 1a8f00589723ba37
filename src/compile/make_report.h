#ifndef USMP_COMPILE_MAKE_REPORT_H_
#define USMP_COMPILE_MAKE_REPORT_H_

#include <span>
#include <string>

#include "compile/joint_plan.h"
#include "compile/unit.h"
#include "usmp/compile.h"
#include "usmp/report.h"

namespace usmp::compile {

struct ReportInput {
  std::span<const Unit> units;
  const JointProblem& joint;
  const Plan& plan;
  ModelSharing sharing{};
  std::string algorithm{};
};
Report MakeReport(const ReportInput& input);

}  // namespace usmp::compile

#endif  // USMP_COMPILE_MAKE_REPORT_H_
