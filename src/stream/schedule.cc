#include "stream/schedule.h"

#include <algorithm>
#include <limits>

namespace usmp::stream {
namespace {

using lower::Access;
using lower::Call;
using lower::Operand;
using lower::Program;
using lower::RowInput;
using lower::RowKind;

constexpr int32_t kFewestPixels = 2;  // of a run: convolutions compute neighbors in pairs
constexpr int32_t kMaxRows = std::numeric_limits<int16_t>::max();  // struct usmp_part, counters

// One reading operand.
struct Reader {
  size_t strip = 0;
  const RowInput* input = nullptr;
  bool is_in_last_member = false;  // of the strip
};

class Scheduler {
 public:
  Scheduler(const Program& program, const Uses& uses, size_t begin, size_t end)
      : program_(program), uses_(uses), begin_(begin), end_(end), strip_of_(end - begin) {}

  std::optional<Schedule> Run(Bytes run_room) {
    for (size_t i = begin_; i < end_; ++i) {
      if (!CanBeMember(i)) return std::nullopt;
    }
    if (!IsPut(CallAt(end_ - 1))) schedule_.output = OutputOf(CallAt(end_ - 1));
    FormStrips();
    FindReaders();
    if (!CollectNeeds()) return std::nullopt;
    for (const Outer& outer : outers_) {
      schedule_.inputs.push_back({outer.buffer, -program_[outer.buffer].size_bytes()});
    }
    ChooseRuns(run_room);
    Simulate();
    CountRings();
    return std::move(schedule_);
  }

 private:
  struct Outer {
    BufferId buffer{};
    std::vector<Reader> readers{};
  };

  const Call& CallAt(size_t i) const { return program_.calls[i]; }
  bool IsInside(size_t call) const { return call >= begin_ && call < end_; }
  static bool IsPut(const Call& call) {
    return call.transfer && call.operands[0].access == Access::kRead;
  }
  bool IsMade(BufferId id) const { return uses_[id].writer && IsInside(*uses_[id].writer); }

  // Everything but the last call's result must be made, used and forgotten inside.
  bool CanBeMember(size_t i) const {
    const Call& call = CallAt(i);
    if (!call.rows || call.rows->height > kMaxRows || call.rows->width > kMaxRows) return false;
    if (IsPut(call)) return i + 1 == end_ && ReadsWhatIsMade(call);
    if (std::ranges::count(call.operands, Access::kWrite, &Operand::access) != 1) return false;
    const BufferId output = OutputOf(call);
    if (uses_[output].writer != i) return false;
    const bool is_last = i + 1 == end_;
    if (!is_last && (program_[output].kind != BufferKind::kIntermediate ||
                     !IsInside(uses_[output].calls.back()) || uses_[output].calls.size() < 2)) {
      return false;
    }
    if (!is_last && call.rows->kind == RowKind::kSum) return false;
    return ReadsWhatIsMade(call) &&
           std::ranges::none_of(call.rows->inputs, [&](const RowInput& input) {
             return call.operands[input.operand].buffer == output;
           });
  }

  // The calls agree on the pixels of what they hand to each other.
  bool ReadsWhatIsMade(const Call& call) const {
    return std::ranges::all_of(call.rows->inputs, [&](const RowInput& input) {
      const BufferId buffer = *call.operands[input.operand].buffer;
      if (input.height > kMaxRows) return false;
      if (!IsMade(buffer)) return true;
      const lower::RowAccess& made = *CallAt(*uses_[buffer].writer).rows;
      return made.height == input.height && made.width == input.width;
    });
  }

