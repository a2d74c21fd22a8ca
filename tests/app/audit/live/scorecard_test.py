#!/usr/bin/env python3
"""Runs the scorecard's tool for one client and two cells, and reads what it writes."""
import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

TOOL = Path(os.environ["TCPLAB_SOURCE"]) / "tools/scorecard"


@unittest.skipIf(not shutil.which("curl"), "curl is not installed")
class Scorecard(unittest.TestCase):
    def test_an_audit_of_curl_becomes_a_result_and_pages(self):
        with lab.Folder() as out:
            done = subprocess.run(
                [TOOL, "--limit", "3s", "--failure", "frozen", "--failure", "reset", "--moment",
                 "waiting", "--out", out / "runs", "--results", out / "results", "--pages",
                 out / "pages", "--html", out / "html", "curl"],
                capture_output=True, text=True, check=False, timeout=300)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            cells = json.loads((out / "results/curl.json").read_text())["cells"]
            outcomes = {f"{cell['side']}.{cell['failure']}": cell["outcome"] for cell in cells}
            self.assertEqual(outcomes, {"server.frozen": "hangs", "client.frozen": "hangs",
                                        "path.reset": "error"})
            self.assertIn("[curl](../scorecard/curl.lua)", (out / "pages/clients.md").read_text())
            page = (out / "html/clients-map.html").read_text()
            self.assertIn('data-page="curl/curl-server.frozen.waiting-ipv4.html"', page)
            self.assertTrue((out / "html/curl/curl-server.frozen.waiting-ipv4.html").is_file())


if __name__ == "__main__":
    lab.main()
