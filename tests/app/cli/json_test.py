#!/usr/bin/env python3
"""Checks what the commands print with --json, without hosts: one document that begins with its
format and its version, the same facts and the same exit status as without --json."""
import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab
import schemas
from schemas import changed, places

SOURCE = Path(os.environ["TCPLAB_SOURCE"])
POWER_CYCLE = SOURCE / "tests/events/power-cycle.jsonl"
SCENARIO = 'return { title = "t", asks = "why?", run = function(lab) %s end }\n'


class Documents(unittest.TestCase):
    def setUp(self):
        self.folder = lab.Folder()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        file = Path(self.folder.name, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def tcplab(self, *arguments):
        return subprocess.run([lab.TCPLAB, *arguments], cwd=self.folder.name, capture_output=True,
                              text=True, timeout=300, check=False,
                              env={**os.environ, "XDG_CACHE_HOME": self.folder.name})

    def document(self, what, *arguments):
        """Returns the document, which must have this format."""
        done, plain = self.tcplab(*arguments, "--json"), self.tcplab(*arguments)
        self.assertEqual(done.returncode, plain.returncode, done.stderr)
        found = schemas.checked(done.stdout)
        self.assertEqual(list(found.items())[:2], [("format", "tcplab-" + what), ("version", 1)])
        self.assertTrue(done.stdout.isascii())
        # One place of each kind: the steps of a ladder are alike.
        kinds = {tuple(part for part in path if isinstance(part, str)): path
                 for path in places(found)}
        for path in kinds.values():
            wrong = changed(found, path, lambda place: place.update(surplus=1))
            self.assertIn("surplus", schemas.complaint(wrong), path)
        return found

    def without_write(self):
        """Returns a run in which the client has not written its first line."""
        lines = POWER_CYCLE.read_text(encoding="utf-8").splitlines(keepends=True)
        return self.write("other.jsonl",
                          "".join(line for line in lines if '"call":"write"' not in line))

    def test_list_has_every_field_of_the_scenarios(self):
        self.write("mine/one.lua", SCENARIO.replace("why", "warum hält") % "")
        (one,) = self.document("scenarios", "list", "mine")["scenarios"]
        self.assertEqual((one["name"], one["asks"], one["quiz"]), ("one", "warum hält?", None))

    def test_check_has_the_errors_and_the_line_from_which_on_a_script_is_not_checked(self):
        self.write("mine/good.lua", SCENARIO % "")
        self.write("mine/late.lua", SCENARIO % "\nif lab:now() ~= 1 then error 'x' end\n")
        wrong = self.write("mine/wrong.lua", SCENARIO % "lab:never()")
        found = self.document("check", "check", "mine")
        self.assertFalse(found["is_valid"])
        scripts = {Path(script["file"]).name: script for script in found["scripts"]}
        self.assertEqual(scripts["good.lua"]["errors"], [])
        self.assertNotIn("stopped_at", scripts["good.lua"])
        self.assertEqual((scripts["late.lua"]["is_valid"], scripts["late.lua"]["stopped_at"]),
                         (True, 2))
        self.assertFalse(scripts["wrong.lua"]["is_valid"])
        self.assertIn("never", scripts["wrong.lua"]["errors"][0])
        self.assertEqual(self.tcplab("check", wrong, "--json").stderr, "")
        wrong.unlink()
        self.assertTrue(self.document("check", "check", "mine")["is_valid"])

    def test_diff_has_both_runs_and_what_only_one_of_them_has(self):
        same = self.document("diff", "diff", POWER_CYCLE, POWER_CYCLE)
        self.assertEqual((same["is_same"], same["lists"]), (True, []))
        self.assertEqual([run["scenario"] for run in same["runs"]], ["power-cycle"] * 2)
        found = self.document("diff", "diff", POWER_CYCLE, self.without_write())
        self.assertFalse(found["is_same"])
        removed = [line["text"] for each in found["lists"] for line in each["lines"]
                   if line["kind"] == "removed"]
        self.assertTrue(any("write" in line for line in removed), removed)

    def test_show_has_the_steps_of_the_ladder_in_order(self):
        found = self.document("ladder", "show", POWER_CYCLE)
        self.assertEqual((found["scenario"], found["outcome"]), ("power-cycle", "passed"))
        steps = found["steps"]
        times = [step["at"] for step in steps if "at" in step]
        self.assertEqual(times, sorted(times))
        resets = [step for step in steps if step["kind"] == "frame" and "RST" in step["text"]]
        self.assertEqual([(step["from"], step["to"]) for step in resets], [("kodos", "kang")])
        self.assertIn({"host": "kang", "text": "CLOSED"},
                      [state for step in resets for state in step["states"]])
        all_steps = self.document("ladder", "show", "--verbose", POWER_CYCLE)["steps"]
        self.assertGreater(len(all_steps), len(steps))

    def test_show_says_nothing_of_the_end_of_a_run_that_has_none(self):
        lines = POWER_CYCLE.read_text(encoding="utf-8").splitlines(keepends=True)
        cut = self.write("cut.jsonl", "".join(lines[:-1]))
        self.assertNotIn("outcome", self.document("ladder", "show", cut))

    def test_show_prints_nothing_of_a_file_that_is_wrong_later(self):
        text = POWER_CYCLE.read_text(encoding="utf-8")
        wrong = self.write("wrong.jsonl", text + "{no JSON}\n" + text)
        done = self.tcplab("show", wrong, "--json")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("not JSON", done.stderr)

    def test_show_has_how_long_calls_took(self):
        found = self.document("latency", "show", "--latency", POWER_CYCLE)
        for program in found["programs"]:
            for row in program["calls"]:
                self.assertLessEqual(row["shortest"], row["median"])
                self.assertLessEqual(row["median"], row["longest"])
        calls = {row["call"] for program in found["programs"] for row in program["calls"]}
        self.assertIn("connect", calls)

    def test_show_lists_the_runs_of_a_folder(self):
        text = POWER_CYCLE.read_text(encoding="utf-8")
        for name in ("a", "b"):
            self.write(f"runs/{name}/events.jsonl", text)
        self.assertEqual(self.document("runs", "show", "runs")["runs"], ["runs/a", "runs/b"])

    def test_coverage_is_a_document_too(self):
        self.assertEqual(self.document("coverage", "coverage", POWER_CYCLE)["runs"], 1)

    def test_kernels_begin_with_this_one(self):
        first = self.document("kernels", "kernels")["kernels"][0]
        self.assertEqual(first, {"name": "this", "release": os.uname().release})

    def test_stacks_have_their_programs_if_they_are_built(self):
        stacks = self.document("stacks", "stacks")["stacks"]
        self.assertEqual([stack["name"] for stack in stacks], ["lwip", "gvisor", "slirp"])
        self.assertEqual([stack for stack in stacks if "program" in stack], [])

    def test_a_list_is_no_build(self):
        for command, what in (("kernels", "6.12"), ("stacks", "lwip")):
            done = self.tcplab(command, "build", what, "--json")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(f"--json is for the list: tcplab {command} --json", done.stderr)


if __name__ == "__main__":
    lab.main()
