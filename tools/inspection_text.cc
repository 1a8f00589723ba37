#include "inspection_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

namespace usmp::tools {
namespace {

constexpr size_t kMostNameBytes = 48;

std::string WithSeparators(int64_t number) {
  std::string digits = std::to_string(number);
  for (auto i = static_cast<int64_t>(digits.size()) - 3; i > 0; i -= 3) {
    digits.insert(static_cast<size_t>(i), ",");
  }
  return digits;
}

// The end of a long name: that is where names differ.
std::string Shortened(const std::string& name) {
  // The first of the names that a fused tensor has, as in the generated code.
  std::string shown = name.find(';') == 0 ? name : name.substr(0, name.find(';'));
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  }
  if (shown.size() <= kMostNameBytes) return shown;
  size_t begin = shown.size() - (kMostNameBytes - 3);
  while (begin < shown.size() && (static_cast<unsigned char>(shown[begin]) & 0xC0) == 0x80) ++begin;
  return "..." + shown.substr(begin);
}

// Columns as wide as their widest cell, two spaces apart, nothing after the last one.
class Table {
 public:
  void Row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  void Print(std::string& out) const {
    std::vector<size_t> widths;
    for (const auto& row : rows_) {
      widths.resize(std::max(widths.size(), row.size()));
      for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    for (const auto& row : rows_) {
      std::string line = " ";
      for (size_t i = 0; i < row.size(); ++i) line += fmt::format(" {:<{}} ", row[i], widths[i]);
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
  }

 private:
  std::vector<std::vector<std::string>> rows_{};
};

class Printer {
 public:
  explicit Printer(const Inspection& inspection) : in_(inspection) {}

  std::string Print(const std::string& title) {
    Summary(title);
    Interface("Inputs", in_.inputs);
    Interface("Outputs", in_.outputs);
    Operators();
    Memory();
    Problems();
    if (!in_.notes.empty()) out_ += '\n';
    for (const Diagnostic& note : in_.notes) Line("Note: {}: {}", note.where, note.message);
    return std::move(out_);
  }

 private:
  template <class... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  const Inspection::TensorRow& Tensor(int32_t index) const {
    return in_.tensors[static_cast<size_t>(index)];
  }
  std::string TypeAndShape(int32_t index) const {
    const Inspection::TensorRow& tensor = Tensor(index);
    return fmt::format("{}[{}]", tensor.dtype, fmt::join(tensor.shape, ","));
  }

  void Summary(const std::string& title) {
    const auto bad =
        std::ranges::count_if(in_.operators, [](const auto& op) { return !op.problems.empty(); });
    const size_t count = in_.operators.size();
    const std::string operators = fmt::format("{} operator{}", count, count == 1 ? "" : "s");
    if (bad == 0) return Line("{}: {}, all supported", title, operators);
    Line("{}: {}, {} of them not supported: it cannot be compiled", title, operators, bad);
  }

  static std::string Quantization(const Inspection::TensorRow& tensor) {
    if (tensor.scales.empty()) return "";
    if (tensor.scales.size() > 1) return fmt::format("{} channels", tensor.scales.size());
    return fmt::format("scale {:.8g}, zero point {}", tensor.scales[0], tensor.zero_points[0]);
  }

  void Interface(std::string_view heading, const std::vector<Inspection::InterfaceRow>& rows) {
    Line("\n{}", heading);
    Table table;
    for (const Inspection::InterfaceRow& row : rows) {
      const Inspection::TensorRow& tensor = Tensor(row.tensor);
      table.Row({row.identifier, TypeAndShape(row.tensor), WithSeparators(tensor.bytes) + " bytes",
                 Quantization(tensor),
                 tensor.name == row.identifier ? "" : "'" + Shortened(tensor.name) + "'"});
    }
    table.Print(out_);
  }

  // Activations by type and shape, constants by their bytes.
  std::string Reads(const Inspection::OperatorRow& op) const {
    std::vector<std::string> parts;
    Bytes constants = 0;
    for (int32_t id : op.inputs) {
      if (id < 0) continue;
      if (Tensor(id).is_constant) {
        constants += Tensor(id).bytes;
      } else {
        parts.push_back(TypeAndShape(id));
      }
    }
    constexpr size_t kMostShown = 4;
    if (parts.size() > kMostShown) {
      const size_t more = parts.size() - kMostShown;
      parts.resize(kMostShown);
      parts.push_back(fmt::format("{} more", more));
    }
    if (constants > 0) parts.push_back(fmt::format("{} constant", WithSeparators(constants)));
    return fmt::format("{}", fmt::join(parts, " + "));
  }

  std::string Writes(const Inspection::OperatorRow& op) const {
    std::vector<std::string> parts;
    for (int32_t id : op.outputs) parts.push_back(TypeAndShape(id));
    constexpr size_t kMostShown = 3;
    if (parts.size() > kMostShown) {
      return fmt::format("{} tensors, the first {}", parts.size(), parts[0]);
    }
    return fmt::format("{}", fmt::join(parts, " + "));
  }

  void Operators() {
    Line("\nOperators (* not supported)");
    Table table;
    for (const Inspection::OperatorRow& op : in_.operators) {
      table.Row({fmt::format("{:>4}{}", op.index, op.problems.empty() ? " " : "*"), op.name,
                 Reads(op), "->", Writes(op)});
    }
    table.Print(out_);
  }

  void Memory() {
    Line("\nMemory");
    Line("  RAM        {} bytes of tensors are alive at once{}", WithSeparators(in_.live_sum_bytes),
         in_.live_sum_operator < 0 ? std::string()
                                   : fmt::format(", at operator {}:", in_.live_sum_operator));
    constexpr size_t kMostShown = 6;
    Table table;
    for (size_t i = 0; i < std::min(in_.live_sum_tensors.size(), kMostShown); ++i) {
      const int32_t id = in_.live_sum_tensors[i];
      table.Row({"", "       ", fmt::format("{:>11}", WithSeparators(Tensor(id).bytes)),
                 TypeAndShape(id), "'" + Shortened(Tensor(id).name) + "'"});
    }
    table.Print(out_);
    if (in_.live_sum_tensors.size() > kMostShown) {
      Line("             and {} smaller ones", in_.live_sum_tensors.size() - kMostShown);
    }
    if (in_.peaks) {
      const auto peak = [&](std::string_view how, Bytes bytes, const std::string& call) {
        Line("             {} {:>9}, at {}", how, WithSeparators(bytes), Shortened(call));
      };
      Line("             can be less where whole tensors do not exist apart (estimates):");
      peak("outputs over dying inputs  ", in_.peaks->overlap_bytes, in_.peaks->overlap_call);
      Line("             in the best order {}, --reorder {:>9}",
           in_.peaks->is_order_exact ? "there is  " : "that was found",
           WithSeparators(in_.peaks->order_bytes));
      peak("and row by row (--stream)  ", in_.peaks->rows_bytes, in_.peaks->rows_call);
      peak("and with inputs fed by rows", in_.peaks->input_rows_bytes, in_.peaks->input_rows_call);
      Tradeoffs(in_.peaks->tradeoffs);
    }
    Line("  constants  {} bytes", WithSeparators(in_.constant_bytes));
    Line("  work       {} multiply-accumulates", WithSeparators(in_.multiply_accumulates));
  }

  void Tradeoffs(const std::vector<ReportTradeoff>& tradeoffs) {
    if (tradeoffs.size() < 2) return;
    Line("             against time (estimates): --stream BYTES stays within so many");
    for (const ReportTradeoff& choice : tradeoffs) {
      Line("             {:>9}  {:5.3f} x the time, {} calls row by row",
           WithSeparators(choice.ram_bytes), choice.time_ratio, choice.calls_by_rows);
    }
  }

  // One line for each reason, and where it applies.
  void Problems() {
    std::map<std::string, std::vector<std::string>> by_reason;
    std::vector<std::string> reasons;  // in the order of the model
    for (const Inspection::OperatorRow& op : in_.operators) {
      for (const Diagnostic& problem : op.problems) {
        auto& where = by_reason[problem.message];
        if (where.empty()) reasons.push_back(problem.message);
        where.push_back(fmt::format("{} {}", op.index, op.name));
      }
    }
    if (reasons.empty()) return;
    Line("\nNot supported");
    for (const std::string& reason : reasons) {
      std::vector<std::string>& where = by_reason[reason];
      constexpr size_t kMostShown = 12;
      const size_t more = where.size() - std::min(where.size(), kMostShown);
      where.resize(std::min(where.size(), kMostShown));
      Line("  {}\n      operator{} {}{}", reason, where.size() + more == 1 ? "" : "s",
           fmt::join(where, ", "), more == 0 ? "" : fmt::format(" and {} more", more));
    }
  }

  const Inspection& in_;
  std::string out_{};
};

nlohmann::ordered_json ToJson(const std::vector<Diagnostic>& diagnostics) {
  auto rows = nlohmann::ordered_json::array();
  for (const Diagnostic& d : diagnostics) {
    rows.push_back({{"where", d.where}, {"message", d.message}});
  }
  return rows;
}

nlohmann::ordered_json ToJson(const std::vector<Inspection::InterfaceRow>& interface) {
  auto rows = nlohmann::ordered_json::array();
  for (const auto& row : interface) {
    rows.push_back({{"tensor", row.tensor}, {"identifier", row.identifier}});
  }
  return rows;
}

}  // namespace

std::string InspectionToText(const Inspection& inspection, const std::string& title) {
  return Printer(inspection).Print(title);
}

std::string InspectionToJson(const Inspection& inspection) {
  nlohmann::ordered_json json;
  json["format"] = 1;
  json["inputs"] = ToJson(inspection.inputs);
  json["outputs"] = ToJson(inspection.outputs);
  json["operators"] = nlohmann::ordered_json::array();
  for (const Inspection::OperatorRow& op : inspection.operators) {
    json["operators"].push_back({{"index", op.index},
                                 {"name", op.name},
                                 {"label", op.label},
                                 {"inputs", op.inputs},
                                 {"outputs", op.outputs},
                                 {"problems", ToJson(op.problems)}});
  }
  json["tensors"] = nlohmann::ordered_json::array();
  for (const Inspection::TensorRow& tensor : inspection.tensors) {
    json["tensors"].push_back({{"index", tensor.index},
                               {"name", tensor.name},
                               {"dtype", tensor.dtype},
                               {"shape", tensor.shape},
                               {"bytes", tensor.bytes},
                               {"constant", tensor.is_constant},
                               {"scales", tensor.scales},
                               {"zero_points", tensor.zero_points}});
  }
  json["live_sum"] = {{"bytes", inspection.live_sum_bytes},
                      {"operator", inspection.live_sum_operator},
                      {"tensors", inspection.live_sum_tensors}};
  if (inspection.peaks) {
    const Inspection::Peaks& peaks = *inspection.peaks;
    json["peaks"] = {
        {"overlap", {{"bytes", peaks.overlap_bytes}, {"call", peaks.overlap_call}}},
        {"order", {{"bytes", peaks.order_bytes}, {"proved_best", peaks.is_order_exact}}},
        {"rows", {{"bytes", peaks.rows_bytes}, {"call", peaks.rows_call}}},
        {"input_rows", {{"bytes", peaks.input_rows_bytes}, {"call", peaks.input_rows_call}}}};
    json["tradeoffs"] = nlohmann::json::array();
    for (const ReportTradeoff& choice : peaks.tradeoffs) {
      json["tradeoffs"].push_back({{"ram_bytes", choice.ram_bytes},
                                   {"calls_by_rows", choice.calls_by_rows},
                                   {"kernel_calls", choice.kernel_calls},
                                   {"time_ratio", choice.time_ratio}});
    }
  }
  json["constant_bytes"] = inspection.constant_bytes;
  json["multiply_accumulates"] = inspection.multiply_accumulates;
  json["notes"] = ToJson(inspection.notes);
  // A name of the model may be no UTF-8.
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace usmp::tools
