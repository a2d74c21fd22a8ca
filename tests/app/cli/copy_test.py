#!/usr/bin/env python3
"""Checks "Copy this step" on the page of a run: the link, the diagram for Mermaid and the SVG."""
import json
import xml.etree.ElementTree as ElementTree

import mermaid
import skips
from html_test import long_run
from pages import HERE, HOLDING, POWER_CYCLE, BrowsedPages, lines
from show_pictures_test import HOSTILE, hostile_run

SVG = "{http://www.w3.org/2000/svg}"
CLIPBOARD = """Object.defineProperty(navigator, "clipboard", { value: {
  writeText(text) { window.clip = text; return Promise.resolve(); } } });"""
BOXES = ("[...document.querySelectorAll('.step text, .band, .life')].flatMap((each) => {"
         "const box = each.getBoundingClientRect();"
         "const top = document.querySelector('.scroll').getBoundingClientRect().top;"
         "return [box.left, box.top - top, box.width, box.height].map(Math.round); }).join()")
OUTSIDE = """[...document.querySelectorAll("text > tspan[x], text")].filter((text) => {
  const box = text.getBoundingClientRect();
  return box.width && (box.left < 0 || box.bottom > innerHeight && box.top < 0);
}).map((text) => text.textContent)"""


class Copy(BrowsedPages):
    def see_step(self, events, fragment):
        page = self.see(events, fragment)
        self.browser.run(CLIPBOARD + "1")
        return page

    def copied(self, name):
        self.browser.run("window.clip = null; [...document.querySelectorAll('.copy button')].find("
                         f"(each) => each.textContent === '{name}').click()")
        self.until("window.clip !== null")
        self.assertEqual(self.text(".copy [role=status]"), f"{name} copied")
        return self.browser.run("window.clip")

    def texts(self, svg):
        picture = ElementTree.fromstring(svg)
        return ["".join(text.itertext()) for text in picture.iter(SVG + "text")]

    def test_a_link_opens_the_page_at_the_step(self):
        page = self.see_step(POWER_CYCLE.read_text(), "")
        self.assertEqual(self.browser.run(
            "document.querySelector('.copy').getClientRects().length"), 0)
        self.press("Home", *["ArrowRight"] * 15)
        step = self.at()
        self.assertEqual(self.copied("Link"), f"{page.as_uri()}#{step}")
        self.open(page)
        self.open(page, "#" + step)
        self.assertEqual(self.at(), step)

    def test_mermaid_tells_the_story_until_the_step(self):
        self.see_step(POWER_CYCLE.read_text(), "")
        self.press("Home")
        seen = set()
        while self.at() not in seen:
            seen.add(self.at())
            text = "\n".join(part["text"] for part in mermaid.read(self.copied("Mermaid")))
            self.press("ArrowRight")
        self.assertGreater(len(seen), 20)
        for words in ("SYN", "data 22 seq 1 ack 1", "RST seq 1", "-1 ECONNRESET", "power cycle"):
            self.assertIn(words, text)
        self.press("Home")
        self.assertNotIn("RST", self.copied("Mermaid"))

    def test_mermaid_follows_the_grammar_for_other_runs(self):
        for name, events in [("held", HOLDING.read_text()), ("hostile", hostile_run()),
                             ("lost", (HERE / "events/power-off.jsonl").read_text())]:
            with self.subTest(name):
                page = self.report(self.record(name, events))
                self.open(page)
                self.browser.run(CLIPBOARD + "1")
                self.press("End")
                diagram = self.copied("Mermaid")
                text = "\n".join(part["text"] for part in mermaid.read(diagram))
                self.assertIn({"held": "SYN", "lost": "lost", "hostile": HOSTILE[:12]}[name], text)
                if name != "hostile":
                    self.assertIn({"held": "--)", "lost": "-x"}[name], diagram)

    def test_svg_shows_the_steps_until_the_current_one(self):
        self.see_step(POWER_CYCLE.read_text(), "")
        self.press("Home", *["ArrowRight"] * 26)
        before = self.browser.run(BOXES)
        svg = self.copied("SVG")
        self.assertEqual(self.browser.run(BOXES), before)
        texts = " ".join(self.texts(svg))
        for words in ("kang", "10.0.0.2", "SYN_SENT", "data 22 seq 1 ack 1", "RST seq 1"):
            self.assertIn(words, texts)
        self.assertNotIn("ECONNRESET", texts)
        for element in ElementTree.fromstring(svg).iter():
            self.assertFalse([name for name in element.attrib if name.startswith("on")])
            self.assertNotIn(element.tag.removeprefix(SVG), ("script", "use", "foreignObject"))
        self.assertNotIn("var(", svg)
        self.assertLess(len(svg), 40_000)
        self.browser.events.clear()
        file = self.folder / "step.svg"
        file.write_text(svg)
        self.browser.open(file.as_uri())
        self.assertEqual(self.browser.run(OUTSIDE), [])
        self.assertEqual(self.browser.run(
            "[...document.querySelectorAll('text')].filter((each) => /RST seq 1/.test("
            "each.textContent)).map((each) => getComputedStyle(each).fill).join()"),
            "rgb(179, 65, 10)")

    def test_svg_of_a_long_run_has_its_rows(self):
        self.see_step(lines(long_run(600)), "")
        self.press("End")
        name = self.browser.run("document.querySelector('.step.at > text > tspan').textContent")
        svg = self.copied("SVG")
        self.assertLess(len(svg), 60_000)
        words = [text.split() for text in self.texts(svg)]
        numbers = [word[0] for word in words if word and word[0].isdigit()]
        self.assertIn(name.split()[0], numbers)
        self.assertLessEqual(len(numbers), 13)
        self.assertIn("read", " ".join(self.texts(svg)))

    def test_without_a_clipboard_the_text_is_selected(self):
        self.see(POWER_CYCLE.read_text())
        self.browser.run("Object.defineProperty(navigator, 'clipboard', { value: undefined }); 1")
        self.press("ArrowRight")
        self.browser.run("document.querySelectorAll('.copy button')[1].click()")
        self.until("document.querySelector('.copy textarea')")
        chosen = json.loads(self.browser.run(
            "(() => { const box = document.activeElement; return JSON.stringify([box.localName, "
            "box.value.slice(box.selectionStart, box.selectionEnd), box.ariaLabel]); })()"))
        self.assertEqual((chosen[0], chosen[2]), ("textarea", "Mermaid"))
        mermaid.read(chosen[1])
        self.assertIn("Ctrl+C", self.text(".copy [role=status]"))
        self.assertIn("Copy this step", self.browser.accessible_names())


if __name__ == "__main__":
    skips.main()
