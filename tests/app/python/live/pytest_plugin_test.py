#!/usr/bin/env python3
"""Runs pytest with the plugin: fixtures, failures, pages, scenarios, pytest-xdist."""
import pathlib
import re
import sys
import unittest

sys.dont_write_bytecode = True
import lab
from python_package import SOURCE, need_module, pytest

PASSES = """
def test_a_pair(lab, tcplab_events):
    lab.pair()
    assert [each.host for each in tcplab_events("host")] == ["kang", "kodos"]
"""
FAILS = """
import pytest

def test_expects_too_much(lab):
    kang, kodos = lab.pair()
    client = kang.dnc(kodos, 8080)
    lab.expect(client).within(0.2).in_state("TIME_WAIT")

def test_asserts_too_much(lab):
    assert lab.family == 6

@pytest.mark.tcplab(needs=["program no-such-program"])
def test_needs_too_much(lab):
    pass

@pytest.mark.tcplab(family=6)
def test_with_options(lab):
    assert lab.family == 6

def test_skips_itself(lab):
    lab.skip("not today")

def test_says_nothing(lab):
    lab.expect(lab.pair()[0])
"""
CUTS_OFF = """
import pathlib
import pytest

@pytest.fixture
def cut_off():  # is torn down after the lab
    runs = []
    yield runs
    pathlib.Path(runs[0], "events.jsonl").write_text("")

@pytest.mark.tcplab(out="cut")
def test_a_pair(cut_off, lab):
    cut_off.append(lab.folder)
"""
SKIPS = """
import pytest
import tcplab
import unittest

@pytest.mark.xfail
def test_skips_itself(lab):
    lab.skip("not today")

@pytest.mark.tcplab(needs=["program no-such-program"])
def test_needs_too_much(lab):
    pass

class TestCase(unittest.TestCase):
    def test_without_a_fixture(self):
        with tcplab.Lab() as lab:
            lab.skip("not today")
"""
SCENARIO = """return {
  title = "Toy",
  asks = "Do hosts start?",
  run = function(lab)
    lab:pair()
    lab:check(TRUTH, "hosts start")
  end,
}
"""


