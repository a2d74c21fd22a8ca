#!/usr/bin/env python3
"""Checks tcplab explain, list --json and merge, with scenarios and results made by this test,
without hosts."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml

import schemas

TCPLAB = pathlib.Path(os.environ["TCPLAB_BIN"]) / "tcplab"
SCENARIO = """return {
  title = "Forgotten",
  asks = "What does a client learn of a server that has forgotten it?",
  source = "RFC 9293, 3.5.1",
  here = "%s",
  why = "The server has no such connection.",
  tags = { "reset", "power" },
  families = { 4 },
  needs = { "kernel 5.10" },
  run = function(lab) end,
}
"""


def shard(index, of, outcomes, **more):
    """Returns a results file, whose runs are named after their outcomes."""
    results = [{"name": f"{outcome}-{index}", "variant": "IPv4, fast", "outcome": outcome,
                "id": f"toys/{outcome}-{index} IPv4 1", "seconds": 1.5, "verdicts": [],
                "reason": "" if outcome == "passed" else "as it is"} for outcome in outcomes]
    return {"format": "tcplab-results", "version": 1, "seconds": 2.5, "planned": 4, "plan": "01",
            "shard": {"index": index, "count": of}, "results": results, "left_out": [], **more}


class Cli(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tcplab-merge-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, content):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content))
        return name

    def tcplab(self, *arguments, **environment):
        clean = {key: value for key, value in os.environ.items() if not key.startswith("GITHUB")}
        return subprocess.run([TCPLAB, *arguments], capture_output=True, text=True, timeout=300,
                              check=False, cwd=self.folder, env={**clean, **environment})

    def assert_refused(self, result, *parts):
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)


class Explains(Cli):
    def test_explain_prints_every_field_of_a_scenario(self):
        self.write("mine/forgotten.lua", SCENARIO % ("It reads ECONNRESET. " * 10))
        result = self.tcplab("explain", "forgotten", TCPLAB_SCENARIOS=str(self.folder))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        text = " ".join(result.stdout.split())
        for part in ["What does a client learn of a server that has forgotten it?",
                     "What happens It reads ECONNRESET.", "Why The server has no such connection.",
                     "Source RFC 9293, 3.5.1", "Tags reset, power", "Runs on IPv4 ",
                     "Needs kernel 5.10", "tcplab run --live forgotten"]:
            self.assertIn(part, text)
        self.assertLessEqual(max(map(len, result.stdout.splitlines())), 96)

    def test_an_unknown_name_suggests_similar_ones(self):
        self.assert_refused(self.tcplab("explain", "power-cicle"), "did you mean power-cycle")

    def test_explain_needs_a_name(self):
        self.assertEqual(self.tcplab("explain").returncode, 2)


class Lists(Cli):
    def test_list_prints_one_line_for_each_scenario(self):
        lines = self.tcplab("list", "puzzlers").stdout.splitlines()
        self.assertEqual(lines[0], "puzzlers")
        names = self.tcplab("list", "--json", "puzzlers").stdout
        self.assertEqual([line.split()[0] for line in lines[1:]],
                         [one["name"] for one in schemas.checked(names)["scenarios"]])

    def test_list_prints_json(self):
        self.write("mine/forgotten.lua", SCENARIO % "é")
        (one,) = schemas.checked(self.tcplab("list", "--json", "mine").stdout)["scenarios"]
        self.assertEqual(one["topic"], "mine")
        self.assertEqual(one["families"], [4])
        self.assertEqual(one["tags"], ["reset", "power"])
        self.assertEqual(one["here"], "é")


class Merges(Cli):
    def setUp(self):
        super().setUp()
        self.one = self.write("1.json", shard(1, 2, ["passed", "skipped"]))
        self.two = self.write("2.json", shard(2, 2, ["passed", "failed"]))

    def test_two_shards_merge_into_the_suite(self):
        result = self.tcplab("merge", self.one, self.two, "--junit", "all.xml", "--tap", "all.tap",
                             "--results", "all.json")
        self.assertEqual((result.returncode, result.stderr), (1, ""))
        self.assertEqual(result.stdout, "failed-2 (IPv4, fast): as it is\n"
                                        "2 passed, 1 failed, 1 skipped in 2.5 s\n")
        self.assertEqual(xml.parse(self.folder / "all.xml").getroot().get("tests"), "4")
        self.assertIn("\n1..4\n", (self.folder / "all.tap").read_text())
        again = self.tcplab("merge", "all.json", "--json")
        self.assertEqual(len(schemas.checked(again.stdout)["results"]), 4)

    def test_the_exit_status_is_that_of_the_whole_suite(self):
        self.write("2.json", shard(2, 2, ["passed", "passed-too"]))
        self.assert_refused(self.tcplab("merge", self.one, self.two), "2.json",
                            'unknown outcome "passed-too"')
        for outcomes, status in {("passed", "skipped"): 0, ("broken", "failed"): 3,
                                 ("bad_script", "failed"): 2}.items():
            self.write("2.json", shard(2, 2, outcomes))
            self.assertEqual(self.tcplab("merge", self.one, self.two).returncode, status)

    def test_a_missing_shard_is_reported(self):
        result = self.tcplab("merge", "--json", self.two)
        self.assertEqual(result.returncode, 3)
        # These are the other shard's results.
        self.assertEqual(len(schemas.checked(result.stdout)["results"]), 2)
        self.assertIn("tcplab: no file contains shard 1/2", result.stderr)
        self.write("3.json", shard(3, 30, ["passed"]))
        result = self.tcplab("merge", "3.json")
        self.assertIn("1/30, 2/30, 4/30", result.stderr)
        self.assertIn("and 9 more", result.stderr)

    def test_files_that_do_not_belong_together_are_refused(self):
        other = self.write("other.json", shard(2, 2, ["passed"], plan="02"))
        cut = self.write("cut.json", json.dumps(shard(2, 2, ["passed"]))[:-20])
        for files, parts in {(self.one, self.one): ["shard 1/2 is in both 1.json and 1.json"],
                             (self.one, other): ["1.json and other.json", "different suites"],
                             (self.one, cut): ["cut.json: not a complete results file",
                                               "invalid JSON at byte"],
                             (self.one, "gone.json"): ["cannot read gone.json"],
                             (self.one, "."): [". is not a results file"]}.items():
            with self.subTest(files):
                self.assert_refused(self.tcplab("merge", *files), *parts)

    def test_at_most_one_document_goes_to_standard_output(self):
        self.assert_refused(self.tcplab("merge", "--json", "--tap", "-", self.one),
                            "only one document can go to standard output")
        self.assert_refused(self.tcplab("run", "--junit", "-", "--tap", "-", "warmup"),
                            "only one document can go to standard output")

    def test_a_file_that_cannot_be_written_is_refused_before_the_runs(self):
        self.assert_refused(self.tcplab("run", "--junit", "gone/junit.xml", "warmup"),
                            "cannot write gone/junit.xml")
        self.assertFalse((self.folder / "runs").exists())

    def test_annotations_are_printed_on_github_or_on_request(self):
        ci = {"GITHUB_ACTIONS": "true"}
        for environment, options, annotated in (({}, [], False), ({}, ["--github"], True),
                                                (ci, [], True), (ci, ["--no-github"], False)):
            result = self.tcplab("merge", self.one, self.two, *options, **environment)
            self.assertEqual("::error title=failed-2" in result.stdout, annotated, options)

    @unittest.skipIf(shutil.which("prove") is None, "no prove(1) here")
    def test_perl_reads_the_tap_output(self):
        self.tcplab("merge", self.one, self.two, "--tap", "all.tap")
        result = subprocess.run(["prove", "--verbose", "-e", "cat", "all.tap"], cwd=self.folder,
                                capture_output=True, text=True, check=False)
        self.assertRegex(result.stdout, r"Tests: 4 Failed: 1\)\n +Failed test: +1\n")
        self.assertNotIn("Parse errors", result.stdout)


if __name__ == "__main__":
    unittest.main()
