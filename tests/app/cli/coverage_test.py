#!/usr/bin/env python3
"""Checks tcplab coverage: the runs that it finds in folders, and its exit status."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import schemas

TCPLAB = pathlib.Path(os.environ["TCPLAB_BIN"]) / "tcplab"
RUN = {"n": 1, "t": 1, "kind": "run", "format": "tcplab-events", "version": 1, "family": "ipv4"}
ENDS = {"host": "kang", "local": "10.0.0.1:40000", "remote": "10.0.0.2:8080"}


class Coverage(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tcplab-coverage-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def run_of(self, scenario, *states):
        lines = [RUN | {"scenario": scenario}]
        for state in states:
            lines.append({"n": len(lines) + 1, "t": len(lines) + 1, "kind": "state", **ENDS,
                          "cause": "frame", "frame": 7, "from": state[0], "to": state[1]})
        folder = self.folder / "runs" / "suite" / scenario
        folder.mkdir(parents=True)
        text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
        (folder / "events.jsonl").write_text(text)

    def tcplab(self, *arguments):
        return subprocess.run([TCPLAB, *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=300, check=False)

    def coverage(self, *arguments):
        return self.tcplab("coverage", *arguments)

    def test_runs_are_found_in_subfolders(self):
        self.run_of("closes", ("CLOSE_WAIT", "LAST_ACK"))
        self.run_of("closes-too", ("CLOSE_WAIT", "LAST_ACK"))
        result = self.coverage("--json", "--strict")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        document = schemas.checked(result.stdout)
        self.assertEqual(document["runs"], 2)
        rows = {row["name"]: row for row in document["sections"][0]["rows"]}
        self.assertEqual(rows["CLOSE_WAIT to LAST_ACK"]["seen_by"], ["closes", "closes-too"])
        self.assertEqual(rows["CLOSED to LISTEN"]["seen_by"], [])

    def test_a_finding_fails_only_with_strict(self):
        self.run_of("impossible", ("LAST_ACK", "ESTABLISHED"))
        for options, status in [([], 0), (["--strict"], 1), (["--markdown", "--strict"], 1)]:
            result = self.coverage(*options)
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertIn("LAST_ACK to ESTABLISHED around frame 7", result.stdout)
        self.assertNotIn("\x1b", self.coverage().stdout)

    def test_an_incomplete_run_counts_up_to_its_end(self):
        self.run_of("closes", ("CLOSE_WAIT", "LAST_ACK"), ("LAST_ACK", "CLOSED"))
        run = "runs/suite/closes"
        file = self.folder / run / "events.jsonl"
        file.write_bytes(file.read_bytes()[:-9])
        for command in (["show", run], ["diff", run, run], ["coverage", run]):
            result = self.tcplab(*command)
            self.assertEqual(result.returncode, 0, result.stderr)
            said = set(result.stderr.splitlines())
            self.assertEqual(said, {f"tcplab: {run}/events.jsonl: the last line is incomplete"})

    def test_missing_and_empty_folders_are_refused(self):
        (self.folder / "empty").mkdir()
        for folder, why in [("gone", "No such file"), ("empty", "no run in empty")]:
            result = self.coverage(folder)
            self.assertEqual(result.returncode, 2)
            self.assertEqual(len(result.stderr.splitlines()), 1)
            self.assertIn(why, result.stderr)

    def test_a_file_that_is_not_a_run_is_skipped(self):
        self.run_of("closes", ("CLOSE_WAIT", "LAST_ACK"))
        (self.folder / "events.jsonl").write_text("hello\n")
        result = self.coverage(".", "--json")
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, r"^tcplab: .*events.jsonl:1: .*; skipped\n$")
        self.assertEqual(schemas.checked(result.stdout)["runs"], 1)

    def test_an_unfinished_run_is_reported(self):
        self.run_of("closes", ("CLOSE_WAIT", "LAST_ACK"))
        run = "runs/suite/closes"
        self.assertEqual(self.tcplab("show", run).stderr,
                         f"tcplab: {run}: the run did not finish: its end is missing\n")
        ended = self.folder / "ended.jsonl"
        record = self.folder / run / "events.jsonl"
        end = {"n": 3, "t": 3, "kind": "end", "outcome": "passed", "duration": 3}
        ended.write_text(record.read_text() + json.dumps(end) + "\n")
        result = self.tcplab("diff", run, ended)
        self.assertEqual((result.returncode, result.stderr), (1, ""))
        self.assertEqual(result.stdout.count("): cut off"), 1, result.stdout)
        self.assertEqual(result.stdout.count("passed"), 1, result.stdout)

    def test_a_folder_without_a_valid_run_is_refused(self):
        (self.folder / "events.jsonl").write_text("hello\n")
        result = self.coverage(".")
        self.assertEqual(result.returncode, 2)
        self.assertIn("events.jsonl:1", result.stderr)


if __name__ == "__main__":
    unittest.main()
