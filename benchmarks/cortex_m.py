#!/usr/bin/env python3
"""What models need on a Cortex-M: instructions of one inference (exact, under QEMU), machine code and constants of the
model's object, RAM, stack. A table on the terminal; --tsv writes the same.

  cortex_m.py --usmp build/release/tools/usmp --core m4 --core m7 MODEL.tflite ...

The outputs of every run are compared with the host's."""

import argparse
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests/target"))
import qemu  # noqa: E402
import target_test  # noqa: E402

COLUMNS = ["model", "core", "options", "instructions", "code", "constants", "RAM", "stack"]
PEER_COLUMNS = ["peer Minstr", "/peer", "peer optimized Minstr", "/optimized"]


def read_peer(path):
    """(model, core) -> the remaining figures of the line."""
    rows = (line.rstrip("\n").split("\t") for line in path.read_text().splitlines() if not line.startswith("#"))
    return {(row[0], row[1]): row[2:] for row in rows}


def peer_row(peer, model, core):
    """The row whose model is `model` or its ending: "kws_ref_model" for "tiny_kws_ref_model"."""
    fits = [row for (name, row_core), row in peer.items()
            if row_core == core and (model == name or model.endswith("_" + name))]
    return fits[0] if len(fits) == 1 else None


def code_and_constants(obj, folder):
    sizes = qemu.section_sizes(obj, folder)
    total = lambda prefix: sum(size for name, size in sizes.items() if name.startswith(prefix))  # noqa: E731
    return total(".text"), total(".rodata")


def build(model, core, options):
    """The image; its file and the model's object are in the model's folder."""
    command = qemu.compiler(core, *options.split(), f"-I{target_test.HERE}", f"-I{model.folder}")
    objects = {source: f"{source.stem}.support.o" for source in target_test.SUPPORT}
    objects[f"tvmgen_{model.name}.c"] = "model.o"
    for source, obj in objects.items():
        qemu.run([*command, "-c", source, "-o", obj], model.folder)
    qemu.link(core, target_test.HERE / core.script, objects.values(), model.folder)


def measure(model, core, options):
    build(model, core, options)
    figures = qemu.figures_of(qemu.emulate(core, model.folder))
    target_test.compare(model)
    code, constants = code_and_constants("model.o", model.folder)
    return [figures["instructions"] - figures["overhead"], code, constants, model.report["total_ram_bytes"],
            figures["stack"]]


def ratio_cells(instructions, row):
    if row is None:
        return ["-"] * len(PEER_COLUMNS)
    cells = []
    for value in row[:2]:
        cells += [value, f"{instructions / (float(value) * 1e6):.3f}"]
    return cells


def text_of(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ("  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths)))
             for row in rows)
    return "\n".join(line.rstrip() for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--usmp", required=True, type=pathlib.Path)
    parser.add_argument("--core", action="append", choices=qemu.CORES, required=True)
    parser.add_argument("--options", action="append", help="of the C compiler; default: -O2")
    parser.add_argument("--peer", type=pathlib.Path, help="figures of another engine: peers/tflm_cortex_m.tsv")
    parser.add_argument("--tsv", type=pathlib.Path)
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    peer = read_peer(arguments.peer) if arguments.peer else None
    rows, failures = [COLUMNS + (PEER_COLUMNS if peer else [])], 0
    for path in arguments.models:
        with tempfile.TemporaryDirectory(prefix="usmp_cortex_m_") as folder:
            try:
                model = target_test.Model(arguments.usmp.resolve(), "benchmark", path.resolve(), pathlib.Path(folder))
                for core in arguments.core:
                    for options in arguments.options or ["-O2"]:
                        print(f"{path.stem} {core} {options}", file=sys.stderr)
                        figures = measure(model, qemu.CORES[core], options)
                        row = [path.stem, core, options, *map(str, figures)]
                        rows.append(row + (ratio_cells(figures[0], peer_row(peer, path.stem, core)) if peer else []))
            except qemu.Failure as failure:
                print(f"{path.stem}: {failure}", file=sys.stderr)
                failures += 1
    print(text_of(rows))
    if arguments.tsv:
        arguments.tsv.write_text("".join("\t".join(row) + "\n" for row in rows))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
