#!/usr/bin/env python3
"""Checks what a teacher uses on a run's page: the presentation, the sheet of keys and marks. A walk
through the run hides what comes later."""
import json

import skips
from pages import HOLDING, POWER_CYCLE, BrowsedPages, lines
from chromium import PLAYER_IS_READY
from view_test import QUIZ, SHOWN, scripted

FIRST = "step 6"  # the first one of the short version of the power cycle
# Returns the texts beside a host that reach into the column of times or out of the picture.
COLLISIONS = """[...document.querySelectorAll('.step:not(.left-out) > text')].flatMap((text) => {
  const ladder = document.querySelector('.ladder').getBoundingClientRect();
  const [number, ...pieces] = text.children;
  const time = number.getBoundingClientRect().right + 50;
  return pieces.filter((piece) => piece.hasAttribute('x')).filter((piece) => {
    const box = piece.getBoundingClientRect();
    return box.left < time || box.right > ladder.right;
  }).map((piece) => piece.textContent);
})"""
# The page's data is unpacked only when unpack() is called.
SLOW = """const text = Response.prototype.text;
Response.prototype.text = function () {
  return new Promise((resolve) => { window.unpack = resolve; }).then(() => text.call(this));
};"""
UNPACKS = """new Promise((done) => {
  const look = () => (window.unpack ? done() : requestAnimationFrame(look));
  look();
})"""

# Returns whether the element can be seen in the middle of its box.
IN_SIGHT = """((selector) => {
  const element = document.querySelector(selector), box = element.getBoundingClientRect();
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return box.height > 0 && (top === element || element.contains(top) || top?.contains(element));
})"""


