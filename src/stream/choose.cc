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

// Calls [begin, end) as one step.
struct Segment {
  size_t begin = 0, end = 0;
  Bytes bytes = 0;  // alive while it runs
};

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
    const std::vector<Segment> chosen = FewestFused(limit);
    Choice choice;
    choice.program = program_;
    choice.program.calls.clear();
    for (const Segment& segment : chosen) {
      const size_t at = choice.program.calls.size();
      if (segment.end - segment.begin == 1) {
        choice.program.calls.push_back(program_.calls[segment.begin]);
        Raise(choice.peak, segment.bytes, choice.program.calls[at]);
        continue;
      }
      choice.fused_calls += segment.end - segment.begin;
      const Schedule schedule = Roomiest(segment, limit);
      choice.program.calls.push_back(
          FormGroup(program_, schedule, segment.begin, segment.end, choice.program));
      Raise(choice.peak, segment.bytes, choice.program.calls[at]);
    }
    for (size_t i = 0; i < program_.calls.size(); ++i) {
      Raise(choice.whole, ending_at_[i + 1].front().bytes, program_.calls[i]);
    }
    return choice;
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
      ending_at_[i + 1].push_back({i, i + 1, bytes});
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
        if (bytes < whole) ending_at_[end].push_back({begin, end, bytes});
      }
    }
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

  // The segments of a program that stays within the limit with the fewest calls in groups.
  std::vector<Segment> FewestFused(Bytes limit) const {
    constexpr size_t kNever = std::numeric_limits<size_t>::max();
    std::vector<size_t> fused(ending_at_.size(), kNever);
    std::vector<Segment> last(ending_at_.size());
    fused[0] = 0;
    for (size_t end = 1; end < ending_at_.size(); ++end) {
      for (const Segment& s : ending_at_[end]) {
        if (s.bytes > limit || fused[s.begin] == kNever) continue;
        const size_t length = s.end - s.begin;
        const size_t sum = fused[s.begin] + (length == 1 ? 0 : length);
        if (sum >= fused[end]) continue;
        fused[end] = sum;
        last[end] = s;
      }
    }
    std::vector<Segment> chosen;
    for (size_t end = ending_at_.size() - 1; end > 0; end = last[end].begin) {
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

}  // namespace usmp::stream
