#!/usr/bin/env python3
"""Checks `tcplab trace --waits`: which calls waited, for how long, what ended that, and where in
the program it was."""
import json
import os
import platform
import re
import signal
import subprocess
import sys
import time
import unittest

import lab
import pythons
from traced import python, trace

# recvfrom(2), poll(2) or ppoll(2), epoll_wait(2), epoll_pwait(2), as /proc/PID/syscall has them.
WAITS = ("45", "7", "232", "281") if platform.machine() == "x86_64" else ("207", "73", "22")

# b and c are the ends of one connection. after() makes a call, and ends its wait from a thread that
# has seen the call sleep, slept itself, and printed for how long, in nanoseconds.
SHOP = f"WAITS = {WAITS}" + """
import select, socket, sys, threading, time
a = socket.create_server(("127.0.0.1", 0)); b = socket.create_connection(a.getsockname())
c, _ = a.accept()

def answer(seconds, *ends):
    entered = time.monotonic_ns()
    time.sleep(seconds)
    print(time.monotonic_ns() - entered, flush=True)
    for end in ends or [c]: end.send(b"x")

def blocked(thread):
    if open(f"/proc/self/task/{thread}/syscall").read().split()[0] not in WAITS: return False
    return open(f"/proc/self/task/{thread}/stat").read().rsplit(")", 1)[1].split()[0] == "S"

def after(seconds, wait, *ends):
    reader = threading.get_native_id()
    def sends():
        while not blocked(reader): time.sleep(0.001)
        answer(seconds, *ends)
    sender = threading.Thread(target=sends)
    sender.start(); result = wait(); sender.join()
    return result

"""

SLOW_AND_FAST = SHOP + """
def fetch_slow(): after(1.5, lambda: b.recv(1))
def fetch_fast(): after(0.6, lambda: b.recv(2))
fetch_slow(); fetch_fast()
"""

FRAMES = SHOP + """
def wait_for_price():
    return b.recv(1)
def order():
    return after(0.3, wait_for_price)
order()
"""

POLLS = SHOP + """
p = select.poll(); p.register(b, select.POLLIN)
after(1, lambda: p.poll(60000)); b.recv(1)
p.poll(1000)
d = socket.create_connection(a.getsockname()); e, _ = a.accept()
q = select.epoll(); q.register(b, select.EPOLLIN); q.register(d, select.EPOLLIN)
q.poll(1)
"""

REFUSED = """
import socket
s = socket.socket(); s.bind(("127.0.0.1", 0))
try: socket.create_connection(s.getsockname())
except ConnectionRefusedError: print("refused")
"""

# A pipe ends the wait of epoll, and nothing shows that in the trace.
BY_PIPE = SHOP + """
import os
r, w = os.pipe()
q = select.epoll(); q.register(b, select.EPOLLIN); q.register(r, select.EPOLLIN)
class End:
    def send(self, data): os.write(w, data)
print(len(after(0.3, q.poll, End())), flush=True)
os._exit(0)  # no other call on TCP
"""

STUCK = SHOP + """
import os, signal
signal.signal(signal.SIGINT, signal.SIG_DFL)
def wait_for_ever(): b.recv(1)
print(os.getpid(), flush=True)
wait_for_ever()
"""


IGNORES = STUCK.replace("SIG_DFL)", "SIG_DFL); signal.signal(signal.SIGTERM, signal.SIG_IGN)")


def end_trace_alone(traced, _child):
    """The first signal is the program's. Sent again if it arrives together with the next."""
    while traced.poll() is None:
        traced.send_signal(signal.SIGTERM)
        time.sleep(0.05)


class Traced:
    """A program under --waits, with the events of its waits and the lines of its folded file."""

    def __init__(self, text, threshold="100ms"):
        with lab.Folder() as folder:
            self.done = trace([sys.executable, "-c", text], "--waits", threshold, "-f", "json",
                              "-o", folder / "trace", "--folded", folder / "folded")
            lines = (folder / "trace").read_text(encoding="utf-8").splitlines()
            self.folded = parse((folder / "folded").read_text(encoding="utf-8"))
        self.waits = [json.loads(line) for line in lines]


def parse(text):
    """Returns the lines of a folded file as (frames, milliseconds)."""
    return [(stack.split(";"), int(count))
            for stack, count in (line.rsplit(" ", 1) for line in text.splitlines())]


def functions(frames):
    """Returns the names of Python functions among the frames."""
    return [found[1] for frame in frames
            if (found := re.fullmatch(r"(\S+) \(<string>:\d+\)", frame))]


