#!/usr/bin/env python3
"""Checks the flame graph of waits: the page of `tcplab trace --flame`, and its part of a run's
page."""
import json
import re
import sys
import unittest

import lab
import skips
from pages import POWER_CYCLE, BrowsedPages, Pages, lines, read
from trace_waits_test import SLOW_AND_FAST
from traced import trace

FRAMES = "[...document.querySelectorAll('[role=treeitem]')]"


def wait_call(number, port, took, **result):
    """The two events of a recvfrom() of kang that returned after `took` nanoseconds."""
    call = {"kind": "call", "host": "kang", "program": "client", "pid": 9, "id": number,
            "call": "recvfrom", "fd": 4, "args": "1 bytes", "local": f"10.0.0.1:{port}",
            "remote": "10.0.0.2:80"}
    return [{"t": 0, **call, "phase": "enter"},
            {"t": took, **call, "phase": "return", "entered": 0, "result": 1, **result}]


def run_with(calls):
    """Returns a run with these calls of one program, each after the one before."""
    head, end = read(POWER_CYCLE)[:3], read(POWER_CYCLE)[-1]
    made, now = head, head[-1]["t"]
    for enter, leave in calls:
        made += [{**enter, "t": now}, {**leave, "t": now + leave["t"], "entered": now}]
        now += leave["t"]
    made.append({**end, "t": now})
    return lines([{**event, "n": number} for number, event in enumerate(made, 1)])


class FlamePages(BrowsedPages):
    def frames(self):
        """Returns what the drawn frames say, row by row."""
        return self.browser.run(f"{FRAMES}.map((each) => each.getAttribute('aria-label'))")

    def names(self):
        return [text.rsplit(": ", 1)[0] for text in self.frames()]

    def click(self, selector):
        self.browser.run(f"document.querySelector({json.dumps(selector)}).click()")

    def focus(self, number):
        self.browser.run(f"{FRAMES}[{number}].focus()")

    def focused(self):
        return self.browser.run("document.activeElement.getAttribute('aria-label')") or ""

    def seek(self, text):
        self.browser.run("(() => { const input = document.querySelector('.flame input');"
                         f"input.value = {json.dumps(text)};"
                         "input.dispatchEvent(new Event('input', {bubbles: true})); })()")
        return self.text(".flame-where")


