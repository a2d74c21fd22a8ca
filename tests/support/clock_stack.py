#!/usr/bin/env python3
"""A stack without TCP, for tests of the clock of stack hosts: its argument says how it keeps time
from being skipped. It ends with its NIC."""
import hashlib
import json
import select
import signal
import sys
import threading
import time


def say(line):
    print(line, flush=True)


def spin():
    while True:
        pass


def compute():
    """Computes without the interpreter's lock, so that the other threads wait meanwhile."""
    before = time.monotonic()
    began = time.process_time()
    while time.process_time() - began < 1:
        hashlib.pbkdf2_hmac("sha256", b"password", b"salt", 100000)
    say(f"computed for {time.monotonic() - before:.3f} s")


def main(fault):
    say(json.dumps({"ready": "frames"}))
    if fault == "itimer":
        signal.signal(signal.SIGALRM, lambda *_: None)
        signal.setitimer(signal.ITIMER_REAL, 1000)
    if fault in ("spin", "compute"):
        threading.Thread(target=globals()[fault], daemon=True).start()
    while not select.select([3], [], [], 1000)[0]:
        say(f"slept until {time.monotonic():.0f}")


main(sys.argv[1])
