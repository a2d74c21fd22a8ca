#!/usr/bin/env python3
"""Checks the scorecard without hosts: its audit files, and the pages made of its results."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import skips
from pages import BrowsedPages, tcplab

SOURCE = Path(os.environ["TCPLAB_SOURCE"])
SCORECARD = SOURCE / "scorecard"
TOOL = SOURCE / "tools/scorecard"
CLIENTS = sorted(file.stem for file in SCORECARD.glob("*.lua"))
RESULT = """{"title": "%s", "packages": {"curl": "7.88"}, "kernel": "6.18", "date": "2026-11-22",
 "limit": "60s", "cells": [
  {"failure": "power-off", "moment": "waiting", "side": "server", "outcome": "%s", "took": 12.5,
   "noticed": {"after": 12.4, "by": "own_timer", "words": "own timer: poll, 12 s"},
   "why": "the program's own timer: poll with 12 s", "text": "</script> timed out", "run": "x"},
  {"failure": "frozen", "moment": "idle", "side": "client", "outcome": "hangs",
   "server_kept": true, "run": "y"},
  {"failure": "refused", "moment": "before-connect", "side": "path", "outcome": "hangs",
   "run": "z"}]}
"""


def made_from(results, pages):
    """Runs the tool on these results, and returns the text of both pages."""
    done = subprocess.run([TOOL, "--pages-only", "--results", results, "--pages", pages],
                          capture_output=True, text=True, check=False, timeout=300)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return [(Path(pages) / name).read_text(encoding="utf-8")
            for name in ("clients.md", "clients-map.html")]


class Files(unittest.TestCase):
    def test_there_are_at_least_30_clients(self):
        self.assertGreaterEqual(len(CLIENTS), 30)

    def test_every_file_is_an_audit(self):
        listed = tcplab("list", "--names", SCORECARD)
        self.assertEqual((listed.returncode, listed.stderr), (0, ""))
        names = set(listed.stdout.split())
        for client in CLIENTS:
            with self.subTest(client):
                self.assertIn(f"{client}-baseline", names)
                self.assertIn(f"{client}-server.power-off.waiting", names)

    def test_every_file_names_its_packages(self):
        for client in CLIENTS:
            text = (SCORECARD / f"{client}.lua").read_text(encoding="utf-8")
            with self.subTest(client):
                self.assertRegex(text, r"\A-- .*\n(-- .*\n)*-- Packages: [a-z0-9.+-]+(, |\n)")

    def test_the_tool_prints_what_to_install(self):
        done = subprocess.run([TOOL, "--packages", "curl", "redis-cli"], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.stdout, "curl\nredis-server\nredis-tools\n", done.stderr)

    def test_a_run_of_the_catalogue_does_not_start_them(self):
        listed = set(tcplab("list", "--names").stdout.split())
        self.assertGreater(len(listed), 100)
        self.assertEqual([name for name in listed if name.endswith("-baseline")], [])


FAILING = """#!/usr/bin/env python3
import os, pathlib, signal, sys
answer = pathlib.Path(sys.argv[sys.argv.index("--json") + 1])
answer.write_text(%r)
%s
"""


@unittest.skipIf(not shutil.which("curl"), "curl is not installed")
class FailedAudit(unittest.TestCase):
    def no_result(self, answer, end, words):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder, "tcplab")
            program.write_text(FAILING % (answer, end), encoding="utf-8")
            program.chmod(0o755)
            results = Path(folder, "results")
            done = subprocess.run(
                [TOOL, "--out", Path(folder, "runs"), "--results", results, "--pages", folder,
                 "curl"], capture_output=True, text=True, check=False, timeout=300,
                env={**os.environ, "TCPLAB_BIN": folder})
            self.assertIn(f"curl: {words}", done.stdout, done.stderr)
            self.assertEqual((done.returncode, done.stderr), (1, ""))
            self.assertFalse(results.exists())

    def test_an_interrupted_audit_is_no_result(self):
        for end in ("os.kill(os.getpid(), signal.SIGTERM)", "sys.exit(128 + signal.SIGTERM)"):
            with self.subTest(end):
                self.no_result('{"title": "curl", "cells": []}', end, "interrupted")

    def test_an_audit_that_skips_all_is_no_result(self):
        self.no_result('{"title": "curl", "cells": []}', "sys.exit(4)", "no cell worked")

    def test_an_audit_whose_baseline_fails_is_no_result(self):
        self.no_result("", "sys.exit('tcplab: the baseline failed')", "tcplab: the baseline failed")


class Page(unittest.TestCase):
    def test_the_page_names_every_file(self):
        page = (SOURCE / "docs/clients.md").read_text(encoding="utf-8")
        for client in CLIENTS:
            with self.subTest(client):
                self.assertIn(f"(../scorecard/{client}.lua)", page)

    def test_the_pages_are_those_of_the_results(self):
        with tempfile.TemporaryDirectory() as folder:
            page, heat_map = made_from(SCORECARD / "results", folder)
        hint = "run tools/scorecard --pages-only"
        self.assertTrue(page == (SOURCE / "docs/clients.md").read_text(encoding="utf-8"), hint)
        self.assertTrue(heat_map == (SOURCE / "docs/clients-map.html").read_text(encoding="utf-8"),
                        hint)

    def test_every_claim_names_a_run_that_there_is(self):
        page = (SOURCE / "docs/clients.md").read_text(encoding="utf-8")
        claims = re.findall(r"`([a-z0-9-]+): ([a-z]+\.[a-z0-9-]+\.[a-z-]+)`", page)
        self.assertGreater(len(claims), 5)
        for client, cell in claims:
            side, failure, moment = cell.split(".")
            result = (SCORECARD / f"results/{client}.json").read_text(encoding="utf-8")
            with self.subTest(f"{client}: {cell}"):
                self.assertIn(f'"failure": "{failure}", "moment": "{moment}", "side": "{side}"',
                              result)


class Hours(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.results = Path(self.folder.name) / "results"
        (self.results / "hours").mkdir(parents=True)
        (self.results / "curl.json").write_text(RESULT % ("curl", "hangs"), encoding="utf-8")

    def page(self):
        return made_from(self.results, self.folder.name)[0]

    def test_a_table_says_what_clients_that_hang_do_within_hours(self):
        self.assertNotIn("within hours", self.page())
        (self.results / "hours/curl.json").write_text(
            (RESULT % ("curl", "error")).replace("12.5", "7875.2").replace("12.4", "7875")
            .replace("60s", "3h").replace("6.18", "6.1.176"), encoding="utf-8")
        text = self.page()
        self.assertIn("Here, `∞` is longer than 3 hours", text)
        self.assertIn("### The server fails\n\n| client | power off, waiting for the answer |\n"
                      "| --- | --- |\n| [curl](../scorecard/curl.lua) | ! 2 h 11 min |\n", text)
        self.assertIn("### The client fails\n\nEvery client hung in these: process frozen, idle "
                      "between requests (1 client).\n\n### The path fails\n", text)
        self.assertIn("| [curl](../scorecard/curl.lua) |  |  | ! 2 h 11 min |", text)
        self.assertIn("Some that hung for 60 s were audited again for hours, on Linux 6.1.176.",
                      text)
        self.assertIn("- the program's own timer: poll with 12 s (2 h 11 min): "
                      "`curl: server.power-off.waiting`\n", text)

    def test_without_results_there_is_nothing_to_measure(self):
        (self.results / "curl.json").unlink()
        done = subprocess.run([TOOL, "--hours", "--results", self.results, "--pages",
                               self.folder.name, "curl"], capture_output=True, text=True,
                              check=False, timeout=300)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("curl has no results yet; run tools/scorecard curl first", done.stderr)


class HeatMap(BrowsedPages):
    def see_two(self):
        results = self.folder / "results"
        results.mkdir()
        (results / "curl.json").write_text(RESULT % ("curl", "hangs"))
        (results / "wget.json").write_text(RESULT % ("wget", "error"))
        made_from(results, self.folder)
        self.open(self.folder / "clients-map.html")

    def shown(self):
        return self.browser.run("""[...document.querySelectorAll("tbody tr")]
            .filter((row) => !row.hidden)
            .map((row) => row.innerText.split(/\\s+/).join(" ").trim())""")

    def choose(self, name, value):
        self.browser.run(f"""{{ const one = document.getElementById("{name}");
            one.value = "{value}";
            one.dispatchEvent(new Event(one.type === "search" ? "input" : "change")); }}""")

    def test_a_row_says_what_happened_in_words_and_colour(self):
        self.see_two()
        self.assertEqual(self.shown(), ["curl ∞", "wget ! 12 s"])
        colours = self.browser.run("""[...document.querySelectorAll("button[data-moment=waiting]")]
            .map((one) => getComputedStyle(one).backgroundColor)""")
        self.assertEqual(len(set(colours)), 2)

    def test_filters_choose_the_moment_and_the_clients(self):
        self.see_two()
        self.choose("outcome", "error")
        self.assertEqual(self.shown(), ["wget ! 12 s"])
        self.choose("outcome", "")
        self.choose("name", "CUR")
        self.assertEqual(self.shown(), ["curl ∞"])
        self.assertEqual(self.text("#count"), "1 of 2 clients")
        self.choose("moment", "idle")
        self.assertEqual(self.shown(), ["curl ∞"])
        self.choose("side", "server")
        self.assertEqual(self.shown(), ["curl"])

    def test_a_cell_tells_the_reason_and_how_to_run_it_again(self):
        self.see_two()
        self.browser.run("document.querySelector('[data-cell^=wget]').click()")
        said = self.text("#detail")
        for words in ("wget: power off, server", "noticed after 12 s: own timer: poll, 12 s",
                      "“</script> timed out”",
                      "tcplab audit --failure power-off --moment waiting scorecard/wget.lua"):
            self.assertIn(words, said)

    def test_it_fits_into_a_narrow_window(self):
        self.see_two()
        self.browser.size(400, 800, mobile=True)
        self.assertEqual(self.browser.run("document.documentElement.scrollWidth"), 400)


if __name__ == "__main__":
    skips.main()
