/* Runs a generated model on the target: reads input_N.bin, runs, writes output_N.bin, prints
   figures. The tensors and the call are in io.h, written by the test. */
#include "board.h"
#include "io.h"
#include "measure.h"

int main(void) {
  if (io_read() != 0) {
    board_print("target: cannot read the inputs\n");
    return 2;
  }
  measure_paint_stack();
  const int32_t code = io_run();
  board_print_number("stack", measure_painted_stack());
  if (code != 0) {
    board_print("target: run fails\n");
    return 3;
  }
  measure_start();
  board_print_number("overhead", measure_stop());
  measure_start();
  io_run();
  board_print_number("instructions", measure_stop());
  if (io_write() != 0) {
    board_print("target: cannot write the outputs\n");
    return 4;
  }
  return 0;
}
