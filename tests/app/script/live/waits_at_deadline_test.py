#!/usr/bin/env python3
"""Checks what a failure says about a program that waits in a call: what will end the wait, in the
words of `tcplab look`, from what the host's kernel knows at the deadline."""
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import guests
import lab

SCRIPT = """return {
  title = "T",
  asks = "Q?",
  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", "8080")
    local client = kang:run { %s }
    lab:expect(client):call("connect"):returns(0)
    %s
    lab:expect(client):within(0.3):%s
  end,
}
"""
CONNECT = "import select, socket, sys, threading\ns = socket.create_connection(('kodos', 8080))\n"
WAITS = r"\Ait waits in %s for [\d.]+ (ms|s)"
ACKNOWLEDGED = (r"\. Everything is acknowledged, and keepalive is off: no timer of TCP ends this "
                r"wait\. The peer does, with data, FIN or RST\. .* only the program itself can: "
                r"another thread, or a signal\.")


class Waits(unittest.TestCase):
    def setUp(self):
        self.out = lab.Folder()
        self.addCleanup(self.out.cleanup)

    def seen(self, code, *options, before="", verb="notices()", words='"python3", "-c", [[%s]]',
             calls=("recv",)):
        """Returns what the failing expectation has seen, once the program is in these calls."""
        for call in calls:
            before += f'\nlab:expect(client):within(20):call("{call}"):is_entered()'
        script = Path(self.out.name, "script.lua")
        script.write_text(SCRIPT % (words % (CONNECT + code), before, verb), encoding="utf-8")
        run = lab.Run(script, self.out.name, *options)
        self.assertEqual(run.status, 1, run.said())
        return run.events("verdict")[-1]["seen"]

    def test_a_wait_that_only_the_peer_ends(self):
        for verb in ("notices()", "exits(0)", 'call("recv"):returns(0)'):
            with self.subTest(verb):
                self.assertRegex(self.seen("s.recv(9)", verb=verb),
                                 WAITS % r"recvfrom\(\d+\)" + ACKNOWLEDGED)

    def test_a_call_with_a_timeout_of_its_own(self):
        own = r" The call itself ends 60 s after it began, at the latest \(%s\)\.\Z"
        self.assertRegex(self.seen("import struct\n"
                                   "s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, "
                                   "struct.pack('ll', 60, 0)); s.recv(9)"),
                         WAITS % r"recvfrom\(\d+\)" + ACKNOWLEDGED + own % "SO_RCVTIMEO")
        self.assertRegex(self.seen("s.settimeout(60); s.recv(9)", calls=("poll",)),
                         WAITS % r"poll\(\)" + ACKNOWLEDGED + own % "its timeout")

    def test_a_wait_that_retransmissions_end(self):
        seen = self.seen("sys.stdin.readline(); s.send(b'hello'); s.recv(9)",
                         before='kang:unplug()\nclient:type "go\\n"\n'
                                'lab:expect(client):call("send"):returns(5)')
        self.assertRegex(seen, WAITS % r"recvfrom\(\d+\)" +
                         r"\. Not acknowledged(, and retransmitted \d+ times? in a row| yet): "
                         r"5 octets\. If the peer stays silent, ETIMEDOUT in about ")

    def test_a_process_that_the_program_has_started(self):
        self.assertRegex(self.seen("s.recv(9)", words='"sh", "-c", [[python3 -c "%s"; true]]'),
                         WAITS % r"recvfrom\(\d+\)" + ACKNOWLEDGED)

    def test_a_wait_that_something_else_may_end(self):
        """Another descriptor, a timer of an event loop, or the wait of another thread."""
        at_once = r"\Z"
        self.assertRegex(self.seen("select.select([s, sys.stdin], [], [])", calls=("select",)),
                         WAITS % r"(select|pselect6)\(\)" + at_once)
        self.assertRegex(self.seen("e = select.epoll(); e.register(s, select.EPOLLIN); e.poll()",
                                   calls=("epoll_wait",)),
                         WAITS % r"epoll_wait\(\d*\)" + at_once)
        self.assertRegex(self.seen("t = socket.create_connection(('kodos', 8080))\n"
                                   "threading.Thread(target=lambda: t.recv(9)).start(); s.recv(9)",
                                   calls=("recv", "recv")),
                         r"\Ait waits in recvfrom\(\d+\) for [\d.]+ (ms|s), recvfrom\(\d+\) for "
                         r"[\d.]+ (ms|s)\Z")

    @guests.needs_kernel
    def test_a_host_with_a_kernel_of_its_own(self):
        self.assertRegex(self.seen("s.recv(9)", "--kernel", "6.1"),
                         WAITS % r"recvfrom\(\d+\)" + r"\Z")


if __name__ == "__main__":
    unittest.main()
