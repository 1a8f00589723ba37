#include "emit/group.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "emit/calls.h"
#include "emit/poison.h"
#include "emit/row_transfer.h"
#include "emit/text.h"

namespace usmp::emit {
namespace {

using lower::Access;
using lower::Call;
using lower::Group;
using lower::Member;
using lower::Operand;
using lower::RowKind;
using lower::RowPlace;
using lower::Strip;
using Out = std::back_insert_iterator<std::string>;

// The call over so many pixels.
Call OfPixels(const Call& whole, int64_t pixels) {
  Call call = whole;
  for (const auto& [name, count] : whole.rows->per_pixel) {
    lower::ParamValue& value = std::ranges::find(call.params, name, &lower::Param::name)->value;
    if (auto* list = std::get_if<std::vector<int64_t>>(&value)) {
      list->back() = count * pixels;
    } else {
      value = count * pixels;
    }
  }
  return call;
}

class GroupWriter {
 public:
  GroupWriter(const EmitInput& input, size_t index, std::string& text)
      : input_(input), index_(index), group_(*input.program.calls[index].group), text_(text) {}

  void WriteParams() {
    for (size_t s = 0; s < group_.strips.size(); ++s) {
      const Strip& strip = group_.strips[s];
      for (size_t m = 0; m < strip.members.size(); ++m) {
        const Call& call = strip.members[m].call;
        if (call.transfer) continue;
        const bool is_pointwise = call.rows->kind == RowKind::kPointwise;
        WriteParamStruct(is_pointwise ? OfPixels(call, strip.run_pixels) : call, Params(s, m),
                         text_);
        if (is_pointwise && HasRest(strip)) {
          const int32_t rest = strip.width % strip.run_pixels;
          WriteParamStruct(OfPixels(call, rest), Params(s, m) + "_rest", text_);
        }
      }
    }
    if (group_.needs.empty()) return;
    fmt::format_to(Out(text_), "\nstatic const struct usmp_stream_need call{}_needs[{}] = {{\n",
                   index_, group_.needs.size());
    for (const lower::RowNeed& need : group_.needs) {
      fmt::format_to(Out(text_), "    {{{}, {}, {}, {}, {}}},\n", need.consumer, need.producer,
                     need.rows, need.step, need.lead);
    }
    text_ += "};\n";
  }

  void WriteBlock() {
    const Strip& last = group_.strips.back();
    const size_t last_index = group_.strips.size() - 1;
    const bool has_windows = std::ranges::any_of(group_.strips, HasWindow);
    text_ += "  {\n";
    if (has_windows) text_ += "    struct usmp_part part = {0, 0, 0, 0};\n";
    if (last_index == 0) {
      WriteSums("_begin_sums");
      fmt::format_to(Out(text_), "    for (int32_t y = 0; y < {}; ++y) {{\n", last.height);
      WriteStrip(0, "      ");
    } else {
      fmt::format_to(Out(text_), "    int16_t* const made = (int16_t*){};\n",
                     Address(input_, *group_.made));
      fmt::format_to(Out(text_), "    memset(made, 0, {});\n", group_.strips.size() * 2);
      WriteSums("_begin_sums");
      fmt::format_to(Out(text_), "    while (made[{}] < {}) {{\n", last_index, last.height);
      fmt::format_to(Out(text_),
                     "      const int32_t strip = usmp_stream_next(call{}_needs, {}, {}, made);\n"
                     "      const int32_t y = made[strip]++;\n      switch (strip) {{\n",
                     index_, group_.needs.size(), last_index);
      for (size_t s = 0; s <= last_index; ++s) {
        const std::string label = s == last_index ? "default" : fmt::format("case {}", s);
        fmt::format_to(Out(text_), "        {}: {{\n", label);
        WriteStrip(s, "          ");
        if (IsPoisoned()) WriteDeadRows(input_, group_, s, "          ", text_);
        text_ += "          break;\n        }\n";
      }
      text_ += "      }\n";
    }
    text_ += "    }\n";
    WriteSums("_end_sums");
    text_ += "  }\n";
  }

 private:
  bool IsPoisoned() const { return !input_.poison_after.empty(); }
  static bool HasRest(const Strip& strip) { return strip.width % strip.run_pixels != 0; }
  // Whether a member asks where the run ends: all do but those that compute a fixed number of
  // pixels.
  static bool NeedsEnd(const Strip& strip) {
    return HasRest(strip) || std::ranges::any_of(strip.members, [](const Member& member) {
             return member.call.rows->kind != RowKind::kPointwise;
           });
  }
  static bool IsWhole(const Strip& strip) { return strip.run_pixels == strip.width; }
  static bool HasWindow(const Strip& strip) {
    return std::ranges::any_of(strip.members, [](const Member& member) {
      return member.call.rows->kind == RowKind::kWindow;
    });
  }

  std::string Params(size_t strip, size_t member) const {
    return fmt::format("call{}_{}_{}_params", index_, strip, member);
  }

