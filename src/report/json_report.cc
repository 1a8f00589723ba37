#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "usmp/report.h"

namespace usmp {
namespace {

using Json = nlohmann::ordered_json;

void AddAllocation(Json& json, const Report& report, const PoolAllocation& allocation) {
  json["pool"] = report.pools[static_cast<size_t>(allocation.pool)].name;
  json["offset"] = allocation.byte_offset;
}

Json ToJson(const Report& report, const ReportTensor& tensor) {
  Json json = {{"name", tensor.name},
               {"identifier", tensor.identifier},
               {"bytes", tensor.bytes},
               {"dtype", tensor.dtype},
               {"shape", tensor.shape}};
  if (tensor.scales.size() == 1) {
    json["scale"] = tensor.scales[0];
    json["zero_point"] = tensor.zero_points[0];
  }
  json["placement"] = tensor.placement;
  if (tensor.rows > 0) json["rows"] = tensor.rows;
  if (tensor.allocation) AddAllocation(json, report, *tensor.allocation);
  json["precious"] = tensor.precious;
  return json;
}

Json ToJson(const Report& report, const ReportModel& model) {
  Json json = {{"name", model.name},
               {"symbol", model.symbol},
               {"source_sha256", model.source_sha256},
               {"operators", model.operators},
               {"reordered", model.is_reordered},
               {"order_proved_best", model.is_order_proved_best},
               {"inputs", Json::array()},
               {"outputs", Json::array()}};
  for (const ReportTensor& tensor : model.inputs) json["inputs"].push_back(ToJson(report, tensor));
  for (const ReportTensor& tensor : model.outputs)
    json["outputs"].push_back(ToJson(report, tensor));
  json["tradeoffs"] = Json::array();
  for (const ReportTradeoff& tradeoff : model.tradeoffs) {
    json["tradeoffs"].push_back({{"ram_bytes", tradeoff.ram_bytes},
                                 {"calls_by_rows", tradeoff.calls_by_rows},
                                 {"kernel_calls", tradeoff.kernel_calls},
                                 {"time_ratio", tradeoff.time_ratio}});
  }
  return json;
}

Json ToJson(const ReportPool& pool) {
  Json json = {{"name", pool.name},
               {"kind", pool.kind == PoolKind::kWorkspace ? "workspace" : "constant"},
               {"internal", pool.is_internal},
               {"in_ram", pool.in_ram},
               {"bytes", pool.bytes}};
  if (pool.size_hint_bytes) json["size_hint_bytes"] = *pool.size_hint_bytes;
  json["alignment"] = pool.alignment;
  return json;
}

// Whole ones: an estimate has no more digits than that.
int64_t Nanoseconds(double time) { return static_cast<int64_t>(std::min(time + 0.5, 9e18)); }

Json ToJson(const Report& report, const ReportBuffer& buffer) {
  Json json = {{"name", buffer.name},
               {"kind", Name(buffer.kind)},
               {"bytes", buffer.bytes},
               {"alignment", buffer.alignment}};
  AddAllocation(json, report, buffer.allocation);
  json["lifetimes"] = Json::array();
  for (const Lifetime& life : buffer.lifetimes) {
    json["lifetimes"].push_back(Json::array({life.begin, life.end}));
  }
  json["model"] = report.models[static_cast<size_t>(buffer.model)].name;
  if (buffer.memory_ns) json["memory_ns"] = Nanoseconds(*buffer.memory_ns);
  return json;
}

Json ToJson(const Report& report, const ReportCall& call) {
  return {{"model", report.models[static_cast<size_t>(call.model)].name},
          {"step", call.step},
          {"kernel", call.kernel},
          {"operator", call.operator_name},
          {"reads", call.reads},
          {"writes", call.writes},
          {"scratch", call.scratch}};
}

bool IsLiveAt(const ReportBuffer& buffer, int32_t step) {
  for (const Lifetime& life : buffer.lifetimes) {
    if (life.begin <= step && step < life.end) return true;
  }
  return false;
}

}  // namespace

ReportPeak PeakOf(const Report& report) {
  if (report.calls.empty()) return {};
  const auto is_workspace = [&](const ReportBuffer& buffer) {
    return report.pools[static_cast<size_t>(buffer.allocation.pool)].kind == PoolKind::kWorkspace;
  };
  std::map<int32_t, Bytes> change;  // of the live bytes, by step
  for (const ReportBuffer& buffer : report.buffers) {
    if (!is_workspace(buffer)) continue;
    for (const Lifetime& life : buffer.lifetimes) {
      change[life.begin] += buffer.bytes;
      change[life.end] -= buffer.bytes;
    }
  }
  const ReportCall* at = &report.calls[0];
  Bytes live_bytes = 0, most = -1;
  auto next = change.begin();
  for (const ReportCall& call : report.calls) {  // in the order of their steps
    for (; next != change.end() && next->first <= call.step; ++next) live_bytes += next->second;
    if (live_bytes <= most) continue;
    most = live_bytes;
    at = &call;
  }
  ReportPeak peak{.step = at->step, .call = at->label, .live_bytes = most};
  for (size_t i = 0; i < report.buffers.size(); ++i) {
    if (is_workspace(report.buffers[i]) && IsLiveAt(report.buffers[i], peak.step)) {
      peak.live.push_back(i);
    }
  }
  return peak;
}

std::string ReportToJson(const Report& report) {
  Json json = {{"format", 1}, {"models", Json::array()}, {"pools", Json::array()}};
  for (const ReportModel& model : report.models) json["models"].push_back(ToJson(report, model));
  for (const ReportPool& pool : report.pools) json["pools"].push_back(ToJson(pool));
  json["workspace_bytes"] = report.workspace_bytes;
  json["caller_io_bytes"] = report.caller_io_bytes;
  json["total_ram_bytes"] = report.total_ram_bytes;
  json["constant_bytes"] = report.constant_bytes;
  json["ram_constant_bytes"] = report.ram_constant_bytes;
  json["lower_bound_bytes"] = report.lower_bound_bytes;
  json["proof"] = Name(report.proof);
  json["witness"] = report.witness;
  json["fixed_graph_bound_bytes"] = report.fixed_graph_bound_bytes;
  json["state_bytes"] = report.state_bytes;
  if (report.memory_ns) json["memory_ns"] = Nanoseconds(*report.memory_ns);
  if (report.io_pools_cost_bytes) json["io_pools_cost_bytes"] = *report.io_pools_cost_bytes;
  json["max_stack_bytes"] = report.max_stack_bytes;
  json["algorithm"] = report.algorithm;
  json["plan_steps"] = report.plan_steps;
  const ReportPeak peak = PeakOf(report);
  json["peak"] = {{"step", peak.step}, {"call", peak.call}, {"live", Json::array()}};
  for (size_t i : peak.live) {
    json["peak"]["live"].push_back(
        {{"buffer", report.buffers[i].name}, {"bytes", report.buffers[i].bytes}});
  }
  json["buffers"] = Json::array();
  for (const ReportBuffer& buffer : report.buffers)
    json["buffers"].push_back(ToJson(report, buffer));
  json["calls"] = Json::array();
  for (const ReportCall& call : report.calls) json["calls"].push_back(ToJson(report, call));
  // Names are any bytes: what is not UTF-8 is replaced.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace usmp
