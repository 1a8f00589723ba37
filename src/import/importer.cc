#include "import/importer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "import/tflite/tflite_import.h"

namespace usmp::import {
namespace {

bool StartsWith(std::span<const uint8_t> bytes, std::string_view magic) {
  return bytes.size() >= magic.size() &&
         std::equal(magic.begin(), magic.end(), bytes.begin(),
                    [](char a, uint8_t b) { return static_cast<uint8_t>(a) == b; });
}

// A protocol buffer whose first field is number 1, a small varint (ir_version), as ONNX files
// begin.
bool LooksLikeOnnx(std::span<const uint8_t> bytes) {
  if (bytes.size() < 4 || bytes[0] != 0x08 || bytes[1] == 0 || bytes[1] > 0x20) return false;
  // Next: producer name, version, domain, graph, opset or metadata.
  constexpr uint8_t kNextTags[] = {0x12, 0x1A, 0x22, 0x28, 0x32, 0x3A, 0x42, 0x72};
  return std::ranges::find(kNextTags, bytes[2]) != std::end(kNextTags);
}

bool LooksLikeText(std::span<const uint8_t> bytes) {
  return std::ranges::all_of(bytes.first(std::min<size_t>(bytes.size(), 512)), [](uint8_t b) {
    return b >= 0x20 || b == '\n' || b == '\r' || b == '\t';
  });
}

std::string WhatItIs(std::span<const uint8_t> bytes) {
  constexpr std::string_view kWanted = "; a .tflite file is needed";
  struct Magic {
    std::string_view bytes{}, what{};
  };
  using namespace std::string_view_literals;
  constexpr Magic kMagics[] = {
      {"\x89HDF"sv, "is an HDF5 file, such as Keras writes: convert it to TensorFlow Lite first"sv},
      {"PK\x03\x04"sv,
       "is a zip archive (.keras, .pt or a packed folder): a model has to be "
       "taken out of it, or converted to TensorFlow Lite, first"sv},
      {"\x1F\x8B"sv, "is compressed with gzip: unpack it first"sv},
      {"\x7F"
       "ELF"sv,
       "is a program or object file"sv},
  };
  for (const Magic& magic : kMagics) {
    if (StartsWith(bytes, magic.bytes)) return std::string(magic.what) + std::string(kWanted);
  }
  if (LooksLikeOnnx(bytes)) {
    return "is an ONNX model; ONNX models are not supported yet: convert it to TensorFlow Lite";
  }
  if (!LooksLikeText(bytes)) {
    return fmt::format("is not a TensorFlow Lite model: bytes 4 to 7 are not \"TFL3\"{}", kWanted);
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.find("0x") != text.npos && text.find('{') != text.npos) {
    return fmt::format("is text, perhaps a model as a C array{}", kWanted);
  }
  return fmt::format("is text, not a model{}", kWanted);
}

}  // namespace

Result<Imported> Import(std::span<const uint8_t> bytes, const ImportOptions& options) {
  if (bytes.empty()) return Fail(ErrorCode::kInvalidInput, "model", "is empty");
  if (tflite::HasTfliteIdentifier(bytes)) return tflite::ImportTflite(bytes, options);
  const ErrorCode code = LooksLikeOnnx(bytes) ? ErrorCode::kUnsupported : ErrorCode::kInvalidInput;
  return Fail(code, "model", WhatItIs(bytes));
}

}  // namespace usmp::import
