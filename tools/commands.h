// The subcommands of `usmp`. Each adds itself to the parser; its callback throws CLI::RuntimeError
// with the exit code where that is not 0.
#ifndef USMP_TOOLS_COMMANDS_H_
#define USMP_TOOLS_COMMANDS_H_

namespace CLI {
class App;
}

namespace usmp::tools {

void AddCompileCommand(CLI::App& app);
void AddInspectCommand(CLI::App& app);
void AddRunCommand(CLI::App& app);
void AddOpsCommand(CLI::App& app);
void AddPlanCommands(CLI::App& app);  // plan, verify, algorithms

}  // namespace usmp::tools

#endif  // USMP_TOOLS_COMMANDS_H_
