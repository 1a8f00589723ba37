#!/usr/bin/env python3
"""Row by row against whole tensors on this machine: both builds of a model in one program, taking turns.

  row_speed.py --usmp build/release/tools/usmp MODEL.tflite ...

Prints the medians in microseconds, their ratio, and what each needs."""

import argparse
import json
import pathlib
import subprocess
import tempfile

ROUNDS = 61
MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "tvmgen_off.h"
#include "tvmgen_auto.h"
enum { ROUNDS = %d };
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}
static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}
int main(void) {
  static double whole[ROUNDS], rows[ROUNDS];
  for (int i = 0; i < ROUNDS; ++i) {
    const double begin = now();
    tvmgen_off_run();
    const double middle = now();
    tvmgen_auto_run();
    whole[i] = middle - begin;
    rows[i] = now() - middle;
  }
  qsort(whole, ROUNDS, sizeof *whole, compare);
  qsort(rows, ROUNDS, sizeof *rows, compare);
  printf("%%.1f %%.1f\\n", whole[ROUNDS / 2], rows[ROUNDS / 2]);
  return 0;
}
""" % ROUNDS


def measure(usmp, model, options):
    """Microseconds of both, bytes of both."""
    with tempfile.TemporaryDirectory() as folder:
        bytes_of = []
        for mode in ("off", "auto"):
            command = [usmp, "compile", model, "--name", mode, "--io", "workspace", "--stream", mode, "-o", f"{folder}/{mode}"]
            subprocess.run(command, check=True, capture_output=True)
            bytes_of.append(json.loads(pathlib.Path(folder, mode, "report.json").read_text())["total_ram_bytes"])
        main = pathlib.Path(folder, "main.c")
        main.write_text(MAIN)
        subprocess.run(["cc", *options.split(), f"-I{folder}/off", f"-I{folder}/auto", main, f"{folder}/off/tvmgen_off.c",
                        f"{folder}/auto/tvmgen_auto.c", "-o", f"{folder}/main", "-lm"], check=True)
        times = subprocess.run([f"{folder}/main"], check=True, capture_output=True, text=True).stdout.split()
        return [float(t) for t in times], bytes_of


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--usmp", required=True)
    parser.add_argument("--options", default="-O3", help="of the C compiler; default: -O3")
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    print(f"{'model':40} {'whole us':>10} {'rows us':>10} {'ratio':>6} {'whole B':>8} {'rows B':>8}")
    for model in arguments.models:
        (whole, rows), (whole_bytes, row_bytes) = measure(arguments.usmp, model, arguments.options)
        print(f"{model.stem:40} {whole:10.1f} {rows:10.1f} {rows / whole:6.3f} {whole_bytes:8} {row_bytes:8}")


if __name__ == "__main__":
    main()
