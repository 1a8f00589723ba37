// One inference under a name of its own, for a profiler that counts what happens inside of it:
//
//   usmp_bench_once naive MODEL             in NaiveModel::Run
//   usmp_bench_once generated MODEL LIBRARY in usmp_benchmark_run
#include <cstdio>
#include <string>
#include <vector>

#include "generated_model.h"
#include "import/importer.h"
#include "naive_model.h"
#include "support/files.h"

namespace usmp::benchmarks {
namespace {

std::vector<Bytes> SizesOf(const ir::Graph& graph, const std::vector<ir::TensorId>& tensors) {
  std::vector<Bytes> sizes;
  for (ir::TensorId id : tensors) sizes.push_back(ir::ByteSize(graph[id]));
  return sizes;
}

int Main(const std::vector<std::string>& arguments) {
  const bool is_naive = arguments.size() == 2 && arguments[0] == "naive";
  const bool is_generated = arguments.size() == 3 && arguments[0] == "generated";
  if (!is_naive && !is_generated) {
    std::fprintf(stderr, "usage: usmp_bench_once naive MODEL | generated MODEL LIBRARY\n");
    return 2;
  }
  const auto imported = import::Import(testing::ReadFile(arguments[1]), {});
  if (!imported) return 1;
  const ir::Graph& graph = imported->graph;
  if (is_generated) {
    GeneratedModel model(arguments[2], SizesOf(graph, graph.inputs), SizesOf(graph, graph.outputs));
    return model.Run();
  }
  std::string why;
  const auto naive = NaiveModel::Make(graph, &why);
  if (!naive) return 1;
  naive->Run();
  return 0;
}

}  // namespace
}  // namespace usmp::benchmarks

int main(int argc, char** argv) { return usmp::benchmarks::Main({argv + 1, argv + argc}); }
