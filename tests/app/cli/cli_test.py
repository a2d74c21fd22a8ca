#!/usr/bin/env python3
"""Checks tcplab's command line without hosts: its output, the stream of each output, and the exit
status (0 passed, 1 failed, 2 usage or a bad script, 3 the lab broke, 4 nothing ran)."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["TCPLAB_SOURCE"])
TCPLAB = pathlib.Path(os.environ["TCPLAB_BIN"]) / "tcplab"
NOBODY = 65534
SCENARIO = 'return { title = "t", asks = "why?", run = function(lab) end, %s }\n'


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tcplab-cli-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(file)

    def tcplab(self, *arguments, **options):
        options.setdefault("cwd", self.folder)
        return subprocess.run([TCPLAB, *arguments], capture_output=True, text=True, timeout=300,
                              check=False, **options)

    def assert_refused(self, result, *parts):
        """Expects exit status 2, nothing on standard output, and one line on standard error."""
        self.assertEqual(result.returncode, 2, result.stderr)
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertTrue(lines[0].startswith("tcplab: "), lines[0])
        for part in parts:
            self.assertIn(part, lines[0])


class Lists(CommandLine):
    def test_list_prints_the_scenarios_with_their_questions(self):
        result = self.tcplab("list")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for name in ["puzzlers", "power-cycle", "power-off-same-lan", "warmup"]:
            self.assertIn(name, result.stdout)
        self.assertIn("What happens to an established, idle connection", result.stdout)

    def test_names_for_completion_are_one_per_line(self):
        names = self.tcplab("list", "--names").stdout.splitlines()
        self.assertEqual(names, sorted(set(names)))
        self.assertLessEqual({"puzzlers", "power-cycle", "keepalive"}, set(names))
        self.assertTrue(all(name and " " not in name for name in names), names)

    def test_list_prints_the_scenarios_of_another_folder(self):
        self.write("mine/first.lua", SCENARIO % 'tags = { "extra" }')
        result = self.tcplab("list", "mine")
        self.assertEqual(result.returncode, 0)
        self.assertIn("first", result.stdout)
        self.assertNotIn("power-cycle", result.stdout)

    def test_TCPLAB_SCENARIOS_names_the_catalogue(self):
        self.write("mine/first.lua", SCENARIO % "")
        result = self.tcplab("list", "--names",
                             env=dict(os.environ, TCPLAB_SCENARIOS=str(self.folder)))
        self.assertEqual(result.stdout, "first\nmine\n")

    def test_only_files_are_scenarios(self):
        os.mkfifo(self.folder / "pipe.lua")
        self.write("folder.lua/mine.lua", SCENARIO % "")
        self.assertEqual(self.tcplab("list", "--names", ".").stdout.split(), ["folder.lua", "mine"])
        self.assertEqual(self.tcplab("check", ".").returncode, 0)

    def test_a_bad_script_is_reported_and_the_others_are_listed(self):
        self.write("mine/bad.lua", "return {")
        self.write("mine/good.lua", SCENARIO % "")
        result = self.tcplab("list", "mine")
        self.assertEqual(result.returncode, 2)
        self.assertIn("good", result.stdout)
        self.assertIn("bad.lua:1:", result.stderr)


class Checks(CommandLine):
    def test_every_shipped_scenario_is_valid(self):
        result = self.tcplab("check")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        shipped = len([script for script in (SOURCE / "scenarios").rglob("*.lua")
                       if not script.name.endswith("lib.lua")])
        self.assertEqual(len(re.findall(r": ok(?: up to line \d+; .*)?\n", result.stdout)), shipped)

    @unittest.skipIf(os.geteuid() != 0, "runs as an ordinary user already")
    def test_check_needs_no_privilege(self):
        # Uses copies, because an ordinary user may have no access to the clone.
        self.folder.chmod(0o755)
        program = shutil.copy(TCPLAB, self.folder)
        scenarios = shutil.copytree(SOURCE / "scenarios/puzzlers", self.folder / "puzzlers")
        for path in [scenarios, *scenarios.iterdir(), pathlib.Path(program)]:
            path.chmod(0o755)
        result = subprocess.run([program, "check", scenarios], capture_output=True, text=True,
                                user=NOBODY, group=NOBODY, extra_groups=[], cwd="/", check=False)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("power-cycle.lua: ok", result.stdout)

    def test_every_bad_script_is_reported(self):
        self.write("mine/a.lua", "return {")
        self.write("mine/b.lua", "return 7")
        self.write("mine/c.lua", SCENARIO % "")
        result = self.tcplab("check", "mine")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stdout, "mine/c.lua: ok\n")
        self.assertEqual(len(result.stderr.splitlines()), 2, result.stderr)

    def test_bad_scripts_are_refused_with_a_reason(self):
        wrong = {
            "return {": ["bad.lua:", "near <eof>"],
            "": ["bad.lua: a scenario ends with: return {"],
            "error 'no luck'": ["bad.lua:1: no luck"],
            "return { asks = 'q' }": ["bad.lua: `title` must be a text"],
            SCENARIO % "tag = 7": ["bad.lua: a scenario has no field `tag`"],
            SCENARIO % 'needs = { "luck" }': ['cannot need "luck"'],
            b"\x1bLua\x54\x00": ["bad.lua", "binary chunk"],
            "while true do end": ["bad.lua:1:", "does it loop forever?"],
            "local s = 'x' while true do s = s .. s end": ["bad.lua", "not enough memory"],
            "os.execute 'true'": ["bad.lua:1:", "'os'"],
            "--" + "x" * (1 << 20): ["bad.lua", "larger than 1024 KiB"],
        }
        for text, parts in wrong.items():
            with self.subTest(text[:40]):
                self.assert_refused(self.tcplab("check", self.write("bad.lua", text)), *parts)

    def test_misuse_of_the_interface_is_one_line_each(self):
        script = self.write("misuse.lua", SCENARIO.replace("function(lab) end", """function(lab)
  local kang, kodos = lab:pair()
  local client = kang:dnc(kodos, 8080)
  lab:expect(client):in_state "ESTABLISH"
  lab:expect_packet("kang > krusty", "tcp")
  lab:pear()
