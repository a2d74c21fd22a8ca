#!/usr/bin/env python3
"""Checks how a run's page shows a part of the run: the short version, a filter, a span of time; the
script beside it; the question before it; a narrow screen; paper; a browser without JavaScript."""
import json
import re

import skips
from html_test import long_run
from pages import HERE, HOLDING, POWER_CYCLE, BrowsedPages, Pages, lines, read

SCRIPT = HERE.parent / "scenarios/puzzlers/power-cycle.lua"
QUIZ = {"asks": "What does it see?",
        "choices": [{"text": "write returns 22", "right": True},
                    {"text": "write fails", "because": "It only copies."},
                    {"text": "read failed at once"}]}
SHOWN = "[...document.querySelectorAll('.step:not(.left-out)')].length"

# Scrolls to an element, and returns its place and its width when the page has come to rest: going
# to a step scrolls, too.
AT_REST = """new Promise((done) => {
  const element = document.querySelector("%s");
  let last = "", still = 0;  // frames
  const look = () => {
    const box = element.getBoundingClientRect();
    const place = [box.left, box.top, box.width];
    const isInSight = box.top >= 0 && box.bottom <= innerHeight;
    still = place.join() === last ? still + 1 : 0;
    if (isInSight && still === 5) return done(place);
    if (!isInSight) element.scrollIntoView({ block: "center", behavior: "instant" });
    last = place.join();
    requestAnimationFrame(look);
  };
  look();
})"""


def line_of(text):
    return next((number for number, line in enumerate(SCRIPT.read_text().splitlines(), 1)
                 if text in line), 0)


def scripted():
    """Returns the power cycle with its script, its question, and the lines in its events."""
    events = read(POWER_CYCLE)
    events[0].update(script=SCRIPT.read_text(), quiz=QUIZ)
    for event in events:
        if event["kind"] == "action" and event["verb"] == "power_cycle":
            event["line"] = line_of("kodos:power_cycle()")
        if event["kind"] == "verdict":
            event.update(script=events[0]["file"], line=line_of(event["code"])
                         if event.get("code") else 0)
    return events