class Plugin(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        need_module("pytest", "python3-pytest")

    def setUp(self):
        folder = lab.Folder()
        self.folder = folder.__enter__()
        self.addCleanup(folder.__exit__, None, None, None)

    def write(self, **files):
        for name, text in files.items():
            (self.folder / name.replace("__", ".")).write_text(text)

    def test_the_fixtures_give_a_lab_and_its_events(self):
        self.write(test_a__py=PASSES)
        status, output = pytest(self.folder)
        self.assertEqual(status, 0, output)
        self.assertIn("1 passed", output)

    def test_failures_show_the_ladder_and_where_the_run_is(self):
        self.write(test_b__py=FAILS)
        status, output = pytest(self.folder, "-rs")
        self.assertEqual(status, 1, output)
        self.assertIn("2 failed, 2 passed, 2 skipped, 1 error", output)
        for text in ["expected  kang's dnc in state TIME_WAIT, within 200.0 ms", "kang 10.0.0.1",
                     "RST", "The run: tcplab show ", "assert 4 == 6",
                     "the program no-such-program", "test_b.py:20: not today",
                     "lab:expect says nothing about kang"]:
            self.assertIn(text, output)
        run = re.search(r"The run: tcplab show (\S*test_expects_too_much\S*)", output)[1]
        self.assertTrue(pathlib.Path(run, "failure.txt").exists())

    def test_pages_are_kept_with_an_index(self):
        self.write(test_a__py=PASSES, test_b__py=PASSES)
        status, output = pytest(self.folder, "--tcplab-html", "pages")
        self.assertEqual(status, 0, output)
        self.assertIn(f"Pages of the runs: {self.folder}/pages/index.html", output)
        index = (self.folder / "pages/index.html").read_text()
        for name in ["test_a.py::test_a_pair", "test_b.py::test_a_pair"]:
            self.assertTrue(name in index, name)
        self.assertEqual(len(list(self.folder.glob("pages/*.html"))), 3)

    def test_scenarios_have_pages(self):
        self.write(good__lua=SCENARIO.replace("TRUTH", "true"))
        status, output = pytest(self.folder, "--tcplab-html", "pages")
        self.assertEqual(status, 0, output)
        self.assertIn(f"Pages of the runs: {self.folder}/pages/index.html", output)
        self.assertEqual(self.pages(), ["good-ipv4.html", "good-ipv6.html"])

    def test_the_index_has_the_runs_of_this_call_only(self):
        self.write(test_a__py=PASSES, test_b__py=PASSES,
                   good__lua=SCENARIO.replace("TRUTH", "true"),
                   test_c__py="def test_skipped(lab):\n    lab.skip('not today')\n")
        for arguments, count in [([], 5), (["good.lua"], 2)]:
            status, output = pytest(self.folder, "--tcplab-html", "pages", *arguments)
            self.assertEqual(status, 0, output)
            self.assertEqual(len(self.pages()), count, self.pages())
        status, output = pytest(self.folder, "--tcplab-html", "pages", "test_a.py")
        self.assertEqual(status, 0, output)
        self.assertRegex(output, r"Pages of the runs: \S*/test_a.py-test_a_pair-\w*.html")
        self.assertFalse((self.folder / "pages/index.html").exists())

    def test_a_run_that_is_cut_off_is_a_warning(self):
        self.write(test_a__py=CUTS_OFF, test_b__py=PASSES)
        status, output = pytest(self.folder, "--tcplab-html", "pages")
        self.assertEqual(status, 0, output)
        self.assertIn("cut/events.jsonl:1: not a tcplab events file", output)
        self.assertIn(f"Pages of the runs: {self.folder}/pages", output)
        self.assertEqual(len(self.pages()), 1, self.pages())
        status, output = pytest(self.folder, "--tcplab-html", "pages", "test_b.py")
        self.assertEqual(status, 0, output)
        self.assertNotIn("cut", output)

    def pages(self):
        """Returns the names of the pages that the index has."""
        index = (self.folder / "pages/index.html").read_text()
        return sorted(set(re.findall(r'href="\./([^"]*\.html)', index)))

    def test_a_lab_that_skips_is_no_failure_for_the_debugger_and_for_xfail(self):
        self.write(test_a__py=SKIPS)
        status, output = pytest(self.folder, "--pdb")
        self.assertEqual(status, 0, output)
        self.assertIn("3 skipped", output)
        self.assertNotIn("Pdb", output)

    def test_scenarios_are_tests_and_other_lua_files_are_not(self):
        self.write(good__lua=" ".join(SCENARIO.replace("TRUTH", "true").split()),
                   other__lua="return { run = 1 }\n",
                   bad__lua=SCENARIO.replace("TRUTH", "false"), my__lib__lua="return {}\n")
        status, output = pytest(self.folder, "-v")
        self.assertEqual(status, 1, output)
        self.assertIn("2 failed, 2 passed", output)
        self.assertIn("bad.lua:6", output)
        self.assertNotIn("other.lua", output)
        status, output = pytest(self.folder, "other.lua")
        self.assertEqual(status, 1, output)
        self.assertIn("other.lua", output)

    def test_runs_go_side_by_side(self):
        need_module("xdist", "python3-pytest-xdist")
        self.write(**{f"test_{name}__py": PASSES for name in "abcd"})
        status, output = pytest(self.folder, "-p", "xdist", "-n", "2", "--tcplab-html", "pages")
        self.assertEqual(status, 0, output)
        self.assertIn("4 passed", output)
        self.assertEqual(len(list(self.folder.glob("pages/*.html"))), 5)

    def test_the_example_tests_a_real_client(self):
        lab.need("redis-server")
        need_module("redis", "python3-redis")
        status, output = pytest(self.folder, SOURCE / "examples/python")
        self.assertEqual(status, 0, output)
        self.assertIn("2 passed", output)


if __name__ == "__main__":
    lab.main()
