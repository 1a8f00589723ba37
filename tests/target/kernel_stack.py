#!/usr/bin/env python3
"""Writes runtime/kernels/stack_usage.tsv: `kernel<TAB>bytes`, the stack of each kernel's call tree on Cortex-M4 at
-O2. The compiler embeds it and fills max_stack_bytes of the report from it.

  kernel_stack.py                 rewrites the table
  kernel_stack.py --check         exit code 1 where a kernel needs more than the table says, or is missing
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import stack

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "runtime/kernels/stack_usage.tsv"
FLAGS = ["-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard", "-mthumb", "-O2", "-std=c11",
         "-fcallgraph-info=su"]

# What a kernel has besides its own function where it can run row by row.
ROW_ENTRIES = ["_part", "_begin_sums", "_add_pixels", "_end_sums"]
# The C compiler copies kernels for constant parameters, and a copy may need a little more than the original.
COPY_BYTES = 8
# tvmgen_<model>_run itself with the function that holds the calls: measured over models, arguments included.
RUN_BYTES = 64
# The same where calls run row by row.
RUN_ROWS_BYTES = 96


def kernels():
    for header in sorted((ROOT / "runtime/kernels").glob("*.h")):
        if f"usmp_{header.stem}(const struct usmp_{header.stem}_params" in header.read_text():
            yield header


def call_graph(source, folder):
    unit = pathlib.Path(folder) / "unit.c"
    unit.write_text(source)
    subprocess.run(["arm-none-eabi-gcc", *FLAGS, "-I", ROOT / "runtime", "-c", unit, "-o", unit.with_suffix(".o")],
                   check=True, cwd=folder)
    return stack.CallGraph(unit.with_suffix(".ci").read_text())


def measure():
    rows = {"run": RUN_BYTES, "run_rows": RUN_ROWS_BYTES}
    with tempfile.TemporaryDirectory() as folder:
        for header in kernels():
            name = f"usmp_{header.stem}"
            entries = [name] + [name + suffix for suffix in ROW_ENTRIES if f"{name}{suffix}(" in header.read_text()]
            source = f'#include "kernels/{header.name}"\n'
            for entry in entries:
                source += f"void (*const keep_{entry})(void) = (void (*)(void)){entry};\n"
            graph = call_graph(source, folder)
            rows[header.stem] = max(graph.depth(entry) for entry in entries)
    return rows


def read_table():
    rows = (line.split("\t") for line in TABLE.read_text().splitlines() if not line.startswith("#"))
    return {name: int(size) for name, size in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    measured = measure()
    if not arguments.check:
        fixed = {"run", "run_rows"}
        lines = [f"{name}\t{size if name in fixed else size + COPY_BYTES}\n" for name, size in sorted(measured.items())]
        TABLE.write_text("# Stack of each kernel's call tree in bytes (Cortex-M4, -O2), written by "
                         "tests/target/kernel_stack.py.\n" + "".join(lines))
        return 0
    table = read_table()
    wrong = [f"{name}: {size} bytes, the table says {table.get(name, 'nothing')}"
             for name, size in sorted(measured.items()) if size > table.get(name, -1)]
    wrong += [f"{name}: no such kernel" for name in sorted(set(table) - set(measured))]
    print("\n".join(wrong) or f"{len(measured)} rows hold")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
