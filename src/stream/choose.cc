#include "stream/choose.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "stream/form_group.h"
#include "stream/schedule.h"

namespace usmp::stream {
namespace {

using lower::Call;
using lower::Program;

// What is as good as the lowest peak where it is faster, so much above it.
constexpr Bytes kSlackFraction = 64;
constexpr size_t kLongestGroup = 64;  // calls

// A strip of a group, as far as its calls of functions go.
struct StripShape {
  int32_t height = 1, width = 1, members = 1;
  Bytes pixel_bytes = 0;
};

// Calls [begin, end) as one step.
struct Segment {
  size_t begin = 0, end = 0;
  Bytes bytes = 0;  // alive while it runs
  // Of a group, its strips, and of the bytes those of its runs, which are as short as they can be.
  std::vector<StripShape> strips{};
  Bytes run_bytes = 0;

  bool IsGroup() const { return !strips.empty(); }

  // How many functions it calls if runs are as long as a limit of bytes allows.
  int64_t KernelCalls(Bytes limit) const {
    int64_t calls = IsGroup() ? 0 : 1;
    for (const StripShape& strip : strips) {
      const int32_t pixels = RunPixels(strip.width, strip.pixel_bytes, limit - bytes + run_bytes);
      const int32_t runs = (strip.width + pixels - 1) / pixels;
      calls += int64_t{strip.height} * runs * strip.members;
    }
    return calls;
  }
};

// What a way to cut the program costs in time; of equals, groups are the harder to follow.
struct Cost {
  int64_t kernel_calls = 0;
  size_t fused_calls = 0;
};
bool operator<(const Cost& a, const Cost& b) {
  return std::pair(a.kernel_calls, a.fused_calls) < std::pair(b.kernel_calls, b.fused_calls);
}

class Chooser {
 public:
  Chooser(const Program& program, const ChooseOptions& options)
      : program_(program), options_(options), uses_(CollectUses(program)) {
    for (size_t i = 0; i < program.buffers.size(); ++i) {
      const BufferKind kind = program.buffers[i].kind;
      const bool is_io = kind == BufferKind::kInput || kind == BufferKind::kOutput;
      if (kind == BufferKind::kConstant || (is_io && !Contains(options.workspace_io, BufferId(i))))
        continue;
      if (!uses_.of[i].calls.empty()) planned_.push_back(BufferId(i));
    }
    CollectLives();
  }

  Choice Run() {
    CollectSegments();
    const Bytes least = LeastPeak();
    const Bytes enough = least + least / kSlackFraction;
    const Bytes limit = std::max(least, options_.ram_bytes.value_or(enough));
    Choice choice;
    choice.program = program_;
    choice.program.calls.clear();
    for (const Segment* segment : Fastest(limit)) {
      Call call = program_.calls[segment->begin];
      if (segment->IsGroup()) {
        choice.fused_calls += segment->end - segment->begin;
        call = FormGroup(program_, Roomiest(*segment, limit), segment->begin, segment->end,
                         choice.program);
      }
      choice.program.calls.push_back(std::move(call));
      Raise(choice.peak, segment->bytes, choice.program.calls.back());
    }
    for (size_t i = 0; i < program_.calls.size(); ++i) {
      Raise(choice.whole, ending_at_[i + 1].front().bytes, program_.calls[i]);
    }
    return choice;
  }

  std::vector<Tradeoff> Tradeoffs() {
    CollectSegments();
    const Bytes least = LeastPeak();
    std::vector<Tradeoff> tradeoffs;
    Bytes limit = std::numeric_limits<Bytes>::max();
    while (limit >= least) {
      const Tradeoff next = WithinLimit(limit);
      // Fewer bytes for no more calls: the one before was no choice.
      if (!tradeoffs.empty() && tradeoffs.back().kernel_calls >= next.kernel_calls) {
        tradeoffs.back() = next;
      } else {
        tradeoffs.push_back(next);
      }
      if (next.bytes == least) break;
      limit = std::max(least, next.bytes - std::max<Bytes>(1, least / kSlackFraction));
    }
    return tradeoffs;
  }

 private:
  static bool Contains(const std::vector<BufferId>& ids, BufferId id) {
    return std::ranges::find(ids, id) != ids.end();
  }

