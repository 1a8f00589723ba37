#include "overlap/replay.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "usmp_stream.h"

namespace usmp::testing {
namespace {

using lower::Access;
using lower::Call;
using lower::Member;
using lower::Operand;
using lower::RowInput;
using lower::RowKind;
using lower::RowPlace;
using lower::Strip;

// Byte `index` of a tensor, which may have no byte there any more: rings keep some rows.
struct Cell {
  std::optional<BufferId> buffer{};
  Bytes index = 0;
};

// A run of pixels of row y.
struct PixelRun {
  int64_t y = 0, x = 0, x_end = 0;
};

class Replayer {
 public:
  Replayer(const lower::Program& program,
           std::span<const std::optional<PoolAllocation>> allocations)
      : program_(program), allocations_(allocations) {
    Bytes bytes = 0;
    for (size_t i = 0; i < program.buffers.size(); ++i) {
      const auto id = static_cast<BufferId>(i);
      if (IsPlanned(id)) bytes = std::max(bytes, Begin(id) + program[id].size_bytes());
    }
    memory_.resize(static_cast<size_t>(bytes));
  }

  std::optional<std::string> Run() {
    for (BufferId id : program_.inputs) WriteAll(id);
    for (const Call& call : program_.calls) {
      call_ = &call;
      call.group ? RunGroup(*call.group) : RunWhole(call);
    }
    call_ = nullptr;
    for (BufferId id : program_.outputs) ReadAll(id);
    return std::move(failure_);
  }

 private:
  bool IsPlanned(BufferId id) const {
    return allocations_[static_cast<size_t>(id)] && program_[id].kind != BufferKind::kConstant;
  }
  Bytes Begin(BufferId id) const { return allocations_[static_cast<size_t>(id)]->byte_offset; }
  Cell& At(BufferId id, Bytes offset) { return memory_[static_cast<size_t>(Begin(id) + offset)]; }

  void Fail(BufferId id, Bytes index, const std::string& why) {
    if (failure_) return;
    failure_ = (call_ ? call_->label : "the caller") + ": byte " + std::to_string(index) + " of '" +
               program_[id].name + "' " + why;
  }

  // Bytes [index, index + bytes) of a tensor, which begin `offset` bytes after the buffer.
  void Write(BufferId id, Bytes offset, Bytes index, Bytes bytes) {
    if (!IsPlanned(id)) return;
    for (Bytes i = 0; i < bytes; ++i) At(id, offset + i) = {id, index + i};
  }
  void Read(BufferId id, Bytes offset, Bytes index, Bytes bytes) {
    if (!IsPlanned(id)) return;
    for (Bytes i = 0; i < bytes; ++i) {
      const Cell& cell = At(id, offset + i);
      if (cell.buffer == id && cell.index == index + i) continue;
      const bool is_same = cell.buffer == id || !cell.buffer;
      Fail(id, index + i,
           is_same ? "is not there" : "is under '" + program_[*cell.buffer].name + "'");
      return;
    }
  }
  void WriteAll(BufferId id) { Write(id, 0, 0, program_[id].size_bytes()); }
  void ReadAll(BufferId id) { Read(id, 0, 0, program_[id].size_bytes()); }

  void RunWhole(const Call& call) {
    for (const Operand& operand : call.operands) {
      if (operand.buffer && operand.access == Access::kScratch) WriteAll(*operand.buffer);
    }
    for (const Operand& operand : call.operands) {
      if (operand.buffer && operand.access == Access::kRead) ReadAll(*operand.buffer);
    }
    const auto reverse = std::ranges::find(call.params, "reverse", &lower::Param::name);
    const bool is_reverse =
        reverse != call.params.end() && reverse->value == lower::ParamValue(int64_t{1});
    for (const Operand& operand : call.operands) {
      if (operand.buffer && operand.access == Access::kWrite) {
        Scan(call, *operand.buffer, is_reverse);
      }
    }
  }

  // Writes a call's output byte by byte in the direction in which it scans.
  void Scan(const Call& call, BufferId output, bool is_reverse) {
    if (!IsPlanned(output)) return;
    const Bytes size = program_[output].size_bytes();
    for (Bytes step = 0; step < size; ++step) {
      const Bytes o = is_reverse ? size - 1 - step : step;
      Cell& cell = At(output, o);
      if (cell.buffer) CheckOverwritten(call, cell, output, step, is_reverse);
      cell = {output, o};
    }
  }