  // The call that the result of call i is handed to pixel by pixel.
  std::optional<size_t> Taker(size_t i) const {
    if (i + 1 == end_ || CallAt(i).transfer) return std::nullopt;
    const BufferId output = OutputOf(CallAt(i));
    if (uses_[output].calls.size() != 2) return std::nullopt;
    const size_t taker = uses_[output].calls.back();
    const Call& call = CallAt(taker);
    const auto reads = [&](const RowInput& in) {
      return call.operands[in.operand].buffer == output;
    };
    const bool once = std::ranges::count_if(call.rows->inputs, reads) == 1;
    const bool takes_runs =
        call.rows->kind == RowKind::kPointwise || call.rows->kind == RowKind::kSum;
    return once && takes_runs ? std::optional(taker) : std::nullopt;
  }

  void FormStrips() {
    std::vector<size_t> root(end_ - begin_);
    for (size_t i = end_; i-- > begin_;) {
      const std::optional<size_t> taker = Taker(i);
      root[i - begin_] = taker ? root[*taker - begin_] : i;
    }
    for (size_t i = begin_; i < end_; ++i) {
      if (root[i - begin_] != i) continue;
      StripPlan strip{.height = CallAt(i).rows->height, .width = CallAt(i).rows->width};
      for (size_t member = begin_; member <= i; ++member) {
        if (root[member - begin_] != i) continue;
        strip_of_[member - begin_] = schedule_.strips.size();
        strip.calls.push_back(member);
      }
      LayOutRuns(strip);
      schedule_.strips.push_back(std::move(strip));
    }
  }

  // The member whose run an element-wise call may write its own over: it is the only one to read
  // it.
  std::optional<size_t> Overwritten(const StripPlan& strip, size_t call) const {
    for (const lower::CallOverlap& overlap : CallAt(call).overlaps) {
      if (!overlap.forward_distance || *overlap.forward_distance > 0) continue;
      if (!IsMade(overlap.input)) continue;
      const size_t writer = *uses_[overlap.input].writer;
      const auto member = std::ranges::lower_bound(strip.calls, writer);
      const bool is_member = member != strip.calls.end() && *member == writer && writer < call;
      if (is_member && PixelBytes(writer) == PixelBytes(call)) {
        return static_cast<size_t>(member - strip.calls.begin());
      }
    }
    return std::nullopt;
  }

  // Runs lie one after the other, those of wide elements first: that keeps them aligned.
  void LayOutRuns(StripPlan& strip) const {
    const size_t count = strip.calls.size() - 1;
    strip.run_begins.resize(count);
    std::vector<std::optional<size_t>> over(count);
    for (size_t i = 0; i < count; ++i) over[i] = Overwritten(strip, strip.calls[i]);
    for (const bool is_wide : {true, false}) {
      for (size_t i = 0; i < count; ++i) {
        const Bytes element = ElementBytes(program_[OutputOf(CallAt(strip.calls[i]))].element);
        if ((element > 1) != is_wide || over[i]) continue;
        strip.run_begins[i] = strip.pixel_bytes;
        strip.pixel_bytes += PixelBytes(strip.calls[i]);
      }
    }
    for (size_t i = 0; i < count; ++i) {
      if (over[i]) strip.run_begins[i] = strip.run_begins[*over[i]];
    }
  }

  Bytes RowBytes(size_t call) const {
    return program_[OutputOf(CallAt(call))].size_bytes() / CallAt(call).rows->height;
  }
  Bytes PixelBytes(size_t call) const { return RowBytes(call) / CallAt(call).rows->width; }

  void FindReaders() {
    readers_.resize(schedule_.strips.size());
    for (size_t i = begin_; i < end_; ++i) {
      const size_t strip = strip_of_[i - begin_];
      for (const RowInput& input : CallAt(i).rows->inputs) {
        const BufferId buffer = *CallAt(i).operands[input.operand].buffer;
        const Reader reader{strip, &input, schedule_.strips[strip].calls.back() == i};
        if (!IsMade(buffer)) {
          auto outer = std::ranges::find(outers_, buffer, &Outer::buffer);
          if (outer == outers_.end()) outer = outers_.insert(outers_.end(), {buffer});
          outer->readers.push_back(reader);
        } else if (const size_t maker = strip_of_[*uses_[buffer].writer - begin_]; maker != strip) {
          readers_[maker].push_back(reader);
        }
      }
    }
  }

