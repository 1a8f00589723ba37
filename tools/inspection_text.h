// What `usmp inspect` prints: for people, and as JSON.
#ifndef USMP_TOOLS_INSPECTION_TEXT_H_
#define USMP_TOOLS_INSPECTION_TEXT_H_

#include <string>

#include "usmp/compile.h"

namespace usmp::tools {

// `title` names the model; text for a terminal, ending in a newline.
std::string InspectionToText(const Inspection& inspection, const std::string& title);
std::string InspectionToJson(const Inspection& inspection);

}  // namespace usmp::tools

#endif  // USMP_TOOLS_INSPECTION_TEXT_H_
