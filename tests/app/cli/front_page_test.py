#!/usr/bin/env python3
"""Checks the front page of a site in a browser: the search, which needs no server, the doors, and
the heat map of clients."""
import re
import sys
import unittest

sys.dont_write_bytecode = True
import skips
from pages import POWER_CYCLE, BrowsedPages, lines, read
from sites import SOURCE, SiteMaker

RESULTS = "[...document.querySelectorAll('.found a')].map((link) => link.textContent)"


class Front(SiteMaker, BrowsedPages):
    def see_front(self):
        self.made()
        self.visit("index.html")
        self.until("!document.querySelector('.find').hidden")

    def search(self, words):
        """Types into the field, as a reader does."""
        self.browser.run("document.querySelector('.find input').value = ''")
        self.browser.run("document.querySelector('.find input').focus()")
        self.browser.call("Input.insertText", text=words)
        return self.browser.run(RESULTS)

    def press_enter(self):
        for kind in ("rawKeyDown", "char", "keyUp"):
            self.browser.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter",
                              text="\r", windowsVirtualKeyCode=13)

    def test_the_search_finds_words_of_titles_questions_and_tags(self):
        self.see_front()
        self.assertEqual(self.text(".find output"), "2 scenarios")
        self.assertEqual(self.browser.run(RESULTS), [])
        cycle = read(POWER_CYCLE)[0]
        question = max(re.findall(r"\w+", cycle["asks"]), key=len)
        for words in ("POWER", "cycle power", question, cycle["tags"][0]):
            with self.subTest(words):
                self.assertIn("Power cycle", self.search(words))
        self.assertEqual(self.search("power elephant"), [])
        self.assertEqual(self.text(".find output"), "0 found")

    def test_a_title_comes_before_a_question(self):
        events = read(POWER_CYCLE)
        events[0].update(scenario="a-first", title="A first one", asks="simultaneous?", tags=[])
        self.record("a-first-ipv4", lines(events))
        self.record_two()
        self.see_front()
        self.assertEqual(self.search("simultaneous"), ["Simultaneous close", "A first one"])

    def test_a_result_leads_to_its_run(self):
        self.see_front()
        self.search("power")
        self.browser.follow(".found a")
        self.assertEqual(self.text("h1"), "Power cycle")

    def test_enter_shows_the_results_in_the_catalogue(self):
        self.see_front()
        self.search("power cycle")
        self.browser.leave(self.press_enter)
        self.until("!document.querySelector('.filters').hidden")
        self.assertEqual(self.text(".where"), "1 of 2")

    def test_text_of_a_run_does_not_become_markup(self):
        events = read(POWER_CYCLE)
        events[0].update(title="<img src=x onerror=alert(1)>", asks="</script><b>why?", tags=["a"])
        self.record("nasty-ipv4", lines(events))
        self.record_two()
        self.see_front()
        self.assertEqual(self.search("onerror"), ["<img src=x onerror=alert(1)>"])
        self.assertEqual(self.browser.run("document.querySelectorAll('.found img').length"), 0)

    def test_there_are_four_doors_each_with_a_command(self):
        self.see_front()
        doors = self.browser.run("[...document.querySelectorAll('.door')].map((door) => "
                                 "[door.querySelectorAll('a').length > 0, "
                                 "door.querySelector('pre').textContent])")
        self.assertEqual(len(doors), 4)
        for has_links, command in doors:
            self.assertTrue(has_links, command)
            self.assertRegex(command, r"\Atcplab [^\n]+\n\Z")

    def test_the_heat_map_is_the_published_table(self):
        self.see_front()
        table = re.search(r"^\| client \|.*?\n\n", (SOURCE / "docs/clients.md").read_text(),
                          re.M | re.S)[0].splitlines()
        rows = [[re.sub(r"\[(.*)\]\(.*\)", r"\1", cell.strip()) for cell in line.split("|")[1:-1]]
                for line in table if line and not line.startswith("| ---")]
        self.assertGreater(len(rows), 40)
        self.assertEqual(rows, self.browser.run(
            "[...document.querySelectorAll('.heat tr')].map((row) => "
            "[...row.cells].map((cell) => cell.textContent))"))
        shown = self.browser.run("[...document.querySelectorAll('.heat td')].map((cell) => "
                                 "[cell.textContent, cell.className])")
        for text, kind in shown:
            self.assertEqual(text == "∞", kind == "hangs", text)

    def test_texts_have_enough_contrast(self):
        self.made()
        for is_dark in (False, True):
            self.browser.dark(is_dark)
            self.addCleanup(self.browser.dark, False)
            self.visit("index.html")
            self.until("!document.querySelector('.find').hidden")
            self.search("power")
            worst = self.browser.run(CONTRASTS)
            self.assertGreater(len(worst), 10)
            self.assertGreaterEqual(worst[0][0], 4.5, worst[0])

    def test_without_scripts_the_catalogue_is_one_link_away(self):
        self.made()
        self.browser.scripts(False)
        self.visit("index.html")
        self.browser.scripts(True)
        self.assertTrue(self.browser.run("document.querySelector('.find').hidden"))
        self.assertTrue(self.browser.run(
            "document.querySelector(\"main a[href='scenarios/index.html']\").checkVisibility()"))


# The contrasts of texts with their backgrounds (WCAG 2.1), the worst first: [contrast, text].
CONTRASTS = """(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const octets = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (rgb) => rgb.slice(0, 3).map((one) => one / 255)
    .map((one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, i) => sum + one * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = octets(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255];
  };
  const found = new Map();
  for (const node of document.querySelectorAll("body *")) {
    const own = [...node.childNodes].filter((child) => child.nodeType === 3)
      .map((child) => child.textContent.trim()).join(" ").trim();
    if (!own || !node.checkVisibility()) continue;
    const [one, other] = [octets(getComputedStyle(node).color), behind(node)].map(light);
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    found.set(own.slice(0, 40), contrast);
  }
  return [...found].map(([text, contrast]) => [contrast, text]).sort((a, b) => a[0] - b[0]);
})()"""


if __name__ == "__main__":
    skips.main()
