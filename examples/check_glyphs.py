#!/usr/bin/env python3
"""check_glyphs.py host|outputs|tensors USMP: the example model through the compiler, against what the numpy
integer arithmetic of examples/glyphs/train computed for the sample images.

  host      the application in examples/host, built with sanitizers and all warnings, reads every digit right
  outputs   `usmp run` gives the expected bytes
  tensors   every tensor between the operators has the expected bytes (by their CRC-32)
"""
import csv
import pathlib
import subprocess
import sys
import tempfile
import zlib

HERE = pathlib.Path(__file__).resolve().parent
MODEL = HERE / "glyphs" / "glyphs.tflite"
SAMPLES = HERE / "glyphs" / "samples"


# Those of the samples on which the softmax does not saturate say most.
COMPARED = ["digit_0.bin", "digit_3.bin"]


def rows(name):
    with open(SAMPLES / name, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nexit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def check_host(usmp, work):
    run(usmp, "compile", MODEL, "--name", "glyphs", "-o", work)
    run("cc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-O1",
        "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-I", work,
        HERE / "host" / "main.c", work / "tvmgen_glyphs.c", "-lm", "-o", work / "read_digit")
    for row in rows("expected.tsv"):
        said = run(work / "read_digit", SAMPLES / row["file"]).splitlines()[-1]
        if not said.startswith(f"this is a {row['label']},"):
            yield f"{row['file']}: {said}"


def check_outputs(usmp, work):
    for row in [row for row in rows("expected.tsv") if row["file"] in COMPARED]:
        run(usmp, "run", MODEL, "--input", SAMPLES / row["file"], "-o", work)
        got = [b - 256 if b > 127 else b for b in (work / "output_0.bin").read_bytes()]
        expected = [int(value) for value in row["output"].split()]
        if got != expected:
            yield f"{row['file']}: {got}, expected {expected}"


def check_tensors(usmp, work):
    for name in COMPARED:
        folder = work / name
        run(usmp, "run", MODEL, "--input", SAMPLES / name, "--dump-tensors", folder)
        for row in [row for row in rows("tensors.tsv") if row["file"] == name]:
            crc = zlib.crc32((folder / f"{row['tensor']}.bin").read_bytes())
            if f"{crc:08x}" != row["crc32"]:
                yield f"{name}: tensor {row['tensor']} '{row['name']}' differs"


CHECKS = {"host": check_host, "outputs": check_outputs, "tensors": check_tensors}


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in CHECKS:
        print(__doc__)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        problems = list(CHECKS[sys.argv[1]](pathlib.Path(sys.argv[2]), pathlib.Path(folder)))
    print("\n".join(problems) if problems else "as expected")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
