#ifndef USMP_COMPILE_CHOOSE_PROGRAM_H_
#define USMP_COMPILE_CHOOSE_PROGRAM_H_

#include "compile/unit.h"

namespace usmp::compile {

// Fills the unit's program and what is extracted of it: the whole program, or as its options ask,
// one with groups of calls that run row by row, if a plan of it alone needs less.
void ChooseProgram(const BuildContext& context, Unit& unit);

}  // namespace usmp::compile

#endif  // USMP_COMPILE_CHOOSE_PROGRAM_H_
