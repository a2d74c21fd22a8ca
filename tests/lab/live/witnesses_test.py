#!/usr/bin/env python3
"""Checks that the events of a run agree with what tcpdump, ss and strace saw of it."""
import os
import re
import sys
import unittest

sys.dont_write_bytecode = True
import lab

# LeakSanitizer does not work under a ptrace(2) tracer such as strace(1), and fails the program.
os.environ["ASAN_OPTIONS"] = "detect_leaks=0"

# Writes of dnc to its descriptor 3 (its events) are not compared.
CALLS = ("poll", "read", "write", "shutdown", "close", "getsockopt")
SS_STATES = {"ESTAB": "ESTABLISHED", "CLOSE-WAIT": "CLOSE_WAIT", "FIN-WAIT-1": "FIN_WAIT1",
             "FIN-WAIT-2": "FIN_WAIT2", "TIME-WAIT": "TIME_WAIT", "LAST-ACK": "LAST_ACK",
             "SYN-SENT": "SYN_SENT", "SYN-RECV": "SYN_RECV", "CLOSING": "CLOSING",
             "LISTEN": "LISTEN"}
STRACE_LINE = re.compile(r"(\w+)\((.*)\) += (-?\d+)(?: (E\w+))?")


def strace_calls(text):
    """Returns (call, descriptor, result, error) for each finished call."""
    calls = []
    for line in text.splitlines():
        match = STRACE_LINE.match(line)
        if not match:
            continue
        name, arguments, result, error = match.groups()
        # If strace attaches during a poll, it may show that poll as restart_syscall.
        name = {"restart_syscall": "poll"}.get(name, name)
        descriptor = arguments.split(",")[0]
        of_program = name == "write" and descriptor in ("2", "3")
        if name in CALLS and not of_program:
            calls.append((name, None if name == "poll" else int(descriptor), int(result), error))
    return calls


class Witnesses(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        lab.need("tcpdump", "strace", "ss", "pgrep")
        cls.out = lab.Folder()
        cls.addClassCleanup(cls.out.cleanup)
        cls.run_ = lab.Run("witnessed.lua", cls.out.name, "--trust", timeout=300)
        if cls.run_.status != 0:
            raise AssertionError(cls.run_.said())

    def test_tcpdump_saw_the_same_frames(self):
        """Compares each direction on its own, because tcpdump may see them in another order."""
        theirs = lab.read_pcap(self.out.name + "/tcpdump.pcap")
        ours = [frame.data for frame in self.run_.frames() if frame.interface == "kang.eth0"]
        self.assertGreater(len(theirs), 42)  # 60,000 bytes in segments of 1448
        for sender in (1, 2):  # the last byte of the sender's link address
            with self.subTest(sender=sender):
                self.assertEqual([frame for frame in theirs if frame[11] == sender],
                                 [frame for frame in ours if frame[11] == sender])

    def test_events_have_the_segments_that_tcpdump_saw(self):
        theirs = [lab.segment(frame) for frame in lab.read_pcap(self.out.name + "/tcpdump.pcap")]
        seen = [(s.source[1], s.seq, len(s.payload), "F" in s.flags, "S" in s.flags)
                for s in theirs if s]
        recorded = [(int(event["source"].rsplit(":")[-1]), event["seq"], event.get("length", 0),
                 "F" in event["flags"], "S" in event["flags"])
                for event in self.run_.events("packet") if event["protocol"] == "TCP"]
        self.assertEqual(sorted(seen), sorted(recorded))

    def test_ss_saw_the_same_states(self):
        states, testimonies = {}, []
        for event in self.run_.events():
            if event["kind"] == "state":
                states[event["host"], event["local"], event["remote"]] = event["to"]
            elif event.get("program", "").startswith("ss") and event.get("change") == "wrote":
                for line in event["text"].splitlines():
                    # ss shows IPv4 on an IPv6 socket as ::ffff:a.b.c.d (ipv6(7)); events do not.
                    plain = re.sub(r"\[::ffff:([\d.]+)\]", r"\1", line)
                    state, _, _, local, remote = plain.split()[:5]
                    if state != "LISTEN":
                        ours = states.get((event["host"], local, remote))
                        testimonies.append((event["host"], SS_STATES[state]))
                        self.assertEqual(ours, SS_STATES[state], line)
        for needed in (("kang", "ESTABLISHED"), ("kodos", "ESTABLISHED"), ("kang", "FIN_WAIT2"),
                       ("kodos", "CLOSE_WAIT"), ("kang", "TIME_WAIT")):
            self.assertIn(needed, testimonies)

    def test_strace_saw_the_same_calls(self):
        with open(self.out.name + "/strace.txt", encoding="utf-8") as text:
            theirs = strace_calls(text.read())
        ours = [(event["call"], None if event["call"] == "poll" else event.get("fd"),
                 event["result"], event.get("errno"))
                for event in self.run_.events("call")
                if event["host"] == "kang" and event["phase"] == "return"]
        self.assertGreater(len(theirs), 10)
        self.assertEqual(theirs, ours[-len(theirs):])
        # Calls before strace attached, which may include the poll during which it attached.
        before = [call for call, *_ in ours[:-len(theirs)] if call != "setsockopt"]
        self.assertIn(before, (["socket", "connect"], ["socket", "connect", "poll"]))


if __name__ == "__main__":
    lab.main()
