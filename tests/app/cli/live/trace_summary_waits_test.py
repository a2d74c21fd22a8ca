#!/usr/bin/env python3
"""Ends traced programs that wait: the summary of `tcplab trace` says what would have ended the
wait, in the words of `tcplab look`. A program that ended by itself has no such words."""
import json
import os
import signal
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
import captures
import lab
from traced import CONNECTED, deliver, python, trace

SAYS = "import os\nprint(os.getpid(), flush=True)\n"
ENDLESS = "no timer of TCP ends this wait"


def on_one_line(text):
    return " ".join(text.split())


def waits_of(process):
    done = subprocess.run([lab.TCPLAB, "look", str(process), "--json"], capture_output=True,
                          text=True, check=False, timeout=60)
    if done.returncode == 2:
        return []
    return [wait for one in json.loads(done.stdout)["processes"] for wait in one["waits"]
            if "tid" in wait or "task" in wait]


class Traced:
    """A program under `tcplab trace --summary`."""

    def __init__(self, test, text, *options, start=subprocess.Popen):
        command = [lab.TCPLAB, "trace", "-q", "--summary", *options, "--", *python(text)]
        self.tracer = start(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        test.addCleanup(self.tracer.stdout.close)
        test.addCleanup(self.tracer.stderr.close)
        test.addCleanup(self.tracer.wait)
        test.addCleanup(self.tracer.kill)
        self.process = int(self.tracer.stdout.readline())

    def blocks(self, count=1):
        """Waits until so many calls block."""
        while len(waits_of(self.process)) < count:  # ctest ends a test that hangs
            time.sleep(0.02)
        return self

    def end(self, send=None):
        (send or self.tracer.send_signal)(signal.SIGTERM)
        return self.said()

    def said(self):
        return on_one_line(self.tracer.communicate(timeout=60)[1])


class Summary(unittest.TestCase):
    def test_a_wait_without_any_end(self):
        said = Traced(self, CONNECTED + SAYS + "b.recv(10)").blocks().end()
        self.assertIn("when SIGTERM came, at ", said)
        self.assertRegex(said, r"thread \d+ python\S* waits in recvfrom\(4, 10 bytes\) "
                               r"127\.0\.0\.1:\d+ > 127\.0\.0\.1:\d+ ESTABLISHED")
        self.assertIn("keepalive is off: " + ENDLESS, said)
        self.assertIn("blocked in recvfrom", said)

    def test_keepalive(self):
        sets = ("b.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)\n"
                "b.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 100)\n")
        said = Traced(self, CONNECTED + sets + SAYS + "b.recv(10)").blocks().end()
        self.assertIn("Everything is acknowledged. Keepalive sends a probe in about ", said)
        self.assertNotIn(ENDLESS, said)

    def test_the_frames_of_the_language(self):
        reads = CONNECTED + SAYS + "def reads():\n b.recv(10)\nreads()"
        self.assertRegex(Traced(self, reads).blocks().end(), r"at reads \(<string>:\d+\)")

    def test_a_signal_straight_to_the_program(self):
        traced = Traced(self, CONNECTED + SAYS + "b.recv(10)").blocks()
        said = traced.end(lambda number: os.kill(traced.process, number))
        self.assertIn("when SIGTERM came, at ", said)
        self.assertIn(ENDLESS, said)

    def test_interrupt_of_the_terminal(self):
        for wait in ("b.recv(10)", "select.select([b], [], [])"):
            with self.subTest(wait):
                traced = Traced(self, CONNECTED + SAYS + "import select\n" + wait,
                                start=lambda *given, **more: subprocess.Popen(
                                    *given, **more, start_new_session=True)).blocks()
                os.killpg(traced.tracer.pid, signal.SIGINT)
                said = traced.said()
                self.assertIn("when SIGINT came, at ", said)
                self.assertIn(ENDLESS, said)
                self.assertIn("KeyboardInterrupt", said)

    def test_a_call_that_a_signal_ends_with_an_error(self):
        timeout = ("b.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, "
                   "(600).to_bytes(8, 'little') + bytes(8))\n")
        for wait in (timeout + "b.recv(10)",
                     "import select; e = select.epoll(); e.register(b, 1); e.poll(600)"):
            with self.subTest(wait):
                said = Traced(self, CONNECTED + SAYS + wait).blocks().end()
                self.assertIn("The call itself ends 10 min after it began", said)

    def test_every_thread(self):
        threads = ("import threading\n"
                   "threading.Thread(target=c.recv, args=(1,), daemon=True).start()\na.accept()")
        said = Traced(self, CONNECTED + SAYS + threads).blocks(2).end()
        self.assertIn(ENDLESS, said)
        self.assertIn("The wait ends when a client connects", said)

    def test_a_process_that_still_runs_when_the_trace_ends(self):
        ignores = ("import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n")
        traced = Traced(self, CONNECTED + ignores + SAYS + "b.recv(10)").blocks()
        deliver(traced.tracer, signal.SIGTERM)
        with self.assertRaises(subprocess.TimeoutExpired):
            traced.tracer.wait(timeout=0.5)
        said = traced.end()
        self.assertIn("when the trace ended, at ", said)
        self.assertIn(ENDLESS, said)


class Connecting(unittest.TestCase):
    def test_a_silent_address(self):
        with lab.Folder() as folder:
            with captures.Network(lab.Path(folder) / "x.pcap") as net:
                net.router.rules("forward", "tcp dport 8080 drop")
                net.client.run("sysctl -qw net.ipv4.tcp_syn_retries=6")  # 127 s
                connects = SAYS + "import socket\nsocket.create_connection(('10.2.0.2', 8080))"
                said = Traced(self, connects, start=net.client.start).blocks().end()
        self.assertRegex(said, r"waits in connect\(3, 10\.2\.0\.2:8080\) 10\.1\.0\.1:\d+ SYN_SENT;")
        self.assertRegex(said, r"The peer has not answered the SYN, which was sent \d times?\. "
                               r"If no answer comes, ETIMEDOUT in about .* \(tcp_syn_retries = 6\)")


class NoWaits(unittest.TestCase):
    def has_none(self, said):
        self.assertIn("end closed by process", said)
        self.assertNotIn("waits in", said)
        self.assertNotIn("of TCP ends", said)

    def test_a_program_that_ended_by_itself(self):
        self.has_none(on_one_line(
            trace(python(CONNECTED + "c.send(b'x'); b.recv(10); b.close()"), "-q",
                  "--summary").stderr))

    def test_a_wait_that_a_signal_did_not_end(self):
        goes_on = ("import signal; signal.signal(signal.SIGTERM, lambda *_: c.send(b'x'))\n"
                   "b.recv(10); b.close()")
        self.has_none(Traced(self, CONNECTED + SAYS + goes_on).blocks().end())

    def test_a_signal_that_came_while_nothing_waited(self):
        busy = Traced(self, CONNECTED + "b.close()\n" + SAYS + "while True: pass")
        self.has_none(busy.end())

    def test_a_call_that_had_returned_when_the_signal_came(self):
        # The data itself sends the signal: F_SETSIG in fcntl(2).
        polls = """
import fcntl, select, signal
reader = os.getpid()
fcntl.fcntl(b, fcntl.F_SETOWN, reader)
fcntl.fcntl(b, 10, signal.SIGTERM)
fcntl.fcntl(b, fcntl.F_SETFL, os.O_ASYNC)
poll = select.poll(); poll.register(b, select.POLLIN)
if os.fork() == 0:
    while open(f"/proc/{reader}/stat").read().rsplit(")", 1)[1].split()[0] != "S": pass
    c.send(b"x"); os._exit(0)
poll.poll(); signal.pause()  # the data wakes the reader before the signal comes
"""
        traced = Traced(self, CONNECTED + SAYS + polls)
        said = traced.said()
        self.assertEqual(traced.tracer.returncode, 128 + signal.SIGTERM, said)
        self.assertIn("1 sent, 0 received", said)
        self.assertNotIn("waits in", said)

    def test_a_program_that_was_killed(self):
        traced = Traced(self, CONNECTED + SAYS + "b.recv(10)").blocks()
        os.kill(traced.process, signal.SIGKILL)
        said = traced.said()
        self.assertIn("blocked in recvfrom", said)
        self.assertNotIn("waits in", said)


if __name__ == "__main__":
    lab.main()
