#!/usr/bin/env python3
"""Runs a TCP stack (docs/stacks.md) that is late now and then: late_stack.py SEED COMMAND... It
stops the process for 0.2 s to 0.6 s, again and again, as a busy machine does."""
import os
import random
import signal
import subprocess
import sys
import time

NIC = 3


def main():
    draw = random.Random(sys.argv[1] + os.environ["TCPLAB_IPV4"])
    stack = subprocess.Popen(sys.argv[2:], pass_fds=(NIC,))
    while stack.poll() is None:
        time.sleep(draw.uniform(0.05, 0.5))
        stack.send_signal(signal.SIGSTOP)
        time.sleep(draw.uniform(0.2, 0.6))
        stack.send_signal(signal.SIGCONT)
    sys.exit(stack.returncode)


if __name__ == "__main__":
    main()
