#include "stream/form_group.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace usmp::stream {
namespace {

using lower::Access;
using lower::Buffer;
using lower::Call;
using lower::ElementType;
using lower::Member;
using lower::Operand;
using lower::Program;
using lower::RowPlace;

class Former {
 public:
  Former(const Program& from, const Schedule& schedule, size_t begin, size_t end, Program& to)
      : from_(from), schedule_(schedule), begin_(begin), end_(end), to_(to) {}

  Call Form() {
    auto group = std::make_shared<lower::Group>();
    if (schedule_.strips.size() > 1) {
      group->made = AddScratch("counters of rows", ElementType::kInt16,
                               static_cast<int64_t>(schedule_.strips.size()));
    }
    group->needs = schedule_.needs;
    PlaceRuns();
    for (const StripPlan& plan : schedule_.strips) PlaceRing(plan);
    for (const StripPlan& plan : schedule_.strips) {
      lower::Strip strip{.height = plan.height, .width = plan.width, .run_pixels = plan.run_pixels};
      for (size_t i : plan.calls) strip.members.push_back(MakeMember(i));
      group->strips.push_back(std::move(strip));
    }
    call_.operator_name = Names(&Call::operator_name, "+");
    call_.label = Names(&Call::label, ", ") + ", row by row";
    AddOverlaps();
    call_.group = std::move(group);
    return std::move(call_);
  }

 private:
  // Where a tensor that is made inside lives.
  struct Home {
    BufferId buffer{};
    int32_t ring_rows = 0;  // 0: a run, from byte `begin` on
    Bytes begin = 0;
  };

  // Every name once, in order.
  std::string Names(std::string Call::*name, const std::string& separator) const {
    std::string names;
    std::vector<std::string> seen;
    for (size_t i = begin_; i < end_; ++i) {
      const std::string& next = from_.calls[i].*name;
      if (std::ranges::find(seen, next) != seen.end()) continue;
      seen.push_back(next);
      names += (names.empty() ? "" : separator) + next;
    }
    return names;
  }

  BufferId AddScratch(std::string name, ElementType element, int64_t count) {
    to_.buffers.push_back({.name = std::move(name),
                           .kind = BufferKind::kScratch,
                           .element = element,
                           .count = count});
    const BufferId id{static_cast<uint32_t>(to_.buffers.size() - 1)};
    call_.operands.push_back({id, Access::kScratch});
    return id;
  }

  void PlaceRuns() {
    Bytes bytes = 0;
    ElementType widest = ElementType::kInt8;
    std::vector<BufferId> inside;
    for (const StripPlan& strip : schedule_.strips) {
      for (size_t i = 0; i + 1 < strip.calls.size(); ++i) {
        const BufferId id = OutputOf(from_.calls[strip.calls[i]]);
        homes_[id] = {.begin = strip.run_begins[i] * strip.run_pixels};
        inside.push_back(id);
        if (ElementBytes(from_[id].element) > ElementBytes(widest)) widest = from_[id].element;
      }
      bytes = std::max(bytes, strip.pixel_bytes * strip.run_pixels);
    }
    if (inside.empty()) return;
    const Bytes element = ElementBytes(widest);
    const BufferId runs = AddScratch("runs of pixels", widest, (bytes + element - 1) / element);
    for (BufferId id : inside) homes_[id].buffer = runs;
  }

  void PlaceRing(const StripPlan& plan) {
    const size_t last = plan.calls.back();
    if (last + 1 == end_) return;
    const BufferId id = OutputOf(from_.calls[last]);
    const int64_t row = from_[id].count / plan.height;
    homes_[id] = {AddScratch("rows of " + from_[id].name, from_[id].element, row * plan.ring_rows),
                  plan.ring_rows};
  }

  Member MakeMember(size_t index) {
    Member member{.call = from_.calls[index]};
    const lower::RowAccess& rows = *member.call.rows;
    member.places.resize(member.call.operands.size());
    for (size_t i = 0; i < member.call.operands.size(); ++i) {
      Operand& operand = member.call.operands[i];
      if (!operand.buffer) continue;
      if (rows.sums > 0 && operand.access == Access::kScratch) continue;  // the whole call's
      const auto input = std::ranges::find(rows.inputs, i, &lower::RowInput::operand);
      if (input != rows.inputs.end()) {
        member.places[i] = Place(operand, input->height, input->width);
      } else if (operand.access == Access::kWrite) {
        member.places[i] = Place(operand, rows.height, rows.width);
      }
      const bool is_inside = homes_.contains(*from_.calls[index].operands[i].buffer);
      if (!is_inside) AddOperand(operand);
    }
    if (rows.sums > 0) {
      const bool is_float = from_[OutputOf(member.call)].element == ElementType::kFloat32;
      member.sums =
          AddScratch("sums", is_float ? ElementType::kFloat32 : ElementType::kInt32, rows.sums);
    }
    return member;
  }

  // Where a tensor lies; turns the operand to its buffer there.
  RowPlace Place(Operand& operand, int32_t height, int32_t width) const {
    const Buffer& tensor = from_[*operand.buffer];
    RowPlace place{.element = tensor.element,
                   .ring_rows = height,
                   .row_bytes = tensor.size_bytes() / height,
                   .pixel_bytes = tensor.size_bytes() / height / width};
    if (const auto home = homes_.find(*operand.buffer); home != homes_.end()) {
      operand.buffer = home->second.buffer;
      place.ring_rows = home->second.ring_rows;
      place.begin = home->second.begin;
    }
    return place;
  }

  void AddOperand(const Operand& operand) {
    const auto same = [&](const Operand& other) {
      return other.buffer == operand.buffer && other.access == operand.access;
    };
    if (std::ranges::none_of(call_.operands, same)) call_.operands.push_back(operand);
  }

  void AddOverlaps() {
    if (!schedule_.output) return;
    for (const OuterInput& input : schedule_.inputs) {
      call_.overlaps.push_back({.input = input.buffer,
                                .output = *schedule_.output,
                                .forward_distance = input.forward_distance});
    }
  }

  const Program& from_;
  const Schedule& schedule_;
  size_t begin_, end_;
  Program& to_;
  std::map<BufferId, Home> homes_{};  // by the tensor's buffer in from_
  Call call_{};
};

}  // namespace

Call FormGroup(const Program& from, const Schedule& schedule, size_t begin, size_t end,
               Program& to) {
  return Former(from, schedule, begin, end, to).Form();
}

}  // namespace usmp::stream