  // Whether the call is done with the byte when it writes byte `step`, in scan order, of the
  // output.
  void CheckOverwritten(const Call& call, const Cell& cell, BufferId output, Bytes step,
                        bool is_reverse) {
    const auto operand = std::ranges::find(call.operands, cell.buffer, &Operand::buffer);
    if (operand == call.operands.end() || cell.buffer == output) return;
    const std::string why = "is overwritten by '" + program_[output].name + "'";
    const auto overlap = std::ranges::find_if(call.overlaps, [&](const lower::CallOverlap& o) {
      return o.input == cell.buffer && o.output == output;
    });
    if (operand->access != Access::kRead || overlap == call.overlaps.end()) {
      return Fail(*cell.buffer, cell.index, why);
    }
    const auto& distance = is_reverse ? overlap->reverse_distance : overlap->forward_distance;
    const Bytes read =  // in scan order
        is_reverse ? program_[*cell.buffer].size_bytes() - 1 - cell.index : cell.index;
    if (!distance || read > step - *distance) Fail(*cell.buffer, cell.index, why);
  }

  void RunGroup(const lower::Group& group) {
    const size_t last = group.strips.size() - 1;
    std::vector<usmp_stream_need> needs;
    for (const lower::RowNeed& need : group.needs) {
      needs.push_back({static_cast<int16_t>(need.consumer), static_cast<int16_t>(need.producer),
                       static_cast<int16_t>(need.rows), static_cast<int16_t>(need.step),
                       static_cast<int16_t>(need.lead)});
    }
    std::vector<int16_t> made(group.strips.size(), 0);
    const std::optional<BufferId> sums = group.strips[last].members.back().sums;
    if (group.made) WriteAll(*group.made);
    if (sums) WriteAll(*sums);
    while (made[last] < group.strips[last].height) {
      if (group.made) ReadAll(*group.made);
      const auto strip =
          static_cast<size_t>(usmp_stream_next(needs.data(), static_cast<int32_t>(needs.size()),
                                               static_cast<int32_t>(last), made.data()));
      RunRow(group.strips[strip], made[strip]++);
    }
    if (!sums) return;
    ReadAll(*sums);
    WriteAll(OutputOf(group.strips[last].members.back().call));
  }

  void RunRow(const Strip& strip, int64_t y) {
    for (int64_t x = 0; x < strip.width; x += strip.run_pixels) {
      const PixelRun run{y, x, std::min<int64_t>(x + strip.run_pixels, strip.width)};
      for (const Member& member : strip.members) {
        ReadInputs(member, run);
        if (member.sums) {
          ReadAll(*member.sums);
          continue;
        }
        WritePixels(member, run);
        // A member may write its first pixel when it has read no other yet.
        ReadInputs(member, run);
      }
    }
  }

  void WritePixels(const Member& member, const PixelRun& run) {
    for (size_t i = 0; i < member.call.operands.size(); ++i) {
      const Operand& operand = member.call.operands[i];
      if (operand.access != Access::kWrite) continue;
      const RowPlace& place = *member.places[i];
      const Bytes column = run.x * place.pixel_bytes;
      const Bytes offset =
          place.ring_rows == 0 ? place.begin : run.y % place.ring_rows * place.row_bytes + column;
      Write(*operand.buffer, offset, run.y * place.row_bytes + column,
            (run.x_end - run.x) * place.pixel_bytes);
    }
  }

  void ReadInputs(const Member& member, const PixelRun& run) {
    for (const RowInput& in : member.call.rows->inputs) {
      const BufferId buffer = *member.call.operands[in.operand].buffer;
      const RowPlace& place = *member.places[in.operand];
      if (place.ring_rows == 0) {
        Read(buffer, place.begin, run.y * place.row_bytes + run.x * place.pixel_bytes,
             (run.x_end - run.x) * place.pixel_bytes);
        continue;
      }
      const Bytes column = std::clamp<int64_t>(run.x * in.stride_w - in.pad_left, 0, in.width);
      for (int32_t k = 0; k < in.kernel_h; ++k) {
        const int64_t row = run.y * in.stride_h - in.pad_top + k * in.dilation_h;
        if (row < 0 || row >= in.height) continue;
        const Bytes begin = column * place.pixel_bytes;
        Read(buffer, row % place.ring_rows * place.row_bytes + begin, row * place.row_bytes + begin,
             place.row_bytes - begin);
      }
    }
  }

  const lower::Program& program_;
  std::span<const std::optional<PoolAllocation>> allocations_;
  std::vector<Cell> memory_{};
  const Call* call_ = nullptr;
  std::optional<std::string> failure_{};
};

}  // namespace

std::optional<std::string> Replay(const lower::Program& program,
                                  std::span<const std::optional<PoolAllocation>> allocations) {
  return Replayer(program, allocations).Run();
}

}  // namespace usmp::testing