class Presentation(BrowsedPages):
    def seen(self, selector):
        return self.browser.run(f"{IN_SIGHT}({json.dumps(selector)})")

    def classes(self):
        return set(self.browser.run("document.body.className").split())

    def where(self):
        return self.text(".where").split(" of ")[0]

    def height_of(self, text):
        """Returns the font size, in pixels of the window, of the ladder's text `text`."""
        return self.browser.run(
            "Math.max(...[...document.querySelectorAll('.step tspan')].filter((each) => "
            f"each.textContent.includes({json.dumps(text)})).map((each) => "
            "parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a))")

    def test_text_is_large_enough_for_a_projector(self):
        self.see(POWER_CYCLE.read_text())
        self.assertLess(self.height_of("write(4)"), 11)
        self.press("p")
        self.assertIn("presenting", self.classes())
        for width, height in ((1280, 800), (1920, 1080), (1024, 768)):
            self.browser.size(width, height)
            self.browser.run("new Promise(requestAnimationFrame)")
            self.assertGreater(self.height_of("write(4)"), 15.9 * width / 1280)
        self.browser.size(1280, 800)
        self.browser.run("new Promise(requestAnimationFrame)")
        self.assertGreater(self.browser.run(
            "parseFloat(getComputedStyle(document.querySelector('.now')).fontSize)"), 28)

    def test_texts_of_a_presentation_are_apart_and_the_page_gets_its_own_back(self):
        self.see(HOLDING.read_text())
        boxes = ("[...document.querySelectorAll('.step:not(.left-out) text')].flatMap((text) => {"
                 "const box = text.getBoundingClientRect();"
                 "return [box.left, box.width, box.height].map(Math.round); }).join()")
        before = self.browser.run(boxes)
        self.press("p", "s", "End")
        self.assertNotEqual(self.browser.run(boxes), before)
        self.assertEqual(self.browser.run(COLLISIONS), [])
        self.press("Escape", "Escape")
        self.assertEqual(self.browser.run(boxes), before)

    def test_the_presentation_shows_the_step_and_what_each_host_knows_only(self):
        self.see(POWER_CYCLE.read_text())
        self.press("p", *["ArrowRight"] * 14)
        for selector in (".step.at", ".now", ".knowledge .knows"):
            self.assertTrue(self.seen(selector), selector)
        self.assertTrue(self.seen(".asks"))
        for selector in (".explanation", ".details", ".controls", ".conditions"):
            self.assertEqual(self.browser.run(
                f"document.querySelector('{selector}').getClientRects().length"), 0, selector)
        self.assertEqual(self.browser.run("document.scrollingElement.scrollTop"), 0)
        self.press("End")
        self.assertTrue(self.seen(".step.at"))
        self.press("Home")
        self.assertTrue(self.seen(".step.at"))

    def test_the_page_begins_with_the_question_and_the_ladder_on_one_screen(self):
        self.see(POWER_CYCLE.read_text())
        top = "document.querySelector('.ladder').getBoundingClientRect().top"
        self.assertLess(self.browser.run(top), 380)
        self.press("ArrowRight")
        self.assertTrue(self.seen(".asks"))
        bottom = "document.querySelector('.knowledge').getBoundingClientRect().bottom"
        self.assertLess(self.browser.run(bottom), 800)

    def test_cards_have_the_state_of_the_socket(self):
        self.see(HOLDING.read_text())
        self.press("End")
        chips = "[...document.querySelectorAll('.knows .chip')].map((each) => each.textContent)"
        before = self.browser.run(chips)
        self.press("Home", *["ArrowRight"] * 20)
        self.assertIn("ESTABLISHED", self.browser.run(chips))
        self.assertNotIn("ESTABLISHED", before)

    def test_escape_leaves_the_presentation_then_the_walk(self):
        page = self.see(POWER_CYCLE.read_text())
        self.press("ArrowRight", "p")
        self.press("Escape")
        self.assertNotIn("presenting", self.classes())
        self.assertIsNotNone(self.at())
        self.press("Escape")
        self.assertIsNone(self.at())
        self.assertEqual(self.browser.run("location.href"), page.as_uri())
        self.assertEqual(self.classes(), {"run"})
        for selector in (".step.at", ".node.lit", ".edge.taken", ".token", "[aria-current]"):
            self.assertEqual(self.browser.run(
                f"document.querySelectorAll('{selector}').length"), 0, selector)
        for selector in (".knowledge", ".details", ".future"):
            self.assertTrue(self.browser.run(f"document.querySelector('{selector}').hidden"))

    def test_a_presentation_can_ask_the_question_of_the_quiz(self):
        self.see(lines(scripted()))
        self.press("p", "ArrowRight", "q")
        self.assertTrue(self.seen(".quiz ol button"))
        self.assertEqual(self.text(".quiz > p"), QUIZ["asks"])
        for selector in ".ladder", ".now", ".conditions":
            self.assertEqual(self.browser.run(
                f"document.querySelector('{selector}').getClientRects().length"), 0, selector)
        self.browser.size(1000, 700)  # a window that changes its size has no step to show
        self.browser.run("new Promise(requestAnimationFrame)")
        self.press("Escape")
        self.assertEqual(self.classes(), {"run", "player-on", "presenting", "folded"})
        self.assertEqual(self.where(), FIRST)
        self.assertTrue(self.seen(".step.at"))
        self.press("q", "1")
        self.assertTrue(self.seen(".quiz .show"))
        self.browser.run("document.querySelector('.quiz .show').click()")
        self.assertEqual(self.classes(), {"run", "player-on", "presenting", "folded"})
        self.assertEqual(self.where(), FIRST)

    def test_a_presentation_tells_the_short_version_and_a_key_shows_all_steps(self):
        self.see(POWER_CYCLE.read_text())
        every = self.browser.run(SHOWN)
        self.press("p")
        self.assertIn(self.browser.run(SHOWN), range(5, 13))
        self.assertEqual(self.where(), FIRST)
        self.press("s")
        self.assertEqual(self.browser.run(SHOWN), every)
        self.press("s", "Escape")
        self.assertEqual(self.browser.run(SHOWN), every)

    def test_a_presentation_keeps_the_short_version_that_was_chosen_before(self):
        self.see(POWER_CYCLE.read_text())
        self.press("s")
        few = self.browser.run(SHOWN)
        self.press("p", "End", "Home", "Escape")
        self.assertEqual(self.browser.run(SHOWN), few)

    def test_the_whole_story_of_a_presentation_is_on_one_screen(self):
        self.see(POWER_CYCLE.read_text())
        self.press("p", "End")
        tops = self.browser.run("[...document.querySelectorAll('.step:not(.left-out) .hit')]"
                                ".map((hit) => hit.getBoundingClientRect().top)")
        head = self.browser.run("document.querySelector('.head').getBoundingClientRect().bottom")
        self.assertGreaterEqual(tops[0], head - 1)
        for selector in (".asks", ".step.at", ".now", ".knowledge .knows:last-child"):
            self.assertTrue(self.seen(selector), selector)

    def test_the_headline_of_a_presentation_is_a_sentence(self):
        self.see(lines(scripted()), "#event=44")
        self.assertIn("(Flags [P.]", self.text(".now"))
        self.press("p")
        self.assertEqual(self.text(".now"), "kang sends 22 bytes to kodos")
        self.press("ArrowRight")
        self.assertEqual(self.text(".now"), "kodos sends a RST to kang. kang: CLOSED")
        self.press("s", "End")
        self.assertEqual(self.text(".now"), "✓ kang's dnc in state CLOSED")

    def test_a_presentation_shows_the_line_of_what_the_script_does_only(self):
        self.see(lines(scripted()))
        self.press("p")
        drawn = "document.querySelector('.line').getClientRects().length"
        has_line = {}
        for _ in range(12):
            has_line[self.text(".now")] = self.browser.run(drawn)
            self.press("ArrowRight")
        self.assertEqual(has_line["kodos: power cycle"], 1)
        self.assertEqual(has_line["kang sends 22 bytes to kodos"], 0)

    def test_keys_before_the_player_is_ready_are_not_lost(self):
        page = self.report(self.record("run", POWER_CYCLE.read_text()))
        script = self.browser.call("Page.addScriptToEvaluateOnNewDocument", source=SLOW)
        self.addCleanup(self.browser.call, "Page.removeScriptToEvaluateOnNewDocument", **script)
        self.browser.call("Page.navigate", url=page.as_uri())
        self.browser.run(UNPACKS)
        self.press("ArrowRight", "ArrowRight")
        self.assertIsNone(self.at())
        self.browser.run("unpack()")
        self.browser.run(PLAYER_IS_READY)
        self.assertEqual(self.at(), "event=12")

    def test_a_presenter_remote_steps_through_a_presentation(self):
        self.see(lines(scripted()))
        self.press("PageDown")  # scrolls the page, as everywhere
        self.assertIsNone(self.at())
        self.press("p", "s", "Home", "PageDown", "PageDown")
        self.assertEqual(self.where(), "step 3")
        self.press("PageUp")
        self.assertEqual(self.where(), "step 2")

    def test_a_presenter_remote_goes_on_after_an_answer(self):
        self.see(lines(scripted()))
        for key in "PageDown", "ArrowRight":
            self.press("q", key)
            self.assertIn("predicting", self.classes())  # not answered yet
            self.press("1", key)
            self.assertEqual(self.classes(), {"run", "player-on"})
            self.assertEqual(self.where(), "step 1")

    def test_a_walk_hides_what_comes_later(self):
        self.see(POWER_CYCLE.read_text())
        self.press("Home", *["ArrowRight"] * 5)
        later = ("(() => { const at = document.querySelector('.step.at').getBoundingClientRect();"
                 "const cover = document.querySelector('.future').getBoundingClientRect();"
                 "const ladder = document.querySelector('.scroll').getBoundingClientRect();"
                 "return [cover.top >= at.top + 10, cover.top <= at.bottom + 12, "
                 "Math.abs(cover.bottom - ladder.bottom) < 1]; })()")
        self.assertEqual(self.browser.run(later), [True, True, True])
        ahead = "document.querySelectorAll('.edge.ahead').length"
        self.assertGreater(self.browser.run(ahead), 0)
        self.press("End")
        self.assertEqual(self.browser.run(ahead), 0)
        self.assertTrue(self.browser.run("document.querySelector('.future').hidden"))

    def test_a_key_opens_the_sheet_of_keys_and_marks(self):
        self.see(POWER_CYCLE.read_text())
        self.assertFalse(self.browser.run("document.querySelector('.legend').open"))
        self.press("?")
        self.assertTrue(self.seen(".legend"))
        keys = set(self.browser.run(
            "[...document.querySelectorAll('.legend kbd')].map((each) => each.textContent)"))
        self.assertLessEqual({"p", "?", "Esc", "Space", "Home", "End"}, keys)
        self.press("Escape")
        self.assertFalse(self.browser.run("document.querySelector('.legend').open"))
        self.assertIsNone(self.at())

    def test_buttons_do_what_the_keys_do(self):
        self.see(POWER_CYCLE.read_text())
        self.browser.run("document.querySelector('[data-do=legend]').click()")
        self.assertTrue(self.browser.run("document.querySelector('.legend').open"))
        self.assertTrue(self.browser.run("document.querySelector('.legend').matches(':modal')"))
        self.press("Escape")
        self.browser.run("document.querySelector('[data-do=present]').click()")
        self.assertIn("presenting", self.classes())


if __name__ == "__main__":
    skips.main()
