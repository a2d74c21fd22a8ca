#!/usr/bin/env python3
"""Measures tcplab explain on captures of very many connections at once, beside tshark.

Usage: bench/many.py BUILD_FOLDER

Prints lines of "what  ours unit  peer  theirs unit", for bench/run. Both programs read the same
file, in turn; the figures are medians of three rounds.
"""
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))
from many import at_once, failed_talk, open_talk, write  # noqa: E402

BUDGET = 500  # MB
CASES = (("explain 15,000 connections in trouble", 15_000, failed_talk),
         ("explain 200,000 connections in trouble", 200_000, failed_talk),
         ("explain 200,000 connections that never close", 200_000, open_talk))


def measure(*command):
    """Returns the seconds of a processor that the command takes, and its peak memory in MB."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000


def medians(rounds):
    return [statistics.median(values) for values in zip(*rounds)]


def main():
    tcplab = Path(sys.argv[1]) / "bin" / "tcplab"
    has_peer = shutil.which("tshark") is not None
    for what, clients, talk_of in CASES:
        with tempfile.TemporaryDirectory() as folder:
            file = write(Path(folder) / "many.pcap", at_once(clients, talk_of))
            ours, theirs = [], []
            for _ in range(3):
                ours.append(measure(tcplab, "explain", file))
                if has_peer:
                    theirs.append(measure("tshark", "-r", file, "-q", "-z", "conv,tcp"))
        seconds, memory = medians(ours)
        peer = medians(theirs)[0] if theirs else 0
        print(f"{what}  {seconds:.2f} s  tshark -q -z conv,tcp  {peer:.2f} s")
        print(f"{what}: memory  {memory:.0f} MB  budget  {BUDGET} MB", flush=True)


if __name__ == "__main__":
    main()
