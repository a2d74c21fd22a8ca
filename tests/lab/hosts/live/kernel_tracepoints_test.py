#!/usr/bin/env python3
"""Checks --tracepoints on kernel hosts: on a kernel that was built."""
import tempfile
import unittest

import guests
import lab

SCENARIOS = lab.SCRIPTS.parents[1] / "scenarios"


class KernelTracepointsTest(unittest.TestCase):
    def setUp(self):
        self.out = tempfile.TemporaryDirectory()
        self.addCleanup(self.out.cleanup)

    def run_of(self, scenario, *options):
        run = lab.Run(SCENARIOS / scenario, self.out.name, "--kernel", guests.built_kernel(),
                      *options)
        self.assertEqual(run.status, 0, run.said())
        return run

    def reports(self, scenario, *options):
        return self.run_of(scenario, *options).events("kernel")

    def test_each_drop_has_its_reason_and_its_frame(self):
        reports = self.reports("segments/why-the-kernel-drops-it.lua")
        drops = [report for report in reports if report["what"] == "drop"]
        self.assertEqual([drop["reason"] for drop in drops],
                         ["TCP_RFC7323_PAWS", "TCP_INVALID_SEQUENCE", "TCP_OLD_SEQUENCE",
                          "TCP_INVALID_SYN", "TCP_ACK_UNSENT_DATA", "NO_SOCKET"])
        self.assertTrue(all(drop["frame"] for drop in drops))

    def test_the_error_of_a_timer_comes_without_a_frame(self):
        reports = self.reports("puzzlers/power-off.lua", "--tracepoints", "--timers", "stock")
        self.assertEqual({report["host"] for report in reports}, {"kang"})
        self.assertEqual([report["what"] for report in reports],
                         ["retransmit"] * (len(reports) - 1) + ["error"])
        self.assertEqual(reports[-1]["errno"], "ETIMEDOUT")
        self.assertGreaterEqual(len(reports), 15)  # tcp_retries2

    def test_a_host_that_comes_back_is_heard_again(self):
        reports = self.reports("puzzlers/power-cycle.lua", "--tracepoints")
        self.assertIn(("kodos", "reset", "NO_SOCKET"),
                      [(report["host"], report["what"], report.get("reason"))
                       for report in reports])

    def test_a_peer_has_no_kernel_that_reports(self):
        reports = self.reports("peer/rto-doubles.lua", "--tracepoints")
        self.assertEqual({report["host"] for report in reports}, {"kodos"})

    def test_a_report_comes_after_the_delivery_of_its_frame(self):
        run = self.run_of("puzzlers/power-cycle.lua", "--tracepoints", "--clock", "real")
        delivered = {packet["frame"]: packet["delivered"] for packet in run.events("packet")}
        reports = [report for report in run.events("kernel") if "frame" in report]
        self.assertIn("reset", [report["what"] for report in reports])
        for report in reports:
            self.assertLess(delivered[report["frame"]], report["t"], report)


if __name__ == "__main__":
    lab.main()
