#!/usr/bin/env python3
"""check_docs.py ROOT USMP FILE... (or --self-test): runs the commands of documents and compares what they print.

A fenced block right after a line `<!-- run -->` is checked: `$ command` lines are run by bash, in an empty
folder that has `examples` in it and `usmp` on its path; the lines after each are what it prints. In those, a
line `...` stands for any lines, and `...` inside a line for any text. A command without lines may print anything.
Every command has to succeed. Links to files, in all documents below ROOT, have to lead somewhere.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MARK = "<!-- run -->"


def blocks(text):
    """(line number, lines) of every marked block."""
    lines, at = text.splitlines(), 0
    while at < len(lines):
        if lines[at].strip() == MARK and at + 1 < len(lines) and lines[at + 1].startswith("```"):
            end = lines.index("```", at + 2)
            yield at + 2, lines[at + 2:end]
            at = end
        at += 1


def commands(lines):
    """(command, expected lines); a command goes on after a backslash."""
    result = []
    for line in lines:
        if line.startswith("$ "):
            result.append((line[2:], []))
        elif result and result[-1][0].endswith("\\"):
            result[-1] = (f"{result[-1][0]}\n{line}", [])
        elif result:
            result[-1][1].append(line)
    return result


def pattern(expected):
    parts = []
    for line in expected:
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*".join(re.escape(p) for p in line.rstrip().split("...")) + r"[ \t]*\n")
    return "".join(parts)


def check_file(file, folder, environment):
    for number, lines in blocks(file.read_text(encoding="utf-8")):
        for command, expected in commands(lines):
            done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            where = f"{file.name}, block at line {number}: $ {command}"
            if done.returncode != 0:
                yield f"{where}\nexit code {done.returncode}:\n{done.stdout}"
            elif expected and not re.fullmatch(pattern(expected), done.stdout):
                yield f"{where}\nprints\n{done.stdout}"


LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)")


def broken_links(root):
    documents = [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("examples/**/*.md"),
                 *root.glob("benchmarks/**/*.md")]
    for file in sorted(documents):
        for target in LINK.findall(file.read_text(encoding="utf-8")):
            if not (file.parent / target).exists():
                yield f"{file.relative_to(root)}: the link to {target} leads nowhere"


# A document, and whether it is right.
SELF_TEST = [
    ("$ echo a b c\na ... c", True),
    ("$ printf 'a\\nb\\nc\\n'\na\n...\nc\n$ true", True),
    ("$ echo a \\\n  b\na b", True),
    ("$ echo a", True),
    ("$ echo a\nb", False),
    ("$ printf 'a\\nb\\n'\na", False),
    ("$ false", False),
]


def self_test():
    wrong = 0
    for block, right in SELF_TEST:
        with tempfile.TemporaryDirectory() as folder:
            document = pathlib.Path(folder) / "document.md"
            document.write_text(f"text\n{MARK}\n```sh\n{block}\n```\n")
            if (not list(check_file(document, folder, dict(os.environ)))) != right:
                print(f"should be {'accepted' if right else 'refused'}:\n{block}")
                wrong += 1
    return wrong


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 1 if self_test() else 0
    if len(sys.argv) < 4:
        print(__doc__)
        return 2
    root, usmp = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    environment = dict(os.environ, PATH=f"{usmp.parent}:{os.environ['PATH']}")
    problems = list(broken_links(root))
    for name in sys.argv[3:]:
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "examples").symlink_to(root / "examples")
            found = sum(1 for _ in blocks((root / name).read_text(encoding="utf-8")))
            if found == 0:
                problems.append(f"{name}: no block is marked {MARK}")
            problems += check_file(root / name, folder, environment)
    print("\n".join(problems) if problems else "as documented")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
