#!/usr/bin/env python3
"""Checks option `probes` of host:run: USDT probes on the timeline, in the ladder and on pages."""
import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import guests
import lab
import skips
from chromium import Chromium

SOURCE = lab.SCRIPTS.parent / "support" / "probed.c"
SCRIPT = """return {
  title = "Probes", asks = "What does the program do?", tags = { "tests" },
  run = function(lab)
    local kang = lab:pair()
    local program = kang:run { %s }
    lab:expect(program):exits(0)
  end,
}
"""

TWO = """return {
  title = "Probes", asks = "Whose probes are seen?", tags = { "tests" },
  run = function(lab)
    local kang = lab:pair()
    local before = kang:run { "./probed", "threads", name = "before" }
    local chosen = kang:run { "./probed", "threads", probes = "own:*", name = "chosen" }
    local after = kang:run { "./probed", "threads", name = "after" }
    lab:expect(before):exits(0)
    lab:expect(chosen):exits(0)
    lab:expect(after):exits(0)
  end,
}
"""


@unittest.skipUnless(os.uname().machine == "x86_64", "probes are seen on x86-64 only")
class Probes(unittest.TestCase):
    def setUp(self):
        lab.need("cc")
        out = lab.Folder()
        self.addCleanup(out.cleanup)
        self.folder = Path(out.name)
        built = subprocess.run(["cc", "-O1", SOURCE, "-o", self.folder / "probed", "-pthread",
                                "-ldl"], capture_output=True, text=True, check=False)
        if "sys/sdt.h" in built.stderr:
            self.skipTest("no sys/sdt.h (package systemtap-sdt-dev)")
        self.assertEqual(built.returncode, 0, built.stderr)

    def run_with(self, words, *options):
        script = self.folder / "probes.lua"
        script.write_text(SCRIPT % words, encoding="utf-8")
        return lab.Run(script, self.folder, *options)

    def test_probes_of_threads_and_children_are_on_the_timeline(self):
        run = self.run_with('"./probed", "children", probes = "own:h*", name = "parent"')
        self.assertEqual(run.status, 0, run.said())
        found = run.events("probe")
        self.assertEqual({(event["host"], event["program"], event["name"]) for event in found},
                         {("kang", "parent", "hit")})
        self.assertEqual(sorted(event["args"][0]["value"] for event in found),
                         [*range(100, 150), 200, 300])
        self.assertEqual(run.events("note"), [])

    def test_other_programs_of_the_host_are_left_alone(self):
        """Each reaches the probes that are chosen for one of them, at the same time."""
        script = self.folder / "two.lua"
        script.write_text(TWO, encoding="utf-8")
        run = lab.Run(script, self.folder)
        self.assertEqual(run.status, 0, run.said())
        self.assertEqual({(event["program"], event["name"]) for event in run.events("probe")},
                         {("chosen", "hit")})
        self.assertEqual(len(run.events("probe")), 400)

    def test_the_ladder_and_the_page_show_them_in_order(self):
        run = self.run_with('"./probed", "texts", probes = { "own:texts", "own:hti" }',
                            "--html", self.folder / "pages")
        self.assertEqual(run.status, 0, run.said())
        shown = subprocess.run([lab.TCPLAB, "show", "-v", run.folder], capture_output=True,
                               text=True, check=True).stdout
        self.assertIn("own:texts(0x", shown)
        self.assertLess(shown.index("$ ./probed"), shown.index("own:texts(0x"))
        self.assertLess(shown.index("own:texts(0x"), shown.index("probed exits"))
        self.assertIn("kang's probed has no probe own:hti; did you mean own:hit?", shown)
        browser = Chromium()
        self.addCleanup(browser.close)
        browser.open((self.folder / "pages" / "probes-ipv4.html").as_uri())
        visible = ("[...document.querySelectorAll('svg *')].some((each) => "
                   "!each.children.length && each.textContent.includes('own:texts') && "
                   "each.getClientRects().length > 0)")
        self.assertTrue(browser.run(visible))
        browser.run("document.querySelector('.choices [name=calls]').click()")
        self.assertFalse(browser.run(visible))
        self.assertEqual(browser.complaints(), [])

    def test_what_cannot_have_probes(self):
        run = self.run_with('"./probed", "texts", probes = "own"')
        self.assertEqual(run.status, 2, run.said())
        self.assertIn("write a probe as PROVIDER:NAME", run.said())
        for wrong in ("foo:b c", "a b:c", " :x", "abort=x:y"):
            run = self.run_with(f'"./probed", "texts", probes = "{wrong}"')
            self.assertEqual(run.status, 2, run.said())
            self.assertIn(f'option `probes` "{wrong}": write a probe as', run.said())
        run = self.run_with('"./probed", "texts", probes = { 1 }')
        self.assertEqual(run.status, 2, run.said())
        self.assertIn("`probes` must be a text or a list of texts", run.said())
        run = self.run_with('"dnc", "-l", "8080", probes = "dnc:*"')
        self.assertEqual(run.status, 2, run.said())
        self.assertIn("is not for dnc, which makes and records its calls itself", run.said())
        run = self.run_with('"./probed", "texts", probes = "own:*", watch = false')
        self.assertEqual(run.status, 2, run.said())
        self.assertIn("needs the tracer", run.said())

    @guests.needs_kernel
    def test_a_host_with_a_kernel_of_its_own(self):
        run = self.run_with('"./probed", "texts", probes = "own:*"', "--kernel", "6.1")
        self.assertEqual(run.status, 4, run.said())
        self.assertIn("the option `probes` of a program needs namespace hosts", run.said())


if __name__ == "__main__":
    skips.main()
