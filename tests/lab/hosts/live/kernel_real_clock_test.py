#!/usr/bin/env python3
"""Kernel hosts on the real clock: --clock real. CTest runs it alone, because the kernels of hosts
are ordinary processes: while they wait for a processor, the real clock goes on."""
import time
import unittest

import guests
import lab


@guests.needs_kernel
class KernelRealClock(unittest.TestCase):
    def test_the_real_clock_does_not_jump(self):
        with lab.Folder() as out:
            began = time.monotonic()
            run = lab.Run(lab.SCRIPTS.parents[1] / "scenarios/puzzlers/warmup.lua", out,
                          "--kernel", "6.1", "--clock", "real")
            self.assertEqual(run.status, 0, run.said())
            self.assertGreater(time.monotonic() - began, 0.1)


if __name__ == "__main__":
    lab.main()
