#!/usr/bin/env python3
"""The RAM of every conformance case: TensorFlow Lite Micro's planner, the bound of any planner on the fixed graph, ours.

  ram_table.py --usmp build/release/tools/usmp [--out docs/ram.md]

Inputs and outputs are in the workspace and counted, as TensorFlow Lite Micro does; state is left out of the ratio, since
its planner leaves it out too. Reads the cases of the folder that USMP_CONFORMANCE_DIR names."""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

SPATIAL = {"CONV_2D", "DEPTHWISE_CONV_2D", "AVERAGE_POOL_2D", "MAX_POOL_2D"}
HEAD = """# RAM

Written by `benchmarks/ram_table.py`: bytes of all tensors and scratch, inputs and outputs included, of the conformance
cases that compile. *Fixed graph* is what any planner of whole tensors needs that never overlap; *ratio* is ours
(without state) over the memory plan of TensorFlow Lite Micro.

| case | TensorFlow Lite Micro | fixed graph | usmp | ratio |
|---|---:|---:|---:|---:|
"""


def compile_case(usmp, folder, case):
    """The report; None if the model cannot be compiled."""
    with tempfile.TemporaryDirectory() as out:
        command = [usmp, "compile", folder / case["model"], "--name", "m", "--io", "workspace", "-o", out]
        for tensor in case["inputs"]:
            done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
            if done.returncode == 0:
                break
            command += ["--shape", tensor["name"] + "=" + ",".join(map(str, tensor["shape"]))]
        else:
            done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        if done.returncode != 0:
            return None
        return json.loads((pathlib.Path(out) / "report.json").read_text())


def row_of(usmp, folder):
    """Name, the four figures, and whether it has an operator with a window; None: left out."""
    case = json.loads((folder / "case.json").read_text())
    planner = case.get("tflm", {}).get("planner_bytes")
    report = compile_case(usmp, folder, case) if planner else None
    if report is None:
        return None
    ours = report["total_ram_bytes"]
    ratio = (ours - report["state_bytes"]) / planner
    return folder.name, planner, report["fixed_graph_bound_bytes"], ours, ratio, bool(SPATIAL & set(case["operators"]))


def table_of(rows):
    text = HEAD
    for name, planner, fixed, ours, ratio, _ in rows:
        text += f"| {name} | {planner:,} | {fixed:,} | {ours:,} | {ratio:.3f} |\n".replace(",", " ")
    ratios = [row[4] for row in rows if row[5]]
    mean = math.exp(sum(math.log(max(ratio, 1e-9)) for ratio in ratios) / len(ratios)) if ratios else 0.0
    worse = [row[0] for row in rows if row[4] > 1]
    text += f"\nGeometric mean of the ratio over the {len(ratios)} cases with an operator that has a window: {mean:.3f}.\n"
    return text + f"\nCases above 1.000: {', '.join(worse) or 'none'}.\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--usmp", required=True)
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    cases = os.environ.get("USMP_CONFORMANCE_DIR")
    if not cases:
        sys.exit("USMP_CONFORMANCE_DIR is not set")
    folders = sorted(path.parent for path in pathlib.Path(cases).glob("*/case.json"))
    rows = [row for row in (row_of(arguments.usmp, folder) for folder in folders) if row]
    text = table_of(rows)
    if arguments.out:
        arguments.out.write_text(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
