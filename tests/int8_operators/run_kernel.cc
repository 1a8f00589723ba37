#include "int8_operators/run_kernel.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <variant>

#include "kernels/add_s8.h"
#include "kernels/average_pool_s8.h"
#include "kernels/concatenate.h"
#include "kernels/copy.h"
#include "kernels/dequantize_s8_f32.h"
#include "kernels/lookup_s8.h"
#include "kernels/max_pool_s8.h"
#include "kernels/mean_s8.h"
#include "kernels/mul_s8.h"
#include "kernels/pad_s8.h"
#include "kernels/quantize_f32_s8.h"
#include "kernels/rescale_s8.h"
#include "kernels/softmax_s8.h"
#include "kernels/strided_copy.h"
#include "kernels/weighted_sum_s8.h"

namespace usmp::testing {
namespace {

// Hands out a call's parameters by name, each once.
class Params {
 public:
  explicit Params(const lower::Call& call) : call_(call) {}
  ~Params() { EXPECT_EQ(taken_, call_.params.size()) << call_.kernel; }
  Params(const Params&) = delete;
  Params& operator=(const Params&) = delete;

  void Take(const char* name, int32_t& member) {
    const int64_t value = Get<int64_t>(name);
    member = static_cast<int32_t>(value);
    EXPECT_EQ(member, value) << call_.kernel << "." << name;
  }
  void Take(const char* name, float& member) { member = Get<float>(name); }
  template <size_t kSize>
  void Take(const char* name, int32_t (&member)[kSize]) {
    const auto values = Get<std::vector<int64_t>>(name);
    ASSERT_EQ(values.size(), kSize) << call_.kernel << "." << name;
    for (size_t i = 0; i < kSize; ++i) member[i] = static_cast<int32_t>(values[i]);
  }

 private:
  template <class T>
  T Get(const char* name) {
    for (const lower::Param& param : call_.params) {
      if (param.name != name) continue;
      ++taken_;
      EXPECT_TRUE(std::holds_alternative<T>(param.value)) << call_.kernel << "." << name;
      return std::holds_alternative<T>(param.value) ? std::get<T>(param.value) : T{};
    }
    ADD_FAILURE() << call_.kernel << " lacks " << name;
    return T{};
  }

