#!/usr/bin/env python3
"""check_applications.py [--core m55] NAME USMP: an application of this folder, built for this machine, or for a
Cortex-M and run under QEMU, says of sample images what it should.

Exit code 77: the emulator or the cross compiler is not installed."""
import argparse
import csv
import dataclasses
import pathlib
import re
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests/target"))
import qemu  # noqa: E402

SAMPLES = HERE / "glyphs/samples"
HOST = ["cc", *qemu.WARNINGS, "-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
        "-ffp-contract=off", f"-I{HERE / 'board'}"]
MEMORIES = {"dtcm": range(0x20000000, 0x20080000), "sram": range(0x21000000, 0x21200000)}  # of board/mps3.ld


@dataclasses.dataclass(frozen=True)
class Application:
    models: dict  # name -> options of `usmp compile`
    arrays: dict  # array of the application -> memory that it is to be in
    images: tuple = ("digit_3.bin", "digit_7.bin")
    config: str = ""  # usmp.toml of the application, for models that are compiled together


APPLICATIONS = {
    "shared_workspace": Application({"ink": ["--workspace-pool", "sram"], "glyphs": ["--workspace-pool", "sram"]},
                                    {"sram": "sram"}, ("digit_3.bin", "blank.bin")),
    "several_memories": Application(
        {"glyphs": ["--workspace-pool", "dtcm:size=2K", "--workspace-pool", "sram:size=64K"]},
        {"dtcm": "dtcm", "sram": "sram"}),
    "constant_pools": Application(
        {"glyphs": ["--constant-pool", "flash", "--constant-pool", "external:align=32",
                    "--constant-pool", "fast:internal=true,ram=true", "--constant", "op 0 *=external",
                    "--constant", "*FULLY_CONNECTED*=fast", "--constant", "*=flash"]},
        {"flash": "sram", "external": "dtcm", "tvmgen_glyphs_fast": "sram"}),
    "two_models": Application({"ink": [], "glyphs": []}, {"tvmgen_pools_sram": "sram"},
                              ("digit_3.bin", "blank.bin"), config="usmp.toml"),
    "precious_input": Application(
        {"glyphs": ["--workspace-pool", "sram", "--io-tensor", "image=workspace:sram:precious"]}, {"sram": "sram"}),
    "io_memories": Application(
        {"glyphs": ["--io", "workspace", "--io-tensor", "image=workspace:sram", "--workspace-pool", "dtcm",
                    "--workspace-pool", "sram"]}, {"dtcm": "dtcm", "sram": "sram"}),
    "packed_interface": Application(
        {"glyphs": ["--interface", "packed", "--dltensor", "static", "--workspace-pool", "sram"]}, {"sram": "sram"}),
    "module_interface": Application(
        {"glyphs": ["--interface", "module", "--io-tensor", "image=workspace", "--workspace-pool", "sram"]},
        {"sram": "sram"}),
    "offload": Application(
        {"glyphs": ["--offload", "ADD=vector_add,scratch=128,target=vector", "--devices", "vector", "--workspace-pool",
                    "dtcm:size=2K,targets=cpu", "--workspace-pool", "sram"]}, {"dtcm": "dtcm", "sram": "sram"}),
    "workspace_io": Application({"glyphs": ["--io", "workspace", "--workspace-pool", "sram"]}, {"sram": "sram"}),
}


def expected_line(image):
    """From what the integer arithmetic of glyphs/train computed."""
    with open(SAMPLES / "ink.tsv", newline="") as file:
        ink = {row["file"]: row["label"] for row in csv.DictReader(file, delimiter="\t")}
    return f"digit {re.findall('[0-9]', image)[0]}" if ink[image] == "1" else "blank paper"


def generate(name, application, usmp, folder):
    """The models' sources, and the include paths of their headers."""
    if application.config:
        qemu.run([usmp, "compile", "--config", HERE / name / application.config, "-o", "models"], folder)
        return sorted(path.relative_to(folder) for path in (folder / "models").glob("*.c")), ["-Imodels"]
    for name, options in application.models.items():
        qemu.run([usmp, "compile", HERE / f"glyphs/{name}.tflite", "--name", name, *options, "-o", name], folder)
    return [f"{name}/tvmgen_{name}.c" for name in application.models], [f"-I{name}" for name in application.models]


def build(name, application, core, usmp, folder):
    """The command that runs the application in `folder`."""
    sources, includes = generate(name, application, usmp, folder)
    sources = [*sources, HERE / name / "main.c"]
    if core is None:
        qemu.run([*HOST, *includes, *sources, HERE / "board/host.c", "-lm", "-o", "application"], folder)
        return lambda: qemu.run(["./application"], folder)
    sources += [HERE / "board/startup.c", HERE / "board/cortex_m.c"]
    objects = [f"{i}.o" for i in range(len(sources))]
    for source, obj in zip(sources, objects):
        qemu.run([*qemu.compiler(core, "-O2", *includes, *qemu.WARNINGS), "-c", source, "-o", obj], folder)
    qemu.link(core, HERE / "board/mps3.ld", objects, folder)
    return lambda: qemu.emulate(core, folder)


def misplaced(application, folder):
    """Arrays of the linked image that are not in their memory."""
    address = {words[-1]: int(words[0], 16) for words in
               map(str.split, qemu.run(["arm-none-eabi-nm", "image.elf"], folder).splitlines()) if len(words) == 3}
    return [f"{array} is at {address[array]:#x}, which is not in {memory}"
            for array, memory in application.arrays.items() if address[array] not in MEMORIES[memory]]


def check(name, core, usmp, folder):
    application, problems = APPLICATIONS[name], []
    run = build(name, application, core, usmp, folder)
    if core is not None:
        problems += misplaced(application, folder)
    for image in application.images:
        shutil.copy(SAMPLES / image, folder / "image.bin")
        lines = run().splitlines()
        print("\n".join(lines))
        if expected_line(image) not in lines:
            problems.append(f"{image}: expected '{expected_line(image)}'")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--core", choices=["m55"])
    parser.add_argument("name", choices=APPLICATIONS)
    parser.add_argument("usmp", type=pathlib.Path)
    arguments = parser.parse_args()
    core = qemu.CORES[arguments.core] if arguments.core else None
    if core and not all(map(shutil.which, qemu.TOOLS)):
        return 77
    with tempfile.TemporaryDirectory() as folder:
        try:
            problems = check(arguments.name, core, arguments.usmp.resolve(), pathlib.Path(folder))
        except qemu.Failure as failure:
            problems = [str(failure)]
    print("\n".join(f"FAILED: {problem}" for problem in problems) or "as expected")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