class View(BrowsedPages):
    def count(self, selector):
        return self.browser.run(f"document.querySelectorAll({json.dumps(selector)}).length")

    def shown(self):
        return self.browser.run(SHOWN)

    def gaps(self):
        """Returns the distances in the ladder between a shown step and the next one."""
        return self.browser.run("""(() => {
          const boxes = [...document.querySelectorAll('.step:not(.left-out) .hit')]
            .map((hit) => hit.getBoundingClientRect());
          return boxes.slice(1).map((box, index) => Math.round(box.top - boxes[index].bottom));
        })()""")

    def test_the_short_version_has_the_steps_that_matter(self):
        self.see(POWER_CYCLE.read_text())
        height = "document.querySelector('.ladder').scrollHeight"
        every, whole = self.shown(), self.browser.run(height)
        self.press("s")
        self.assertIn(self.shown(), range(8, 13))
        titles = self.browser.run("[...document.querySelectorAll('.step:not(.left-out) title')]"
                                ".map((title) => title.textContent).join('\\n')")
        for part in ("power_cycle", "data 22", "RST", "ECONNRESET"):
            self.assertIn(part, titles)
        self.assertLess(self.browser.run(height), whole * 0.45)
        self.assertEqual(set(self.gaps()), {0})
        self.press("s")
        self.assertEqual(self.shown(), every)
        self.assertEqual(set(self.gaps()), {0})

    def test_a_walk_through_the_short_version_passes_over_the_other_steps(self):
        self.see(POWER_CYCLE.read_text())
        self.press("s", "Home")
        seen = [self.text(".where")]
        for _ in range(20):
            self.press("ArrowRight")
            if self.text(".where") != seen[-1]:
                seen.append(self.text(".where"))
        self.assertEqual(len(seen), self.shown())
        self.press("Home", "ArrowLeft")
        self.assertEqual(self.text(".where"), seen[0])

    def test_steps_are_numbered_and_the_short_version_keeps_the_numbers(self):
        self.see(POWER_CYCLE.read_text())
        numbers = ("[...document.querySelectorAll('.step:not(.left-out) > text')]"
                   ".map((text) => Number(text.firstElementChild.textContent))")
        every = self.browser.run(numbers)
        self.assertEqual(every, list(range(1, len(every) + 1)))
        self.press("s")
        few = self.browser.run(numbers)
        self.assertLess(set(few), set(every))
        self.press("End")
        self.assertEqual(self.text(".where"), f"step {few[-1]} of {len(every)}")

    def test_a_filter_shows_one_kind_of_step(self):
        self.see(POWER_CYCLE.read_text())
        for name in ("calls", "script", "checks"):
            self.browser.run(f"document.querySelector('[name={name}]').click()")
        frames = self.count(".step .frame")
        self.assertEqual(self.count(".step:not(.left-out) .frame"), frames)
        self.assertLess(self.shown(), frames + 10)
        self.browser.run("document.querySelector('[name=frames]').click()")
        self.assertEqual(self.count(".step:not(.left-out) .frame"), 0)
        self.press("0")
        self.assertEqual(self.shown(), self.count(".step"))

    def test_a_filter_shows_one_host(self):
        self.see(POWER_CYCLE.read_text())
        self.browser.run("(() => { const host = document.querySelector('[name=host]');"
                         "host.value = 'kodos';"
                         "host.dispatchEvent(new Event('input', {bubbles: true})); })()")
        titles = self.browser.run("[...document.querySelectorAll('.step:not(.left-out) title')]"
                                ".map((title) => title.textContent)")
        self.assertFalse([text for text in titles if text.startswith("kang:")])
        self.assertTrue([text for text in titles if text.startswith("kodos:")])

    def test_the_bands_follow_the_fold(self):
        self.see(HOLDING.read_text())
        self.press("s")
        inside = self.browser.run("""(() => {
          const sheets = [...document.querySelectorAll('.sheet:not(.left-out)')]
            .map((sheet) => sheet.getAttribute('viewBox').split(' ').map(Number));
          const end = Math.max(...sheets.map((box) => box[1] + box[3]));
          return [...document.querySelectorAll('.band rect')].every((rect) =>
            Number(rect.getAttribute('y')) + Number(rect.getAttribute('height')) <= end + 1);
        })()""")
        self.assertTrue(inside)

    def drag(self, selector, begin, end):
        left, top, width = self.browser.run(AT_REST % selector)
        for kind, share in (("mousePressed", begin), ("mouseMoved", end), ("mouseReleased", end)):
            self.browser.call("Input.dispatchMouseEvent", type=kind, x=left + width * share,
                              y=top + 15, button="left", buttons=1, clickCount=1)

    def test_the_strip_goes_to_a_step_and_shows_a_span(self):
        self.see(POWER_CYCLE.read_text())
        every = self.shown()
        self.drag(".overview", 0.5, 0.5)
        self.assertRegex(self.text(".where"), r"step \d+ of")
        self.press("Escape")
        self.drag(".overview", 0.0, 0.3)
        self.assertLess(self.shown(), every)
        self.assertFalse(self.browser.run("document.querySelector('[data-do=whole]').hidden"))
        self.press("0")
        self.assertEqual(self.shown(), every)

    def test_the_strip_hides_what_comes_later(self):
        self.see(POWER_CYCLE.read_text())
        marks = self.count(".overview .tick")
        self.press("Home", "ArrowRight", "ArrowRight")
        self.assertLess(self.count(".overview .tick"), marks)
        self.press("End")
        self.assertEqual(self.count(".overview .tick"), marks)

    def test_the_script_shows_the_line_that_is_carried_out(self):
        events = scripted()
        self.see(lines(events))
        self.assertIn("kodos:power_cycle()", self.text(".source"))
        self.assertEqual(self.count(".source li.at"), 0)
        cycle = next(event["n"] for event in events
                     if event["kind"] == "action" and event["verb"] == "power_cycle")
        self.browser.run(f"location.hash = '#event={cycle}'")
        self.browser.run("new Promise(requestAnimationFrame)")
        self.assertIn("kodos:power_cycle()", self.text(".source li.at"))
        self.assertIn("kodos:power_cycle()", self.text(".line"))
        self.press("Escape")
        self.assertEqual(self.count(".source li.at"), 0)

    def test_tabs_choose_what_is_beside_the_ladder(self):
        self.see(lines(scripted()))
        visible = ("[...document.querySelectorAll('[data-pane]')].filter((pane) => !pane.hidden)"
                   ".map((pane) => pane.dataset.pane).join()")
        self.assertEqual(self.browser.run(visible), "States")
        self.browser.run("[...document.querySelectorAll('.tabs button')].at(-1).click()")
        self.assertEqual(self.browser.run(visible), "Script")

    def test_a_question_comes_before_the_run(self):
        self.see(lines(scripted()), "#predict")
        visible = "document.querySelector('main').innerText"
        self.assertIn(QUIZ["asks"], self.browser.run(visible))
        for hidden in ("ECONNRESET, once", "RST", "passed"):
            self.assertNotIn(hidden, self.browser.run(visible))
        right = self.browser.run("[...document.querySelectorAll('.quiz ol button')].findIndex("
                                 "(each) => each.textContent === 'write returns 22')")
        self.press(str(1 + (right + 1) % 3))
        self.assertIn("Not what happens here", self.text(".quiz .verdict"))
        self.assertEqual(self.text(".quiz .right"), "write returns 22")
        self.assertEqual(self.count(".quiz .wrong"), 1)
        self.assert_answers_are_marked(right, (right + 1) % 3)
        self.browser.run("document.querySelector('.quiz .show').click()")
        self.assertEqual(self.text(".where").split(" of ")[0], "step 1")
        self.assertNotIn("predicting", self.browser.run("document.body.className"))

    def assert_answers_are_marked(self, right, chosen):
        """Checks that text tells which answers are right and wrong, and that it is announced."""
        marks = self.browser.run("[...document.querySelectorAll('.quiz ol li')].map((item) =>"
                                 "item.querySelector('.answer')?.textContent)")
        self.assertEqual(marks[right], "✓ right")
        self.assertEqual(marks[chosen], "✗ your answer")
        self.assertIsNone(marks[3 - right - chosen])
        self.assertIn("The answer is: write returns 22", self.text(".quiz [role=status]"))
        names = self.browser.accessible_names()
        for name in "✓ right", "✗ your answer":
            self.assertIn(name, names)

    def test_a_right_answer_has_a_mark(self):
        self.see(lines(scripted()), "#predict")
        right = self.browser.run("[...document.querySelectorAll('.quiz ol button')].findIndex("
                                 "(each) => each.textContent === 'write returns 22')")
        self.press(str(1 + right))
        self.assertEqual(self.text(".quiz .answer"), "✓ right: your answer")
        self.assertEqual(self.count(".quiz .answer"), 1)
        self.assertEqual(self.text(".quiz .verdict").strip(), "✓ Right.")

    def test_a_run_without_a_question_does_not_offer_one(self):
        self.see(POWER_CYCLE.read_text())
        self.assertTrue(self.browser.run("document.querySelector('[data-do=predict]').hidden"))
        self.press("q")
        self.assertNotIn("predicting", self.browser.run("document.body.className"))

    def test_on_a_narrow_screen_both_hosts_are_in_sight(self):
        self.browser.size(400, 800, mobile=True)
        self.see(POWER_CYCLE.read_text())
        self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), 400)
        for host in ("kang", "kodos"):
            left, right = self.browser.run(
                "(() => { const box = [...document.querySelectorAll('.head .name')].find((name) =>"
                f"name.textContent === '{host}').getBoundingClientRect();"
                "return [box.left, box.right]; })()")
            self.assertTrue(0 <= left < right <= 400, (host, left, right))
        outside = self.browser.run(
            "[...document.querySelectorAll('.step:not(.left-out) > text > [x]:not(.left-out)')]"
            ".map((piece) => piece.getBoundingClientRect()).filter((box) => box.width && "
            "(box.right < 20 || box.left > 380)).length")
        self.assertEqual(outside, 0)
        size = self.browser.run(
            "(() => { const piece = document.querySelector('.step > text > [x]');"
            "return parseFloat(getComputedStyle(piece).fontSize) * piece.getScreenCTM().a; })()")
        self.assertGreater(size, 9.5)

    def test_a_host_that_only_forwards_is_not_in_the_diagram(self):
        events = read(POWER_CYCLE)
        router = dict(events[2], n=1000, host="router")
        self.see(lines([*events[:3], router, *events[3:]]))
        self.press("End")
        self.assertEqual(self.text(".tokens"), "kangkodos")
        self.assertIn("router", self.text(".knowledge"))

    def test_a_long_run_is_folded_on_paper(self):
        self.see(lines(long_run(900)))
        every = self.shown()
        self.browser.run("window.dispatchEvent(new Event('beforeprint'))")
        self.assertLessEqual(self.shown(), 60)
        self.assertIn(f"of {every}", self.text(".folded-note"))
        self.browser.run("window.dispatchEvent(new Event('afterprint'))")
        self.assertEqual(self.shown(), every)
        self.assertEqual(self.text(".folded-note"), "")

    def test_without_javascript_there_is_a_table_of_the_steps(self):
        page = self.report(self.record("plain", POWER_CYCLE.read_text()))
        self.browser.scripts(False)
        self.open(page)
        names = self.browser.accessible_names()
        self.assertIn("All steps as text", names)
        self.assertIn("kang: write(4", names)


