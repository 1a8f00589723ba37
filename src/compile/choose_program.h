#ifndef USMP_COMPILE_CHOOSE_PROGRAM_H_
#define USMP_COMPILE_CHOOSE_PROGRAM_H_

#include "compile/unit.h"
#include "stream/choose.h"

namespace usmp::compile {

// Fills the unit's program and what is extracted of it: the whole program, or as its options ask,
// one in another order or with groups of calls that run row by row, if a plan of it alone needs
// less.
void ChooseProgram(const BuildContext& context, Unit& unit);

// What the choice between programs has to know of a unit's inputs and outputs and its options.
stream::ChooseOptions ChooseOptionsOf(const Unit& unit);

// Of inputs and outputs that are not in the workspace.
Bytes CallerBytes(const Unit& unit);

}  // namespace usmp::compile

#endif  // USMP_COMPILE_CHOOSE_PROGRAM_H_
