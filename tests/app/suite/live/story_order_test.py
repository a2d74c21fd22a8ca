#!/usr/bin/env python3
"""Checks the order of each story of the catalogue: when a host loses its power, a cable is
pulled or a program is stopped, no connect(2) or accept(2) is pending whose connection is already
ESTABLISHED. Otherwise the ladder shows that the call returns after the disaster, or never.

Whether a call returns in time depends on chance: one run may miss a script that does not wait."""
import collections
import json
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
import catalogue
import lab

DISASTERS = {"power_off", "power_cycle", "crash", "reboot", "unplug", "stop", "kill", "freeze",
             "link", "remove_address"}
# These are about calls that are pending, and about programs that do not get to accept. In
# pymysql-handshake the server loses its power at the acknowledgment of its SYN.
PENDING_ON_PURPOSE = {"accept-interrupted", "connect-interrupted", "close-while-connecting",
                      "pymysql-handshake-default", "pymysql-handshake-read-timeout"}


class Ends:
    """What the calls and the kernels of a run say until a disaster."""

    def __init__(self):
        self.pending = {}  # (host, program, id) -> call
        self.established = collections.Counter()  # by host: connections that it accepts
        self.accepted = collections.Counter()
        self.connecting = collections.Counter()  # (host, program) -> established before connect

    def note(self, event):
        if event["kind"] == "call" and event["call"] in ("connect", "accept"):
            self.note_call(event)
        if event["kind"] == "state" and event["to"] == "ESTABLISHED":
            way = "accept" if event["from"] in ("SYN_RECV", "LISTEN") else "connect"
            self.established[event["host"], way] += 1

    def note_call(self, event):
        key = (event["host"], event["program"], event["id"])
        if event["phase"] == "enter":
            self.pending[key] = event["call"]
            return
        self.pending.pop(key, None)
        if event["result"] != -1 or event.get("errno") == "EINPROGRESS":
            self.accepted[event["host"], event["call"]] += 1

    def late(self):
        """Returns the pending calls whose connection is there already."""
        return sorted({f"{call} of {host}'s {program}"
                       for (host, program, _), call in self.pending.items()
                       if self.established[host, call] > self.accepted[host, call]})


def late_calls(path):
    """Returns each late call of a run, with the disaster that it misses."""
    events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    late, ends = [], Ends()
    for event in sorted(events, key=lambda event: event["t"]):
        if event["kind"] == "action" and event["verb"] in DISASTERS:
            late += [f"{call} before {event['verb']}" for call in ends.late()]
        ends.note(event)
    return late


class TheCheck(unittest.TestCase):
    """late_calls() on runs that are written here."""

    ESTABLISHED = {"t": 2, "kind": "state", "host": "kang", "from": "SYN_SENT", "to": "ESTABLISHED"}
    POWER_OFF = {"t": 3, "kind": "action", "host": "kodos", "verb": "power_off"}

    def late(self, *events):
        with lab.Folder() as folder:
            path = pathlib.Path(folder, "events.jsonl")
            path.write_text("\n".join(map(json.dumps, events)), encoding="utf-8")
            return late_calls(path)

    @staticmethod
    def call(t, phase, name="connect", host="kang", **result):
        return {"t": t, "kind": "call", "host": host, "program": "dnc", "id": 1, "phase": phase,
                "call": name, **result}

    def test_a_call_that_returns_after_the_disaster_is_late(self):
        late = self.late(self.call(1, "enter"), self.ESTABLISHED, self.POWER_OFF,
                         self.call(4, "return", result=0))
        self.assertEqual(late, ["connect of kang's dnc before power_off"])

    def test_a_call_that_returned_is_not(self):
        self.assertEqual(self.late(self.call(1, "enter"), self.ESTABLISHED,
                                   self.call(2, "return", result=0), self.POWER_OFF), [])

    def test_a_call_without_a_connection_is_not(self):
        self.assertEqual(self.late(self.call(1, "enter"), self.POWER_OFF,
                                   self.call(4, "return", result=-1, errno="ETIMEDOUT")), [])

    def test_an_accept_that_never_returns_is_late_if_a_connection_waits(self):
        accept = self.call(1, "enter", "accept", "kodos")
        waiting = {**self.ESTABLISHED, "host": "kodos", "from": "SYN_RECV"}
        self.assertEqual(self.late(accept, waiting, self.POWER_OFF),
                         ["accept of kodos's dnc before power_off"])
        self.assertEqual(self.late(accept, self.POWER_OFF), [])


class StoryOrder(unittest.TestCase):
    def test_calls_return_before_disasters(self):
        runs = sorted(catalogue.runs(type(self)).glob("*/events.jsonl"))
        self.assertGreater(len(runs), 400)
        for run in runs:
            if run.parent.name.rsplit("-", 1)[0] in PENDING_ON_PURPOSE:
                continue
            with self.subTest(run=run.parent.name):
                self.assertEqual(late_calls(run), [])


if __name__ == "__main__":
    lab.main()