  // False if a figure does not fit the tables.
  bool CollectNeeds() {
    bool fits = true;
    for (size_t maker = 0; maker < readers_.size(); ++maker) {
      for (const Reader& reader : readers_[maker]) {
        const RowInput& in = *reader.input;
        const int64_t lead = (in.kernel_h - 1) * int64_t{in.dilation_h} - in.pad_top;
        fits = fits && lead <= kMaxRows && lead >= -kMaxRows && in.stride_h <= kMaxRows;
        schedule_.needs.push_back({.consumer = static_cast<int32_t>(reader.strip),
                                   .producer = static_cast<int32_t>(maker),
                                   .rows = schedule_.strips[maker].height,
                                   .step = in.stride_h,
                                   .lead = static_cast<int32_t>(lead)});
      }
    }
    std::ranges::stable_sort(schedule_.needs, std::ranges::greater{}, &lower::RowNeed::consumer);
    return fits;
  }

  // The strip to run for the next row of the last one; the same walk as usmp_stream_next.
  size_t Next(const std::vector<int32_t>& made) const {
    size_t strip = schedule_.strips.size() - 1;
    for (const lower::RowNeed& need : schedule_.needs) {
      if (static_cast<size_t>(need.consumer) != strip) continue;
      const int64_t until = int64_t{made[strip]} * need.step + need.lead;
      const auto producer = static_cast<size_t>(need.producer);
      if (made[producer] <= std::min<int64_t>(until, need.rows - 1)) strip = producer;
    }
    return strip;
  }

  // The first row of the input that is read for row y of the reader.
  static int64_t FirstRow(const RowInput& in, int64_t y) {
    return std::max<int64_t>(0, y * in.stride_h - in.pad_top);
  }

  void Simulate() {
    std::vector<int32_t> made(schedule_.strips.size(), 0);
    const size_t last = made.size() - 1;
    while (made[last] < schedule_.strips[last].height) {
      const size_t strip = Next(made);
      if (strip == last) {
        const bool has_rows = schedule_.output && CallAt(end_ - 1).rows->kind != RowKind::kSum;
        if (has_rows) MeasureDistances(made);
      } else {
        int64_t first = made[strip];
        for (const Reader& reader : readers_[strip]) {
          if (made[reader.strip] >= schedule_.strips[reader.strip].height) continue;
          first = std::min(first, FirstRow(*reader.input, made[reader.strip]));
        }
        StripPlan& plan = schedule_.strips[strip];
        plan.ring_rows = std::max(plan.ring_rows, static_cast<int32_t>(made[strip] - first + 1));
      }
      ++made[strip];
    }
  }

  // The lowest byte of an input that is still to be read when the last strip writes pixels
  // [x, x_end) of its next row; absent: none.
  std::optional<Bytes> LowestRead(const Outer& outer, const std::vector<int32_t>& made, int64_t x,
                                  int64_t x_end) const {
    std::optional<Bytes> lowest;
    const Bytes size = program_[outer.buffer].size_bytes();
    for (const Reader& reader : outer.readers) {
      const RowInput& in = *reader.input;
      const Bytes row_bytes = size / in.height;
      const auto add = [&](int64_t y, int64_t column) {
        if (y >= schedule_.strips[reader.strip].height) return;
        const int64_t first = std::clamp<int64_t>(column * in.stride_w - in.pad_left, 0, in.width);
        const Bytes at = FirstRow(in, y) * row_bytes + first * (row_bytes / in.width);
        if (!lowest || at < *lowest) lowest = at;
      };
      const int64_t y = made[reader.strip];
      if (reader.strip + 1 < schedule_.strips.size()) {
        add(y, 0);
        continue;
      }
      const int64_t column = reader.is_in_last_member ? x : x_end;
      if (column < schedule_.strips.back().width) add(y, column);
      add(y + 1, 0);
    }
    return lowest;
  }