class Traced(FlamePages):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = lab.Folder()
        cls.addClassCleanup(folder.__exit__, None, None, None)
        path = folder.__enter__()
        cls.page = path / "waits.html"
        cls.done = trace([sys.executable, "-c", SLOW_AND_FAST], "--waits", "100ms",
                         "--flame", cls.page, "--folded", path / "folded", "-f", "json",
                         "-o", path / "trace")
        cls.waits = [json.loads(line) for line in
                     (path / "trace").read_text(encoding="utf-8").splitlines()]

    def setUp(self):
        super().setUp()
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        self.open(self.page)

    def test_the_width_is_the_exact_time_of_all_threads(self):
        time = sum(wait["t"] - wait["entered"] for wait in self.waits)
        self.assertIn(f"{time / 1e9:.6f} s, 100.0 %, {len(self.waits)} waits", self.frames()[0])
        self.assertIn("of all threads together", re.sub(r"\s+", " ", self.text(".flame-help")))
        widths = self.browser.run(f"{FRAMES}.map((each) => each.getBoundingClientRect().width)")
        slow = next(wait for wait in self.waits if wait["args"] == "1 bytes")
        part = (slow["t"] - slow["entered"]) / time
        own = next(width for width, name in zip(widths, self.names()) if "fetch_slow" in name)
        self.assertAlmostEqual(own / widths[0], part, places=2)

    def test_each_order_has_its_key_first(self):
        for order, first in (("stack", "python"), ("call", "recvfrom"),
                             ("connection", "127.0.0.1:"), ("end", "data")):
            with self.subTest(order):
                self.click(f"[data-order={order}]")
                self.assertIn(first, self.frames()[1])
                self.assertEqual(self.browser.run(
                    "document.querySelector('[aria-pressed=true]').dataset.order"), order)
        self.click("[data-order=connection]")
        self.assertRegex(self.frames()[2], r"^127\.0\.0\.1:\d+ > 127\.0\.0\.1:\d+: ")

    def test_keys_walk_and_zoom(self):
        self.click("[data-order=call]")
        self.focus(0)
        self.press("ArrowDown")
        self.assertIn("recvfrom", self.focused())
        slow = next(index for index, name in enumerate(self.names()) if "fetch_slow" in name)
        self.focus(slow)
        self.press("ArrowRight")
        self.assertIn("fetch_fast", self.focused())
        self.press("ArrowRight")  # the last of its row
        self.assertIn("fetch_fast", self.focused())
        self.press("Enter")
        self.assertIn("fetch_fast", self.focused())
        self.assertFalse([name for name in self.names() if "fetch_slow" in name])
        width = "document.activeElement.offsetWidth / document.activeElement.parentNode.offsetWidth"
        self.assertGreater(self.browser.run(width), 0.99)
        self.press("Escape")
        self.assertTrue([name for name in self.names() if "fetch_slow" in name])
        self.assertEqual(self.text(".flame-now"), self.focused())

    def test_a_click_zooms_and_a_button_shows_all(self):
        every = self.frames()
        fast = next(index for index, name in enumerate(self.names()) if "fetch_fast" in name)
        self.browser.run(f"{FRAMES}[{fast}].click()")
        self.assertLess(len(self.frames()), len(every))
        self.assertTrue(self.browser.run(
            "document.querySelectorAll('.above').length > 2"))
        self.click("[data-order='']")
        self.assertEqual(self.frames(), every)

    def test_search_marks_frames_and_says_their_share(self):
        slow = next(wait for wait in self.waits if wait["args"] == "1 bytes")
        own = slow["t"] - slow["entered"]
        time = sum(wait["t"] - wait["entered"] for wait in self.waits)
        self.assertEqual(self.seek("FETCH_slow"),
                         f"found: {own / 1e9:.6f} s, {100 * own / time:.1f} %, 1 wait")
        marked = self.browser.run(
            "[...document.querySelectorAll('.found')].map((each) => each.ariaLabel)")
        self.assertTrue(marked and all("fetch_slow" in text for text in marked), marked)
        self.assertIn(", 100.0 %, ", self.seek("recv"))  # frame and call of a wait count once
        self.assertEqual(self.seek("nowhere"), "found: 0.000000 s, 0.0 %, 0 waits")
        self.assertEqual(self.seek(""), "")

    def test_the_table_has_each_wait_with_its_duration_connection_end_and_stack(self):
        rows = self.browser.run("[...document.querySelectorAll('.longest tbody tr')].map((row) =>"
                                "[...row.cells].map((cell) => cell.textContent))")
        waits = sorted(self.waits, key=lambda one: one["entered"] - one["t"])
        self.assertEqual([row[0] for row in rows],
                         [f"{(one['t'] - one['entered']) / 1e9:.6f} s" for one in waits])
        self.assertEqual(rows[0][4], f"{waits[0]['local']} > {waits[0]['remote']}")
        self.assertEqual(rows[0][5], "data")
        self.assertEqual(self.browser.run(
            "[...document.querySelector('.longest tr ol').children].map((e) => e.textContent)"),
            waits[0]["stack"])

    def test_a_screen_reader_and_a_phone_get_all(self):
        names = self.browser.accessible_names()
        self.assertIn("fetch_slow (<string>:", names)
        self.assertIn("Search the names", names)
        reached = "document.querySelectorAll('[role=treeitem][tabindex=\"0\"]').length"
        self.assertEqual(self.browser.run(reached), 1)
        self.browser.size(390, 844, mobile=True)
        self.browser.run("new Promise(requestAnimationFrame)")
        self.assertEqual(self.browser.run("document.documentElement.scrollWidth"), 390)
        self.assertGreaterEqual(self.browser.run(f"{FRAMES}[0].offsetHeight"), 24)

    def test_without_javascript_there_is_the_table(self):
        self.browser.scripts(False)
        self.open(self.page)
        self.browser.scripts(True)
        self.assertIn("The table does not", self.text("noscript"))
        self.assertTrue(self.browser.run("document.querySelector('.flame-graph').hidden"))
        self.assertGreater(self.browser.run("document.querySelectorAll('.longest tr').length"), 1)


