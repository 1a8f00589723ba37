// Inputs and outputs that are never there as a whole: functions of the caller hand over their rows.
#ifndef USMP_LOWER_ROW_TRANSFER_H_
#define USMP_LOWER_ROW_TRANSFER_H_

#include <cstdint>
#include <optional>

#include "lower/program.h"

namespace usmp::lower {

// The rows of an input or output, as the operators see them that read or make it row by row.
// Absent: none does.
std::optional<int32_t> RowsOf(const Program& program, BufferId tensor);

// Makes the rows of a tensor that has some come from the caller, ahead of the first call that reads
// it, or go to the caller, after the one that makes it. The tensor becomes an intermediate one.
void TransferRows(BufferId tensor, Program& program);

}  // namespace usmp::lower

#endif  // USMP_LOWER_ROW_TRANSFER_H_
