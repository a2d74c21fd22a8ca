#!/usr/bin/env python3
"""Checks the pages of `tcplab report` in a browser: no errors on the console, no network requests,
a player controlled by keys, readable without JavaScript, fast with 5,000 events."""
import base64
import hashlib
import pathlib
import re
import unittest

import skips
from chromium import Chromium
from pages import HOLDING, POWER_CYCLE, BrowsedPages, Pages, lines, read, tcplab

LARGEST_PAGE = 150_000  # bytes, for a run like the article's
LARGEST_EVENT = 140  # bytes more for each event of a long run with many equal events
LARGEST_UNLIKE = 280  # the same, where all events differ


def long_run(count, is_alike=True):
    """Returns a run of `count` events of one connection."""
    events = read(POWER_CYCLE)
    head, body = events[:28], [e for e in events[28:] if e["kind"] in ("packet", "call", "verdict")]
    made = list(head)
    while len(made) < count:
        event = dict(body[len(made) % len(body)])
        event.update(n=len(made) + 1, t=made[-1]["t"] + 50_000)
        if not is_alike:
            for key in ("summary", "data", "expected"):
                if key in event:
                    event[key] += f" {len(made) * 1448}"
        made.append(event)
    return made


def failing_and_hostile():
    """Returns a failed run in which every text tries to become markup or code."""
    events = read(POWER_CYCLE)
    nasty = "</script><img src=x onerror=\"window.hacked=1\"><b>&'\x01\x7f\x9b\u202e\ud7ff"
    events[0].update(title=nasty, asks=nasty, why=nasty, scenario="nasty")
    for event in events:
        for key in ("expected", "seen", "text", "data", "command", "summary", "args"):
            if key in event:
                event[key] = nasty
        if event["kind"] == "action":
            event.update(verb="type", program=nasty, text=nasty)
        if event["kind"] == "packet":
            event["effects"] = [{"kind": "delayed", "fault": {"verb": "delay", "name": nasty}}]
    verdicts = [event for event in events if event["kind"] == "verdict"]
    verdicts[-1].update(passed=False, nearest=nasty)
    events[-1].update(outcome="failed", reason=nasty)
    return events, verdicts[-1]["n"]