  void MeasureDistances(const std::vector<int32_t>& made) {
    const StripPlan& last = schedule_.strips.back();
    const Bytes pixel = PixelBytes(end_ - 1);
    for (int64_t x = 0; x < last.width; x += last.run_pixels) {
      const int64_t x_end = std::min<int64_t>(x + last.run_pixels, last.width);
      const Bytes written = (int64_t{made.back()} * last.width + x_end) * pixel;
      for (size_t i = 0; i < outers_.size(); ++i) {
        const std::optional<Bytes> lowest = LowestRead(outers_[i], made, x, x_end);
        Bytes& distance = schedule_.inputs[i].forward_distance;
        if (lowest) distance = std::max(distance, written - *lowest);
      }
    }
  }

  // Strips share the room for runs: one with small pixels takes as many as fit where the largest
  // has two.
  void ChooseRuns(Bytes room) {
    for (const StripPlan& strip : schedule_.strips) {
      room = std::max(room, strip.pixel_bytes * std::min(strip.width, kFewestPixels));
    }
    for (StripPlan& strip : schedule_.strips) {
      strip.run_pixels = RunPixels(strip.width, strip.pixel_bytes, room);
      schedule_.run_bytes = std::max(schedule_.run_bytes, strip.pixel_bytes * strip.run_pixels);
    }
  }

  void CountRings() {
    for (size_t i = 0; i < schedule_.strips.size(); ++i) {
      const StripPlan& strip = schedule_.strips[i];
      schedule_.ring_bytes += 2;
      if (i + 1 < schedule_.strips.size()) {
        schedule_.ring_bytes += strip.ring_rows * RowBytes(strip.calls.back());
      }
    }
    schedule_.ring_bytes += CallAt(end_ - 1).rows->sums * 4;
  }

  const Program& program_;
  const Uses& uses_;
  size_t begin_, end_;
  std::vector<size_t> strip_of_;                // by call - begin
  std::vector<std::vector<Reader>> readers_{};  // by strip: of its tensor
  std::vector<Outer> outers_{};
  Schedule schedule_{};
};

}  // namespace

Uses CollectUses(const Program& program) {
  Uses uses{std::vector<Uses::Use>(program.buffers.size())};
  std::vector<int> writers(program.buffers.size(), 0);
  for (size_t i = 0; i < program.calls.size(); ++i) {
    for (const Operand& operand : program.calls[i].operands) {
      if (!operand.buffer) continue;
      const auto id = static_cast<size_t>(*operand.buffer);
      Uses::Use& use = uses.of[id];
      if (use.calls.empty() || use.calls.back() != i) use.calls.push_back(i);
      if (operand.access == Access::kWrite) {
        use.writer = ++writers[id] == 1 ? std::optional(i) : std::nullopt;
      }
    }
  }
  return uses;
}

int32_t RunPixels(int32_t width, Bytes pixel_bytes, Bytes room) {
  room = std::max(room, pixel_bytes * std::min(width, kFewestPixels));
  if (pixel_bytes == 0 || width <= room / pixel_bytes) return width;
  const auto fitting = static_cast<int32_t>(room / pixel_bytes);
  const int32_t step = fitting >= 4 ? 4 : kFewestPixels;  // as many as kernels take at once
  // As few runs as that makes, of about the same length.
  const int32_t longest = fitting / step * step;
  const int32_t runs = (width + longest - 1) / longest;
  const int32_t pixels = (width + runs - 1) / runs;
  return std::min((pixels + step - 1) / step * step, width);
}

std::optional<Schedule> MakeSchedule(const Program& program, const Uses& uses, size_t begin,
                                     size_t end, Bytes run_room) {
  return Scheduler(program, uses, begin, end).Run(run_room);
}

}  // namespace usmp::stream
