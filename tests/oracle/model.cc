#include "oracle/model.h"

#include <cstring>

namespace usmp::oracle {

int64_t Size(Type type) { return type == Type::kFloat32 || type == Type::kInt32 ? 4 : 1; }

int64_t Count(const Tensor& tensor) {
  int64_t count = 1;
  for (int32_t dimension : tensor.shape) count *= dimension;
  return count;
}

int64_t Bytes(const Tensor& tensor) { return Count(tensor) * Size(tensor.type); }

std::vector<int32_t> Ints(const Tensor& tensor, const Data& data) {
  std::vector<int32_t> values;
  if (tensor.type == Type::kInt32) {
    values.resize(data.size() / 4);
    if (!data.empty()) std::memcpy(values.data(), data.data(), data.size());
    return values;
  }
  for (uint8_t byte : data) {
    values.push_back(tensor.type == Type::kInt8 ? static_cast<int8_t>(byte) : byte);
  }
  return values;
}

std::vector<float> Floats(const Data& data) {
  std::vector<float> values(data.size() / 4);
  if (!data.empty()) std::memcpy(values.data(), data.data(), data.size());
  return values;
}

Data FromInts(const Tensor& tensor, const std::vector<int32_t>& values) {
  Data data;
  if (tensor.type == Type::kInt32) {
    data.resize(values.size() * 4);
    if (!data.empty()) std::memcpy(data.data(), values.data(), data.size());
    return data;
  }
  for (int32_t value : values) data.push_back(static_cast<uint8_t>(value));
  return data;
}

Data FromFloats(const std::vector<float>& values) {
  Data data(values.size() * 4);
  if (!data.empty()) std::memcpy(data.data(), values.data(), data.size());
  return data;
}

}  // namespace usmp::oracle
