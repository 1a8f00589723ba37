// How --help looks: at most 80 columns, one style for values and defaults.
#ifndef USMP_TOOLS_HELP_H_
#define USMP_TOOLS_HELP_H_

#include <CLI/CLI.hpp>
#include <string>

namespace usmp::tools {

// An option's value is named by option_text; its default is said at the end of its description.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
  std::string make_description(const CLI::App* app) const override;
  std::string make_subcommand(const CLI::App* sub) const override;
};

}  // namespace usmp::tools

#endif  // USMP_TOOLS_HELP_H_
