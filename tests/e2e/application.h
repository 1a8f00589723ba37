// An application around generated models, as firmware would be: it owns what the header says that
// the caller owns, and nothing else.
#ifndef USMP_TESTS_E2E_APPLICATION_H_
#define USMP_TESTS_E2E_APPLICATION_H_

#include <string>
#include <vector>

#include "support/host_program.h"
#include "usmp/compile.h"

namespace usmp::testing {

enum class Order : uint8_t {
  kOneByOne,     // write, run and read one model, then the next; the first once more at the end
  kInterleaved,  // write all, run all, read all
};

struct ApplicationOptions {
  Order order = Order::kOneByOne;
  InterfaceApi api = InterfaceApi::kC;  // of all models
  std::string function = "main";        // returns 0; several can stand in one file
  std::vector<std::string> devices{};   // each model gets a context of its own for each: an int
};

// C source of a program for the models with these symbols that prints every output in hex, a line
// each: of the models in their order, and after kOneByOne those of the first model again. In that
// last run precious inputs are not written. `inputs`: by model. Needs ApplicationPrologue() before.
std::string ApplicationSource(const CompiledModel& compiled,
                              const std::vector<std::string>& symbols,
                              const std::vector<std::vector<TensorBytes>>& inputs,
                              const ApplicationOptions& options = {});
std::string ApplicationPrologue();

}  // namespace usmp::testing

#endif  // USMP_TESTS_E2E_APPLICATION_H_
