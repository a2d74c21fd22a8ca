#!/usr/bin/env python3
"""Checks that a million events cost a run less than 120 MB, in tcplab and in its process.

What a run without events needs depends on the build: 14 MB, or 190 MB with AddressSanitizer."""
import select
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

LIMIT = 120 << 10  # in KB, as in proc_pid_status(5)
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


def peaks_of(script, out):
    """Runs the script. Returns its exit status, its output, and the peaks of tcplab's memory and of
    its processes'."""
    command = [lab.TCPLAB, "run", script, "--family", "4", "--out", out]
    with open(out / "said", "w", encoding="utf-8") as said:
        process = subprocess.Popen(command, stdout=said, stderr=said, env=ENVIRONMENT)
    pidfd, peaks = lab.os.pidfd_open(process.pid), {}
    while not select.select([pidfd], [], [], 0.02)[0]:  # VmHWM is a peak: samples suffice
        for watched in [process.pid, *children(process.pid)]:
            peaks[watched] = max(peaks.get(watched, 0), peak(watched))
    lab.os.close(pidfd)
    return process.wait(), (out / "said").read_text(encoding="utf-8")[-2000:], peaks


class Memory(unittest.TestCase):
    def test_a_million_events_need_less_than_the_limit(self):
        with lab.Folder() as out:
            status, output, short = peaks_of("power-off", out)
            self.assertEqual(status, 0, output)
            status, output, long = peaks_of(lab.SCRIPTS / "talks-much.lua", out)
            self.assertEqual(status, 0, output)
            with open(out / "talks-much-ipv4" / "events.jsonl", "rb") as events:
                count = sum(1 for _ in events)
            self.assertGreater(count, EVENTS)
            self.assertGreaterEqual(len(short), 2, "tcplab and the run's process")
            self.assertGreaterEqual(len(long), 2, "tcplab and the run's process")
            for kind, peaks in (("short", short), ("long", long)):
                print(kind, {name: f"{size >> 10} MB" for name, size in peaks.items()})
            self.assertLess(max(long.values()) - max(short.values()), LIMIT)
            self.assertLess(min(long.values()) - min(short.values()), LIMIT)


if __name__ == "__main__":
    lab.main()
