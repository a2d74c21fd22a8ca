#!/usr/bin/env python3
"""Checks `tcplab run --step --kernel`: while a frame is held, time stands still on kernel hosts."""
import sys
import time
import unittest

sys.dont_write_bytecode = True
import guests
from steps import HANGS, Steps

SECOND = 1e9  # of an event's time
HELD = 3  # seconds. A SYN is retransmitted after 1 s


@guests.needs_kernel
class KernelSteps(Steps):
    def test_a_frame_held_for_long_changes_nothing(self):
        terminal = self.terminal(self.script(
            'local syn = lab:expect_packet("kang > kodos", "SYN")\n'
            '  local answer = lab:expect_packet("kodos > kang", "SYN ACK")\n'
            '  lab:expect(client):in_state "ESTABLISHED"\n'
            '  lab:expect_time(answer.t - syn.t, 0, "the answer", { tolerance = 0 })'),
            "--kernel", "6.1", "--limit", "seconds=2")  # which a person may pass
        terminal.until(HANGS)
        terminal.until("time stands still")
        time.sleep(HELD)
        terminal.deliver_all()
        self.assertEqual(terminal.end(), 0, terminal.text[-3000:])
        syns = [one for one in terminal.events("packet") if one["flags"] == "S"]
        self.assertEqual([one["fate"] for one in syns], ["delivered"])
        self.assertLess(terminal.events("end")[0]["t"] - syns[0]["t"], SECOND)
        claims = [one["expected"] for one in terminal.events("verdict")]
        self.assertTrue(any(claim.startswith("the answer takes") for claim in claims), claims)

    def test_a_lost_frame_is_retransmitted_by_the_timer(self):
        terminal = self.terminal(self.script('lab:expect(client):in_state "ESTABLISHED"'),
                                 "--kernel", "6.1")
        terminal.until(HANGS)
        terminal.press("l")
        terminal.deliver_all()
        self.assertEqual(terminal.end(), 0, terminal.text[-3000:])
        first, second = [one for one in terminal.events("packet") if one["flags"] == "S"]
        self.assertEqual([first["fate"], second["fate"]], ["lost", "delivered"])
        # The lab reads a frame late on a busy machine. connect(2) is entered before the first.
        connect = next(one for one in terminal.events("call") if one["call"] == "connect")
        self.assertGreaterEqual((second["t"] - connect["t"]) / SECOND, 1)
        between = (second["t"] - first["t"]) / SECOND
        self.assertLessEqual(between, 1.125 + 0.02)  # kernel/time/timer.c


if __name__ == "__main__":
    unittest.main(verbosity=2)
