#undef __SSE__
#undef __SSE2__
#define USMP_TEST_TABLE usmp_test_plain_kernels
#include "kernel_table.inc"
