#define USMP_TEST_TABLE usmp_test_vector_kernels
#include "kernel_table.inc"
