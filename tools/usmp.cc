// The command `usmp`. Exit codes: 0, 1 (the input is at fault), 2 (usage), 70 (a bug of ours).
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <string>

#include "commands.h"
#include "usmp/compile.h"

namespace {

constexpr int kExitUsage = 2;
constexpr int kExitBug = 70;

extern "C" void ExitAfterBug(int) { _exit(kExitBug); }

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGABRT, ExitAfterBug);
  CLI::App app{
      "usmp: machine learning models to C for microcontrollers, every byte planned at compile "
      "time."};
  app.footer(
      "First steps:\n"
      "  usmp inspect model.tflite           what is in it, and will it fit\n"
      "  usmp compile model.tflite -o out    C files, a header and report.json\n"
      "  usmp run model.tflite               build it for this machine, run it and time it\n"
      "`usmp COMMAND --help` explains each command.");
  app.set_version_flag("--version", "usmp " + std::string(usmp::kVersion));
  app.require_subcommand(1);
  usmp::tools::AddCompileCommand(app);
  usmp::tools::AddInspectCommand(app);
  usmp::tools::AddRunCommand(app);
  usmp::tools::AddOpsCommand(app);
  usmp::tools::AddPlanCommands(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RuntimeError& e) {
    return e.get_exit_code();
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : kExitUsage;
  }
  return 0;
}
