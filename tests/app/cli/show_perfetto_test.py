#!/usr/bin/env python3
"""Checks `tcplab show --perfetto`: the format, and what it says of a run."""
import json
import os
import pathlib
import unittest

import trace_events
from pages import HOLDING, POWER_CYCLE, Pages, lines, read, tcplab

EVENTS = sorted((pathlib.Path(os.environ["TCPLAB_SOURCE"]) / "tests/events").glob("*.jsonl"))
POWER_OFF = POWER_CYCLE.parent / "power-off.jsonl"


class Trace:
    """The slices, moments and arrows of a file, with the names of their rows."""

    def __init__(self, text):
        self.events = trace_events.check(text)
        names = {(event["pid"], event["tid"], event["name"]): event["args"]["name"]
                 for event in self.events if event["name"] in ("process_name", "thread_name")}
        self.rows = {(pid, tid): (names[pid, 0, "process_name"], name)
                     for (pid, tid, kind), name in names.items() if kind == "thread_name"}

    def row(self, event):
        return self.rows[event["pid"], event["tid"]]

    def names(self, phase, host, row):
        """Returns the names of the slices or moments whose row begins so, in their order."""
        return [event["name"] for event in self.events if event["ph"] == phase
                and self.row(event)[0] == host and self.row(event)[1].startswith(row)]

    def slices(self, name):
        return [event for event in self.events if event["ph"] == "X" and event["name"] == name]

    def flows(self):
        """Returns (name, from, to) of each arrow."""
        ends = {}
        for event in self.events:
            if event["ph"] in "sf":
                ends.setdefault(event["id"], []).append(event)
        return [(begin["name"], self.row(begin)[0], self.row(end)[0])
                for begin, end in ends.values()]


