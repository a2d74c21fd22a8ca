#!/usr/bin/env python3
"""Checks the pictures of `tcplab show`: SVG as browsers and strict readers see it, and Mermaid."""
import os
import pathlib
import re
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

import mermaid
import skips
from pages import POWER_CYCLE, BrowsedPages, Pages, lines, read, tcplab

EVENTS = sorted((pathlib.Path(os.environ["TCPLAB_SOURCE"]) / "tests/events").glob("*.jsonl"))
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '</text><script>a</script>;#%%{"x"}\n--> end style: $$x$$ `a` \\ & \x1b[2J\ufffe'


def hostile_run():
    """Returns a run whose words try to be markup."""
    events = read(POWER_CYCLE)
    events[0].update(title=HOSTILE, asks=HOSTILE)
    for event in events:
        for field in ("host", "from", "to"):
            if event.get(field) == "kang":
                event[field] = "kang" + HOSTILE
        if event["kind"] == "call" and event.get("data"):
            event["data"] = HOSTILE
    return lines(events)


class Pictures(Pages):
    def runs(self):
        """Yields a name and the events of each run."""
        for file in EVENTS:
            yield file.stem, file.read_text(encoding="utf-8")
        yield "hostile", hostile_run()

    def shown(self, option, events, name="one"):
        run = self.folder / "runs" / name
        if not run.exists():
            self.record(name, events)
        done = tcplab("show", run, option, "-")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_svg_is_one_file_without_scripts(self):
        for name, events in self.runs():
            with self.subTest(name):
                picture = ElementTree.fromstring(self.shown("--svg", events, name))
                elements = list(picture.iter())
                kinds = {element.tag.removeprefix(SVG) for element in elements}
                self.assertLessEqual(kinds, {"svg", "title", "desc", "style", "defs", "marker", "g",
                                             "path", "rect", "text", "tspan", "use"})
                for element in elements:
                    for attribute, value in element.attrib.items():
                        self.assertFalse(attribute.startswith("on"), attribute)
                        if attribute.endswith("href"):
                            self.assertTrue(value.startswith("#"), value)
                style = picture.find(SVG + "style").text
                self.assertNotIn("@import", style)
                self.assertEqual(re.findall(r"url\((.*?)\)", style), ["#tip"])
                self.assertIn("prefers-color-scheme: dark", style)
                self.assertLess(float(picture.get("width")), 1100)

    def test_svg_has_a_title_and_tells_its_steps(self):
        picture = ElementTree.fromstring(self.shown("--svg", POWER_CYCLE.read_text()))
        labels = picture.get("aria-labelledby").split()
        named = {each.get("id"): each.text for each in picture.iter() if each.get("id")}
        self.assertEqual((picture.get("role"), named[labels[0]]), ("img", "Power cycle"))
        for words in ["kang sends SYN to kodos, delivered. kang: SYN_SENT", "Left out: ",
                      "kodos: power_cycle", "ECONNRESET", " steps · ✓ passed"]:
            self.assertIn(words, named[labels[1]])
        texts = "\n".join("".join(text.itertext()) for text in picture.iter(SVG + "text"))
        for words in ["Power cycle", "SYN_SENT", "RST seq 1", "-1 ECONNRESET", "⋯ "]:
            self.assertIn(words, texts)

    def test_mermaid_follows_the_grammar(self):
        for name, events in self.runs():
            with self.subTest(name):
                parts = mermaid.read(self.shown("--mermaid", events, name))
                texts = "\n".join(part["text"] for part in parts)
                self.assertRegex(texts, "ESTABLISHED|SYN_SENT")
                if name == "hostile":
                    self.assertIn("</text><script>a</script>;#%%{", texts)
                    self.assertNotIn("\x1b", texts)

    def test_the_grammar_is_strict(self):
        good = "sequenceDiagram\n  participant a1 as kang\n  Note over a1: write#59; #35;2\n"
        self.assertEqual(mermaid.read(good)[-1]["text"], "write; #2")
        for old, new in [("#59;", ";"), ("#35;", "#"), ("over a1", "over a2"), ("write", "%%{"),
                         ("  Note", "  Not"), ("kang\n", "kang\n\n"), ("#59;", "style:#59;"),
                         ("write", "<b>"), ("a1", "end")]:
            with self.subTest(new):
                self.assertRaises(mermaid.SyntaxFault, mermaid.read, good.replace(old, new, 1))

    def test_the_picture_of_the_documents_is_current(self):
        picture = EVENTS[0].parents[2] / "docs/pictures/power-off.svg"
        shown = tcplab("show", EVENTS[0].parent / "power-off.jsonl", "--svg", "-").stdout
        self.assertTrue(picture.read_text(encoding="utf-8") == shown, "run tools/pictures")

    def test_files_are_written_together(self):
        self.record("one", POWER_CYCLE.read_text())
        done = subprocess.run([pathlib.Path(os.environ["TCPLAB_BIN"]) / "tcplab", "show",
                               "runs/one/events.jsonl", "--svg", "a.svg", "--mermaid", "a.mmd"],
                              cwd=self.folder, capture_output=True, text=True, check=True)
        self.assertEqual((done.stdout, done.stderr), ("", ""))
        self.assertTrue((self.folder / "a.svg").read_text().startswith("<svg "))
        self.assertTrue((self.folder / "a.mmd").read_text().startswith("sequenceDiagram\n"))

    def test_a_run_that_was_cut_off_says_so(self):
        events = POWER_CYCLE.read_text().splitlines(keepends=True)[:-1]
        run = self.record("cut", "".join(events))
        done = tcplab("show", run, "--svg", "-")
        self.assertIn(" steps · not finished · ", done.stdout)
        self.assertIn("the run did not finish", done.stderr)

    def test_wrong_use_is_refused_in_one_line(self):
        run = self.record("one", POWER_CYCLE.read_text())
        for arguments, why in [
                ([run.parent, "--svg", "-"], "not a run; name a folder with an events.jsonl"),
                ([run, "--svg", "-", "--mermaid", "-"], "only one document can go to standard"),
                ([run, "--svg", run / "x", "--mermaid", run / "x"], "cannot be one file"),
                ([run.parent, "--latency"], "not a run; name a folder with an events.jsonl"),
                ([run, "--svg", "/nowhere/a.svg"], "/nowhere"),
                ([run, "--svg", ""], "--svg"),
                ([run, "--svg", "-", "--latency"], "--latency"),
                ([run, "--mermaid", "-", "-v"], "--verbose")]:
            with self.subTest(arguments):
                done = tcplab("show", *arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(why, done.stderr)


class Browsed(BrowsedPages):
    def test_no_text_is_outside_of_the_picture(self):
        outside = """[...document.querySelectorAll("text")].filter((text) => {
          const box = text.getBoundingClientRect();
          return box.left < 0 || box.right > document.documentElement.width.baseVal.value;
        }).map((text) => text.textContent)"""
        for file in EVENTS:
            with self.subTest(file.stem):
                picture = self.folder / f"{file.stem}.svg"
                done = tcplab("show", file, "--svg", picture)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.browser.open(picture.as_uri())
                self.assertGreater(self.browser.run("document.querySelectorAll('text').length"), 20)
                self.assertEqual(self.browser.run(outside), [])


if __name__ == "__main__":
    skips.main()
