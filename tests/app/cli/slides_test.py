#!/usr/bin/env python3
"""Checks the slides of `tcplab site DIR --slides TOPIC`, as a teacher uses them: keys, addresses,
sizes of text, the prediction, a touch screen, paper, and a browser without JavaScript."""
import os
import re

import skips
from pages import HERE, HOLDING, BrowsedPages, Pages, lines, read, tcplab
from sites import SiteMaker
from view_test import QUIZ, scripted

DECK = "slides/puzzlers.html"
LONG = {"asks": "word " * 40, "choices": [  # longer than the longest of the catalogue
    {"text": "choice " * 9, "because": "because " * 9} for _ in range(4)]}
LONG["choices"][1]["right"] = True

# Returns what is larger than its slide, or outside of the window.
OVERFLOWS = """(() => {
  const slide = document.querySelector(".slide.at");
  const room = slide.getBoundingClientRect();
  return [...slide.querySelectorAll(":is(p, h1, h2, li, dd, .knows, .ladder)")].filter((each) => {
    const box = each.getBoundingClientRect();
    return box.width && (box.bottom > room.bottom + 1 || box.right > room.right + 1 ||
      box.left < room.left - 1);
  }).map((each) => each.textContent.slice(0, 40)).concat(room.width > innerWidth + 1 ||
    room.height > innerHeight + 1 ? ["the slide"] : []);
})()"""
# Returns the rows of the ladder that can be seen: a row is there if its middle is not clipped.
ROWS = """(() => {
  const sheet = document.querySelector(".slide.at .sheet");
  const box = sheet.getBoundingClientRect();
  const cut = parseFloat(sheet.style.getPropertyValue("--cut")) / 100 * box.height;
  const rows = [...sheet.querySelectorAll(".step")];
  return [rows.filter((row) => {
    const { top, height } = row.getBoundingClientRect();
    return top + height / 2 < box.bottom - cut;
  }).length, rows.length];
})()"""


class SlideMaker(SiteMaker):
    def record_two(self):
        self.record("power-cycle-ipv4", lines(scripted()))
        self.record("simultaneous-close-ipv4", HOLDING.read_text())

    def deck(self, *options):
        if not (self.folder / "runs").exists():
            self.record_two()
        done = self.site("site", "--slides", "puzzlers", *options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return self.folder / "site" / DECK


class Content(SlideMaker, Pages):
    def test_the_slides_are_one_file_that_loads_nothing(self):
        text = self.deck().read_text()
        self.assertNotRegex(text, r'<(link rel="style|img|iframe|object)|<script[^>]* src|@import')
        self.assertNotIn("url(http", text)
        self.assertIn("default-src 'none'", text)

    def test_the_ids_of_a_page_are_unique_and_its_links_lead_somewhere(self):
        deck = self.deck()
        text = deck.read_text()
        ids = re.findall(r'\bid="([^"]*)"', text)
        self.assertEqual(len(ids), len(set(ids)))
        links = re.findall(r'<a href="([^"]*)"', text)
        self.assertIn("../scenarios/power-cycle-ipv4.html", links)
        for link in links:
            if link.startswith("#"):
                self.assertIn(link[1:], ids)
            else:
                self.assertTrue((deck.parent / link).is_file(), link)

    def test_the_index_of_the_scenarios_links_to_the_slides(self):
        index = self.deck().parents[1] / "scenarios/index.html"
        (link,) = re.findall(r'<a href="([^"]*)">Slides of puzzlers</a>', index.read_text())
        self.assertEqual((index.parent / link).resolve(), (self.folder / "site" / DECK).resolve())

    def test_a_scenario_has_one_run_that_passed(self):
        events = scripted()
        events[-1]["outcome"] = "failed"
        self.record("a-failed", lines(events))
        self.record_two()
        self.record("repeated", lines(scripted()))
        text = self.deck().read_text()
        self.assertEqual(text.count('<section class="slide question"'), 2)
        self.assertNotIn("✗</span> failed", text)

    def test_an_unknown_topic_is_refused_before_a_run(self):
        self.record_two()
        for options in (["--from", self.folder / "runs"], []):
            done = tcplab("site", self.folder / "site", *options, "--slides", "puzlers")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, r'\A[^\n]*topic "puzlers"; did you mean puzzlers\?\n\Z')
        done = tcplab("site", self.folder / "site", "warmup", "--slides", "paths")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn('no chosen scenario has the topic "paths"; choose from puzzlers', done.stderr)
        self.assertEqual(os.listdir(self.folder), ["runs"])


