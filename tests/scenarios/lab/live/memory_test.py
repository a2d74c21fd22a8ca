#!/usr/bin/env python3
"""Checks that a run with a million events needs less than 200 MB, in tcplab and in its process."""
import select
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

LIMIT = 200 << 10  # in KB, as in proc_pid_status(5)
EVENTS = 1_000_000
# AddressSanitizer keeps 256 MB of freed memory by default, which would count as used.
ENVIRONMENT = {**lab.os.environ, "ASAN_OPTIONS": "quarantine_size_mb=1:detect_leaks=0"}


def peak(process):
    """Returns VmHWM, the peak of the process's memory, or 0 if the process has ended."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines()
                 if line.startswith("VmHWM")), 0)


def children(process):
    try:
        return Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return []


class Memory(unittest.TestCase):
    def test_a_million_events_need_less_than_the_limit(self):
        with lab.Folder() as out:
            command = [lab.TCPLAB, "run", lab.SCRIPTS / "talks-much.lua", "--family", "4",
                       "--out", out]
            with open(out / "said", "w", encoding="utf-8") as said:
                process = subprocess.Popen(command, stdout=said, stderr=said, env=ENVIRONMENT)
            pidfd, peaks = lab.os.pidfd_open(process.pid), {}
            while not select.select([pidfd], [], [], 0.02)[0]:  # VmHWM is a peak: samples suffice
                for watched in [process.pid, *children(process.pid)]:
                    peaks[watched] = max(peaks.get(watched, 0), peak(watched))
            output = (out / "said").read_text(encoding="utf-8")[-2000:]
            self.assertEqual(process.wait(), 0, output)
            with open(out / "talks-much-ipv4" / "events.jsonl", "rb") as events:
                count = sum(1 for _ in events)
            self.assertGreater(count, EVENTS)
            self.assertGreaterEqual(len(peaks), 2, "tcplab and the run's process")
            print({name: f"{size >> 10} MB" for name, size in peaks.items()}, count, "events")
            for size in peaks.values():
                self.assertLess(size, LIMIT)


if __name__ == "__main__":
    lab.main()