class Command(Pages):
    def refused(self, *arguments, says):
        done = tcplab("report", *arguments, cwd=self.folder)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(says, done.stderr)

    def test_the_page_of_one_run_is_small(self):
        page = self.report(self.record("one", POWER_CYCLE.read_text()))
        self.assertEqual(page.name, "one.html")
        self.assertLess(page.stat().st_size, LARGEST_PAGE)
        self.assertEqual([file.name for file in page.parent.iterdir()], ["one.html"])

    def test_the_page_of_a_long_run_is_small(self):
        page = self.report(self.record("unlike", lines(long_run(5000, is_alike=False))))
        self.assertLess(page.stat().st_size, LARGEST_PAGE + 5000 * LARGEST_UNLIKE)

    def test_a_folder_of_runs_has_an_index(self):
        self.record("a", POWER_CYCLE.read_text())
        self.record("b", HOLDING.read_text())
        index = self.report(self.folder / "runs")
        self.assertEqual(index.name, "index.html")
        self.assertEqual(sorted(f.name for f in index.parent.iterdir()),
                         ["a.html", "b.html", "index.html"])
        self.assertIn('href="./a.html"', index.read_text())

    def test_no_name_of_a_folder_becomes_a_url_of_its_own(self):
        self.record("javascript:alert(1)//", POWER_CYCLE.read_text())
        self.record("b", HOLDING.read_text())
        index = self.report(self.folder / "runs/b", self.folder / "runs/javascript:alert(1)")
        links = re.findall(r'<a href="([^"]*)"', index.read_text())
        self.assertEqual(sorted(links), ["./b.html", "./javascript%3Aalert%281%29.html"])

    def test_the_policy_allows_only_our_style_and_script(self):
        self.record("a", POWER_CYCLE.read_text())
        self.record("b", HOLDING.read_text())
        for page in self.report(self.folder / "runs").parent.iterdir():
            text = page.read_text()
            policy = dict(part.strip().split(" ", 1) for part in
                          re.search(r'Policy" content="([^"]*)"', text).group(1).split(";"))
            for directive, element in (("style-src", r"<style>(.*?)</style>"),
                                       ("script-src", r'<script type="module">(.*?)</script>')):
                inline = re.search(element, text, re.DOTALL).group(1)
                digest = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()
                self.assertEqual(policy[directive], f"'sha256-{digest}'", page.name)

    def test_two_runs_with_one_name_get_two_pages(self):
        one = self.record("same", POWER_CYCLE.read_text())
        other = self.record("elsewhere/same", HOLDING.read_text())
        pages = self.report(one, other).parent
        self.assertEqual(sorted(f.name for f in pages.iterdir()),
                         ["index.html", "same-2.html", "same.html"])

    def test_a_path_that_is_not_a_run_is_refused_in_one_line(self):
        self.refused("nowhere", says="nowhere: no such run")
        (self.folder / "empty").mkdir()
        self.refused("empty", says="no events.jsonl here")
        self.refused(self.record("foreign", '{"kind":"elephant"}\n'), says="events.jsonl:1:")
        self.refused(self.record("text", "hello\n"), says="events.jsonl:1:")
        newer = read(POWER_CYCLE)
        newer[0]["version"] = 99
        self.refused(self.record("newer", lines(newer)), says="\"version\" is 99")
        wrong = lines(read(POWER_CYCLE)[:5]) + "{\n" + lines(read(POWER_CYCLE)[5:])
        self.refused(self.record("wrong", wrong), says="events.jsonl:6:")

    def test_other_runs_get_their_pages_despite_an_invalid_one(self):
        self.record("good", POWER_CYCLE.read_text())
        self.record("bad", "hello\n")
        done = tcplab("report", self.folder / "runs", "--html", self.folder / "pages")
        self.assertEqual(done.returncode, 2)
        self.assertIn("bad/events.jsonl:1:", done.stderr.splitlines()[0])
        self.assertIn("1 of 2 pages", done.stderr.splitlines()[1])
        self.assertEqual(sorted(f.name for f in (self.folder / "pages").iterdir()),
                         ["good.html", "index.html"])

    def test_a_page_is_named_after_the_folder_of_its_run(self):
        run = self.record("here", POWER_CYCLE.read_text())
        done = tcplab("report", ".", "--html", self.folder / "pages", cwd=run)
        self.assertEqual(pathlib.Path(done.stdout.strip()).name, "here.html")

    def test_an_incomplete_events_file_is_shown_up_to_its_end(self):
        text = POWER_CYCLE.read_text()
        record = self.record("cut", text[:len(text) // 2])
        done = tcplab("report", record, "--html", self.folder / "pages")
        self.assertEqual((done.returncode, done.stderr),
                         (0, f"tcplab: {record}/events.jsonl: the last line is incomplete\n"))
        page = pathlib.Path(done.stdout.strip()).read_text()
        self.assertIn("is incomplete: the run was interrupted", page)
        self.assertIn("unfinished", page)

    def test_a_place_where_no_page_can_be_written_exits_with_2(self):
        run = self.record("one", POWER_CYCLE.read_text())
        (self.folder / "file").write_text("")
        done = tcplab("report", run, "--html", self.folder / "file")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)


class Browser(BrowsedPages):
    def test_keys_step_through_the_run(self):
        self.see(POWER_CYCLE.read_text())
        self.assertIsNone(self.at())
        self.press("ArrowRight")
        self.assertEqual(self.at(), "event=4")
        self.press("ArrowRight", "ArrowRight", "ArrowLeft")
        self.assertEqual(self.at(), "event=12")
        self.press("End")
        self.assertEqual(self.at(), "event=58")
        self.press("ArrowRight")
        self.assertEqual(self.at(), "event=58")
        self.press("Home")
        self.assertEqual(self.at(), "event=4")
        self.press("Escape")
        self.assertIsNone(self.at())

    def test_space_plays_to_the_end(self):
        self.see(POWER_CYCLE.read_text(), "#event=55")
        self.browser.run("document.querySelector('[data-do=speed]').value = '4'")
        self.press(" ")
        self.assertEqual(self.browser.run("""new Promise((done) => {
          const watch = new MutationObserver(() => {
            if (document.querySelector('.step.at').id === 'event=58') done('the end');
          });
          watch.observe(document.body, {subtree: true, attributeFilter: ['class']});
        })"""), "the end")

    def test_an_address_opens_its_step_and_shows_what_each_host_knows(self):
        self.see(POWER_CYCLE.read_text(), "#event=44")
        self.assertEqual(self.at(), "event=44")
        knowledge = self.text(".knowledge")
        self.assertIn("its kernel is out of date", knowledge)
        self.assertIn("22 bytes unacknowledged", knowledge)
        self.assertIn("kodos has no such connection: it was power cycled", knowledge)
        self.assertIn("seq 1:23", self.text(".details"))

    def test_an_event_in_another_step_leads_to_that_step(self):
        self.see(POWER_CYCLE.read_text(), "#event=20")  # SYN_SENT is in the step of the SYN
        self.assertEqual(self.at(), "event=21")
        self.browser.run("location.hash = '#event=46'")
        self.assertEqual(self.browser.run("new Promise(requestAnimationFrame).then(() => "
                                          "document.querySelector('.step.at').id)"), "event=45")

    def test_the_diagram_follows_the_step(self):
        self.see(POWER_CYCLE.read_text(), "#event=21")
        self.assertEqual(self.browser.run(
            "[...document.querySelectorAll('.node.lit')].map((n) => n.dataset.node).join()"),
            "SYN_RECV,SYN_SENT")
        self.assertEqual(self.browser.run(
            "[...document.querySelectorAll('.edge.taken')].map((e) => e.dataset.edge).join()"),
            "CLOSED SYN_SENT,LISTEN SYN_RECV")
        self.assertEqual(self.text(".tokens"), "kangkodos")

    def test_a_click_on_a_frame_selects_it(self):
        self.see(POWER_CYCLE.read_text())
        x, y = self.browser.run("""(() => {
          const step = document.getElementById('event=23');
          step.scrollIntoView({block: 'center'});
          const box = step.querySelector('.hit').getBoundingClientRect();
          return [box.left + box.width / 2, box.top + box.height / 2];
        })()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left",
                              clickCount=1)
        self.assertEqual(self.at(), "event=23")
        self.assertIn("Flags [S.]", self.text(".details"))
        self.assertEqual(self.browser.run("location.hash"), "#event=23")

    def test_without_javascript_the_page_is_complete(self):
        page = self.report(self.record("plain", POWER_CYCLE.read_text()))
        self.browser.scripts(False)
        self.open(page, "#event=44")
        names = self.browser.accessible_names()
        self.assertIn("Power cycle", names)
        self.assertIn("kang sends data 22 seq 1 ack 1 to kodos, delivered", names)
        self.assertNotIn("Next step", names)

    def test_a_failure_links_to_its_step_and_foreign_text_never_runs(self):
        events, number = failing_and_hostile()
        self.see(lines(events))
        link = ".failures a"
        self.assertIn("<img", self.text(link))
        self.browser.run(f"document.querySelector('{link}').click()")
        self.browser.run("new Promise(requestAnimationFrame)")
        self.assertEqual(self.at(), f"event={number}")
        self.press("Home", *["ArrowRight"] * 40)
        self.assertIsNone(self.browser.run("window.hacked"))
        self.assertEqual(self.browser.run("document.images.length"), 0)

    def test_markup_that_gets_into_a_page_does_not_run(self):
        page = self.report(self.record("one", POWER_CYCLE.read_text()))
        markup = "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"
        page.write_text(page.read_text().replace("<main>", "<main>" + markup, 1))
        browser = Chromium()
        self.addCleanup(browser.close)
        browser.open(page.as_uri())
        self.assertIsNone(browser.run("window.hacked"))
        self.assertFalse(browser.run("document.querySelector('.player').hidden"), "ours runs")

    def cost_to_open(self, page):
        """Returns what the browser lays out, its listeners, and the renderer's CPU time."""
        browser = Chromium()
        self.addCleanup(browser.close)
        browser.open(page.as_uri())
        self.assertEqual(browser.complaints(), [])
        return [browser.metric(name) for name in
                ("LayoutObjects", "JSEventListeners", "ProcessTime")]

    def test_five_thousand_events_do_not_take_long_to_open(self):
        """Compared with 500 in the same browser on the same machine. What it lays out is 3.3 times
        as much, and the CPU time was 2.1 to 3.1 times as long. What else happens on the machine can
        only add to the time, so the shortest of several is the page's own."""
        few = self.report(self.record("few", lines(long_run(500))))
        many = self.report(self.record("many", lines(long_run(5000))))
        self.assertLess(many.stat().st_size, LARGEST_PAGE + 5000 * LARGEST_EVENT)
        costs = [(self.cost_to_open(few), self.cost_to_open(many)) for _ in range(8)]
        (objects_of_few, listeners_of_few, _), (objects_of_many, listeners_of_many, _) = costs[0]
        self.assertLess(objects_of_many, 3.5 * objects_of_few)
        self.assertEqual(listeners_of_many, listeners_of_few)
        shortest_of_few, shortest_of_many = (min(cost[2] for cost in of) for of in zip(*costs))
        self.assertLess(shortest_of_many, 3.5 * shortest_of_few, costs)

    def test_rows_with_a_shared_drawing_work_like_others(self):
        page = self.see(lines(long_run(800)), "#event=700")
        self.assertIn("#row=", page.read_text())
        self.assertTrue(self.browser.run("!!document.querySelector('.step.at use')"))
        self.assertEqual(self.text(".now"), "kang: … poll(4) = 1 stdin IN")
        lit = "getComputedStyle(document.querySelector('.step.at')).getPropertyValue('--hit')"
        self.assertTrue(self.browser.run(lit))
        self.browser.scripts(False)
        self.open(page, "#event=700")
        names = self.browser.accessible_names()
        self.assertIn("kang sends data 22 again seq 1 ack 1 to kodos, delivered", names)

    def test_a_narrow_window_does_not_scroll_sideways(self):
        self.browser.size(390, 844, mobile=True)
        self.see(HOLDING.read_text())
        self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), 390)

    def test_every_step_has_a_text_and_every_control_a_name(self):
        self.see(HOLDING.read_text())
        self.assertEqual(self.browser.run(
            "[...document.querySelectorAll('.step')].filter((s) => "
            "!s.querySelector('title').textContent).length"), 0)
        self.assertEqual(self.browser.run(
            "[...document.querySelectorAll('button, select, input')].filter((c) => "
            "!c.getAttribute('aria-label') && !c.labels?.[0]?.textContent && !c.textContent)"
            ".length"), 0)

    def test_the_table_has_a_row_for_each_step(self):
        self.see(POWER_CYCLE.read_text())
        self.browser.run("document.querySelector('.words').open = true")
        self.browser.run("new Promise(requestAnimationFrame)")
        rows = self.browser.run("[...document.querySelectorAll('.words tbody tr')]"
                                ".map((row) => row.innerText.trim().replaceAll('\\t', ' | '))")
        self.assertIn("0.025877 | kang is up", rows)
        self.assertIn("kang sends SYN to kodos, delivered", " ".join(rows))
        self.browser.run("document.querySelector('.words a[href=\"#event=23\"]').click()")
        self.browser.run("new Promise(requestAnimationFrame)")
        self.assertEqual(self.at(), "event=23")

    def test_the_index_filters_runs_by_edge_and_by_text(self):
        self.record("a", POWER_CYCLE.read_text())
        self.record("b", HOLDING.read_text())
        self.open(self.report(self.folder / "runs"))
        shown = "document.querySelectorAll('.topic tbody tr:not([hidden])').length"
        self.assertEqual(self.browser.run(shown), 2)
        self.browser.run("document.querySelector('[data-edge=\"FIN_WAIT1 CLOSING\"]')"
                         ".dispatchEvent(new MouseEvent('click'))")
        self.assertEqual(self.browser.run(shown), 1)
        self.assertRegex(self.browser.run("location.hash"), re.escape("#edge=FIN_WAIT1+CLOSING"))
        self.open(self.folder / "pages/index.html", "#text=cycled")
        self.assertEqual(self.browser.run(shown), 1)


if __name__ == "__main__":
    skips.main()