  static void Raise(Peak& peak, Bytes bytes, const Call& call) {
    if (bytes > peak.bytes) peak = {bytes, call.label};
  }

  // Sums that tell what is alive in any range of calls.
  void CollectLives() {
    const size_t count = program_.calls.size();
    begun_before_.resize(count + 1);
    ended_before_.resize(count + 1);
    dying_in_.resize(count);
    for (BufferId id : planned_) {
      const std::vector<size_t>& calls = uses_[id].calls;
      const BufferKind kind = program_[id].kind;
      const Bytes bytes = program_[id].size_bytes();
      begun_before_[kind == BufferKind::kInput ? 1 : calls.front() + 1] += bytes;
      const bool stays = kind == BufferKind::kOutput || Contains(options_.precious, id);
      if (!stays) ended_before_[calls.back() + 1] += bytes;
      if (kind == BufferKind::kIntermediate) dying_in_[calls.back()].push_back(id);
    }
    std::partial_sum(begun_before_.begin(), begun_before_.end(), begun_before_.begin());
    std::partial_sum(ended_before_.begin(), ended_before_.end(), ended_before_.begin());
  }

  // Alive while calls [begin, end) run, apart from the tensors that several calls make and use up.
  Bytes AliveOutside(size_t begin, size_t end) const {
    Bytes bytes = begun_before_[end] - ended_before_[begin];
    for (size_t i = begin; i < end && end - begin > 1; ++i) {
      for (BufferId id : dying_in_[i]) {
        if (uses_[id].calls.front() >= begin) bytes -= program_[id].size_bytes();
      }
    }
    return bytes;
  }

  bool IsPlanned(BufferId id) const { return std::ranges::binary_search(planned_, id); }
  bool DiesIn(BufferId id, size_t end) const {
    return program_[id].kind != BufferKind::kOutput && !Contains(options_.precious, id) &&
           uses_[id].calls.back() < end;
  }

  // What an output saves by sharing bytes with an input that dies.
  Bytes Saved(BufferId input, BufferId output, Bytes distance, size_t end) const {
    if (!options_.overlap || !IsPlanned(input) || !IsPlanned(output) || !DiesIn(input, end))
      return 0;
    const Bytes in = program_[input].size_bytes(), out = program_[output].size_bytes();
    return std::max<Bytes>(0, in + out - std::max(out, in + std::max<Bytes>(0, distance)));
  }

  Bytes SavedInCall(size_t i) const {
    Bytes saved = 0;
    for (const lower::CallOverlap& overlap : program_.calls[i].overlaps) {
      for (const auto& distance : {overlap.forward_distance, overlap.reverse_distance}) {
        if (distance) {
          saved = std::max(saved, Saved(overlap.input, overlap.output, *distance, i + 1));
        }
      }
    }
    return saved;
  }

  Bytes BytesOf(const Schedule& schedule, size_t begin, size_t end) const {
    Bytes saved = 0;
    for (const OuterInput& input : schedule.inputs) {
      if (!schedule.output) break;
      saved = std::max(saved, Saved(input.buffer, *schedule.output, input.forward_distance, end));
    }
    Bytes bytes = AliveOutside(begin, end) + schedule.ring_bytes + schedule.run_bytes - saved;
    const Call& last = program_.calls[end - 1];
    if (last.rows->kind != lower::RowKind::kSum) return bytes;
    for (const lower::Operand& operand : last.operands) {  // the whole call's, which sums replace
      if (operand.access == lower::Access::kScratch && operand.buffer) {
        bytes -= program_[*operand.buffer].size_bytes();
      }
    }
    return bytes;
  }