class Files(Pages):
    def test_the_table_of_a_long_run_has_the_steps_that_matter(self):
        text = self.report(self.record("long", lines(long_run(5000)))).read_text()
        table = re.search(r"<noscript>(.*?)</noscript>", text, re.DOTALL).group(1)
        self.assertIn("The steps that matter most", table)
        self.assertLessEqual(table.count("<tr><td>"), 200)

    def test_the_page_links_to_the_files_of_the_run(self):
        run = self.record("a b", POWER_CYCLE.read_text())
        (run / "capture.pcapng").write_text("")
        page = self.report(run)
        links = re.findall(r'<a href="([^"]*)">([^<]*)</a>',
                           re.search(r"<nav.*?</nav>", page.read_text()).group(0))
        self.assertEqual([name for _, name in links], ["events.jsonl", "capture.pcapng"])
        for address, name in links:
            self.assertTrue((page.parent / address.replace("%20", " ")).samefile(run / name))

    def test_the_index_has_each_scenario_once_with_both_families(self):
        self.record("power-cycle-ipv4", POWER_CYCLE.read_text())
        other = read(POWER_CYCLE)
        other[0]["family"] = "ipv6"
        other[-1].update(outcome="failed", reason="line 12")
        self.record("power-cycle-ipv6", lines(other))
        text = self.report(self.folder / "runs").read_text()
        self.assertEqual(text.count("<tr data-topic"), 1)
        row = re.search(r"<tr data-topic.*?</tr>", text, re.DOTALL).group(0)
        self.assertEqual(re.findall(r'href="([^"]*)">(IPv\d)</a>', row),
                         [("./power-cycle-ipv4.html", "IPv4"), ("./power-cycle-ipv6.html", "IPv6")])
        self.assertIn("failed", row)
        self.assertIn("1 passed, 1 failed", text)


if __name__ == "__main__":
    skips.main()