class Shown(SlideMaker, BrowsedPages):
    def show(self, fragment=""):
        self.deck()
        self.visit(DECK, fragment)

    def where(self):
        return self.browser.run("location.hash")

    def slide(self):
        return self.browser.run("document.querySelector('.slide.at').className.split(' ')[1]")

    def size_of(self, selector):
        every = f"[...document.querySelectorAll('.slide.at {selector}')]"
        return self.browser.run(f"Math.min(...{every}"
                                ".filter((each) => each.getClientRects().length)"
                                ".map((each) => parseFloat(getComputedStyle(each).fontSize)))")

    def each_stop(self):
        """Goes through all slides and steps."""
        self.press("Home")
        last = self.browser.run(
            "document.querySelectorAll('.slide:not(.story), .told > li').length")
        for _ in range(last):
            yield self.where()
            self.press("ArrowRight")

    def test_keys_go_through_slides_and_steps(self):
        self.show()
        self.assertEqual(self.slide(), "start")
        self.press("ArrowRight")
        self.assertEqual(self.where(), "#power-cycle")
        self.press("PageDown")
        self.assertEqual((self.slide(), self.where()), ("predict", "#power-cycle/predict"))
        self.browser.press(" ", " ")
        self.assertEqual((self.slide(), self.where()), ("story", "#power-cycle/1"))
        self.press("ArrowDown")
        self.assertEqual(self.where(), "#power-cycle/2")
        self.press("PageUp", "ArrowLeft")
        self.assertEqual(self.where(), "#power-cycle/predict")
        self.press("End")
        self.assertEqual(self.where(), "#simultaneous-close/why")
        self.press("ArrowRight")
        self.assertEqual(self.where(), "#simultaneous-close/why")
        self.press("Home", "ArrowLeft")
        self.assertEqual(self.slide(), "start")

    def test_an_address_opens_its_slide(self):
        self.show("#power-cycle/3")
        self.assertEqual((self.slide(), self.text(".count:not(.at *)")[:4]), ("story", "step"))
        self.assertEqual(self.browser.run("document.querySelector('.told > .at').id"),
                         "power-cycle/3")
        self.visit(DECK, "#power-cycle/why")
        self.assertEqual(self.slide(), "why")
        self.visit(DECK, "#power-cycle/story")
        self.assertEqual(self.browser.run("document.querySelector('.told > .at').id"),
                         "power-cycle/1")
        self.visit(DECK, "#no-such-slide%")
        self.assertEqual(self.slide(), "start")
        self.browser.run("document.querySelector('.contents a').click()")
        self.until("document.querySelector('.slide.at').classList.contains('question')")

    def test_the_ladder_ends_with_the_step(self):
        self.show("#power-cycle/1")
        seen = []
        steps = self.browser.run("document.querySelectorAll('.slide.at .told > li').length")
        self.assertGreaterEqual(steps, 5)
        for _ in range(steps):
            rows, every = self.browser.run(ROWS)
            seen.append(rows)
            self.assertEqual(self.browser.run(
                "[...document.querySelectorAll('.slide.at .step.at')].length"), 1)
            box = self.browser.run(
                "(() => { const [row, room] = ['.step.at', '.rows-seen'].map((each) => "
                "document.querySelector('.slide.at ' + each).getBoundingClientRect());"
                "return [row.top - room.top, room.bottom - row.bottom]; })()")
            self.assertGreater(min(box), -3, seen)
            self.press("ArrowRight")
        self.assertEqual(seen, sorted(set(seen)))
        self.assertEqual(seen[-1], every)
        self.assertEqual(self.slide(), "answer")

    def test_text_can_be_read_from_the_back_of_a_room(self):
        self.show()
        for width, height, scale in ((1280, 800, 1), (1920, 1080, 1.35), (1024, 768, 0.8)):
            self.browser.size(width, height)
            self.browser.run("new Promise(requestAnimationFrame)")
            for selector, fragment, least in [
                    (".asks", "#power-cycle", 50), (".asks", "#power-cycle/predict", 38),
                    (".options button", "#power-cycle/predict", 32),
                    (".headline", "#power-cycle/4", 38), (".knows dd", "#power-cycle/4", 24),
                    (".options p:first-child", "#power-cycle/answer", 28),
                    ("dd", "#power-cycle/why", 33)]:
                self.visit(DECK, fragment)
                self.assertGreaterEqual(self.size_of(selector), least * scale - 0.5, fragment)
            self.visit(DECK, "#power-cycle/8")
            self.assertGreaterEqual(self.browser.run(
                "document.querySelector('.slide.at .sheet').getScreenCTM().a * 12"), 23.5 * scale)

    def test_every_slide_fits_into_its_window(self):
        events = scripted()
        events[0].update(quiz=LONG, asks="question " * 10, here="does " * 70, why="because " * 56)
        self.record("power-cycle-ipv4", lines(events))
        self.record("power-off-ipv4", (HERE / "events/power-off.jsonl").read_text())
        self.record("simultaneous-close-ipv4", HOLDING.read_text())
        self.show()
        for width, height in ((1280, 800), (1920, 1080)):
            self.browser.size(width, height)
            self.browser.run("new Promise(requestAnimationFrame)")
            for stop in self.each_stop():
                self.assertEqual(self.browser.run(OVERFLOWS), [], (width, stop))

    def test_a_prediction_is_marked_beside_the_answer(self):
        self.show("#power-cycle/predict")
        pressed = ("[...document.querySelectorAll('.slide.at .options button')]"
                   ".map((each) => each.ariaPressed)")
        self.press("2")
        self.assertEqual(self.browser.run(pressed), ["false", "true", "false"])
        self.browser.run("document.querySelectorAll('.slide.at .options button')[0].click()")
        self.assertEqual(self.browser.run(pressed), ["true", "false", "false"])
        chosen = self.text(".slide.at .options button")
        self.browser.run("location.hash = '#power-cycle/answer'")
        self.until("document.querySelector('.slide.at').classList.contains('answer')")
        voted = self.browser.run("[...document.querySelectorAll('.slide.at li > p:first-child')]"
                                 ".filter((each) => /your prediction/.test(each.textContent))"
                                 ".map((each) => each.textContent)")
        self.assertEqual(len(voted), 1)
        self.assertIn(chosen, voted[0])
        self.assertIn("✓ " + QUIZ["choices"][0]["text"],
                      self.text(".slide.at .options .right"))

    def test_a_swipe_turns_the_page(self):
        self.show()

        def swipe(begin, end):
            for kind, x in (("touchStart", begin), ("touchMove", end), ("touchEnd", None)):
                self.browser.call("Input.dispatchTouchEvent", type=kind,
                                  touchPoints=[] if x is None else [{"x": x, "y": 300}])
        swipe(600, 300)
        self.assertEqual(self.where(), "#power-cycle")
        swipe(300, 600)
        self.assertEqual(self.slide(), "start")
        swipe(300, 320)
        self.assertEqual(self.slide(), "start")

    def test_a_screen_reader_hears_the_slide(self):
        self.show("#power-cycle/predict")
        self.assertEqual(self.browser.run("document.activeElement.getAttribute('aria-label')"),
                         "Power cycle: predict")
        names = self.browser.accessible_names()
        for words in ("Next slide", "Previous slide", QUIZ["choices"][0]["text"]):
            self.assertIn(words, names)
        self.assertNotIn("what to remember", names)  # another slide
        self.press("ArrowRight")
        self.assertEqual(self.browser.run(
            "document.querySelector('.slide.at .told').getAttribute('aria-live')"), "polite")

    def test_paper_has_a_page_for_each_slide_and_all_steps(self):
        self.show("#power-cycle/2")
        file = self.folder / "slides.pdf"
        self.browser.pdf(file)
        pages = len(re.findall(rb"/Type /Page\b(?!s)", file.read_bytes()))
        self.assertEqual(pages, self.browser.run("document.querySelectorAll('.slide').length"))
        self.browser.call("Emulation.setEmulatedMedia", media="print")
        self.addCleanup(self.browser.call, "Emulation.setEmulatedMedia", media="")
        hidden = self.browser.run(
            "[...document.querySelectorAll('.headline, .options li, .remember dd, .step text')]"
            ".filter((each) => !each.getClientRects().length).length")
        self.assertEqual(hidden, 0)
        self.assertEqual(self.browser.run(
            "getComputedStyle(document.querySelector('.sheet')).clipPath"), "none")
        self.assertEqual(self.browser.run(
            "document.querySelector('.turn').getClientRects().length"), 0)

    def test_all_slides_can_be_read_without_scripts(self):
        self.deck()
        self.browser.scripts(False)
        self.visit(DECK)
        self.browser.scripts(True)
        self.assertEqual(self.browser.run(
            "[...document.querySelectorAll('.headline, .remember dd, .options li')]"
            ".filter((each) => !each.getClientRects().length).length"), 0)

    def test_slides_can_be_read_in_the_dark_and_on_a_phone(self):
        self.deck()
        self.addCleanup(self.browser.dark, False)
        self.browser.dark(True)
        self.browser.size(400, 800, mobile=True)
        self.visit(DECK, "#power-cycle/8")
        background = self.browser.run("getComputedStyle(document.body).backgroundColor")
        self.assertLess(max(map(int, re.findall(r"\d+", background))), 60)
        self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), 400)
        self.assertGreaterEqual(self.size_of(".headline"), 18)

    def test_text_of_a_run_does_not_become_markup(self):
        events = read(HOLDING)
        nasty = "a b\"><img src=x onerror=alert(1)>"
        events[0].update(title=nasty, scenario=nasty, asks=nasty, quiz={
            "asks": nasty, "choices": [{"text": nasty, "right": True}, {"text": "b"}]})
        self.record("nasty", lines(events))
        self.show()
        self.assertEqual(self.browser.run("document.images.length"), 0)
        self.browser.run("document.querySelector('.contents a').click()")
        self.until("document.querySelector('.slide.at').classList.contains('question')")


if __name__ == "__main__":
    skips.main()
