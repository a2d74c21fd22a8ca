#!/usr/bin/env python3
"""Runs again what docs/pictures shows, and compares the words with the pictures."""
import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import lab
from pages import NO_BROWSER

SOURCE = pathlib.Path(os.environ["TCPLAB_SOURCE"])
TOOL = SOURCE / "tools/pictures"
PICTURES = SOURCE / "docs/pictures"
MOST_OCTETS = 600_000  # of all pictures


def load_tool():
    loader = importlib.machinery.SourceFileLoader("pictures", str(TOOL))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class Comparison(unittest.TestCase):
    """Compares copies of the pictures that were changed with the pictures."""
    tool = load_tool()

    def stale(self, name, change):
        content = (PICTURES / name).read_text(encoding="utf-8")
        changed = change(content)
        self.assertNotEqual(changed, content)
        return self.tool.stale({name: changed})

    def test_the_pictures_equal_themselves(self):
        for name in ("live.svg", "page.txt", "plot.txt"):
            content = (PICTURES / name).read_text(encoding="utf-8")
            self.assertEqual(self.tool.stale({name: content}), [])

    def test_times_and_ports_may_differ(self):
        self.assertEqual(self.stale("live.svg", lambda text: text.replace(">0.0", ">7.1")), [])
        self.assertEqual(self.stale("live.svg", lambda text: text.replace("in 1.", "in 9.")), [])

    def test_words_of_the_ladder_may_not_differ(self):
        for here, elsewhere in [("RST seq 1", "RST seq 2"), ("ECONNRESET", "ETIMEDOUT"),
                                ("no power", "power off"), ("is power cycled?", "dies?"),
                                ("kodos has no connection", "kodos lost it")]:
            with self.subTest(here):
                self.assertNotEqual(
                    self.stale("live.svg", lambda text, a=here, b=elsewhere: text.replace(a, b)),
                    [])

    def test_words_of_the_pages_may_not_differ(self):
        for name, word in (("page.txt", "What each host knows"), ("plot.txt", "ssthresh")):
            self.assertNotEqual(self.stale(name, lambda text, a=word: text.replace(a, "x")), [])

    def test_words_that_differ_are_named(self):
        self.assertEqual(self.stale("page.txt", lambda text: text.replace("\ntruth\n", "\n"))[-1],
                         "-truth")

    def test_a_missing_picture_is_named(self):
        self.assertEqual(self.tool.stale({"other.svg": ""}), ["other.svg is missing"])

    def test_unstable_words_of_a_page_are_masked(self):
        words = ["1.25 s", "0.014", "kang:43210", "step 3 of 9", "accept(4)", "poll(5) …", "SYN"]
        self.assertEqual(self.tool.stable(words, False), "N of N\nSPAN\nSYN\nkang:PORT\n")
        self.assertEqual(self.tool.stable(["200 kB", "cwnd 10"], True), "N\ncwnd N\n")

    def test_what_races_with_the_reset_is_masked(self):
        for line in ('39 lab:expect(client):call("write"):returns(22)',
                     '40 lab:expect_packet("kodos > kang", "RST")'):
            self.assertEqual(self.tool.stable([line], False), "LINE lab:expect\n")
        for doing in ("wrote 22 bytes, no answer", "wrote 22 bytes, no answer; waits in poll()",
                      "waits in write()"):
            line = f"dnc: connected to kodos:8080; {doing}"
            self.assertEqual(self.tool.stable([line], False),
                             "dnc: connected to kodos:8080; writes or wrote\n")
        for data in ("kodos, are you there…", "kodos, are you the…"):
            self.assertEqual(self.tool.stable([f'write(4) = 22 "{data}"'], False),
                             'write(4) = 22 "kodos, a…"\n')
        later = '42 lab:expect(client):call("read"):fails "ECONNRESET"'
        self.assertEqual(self.tool.stable([later], False), later + "\n")


class Pictures(unittest.TestCase):
    def test_the_pictures_are_small(self):
        self.assertLess(sum(file.stat().st_size for file in PICTURES.iterdir()), MOST_OCTETS)

    def test_each_picture_is_in_a_document(self):
        text = "".join(file.read_text(encoding="utf-8")
                       for file in [SOURCE / "README.md", *SOURCE.glob("docs/*.md")])
        for file in PICTURES.glob("*.[sp][vn]g"):
            self.assertIn(f"pictures/{file.name})", text)

    @unittest.skipIf(NO_BROWSER, NO_BROWSER)
    def test_the_pictures_show_what_runs_show(self):
        done = subprocess.run([TOOL, "--check"], capture_output=True, text=True, check=False,
                              timeout=280, env={**os.environ, "TCPLAB_BIN": str(lab.BIN)})
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)


if __name__ == "__main__":
    lab.main()
