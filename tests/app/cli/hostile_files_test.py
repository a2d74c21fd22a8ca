#!/usr/bin/env python3
"""Checks that files of unknown authors do no harm: a script that hangs stops only itself, and no
text of a script or a file name reaches the terminal with control characters."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

import lab

TCPLAB = pathlib.Path(os.environ["TCPLAB_BIN"]) / "tcplab"
SCENARIO = 'return { title = "t", asks = "why?", run = function(lab) end, %s }\n'
# A single instruction, which the count of instructions does not interrupt: it backtracks forever.
ENDLESS = "return { title = string.find(('a'):rep(40000), ('.-'):rep(40) .. 'b') }\n"
ESCAPES = "\\27]0;gotcha\\7\\27[2J\\u{202e}"  # as a Lua script writes them


class HostileFiles(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tcplab-hostile-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return str(file)

    def tcplab(self, *arguments, **environment):
        done = subprocess.run([TCPLAB, *arguments], capture_output=True, cwd=self.folder,
                              timeout=300, check=False, env={**os.environ, **environment})
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def assert_harmless(self, text):
        """Expects no control or formatting characters, and no line that floods the terminal."""
        for letter in text:
            self.assertTrue(letter == "\n" or letter.isprintable(), repr(text[:2000]))
        for line in text.splitlines():
            self.assertLess(len(line), 5000, line[:200])


class Hanging(HostileFiles):
    def test_check_names_a_script_that_hangs_and_checks_the_others(self):
        self.write("mine/a.lua", SCENARIO % "")
        self.write("mine/b.lua", ENDLESS)
        self.write("mine/c.lua", SCENARIO % "")
        status, out, errors = self.tcplab("check", "mine")
        self.assertEqual((status, out), (2, "mine/a.lua: ok\nmine/c.lua: ok\n"))
        self.assertRegex(errors, r"\Atcplab: mine/b\.lua: [^\n]*does it loop forever\?\n\Z")

    def test_check_limits_the_sum_of_a_scripts_cases(self):
        busy = ("function(lab) lab:pair() for _ = 1, 4 do "
                "string.find(('a'):rep(1200), ('.-'):rep(3) .. 'b') end end")
        cases = ", ".join(f'{{ name = "c{n}" }}' for n in range(400))
        self.write("mine/many.lua", f'return {{ title = "t", asks = "why?", run = {busy}, '
                                    f'cases = {{ {cases} }} }}\n')
        self.write("mine/other.lua", SCENARIO % "")
        status, out, errors = self.tcplab("check", "mine")
        self.assertEqual((status, out), (2, "mine/other.lua: ok\n"))
        self.assertRegex(errors, r"\Atcplab: mine/many\.lua: [^\n]*does it loop forever\?\n\Z")

    def test_list_and_completion_show_the_others(self):
        self.write("mine/a.lua", ENDLESS)
        self.write("mine/b.lua", SCENARIO % "")
        status, out, errors = self.tcplab("list", "mine")
        self.assertEqual(status, 2)
        self.assertIn("  b  why?", out)
        self.assertRegex(errors, r"\Atcplab: mine/a\.lua: [^\n]*does it loop forever\?\n\Z")
        self.assertEqual(self.tcplab("list", "--names", TCPLAB_SCENARIOS="mine")[1], "b\nmine\n")

    def test_the_loader_of_a_script_that_hangs_ends_with_tcplab(self):
        self.write("mine/a.lua", ENDLESS)
        with subprocess.Popen([TCPLAB, "check", "mine"], cwd=self.folder) as check:
            children = pathlib.Path(f"/proc/{check.pid}/task/{check.pid}/children")
            while not (child := children.read_text().split()):
                self.assertIsNone(check.poll())
            check.kill()
        loader = pathlib.Path(f"/proc/{child[0]}/stat")
        used = []  # in seconds of the processor; the script would hang for 4

        def has_ended():
            try:
                fields = loader.read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                return True
            used.append((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
            return fields[0] == "Z"

        lab.wait_for(has_ended)
        self.assertLess(max(used, default=0), 2)

    def test_a_scenario_is_found_although_another_one_hangs(self):
        self.write("mine/a.lua", ENDLESS)
        self.write("mine/b.lua", SCENARIO % "")
        status, out, errors = self.tcplab("check", "b", TCPLAB_SCENARIOS="mine")
        self.assertEqual((status, out, errors), (0, "mine/b.lua: ok\n", ""))

    def test_run_and_explain_name_the_script_that_hangs(self):
        script = self.write("mine/a.lua", ENDLESS)
        for command in ["run", "explain"]:
            status, out, errors = self.tcplab(command, script)
            self.assertEqual((status, out), (2, ""))
            self.assertRegex(errors, r"\Atcplab: .*mine/a\.lua: .*does it loop forever\?\n\Z")


class Large(HostileFiles):
    def test_every_command_refuses_a_table_that_is_too_large_at_once(self):
        fill = "local t = {} for i = 1, 100000 do t[i] = %s end\n"
        for field, value in [("families", "4"), ("tags", '"a"'), ("needs", '"root"'),
                             ("cases", '{ name = "c" .. i }'), ("quiz", '{ "c" .. i }')]:
            script = self.write("mine/large.lua", fill % value + SCENARIO % f"{field} = t")
            for command in ["check", "list", "run", "quiz", "explain", "matrix"]:
                with self.subTest(field=field, command=command):
                    began = time.monotonic()
                    status, out, errors = self.tcplab(command, script)
                    self.assertLess(time.monotonic() - began, 20)  # a table of 100,000 is made
                    self.assertEqual((status, out if command != "list" else ""), (2, ""))
                    self.assertRegex(errors, r"\Atcplab: .*mine/large\.lua: "
                                             rf"`{field}` has [^\n]*\n\Z")


class Escapes(HostileFiles):
    def test_errors_of_scripts_are_escaped_and_cut(self):
        for text in [f'error "{ESCAPES}"', f'return {{ ["{ESCAPES}"] = 1 }}',
                     f'error(("x"):rep(100000) .. "{ESCAPES}")',
                     SCENARIO % f'tags = {{ "{ESCAPES}" }}',
                     SCENARIO % f'needs = {{ "{ESCAPES}" }}',
                     f'include "{ESCAPES}"']:
            script = self.write("bad.lua", text)
            for command in ["check", "list", "run", "explain"]:
                with self.subTest(command=command, text=text[:60]):
                    if "needs" in text and command != "check":
                        continue  # only `check` and a run on hosts look at the needs
                    status, out, errors = self.tcplab(command, script)
                    self.assertEqual(status, 2, errors)
                    self.assert_harmless(out + errors)
                    self.assertEqual(errors.count("\n"), 1, errors)
                    self.assertIn("\\x1b", errors if "rep" not in text else "\\x1b")

    def test_names_of_files_are_escaped(self):
        name = "mi\x1b[2Jne\n/good.lua"
        self.write(name, SCENARIO % "")
        self.write("mi\x1b[2Jne\n/bad.lua", "return {")
        folder = name.split("/", maxsplit=1)[0]
        for arguments in [["check", folder], ["list", folder], ["list", "--names", folder],
                          ["list", folder + "x"], ["explain", name], ["coverage", folder],
                          ["show", folder], ["show", "--latency", folder],
                          ["diff", folder, folder], ["report", folder], ["merge", folder],
                          ["run", "--out", "\x1b[2J/x" + "y" * 300, "warmup"],
                          ["run", name, "--tag", "\x1b[2J"], ["\x1b[2J"], ["run", "--\x1b[2J"],
                          ["run", "--junit", folder, "warmup"], ["explain", folder + ".pcap"]]:
            with self.subTest(arguments):
                status, out, errors = self.tcplab(*arguments)
                self.assert_harmless(out + errors)
                if arguments[0] != "explain" or ".pcap" in arguments[1]:
                    self.assertNotEqual((status, out, errors), (0, "", ""))

    def test_fields_of_scripts_are_escaped(self):
        fields = ", ".join(f'{field} = "{ESCAPES}"'
                           for field in ["title", "asks", "here", "why", "article", "source"])
        script = self.write("mine/x.lua", f"return {{ {fields}, run = function(lab) end }}\n")
        for arguments in [["list", script], ["explain", script], ["list", "--names", "mine"],
                          ["list", "--json", script]]:
            with self.subTest(arguments):
                status, out, errors = self.tcplab(*arguments)
                self.assertEqual((status, errors), (0, ""))
                self.assert_harmless(out)

    def test_events_of_unknown_origin_are_escaped(self):
        events = (pathlib.Path(os.environ["TCPLAB_SOURCE"])
                  / "tests/events/power-cycle.jsonl").read_text(encoding="utf-8")
        start, rest = events.split("\n", 1)
        start = json.loads(start)
        for field in ["scenario", "title", "asks", "why", "file", "kernel"]:
            start[field] = start.get(field, "") + "\x1b]0;gotcha\x07\x1b[2J\u202e\n"
        for word in ["kang", "dnc", "read"]:
            rest = rest.replace(f'"{word}"', json.dumps(word + "\x1b[2J"))
        self.write("evil/events.jsonl", json.dumps(start) + "\n" + rest)
        for arguments in [["show", "evil"], ["show", "--latency", "evil"],
                          *(["show", "evil", option, "-"]
                            for option in ("--svg", "--mermaid", "--perfetto")),
                          ["coverage", "evil"], ["coverage", "--json", "evil"],
                          ["coverage", "--markdown", "evil"], ["diff", "evil", "evil"],
                          ["report", "evil", "--html", "pages"]]:
            with self.subTest(arguments):
                _, out, errors = self.tcplab(*arguments)
                self.assertTrue(out)
                self.assert_harmless(out + errors)

    def test_names_and_tags_are_words(self):
        for tag in ["a b", "", "$(reboot)", "a/b", "`x`", "-x", "ä", ".x"]:
            with self.subTest(tag):
                script = self.write("t.lua", SCENARIO % f'tags = {{ "{tag}" }}')
                status, _, errors = self.tcplab("check", script)
                self.assertEqual(status, 2)
                self.assertIn("t.lua: the tag ", errors)
        for name in ["a b", "$(reboot)", "...", "-x", "ä", ".x", "a\nb"]:
            with self.subTest(name):
                script = self.write(f"names/{name}.lua", SCENARIO % "")
                status, _, errors = self.tcplab("check", script)
                self.assertEqual(status, 2)
                self.assertRegex(errors, r"rename the file\n\Z")
        self.write("good/A-b_c.9.lua", SCENARIO % 'tags = { "A-b_c.9" }')
        self.assertEqual(self.tcplab("check", "good")[0], 0)


if __name__ == "__main__":
    unittest.main()
