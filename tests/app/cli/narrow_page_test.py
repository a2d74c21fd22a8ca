#!/usr/bin/env python3
"""Checks pages in a window 400 pixels wide, and that no text of a step is cut in any window."""
import explain_page_test
import skips
from talks import ACK, MILLISECOND, PUSH, Talk
from pages import POWER_CYCLE, BrowsedPages, lines, read

# Returns the words of the elements that are broken into several lines.
BROKEN = """((selector) => [...document.querySelectorAll(selector)].flatMap((element) => {
  const text = element.firstChild;
  if (!text || text.nodeType !== Node.TEXT_NODE) return [];
  return [...text.data.matchAll(/[A-Za-z]+/g)].filter((word) => {
    const range = document.createRange();
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    return range.getClientRects().length > 1;
  }).map((word) => word[0]);
}))"""


# Returns the addresses, and the numbers and times of steps, that are not inside the picture.
CUT = """(() => {
  const { left, right } = document.querySelector('.scroll').getBoundingClientRect();
  return [...document.querySelectorAll('.head .address, .step > text')].filter((text) => {
    const box = text.getBoundingClientRect();
    return box.width > 0 && (box.left < left || box.right > right);
  }).map((text) => text.textContent);
})()"""


class NarrowPages(BrowsedPages):
    explained = explain_page_test.ExplainPages.explained
    silent = staticmethod(explain_page_test.ExplainPages.silent)

    def setUp(self):
        super().setUp()
        self.browser.size(400, 800, mobile=True)

    def broken(self, selector):
        return self.browser.run(f"{BROKEN}('{selector}')")

    def width(self):
        return self.browser.run("document.documentElement.scrollWidth")

    def test_the_index_of_a_capture_breaks_no_word(self):
        good = Talk(port=40001).shake_hands().close().frames
        self.open(self.explained(sorted(self.silent() + good)) / "index.html")
        self.assertEqual(self.broken("td, th, td a, td span"), [])
        self.assertLessEqual(self.width(), 400)
        headings = self.browser.run("[...document.querySelectorAll('tbody tr:first-child td')]"
                                    ".map((cell) => cell.dataset.of)")
        self.assertEqual((headings[1], headings[-1]), ("#", "how it ended"))

    def test_addresses_and_the_numbers_beside_long_times_are_whole(self):
        talk = Talk().shake_hands().say(0, ACK | PUSH, 0, 0, 18)
        for _ in range(12):
            talk.say(0, ACK | PUSH, 0, 0, 18, after=1000 * 1000 * MILLISECOND)
        page = self.explained(talk.frames) / "connection-1.html"
        for width in (400, 1280):
            self.browser.size(width, 800, mobile=width == 400)
            self.open(page)
            self.assertEqual(self.browser.run(CUT), [])

    def test_a_presentation_breaks_no_word_and_can_be_read(self):
        self.see(POWER_CYCLE.read_text())
        self.press("p", *["ArrowRight"] * 14)
        self.assertEqual(self.broken(".knows dt, .knows dd, .now"), [])
        small = self.browser.run("[...document.querySelectorAll('.now, .knows :is(dt, dd, h3)')]"
                                 ".filter((each) => parseFloat(getComputedStyle(each).fontSize) "
                                 "< 12).length")
        self.assertEqual(small, 0)

    def test_the_sheet_of_keys_opens_at_its_top(self):
        self.see(POWER_CYCLE.read_text())
        self.press("?")
        place = "[...['scrollHeight', 'clientHeight', 'scrollTop']].map((name) => " \
                "document.querySelector('.legend')[name])"
        whole, shown, top = self.browser.run(place)
        self.assertGreater(whole, shown)
        self.assertEqual(top, 0)

    def test_a_note_that_is_too_long_ends_with_an_ellipsis(self):
        events = read(POWER_CYCLE)
        note = {"n": 900, "t": events[3]["t"], "kind": "note", "text": "a long note " * 12}
        self.see(lines([*events[:3], note, *events[3:]]))
        text = self.text(".remark")
        self.assertRegex(text, "^a long note.*…$")
        self.assertLessEqual(self.browser.run(
            "document.querySelector('.remark').getBoundingClientRect().right"), 392)


class WholeTexts(BrowsedPages):
    def test_no_text_of_a_step_is_cut(self):
        for width, height in ((1280, 800), (1000, 700)):
            self.browser.size(width, height)
            self.see(POWER_CYCLE.read_text(), name=f"run-{width}")
            for _ in read(POWER_CYCLE):
                self.press("ArrowRight")
                high, room = self.browser.run("(() => { const now = document.querySelector('.now');"
                                              "return [now.scrollHeight, now.clientHeight]; })()")
                self.assertLessEqual(high, room, self.text(".now"))

    def test_heads_of_tables_are_not_broken_without_javascript(self):
        self.browser.scripts(False)
        self.see(POWER_CYCLE.read_text())
        self.browser.scripts(True)
        self.assertEqual(self.browser.run(f"{BROKEN}('.plain th')"), [])
        self.assertEqual(self.browser.run("document.querySelectorAll('.plain th').length"), 3)


if __name__ == "__main__":
    skips.main()
