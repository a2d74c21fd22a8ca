#!/usr/bin/env python3
"""Checks tcplab conform without hosts: wrong command lines, the list of requirements, and that
conformance/rfc9293.txt and the scenarios agree."""
import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["TCPLAB_SOURCE"])
TCPLAB = Path(os.environ["TCPLAB_BIN"]) / "tcplab"
FOLDER = SOURCE / "conformance"
NUMBER = re.compile(r"(MUST|SHLD|MAY|REC)-\d+")
LEVELS = {"MUST": "MUST", "SHLD": "SHOULD", "MAY": "MAY", "REC": "SHOULD"}


def conform(*arguments, **more):
    return subprocess.run([TCPLAB, "conform", *arguments], capture_output=True, text=True,
                          check=False, timeout=120, **more)


def listed():
    """Returns the lines of rfc9293.txt: lists of three or four texts."""
    lines = (FOLDER / "rfc9293.txt").read_text(encoding="utf-8").splitlines()
    return [[part.strip() for part in line.split("|")] for line in lines
            if line and not line.startswith("#")]


def scenarios():
    """Returns the fields of each scenario, as tcplab list --json has them."""
    done = subprocess.run([TCPLAB, "list", "--json", FOLDER], capture_output=True, text=True,
                          check=True, timeout=120)
    return json.loads(done.stdout)["scenarios"]


class WrongCommandLines(unittest.TestCase):
    def refuses(self, *arguments, says, **more):
        done = conform(*arguments, **more)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(says, done.stderr)

    def test_a_stack_is_needed(self):
        self.refuses(says="name a stack: tcplab conform linux")
        self.refuses("MUST-8", says="name a stack before MUST-8")

    def test_an_unknown_stack_is_refused_with_a_suggestion(self):
        self.refuses("lwpi", says='"lwpi"; did you mean lwip?')
        self.refuses("--", "./no-such-stack", says='"./no-such-stack"')
        self.refuses("--", "..", says='no program is called ".."')
        self.refuses("--", "/usr/bin", says='no program is called "/usr/bin"')

    def test_an_unknown_requirement_is_refused_with_a_suggestion(self):
        self.refuses("linux", "MUST-811", says="did you mean")
        self.refuses("linux", "--only", "rst-in-windoe", says="did you mean rst-in-window?")

    def test_a_requirement_that_nothing_tests_is_refused_with_the_reason(self):
        self.refuses("linux", "MUST-9", says="no scenario tests MUST-9: it depends on a secret")

    def test_a_selection_must_leave_something(self):
        self.refuses("linux", "MUST-8", "--except", "MUST-8", says="leaves no requirement")
        self.refuses("linux", "--except", "MUST-999", says="no requirement is called")

    def test_a_stack_that_is_not_built_is_refused(self):
        with tempfile.TemporaryDirectory() as cache:
            self.refuses("lwip", says="run tcplab stacks build lwip",
                         env={**os.environ, "XDG_CACHE_HOME": cache})

    def test_a_baseline_must_be_another_stack_or_a_table(self):
        self.refuses("linux", "--against", "linux", says="it is the tested stack")
        self.refuses("linux", "--against", "no.json", says="no file that can be read")
        self.refuses("linux", "--against", "/dev/null", says="not a table of tcplab conform")

    def test_only_one_document_goes_to_standard_output(self):
        self.refuses("linux", "--json", "-", "--junit", "-", says="only one document")

    def test_a_folder_without_requirements_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            self.refuses("linux", "--requirements", folder, says="no .lua file")
            Path(folder, "a.lua").write_text(
                "return { title = 't', asks = 'q', run = function() end }", encoding="utf-8")
            self.refuses("linux", "--requirements", folder, says="it has no `requires`")
            Path(folder, "rfc9293.txt").write_text("MUST-1 | 3.1\n", encoding="utf-8")
            Path(folder, "a.lua").write_text(
                "return { title = 't', asks = 'q', run = function() end, requires = { id = 'a', "
                "level = 'MUST', rfc = 'r', says = 's', met = 'm' } }", encoding="utf-8")
            self.refuses("linux", "--requirements", folder, says="rfc9293.txt:1: write ID |")


class TheRequirements(unittest.TestCase):
    scenarios = scenarios()

    def test_the_list_has_each_identifier_of_the_appendix_once(self):
        """RFC 9293 Appendix B has 69 MUST, 31 SHLD, 18 MAY and 1 REC."""
        expected = {f"{kind}-{number}" for kind, most in
                    [("MUST", 69), ("SHLD", 31), ("MAY", 18), ("REC", 1)]
                    for number in range(1, most + 1)}
        names = [line[0] for line in listed()]
        self.assertEqual(set(names), expected)
        self.assertEqual(len(names), len(expected), "an identifier is there twice")

    def test_a_listed_requirement_has_a_scenario_or_a_reason(self):
        tested = {one["requires"]["id"] for one in self.scenarios}
        for line in listed():
            with self.subTest(line[0]):
                if len(line) == 3:
                    self.assertIn(line[0], tested, "it has neither a scenario nor a reason")
                else:
                    self.assertNotIn(line[0], tested, "it has a scenario and a reason")
                    self.assertRegex(line[3], "^(unseen|untested): ")

    def test_identifiers_of_rfc_9293_are_in_the_list_with_their_level(self):
        sections = {line[0]: line[1] for line in listed()}
        for one in self.scenarios:
            requirement = one["requires"]
            match = NUMBER.fullmatch(requirement["id"])
            if match:
                with self.subTest(one["name"]):
                    self.assertEqual(requirement["level"], LEVELS[match[1]])
                    self.assertIn(f"RFC 9293 section {sections[requirement['id']]}",
                                  requirement["rfc"])

    def test_each_scenario_judges_its_requirement_and_no_kernel(self):
        for one in self.scenarios:
            text = Path(one["file"]).read_text(encoding="utf-8")
            with self.subTest(one["name"]):
                self.assertIn("lab:require(", text)
                for kernel in ["sysctl", "in_state", "listens(", "lab:timer", ":kernel(", "wakes",
                               ":reports"]:
                    # kang, the other host, has this kernel.
                    self.assertNotIn(kernel, text.replace("kang:sysctl", ""),
                                     "a stack of its own cannot be asked")

    def test_the_list_is_printed_with_the_reasons(self):
        done = conform("--list")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        said = " ".join(done.stdout.split())
        self.assertIn("tested by rst-in-window", said)
        self.assertIn("no wire can show it: it depends on a secret", said)
        self.assertIn("not tested yet: it takes minutes", said)
        for name in {line[0] for line in listed()} | {one["requires"]["id"]
                                                      for one in self.scenarios}:
            self.assertRegex(done.stdout, rf"(?m)^{re.escape(name)}  ")


if __name__ == "__main__":
    unittest.main()
