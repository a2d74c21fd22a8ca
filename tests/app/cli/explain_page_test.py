#!/usr/bin/env python3
"""Opens the pages that tcplab explain --html writes of a capture in a browser."""
import subprocess
import unittest

import skips
from talks import ACK, PUSH, SYN, TCPLAB, Talk, pcap
from pages import BrowsedPages


class ExplainPages(BrowsedPages):
    def explained(self, frames, *options):
        file = self.folder / "yours.pcap"
        file.write_bytes(pcap(frames))
        done = subprocess.run([TCPLAB, "explain", "--html", self.folder / "pages", *options, file],
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return self.folder / "pages"

    @staticmethod
    def silent(port=40000, frames=3):
        talk = Talk(port).shake_hands()
        for number in range(frames):
            talk.say(0, ACK | PUSH, 0, 0, 10, after=300_000 << number)
        return talk.frames

    def test_the_player_steps_through_a_connection(self):
        self.open(self.explained(self.silent()) / "connection-1.html")
        self.assertIn("server is silent", self.text("h1"))
        first = self.at()
        self.press("ArrowRight", "ArrowRight")
        self.assertNotEqual(self.at(), first)
        self.assertIn("SYN", self.text(".ladder"))
        self.assertIn("again", self.text(".ladder"))
        self.assertEqual(self.browser.run("document.querySelectorAll('.outcome').length"), 0)

    def test_the_page_speaks_of_a_connection_and_offers_what_it_has(self):
        self.open(self.explained(self.silent()) / "connection-1.html")
        words = self.browser.run("[...document.querySelectorAll('*')].filter((each) =>"
                                 "each.checkVisibility()).map((each) => each.ariaLabel || '')"
                                 ".join(' ') + document.body.innerText")
        self.assertIn("transitions of this connection", words)
        self.assertIn("Step through the connection", words)
        self.assertNotRegex(words, r"\b([Rr]un|scenario)\b")
        self.assertEqual(self.browser.run("[...document.querySelectorAll('.choices label')]"
                                          ".filter((each) => each.checkVisibility()).length"), 0)
        self.press("?")
        legend = self.browser.run("document.querySelector('.legend').innerText")
        self.assertIn("ESTABLISHED", legend)
        for word in "run", "script", "quiz", "system call":
            self.assertNotIn(word, legend)

    def test_the_page_claims_nothing_about_what_the_capture_does_not_have(self):
        twice = Talk().say(0, SYN, -1, 0).say(0, SYN, -1, 0, after=1_000_000)
        self.open(self.explained(twice.frames) / "connection-1.html")
        steps = self.browser.run("[...document.querySelectorAll('.ladder title')].map((each) =>"
                                 "each.textContent).join('\\n')")
        self.assertIn("client sends SYN to server", steps)
        self.assertNotIn("delivered", steps)
        self.press("p", "End")
        self.assertIn("not seen in the capture", self.text(".knowledge"))
        self.assertNotIn("no connection", self.text(".knowledge"))

    def test_the_index_says_how_to_get_pages_of_all(self):
        frames = sorted(frame for port in range(40000, 40005) for frame in self.silent(port))
        pages = self.explained(frames)
        self.open(pages / "index.html")
        self.assertEqual(self.browser.run("document.querySelectorAll('tbody a').length"), 3)
        self.assertIn("3 of the 5 connections in trouble have pages. For a page of each: --most 5; "
                      "of one: --connection N.", self.text("header"))

    def test_more_pages_than_one_command_writes_are_not_promised(self):
        ports = range(30000, 32001)
        pages = self.explained(sorted(frame for port in ports for frame in self.silent(port)))
        self.open(pages / "index.html")
        self.assertIn("3 of the 2001 connections in trouble have pages. For pages of the worst "
                      "2000: --most 2000; of one: --connection N.", self.text("header"))
        pages = self.explained(sorted(frame for port in ports for frame in self.silent(port)),
                               "--most", "2001")
        self.assertEqual(len(list(pages.glob("connection-*.html"))), 2000)
        self.open(pages / "index.html")
        self.assertEqual(self.browser.run("document.querySelectorAll('tbody a').length"), 2000)
        self.assertIn("2000 of the 2001 connections in trouble have pages, the most that one "
                      "command writes. For another: --connection N.", self.text("header"))

    def test_the_index_leads_to_the_bad_connection(self):
        good = Talk(port=40001).shake_hands().close().frames
        pages = self.explained(sorted(self.silent() + good))
        self.open(pages / "index.html")
        self.assertEqual(self.browser.run("document.querySelectorAll('tbody tr').length"), 2)
        link = self.browser.run("document.querySelector('tbody a').getAttribute('href')")
        self.open(pages / link)
        self.assertIn("server is silent", self.text("h1"))


if __name__ == "__main__":
    skips.main()
