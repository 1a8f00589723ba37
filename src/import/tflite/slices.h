// The operators of the file that take parts of a tensor, or reorder it.
#ifndef USMP_IMPORT_TFLITE_SLICES_H_
#define USMP_IMPORT_TFLITE_SLICES_H_

#include "import/tflite/op_reader.h"

namespace usmp::import::tflite {

void ReadTranspose(OpReader& reader);
void ReadStridedSlice(OpReader& reader);
void ReadSlice(OpReader& reader);
void ReadSplit(OpReader& reader);
void ReadSplitV(OpReader& reader);
void ReadUnpack(OpReader& reader);

}  // namespace usmp::import::tflite

#endif  // USMP_IMPORT_TFLITE_SLICES_H_
