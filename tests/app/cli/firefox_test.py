#!/usr/bin/env python3
"""Checks the pages in Firefox: everything that a reader does, once."""
import json
import shutil
import unittest

import skips
from firefox import Firefox
from pages import HOLDING, POWER_CYCLE, Pages, tcplab
from plots_test import Transfer
from view_test import lines, scripted


def why_no_firefox():
    if not shutil.which("firefox-esr"):
        return "firefox-esr is not installed"
    return ""


@unittest.skipIf(why_no_firefox(), why_no_firefox())
class InFirefox(Pages):
    @classmethod
    def setUpClass(cls):
        cls.browser = Firefox()
        cls.addClassCleanup(cls.browser.close)

    def open(self, page, fragment=""):
        """Opens the page, and waits until its script has run. Its errors are in `run.errors`."""
        self.browser.open(page.as_uri() + fragment)
        self.browser.run("""new Promise((done) => {
          const look = () => document.querySelector(".player") && !document.body.dataset.player
            ? requestAnimationFrame(look) : done(1);
          look();
        })""")

    def see(self, content, fragment=""):
        self.open(self.report(self.record("run", content)), fragment)

    def text(self, selector):
        return self.browser.run(f"document.querySelector({json.dumps(selector)}).textContent")

    def count(self, selector):
        return self.browser.run(f"document.querySelectorAll({json.dumps(selector)}).length")

    def test_keys_walk_present_and_shorten(self):
        self.see(lines(scripted()))
        for _ in range(3):
            self.browser.press("\ue014")  # the right arrow
        self.assertEqual(self.text(".where").split(" of ")[0], "step 3")
        self.browser.press("p")
        self.assertIn("presenting", self.browser.run("document.body.className"))
        self.browser.press("\ue00c")  # Escape
        self.browser.press("\ue00c")
        self.assertEqual(self.browser.run("document.body.className"), "run")
        self.browser.press("s")
        self.assertIn(self.count(".step:not(.left-out)"), range(8, 13))
        self.browser.press("0")
        self.assertEqual(self.count(".step.left-out"), 0)

    def test_a_site_shows_its_pictures_from_disk(self):
        self.record("run", POWER_CYCLE.read_text())
        site = self.folder / "site"
        self.assertEqual(tcplab("site", site, "--from", self.folder / "runs").returncode, 0)
        self.open(site / "README.html")
        widths = self.browser.run("[...document.images].map((image) => image.naturalWidth)")
        self.assertGreaterEqual(len(widths), 2)
        self.assertNotIn(0, widths)

    def test_the_question_comes_first(self):
        self.see(lines(scripted()), "#predict")
        self.assertIn("What does it see?", self.text(".quiz"))
        self.browser.press("1")
        self.assertTrue(self.text(".quiz .verdict"))

    def test_plots_are_drawn(self):
        self.see(Transfer().run())
        self.browser.run("[...document.querySelectorAll('.tabs button')].find((tab) => "
                         "tab.textContent === 'Plots').click()")
        for mark in (".segment", ".again", ".sack", ".cwnd-line", ".rto-line"):
            self.assertTrue(self.browser.run(
                f"document.querySelector('.plot {mark}').getAttribute('d')"), mark)

    def test_the_ladder_is_drawn_as_in_chromium(self):
        self.see(HOLDING.read_text())
        heights = self.browser.run("[...document.querySelectorAll('.step .hit')]"
                                   ".map((hit) => hit.getBoundingClientRect().height)")
        self.assertGreater(min(heights), 10)
        for selector in (".band rect", ".frame path", ".judged"):
            self.assertTrue(self.browser.run(
                f"document.querySelector('{selector}').getBoundingClientRect().width > 0"
                f" || document.querySelector('{selector}').getBoundingClientRect().height > 0"))

    def test_the_index_filters(self):
        self.record("a", POWER_CYCLE.read_text())
        self.record("b", HOLDING.read_text())
        self.open(self.report(self.folder / "runs"), "#text=cycled")
        self.assertEqual(self.count(".topic tbody tr:not([hidden])"), 1)


if __name__ == "__main__":
    skips.main()
