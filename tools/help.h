// How --help looks: at most 80 columns, one style for values and defaults.
#ifndef USMP_TOOLS_HELP_H_
#define USMP_TOOLS_HELP_H_

#include <memory>

namespace CLI {
class FormatterBase;
}

namespace usmp::tools {

// An option's value is named by option_text; its default is said at the end of its description.
std::shared_ptr<CLI::FormatterBase> MakeHelpFormatter();

}  // namespace usmp::tools

#endif  // USMP_TOOLS_HELP_H_