class Waits(unittest.TestCase):
    def test_a_wait_has_its_duration_and_connection(self):
        traced = Traced(SLOW_AND_FAST)
        self.assertEqual(traced.done.returncode, 0, traced.done.stderr)
        slow = int(traced.done.stdout.split()[0])
        wait = next(one for one in traced.waits if one["args"] == "1 bytes")
        self.assertEqual((wait["call"], wait["phase"], wait["result"]), ("recvfrom", "return", 1))
        self.assertGreaterEqual(wait["t"] - wait["entered"], slow)
        self.assertTrue(wait["local"] and wait["remote"], wait)

    def test_only_waits_that_reach_the_threshold_are_there(self):
        for threshold, least, expected in (("1m", 60_000_000_000, []),
                                           ("1s", 1_000_000_000, ["1 bytes"]),
                                           ("100ms", 100_000_000, ["1 bytes", "2 bytes"])):
            with self.subTest(threshold):
                waits = Traced(SLOW_AND_FAST, threshold).waits
                self.assertTrue(all(one["t"] - one["entered"] >= least for one in waits), waits)
                found = [one["args"] for one in waits]
                self.assertEqual([args for args in expected if args not in found], [], waits)

    def test_a_text_line_has_the_duration_and_the_stack_below(self):
        done = trace(python(SLOW_AND_FAST), "--waits", "100ms")
        self.assertRegex(done.stderr, r'(?m)^\S+ \[\d+\] recvfrom\(\d+, 1 bytes\) = 1 "x" after '
                                      r"\d\.\d{6} s  127\.0\.0\.1:\d+ > 127\.0\.0\.1:\d+\n    at ")
        self.assertNotIn("connect(", done.stderr)

    def test_a_connect_that_is_refused_is_no_wait(self):
        traced = Traced(REFUSED)
        self.assertEqual((traced.done.stdout, traced.waits, traced.folded), ("refused\n", [], []))

    def test_poll_and_epoll_name_what_ended_them_or_what_they_wait_for(self):
        traced = Traced(POLLS)
        self.assertEqual([one["call"] for one in traced.waits], ["poll", "poll", "epoll_wait"])
        self.assertEqual([one["result"] for one in traced.waits], [1, 0, 0])
        self.assertGreaterEqual(traced.waits[0]["t"] - traced.waits[0]["entered"],
                                int(traced.done.stdout))
        server = traced.waits[0]["remote"]
        ends = {tuple(frames[-2:]) for frames, _ in traced.folded}
        self.assertEqual(ends, {(f"poll {server}", "IN"), (f"poll {server}", "timeout"),
                                (f"epoll_wait {server}, {server}", "timeout")})

    def test_an_epoll_wait_that_a_pipe_has_ended_is_not_said_to_go_on(self):
        traced = Traced(BY_PIPE)
        self.assertEqual(traced.done.stdout.split()[1:], ["1"], traced.done.stderr)
        self.assertEqual([one for one in traced.waits if one["call"] == "epoll_wait"], [])

    def test_a_wait_that_never_ends_is_printed_at_the_end_of_program_or_trace(self):
        for text, interrupt in ((STUCK, lambda traced, child: os.kill(child, signal.SIGINT)),
                                (STUCK, lambda traced, child: os.kill(child, signal.SIGKILL)),
                                (STUCK, lambda traced, _: traced.send_signal(signal.SIGTERM)),
                                (IGNORES, end_trace_alone)):
            with lab.Folder() as folder:
                command = [lab.TCPLAB, "trace", "--waits", "100ms", "-o", folder / "trace",
                           "--folded", folder / "folded", "--", *python(text)]
                with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as traced:
                    child = int(traced.stdout.readline())
                    self.wait_until_seen(traced.pid, child)
                    interrupt(traced, child)
                    traced.communicate(timeout=60)
                said = (folder / "trace").read_text(encoding="utf-8")
                folded = parse((folder / "folded").read_text(encoding="utf-8"))
            self.assertRegex(said, r"recvfrom\(\d+, 1 bytes\) \S+ not ended after "
                                   r"\d+\.\d{6} s  127\.0\.0\.1")
            self.assertIn("not ended", [frames[-1] for frames, _ in folded])

    @staticmethod
    def wait_until_seen(tracer, program):
        """Until the program receives, and the tracer looks at that: it then has a thread."""
        receives = False
        while not receives or len(os.listdir(f"/proc/{tracer}/task")) < 2:
            time.sleep(0.001)
            text = lab.Path(f"/proc/{program}/syscall").read_text(encoding="utf-8")
            receives = text.split()[0] == WAITS[0]


class Refusals(unittest.TestCase):
    def test_a_file_that_cannot_be_written_is_refused_before_the_program_starts(self):
        with lab.Folder() as folder:
            done = trace(["touch", folder / "started"], "--waits", "1s", "--folded",
                         folder / "none/x")
            self.assertEqual((done.returncode, (folder / "started").exists()), (2, False))
        self.assertRegex(done.stderr, r"^tcplab: cannot write .*/none/x: No such file")

    def test_what_is_no_duration_is_refused(self):
        for text in ("10", "5us", "0ms", "-1s", "ms", "1.5s"):
            with self.subTest(text):
                done = trace(["true"], f"--waits={text}")
                self.assertEqual(done.returncode, 2)
                self.assertIn("write it as 10ms, 2s or 1m", done.stderr)
        self.assertIn("--folded requires --waits",
                      trace(["true"], "--folded", "x").stderr)


class Languages(unittest.TestCase):
    def test_the_folded_stack_has_the_functions_outermost_first(self):
        known = sum(pythons.found().values(), [])
        self.assertTrue(known, "no Python whose frames are known")
        for program in known:
            with self.subTest(program), lab.Folder() as folder:
                done = trace([program, "-c", FRAMES], "--waits", "100ms", "--folded",
                             folder / "folded")
                lines = parse((folder / "folded").read_text(encoding="utf-8"))
                frames, count = next(one for one in lines if one[0][-2].startswith("recvfrom"))
                self.assertEqual(functions(frames), ["<module>", "order", "after",
                                                     "wait_for_price"])
                self.assertEqual(frames[-1], "data")
                self.assertGreaterEqual(count, int(done.stdout) // 1_000_000)


if __name__ == "__main__":
    lab.main()