class Perfetto(Pages):
    def shown(self, file):
        done = tcplab("show", file, "--perfetto", "-")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_the_format_is_kept(self):
        for file in EVENTS:
            with self.subTest(file.stem):
                self.assertGreater(len(trace_events.check(self.shown(file))), 50)

    def test_the_check_of_the_format_is_strict(self):
        text = self.shown(POWER_CYCLE)
        document = json.loads(text)

        def broken(change):
            copy = json.loads(text)
            change(copy["traceEvents"])
            return json.dumps(copy)

        def first(events, phase):
            return next(event for event in events if event["ph"] == phase)

        trace_events.check(json.dumps(document))
        for change in [
                lambda events: first(events, "X").pop("dur"),
                lambda events: first(events, "f").pop("bp"),
                lambda events: first(events, "X").update(tid=1),
                lambda events: first(events, "s").update(ts=first(events, "s")["ts"] + 1e9),
                lambda events: events.remove(first(events, "f")),
                lambda events: first(events, "X").update(dur=first(events, "X")["dur"] + 10),
                lambda events: events.reverse()]:
            self.assertRaises(trace_events.FormatFault, trace_events.check, broken(change))

    def test_hosts_have_calls_states_and_frames(self):
        trace = Trace(self.shown(POWER_CYCLE))
        calls = trace.names("X", "kang", "dnc (pid ")
        self.assertEqual(calls[:2], ["socket", "connect"])
        self.assertIn("write", calls)
        states = trace.names("X", "kang", "10.0.0.1:")
        self.assertEqual(states, ["SYN_SENT", "ESTABLISHED"])
        self.assertEqual(trace.names("X", "kodos", "10.0.0.2:"), ["SYN_RECV", "ESTABLISHED"])
        self.assertIn("data 22 seq 1 ack 1", trace.names("X", "kang", "frames sent"))
        self.assertEqual(trace.names("X", "kodos", "power"), ["no power"])
        self.assertEqual(trace.names("X", "kang", "power"), [])
        script = trace.names("i", "the lab", "script")
        self.assertIn("kodos: power_cycle", script)
        self.assertTrue(any(name.startswith("✓ ") for name in script))
        failed = [event["args"]["result"] for event in trace.slices("read")]
        self.assertIn("-1 ECONNRESET", failed)
        reset = next(flow for flow in trace.flows() if flow[0].startswith("RST"))
        self.assertEqual(reset[1:], ("kodos", "kang"))

    def test_a_call_that_power_ends_has_not_returned(self):
        trace = Trace(self.shown(POWER_CYCLE))
        (dark,) = trace.slices("no power")
        (accept,) = trace.slices("accept")
        self.assertEqual(accept["args"]["result"], "has not returned")
        self.assertAlmostEqual(accept["ts"] + accept["dur"], dark["ts"], 2)
        (connect,) = trace.slices("connect")
        self.assertEqual(connect["args"]["result"], "0")

    def test_curves_show_how_a_connection_sends(self):
        events = [event for event in Trace(self.shown(POWER_OFF)).events if event["ph"] == "C"]
        timeouts = [event["args"]["ms"] for event in events
                    if event["name"].startswith("RTO, 10.0.0.1:")]
        self.assertGreater(timeouts[-1], 3 * min(timeouts), "it backs off")
        self.assertTrue(all("segments" in event["args"] for event in events
                            if event["name"].startswith("cwnd, ")))

    def test_what_kernels_and_probes_say_is_a_moment(self):
        events = read(POWER_CYCLE)
        where = {"n": 0, "t": events[-1]["t"], "host": "kang"}
        said = [where | {"kind": "kernel", "what": "drop", "local": "10.0.0.1:40000",
                         "remote": "10.0.0.2:8080", "reason": "NO_SOCKET", "frame": 4},
                where | {"kind": "probe", "program": "dnc", "pid": 2, "provider": "a",
                         "name": "b", "args": []},
                {"n": 0, "t": events[-1]["t"], "kind": "note", "text": "a note"}]
        trace = Trace(self.shown(self.record("more", lines(events[:-1] + said + events[-1:]))))
        (kernel,) = trace.names("i", "kang", "kernel")
        self.assertIn("NO_SOCKET", kernel)
        self.assertIn("a:b()", trace.names("i", "kang", "dnc (pid 2)"))
        self.assertIn("a note", trace.names("i", "the lab", "script"))

    def test_a_lost_frame_has_no_arrow(self):
        trace = Trace(self.shown(POWER_OFF))
        lost = [event for event in trace.events
                if event.get("args", {}).get("fate") == "lost"]
        self.assertGreater(len(lost), 3)
        self.assertIn("kodos is not on the wire", lost[0]["args"]["effects"])
        begins = {(event["pid"], event["tid"], event["ts"])
                  for event in trace.events if event["ph"] == "s"}
        for event in lost:
            self.assertNotIn((event["pid"], event["tid"], event["ts"]), begins)
        self.assertGreater(len(begins), 2)

    def test_a_held_frame_is_one_slice_and_its_arrow_is_as_long_as_its_wait(self):
        trace = Trace(self.shown(HOLDING))
        held = [event for event in read(HOLDING)
                if event["kind"] == "packet" and event["fate"] == "held"]
        self.assertGreater(len(held), 1)
        for packet in held:
            sent = [event for event in trace.events if event["ph"] == "X"
                    and event["args"].get("frame") == packet["frame"]
                    and trace.row(event)[1] == "frames sent"]
            self.assertEqual([event["args"]["fate"] for event in sent], ["delivered"])
            begin = next(event for event in trace.events if event["ph"] == "s"
                         and (event["tid"], event["ts"]) == (sent[0]["tid"], sent[0]["ts"]))
            end = next(event for event in trace.events
                       if event["ph"] == "f" and event["id"] == begin["id"])
            self.assertGreater(end["ts"] - begin["ts"], 100)

    def test_a_run_that_was_cut_off_ends_its_slices(self):
        events = read(POWER_CYCLE)
        returns = next(at for at, event in enumerate(events)
                       if event["kind"] == "call" and event.get("call") == "connect"
                       and event["phase"] == "return")
        done = tcplab("show", self.record("cut", lines(events[:returns])), "--perfetto", "-")
        self.assertIn("the run did not finish", done.stderr)
        (connect,) = Trace(done.stdout).slices("connect")
        self.assertEqual(connect["args"]["result"], "has not returned")
        self.assertGreater(connect["dur"], 1)

    def test_text_from_outside_stays_text(self):
        events = read(POWER_CYCLE)
        for event in events:
            for field in ("host", "from", "to", "program"):
                if event.get(field) and event["kind"] in ("host", "packet", "call"):
                    event[field] += '\x1b[2J"<b>'
        text = tcplab("show", self.record("hostile", lines(events)), "--perfetto", "-").stdout
        self.assertNotIn("\x1b", text)
        hosts = {host for host, _ in Trace(text).rows.values()}
        self.assertIn('kang\\x1b[2J"<b>', hosts)


if __name__ == "__main__":
    unittest.main()