  void WriteStrip(size_t s, std::string indent) {
    const Strip& strip = group_.strips[s];
    for (const Member& member : strip.members) {
      fmt::format_to(Out(text_), "{}/* {} */\n", indent, CommentText(member.call.label));
    }
    if (!IsWhole(strip)) {
      fmt::format_to(Out(text_), "{0}for (int32_t x = 0; x < {1}; x += {2}) {{\n", indent,
                     strip.width, strip.run_pixels);
      indent += "  ";
      const std::string end = fmt::format("x + {}", strip.run_pixels);
      if (NeedsEnd(strip)) {
        fmt::format_to(
            Out(text_), "{}const int32_t x_end = {};\n", indent,
            HasRest(strip) ? fmt::format("usmp_min_s32({}, {})", end, strip.width) : end);
      }
    }
    for (size_t m = 0; m < strip.members.size(); ++m) WriteMember(s, m, indent);
    if (IsPoisoned()) WriteDeadRuns(input_, strip, indent, text_);
    if (!IsWhole(strip)) {
      indent.resize(indent.size() - 2);
      text_ += indent + "}\n";
    }
  }

  void WriteMember(size_t s, size_t m, const std::string& indent) {
    const Strip& strip = group_.strips[s];
    const Member& member = strip.members[m];
    const std::string params = Params(s, m);
    const std::string x_end = IsWhole(strip) ? std::to_string(strip.width) : "x_end";
    std::vector<std::string> arguments{"&" + params};
    std::string function = "usmp_" + member.call.kernel;
    switch (member.call.rows->kind) {
      case RowKind::kPointwise:
        if (HasRest(strip)) {
          arguments[0] =
              fmt::format("x_end - x == {0} ? &{1} : &{1}_rest", strip.run_pixels, params);
        }
        break;
      case RowKind::kWindow: {
        const size_t operand = member.call.rows->inputs[0].operand;
        fmt::format_to(Out(text_),
                       "{0}part.y = (int16_t)y;\n{0}part.x_begin = {1};\n{0}part.x_end = {2};\n"
                       "{0}part.in_rows = {3};\n",
                       indent, IsWhole(strip) ? "0" : "(int16_t)x",
                       IsWhole(strip) ? x_end : "(int16_t)x_end",
                       member.places[operand]->ring_rows);
        function += "_part";
        arguments.push_back("&part");
        break;
      }
      case RowKind::kTransfer:
        WriteRowTransfer(input_, member.call, PlacedOperand(strip, member, 0), indent, text_);
        return;
      case RowKind::kSum: {
        function += "_add_pixels";
        arguments.push_back(IsWhole(strip) ? x_end : "x_end - x");
        arguments.push_back(PlacedOperand(strip, member, member.call.rows->inputs[0].operand));
        arguments.push_back(OperandText(input_, {member.sums, Access::kScratch}));
        text_ += CallStatement(function, arguments, indent);
        return;
      }
    }
    for (size_t i = 0; i < member.call.operands.size(); ++i) {
      arguments.push_back(PlacedOperand(strip, member, i));
    }
    text_ += CallStatement(function, arguments, indent);
  }

  // Where the operand's pixels of the run in hand begin; of a window's input, where row 0 does.
  std::string PlacedOperand(const Strip& strip, const Member& member, size_t i) const {
    const Operand& operand = member.call.operands[i];
    const std::optional<RowPlace>& place = member.places[i];
    const bool is_window_input =
        member.call.rows->kind == RowKind::kWindow && operand.access == Access::kRead;
    if (!place) return OperandText(input_, operand);
    std::string offset;
    if (place->begin > 0) offset = fmt::format(" + {}", place->begin);
    if (place->ring_rows == 0 || is_window_input) {
      return OperandText(input_, operand, offset, place->element);
    }
    if (place->ring_rows > 1) {
      const bool is_ring = place->ring_rows < RowsOf(member, i);
      offset += is_ring
                    ? fmt::format(" + (ptrdiff_t)(y % {}) * {}", place->ring_rows, place->row_bytes)
                    : fmt::format(" + (ptrdiff_t)y * {}", place->row_bytes);
    }
    if (!IsWhole(strip)) offset += fmt::format(" + x * {}", place->pixel_bytes);
    return OperandText(input_, operand, offset, place->element);
  }

  static int32_t RowsOf(const Member& member, size_t i) {
    const lower::RowAccess& rows = *member.call.rows;
    const auto input = std::ranges::find(rows.inputs, i, &lower::RowInput::operand);
    return input != rows.inputs.end() ? input->height : rows.height;
  }

  // Before and after all rows, if the last member averages.
  void WriteSums(std::string_view step) {
    const size_t s = group_.strips.size() - 1;
    const size_t m = group_.strips.back().members.size() - 1;
    const Member& member = group_.strips.back().members.back();
    if (!member.sums) return;
    const bool is_end = step == "_end_sums";
    std::vector<std::string> arguments{
        "&" + Params(s, m),
        OperandText(input_, {member.sums, is_end ? Access::kRead : Access::kScratch})};
    if (is_end) arguments.push_back(OperandText(input_, member.call.operands.back()));
    text_ += CallStatement("usmp_" + member.call.kernel + std::string(step), arguments, "    ");
  }

  const EmitInput& input_;
  size_t index_;
  const Group& group_;
  std::string& text_;
};

}  // namespace

void WriteGroupParams(const EmitInput& input, size_t index, std::string& text) {
  GroupWriter(input, index, text).WriteParams();
}

void WriteGroup(const EmitInput& input, size_t index, std::string& text) {
  GroupWriter(input, index, text).WriteBlock();
}

}  // namespace usmp::emit