end""") % "")
        result = self.tcplab("check", script)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 3, lines)
        for line, number, said in zip(lines, (4, 5, 6), (
                "did you mean ESTABLISHED", 'no host is called "krusty"; did you mean',
                "no verb or field `pear`; did you mean peer, pair")):
            self.assertRegex(line, rf"\Atcplab: .*misuse\.lua:{number}: .*{re.escape(said)}")

    def test_a_script_that_depends_on_a_run_is_checked_as_far_as_possible(self):
        script = self.write("depends.lua", SCENARIO.replace("function(lab) end", """function(lab)
  lab:pair()
  if lab:now() ~= 1 then error "not so" end
end""") % "")
        result = self.tcplab("check", script)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("depends.lua: ok up to line 3; what follows depends on values that only a "
                      "run has\n", result.stdout)

    def test_a_loop_inside_a_library_function_is_stopped(self):
        script = self.write("bad.lua", "return (''):rep(1 << 62)")
        self.assert_refused(self.tcplab("check", script), "does it loop forever?")

    def test_missing_files_and_folders_without_scripts_are_refused(self):
        self.assert_refused(self.tcplab("check", "gone.lua"), "gone.lua", "ENOENT")
        (self.folder / "folder.lua").mkdir()
        self.assert_refused(self.tcplab("check", "folder.lua"), "folder.lua", "no .lua file")


class Runs(CommandLine):
    def test_unknown_names_suggest_similar_ones(self):
        for command in ["run", "check", "list", "explain"]:
            with self.subTest(command):
                self.assert_refused(self.tcplab(command, "power-cicle"), '"power-cicle"',
                                    "did you mean power-cycle")

    def test_a_script_that_does_not_load_is_not_run(self):
        script = self.write("bad.lua", "return {")
        self.assert_refused(self.tcplab("run", script), "bad.lua:1:")
        self.assertFalse((self.folder / "runs").exists())

    def test_tags_topics_and_shards_that_select_nothing_are_refused(self):
        script = self.write("mine/old.lua", SCENARIO % 'tags = { "reset" }')
        self.assert_refused(self.tcplab("run", "--tag", "resett", script), 'the tag "resett"',
                            "did you mean reset?")
        self.assert_refused(self.tcplab("run", "--topic", "my", script), 'the topic "my"',
                            "choose from mine")
        for shard in ["0/2", "3/2", "two", "1/0"]:
            self.assert_refused(self.tcplab("run", "--shard", shard, script), "--shard takes K/N",
                                f'"{shard}"')

    def test_the_exit_status_is_4_if_no_scenario_supports_the_family(self):
        script = self.write("old.lua", SCENARIO % "families = { 4 }")
        result = self.tcplab("run", "--family", "6", script)
        self.assertEqual(result.returncode, 4)
        self.assertIn("no selected scenario runs on IPv6", result.stdout)


class Options(CommandLine):
    def assert_bad_usage(self, *arguments):
        result = self.tcplab(*arguments)
        self.assertEqual(result.stdout, "")
        self.assert_refused(result)
        self.assertLess(len(result.stderr), 160)

    def test_bad_options_are_refused_with_one_line(self):
        for arguments in [[], ["fly"], ["run", "--fly"], ["run", "--family", "5"],
                          ["run", "--timers", "slow"], ["run", "--jobs", "0"],
                          ["run", "--jobs", "many"], ["run", "--repeat", "0"],
                          ["run", "--out"], ["show"], ["doctor", "now"],
                          ["coverage", "--json", "--markdown"],
                          ["run", "--seed", "7"], ["run", "--shuffle", "--seed", "-1"],
                          ["run", "--shuffle", "--seed", "18446744073709551616"],
                          ["run", "--shard", ""], ["run", "--out", ""], ["run", "--junit", ""],
                          ["-x"], ["check", ""], ["quiz", "--seed", "-1"], ["quiz", "--out", ""],
                          ["list", "--names", "--json"], ["run", "--verbose"],
                          ["run", "--live", "--jobs", "2"], ["run", "--step", "-j", "2"],
                          ["explain", "--most", "-1", "x.pcap"], ["quiz", "--family", "both"],
                          ["quiz", "--timers", "slow"],
                          ["run", "--max-fail", "0"], ["run", "--fail-fast", "--max-fail", "2"]]:
            with self.subTest(arguments):
                self.assert_bad_usage(*arguments)

    def test_help_and_version_are_printed_on_standard_output(self):
        for arguments in [["--help"], ["run", "--help"], ["--version"]]:
            result = self.tcplab(*arguments)
            self.assertEqual((result.returncode, result.stderr), (0, ""), arguments)
            self.assertIn("tcplab" if "run" not in arguments else "--timers", result.stdout)

    def test_a_mistyped_command_or_option_suggests_the_right_one(self):
        self.assert_refused(self.tcplab("rnu"), 'unknown command "rnu"; did you mean run?; see')
        self.assert_refused(self.tcplab("xyzzy"), 'unknown command "xyzzy"; see')
        self.assert_refused(self.tcplab("--verson"), "unknown option --verson; did you mean "
                            "--version?")
        self.assert_refused(self.tcplab("run", "--famly", "4"), "did you mean --family?; see")
        self.assert_refused(self.tcplab("run", "--tga", "x"), "did you mean --tag?; see")
        self.assert_refused(self.tcplab("run", "--timers", "slow"),
                            '"slow" is not one of fast, stock')
        self.assert_refused(self.tcplab("check", "qqqqqqqq"), '"qqqqqqqq" (tcplab list shows all)')
        self.assert_refused(self.tcplab("run", "--jbos", "2"), "run: unknown option --jbos",
                            "did you mean --jobs", "see: tcplab run --help")
        self.assert_refused(self.tcplab("doctor", "now"), 'doctor: unexpected argument "now"')
        self.assert_refused(self.tcplab("run", "--out"), "run: --out needs a value")

    def test_help_pages_have_a_summary_usage_and_no_library_words(self):
        for command in ["list", "explain", "run", "audit", "matrix", "merge", "check", "show",
                        "diff", "coverage", "report", "site", "quiz", "shell", "doctor"]:
            page = self.tcplab(command, "--help").stdout
            with self.subTest(command):
                self.assertRegex(page, r"\A[A-Z][^\n]*\.\n\nUsage: tcplab " + command)
                self.assertNotRegex(page, r"TEXT|INT|Excludes|Needs|REQUIRED|\{false\}")
                self.assertLessEqual(max(map(len, page.splitlines())), 100)
        run = self.tcplab("run", "--help").stdout
        for group in ["Selection:", "Execution:", "Watching:", "Results:"]:
            self.assertIn(f"\n{group}\n", run)
        self.assertRegex(run, r"-j, --jobs N +Run at most N scenarios at once \(default 16\)")

    def test_invalid_environment_variables_are_refused(self):
        for name, value in [("TCPLAB_SLACK", "abc"), ("TCPLAB_SLACK", "-5"), ("TCPLAB_PORTS", "x")]:
            result = self.tcplab("run", "warmup", env={**os.environ, name: value})
            self.assert_refused(result, f"{name}={value}: ")
        (self.folder / "empty").mkdir()
        result = self.tcplab("list", env={**os.environ, "TCPLAB_SCENARIOS": "empty"})
        self.assert_refused(result, "empty: no .lua file")

    def test_a_full_disk_is_reported(self):
        for command in [["list"], ["explain", "warmup"], ["--help"]]:
            with open("/dev/full", "w", encoding="ascii") as full:
                done = subprocess.run([TCPLAB, *command], stdout=full, stderr=subprocess.PIPE,
                                      text=True, check=False, timeout=300)
            self.assertEqual(done.returncode, 3, command)
            self.assertRegex(done.stderr, r"\Atcplab: .*(cannot|could not be) writ.*\n\Z")

    def test_bad_output_places_are_refused_before_the_runs(self):
        self.write("taken", "")
        script = self.write("mine/first.lua", SCENARIO % "")
        result = self.tcplab("run", script, "--html", "taken", "--junit", "j.xml")
        self.assert_refused(result, "--html taken: not a folder")
        self.assert_refused(self.tcplab("run", script, "--out", "taken", "--json"),
                            "cannot make the folder taken/", "choose another folder")
        self.assert_refused(self.tcplab("run", "--junit", "none.xml", "nosuch"), "nosuch")
        self.assertFalse((self.folder / "none.xml").exists())

    def test_a_place_that_cannot_be_written_is_refused_before_the_runs(self):
        run = ["run", self.write("mine/first.lua", SCENARIO % "")]
        audit = ["audit", "--server", "cat", "--port", "80", "--", "cat", "SERVER"]
        for command, options in [(run, ["html", "results", "junit", "tap", "markdown", "out"]),
                                 (audit, ["html", "json", "junit", "markdown", "out"]),
                                 (["matrix", *run[1:]], ["html", "markdown", "out"])]:
            for option in options:
                with self.subTest(f"{command[0]} --{option}"):
                    place = [f"--{option}", "/proc/y"]
                    result = self.tcplab(command[0], *place, *command[1:])
                    self.assert_refused(result, "/proc/y", "; choose another f")
        self.assert_refused(self.tcplab(*run, "--html", "/proc"), "cannot write into /proc: ",
                            "; choose another folder")
        self.assertEqual(os.listdir(self.folder), ["mine"])

    def test_an_option_of_captures_is_refused_for_a_scenario(self):
        for option, use in [(["--json"], "tcplab list --json warmup"),
                            (["--html", "x"], "tcplab run warmup --html x"),
                            (["--most", "1"], "omit it"), (["--connection", "1"], "omit it")]:
            result = self.tcplab("explain", *option, "warmup")
            self.assertEqual(result.stdout, "")
            self.assert_refused(result, option[0] + " is for captures; ", use)
        self.assertIn('"why"', self.tcplab("list", "--json", "warmup").stdout)

    def test_help_is_also_a_command(self):
        self.assertEqual(self.tcplab("help").stdout, self.tcplab("--help").stdout)
        page = self.tcplab("help", "run")
        self.assertEqual((page.returncode, page.stdout), (0, self.tcplab("run", "--help").stdout))
        self.assert_refused(self.tcplab("help", "rnu"), 'unknown command "rnu"; did you mean run?')

    def test_a_nic_without_a_capture_is_refused(self):
        self.assert_refused(self.tcplab("run", "warmup", "--nic", "krusty"), "--nic requires "
                            "--pcapng")

    def test_a_folder_here_does_not_hide_a_scenario(self):
        (self.folder / "warmup").mkdir()
        self.assertEqual(self.tcplab("check", "warmup").returncode, 0)
        self.assert_refused(self.tcplab("check", "warmup/"), "warmup/: no .lua file")
        self.assert_refused(self.tcplab("check", "none/such"), "none/such: no such file or folder")
        self.write("notes.txt", "")
        self.assert_refused(self.tcplab("check", "notes.txt"), "does not end in .lua")


class Shows(CommandLine):
    def test_a_path_that_is_not_a_run_is_refused(self):
        self.assert_refused(self.tcplab("show", "gone"), "gone")
        self.assert_refused(self.tcplab("show", self.write("notes.txt", "hello\n")),
                            "notes.txt", "not a tcplab events file")
        self.assert_refused(self.tcplab("show", str(self.folder)), "events.jsonl")

    def test_the_runs_in_a_folder_are_listed(self):
        for name in ["second", "first"]:
            self.write(f"runs/{name}/events.jsonl", "")
        result = self.tcplab("show", "runs")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, "tcplab show runs/first\ntcplab show runs/second\n")

    def test_the_report_of_a_capture_is_refused(self):
        self.assert_refused(self.tcplab("report", self.write("x.pcap", ""), "--html", "pages"),
                            "x.pcap: a capture, not a run; use: tcplab explain ",
                            "x.pcap --html pages")


if __name__ == "__main__":
    unittest.main()
