#!/usr/bin/env python3
"""Installs the planner and builds examples/planner_in_c against it, by find_package and by pkg-config.

  check_planner_in_c.py BUILD_FOLDER CMAKE C_COMPILER [FLAG]     FLAG: of sanitizers, if the library has them
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

EXAMPLE = pathlib.Path(__file__).parent / "planner_in_c"
EXPECTED = ["buffer 0 at 0", "buffer 1 at 100", "buffer 2 at 0", "180 bytes, no plan needs less than 180",
            "Most are alive at step 1: 180 bytes in 2 buffers: a (100 B), b (80 B)",
            "moved: buffers 'b' and 'c': share bytes 100..160"]


def run(*command, **arguments):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **arguments)
    if done.returncode != 0:
        sys.exit(f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def check(output, how):
    missing = [part for part in EXPECTED if part not in output]
    if missing:
        sys.exit(f"{how}: the output lacks {missing}:\n{output}")


def main():
    build, cmake, compiler, *flags = [argument for argument in sys.argv[1:] if argument]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        prefix = folder / "installed"
        run(cmake, "--install", build, "--prefix", prefix, "--component", "planner")
        run(cmake, "-S", EXAMPLE, "-B", folder / "by_cmake", f"-DCMAKE_PREFIX_PATH={prefix}",
            f"-DCMAKE_C_COMPILER={compiler}", f"-DCMAKE_C_FLAGS={' '.join(flags)}",
            f"-DCMAKE_EXE_LINKER_FLAGS={' '.join(flags)}")
        run(cmake, "--build", folder / "by_cmake")
        check(run(folder / "by_cmake/planner_in_c"), "find_package")
        if shutil.which("pkg-config") is None:
            print("no pkg-config here: only find_package was checked")
            return
        path = next(prefix.glob("**/pkgconfig"))
        options = run("pkg-config", "--cflags", "--libs", "usmp", env={**os.environ, "PKG_CONFIG_PATH": str(path)})
        run(compiler, "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", EXAMPLE / "main.c", "-o",
            folder / "by_pkg_config", *options.split(), *flags)
        check(run(folder / "by_pkg_config"), "pkg-config")


if __name__ == "__main__":
    main()
