#!/usr/bin/env python3
"""Checks that `tcplab run --set` gives values to scripts."""
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import lab


class Parameters(unittest.TestCase):
    def test_a_script_gets_the_values_of_set(self):
        with lab.Folder() as out:
            run = lab.Run("parameters.lua", out, "--set", "text=a = b", "--set", "size=")
            self.assertEqual(run.status, 0, run.said())
            notes = [event["text"] for event in run.events("note")]
            self.assertEqual(notes[:2], ["size is ", "text is a = b"])
            run = lab.Run("parameters.lua", out)
            self.assertIn("size is not given", run.output)

    def test_a_value_without_a_name_is_refused(self):
        for wrong in ("size", "=3"):
            done = subprocess.run([lab.TCPLAB, "run", "warmup", "--set", wrong], check=False,
                                  capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr, f"tcplab: --set {wrong}: write it as NAME=VALUE\n")


if __name__ == "__main__":
    lab.main()