  void CollectSegments() {
    ending_at_.resize(program_.calls.size() + 1);
    Bytes whole = 0;  // the peak without any group
    for (size_t i = 0; i < program_.calls.size(); ++i) {
      const Bytes bytes = AliveOutside(i, i + 1) - SavedInCall(i);
      ending_at_[i + 1].push_back({.begin = i, .end = i + 1, .bytes = bytes});
      whole = std::max(whole, bytes);
    }
    for (size_t begin = 0; begin < program_.calls.size(); ++begin) {
      const size_t longest = std::min(program_.calls.size(), begin + kLongestGroup);
      for (size_t end = begin + 1; end <= longest; ++end) {
        if (!program_.calls[end - 1].rows) break;
        if (end - begin < 2) continue;
        const auto schedule = MakeSchedule(program_, uses_, begin, end, 0);
        if (!schedule) continue;
        const Bytes bytes = BytesOf(*schedule, begin, end);
        if (bytes >= whole) continue;
        Segment segment{begin, end, bytes, {}, schedule->run_bytes};
        for (const StripPlan& strip : schedule->strips) {
          segment.strips.push_back({.height = strip.height,
                                    .width = strip.width,
                                    .members = static_cast<int32_t>(strip.calls.size()),
                                    .pixel_bytes = strip.pixel_bytes});
        }
        ending_at_[end].push_back(std::move(segment));
      }
    }
  }

  Tradeoff WithinLimit(Bytes limit) const {
    Tradeoff tradeoff;
    for (const Segment* segment : Fastest(limit)) {
      tradeoff.bytes = std::max(tradeoff.bytes, segment->bytes);
      tradeoff.kernel_calls += segment->KernelCalls(limit);
      if (segment->IsGroup()) tradeoff.fused_calls += segment->end - segment->begin;
    }
    return tradeoff;
  }

  Bytes LeastPeak() const {
    std::vector<Bytes> best(ending_at_.size(), std::numeric_limits<Bytes>::max());
    best[0] = 0;
    for (size_t end = 1; end < ending_at_.size(); ++end) {
      for (const Segment& s : ending_at_[end]) {
        best[end] = std::min(best[end], std::max(best[s.begin], s.bytes));
      }
    }
    return best.back();
  }

  // The segments of the fastest program that stays within the limit.
  std::vector<const Segment*> Fastest(Bytes limit) const {
    std::vector<std::optional<Cost>> costs(ending_at_.size());
    std::vector<const Segment*> last(ending_at_.size());
    costs[0] = Cost{};
    for (size_t end = 1; end < ending_at_.size(); ++end) {
      for (const Segment& s : ending_at_[end]) {
        if (s.bytes > limit || !costs[s.begin]) continue;
        Cost cost = *costs[s.begin];
        cost.kernel_calls += s.KernelCalls(limit);
        cost.fused_calls += s.IsGroup() ? s.end - s.begin : 0;
        if (costs[end] && !(cost < *costs[end])) continue;
        costs[end] = cost;
        last[end] = &s;
      }
    }
    std::vector<const Segment*> chosen;
    for (size_t end = ending_at_.size() - 1; end > 0; end = last[end]->begin) {
      chosen.push_back(last[end]);
    }
    std::ranges::reverse(chosen);
    return chosen;
  }

  // The schedule with the longest runs that stays within the limit.
  Schedule Roomiest(const Segment& segment, Bytes limit) const {
    Schedule schedule = *MakeSchedule(program_, uses_, segment.begin, segment.end, 0);
    const Bytes spare = limit - BytesOf(schedule, segment.begin, segment.end);
    if (spare <= 0) return schedule;
    const auto longer =
        MakeSchedule(program_, uses_, segment.begin, segment.end, schedule.run_bytes + spare);
    const bool fits = longer && BytesOf(*longer, segment.begin, segment.end) <= limit;
    return fits ? *longer : schedule;
  }

  const Program& program_;
  const ChooseOptions& options_;
  Uses uses_;
  std::vector<BufferId> planned_{};  // ascending
  // By call, and one more: bytes whose life begins, or ends, before it.
  std::vector<Bytes> begun_before_{}, ended_before_{};
  std::vector<std::vector<BufferId>> dying_in_{};  // by call: intermediate tensors last used there
  std::vector<std::vector<Segment>> ending_at_{};  // by end
};

}  // namespace

Choice ChooseGroups(const Program& program, const ChooseOptions& options) {
  return Chooser(program, options).Run();
}

std::vector<Tradeoff> FindTradeoffs(const Program& program, const ChooseOptions& options) {
  return Chooser(program, options).Tradeoffs();
}

}  // namespace usmp::stream