  const lower::Call& call_;
  size_t taken_ = 0;
};

using Pointers = std::vector<void*>;

void AddS8(const lower::Call& call, const Pointers& pointers) {
  usmp_add_s8_params p{};
  Params params(call);
  params.Take("count", p.count);
  params.Take("a_stride", p.a_stride);
  params.Take("b_stride", p.b_stride);
  params.Take("a_zero_point", p.a_zero_point);
  params.Take("b_zero_point", p.b_zero_point);
  params.Take("out_zero_point", p.out_zero_point);
  params.Take("a_multiplier", p.a_multiplier);
  params.Take("a_shift", p.a_shift);
  params.Take("b_multiplier", p.b_multiplier);
  params.Take("b_shift", p.b_shift);
  params.Take("b_sign", p.b_sign);
  params.Take("out_multiplier", p.out_multiplier);
  params.Take("out_shift", p.out_shift);
  params.Take("act_min", p.act_min);
  params.Take("act_max", p.act_max);
  usmp_add_s8(&p, static_cast<const int8_t*>(pointers[0]), static_cast<const int8_t*>(pointers[1]),
              static_cast<int8_t*>(pointers[2]));
}

void AveragePoolS8(const lower::Call& call, const Pointers& pointers) {
  usmp_average_pool_s8_params p{};
  Params params(call);
  params.Take("batches", p.batches);
  params.Take("in_h", p.in_h);
  params.Take("in_w", p.in_w);
  params.Take("out_h", p.out_h);
  params.Take("out_w", p.out_w);
  params.Take("channels", p.channels);
  params.Take("in_pixel_stride", p.in_pixel_stride);
  params.Take("out_pixel_stride", p.out_pixel_stride);
  params.Take("kernel_h", p.kernel_h);
  params.Take("kernel_w", p.kernel_w);
  params.Take("stride_h", p.stride_h);
  params.Take("stride_w", p.stride_w);
  params.Take("pad_top", p.pad_top);
  params.Take("pad_left", p.pad_left);
  params.Take("act_min", p.act_min);
  params.Take("act_max", p.act_max);
  params.Take("reverse", p.reverse);
  usmp_average_pool_s8(&p, static_cast<const int8_t*>(pointers[0]), pointers[1],
                       static_cast<int8_t*>(pointers[2]));
}

void Concatenate(const lower::Call& call, const Pointers& pointers) {
  usmp_concatenate_params p{};
  Params params(call);
  params.Take("rows", p.rows);
  params.Take("in_row_bytes", p.in_row_bytes);
  params.Take("out_row_bytes", p.out_row_bytes);
  params.Take("out_offset", p.out_offset);
  usmp_concatenate(&p, pointers[0], pointers[1]);
}

void Copy(const lower::Call& call, const Pointers& pointers) {
  usmp_copy_params p{};
  Params params(call);
  params.Take("bytes", p.bytes);
  usmp_copy(&p, pointers[0], pointers[1]);
}

void DequantizeS8F32(const lower::Call& call, const Pointers& pointers) {
  usmp_dequantize_s8_f32_params p{};
  Params params(call);
  params.Take("count", p.count);
  params.Take("scale", p.scale);
  params.Take("zero_point", p.zero_point);
  params.Take("in_flip", p.in_flip);
  usmp_dequantize_s8_f32(&p, pointers[0], static_cast<float*>(pointers[1]));
}

void LookupS8(const lower::Call& call, const Pointers& pointers) {
  usmp_lookup_s8_params p{};
  Params params(call);
  params.Take("count", p.count);
  usmp_lookup_s8(&p, pointers[0], static_cast<const int8_t*>(pointers[1]), pointers[2]);
}

void MaxPoolS8(const lower::Call& call, const Pointers& pointers) {
  usmp_max_pool_s8_params p{};
  Params params(call);
  params.Take("batches", p.batches);
  params.Take("in_h", p.in_h);
  params.Take("in_w", p.in_w);
  params.Take("out_h", p.out_h);
  params.Take("out_w", p.out_w);
  params.Take("channels", p.channels);
  params.Take("in_pixel_stride", p.in_pixel_stride);
  params.Take("out_pixel_stride", p.out_pixel_stride);
  params.Take("kernel_h", p.kernel_h);
  params.Take("kernel_w", p.kernel_w);
  params.Take("stride_h", p.stride_h);
  params.Take("stride_w", p.stride_w);
  params.Take("pad_top", p.pad_top);
  params.Take("pad_left", p.pad_left);
  params.Take("act_min", p.act_min);
  params.Take("act_max", p.act_max);
  params.Take("reverse", p.reverse);
  usmp_max_pool_s8(&p, static_cast<const int8_t*>(pointers[0]), pointers[1],
                   static_cast<int8_t*>(pointers[2]));
}

void MeanS8(const lower::Call& call, const Pointers& pointers) {
  usmp_mean_s8_params p{};
  Params params(call);
  params.Take("kept_count", p.kept_count);
  params.Take("kept_stride", p.kept_stride);
  params.Take("run", p.run);
  params.Take("reduced_count", p.reduced_count);
  params.Take("reduced_stride", p.reduced_stride);
  params.Take("offset", p.offset);
  params.Take("multiplier", p.multiplier);
  params.Take("shift", p.shift);
  params.Take("out_zero_point", p.out_zero_point);
  usmp_mean_s8(&p, static_cast<const int8_t*>(pointers[0]), static_cast<int8_t*>(pointers[1]));
}

void MulS8(const lower::Call& call, const Pointers& pointers) {
  usmp_mul_s8_params p{};
  Params params(call);
  params.Take("count", p.count);
  params.Take("a_stride", p.a_stride);
  params.Take("b_stride", p.b_stride);
  params.Take("a_zero_point", p.a_zero_point);
  params.Take("b_zero_point", p.b_zero_point);
  params.Take("out_zero_point", p.out_zero_point);
  params.Take("multiplier", p.multiplier);
  params.Take("shift", p.shift);
  params.Take("act_min", p.act_min);
  params.Take("act_max", p.act_max);
  usmp_mul_s8(&p, static_cast<const int8_t*>(pointers[0]), static_cast<const int8_t*>(pointers[1]),
              static_cast<int8_t*>(pointers[2]));
}

void PadS8(const lower::Call& call, const Pointers& pointers) {
  usmp_pad_s8_params p{};
  Params params(call);
  params.Take("in_count", p.in_count);
  params.Take("before", p.before);
  params.Take("after", p.after);
  params.Take("value", p.value);
  usmp_pad_s8(&p, static_cast<const int8_t*>(pointers[0]), static_cast<int8_t*>(pointers[1]));
}

void QuantizeF32S8(const lower::Call& call, const Pointers& pointers) {
  usmp_quantize_f32_s8_params p{};
  Params params(call);
  params.Take("count", p.count);
  params.Take("scale", p.scale);
  params.Take("zero_point", p.zero_point);
  params.Take("out_flip", p.out_flip);
  usmp_quantize_f32_s8(&p, static_cast<const float*>(pointers[0]), pointers[1]);
}

void RescaleS8(const lower::Call& call, const Pointers& pointers) {
  usmp_rescale_s8_params p{};
  Params params(call);
  params.Take("count", p.count);
  params.Take("multiplier", p.multiplier);
  params.Take("offset", p.offset);
  params.Take("shift", p.shift);
  params.Take("min", p.min);
  params.Take("max", p.max);
  params.Take("in_flip", p.in_flip);
  params.Take("out_flip", p.out_flip);
  usmp_rescale_s8(&p, pointers[0], pointers[1]);
}

void SoftmaxS8(const lower::Call& call, const Pointers& pointers) {
  usmp_softmax_s8_params p{};
  Params params(call);
  params.Take("rows", p.rows);
  params.Take("depth", p.depth);
  params.Take("exp_count", p.exp_count);
  usmp_softmax_s8(&p, static_cast<const int8_t*>(pointers[0]),
                  static_cast<const int32_t*>(pointers[1]), static_cast<int8_t*>(pointers[2]));
}

void StridedCopy(const lower::Call& call, const Pointers& pointers) {
  usmp_strided_copy_params p{};
  Params params(call);
  params.Take("count", p.count);
  params.Take("stride", p.stride);
  params.Take("offset", p.offset);
  params.Take("run_bytes", p.run_bytes);
  usmp_strided_copy(&p, pointers[0], pointers[1]);
}

void WeightedSumS8(const lower::Call& call, const Pointers& pointers) {
  usmp_weighted_sum_s8_params p{};
  Params params(call);
  params.Take("count", p.count);
  params.Take("a_stride", p.a_stride);
  params.Take("b_stride", p.b_stride);
  params.Take("a_multiplier", p.a_multiplier);
  params.Take("b_multiplier", p.b_multiplier);
  params.Take("offset", p.offset);
  params.Take("shift", p.shift);
  params.Take("act_min", p.act_min);
  params.Take("act_max", p.act_max);
  usmp_weighted_sum_s8(&p, static_cast<const int8_t*>(pointers[0]),
                       static_cast<const int8_t*>(pointers[1]), static_cast<int8_t*>(pointers[2]));
}

}  // namespace

void RunKernel(const lower::Call& call, const std::vector<void*>& pointers) {
  static const std::map<std::string, void (*)(const lower::Call&, const Pointers&)> kKernels = {
      {"add_s8", AddS8},
      {"average_pool_s8", AveragePoolS8},
      {"concatenate", Concatenate},
      {"copy", Copy},
      {"dequantize_s8_f32", DequantizeS8F32},
      {"lookup_s8", LookupS8},
      {"max_pool_s8", MaxPoolS8},
      {"mean_s8", MeanS8},
      {"mul_s8", MulS8},
      {"pad_s8", PadS8},
      {"quantize_f32_s8", QuantizeF32S8},
      {"rescale_s8", RescaleS8},
      {"softmax_s8", SoftmaxS8},
      {"strided_copy", StridedCopy},
      {"weighted_sum_s8", WeightedSumS8},
  };
  const auto found = kKernels.find(call.kernel);
  ASSERT_NE(found, kKernels.end()) << call.kernel;
  found->second(call, pointers);
}

}  // namespace usmp::testing
