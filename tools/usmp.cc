// The command `usmp`: its whole command line. Exit codes: 0, 1 (the input is at fault), 2 (usage),
// 70 (a bug of ours).
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "commands.h"
#include "config.h"
#include "help.h"
#include "io.h"
#include "usmp/compile.h"

namespace usmp::tools {
namespace {

constexpr int kExitUsage = 2;
constexpr int kExitBug = 70;

extern "C" void ExitAfterBug(int) { _exit(kExitBug); }

// Runs `run` with what was parsed into `command`, which lives as long as the parser.
template <class Command>
void Bind(CLI::App* sub, std::shared_ptr<Command> command, int (*run)(const Command&)) {
  sub->callback([command, run] {
    if (const int code = run(*command); code != 0) throw CLI::RuntimeError(code);
  });
}

void AddShapes(CLI::App* sub, std::vector<std::string>& shapes) {
  sub->add_option("--shape", shapes,
                  "the shape of an input with unknown dimensions, as in x=1,96,96,3; repeatable")
      ->option_text("NAME=SHAPE")
      ->allow_extra_args(false);
}

void AddPools(CLI::App* sub, ModelOptions& options) {
  sub->add_option("--workspace-pool", options.workspace_pools,
                  "a memory for tensors: NAME[:size=64K,align=16,section=NAME,internal=true]; "
                  "repeatable, in order of preference; your code provides it unless internal=true")
      ->option_text("POOL")
      ->allow_extra_args(false);
  sub->add_option(
         "--constant-pool", options.constant_pools,
         "the same for weights and tables; your code fills it (..._CONSTANT_POOL_DATA) unless "
         "internal=true; ram=true: it is in RAM")
      ->option_text("POOL")
      ->allow_extra_args(false);
}

// They work and are not shown: docs/from-microtvm.md has them.
void AddTvmcPools(CLI::App* sub, const std::string& name, TvmcPools& options) {
  sub->add_option(name, options.names)->group("");
  for (size_t i = 0; i < kTvmcProperties.size(); ++i) {
    sub->add_option(name + "-" + kTvmcProperties[i], options.properties[i])->group("");
  }
}

void AddPoolFile(CLI::App* sub, ModelOptions& options) {
  sub->add_option(
         "--pools", options.pools,
         "pools from a file, or of a board (`usmp pools --list`); they come after those of "
         "the command line")
      ->option_text("FILE.toml|BOARD");
}

void AddConstants(CLI::App* sub, ModelOptions& options) {
  sub->add_option("--constant", options.constants,
                  "the pools for some constants, in order of preference: PATTERN=POOL[,POOL]; the "
                  "pattern is of a constant's name or of its operator's (op 3 *); repeatable")
      ->option_text("PATTERN=POOL")
      ->allow_extra_args(false);
}

void AddPlanning(CLI::App* sub, std::string& algorithm, int& exec_seconds, PlanOptions& options) {
  sub->add_option(
         "--algorithm", algorithm,
         "how buffers are placed; `usmp algorithms` lists them; or a program that reads a problem "
         "and writes a plan, both JSON: docs/planning.md")
      ->option_text("NAME|exec:PROGRAM")
      ->capture_default_str();
  sub->add_option("--exec-seconds", exec_seconds, "how long exec:PROGRAM may take")
      ->option_text("N")
      ->check(CLI::Range(1, 86'400))
      ->capture_default_str();
  sub->add_option("--max-steps", options.max_steps, "how long to search: buffers placed")
      ->option_text("N")
      ->check(CLI::Validator(
          [](const std::string& text) {
            return text.starts_with('-') ? "it must not be negative" : std::string();
          },
          ""))
      ->capture_default_str();
  sub->add_option("--seed", options.seed, "of the search; the same seed, the same plan")
      ->option_text("N")
      ->capture_default_str();
}

void AddModelOptions(CLI::App* sub, ModelOptions& options) {
  sub->add_option("MODEL", options.model_paths, "a .tflite file")->option_text("...")->required();
  sub->add_option("--name", options.names,
                  "model name in every symbol, tvmgen_NAME_run (default: the file's name)")
      ->option_text("NAME")
      ->allow_extra_args(false);
  sub->add_option("--config", "models, pools and options from a file; docs/config.md")
      ->option_text("usmp.toml");
  sub->add_option("--prefix", options.prefix, "start of every symbol")
      ->option_text("NAME")
      ->capture_default_str();
  sub->add_option("--io", options.io,
                  "who owns inputs and outputs: the caller, or the workspace, which reuses their "
                  "bytes during the inference; caller by default; MODEL=workspace for one model")
      ->option_text("caller|workspace")
      ->allow_extra_args(false);
  sub->add_option("--io-tensor", options.io_tensors,
                  "the same for one tensor, by its identifier or as input:N, output:N; in one of "
                  "the workspace pools if named; precious: an input that is never overwritten; "
                  "repeatable")
      ->option_text("NAME=caller|rows|workspace[:POOL][:precious]")
      ->allow_extra_args(false);
  sub->add_flag("--quantized-io", options.quantized_io,
                "leave out the conversions from and to float at inputs and outputs: they are "
                "then quantized");
  AddPools(sub, options);
  AddPoolFile(sub, options);
  AddTvmcPools(sub, "--workspace-pools", options.tvmc_workspace);
  AddTvmcPools(sub, "--constant-pools", options.tvmc_constant);
  AddConstants(sub, options);
  AddShapes(sub, options.shapes);
  AddPlanning(sub, options.algorithm, options.exec_seconds, options.plan);
  sub->add_option("--overlap", options.overlap,
                  "let an operator's output share bytes with an input that dies there")
      ->option_text("on|off")
      ->check(CLI::IsMember({"on", "off"}))
      ->capture_default_str();
  sub->add_option("--reorder", options.reorder,
                  "run operators in another order than the model's where it saves workspace")
      ->option_text("on|off")
      ->check(CLI::IsMember({"on", "off"}))
      ->capture_default_str();
  sub->add_option("--stream", options.stream,
                  "run chains of operators row by row: where it saves workspace, or only as far as "
                  "it takes to fit this much RAM, the caller's inputs and outputs included")
      ->option_text("off|auto|BYTES")
      ->capture_default_str();
  sub->add_option("--dump-after", options.dump_after,
                  "print the graph to stderr after this pass; `all`: after each")
      ->option_text("PASS");
  sub->add_flag("--time-passes", options.time_passes, "print how long each pass took to stderr");
  sub->add_flag("--map", options.map, "draw the memory map");
}

void AddCompile(CLI::App& app) {
  auto command = std::make_shared<CompileCommand>();
  CLI::App* sub = app.add_subcommand(
      "compile", "Turn a model into C: a header, a source, its constants and the kernels it uses.");
  AddModelOptions(sub, command->model);
  sub->add_option("--models", command->model.models,
                  "may the buffers of several models share bytes: exclusive (yes, they run one "
                  "after another) or concurrent")
      ->option_text("exclusive|concurrent")
      ->check(CLI::IsMember({"exclusive", "concurrent"}))
      ->capture_default_str();
  sub->add_option(
         "--interface", command->model.interface,
         "how the model is called: structs of pointers; an array of DLTensors; or an object "
         "with set_input and get_output")
      ->option_text("c|packed|module")
      ->check(CLI::IsMember({"c", "packed", "module"}))
      ->capture_default_str();
  sub->add_option("--dltensor", command->model.dl_tensors,
                  "generate a DLTensor for each input and output: as a constant, in the workspace, "
                  "or there directly before the data")
      ->option_text("none|static|workspace|contiguous")
      ->check(CLI::IsMember({"none", "static", "workspace", "contiguous"}))
      ->capture_default_str();
  sub->add_option(
         "--offload", command->model.offloads,
         "operators that a C function of yours computes: all of a kind (CONV_2D, "
         "CUSTOM:Name), or one by a tensor that it writes or as op:N; with working memory, "
         "in pools that the target reaches; repeatable; docs/offload.md")
      ->option_text("OPERATORS=FUNCTION[,scratch=BYTES][,target=NAME]")
      ->allow_extra_args(false);
  sub->add_option("--devices", command->model.devices,
                  "targets of --offload that are opened and closed around their calls by functions "
                  "of yours, and whose contexts run takes")
      ->option_text("NAME,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  sub->add_option("-o", command->folder, "where the files go; created if need be")
      ->option_text("FOLDER")
      ->capture_default_str();
  sub->add_option("--report", command->report, "write the report (JSON) here as well")
      ->option_text("FILE");
  sub->add_option("--archive", command->archive,
                  "write the C as an archive in TVM's Model Library Format as well")
      ->option_text("FILE.tar");
  sub->footer(
      "Example:\n"
      "  usmp compile kws.tflite -o kws --map\n"
      "then add kws/ to your build, include tvmgen_kws.h and call tvmgen_kws_run().");
  Bind(sub, command, RunCompile);
}

void AddInspect(CLI::App& app) {
  auto command = std::make_shared<InspectCommand>();
  CLI::App* sub = app.add_subcommand(
      "inspect",
      "Show what a model contains: inputs, outputs, operators, which of them cannot be compiled "
      "and why, and how much memory its tensors need.");
  sub->add_option("MODEL", command->model_path, "a .tflite file")->required();
  AddShapes(sub, command->shapes);
  sub->add_flag("--json", command->json, "as JSON, with every tensor");
  sub->footer(
      "Example:\n"
      "  usmp inspect kws.tflite --shape input=1,49,10,1\n"
      "An operator marked * cannot be compiled; the reasons are at the end.");
  Bind(sub, command, RunInspect);
}

void AddRun(CLI::App& app) {
  auto command = std::make_shared<RunCommand>();
  CLI::App* sub = app.add_subcommand(
      "run", "Compile a model, build the C for this machine, run it and time it.");
  AddModelOptions(sub, command->model);
  sub->add_option("--input", command->inputs,
                  "raw bytes of an input; repeat in the model's order (default: pseudo-random)")
      ->option_text("FILE")
      ->allow_extra_args(false);
  sub->add_option("--input-seed", command->input_seed, "of the pseudo-random input")
      ->option_text("N")
      ->capture_default_str();
  sub->add_option("-o", command->output_folder, "where output_0.bin, output_1.bin, ... go")
      ->option_text("FOLDER");
  sub->add_option("--keep", command->keep_folder, "where the generated C and the harness stay")
      ->option_text("FOLDER");
  sub->add_option("--dump-tensors", command->dump_folder,
                  "where every tensor goes as INDEX.bin, from a build that keeps them all; the "
                  "outputs too")
      ->option_text("FOLDER");
  sub->add_option("--runs", command->runs, "how often to run for the time; 0: no timing")
      ->option_text("N")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  sub->footer(
      "Example:\n"
      "  usmp run kws.tflite --input spectrogram.bin -o results\n"
      "The compiler is cc, or what the environment variable CC names.");
  Bind(sub, command, RunRun);
}

void AddPlan(CLI::App& app) {
  auto command = std::make_shared<PlanCommand>();
  CLI::App* sub = app.add_subcommand(
      "plan", "Place the buffers of a problem file into its pools; print the plan.");
  sub->add_option("PROBLEM", command->problem, "problem.json or problem.csv")->required();
  AddPlanning(sub, command->algorithm, command->exec_seconds, command->options);
  sub->add_option("--capacity", command->capacity,
                  "bound of the one pool, in bytes; 64K and 1M are understood")
      ->option_text("SIZE");
  sub->add_option("-o", command->output, "write the plan here instead of to stdout")
      ->option_text("FILE");
  sub->add_flag("--map", command->map, "draw it: steps across, addresses up");
  sub->add_flag("--explain", command->explain,
                "say what makes it so large, and which change would make it smaller");
  sub->footer(
      "A problem as CSV, one buffer a line, alive in the steps [lower, upper):\n"
      "  id,lower,upper,size\n"
      "  a,0,2,100\n"
      "  b,1,3,80\n"
      "Optional columns: alignment, pool (names separated by |), gaps, pin. The plan\n"
      "is the same with a column offset. JSON problems can have several bounded pools,\n"
      "conflicts and overlaps: docs/planning.md.\n"
      "Example:\n"
      "  usmp plan problem.csv --capacity 64K --map -o plan.csv\n"
      "  usmp verify problem.csv plan.csv");
  Bind(sub, command, RunPlan);
}

void AddVerify(CLI::App& app) {
  auto command = std::make_shared<VerifyCommand>();
  CLI::App* sub =
      app.add_subcommand("verify", "Check a plan against its problem: is every byte legal?");
  sub->add_option("PROBLEM", command->problem, "problem.json or problem.csv")->required();
  sub->add_option("PLAN", command->plan, "plan.json or plan.csv, by any planner")->required();
  sub->footer(
      "Exit code 0 if the plan is legal, 1 otherwise; every violation is listed. The\n"
      "checker shares no code with the algorithms.");
  Bind(sub, command, RunVerify);
}

void AddTable(CLI::App& app, const char* name, const char* summary, int (*run)(bool)) {
  auto json = std::make_shared<bool>(false);
  CLI::App* sub = app.add_subcommand(name, summary);
  sub->add_flag("--json", *json, "as JSON");
  sub->footer("");
  sub->callback([json, run] { run(*json); });
}

void AddPoolsCommand(CLI::App& app) {
  auto command = std::make_shared<PoolsCommand>();
  CLI::App* sub = app.add_subcommand("pools", "List the boards whose memories usmp knows.");
  sub->add_flag("--list")->description("list them (that is the default)");
  sub->add_option("--show", command->board, "print a board's file, for --pools and to start from")
      ->option_text("BOARD");
  sub->footer(
      "Example:\n"
      "  usmp compile kws.tflite --pools stm32h743\n"
      "  usmp pools --show stm32h743 > mine.toml   # edit: your stack and heap need room too\n"
      "  usmp compile kws.tflite --pools mine.toml");
  Bind(sub, command, RunPools);
}

bool IsCommand(const CLI::App& app, const std::string& word) {
  return std::ranges::any_of(app.get_subcommands({}),
                             [&](const CLI::App* sub) { return sub->get_name() == word; });
}

// `problem` is the first half of the sentence.
int ReportNoCommand(const CLI::App& app, const std::string& problem) {
  std::string names;
  for (const CLI::App* sub : app.get_subcommands({})) {
    names += (names.empty() ? "" : ", ") + sub->get_name();
  }
  std::fprintf(stderr, "error: %s; the commands are %s; see `usmp --help`\n", problem.c_str(),
               names.c_str());
  return kExitUsage;
}

// One line in the form of all errors, and the command whose --help has the answer.
std::string FailureMessage(const CLI::App* app, const CLI::Error& error) {
  const auto commands = app->get_subcommands();
  const std::string command = commands.empty() ? "usmp" : "usmp " + commands.front()->get_name();
  return "error: " + std::string(error.what()) + "; see `" + command + " --help`\n";
}

// Puts what the file of --config says in front of the other options of `compile` or `run`.
Result<void> ExpandConfig(CLI::App& app, std::vector<std::string>& words) {
  if (words.empty() || (words[0] != "compile" && words[0] != "run")) return {};
  for (size_t i = 1; i < words.size(); ++i) {
    const bool is_next = words[i] == "--config" && i + 1 < words.size();
    if (!is_next && !words[i].starts_with("--config=")) continue;
    auto config = ReadConfig(is_next ? words[i + 1] : words[i].substr(sizeof "--config=" - 1));
    if (!config) return Fail(config.error());
    words.erase(words.begin() + static_cast<ptrdiff_t>(i),
                words.begin() + static_cast<ptrdiff_t>(i) + (is_next ? 2 : 1));
    words.insert(words.begin() + 1, config->begin(), config->end());
    // The command line has the last word.
    for (CLI::Option* option : app.get_subcommand(words[0])->get_options()) {
      if (option->get_items_expected_max() <= 1) {
        option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
      }
    }
    return {};
  }
  return {};
}

int Main(int argc, char** argv) {
  std::signal(SIGABRT, ExitAfterBug);
  CLI::App app{
      "usmp: machine learning models to C for microcontrollers, every byte planned at compile "
      "time.",
      "usmp"};
  app.formatter(MakeHelpFormatter());
  app.failure_message(FailureMessage);
  app.footer(
      "First steps:\n"
      "  usmp inspect model.tflite          what is in it, and will it fit\n"
      "  usmp compile model.tflite -o out   C files, a header and report.json\n"
      "  usmp run model.tflite              build it for this machine, run and time it\n"
      "`usmp COMMAND --help` explains each command.");
  app.set_version_flag("--version", "usmp " + std::string(kVersion));
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.get_formatter()->label("Subcommands", "Commands");
  app.require_subcommand(1);
  AddInspect(app);
  AddCompile(app);
  AddRun(app);
  AddPlan(app);
  AddVerify(app);
  AddPoolsCommand(app);
  AddTable(app, "ops", "List the operators that can be compiled, with their types.", RunOps);
  AddTable(app, "algorithms", "List the planning algorithms.", RunAlgorithms);
  if (argc < 2) return ReportNoCommand(app, "a command is missing");
  const std::string first = argv[1];
  if (!first.starts_with('-') && !IsCommand(app, first)) {
    return ReportNoCommand(app, "there is no command '" + first + "'");
  }
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (auto expanded = ExpandConfig(app, words); !expanded) return PrintError(expanded.error());
  std::ranges::reverse(words);  // as CLI11 wants them
  try {
    app.parse(std::move(words));
  } catch (const CLI::RuntimeError& e) {
    return e.get_exit_code();
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : kExitUsage;
  }
  return 0;
}

}  // namespace
}  // namespace usmp::tools

int main(int argc, char** argv) {
  try {
    return usmp::tools::Main(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("error: this machine has not enough memory for that input\n", stderr);
    return 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "usmp: internal error: %s. Please report it.\n", e.what());
    return usmp::tools::kExitBug;
  }
}
