/* Runs a generated model on the target: reads input_N.bin, runs, writes output_N.bin, prints
   figures. The tensors and the call are in io.h, written by the test. */
#include "board.h"
#include "io.h"

int main(void) {
  if (io_read() != 0) {
    board_print("target: cannot read the inputs\n");
    return 2;
  }
  board_paint_stack();
  const int32_t code = io_run();
  board_print_number("stack", board_painted_stack_used());
  if (code != 0) {
    board_print("target: run fails\n");
    return 3;
  }
  board_count_start();
  board_print_number("overhead", board_count_stop());
  board_count_start();
  io_run();
  board_print_number("instructions", board_count_stop());
  if (io_write() != 0) {
    board_print("target: cannot write the outputs\n");
    return 4;
  }
  return 0;
}
