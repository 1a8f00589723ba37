#!/usr/bin/env python3
"""Runs the benchmarks and writes docs/benchmarks.md. Needs the preset `benchmark`, built, and the folders of models and
planning problems (USMP_MODELS_DIR, USMP_PLAN_PROBLEMS_DIR, or the options).

  update_docs.py --peer-command ./tflm_time      with a peer's times measured in turns with ours

The tables are kept in build/benchmark/tables; --reuse takes those that are there instead of measuring them again."""

import argparse
import os
import pathlib
import platform
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = ROOT / "build/benchmark"
USMP = BUILD / "tools/usmp"
TABLES = BUILD / "tables"

# The int8 models that peers/ has figures of, by the ends of their names.
MODELS = ["ad01_int8", "kws_ref_model", "pretrainedResnet_quant", "pretrainedResnet_large_int8", "str_ww_ref_model",
          "vww_96_int8", "tflm_person_detect", "micro_speech_quantized"]
GLYPHS = ROOT / "examples/glyphs/glyphs.tflite"
OPTIONS = "-O2"
LARGEST_ON_M55 = 512 * 1024  # its emulated code memory

TEXT = """\
# Benchmarks

Written by `benchmarks/update_docs.py`; what the columns mean is in [benchmarks/README.md](../benchmarks/README.md).

Machine: {machine};
{compiler}.
Bytes and instruction counts are exact and repeatable; times are noisy, good for ratios within a
row only. Random inputs; byte-for-byte equal outputs are part of every run.

## Models on the host

The generated C at -O3 without -march. The peer is TensorFlow Lite Micro with its reference kernels,
{peer_text}.
Bytes, microseconds of processor time (medians of samples taken in turns), ratios of medians.

```
{host}
```

## Models on Cortex-M

`arm-none-eabi-gcc` {options}, one inference under QEMU. *code* is the machine code in the model's object, *constants*
are weights, biases and tables, *RAM* is workspace, inputs and outputs, *stack* was painted and read back. The peer is
TensorFlow Lite Micro with its reference kernels, and with CMSIS-NN (*optimized*).

```
{cortex_m}
```

## Planner

{problems} problems of up to {max_buffers} buffers; times include the verification of every plan.

```
{planners}
```
"""


def run(*command):
    """Standard output; standard error is shown as it comes."""
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]} fails: exit code {done.returncode}\n{done.stdout}")
    return done.stdout.rstrip()


def find_models(folder):
    """The files of MODELS, in that order."""
    files = sorted(folder.glob("*.tflite"))
    found = [[f for f in files if f.stem == name or f.stem.endswith("_" + name)] for name in MODELS]
    missing = [name for name, fits in zip(MODELS, found) if not fits]
    if missing:
        sys.exit(f"{folder} lacks {', '.join(missing)}")
    return [fits[0] for fits in found]


def machine():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    name = re.search(r"model name\s*: (.*)", text)
    return f"{name[1] if name else platform.machine()}, {os.cpu_count()} processors"


def table(name, reuse, measure):
    """The text of a table, measured or from the last run."""
    path = TABLES / f"{name}.txt"
    if not (reuse and path.exists()):
        TABLES.mkdir(parents=True, exist_ok=True)
        path.write_text(measure() + "\n")
    return path.read_text().rstrip()


def host_table(models, arguments):
    peer = (["--peer-command", arguments.peer_command] if arguments.peer_command
            else ["--peer", HERE / "peers/tflm_host.tsv"])
    return run(BUILD / "benchmarks/usmp_bench_models", *models, "--usmp", USMP, "--rounds", arguments.rounds, *peer)


def cortex_m_table(models):
    small = [m for m in models if m.stat().st_size < LARGEST_ON_M55]
    return run(HERE / "cortex_m.py", "--usmp", USMP, "--core", "m4", "--core", "m7", "--core", "m55",
               f"--options={OPTIONS}", "--peer", HERE / "peers/tflm_cortex_m.tsv", *small)


def planners_table(arguments):
    return run(BUILD / "benchmarks/usmp_bench_planners", arguments.problems, "--max-buffers", arguments.max_buffers)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=pathlib.Path, default=os.environ.get("USMP_MODELS_DIR"))
    parser.add_argument("--problems", type=pathlib.Path, default=os.environ.get("USMP_PLAN_PROBLEMS_DIR"))
    parser.add_argument("--peer-command", help="of usmp_bench_models; default: peers/tflm_host.tsv, measured elsewhere")
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--max-buffers", type=int, default=300)
    parser.add_argument("--reuse", action="store_true")
    arguments = parser.parse_args()
    if not arguments.models or not arguments.problems:
        parser.error("--models and --problems, or USMP_MODELS_DIR and USMP_PLAN_PROBLEMS_DIR")
    models = [*find_models(pathlib.Path(arguments.models)), GLYPHS]
    planners = table("planners", arguments.reuse, lambda: planners_table(arguments))
    text = TEXT.format(
        machine=machine(), compiler=run("cc", "--version").splitlines()[0], options=OPTIONS,
        peer_text="measured in turns" if arguments.peer_command else "measured elsewhere: an order of magnitude",
        host=table("host", arguments.reuse, lambda: host_table(models, arguments)),
        cortex_m=table("cortex_m", arguments.reuse, lambda: cortex_m_table(models)),
        planners=planners, max_buffers=arguments.max_buffers,
        problems=max(int(line.split()[1]) for line in planners.splitlines()[1:]))
    (ROOT / "docs/benchmarks.md").write_text(text)


if __name__ == "__main__":
    main()
