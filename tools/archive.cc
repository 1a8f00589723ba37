#include "archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>

namespace usmp::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kCpu = 1;               // DLDeviceType
constexpr size_t kBlock = 512;        // of a tar file
constexpr size_t kLongestName = 100;  // of a member, in the header's first field
constexpr size_t kLongestPrefix = 155;

Json Tensors(const std::vector<ReportTensor>& tensors) {
  Json json = Json::object();
  for (const ReportTensor& tensor : tensors) {
    json[tensor.identifier] = {{"size", tensor.bytes}, {"dtype", tensor.dtype}};
  }
  return json;
}

// Bytes of the pools of a kind that the model's buffers reach from the bottom of the pool: of
// constants, which are each model's own, from the first of them.
Bytes PoolBytes(const Report& report, size_t model, PoolKind kind) {
  Bytes sum = 0;
  for (size_t i = 0; i < report.pools.size(); ++i) {
    if (report.pools[i].kind != kind) continue;
    std::optional<Bytes> begin;
    Bytes end = 0;
    for (const ReportBuffer& buffer : report.buffers) {
      const PoolAllocation& at = buffer.allocation;
      if (static_cast<size_t>(buffer.model) != model || static_cast<size_t>(at.pool) != i) continue;
      begin = std::min(begin.value_or(at.byte_offset), at.byte_offset);
      end = std::max(end, at.byte_offset + buffer.bytes);
    }
    sum += kind == PoolKind::kConstant ? end - begin.value_or(0) : end;
  }
  return sum;
}

Bytes CallerBytes(const ReportModel& model) {
  Bytes sum = 0;
  for (const auto* tensors : {&model.inputs, &model.outputs}) {
    for (const ReportTensor& tensor : *tensors) {
      sum += tensor.placement == "caller" ? tensor.bytes : 0;
    }
  }
  return sum;
}

// By kernel: the most scratch that a call of it needs. Calls that run row by row are part of main.
Json OperatorFunctions(const Report& report, size_t model) {
  std::map<std::string, Bytes> sizes;
  for (const ReportBuffer& buffer : report.buffers) {
    const bool is_own = static_cast<size_t>(buffer.model) == model;
    if (is_own && buffer.kind == BufferKind::kScratch) sizes[buffer.name] += buffer.bytes;
  }
  std::map<std::string, Bytes> functions;
  for (const ReportCall& call : report.calls) {
    if (static_cast<size_t>(call.model) != model || call.kernel == "rows") continue;
    Bytes scratch = 0;
    for (const std::string& name : std::set<std::string>(call.scratch.begin(), call.scratch.end()))
      scratch += sizes[name];
    Bytes& most = functions["usmp_" + call.kernel];
    most = std::max(most, scratch);
  }
  Json json = Json::array();
  for (const auto& [name, bytes] : functions) {
    json.push_back(
        {{"function_name", name},
         {"workspace", Json::array({{{"device", kCpu}, {"workspace_size_bytes", bytes}}})}});
  }
  return json;
}

Json ModuleOf(const Report& report, size_t model, const std::string& name) {
  const ReportModel& io = report.models[model];
  const Json main = {{"device", kCpu},
                     {"workspace_size_bytes", PoolBytes(report, model, PoolKind::kWorkspace)},
                     {"constants_size_bytes", PoolBytes(report, model, PoolKind::kConstant)},
                     {"io_size_bytes", CallerBytes(io)},
                     {"inputs", Tensors(io.inputs)},
                     {"outputs", Tensors(io.outputs)}};
  return {{"model_name", name},
          {"export_datetime", "1970-01-01 00:00:00Z"},
          {"memory",
           {{"functions",
             {{"main", Json::array({main})},
              {"operator_functions", OperatorFunctions(report, model)}}}}},
          {"target", Json::array({"c"})},
          {"executors", Json::array({"aot"})},
          {"style", "full-model"},
          {"external_dependencies", Json::array()}};
}

// A number of a tar header: octal digits and a NUL, right-aligned.
void PutOctal(std::string& header, size_t at, size_t width, uint64_t value) {
  const std::string digits = fmt::format("{:0{}o}", value, width - 1);
  header.replace(at, width - 1, digits);
}

Result<void> AddMember(const std::string& path, std::string_view content, std::string& tar) {
  size_t name = 0;  // where the part begins that is not in the prefix
  if (path.size() > kLongestName) name = path.find('/', path.size() - kLongestName - 1) + 1;
  if (name == 0 && path.size() > kLongestName) name = path.size();
  if (path.size() - name > kLongestName || name == path.size() || name > kLongestPrefix + 1) {
    return Fail(ErrorCode::kInvalidInput, path,
                "the name is too long for an archive: give the model a shorter one with --name");
  }
  std::string header(kBlock, '\0');
  header.replace(0, path.size() - name, path, name);
  PutOctal(header, 100, 8, 0644);
  PutOctal(header, 108, 8, 0);  // uid, gid: root
  PutOctal(header, 116, 8, 0);
  PutOctal(header, 124, 12, content.size());
  PutOctal(header, 136, 12, 0);  // no date: the same input gives the same bytes
  header.replace(148, 8, 8, ' ');
  header[156] = '0';
  header.replace(257, 8, std::string("ustar\00000", 8));
  header.replace(265, 4, "root");
  header.replace(297, 4, "root");
  if (name > 0) header.replace(345, name - 1, path, 0, name - 1);
  uint64_t sum = 0;
  for (char c : header) sum += static_cast<unsigned char>(c);
  PutOctal(header, 148, 7, sum);
  header[154] = '\0';
  tar += header;
  tar += content;
  tar.resize((tar.size() + kBlock - 1) / kBlock * kBlock, '\0');
  return {};
}

// The headers of the models are the interface; what the sources include lies beside them.
std::string PathInArchive(const GeneratedFile& file, const Report& report) {
  const bool is_interface = std::ranges::any_of(
      report.models, [&](const ReportModel& model) { return file.path == model.symbol + ".h"; });
  if (is_interface) return "./codegen/host/include/" + file.path;
  if (file.path.ends_with(".bin")) return "./parameters/" + file.path;
  if (file.path == "report.json") return "./" + file.path;
  return "./codegen/host/src/" + file.path;
}

}  // namespace

std::string ModelLibraryMetadata(const CompiledModel& model, const std::string& prefix) {
  const Report& report = model.report;
  Json modules = Json::object();
  for (size_t i = 0; i < report.models.size(); ++i) {
    const std::string name = report.models[i].symbol.substr(prefix.size() + 1);
    modules[name] = ModuleOf(report, i, name);
  }
  const Json json = {{"version", 7}, {"modules", modules}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<std::string> ModelLibraryArchive(const CompiledModel& model, const std::string& prefix) {
  std::string tar;
  auto added = AddMember("./metadata.json", ModelLibraryMetadata(model, prefix), tar);
  if (!added) return Fail(added.error());
  for (const GeneratedFile& file : model.files) {
    if (file.path == "CMakeLists.txt") continue;  // it knows another arrangement
    added = AddMember(PathInArchive(file, model.report), file.content, tar);
    if (!added) return Fail(added.error());
  }
  tar.append(2 * kBlock, '\0');
  return tar;
}

}  // namespace usmp::tools
