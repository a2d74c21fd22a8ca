#!/usr/bin/env python3
"""Checks host:socket_options: each socket of a host's programs has the options, and the events and
the ladder say that tcplab set them."""
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab


class SocketOptions(unittest.TestCase):
    def setUp(self):
        lab.need("python3")
        self.out = lab.Folder()
        self.addCleanup(self.out.cleanup)

    def test_each_socket_has_the_options(self):
        run = lab.Run("socket-options.lua", self.out.name)
        self.assertEqual(run.status, 0, run.said())
        run.folder = Path(self.out.name, "socket-options-set-ipv4")
        calls = [call for call in run.events("call") if call["call"] == "setsockopt"]
        by_lab = [(call["host"], call["args"]) for call in calls if call.get("by_lab")]
        wanted = [("kang", "TCP_SYNCNT = 2"), ("kang", "TCP_USER_TIMEOUT = 1000")]
        # When the socket is made, and after the program's own setsockopt.
        self.assertEqual([one for one in by_lab if one[0] == "kang"], 2 * wanted)
        own = [call["args"] for call in calls if call["host"] == "kang" and "by_lab" not in call]
        self.assertIn("TCP_USER_TIMEOUT = 77000", own)
        # The listener, the accepted socket, and the listener after the power cycle.
        self.assertEqual(by_lab.count(("kodos", "TCP_KEEPIDLE = 33")), 3)
        ladder = subprocess.run([lab.TCPLAB, "show", run.folder], capture_output=True, text=True,
                                check=True, timeout=300).stdout
        self.assertIn("set by tcplab", ladder)


if __name__ == "__main__":
    lab.main()
