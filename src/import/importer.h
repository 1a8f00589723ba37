// Model bytes to graph. Tells the formats apart; each format lives in its own folder.
#ifndef USMP_IMPORT_IMPORTER_H_
#define USMP_IMPORT_IMPORTER_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "ir/graph.h"
#include "usmp/result.h"

namespace usmp::import {

struct ImportOptions {
  std::map<std::string, std::vector<int32_t>>
      shapes{};  // input name -> shape, for unknown dimensions
  // Operators that become kOffloaded; see Offload::operators. Each must name one at least.
  std::vector<std::string> offloads{};
};

struct UnsupportedOp {
  int32_t source_index = 0;                       // of the operator in the model file
  std::string name{};                             // "SVDF", "CUSTOM:MyOp"
  std::vector<ir::TensorId> inputs{}, outputs{};  // as in the file; kNoTensor: absent
  std::vector<Diagnostic> problems{};
};

// An operator that the graph cannot express is left out of `graph.ops` and listed in `unsupported`;
// then the graph is good for inspection only. A file that is broken is an Error.
struct Imported {
  ir::Graph graph{};  // every tensor of the file, in its order: TensorId i is tensor i
  std::vector<UnsupportedOp> unsupported{};
  std::vector<Diagnostic> notes{};  // "batch dimension -1 taken as 1"
  std::map<ir::TensorId, std::string>
      other_types{};  // what the file calls the type of a kOther tensor
};

// `bytes` need not outlive the call. The graph has passed VerifyGraph if nothing is unsupported.
Result<Imported> Import(std::span<const uint8_t> bytes, const ImportOptions& options);

}  // namespace usmp::import

#endif  // USMP_IMPORT_IMPORTER_H_
