#ifndef USMP_IMPORT_TFLITE_TFLITE_IMPORT_H_
#define USMP_IMPORT_TFLITE_TFLITE_IMPORT_H_

#include <cstdint>
#include <span>

#include "import/importer.h"

namespace usmp::import::tflite {

bool HasTfliteIdentifier(std::span<const uint8_t> bytes);

// `bytes` may be anything.
Result<Imported> ImportTflite(std::span<const uint8_t> bytes, const ImportOptions& options);

}  // namespace usmp::import::tflite

#endif  // USMP_IMPORT_TFLITE_TFLITE_IMPORT_H_
