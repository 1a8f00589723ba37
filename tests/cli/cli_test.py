#!/usr/bin/env python3
"""The command on bad input: the right exit code, one clear paragraph on standard error, nothing half written.

  USMP=build/dev/tools/usmp MODEL=examples/glyphs/glyphs.tflite cli_test.py [-v] [Class.test]"""

import json
import os
import pathlib
import re
import stat
import subprocess
import tarfile
import tempfile
import time
import unittest

USMP = str(pathlib.Path(os.environ["USMP"]).resolve())
MODEL = pathlib.Path(os.environ["MODEL"]).resolve()
BAD_INPUT, USAGE = 1, 2


class Cli(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="usmp_cli_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def usmp(self, *arguments, **options):
        return subprocess.run([USMP, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              timeout=120, **options)

    def files(self):
        """Everything under the folder, as relative paths."""
        return sorted(str(p.relative_to(self.folder)) for p in self.folder.rglob("*"))

    def expect_error(self, code, *arguments, says=()):
        """Fails with that code, says each of the words, prints nothing else, and leaves no file behind."""
        before = self.files()
        done = self.usmp(*arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertTrue(done.stderr.strip(), "nothing on standard error")
        if code == BAD_INPUT:
            self.assertEqual(done.stdout, "")
            self.assertTrue(done.stderr.startswith("error: "), done.stderr)
        for word in says:
            self.assertIn(str(word), done.stderr)
        self.assertNotIn("terminate called", done.stderr)
        self.assertNotIn("Sanitizer", done.stderr)
        self.assertEqual(self.files(), before)
        return done.stderr

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path


class Models(Cli):
    def bad_model(self, path, *says):
        for command in ("compile", "inspect", "run"):
            with self.subTest(command=command):
                self.expect_error(BAD_INPUT, command, path, says=says)

    def test_missing(self):
        self.bad_model("nowhere.tflite", "nowhere.tflite", "No such file")

    def test_directory(self):
        (self.folder / "folder").mkdir()
        self.bad_model("folder", "folder", "directory")

    def test_empty(self):
        self.bad_model(self.write("empty.tflite", b""), "empty")

    def test_other_formats(self):
        onnx = b"\x08\x07\x12\x07pytorch\x1a\x031.9"
        for name, content in {"text": b"hello, world\n" * 9, "zip": b"PK\x03\x04" + bytes(99), "onnx": onnx,
                              "elf": b"\x7fELF" + bytes(99), "zeros": bytes(4096), "one": b"x",
                              "itself": pathlib.Path(__file__).read_bytes()}.items():
            with self.subTest(name):
                self.bad_model(self.write(name, content))

    def test_truncated(self):
        whole = MODEL.read_bytes()
        for size in (1, 4, 8, 9, 64, 1000, len(whole) // 2, len(whole) - 1):
            with self.subTest(size=size):
                path = self.write(f"cut{size}.tflite", whole[:size])
                done = self.usmp("compile", path, "-o", "out")
                self.assertIn(done.returncode, (0, BAD_INPUT), done.stderr)
                self.assertEqual(done.returncode == 0, (self.folder / "out").exists())

    def test_unreadable(self):
        if os.geteuid() == 0:
            self.skipTest("root reads everything")
        path = self.write("secret.tflite", MODEL.read_bytes())
        path.chmod(0)
        self.bad_model(path, "secret.tflite")


class Config(Cli):
    """usmp.toml, several models, and tensors placed one by one."""

    def config(self, text):
        return self.write("usmp.toml", text.replace("MODEL", str(MODEL)).encode())

    def report(self, *arguments):
        done = self.usmp("compile", *arguments, "-o", "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads((self.folder / "out/report.json").read_text())

    TWO = """
        models = "concurrent"
        max-steps = 1000
        [[workspace-pool]]
        name = "fast"
        size = "4K"
        [[workspace-pool]]
        name = "sram"
        internal = true
        [[model]]
        file = "MODEL"
        name = "one"
        io = "workspace"
        io-tensor = ["output:0=caller", "image=workspace:sram:precious"]
        [[model]]
        file = "MODEL"
        name = "two"
        """

    def test_file_and_command_line_say_the_same(self):
        by_file = self.report("--config", self.config(self.TWO))
        by_words = self.report(MODEL, MODEL, "--name", "one", "--name", "two", "--models", "concurrent", "--max-steps",
                               1000, "--workspace-pool", "fast:size=4K", "--workspace-pool", "sram:internal=true",
                               "--io", "one=workspace", "--io-tensor", "one.output:0=caller",
                               "--io-tensor", "one.image=workspace:sram:precious")
        self.assertEqual(by_file, by_words)
        one, two = by_file["models"]
        self.assertEqual([t["placement"] for m in (one, two) for t in m["inputs"] + m["outputs"]],
                         ["workspace", "caller", "caller", "caller"])
        self.assertEqual([one["inputs"][0]["pool"], one["inputs"][0]["precious"]], ["sram", True])

    def test_pools_and_constants(self):
        (self.folder / "boards").mkdir()
        self.write("boards/mine.toml", b"[[constant-pool]]\nname = 'flash'\n[[constant-pool]]\nname = 'fast'\n")
        self.write("boards/usmp.toml", f"""
            pools = "mine.toml"
            archive = "both.tar"
            [[model]]
            file = "{MODEL}"
            name = "one"
            constant = ["op 0 *=fast", "*=flash"]
            [[model]]
            file = "{MODEL}"
            name = "two"
            """.encode())
        report = self.report("--config", "boards/usmp.toml")
        self.assertEqual({(buffer["model"], buffer["pool"]) for buffer in report["buffers"]
                          if buffer["kind"] == "constant"}, {("one", "fast"), ("one", "flash"), ("two", "flash")})
        self.assertTrue((self.folder / "both.tar").exists())

    def test_command_line_has_the_last_word(self):
        self.config('[[model]]\nfile = "MODEL"\nname = "glyphs"\n')
        text = 'algorithm = "greedy_by_size"\n' + (self.folder / "usmp.toml").read_text()
        self.config(text)
        self.assertEqual(self.report("--config", "usmp.toml")["algorithm"], "greedy_by_size")
        self.assertEqual(self.report("--config=usmp.toml", "--algorithm", "hill_climb")["algorithm"], "hill_climb")

    def test_everything_wrong_with_the_file_is_listed(self):
        self.config("""
            map = 1979-05-27
            [[workspace-pool]]
            size = 4
            [[model]]
            name = "one"
            [[model]]
            file = "MODEL"
            speed = 11
            """)
        self.expect_error(BAD_INPUT, "compile", "--config", "usmp.toml", says=(
            "usmp.toml:2: 'map'", "usmp.toml:3: this pool has no name", "usmp.toml:5: this model has no file",
            "usmp.toml:9: 'speed' is no setting of a model"))

    def test_files_that_cannot_be_read(self):
        self.expect_error(BAD_INPUT, "compile", "--config", "none.toml", says=("none.toml",))
        self.config("map = = true")
        self.expect_error(BAD_INPUT, "compile", "--config", "usmp.toml", says=("usmp.toml:1", "TOML"))
        self.config("colour = 'red'")
        self.expect_error(USAGE, "compile", MODEL, "--config", "usmp.toml", says=("--colour",))

    def test_options_of_several_models_say_which(self):
        two = (MODEL, MODEL, "--name", "one", "--name", "two")
        self.expect_error(BAD_INPUT, "compile", *two, "--io-tensor", "image=workspace", says=("MODEL.image", "one, two"))
        self.expect_error(BAD_INPUT, "compile", *two, "--io", "three=workspace", says=("one, two",))
        self.expect_error(BAD_INPUT, "compile", MODEL, MODEL, says=("glyphs", "--name"))
        self.expect_error(BAD_INPUT, "compile", MODEL, "--name", "a", "--name", "b", says=("more names",))
        self.expect_error(BAD_INPUT, "run", *two, says=("one model",))

    def test_placements_of_tensors(self):
        for spec in ("image", "image=", "=caller", "image=rom", "image=caller:precious", "image=workspace:a:b",
                     "image=workspace:", "image=workspace:precious:"):
            with self.subTest(spec=spec):
                self.expect_error(BAD_INPUT, "compile", MODEL, "--io-tensor", spec, says=("NAME=workspace",))
        self.expect_error(BAD_INPUT, "compile", MODEL, "--io-tensor", "picture=caller", "--io-tensor", "input:1=caller",
                          says=("'picture'", "'input:1'", "image (input:0), digit (output:0)"))

    def test_run_in_every_placement(self):
        outputs = set()
        for options in ((), ("--io", "workspace"), ("--io-tensor", "image=workspace:precious"),
                        ("--io-tensor", "digit=workspace:sram", "--workspace-pool", "dtcm", "--workspace-pool", "sram")):
            done = self.usmp("run", MODEL, "--runs", 3, "-o", "result", *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            outputs.add((self.folder / "result/output_0.bin").read_bytes())
        self.assertEqual(len(outputs), 1)


class Arguments(Cli):
    def test_unknown_algorithm_lists_the_known(self):
        self.expect_error(BAD_INPUT, "compile", MODEL, "--algorithm", "magic",
                          says=("magic", "greedy_by_size", "hill_climb"))

    def test_none_at_all(self):
        self.expect_error(USAGE, says=("inspect, compile, run",))

    def test_no_model(self):
        for command in ("compile", "inspect", "run", "plan", "verify"):
            with self.subTest(command=command):
                self.expect_error(USAGE, command)

    def test_unknown_command_and_option(self):
        self.expect_error(USAGE, "frobnicate", says=("frobnicate",))
        self.expect_error(USAGE, "compile", MODEL, "--frobnicate", says=("--frobnicate",))

    def test_option_without_its_value(self):
        self.expect_error(USAGE, "compile", MODEL, "-o")
        self.expect_error(USAGE, "compile", MODEL, "--max-steps", "-1", says=("--max-steps", "negative"))

    def test_pool_specifications(self):
        for spec in ("sram:size=lots", "sram:colour=red", "sram:align=3", "sram:size=-5", "sram:size=",
                     "sram:section=.ccm", 'sram:internal=true,section=a"b', "sram:internal=true,section=a b",
                     "a b", "int", ""):
            with self.subTest(spec=spec):
                self.expect_error(BAD_INPUT, "compile", MODEL, "--workspace-pool", spec)

    def test_pools_of_the_same_name(self):
        self.expect_error(BAD_INPUT, "compile", MODEL, "--workspace-pool", "sram", "--workspace-pool", "sram",
                          says=("sram",))

    def test_pool_that_is_too_small_says_how_much_is_missing(self):
        self.expect_error(BAD_INPUT, "compile", MODEL, "--workspace-pool", "sram:size=100", says=("sram", "100"))

    def test_shapes(self):
        for spec in ("image", "image=", "image=1,x", "image=0,28,28,1", "image=-1,28,28,1", "=1,2"):
            with self.subTest(spec=spec):
                self.expect_error(BAD_INPUT, "compile", MODEL, "--shape", spec)

    def test_stream(self):
        def total(*options):
            out = self.folder / "report.json"
            done = self.usmp("compile", MODEL, "-o", self.folder / "out", "--report", out, *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            return json.loads(out.read_text())["total_ram_bytes"]

        least, whole = total(), total("--stream", "off")
        self.assertLess(least, whole)
        self.assertLessEqual(total("--stream", str(whole - 1)), whole - 1)
        self.assertEqual(total("--stream", "1M"), whole)
        for spec in ("on", "-1", "12Q"):
            with self.subTest(spec=spec):
                self.expect_error(BAD_INPUT, "compile", MODEL, f"--stream={spec}")

    def test_shape_of_an_input_that_does_not_exist(self):
        self.expect_error(BAD_INPUT, "compile", MODEL, "--shape", "nobody=1,2,3", says=("nobody",))

    def test_help_and_version_succeed(self):
        for arguments in (["--help"], ["--version"], ["compile", "--help"], ["run", "--help"], ["ops"],
                          ["algorithms"]):
            with self.subTest(arguments=arguments):
                done = self.usmp(*arguments)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(done.stdout)
                self.assertEqual(done.stderr, "")

    def test_help_fits_a_terminal(self):
        for command in ((), ("compile",), ("inspect",), ("run",), ("plan",), ("verify",), ("ops",), ("algorithms",)):
            with self.subTest(command=command):
                text = self.usmp(*command, "--help").stdout
                self.assertIn(" ".join(("Usage: usmp", *command)), text)
                self.assertLessEqual(max(map(len, text.splitlines())), 80)

    def test_pass_that_does_not_exist(self):
        self.expect_error(BAD_INPUT, "compile", MODEL, "--dump-after", "nonsense", "-o", "out",
                          says=("nonsense", "fold_constants", "all"))
        done = self.usmp("compile", MODEL, "--dump-after", "fold_constants", "-o", "out")
        self.assertEqual(done.returncode, 0)
        self.assertIn("after fold_constants:", done.stderr)


class Output(Cli):
    def test_folder_is_created_with_its_parents(self):
        self.assertEqual(self.usmp("compile", MODEL, "-o", "a/b/c").returncode, 0)
        self.assertTrue((self.folder / "a/b/c/report.json").exists())

    def test_output_is_a_file(self):
        self.write("taken", b"mine")
        self.expect_error(BAD_INPUT, "compile", MODEL, "-o", "taken", says=("taken",))
        self.assertEqual((self.folder / "taken").read_bytes(), b"mine")

    def test_output_below_a_file(self):
        self.write("taken", b"mine")
        self.expect_error(BAD_INPUT, "compile", MODEL, "-o", "taken/below", says=("taken",))

    def test_folder_that_cannot_be_made(self):
        self.expect_error(BAD_INPUT, "compile", MODEL, "-o", "/proc/nowhere", says=("/proc/nowhere",))

    def test_folder_without_permission(self):
        if os.geteuid() == 0:
            self.skipTest("root writes everywhere")
        folder = self.folder / "locked"
        folder.mkdir()
        folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
        self.expect_error(BAD_INPUT, "compile", MODEL, "-o", folder, says=("locked",))

    def test_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        done = self.usmp("compile", MODEL, "-o", "out", "--report", "/dev/full")
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertIn("/dev/full", done.stderr)

    def test_report_that_cannot_be_written(self):
        done = self.usmp("compile", MODEL, "-o", "out", "--report", "nowhere/report.json")
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertIn("nowhere/report.json", done.stderr)

    def test_file_in_the_way_leaves_nothing_half_written(self):
        """One of the files cannot be written: none of the others is."""
        blocked = self.folder / "out/tvmgen_m.c"
        blocked.mkdir(parents=True)
        self.expect_error(BAD_INPUT, "compile", MODEL, "--name", "m", "-o", "out", says=("tvmgen_m.c",))

    def test_again_over_the_same_folder(self):
        self.assertEqual(self.usmp("compile", MODEL, "-o", "out").returncode, 0)
        first = {f: (self.folder / f).read_bytes() for f in self.files() if (self.folder / f).is_file()}
        self.assertEqual(self.usmp("compile", MODEL, "-o", "out").returncode, 0)
        self.assertEqual({f: (self.folder / f).read_bytes() for f in first}, first)
        self.assertEqual(len([f for f in self.files() if (self.folder / f).is_file()]), len(first))

    def test_files_that_stay_the_same_are_not_touched(self):
        """So that a build around them has nothing to do; what differs is replaced, at the same size too."""
        def dates():
            return {f: (self.folder / f).stat().st_mtime_ns for f in self.files() if (self.folder / f).is_file()}

        self.assertEqual(self.usmp("compile", MODEL, "--name", "m", "-o", "out").returncode, 0)
        for file in dates():
            os.utime(self.folder / file, (1e9, 1e9))
        source = self.folder / "out/tvmgen_m.c"
        text = source.read_bytes()
        source.write_bytes(text[:-1] + b"?")
        before = dates()
        self.assertEqual(self.usmp("compile", MODEL, "--name", "m", "-o", "out").returncode, 0)
        self.assertEqual(source.read_bytes(), text)
        after = dates()
        self.assertNotEqual(before.pop("out/tvmgen_m.c"), after.pop("out/tvmgen_m.c"))
        self.assertEqual(after, before)

    def test_generated_cmake_brings_libm_to_bare_metal(self):
        """An application that links the model's target can call expf, as the model's kernels may."""
        self.assertEqual(self.usmp("compile", MODEL, "--name", "m", "-o", "m").returncode, 0)
        self.write("main.c", b"#include <math.h>\n#include \"tvmgen_m.h\"\n"
                             b"int main(int argc, char** argv) { (void)argv; return (int)expf((float)argc); }\n")
        self.write("CMakeLists.txt", b"cmake_minimum_required(VERSION 3.13)\nproject(firmware LANGUAGES C)\n"
                                     b"add_subdirectory(m)\nadd_executable(firmware main.c)\n"
                                     b"target_link_libraries(firmware PRIVATE tvmgen_m)\n")
        cross = ("-DCMAKE_SYSTEM_NAME=Generic", "-DCMAKE_SYSTEM_PROCESSOR=arm",
                 "-DCMAKE_C_COMPILER=arm-none-eabi-gcc", "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY",
                 "-DCMAKE_C_FLAGS=-mcpu=cortex-m4 -mthumb -O2", "-DCMAKE_EXE_LINKER_FLAGS=--specs=nosys.specs")
        for kind, options in {"host": (), "bare metal": cross}.items():
            with self.subTest(kind):
                for command in (["cmake", "-S", ".", "-B", kind, "-G", "Ninja", *options], ["cmake", "--build", kind]):
                    done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=120)
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_same_bytes_in_another_folder_and_locale(self):
        def generate(place, locale):
            (self.folder / place).mkdir(parents=True)
            copy = self.folder / place / "model.tflite"
            copy.write_bytes(MODEL.read_bytes())
            done = subprocess.run([USMP, "compile", "model.tflite", "-o", "out"], cwd=self.folder / place,
                                  env={**os.environ, "LC_ALL": locale}, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            out = self.folder / place / "out"
            return {str(p.relative_to(out)): p.read_bytes() for p in out.rglob("*") if p.is_file()}

        first = generate("here", "C")
        for place, locale in (("a b/c", "C.UTF-8"), ("there", "de_DE.UTF-8"), ("elsewhere", "tr_TR.UTF-8")):
            self.assertEqual(generate(place, locale), first, locale)

    def test_broken_pipe(self):
        done = subprocess.run(f"{USMP} ops | head -1 > /dev/null; echo ${{PIPESTATUS[0]}}", shell=True,
                              executable="/bin/bash", capture_output=True, text=True, timeout=60)
        self.assertNotIn("70", done.stdout)


class Names(Cli):
    def test_odd_model_names_give_valid_symbols(self):
        for name in ("my model", "1st", "a-b", "int", "x*/y", "UPPER", "\u00e9t\u00e9"):
            with self.subTest(name=name):
                done = self.usmp("compile", MODEL, "--name", name, "-o", f"out_{len(name)}")
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_prefix(self):
        self.assertEqual(self.usmp("compile", MODEL, "--prefix", "fw", "--name", "m", "-o", "out").returncode, 0)
        self.assertTrue((self.folder / "out/fw_m.c").exists())

    def test_empty_name_and_prefix(self):
        for option in ("--name", "--prefix"):
            with self.subTest(option=option):
                done = self.usmp("compile", MODEL, option, "", "-o", "out")
                self.assertIn(done.returncode, (0, BAD_INPUT, USAGE), done.stderr)


class Run(Cli):
    def test_input_of_the_wrong_size(self):
        self.expect_error(BAD_INPUT, "run", MODEL, "--input", self.write("short.bin", b"123"),
                          says=("short.bin", "3"))

    def test_input_that_does_not_exist(self):
        self.expect_error(BAD_INPUT, "run", MODEL, "--input", "nowhere.bin", says=("nowhere.bin",))

    def test_too_many_inputs(self):
        good = self.write("good.bin", bytes(28 * 28))
        self.expect_error(BAD_INPUT, "run", MODEL, "--input", good, "--input", good)

    def test_no_compiler(self):
        done = self.usmp("run", MODEL, env={"PATH": "/nowhere", "CC": "/nowhere/cc"})
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertIn("\nerror: /nowhere/cc", "\n" + done.stderr)

    def test_compiler_with_options(self):
        done = self.usmp("run", MODEL, "--runs", "0", env={**os.environ, "CC": "cc  -DUNUSED=1 -g"})
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_no_temporary_folder(self):
        done = self.usmp("run", MODEL, env={**os.environ, "TMPDIR": "/nowhere"})
        self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
        self.assertIn("TMPDIR", done.stderr)

    def test_outputs_are_written(self):
        done = self.usmp("run", MODEL, "-o", "results")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "results/output_0.bin").stat().st_size, 10)


class Plans(Cli):
    def test_bad_problems(self):
        for name, content in {"empty.json": "", "not.json": "{", "list.json": "[]", "none.csv": "",
                              "header.csv": "a,b,c\n1,2,3\n", "words.csv": "id,lower,upper,size\na,x,y,z\n",
                              "negative.csv": "id,lower,upper,size\na,0,1,-5\n",
                              "inverted.csv": "id,lower,upper,size\na,5,1,10\n",
                              "unknown.txt": "hello"}.items():
            with self.subTest(name):
                self.expect_error(BAD_INPUT, "plan", self.write(name, content.encode()), says=(name,))

    def test_plan_that_is_wrong(self):
        problem = self.write("p.csv", b"id,lower,upper,size\na,0,2,10\nb,1,3,10\n")
        plan = self.write("plan.csv", b"id,lower,upper,size,offset\na,0,2,10,0\nb,1,3,10,5\n")
        done = self.usmp("verify", problem, plan)
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertIn("a", done.stderr + done.stdout)

    def test_capacity_that_is_too_small(self):
        problem = self.write("p.csv", b"id,lower,upper,size\na,0,2,10\nb,1,3,10\n")
        self.expect_error(BAD_INPUT, "plan", problem, "--capacity", "15", says=("15", "20"))


class Pools(Cli):
    def boards(self):
        done = self.usmp("pools")
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line.split()[0] for line in done.stdout.splitlines()]

    def pools_of(self, *arguments):
        done = self.usmp("compile", MODEL, "--report", "report.json", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {pool["name"]: pool for pool in json.loads((self.folder / "report.json").read_text())["pools"]}

    def test_every_board_compiles_and_names_its_sources(self):
        boards = self.boards()
        self.assertGreaterEqual(len(boards), 12)
        for board in boards:
            with self.subTest(board):
                text = self.usmp("pools", "--show", board).stdout
                self.assertRegex(text, "(?m)^#.* at [0-9a-f]{12}")
                pools = self.pools_of("--pools", board)
                self.assertEqual(set(pools), set(re.findall('(?m)^name = "(.*)"', text)))

    def test_shown_file_is_the_board(self):
        self.write("mine.toml", self.usmp("pools", "--show", "stm32h743").stdout.encode())
        self.assertEqual(self.pools_of("--pools", "mine.toml"), self.pools_of("--pools", "stm32h743"))

    def test_command_line_comes_first(self):
        pools = list(self.pools_of("--pools", "nrf52840", "--workspace-pool", "fast:size=2K"))
        self.assertLess(pools.index("fast"), pools.index("ram"))

    def test_keys_of_a_file(self):
        self.write("mine.toml", b"""
            [[constant-pool]]
            name = "weights"
            size = "64K"
            align = 32
            ram = true
            internal = true
            [[workspace-pool]]
            name = "sram"
            targets = ["cpu", "npu"]
            read_bw = 0.5
            read_latency = 10""")
        pools = self.pools_of("--pools", "mine.toml")
        self.assertEqual((pools["weights"]["size_hint_bytes"], pools["weights"]["alignment"]), (65536, 32))
        self.assertTrue(pools["weights"]["in_ram"] and pools["weights"]["internal"])
        self.assertFalse(pools["sram"]["internal"])

    def test_bad_files(self):
        for content, says in {"[[workspace_pools]\n": "bad.toml:1:", "pools = 1": "'pools'",
                              "[[workspace-pool]]\nsize = 1": "no name",
                              "[[workspace-pool]]\nname = 'a'\nsize = 'x'": "'size'",
                              "[[constant-pool]]\nname = 'a'\ncolor = 1": "bad.toml:3",
                              "workspace-pool = 3": "array of tables",
                              "[[workspace-pool]]\nname = 'a'\nsize = 1979-05-27": "'size'"}.items():
            with self.subTest(content):
                self.write("bad.toml", content.encode())
                self.expect_error(BAD_INPUT, "compile", MODEL, "--pools", "bad.toml", says=(says,))
        self.expect_error(BAD_INPUT, "compile", MODEL, "--pools", "missing.toml", says=("missing.toml",))
        self.expect_error(BAD_INPUT, "compile", MODEL, "--pools", "z80", says=("z80", "stm32h743"))
        self.expect_error(BAD_INPUT, "pools", "--show", "z80", says=("z80",))

    def test_bad_constants(self):
        for spec in ("x", "=a", "a="):
            with self.subTest(spec):
                self.expect_error(BAD_INPUT, "compile", MODEL, "--constant", spec, says=("PATTERN=POOL",))


class Tvm(Cli):
    GUIDE = pathlib.Path(__file__).resolve().parents[2] / "docs/from-microtvm.md"

    def report(self, *arguments):
        done = self.usmp("compile", MODEL, "--report", "report.json", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads((self.folder / "report.json").read_text())

    def test_every_option_of_the_guide(self):
        rows = re.findall(r"(?m)^\| `(--(?:workspace|constant)-pools[^`…]*)`(.*)", self.GUIDE.read_text())
        self.assertGreaterEqual(len(rows), 10)
        for option, rest in rows:
            with self.subTest(option):
                self.assertIn("the same", rest)
                names = () if re.match("--[a-z]+-pools=", option) else ("--workspace-pools=sram,dtcm",)
                self.report(*names, option)

    def test_same_as_our_own(self):
        theirs = self.report("--workspace-pools=dtcm,sram", "--workspace-pools-size-hint-bytes=dtcm:2048,sram:-1",
                             "--workspace-pools-targets=sram:c,dtcm:c", "--constant-pools=flash",
                             "--constant-pools-size-hint-bytes=flash:65536")
        ours = self.report("--workspace-pool", "dtcm:size=2K,targets=c", "--workspace-pool", "sram:targets=c",
                           "--constant-pool", "flash:size=64K")
        self.assertEqual(theirs, ours)
        self.assertEqual([pool["name"] for pool in ours["pools"]], ["dtcm", "sram", "flash"])

    def test_bad_pools(self):
        for option, says in {"--workspace-pools-size-hint-bytes=sram": "POOL:VALUE",
                             "--workspace-pools-size-hint-bytes=other:1": "'other'",
                             "--workspace-pools-size-hint-bytes=sram:x": "'x'",
                             "--workspace-pools-target-burst-bytes=sram:4": "POOL:TARGET:BYTES"}.items():
            with self.subTest(option):
                self.expect_error(BAD_INPUT, "compile", MODEL, "--workspace-pools=sram", option, says=(says, option[:20]))

    def test_archive(self):
        report = self.report("--name", "kws", "--io", "workspace", "--stream", "off", "--constant-pools=flash",
                             "--archive", "a.tar")
        with tarfile.open(self.folder / "a.tar") as archive:
            for member in archive:
                self.assertEqual((member.uid, member.gid, member.uname, member.mtime), (0, 0, "root", 0))
            archive.extractall(self.folder / "a")
        metadata = json.loads((self.folder / "a/metadata.json").read_text())
        self.assertEqual((metadata["version"], list(metadata["modules"])), (7, ["kws"]))
        functions = metadata["modules"]["kws"]["memory"]["functions"]
        main = functions["main"][0]
        self.assertEqual([main[key] for key in ("workspace_size_bytes", "constants_size_bytes", "io_size_bytes")],
                         [report[key] for key in ("workspace_bytes", "constant_bytes", "caller_io_bytes")])
        self.assertEqual(main["inputs"], {"image": {"size": 784, "dtype": "int8"}})
        self.assertEqual({row["function_name"] for row in functions["operator_functions"]},
                         {"usmp_" + call["kernel"] for call in report["calls"]})
        built = subprocess.run(["cc", "-std=c11", "-Wall", "-Werror", "-c", "-Icodegen/host/include",
                                "codegen/host/src/tvmgen_kws.c", "-o", "kws.o"], cwd=self.folder / "a",
                               capture_output=True, text=True)
        self.assertEqual(built.returncode, 0, built.stderr)
        flash = (self.folder / "a/parameters/tvmgen_kws_flash.bin").stat().st_size
        self.assertEqual(flash, report["constant_bytes"])

    def test_archive_of_several_models(self):
        report = self.report(MODEL, "--name", "Key Words", "--name", "wake", "--constant-pool", "flash",
                             "--constant-pool", "rest:internal=true", "--constant", "wake.op 0 *=rest",
                             "--archive", "a.tar")
        with tarfile.open(self.folder / "a.tar") as archive:
            archive.extractall(self.folder / "a")
        modules = json.loads((self.folder / "a/metadata.json").read_text())["modules"]
        self.assertEqual(list(modules), ["key_words", "wake"])
        mains = [module["memory"]["functions"]["main"][0] for module in modules.values()]
        # They take turns in one workspace; constants and the caller's tensors add up.
        self.assertEqual([main["workspace_size_bytes"] for main in mains], [report["workspace_bytes"]] * 2)
        self.assertEqual(sum(main["io_size_bytes"] for main in mains), report["caller_io_bytes"])
        for name, main in zip(modules, mains):
            header = (self.folder / f"a/codegen/host/include/tvmgen_{name}.h").read_text()
            flash = int(re.search("_FLASH_CONSTANT_POOL_SIZE ([0-9]+)", header)[1])
            self.assertEqual((self.folder / f"a/parameters/tvmgen_{name}_flash.bin").stat().st_size, flash)
            self.assertEqual(name == "wake", main["constants_size_bytes"] > flash)
            built = subprocess.run(["cc", "-std=c11", "-Wall", "-Werror", "-c", "-Icodegen/host/include",
                                    f"codegen/host/src/tvmgen_{name}.c", "-o", "m.o"], cwd=self.folder / "a",
                                   capture_output=True, text=True)
            self.assertEqual(built.returncode, 0, built.stderr)

    def test_archive_with_long_names(self):
        self.expect_error(BAD_INPUT, "compile", MODEL, "--name", "a" * 90, "--archive", "a.tar", says=("too long", "--name"))
        name = "a" * 80
        self.report("--name", name, "--archive", "a.tar")
        with tarfile.open(self.folder / "a.tar") as archive:
            self.assertIn(f"./codegen/host/include/tvmgen_{name}.h", archive.getnames())
            self.assertTrue(any(n.startswith("./codegen/host/src/usmp/kernels/") for n in archive.getnames()))


class Exec(Cli):
    PROBLEM = b'{"format": 1, "pools": [{"name": "ram"}], "buffers": [{"id": "a", "size": 8, "lifetimes": [[0, 2]]}, ' \
              b'{"id": "b", "size": 8, "lifetimes": [[1, 3]]}]}'

    def program(self, body):
        path = self.write("planner", ("#!/usr/bin/env python3\nimport json, sys, time\n"
                                      "problem = json.load(sys.stdin)\n" + body).encode())
        path.chmod(0o755)
        return f"exec:{path}"

    def plan(self, body, *options):
        return self.usmp("plan", self.write("p.json", self.PROBLEM), "--algorithm", self.program(body), *options)

    STACK = "at = 0\nplan = []\nfor b in problem['buffers']:\n" \
            "  plan.append({'id': b['id'], 'pool': 'ram', 'offset': at}); at += b['size']\n"

    def test_its_plan_is_used(self):
        done = self.plan(self.STACK + "json.dump({'format': 1, 'allocations': plan}, sys.stdout)")
        self.assertEqual(done.returncode, 0, done.stderr)
        offsets = {row["id"]: row["offset"] for row in json.loads(done.stdout)["allocations"]}
        self.assertEqual(offsets, {"a": 0, "b": 8})
        self.assertEqual(json.loads(done.stdout)["proof"], "meets_lower_bound")

    def test_claims_are_not_believed(self):
        done = self.plan(self.STACK + "plan[1]['offset'] = 100\njson.dump({'format': 1, 'allocations': plan, "
                                      "'lower_bound': 108, 'proof': 'exhausted'}, sys.stdout)")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((json.loads(done.stdout)["proof"], json.loads(done.stdout)["lower_bound"]), ("none", 16))

    def test_failures(self):
        for body, says in {"sys.exit('out of ideas')": ("exit code 1", "out of ideas"),
                           "print('hello')": ("planner",),
                           "json.dump({'format': 1, 'allocations': []}, sys.stdout)": ("a", "b"),
                           self.STACK + "plan[1]['offset'] = 4\n"
                           "json.dump({'format': 1, 'allocations': plan}, sys.stdout)": ("planner", "a", "b"),
                           "import os; os.kill(os.getpid(), 9)": ("Killed",)}.items():
            with self.subTest(body):
                done = self.plan(body)
                self.assertEqual(done.returncode, BAD_INPUT, done.stdout)
                for word in says:
                    self.assertIn(word, done.stderr)

    def test_time_is_limited(self):
        begin = time.monotonic()
        done = self.plan("sys.stderr.write('thinking')\nsys.stderr.flush()\ntime.sleep(100)", "--exec-seconds", "1")
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertIn("1 seconds", done.stderr)
        self.assertIn("thinking", done.stderr)
        self.assertLess(time.monotonic() - begin, 60)

    def test_cannot_be_started(self):
        problem = self.write("p.json", self.PROBLEM)
        self.expect_error(BAD_INPUT, "plan", problem, "--algorithm", "exec:./nothing-here", says=("nothing-here",))
        self.expect_error(BAD_INPUT, "plan", problem, "--algorithm", "exec:", says=("exec:PROGRAM",))

    def test_compiles_a_model(self):
        program = self.program(self.STACK.replace("at += b['size']", "at += (b['size'] + 63) // 64 * 64")
                               + "json.dump({'format': 1, 'allocations': plan}, sys.stdout)")
        done = self.usmp("compile", MODEL, "--workspace-pool", "ram", "--algorithm", program, "-o", "out")
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
