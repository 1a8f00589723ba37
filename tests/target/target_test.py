#!/usr/bin/env python3
"""Models on an emulated Cortex-M: the outputs are the host's, the image needs the RAM that the report promises and
nothing beside it, the stack stays within the promise. Prints sizes and instruction counts.

  target_test.py --usmp build/dev/tools/usmp --core m4 [--core m55 ...] NAME=MODEL.tflite ...

Exit code 77: the emulator or the compiler is not installed, or no model is there."""

import argparse
import json
import math
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

import kernel_stack
import qemu
import stack
from qemu import CORES, WARNINGS, Failure, run, section_sizes

HERE = pathlib.Path(__file__).resolve().parent
# What is linked with the generated code.
SUPPORT = [qemu.BOARD / "startup.c", qemu.BOARD / "cortex_m.c", HERE / "measure.c", HERE / "main.c"]
SKIPPED = 77


def pseudo_random(tensor, seed=12345):
    """Input of the generator that the conformance cases use: floats in [-1, 1), otherwise any bytes."""
    state, out = seed, bytearray()
    for _ in range(tensor["bytes"] // (4 if tensor["dtype"] == "float32" else 1)):
        state = (state * 1664525 + 1013904223) % 2**32
        out += struct.pack("<f", (state >> 8) * 2.0**-23 - 1) if tensor["dtype"] == "float32" else bytes([state >> 24])
    return bytes(out)


def io_header(name, model):
    """io.h: the tensors, in a section of their own, and the call."""
    symbol = f"tvmgen_{name}"
    text = [f'#include "{symbol}.h"', "", '#define IO __attribute__((section(".io"), aligned(16)))']
    for role, tensors in (("input", model["inputs"]), ("output", model["outputs"])):
        text += [f"static IO uint8_t {role}_{i}[{t['bytes']}];" for i, t in enumerate(tensors)]

    def transfer(role, tensors, function):
        return [f'  if (board_{function}_file("{role}_{i}.bin", {role}_{i}, sizeof {role}_{i}) != 0) return 1;'
                for i in range(len(tensors))]

    text += ["static int io_read(void) {", *transfer("input", model["inputs"], "read"), "  return 0;", "}",
             "static int io_write(void) {", *transfer("output", model["outputs"], "write"), "  return 0;", "}",
             "static int32_t io_run(void) {"]
    for role, tensors in (("input", model["inputs"]), ("output", model["outputs"])):
        members = ", ".join(f".{t['identifier']} = {role}_{i}" for i, t in enumerate(tensors))
        text.append(f"  struct {symbol}_{role}s {role}s = {{{members}}};")
    return "\n".join(text + [f"  return {symbol}_run(&inputs, &outputs);", "}", ""])


def host_main(model):
    """The same run on this machine, on files in the current folder."""
    return "\n".join([
        "#include <stdio.h>",
        "static int move(const char* name, const char* mode, void* memory, size_t bytes) {",
        '  FILE* file = fopen(name, mode);',
        "  if (file == NULL) return 1;",
        "  const size_t n = mode[0] == 'r' ? fread(memory, 1, bytes, file) : fwrite(memory, 1, bytes, file);",
        "  return fclose(file) != 0 || n != bytes;",
        "}",
        '#define board_read_file(name, memory, bytes) move(name, "rb", memory, bytes)',
        '#define board_write_file(name, memory, bytes) move(name, "wb", memory, bytes)',
        '#include "io.h"',
        "int main(void) { return io_read() || io_run() != 0 || io_write(); }", ""])


class Model:
    """A compiled model in a folder, with its inputs and what the host makes of them."""

    def __init__(self, usmp, name, path, folder):
        self.name, self.folder = name, folder
        run([usmp, "compile", path, "--name", name, "-o", folder, "--report", folder / "report.json"], folder)
        self.report = json.loads((folder / "report.json").read_text())
        self.io = self.report["models"][0]
        (folder / "io.h").write_text(io_header(name, self.io))
        (folder / "host.c").write_text(host_main(self.io))
        for i, tensor in enumerate(self.io["inputs"]):
            (folder / f"input_{i}.bin").write_bytes(pseudo_random(tensor))
        run(["cc", *WARNINGS, "-O2", "-ffp-contract=off", f"tvmgen_{name}.c", "host.c", "-lm", "-o", "host"], folder)
        run(["./host"], folder)
        self.expected = [(folder / f"output_{i}.bin").read_bytes() for i in range(len(self.io["outputs"]))]

    def is_float(self, output):
        return self.io["outputs"][output]["dtype"] == "float32"


def check_object(model, folder):
    """No writable memory in the generated object but the workspace."""
    sizes = section_sizes(f"tvmgen_{model.name}.o", folder)
    data = {s: n for s, n in sizes.items() if s.startswith(".data") and n > 0}
    bss = sum(n for s, n in sizes.items() if s.startswith(".bss"))
    if data or bss != model.report["workspace_bytes"]:
        raise Failure(f"the object has .data {data} and {bss} bytes of .bss, not {model.report['workspace_bytes']}")
    common = [line for line in run(["arm-none-eabi-nm", f"tvmgen_{model.name}.o"], folder).splitlines()
              if line.split()[-2] in "CcDdGgSs"]
    if common:
        raise Failure("the object has writable symbols: " + ", ".join(common))


def check_call_trees(model, folder):
    """Stack of `run` from the compiler's own figures, and what is wrong with the kernels' rows of the table."""
    graph = stack.CallGraph((folder / f"tvmgen_{model.name}.ci").read_text())
    table = kernel_stack.read_table()
    problems = [f"{function} needs {graph.depth(function)} bytes of stack, stack_usage.tsv says {table.get(kernel)}"
                for kernel in sorted({call["kernel"] for call in model.report["calls"]})
                for function in graph.matching(f"usmp_{kernel}") if graph.depth(function) > table.get(kernel, -1)]
    return graph.depth(f"tvmgen_{model.name}_run"), problems


def compare(model):
    for i, expected in enumerate(model.expected):
        ours = (model.folder / f"output_{i}.bin").read_bytes()
        if not model.is_float(i):
            if ours != expected:
                raise Failure(f"output {i} differs from the host's")
            continue
        for a, b in zip(*(struct.unpack(f"<{len(x) // 4}f", x) for x in (ours, expected))):
            if not math.isclose(a, b, rel_tol=2e-5, abs_tol=2e-5):
                raise Failure(f"output {i} differs from the host's: {a} instead of {b}")


def check(model, core_name, support_ram):
    """Builds, runs, checks everything; returns a line of figures and what is wrong with the stack. `support_ram`: .data
    and .bss beyond the report's figure, by core; the same for all models."""
    core, folder = CORES[core_name], model.folder
    command = qemu.compiler(core, "-O2", f"-I{HERE}", f"-I{folder}", *WARNINGS)
    support = []
    for source in SUPPORT:
        support.append(f"{source.stem}.support.o")
        run([*command, "-c", source, "-o", support[-1]], folder)
    generated = f"tvmgen_{model.name}.o"
    run([*command, "-fcallgraph-info=su", "-c", f"tvmgen_{model.name}.c", "-o", generated], folder)
    check_object(model, folder)
    qemu.link(core, HERE / core.script, [*support, generated], folder)

    sizes = section_sizes("image.elf", folder)
    beyond = sizes.get(".data", 0) + sizes.get(".bss", 0) - model.report["workspace_bytes"]
    if support_ram.setdefault(core_name, beyond) != beyond:
        raise Failure(f"RAM is the report's figure plus {beyond}, but plus {support_ram[core_name]} for other models")

    for i in range(len(model.expected)):
        (folder / f"output_{i}.bin").unlink(missing_ok=True)
    figures = qemu.figures_of(qemu.emulate(core, folder))
    compare(model)

    line = (f"{figures['instructions'] - figures['overhead']} instructions, "
            f"RAM {model.report['workspace_bytes'] + beyond} = {model.report['workspace_bytes']} + {beyond}, "
            f"C library {sizes.get('.library_data', 0) + sizes.get('.library_bss', 0)}, "
            f"flash {sizes['.text']}, stack {figures['stack']} painted")
    if core_name != "m4":
        return line, []
    counted, problems = check_call_trees(model, folder)
    promised = model.report["max_stack_bytes"]
    if max(figures["stack"], counted) > promised:
        problems.append("the stack is deeper than max_stack_bytes")
    return f"{line}, {counted} counted, {promised} promised", problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--usmp", required=True, type=pathlib.Path)
    parser.add_argument("--core", action="append", choices=CORES, required=True)
    parser.add_argument("--shared", action="append", default=[], metavar="NAME=MODEL",
                        help="a model of the folder that USMP_MODELS_DIR names; left out where it is not set")
    parser.add_argument("models", nargs="*", metavar="NAME=MODEL")
    arguments = parser.parse_args()
    for tool in qemu.TOOLS:
        if shutil.which(tool) is None:
            print(f"skipped: {tool} is not installed")
            return SKIPPED
    models = dict(m.split("=", 1) for m in arguments.models)
    shared = os.environ.get("USMP_MODELS_DIR", "USMP_MODELS_DIR")
    models.update((name, os.path.join(shared, file)) for name, file in (m.split("=", 1) for m in arguments.shared))
    missing = [name for name, path in models.items() if not pathlib.Path(path).exists()]
    for name in missing:
        print(f"left out: {name}: {models.pop(name)} does not exist")
    failures, support_ram = 0, {}
    for name, path in models.items():
        with tempfile.TemporaryDirectory(prefix="usmp_target_") as folder:
            try:
                model = Model(arguments.usmp.resolve(), name, pathlib.Path(path).resolve(), pathlib.Path(folder))
                for core in arguments.core:
                    line, problems = check(model, core, support_ram)
                    print(f"{name} on {core}: {line}", flush=True)
                    for problem in problems:
                        print(f"FAILED: {name} on {core}: {problem}", flush=True)
                    failures += len(problems)
            except (Failure, stack.StackError, subprocess.TimeoutExpired) as failure:
                print(f"FAILED: {name}: {failure}", flush=True)
                failures += 1
    if not models:
        return SKIPPED
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
