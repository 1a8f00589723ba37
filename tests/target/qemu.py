"""Cross-compiling for, and running on, QEMU's Cortex-M boards."""

import dataclasses
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
BOARD = HERE.parents[1] / "examples/board"
TOOLS = ("arm-none-eabi-gcc", "qemu-system-arm")
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]


@dataclasses.dataclass(frozen=True)
class Core:
    machine: str
    flags: tuple
    script: str
    clock_hz: int


CORES = {
    "m4": Core("mps2-an386", ("-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard"), "mps2.ld", 25000000),
    "m7": Core("mps2-an500", ("-mcpu=cortex-m7", "-mfpu=fpv5-d16", "-mfloat-abi=hard"), "mps2.ld", 25000000),
    "m55": Core("mps3-an547", ("-mcpu=cortex-m55", "-mfloat-abi=hard"), "mps3.ld", 32000000),
}


class Failure(Exception):
    pass


def run(command, folder, **options):
    """What the command prints on both streams: semihosting's text is on standard error."""
    done = subprocess.run([str(part) for part in command], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=300, **options)
    if done.returncode != 0:
        raise Failure(f"{command[0]} fails ({done.returncode}):\n{done.stdout}")
    return done.stdout


def compiler(core, *options):
    """The command that compiles for the core, up to the file names."""
    return ["arm-none-eabi-gcc", *core.flags, "-mthumb", "-ffp-contract=off", "-ffunction-sections", "-fdata-sections",
            f"-I{BOARD}", f"-DBOARD_CLOCK_HZ={core.clock_hz}u", "-std=c11", *options]


def link(core, script, objects, folder):
    """Links to image.elf."""
    run(["arm-none-eabi-gcc", *core.flags, "-mthumb", "-nostartfiles", f"-L{script.parent}", f"-T{script}",
         "-Wl,--gc-sections", *objects, "-lm", "-o", "image.elf"], folder)


def emulate(core, folder):
    """What image.elf prints; an instruction takes 64 ns of the time that its timers see."""
    return run(["qemu-system-arm", "-M", core.machine, "-nographic", "-monitor", "none", "-serial", "none",
                "-icount", "shift=6,align=off,sleep=off", "-semihosting-config", "enable=on,target=native",
                "-kernel", "image.elf"], folder, stdin=subprocess.DEVNULL)


def figures_of(text):
    """By name, from lines "name number"."""
    return {words[0]: int(words[1]) for words in map(str.split, text.splitlines()) if len(words) == 2}


def section_sizes(elf, folder):
    sizes = {}
    for line in run(["arm-none-eabi-size", "-A", elf], folder).splitlines():
        words = line.split()
        if len(words) >= 2 and words[0].startswith(".") and words[1].isdigit():
            sizes[words[0]] = int(words[1])
    return sizes
