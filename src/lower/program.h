// The program: how the model is computed. Kernel calls in order, over buffers; the only thing the
// emitter and the planner see. Scratch is an ordinary buffer: that is the word "unified" in USMP.
#ifndef USMP_LOWER_PROGRAM_H_
#define USMP_LOWER_PROGRAM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ir/graph.h"
#include "usmp/buffers.h"

namespace usmp::lower {

enum class ElementType : uint8_t { kInt8, kUInt8, kInt16, kInt32, kInt64, kFloat32 };
const char* CType(ElementType type);  // "int8_t", "float"
Bytes ElementBytes(ElementType type);
ElementType ElementTypeOf(ir::DType type);  // how a tensor of that type lies in memory

struct Buffer {
  std::string name{};  // for people: a tensor's name, "scratch of op 3"; not unique
  BufferKind kind = BufferKind::kIntermediate;
  ElementType element = ElementType::kInt8;
  int64_t count = 0;            // elements, > 0 in everything that is planned
  std::vector<uint8_t> data{};  // a constant's bytes, little-endian; else empty
  Bytes descriptor_bytes = 0;   // of an input or output: kept free right before it, for good
  std::vector<int32_t>
      source_tensors{};  // indices in the model file of the tensors that live in it

  Bytes size_bytes() const { return count * ElementBytes(element); }
  // Constants start at whole words, where kernels can load several elements at once.
  Bytes alignment() const {
    const Bytes natural = ElementBytes(element);
    return kind == BufferKind::kConstant && natural < 4 ? 4 : natural;
  }
};

enum class Access : uint8_t { kRead, kWrite, kScratch };

// One pointer argument of a kernel. Absent optional operands are passed as NULL.
struct Operand {
  std::optional<BufferId> buffer{};
  Access access = Access::kRead;
};

// One member of the kernel's parameter struct.
using ParamValue = std::variant<int64_t, float, std::vector<int64_t>>;
struct Param {
  std::string name{};
  ParamValue value{};
};

// How far an input that dies in the call may share bytes with an output: the least legal distances,
// bytes, for either direction in which the kernel can scan; they may be negative.
//
//     forward:  offset(input) - offset(output) >= forward_distance
//     reverse:  end(output)   - end(input)     >= reverse_distance
//
// Absent: the kernel cannot scan in that direction, or then reads what it has overwritten wherever
// the two share a byte.
struct CallOverlap {
  BufferId input{};
  BufferId output{};
  std::optional<Bytes> forward_distance{};
  std::optional<Bytes> reverse_distance{};
};

// What output pixel (y, x) of a call that can run row by row reads of an input: rows y * stride_h -
// pad_top, kernel_h of them, dilation_h apart; no column left of x * stride_w - pad_left.
struct RowInput {
  size_t operand = 0;             // index into Call::operands
  int32_t height = 1, width = 1;  // pixels of the input
  int32_t kernel_h = 1, stride_h = 1, dilation_h = 1, pad_top = 0;
  int32_t stride_w = 1, pad_left = 0;
};

enum class RowKind : uint8_t {
  kPointwise,  // pixel (y, x) of each input: the kernel itself runs over any number of pixels
  kWindow,     // usmp_<kernel>_part computes a part of a row from a ring of rows
  kSum,        // usmp_<kernel>_begin_sums, _add_pixels, _end_sums: one output for all pixels
  kTransfer,   // a whole row from, or to, a function of the caller
};

// How a call, of one image, can run row by row.
struct RowAccess {
  RowKind kind = RowKind::kPointwise;
  int32_t height = 1, width = 1;   // pixels of the output; kSum: of the input
  std::vector<RowInput> inputs{};  // every operand that is read and is not a constant
  // kPointwise: parameters that count something, or their last member; each as so many for a pixel.
  std::vector<std::pair<std::string, int64_t>> per_pixel{};
  int64_t sums = 0;  // kSum: accumulators, int32_t or float like the input
};

struct Group;

// What the function is told of one tensor.
struct OperandInfo {
  bool is_present = false;
  ElementType element = ElementType::kInt8;
  std::vector<int32_t> shape{};
  std::vector<float> scales{};
  std::vector<int32_t> zero_points{};
  int32_t channel_dimension = 0;
};

// A call of a function of the application; see runtime/usmp_offload.h. The operands of the call are
// the operator's inputs, then its outputs, then scratch if there is any.
struct OffloadedCall {
  std::string function{}, target{};
  std::string name{};  // of the operator: "CUSTOM:MyOp"
  int32_t index = 0;   // in the model
  std::vector<OperandInfo> inputs{}, outputs{};
  std::vector<uint8_t> options{};
  std::optional<ir::Window2d> window{};
  ir::Activation activation = ir::Activation::kNone;
  Bytes scratch_bytes = 0;
};

// A call of the C function usmp_<kernel>, which lives in runtime/kernels/<kernel>.h:
//
//     static const struct usmp_<kernel>_params p = { .name = value, ... };
//     usmp_<kernel>(&p, operand, operand, ...);
//
// A call is one step of the schedule.
struct Call {
  std::string kernel{};         // "conv2d_s8"
  std::string operator_name{};  // "CONV_2D"
  std::string label{};          // "op 3 CONV_2D 'block1/conv'": for comments and diagnostics
  std::vector<Param> params{};
  std::vector<Operand> operands{};  // in the order of the C function's parameters
  // For each input that may share bytes with an output, whether or not it dies here. A kernel with
  // a reverse_distance has a parameter "reverse".
  std::vector<CallOverlap> overlaps{};
  std::optional<RowAccess> rows{};  // absent: only as a whole
  // Of RowKind::kTransfer, of which kernel and params are empty: the input or output whose rows it
  // is about, wherever the operand's buffer is.
  std::optional<BufferId> transfer{};
  // Calls that run row by row as this one step, of which kernel and params are then empty. Shared
  // because a program is copied, and never changed.
  std::shared_ptr<const Group> group{};
  // Set where the application computes it: `kernel` is then its function, which has no params.
  std::shared_ptr<const OffloadedCall> offloaded{};
};

// Where a tensor operand of a member lies: row r at row r modulo ring_rows of its buffer. 0: at
// byte `begin` of its buffer, which strips share, lies nothing but the run of pixels in hand.
struct RowPlace {
  ElementType element = ElementType::kInt8;
  int32_t ring_rows = 0;
  Bytes begin = 0;
  Bytes row_bytes = 0, pixel_bytes = 0;
};

struct Member {
  Call call{};
  std::vector<std::optional<RowPlace>> places{};  // by operand; absent: constants, scratch
  std::optional<BufferId> sums{};                 // RowKind::kSum
};

// Members that run one after the other on each run of pixels of a row; the last one makes a row of
// the strip's tensor.
struct Strip {
  std::vector<Member> members{};
  int32_t height = 1, width = 1;  // pixels
  int32_t run_pixels = 1;
};

// Row y of strip `consumer` needs rows 0 to y * step + lead, as far as there are so many, of the
// tensor of strip `producer`, which has `rows` rows.
struct RowNeed {
  int32_t consumer = 0, producer = 0;
  int32_t rows = 1, step = 1, lead = 0;
};

// A producer has a lower index than its consumers; the last strip makes the group's output.
struct Group {
  std::vector<Strip> strips{};
  std::vector<RowNeed> needs{};  // by consumer, descending
  std::optional<BufferId>
      made{};  // scratch: how many rows of each of several strips exist, int16_t
};

// The buffer that a call with one result writes.
BufferId OutputOf(const Call& call);

// The calls of a group, in the order of strips; none of an ordinary call.
std::vector<const Call*> MembersOf(const Call& call);

struct Program {
  std::string name{};
  std::vector<Buffer> buffers{};  // by BufferId
  std::vector<Call> calls{};
  std::vector<BufferId> inputs{};   // in the model's order, kind kInput
  std::vector<BufferId> outputs{};  // in the model's order, kind kOutput, all distinct

  Buffer& operator[](BufferId id) { return buffers[static_cast<size_t>(id)]; }
  const Buffer& operator[](BufferId id) const { return buffers[static_cast<size_t>(id)]; }
};

}  // namespace usmp::lower

#endif  // USMP_LOWER_PROGRAM_H_
