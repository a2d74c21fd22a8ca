#!/usr/bin/env python3
"""Checks `since`: an expectation is not checked on a kernel that is older than it says."""
import json
import os
import subprocess
import unittest

import lab

OLD, FUTURE = "3.0", "999.1"


class SinceTest(lab.LinesTest):
    BEFORE = "local client = lab:connected()"

    def unchecked(self, run):
        return [(event["line"], event["since"], event["expected"])
                for event in run.events("unchecked")]

    def test_an_expectation_of_a_newer_kernel_is_not_checked(self):
        run = self.run_lines(f"""
    lab:expect(client):since("{FUTURE}"):within(60):in_state "CLOSED"
    lab:never(client, 60):since("{FUTURE}"):call("read"):returns()
    lab:expect(client):since("{FUTURE}"):still_in_state "CLOSED"
    lab:expect(client):since("{FUTURE}"):exits()
    lab:expect_packet("kodos > kang", "RST", {{ within = 60, since = "{FUTURE}" }})
    lab:never_packet(60, "kodos > kang", "RST", {{ since = "{FUTURE}" }})
    lab:expect_time(9, 1, "it", {{ since = "{FUTURE}" }})
    lab:expect_between(9, 1, 2, "it", {{ since = "{FUTURE}" }})
    local value = lab:check(7, "seven", nil, {{ since = "{FUTURE}" }})
    lab:check(value == 7, "check returns its condition")
    lab:check(lab:check(false, "seven", 7, {{ since = "{FUTURE}" }}) == false, "that, too")""")
        found = self.unchecked(run)
        self.assertEqual([line for line, _, _ in found], [7, 8, 9, 10, 11, 12, 13, 14, 15, 17])
        self.assertEqual({since for _, since, _ in found}, {FUTURE})
        self.assertIn("CLOSED", found[0][2])
        self.assertEqual(found[-1][2], "seven")
        self.assertIn(f"10 expectations not checked: they hold since Linux {FUTURE}", run.output)

    def test_it_is_checked_on_that_kernel_and_on_newer_ones(self):
        running = os.uname().release.split("-")[0]
        for version in (OLD, running):
            run = self.run_lines(f"""
    lab:expect(client):since("{version}"):within(0.1):in_state "CLOSED" """, status=1)
            self.assertEqual(self.unchecked(run), [])
            run = self.run_lines(f"""
    lab:check(false, "it holds", nil, {{ since = "{version}" }})""", status=1)

    def test_the_next_expectation_starts_where_the_last_checked_one_ended(self):
        self.run_lines(f"""
    client:type "x\\n"
    local none = lab:expect(client):since("{FUTURE}"):call("write"):returns(2)
    lab:check(none == nil, "there is no event")
    lab:expect(client):call("write"):returns(2)""")

    def test_a_script_can_ask_for_the_version(self):
        self.run_lines(f"""
    lab:check(lab:since "{OLD}", "an old kernel")
    lab:check(not lab:since "{FUTURE}", "no future kernel")""")

    def test_a_wrong_version_is_a_bad_script(self):
        run = self.run_lines('\n    lab:expect(client):since("six"):in_state "CLOSED"', status=2)
        self.assertIn('"six" is no version of Linux; write it as "6.5"', run.said())

    def test_what_is_awaited_has_no_version(self):
        run = self.run_lines('\n    lab:await(client):since("6.5"):in_state "CLOSED"', status=2)
        self.assertIn("ask lab:since before it", run.said())

    def test_the_ladder_and_the_results_name_what_is_not_checked(self):
        results = f"{self.out.name}/results.json"
        script = self.script(f"""
    lab:expect(client):since("{FUTURE}"):in_state "CLOSED" """)
        run = lab.Run(script, self.out.name, "--results", results)
        self.assertEqual(run.status, 0, run.said())
        self.assertIn(f"1 expectation not checked: it holds since Linux {FUTURE}", run.output)
        with open(results, encoding="utf-8") as file:
            one = json.load(file)["results"][0]
        self.assertEqual(one["unchecked"][0]["since"], FUTURE)
        show = subprocess.run([lab.TCPLAB, "show", run.folder], capture_output=True, text=True,
                              check=True).stdout
        self.assertIn(f"not checked, holds since Linux {FUTURE}", show)
        self.assertIn("1 not checked", show)


class SinceFieldTest(unittest.TestCase):
    def run_field(self, fields):
        with lab.Folder() as out:
            script = out / "scenario.lua"
            script.write_text(f"return {{ title = 'T', asks = 'Q?', {fields}\n"
                              "run = function(lab) lab:pair() end }", encoding="utf-8")
            return lab.Run(script, out)

    def test_a_scenario_of_a_newer_kernel_is_skipped(self):
        run = self.run_field(f'since = "{FUTURE}",')
        self.assertEqual(run.status, lab.SKIPPED, run.said())
        self.assertIn(f"what it expects holds since Linux {FUTURE}", run.said())
        self.assertEqual(self.run_field(f'since = "{OLD}",').status, 0)

    def test_so_is_a_case(self):
        run = self.run_field(f'cases = {{ {{ name = "new", since = "{FUTURE}" }}, '
                             '{ name = "old" } },')
        self.assertEqual(run.status, 0, run.said())
        self.assertIn("1 passed, 0 failed, 1 skipped", run.said())

    def test_a_wrong_version_is_found_by_check(self):
        with lab.Folder() as out:
            script = out / "scenario.lua"
            script.write_text("return { title = 'T', asks = 'Q?', since = '6',\n"
                              "run = function(lab) lab:pair() end }", encoding="utf-8")
            check = subprocess.run([lab.TCPLAB, "check", script], capture_output=True, text=True,
                                   check=False)
        self.assertEqual(check.returncode, 2, check.stderr)
        self.assertIn('`since` must be a version of Linux: since = "6.5"', check.stderr)


if __name__ == "__main__":
    unittest.main()