class Empty(FlamePages):
    def test_without_waits_the_page_says_so(self):
        page = self.folder / "none.html"
        done = trace(["true", "</script><b>"], "--waits", "2s", "--flame", page)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.open(page)
        self.assertEqual(self.text(".outcome"),
                         "No call on a TCP socket waited for at least 2s.")
        self.assertEqual(self.text(".asks"), "true </script><b>")
        self.assertFalse(self.browser.run("!!document.querySelector('.flame, .longest')"))

    def test_a_file_that_cannot_be_written_is_refused_before_the_program_starts(self):
        done = trace(["touch", self.folder / "started"], "--waits", "1s", "--flame",
                     self.folder / "none/x")
        self.assertEqual((done.returncode, (self.folder / "started").exists()), (2, False))
        self.assertRegex(done.stderr, r"^tcplab: cannot write .*/none/x: No such file")
        self.assertIn("--flame requires --waits", trace(["true"], "--flame", "x").stderr)


class Runs(FlamePages):
    def unfold(self):
        """Opens the first graph. Returns after how many milliseconds it is drawn."""
        return self.browser.run(f"""new Promise((done) => {{
          const begin = performance.now();
          document.querySelector(".waited summary").click();
          const look = () => {FRAMES}.length ? done(performance.now() - begin)
            : requestAnimationFrame(look);
          look();
        }})""")

    def test_each_program_that_waited_has_a_folded_graph(self):
        self.see(POWER_CYCLE.read_text())
        titles = self.browser.run(
            "[...document.querySelectorAll('.waited summary')].map((e) => e.textContent)")
        self.assertRegex(titles[1], r"^Where kang's dnc waited: .* s$")
        self.assertFalse(self.browser.run("!!document.querySelector('.waited[open]')"))
        self.assertEqual(self.frames(), [])
        self.unfold()
        self.assertIn("Time that kodos's dnc waited", self.frames()[0])
        self.click(".longest a")
        self.assertTrue(self.at())

    def test_keys_of_the_graph_do_not_move_the_player(self):
        self.see(run_with([wait_call(1, 7, 5_000_000), wait_call(2, 8, 4_000_000)]))
        self.unfold()
        self.focus(0)
        self.press("ArrowDown", "ArrowRight", "End")
        self.assertIsNone(self.at())

    def test_a_program_without_waits_has_none(self):
        page = self.report(self.record("quick", run_with([wait_call(1, 7, 900_000)])))
        self.assertNotIn('class="waited"', page.read_text())
        page = self.report(self.record("slow", run_with([wait_call(1, 7, 1_000_000)])))
        self.assertIn('class="waited"', page.read_text())

    def test_of_many_programs_those_that_waited_longest_have_a_graph(self):
        for count, shown, says in ((20, 20, False), (21, 20, True)):
            with self.subTest(count):
                calls = [wait_call(1, 7, 1_000_000 * (number + 1)) for number in range(count)]
                for number, call in enumerate(calls):
                    for event in call:
                        event["program"] = f"client-{number}"
                text = self.report(self.record(f"many-{count}", run_with(calls))).read_text()
                self.assertEqual(text.count('class="waited"'), shown)
                self.assertEqual("1 more program waited" in text, says)
                self.assertEqual("kang&#39;s client-0 waited" in text, not says)

    def test_many_waits_on_as_many_connections_are_drawn_at_once(self):
        many = run_with([wait_call(number, number % 60_000 + 1, 1_000_000 + number)
                         for number in range(30_000)])
        self.see(many)
        self.assertLess(self.unfold(), 5000)
        self.assertIn("100.0 %, 30000 waits", self.frames()[0])
        self.assertLess(self.browser.run("""(() => {
          const begin = performance.now();
          document.querySelector("[data-order=connection]").click();
          return performance.now() - begin;
        })()"""), 5000)
        self.assertRegex(" ".join(self.frames()), r"other connections: \d+\.\d+ s")
        self.assertRegex(self.frames()[-1], r"^\d+ narrower: \d+\.\d+ s, ")
        widths = self.browser.run(f"{FRAMES}.filter((each) => each.ariaLevel === '3')"
                                  ".reduce((sum, each) => sum + each.offsetWidth, 0)")
        self.assertAlmostEqual(widths, self.browser.run(f"{FRAMES}[0].offsetWidth"), delta=2)
        self.seek("10.0.0.1:")
        self.assertEqual(self.browser.run("document.querySelectorAll('.found').length"), 1)
        self.browser.run(f"{FRAMES}[{len(self.frames()) - 1}].click()")
        self.assertEqual(self.browser.run("document.querySelectorAll('.found').length"), 1)


if __name__ == "__main__":
    skips.main()
