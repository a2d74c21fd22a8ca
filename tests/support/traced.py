"""Runs programs under `tcplab trace`, and reads the events that it recorded."""
import subprocess
import sys
import time

import lab
import schemas

# The start of a program: b and c are the ends of one connection.
CONNECTED = """
import socket, sys
a = socket.create_server(("127.0.0.1", 0)); b = socket.create_connection(a.getsockname())
c, _ = a.accept()
"""


def python(text, *arguments):
    return [sys.executable, "-c", text, *arguments]


def trace(command, *options, **more):
    return subprocess.run([lab.TCPLAB, "trace", *options, "--", *command], capture_output=True,
                          text=True, check=False, timeout=300, **more)


def is_pending(process, number):
    """Whether a process has not taken this signal yet."""
    status = lab.Path(f"/proc/{process}/status").read_text(encoding="ascii")
    masks = [int(line.split()[1], 16) for line in status.splitlines()
             if line.startswith(("SigPnd:", "ShdPnd:"))]
    return any(mask >> (number - 1) & 1 for mask in masks)


def deliver(process, number):
    """Sends a signal, and waits until it is taken: two that are pending together are one."""
    process.send_signal(number)
    while is_pending(process.pid, number):
        time.sleep(0.001)


def events(command, *options):
    """Returns the events of a trace, and the finished process."""
    with lab.Folder() as folder:
        done = trace(command, "-f", "json", "-o", folder / "trace", *options)
        lines = (folder / "trace").read_text(encoding="utf-8").splitlines()
    return schemas.checked_events(lines), done


def returns(found, call=None):
    return [event for event in found if event["kind"] == "call" and event["phase"] == "return"
            and call in (None, event["call"])]
