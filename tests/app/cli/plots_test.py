#!/usr/bin/env python3
"""Checks the plots of a run's page: they show the events' numbers, they and the ladder lead to each
other, and they hide what comes later."""
import json

import skips
from pages import POWER_CYCLE, BrowsedPages, lines, read

CLIENT, SERVER = "10.0.0.1:40000", "10.0.0.2:8080"
MS = 1_000_000


class Transfer:
    """Builds a run in which kang sends data to kodos."""

    def __init__(self):
        self.events = read(POWER_CYCLE)[:3]
        self.t = self.events[-1]["t"]
        self.frame = 0

    def add(self, **event):
        self.events.append({"n": len(self.events) + 1, "t": self.t, **event})
        return self.events[-1]["n"]

    def packet(self, flags, seq, ack, length=0, back=False, **more):
        self.frame += 1
        hosts = ("kodos", "kang") if back else ("kang", "kodos")
        ends = (SERVER, CLIENT) if back else (CLIENT, SERVER)
        event = {"fate": "delivered", "delivered": self.t + 40_000, **more}
        if event["fate"] == "lost":
            del event["delivered"]
        return self.add(kind="packet", frame=self.frame, **dict(zip(("from", "to"), hosts)),
                        sent=self.t, protocol="TCP", source=ends[0], destination=ends[1],
                        flags=flags, seq=(5000 if back else 1000) + seq,
                        ack=(1000 if back else 5000) + ack, window=500, length=length,
                        summary=f"Flags [{flags}]", **event)

    def sending(self, **values):
        return self.add(kind="sending", host="kang", local=CLIENT, remote=SERVER,
                        frame=self.frame, mss=1000, **values)

    def run(self):
        self.packet("S", 0, 0, window_scale=7)
        self.packet("S.", 0, 1, back=True, window_scale=7)
        self.packet(".", 1, 1)
        self.sending(cwnd=10, ssthresh=2147483647, rto=200 * MS, srtt=100_000)
        self.t += 10 * MS
        for index in range(5):
            self.packet("P.", 1 + 1000 * index, 1, 1000,
                        **({"fate": "lost"} if index == 1 else {}))
        self.t += 5 * MS
        self.packet(".", 1, 1001, back=True, sack=[{"begin": 3001, "end": 6001}])
        self.sending(cwnd=5, ssthresh=5, rto=200 * MS, srtt=5 * MS)
        self.t += 5 * MS
        self.again = self.packet("P.", 1001, 1, 1000)
        self.t += 5 * MS
        self.packet(".", 1, 5001, back=True)
        self.add(kind="end", outcome="passed", duration=30 * MS)
        return lines(self.events)


class Plots(BrowsedPages):
    def setUp(self):
        super().setUp()
        self.transfer = Transfer()
        self.see(self.transfer.run())
        self.browser.run("[...document.querySelectorAll('.tabs button')].find((tab) => "
                         "tab.textContent === 'Plots').click()")

    def path(self, selector):
        return self.browser.run(
            f"document.querySelector({json.dumps('.plot ' + selector)})?.getAttribute('d') || ''")

    def test_each_kind_of_segment_has_its_marks(self):
        self.assertEqual(self.path(".segment").count("M"), 6)  # the SYN and the data
        self.assertEqual(self.path(".again").count("M"), 1)
        self.assertEqual(self.path(".lost-mark").count("M"), 1)
        self.assertEqual(self.path(".sack").count("M"), 1)
        for line in (".ack-line", ".edge-line", ".flight-line", ".cwnd-line", ".ssthresh-line",
                     ".srtt-line", ".rto-line"):
            self.assertTrue(self.path(line), line)
        self.assertEqual(self.browser.run("document.querySelectorAll('circle.rtt').length"), 3)

    def place_of(self, selector):
        """Returns where on the screen a path begins."""
        return self.browser.run(f"""(() => {{
          const path = document.querySelector('.plot {selector}');
          path.ownerSVGElement.parentElement.scrollIntoView({{block: 'center'}});
          const box = path.getBoundingClientRect();
          return [box.left + box.width / 2, box.top + box.height / 2];
        }})()""")

    def mouse(self, kind, x, y):
        self.browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left",
                          clickCount=1)

    def test_a_click_on_a_retransmission_goes_to_its_step(self):
        x, y = self.place_of(".again")
        self.mouse("mousePressed", x, y)
        self.mouse("mouseReleased", x, y)
        self.assertEqual(self.at(), f"event={self.transfer.again}")

    def test_hovering_marks_the_step_in_the_ladder_and_the_point_in_the_plots(self):
        x, y = self.place_of(".again")
        self.browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.assertEqual(self.browser.run("document.querySelector('.step.hovered').id"),
                         f"event={self.transfer.again}")
        self.assertIn("retransmission", self.text(".plot-text"))
        self.assertGreater(self.browser.run("document.querySelectorAll('.hovered-ring').length"), 0)

    def test_a_step_of_the_ladder_is_marked_in_the_plots(self):
        self.browser.run(f"location.hash = '#event={self.transfer.again}'")
        self.browser.run("new Promise(requestAnimationFrame)")
        self.assertGreater(self.browser.run("document.querySelectorAll('.plot .ring').length"), 0)
        self.assertEqual(self.browser.run("document.querySelectorAll('.plot .cursor').length"), 3)

    def test_plots_hide_what_comes_later(self):
        self.press("Home")
        self.assertEqual(self.path(".again"), "")
        self.assertEqual(self.path(".sack"), "")
        self.press("End")
        self.assertEqual(self.path(".again").count("M"), 1)

    def test_a_span_of_time_fills_the_plots(self):
        before = self.path(".segment").count("M")
        left, top, width = self.browser.run(
            "(() => { const box = document.querySelector('.plot').getBoundingClientRect();"
            "return [box.left, box.top, box.width]; })()")
        self.mouse("mousePressed", left + width * 0.9, top + 60)
        self.mouse("mouseMoved", left + width * 0.6, top + 60)
        self.mouse("mouseReleased", left + width * 0.6, top + 60)
        self.assertLess(self.path(".segment").count("M"), before)
        self.press("0")
        self.assertEqual(self.path(".segment").count("M"), before)

    def test_a_key_makes_the_plots_larger(self):
        width = "document.querySelector('.plot svg').clientWidth"
        small = self.browser.run(width)
        self.press("g")
        self.assertGreater(self.browser.run(width), small * 1.4)


class WithoutData(BrowsedPages):
    def test_a_connection_that_moves_no_data_has_no_plots(self):
        events = [event for event in read(POWER_CYCLE)
                  if event["kind"] != "packet" or not event.get("length")
                  or event["protocol"] != "TCP"]
        self.see(lines(events))
        self.assertIsNone(self.browser.run("document.querySelector('.plots')"))


if __name__ == "__main__":
    skips.main()
