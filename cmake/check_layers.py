#!/usr/bin/env python3
"""Holds every #include of the project against the table below (docs/architecture.md says why).

  check_layers.py ROOT          lists every violation; exit code 1 if there is one
  check_layers.py --self-test   checks the checker
"""
import pathlib
import posixpath
import re
import sys
import tempfile

ANYTHING = [""]
PUBLIC_PLANNER = ["usmp/result.h", "usmp/buffers.h", "usmp/plan.h", "usmp/plan_io.h", "usmp/pool_cost.h", "usmp/usmp.h"]

# Folder: which of our own headers its files may include, as prefixes. The longest folder that fits counts.
# Tests (*_test.cc and what is below tests/) may include anything.
MAY_INCLUDE = {
    "include/usmp": ["usmp/"],
    "src/support": ["support/", "usmp/result.h", "usmp/buffers.h"],
    "src/plan": ["plan/", "support/", *PUBLIC_PLANNER],
    "src/ir": ["ir/", "support/", "usmp/result.h", "usmp/buffers.h"],
    "src/import": ["import/", "ir/", "support/", "usmp/result.h"],
    "src/passes": ["passes/", "ir/", "support/", "usmp/result.h", "usmp/buffers.h"],
    "src/lower": ["lower/", "ir/", "support/", "usmp/interface.h", *PUBLIC_PLANNER],
    "src/stream": ["stream/", "lower/program.h", "support/", "usmp/buffers.h"],
    "src/emit": ["emit/", "lower/program.h", "support/", "usmp/interface.h", *PUBLIC_PLANNER],
    "src/report": ["report/", "support/", "usmp/report.h", *PUBLIC_PLANNER],
    "src/compile": ANYTHING,
    "tools": ["usmp/", "tools/"],
    "runtime": ["runtime/"],
    "tests": ANYTHING,
    "benchmarks": ANYTHING,
    "examples": ANYTHING,
}

# Third-party headers: where they may be included, as patterns of paths. Everything else in angle brackets
# is taken for a standard header.
THIRD_PARTY = {
    "fmt/": r"(src|tools)/.*\.cc",
    "tl/": r"include/usmp/result\.h",
    "nlohmann/": r"src/plan/json\.h|src/report/json_report\.cc|tools/.*\.cc",
    "flatbuffers/": r"src/import/tflite/.*",
    "toml++/": r"tools/.*\.cc",
    "CLI/": r"tools/.*\.cc",
    "gtest/": r"(src|tests|tools)/.*",
    "gmock/": r"(src|tests|tools)/.*",
    "benchmark/": r"benchmarks/.*",
    "gemmlowp/": r"tests/.*",
    "dlpack/": r"tests/.*",
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def is_test(path):
    return path.endswith("_test.cc") or path.startswith(("tests/", "benchmarks/"))


def layer_of(path):
    folders = [f for f in MAY_INCLUDE if path.startswith(f + "/")]
    return max(folders, key=len) if folders else None


def resolved(path, header):
    """runtime/ includes relative to the including file, as does a bare name; the rest from src/, include/."""
    if "/" in header and not path.startswith("runtime/"):
        return header
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), header))


def problem_of(path, bracket, header):
    """Why the file may not include the header; None: it may."""
    for prefix, where in THIRD_PARTY.items():
        if header.startswith(prefix) and not is_test(path):
            return None if re.fullmatch(where, path) else f"<{header}> is allowed in {where} only"
    if bracket == "<" or is_test(path):
        return None
    layer = layer_of(path)
    if layer is None:
        return "this folder has no row in cmake/check_layers.py"
    if any(resolved(path, header).startswith(prefix) for prefix in MAY_INCLUDE[layer]):
        return None
    return f'{layer} may not include "{header}", only {", ".join(MAY_INCLUDE[layer])}'


def violations(root):
    found = []
    for top in sorted({folder.split("/")[0] for folder in MAY_INCLUDE}):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in (".h", ".cc", ".c", ".def"):
                continue
            path = file.relative_to(root).as_posix()
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
                match = INCLUDE.match(line)
                problem = match and problem_of(path, *match.groups())
                if problem:
                    found.append(f"{path}:{number}: {problem}")
    return found


# path, line, part of the expected message (None: allowed)
SELF_TEST = [
    ("src/plan/greedy.cc", '#include "ir/graph.h"', "src/plan may not include"),
    ("src/emit/emit.cc", '#include "ir/graph.h"', "src/emit may not include"),
    ("src/emit/emit.cc", '#include "lower/builder.h"', "src/emit may not include"),
    ("src/emit/emit.cc", '#include "lower/program.h"', None),
    ("src/ir/graph.cc", '  #  include "tools/x.h"', "src/ir may not include"),
    ("src/ir/graph.cc", '// #include "tools/x.h"', None),
    ("src/lower/lower.cc", "#include <flatbuffers/flatbuffers.h>", "is allowed in"),
    ("src/import/tflite/read.cc", "#include <flatbuffers/flatbuffers.h>", None),
    ("src/ir/graph.h", "#include <fmt/format.h>", "is allowed in"),
    ("src/ir/graph.cc", "#include <fmt/format.h>", None),
    ("src/new/thing.cc", '#include "new/thing.h"', "no row"),
    ("tools/usmp.cc", '#include "plan/greedy.h"', "tools may not include"),
    ("tools/usmp.cc", '#include "usmp/plan.h"', None),
    ("runtime/kernels/a.h", '#include "../usmp_runtime.h"', None),
    ("tools/usmp.cc", '#include "io.h"', None),
    ("runtime/kernels/a.h", '#include "b.h"', None),
    ("runtime/kernels/a.h", '#include "../../include/usmp/plan.h"', "runtime may not include"),
    ("src/plan/greedy_test.cc", '#include "ir/graph.h"', None),
]


def self_test():
    wrong = 0
    for path, line, expected in SELF_TEST:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / path
            file.parent.mkdir(parents=True)
            file.write_text(f"{line}\n")
            # src itself has no row, so that a new folder below it is found.
            found = violations(pathlib.Path(folder))
        ok = not found if expected is None else len(found) == 1 and expected in found[0]
        if not ok:
            print(f"{path}: {line}: expected {expected or 'nothing'}, found {found}")
            wrong += 1
    return wrong


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 1 if self_test() else 0
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    found = violations(pathlib.Path(sys.argv[1]))
    print("\n".join(found) if found else "every include is allowed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
