"""Runs programs under `tcplab trace`, and reads the events that it recorded."""
import json
import subprocess
import sys

import lab

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


def events(command, *options):
    """Returns the events of a trace, and the finished process."""
    with lab.Folder() as folder:
        done = trace(command, "-f", "json", "-o", folder / "trace", *options)
        lines = (folder / "trace").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines], done


def returns(found, call=None):
    return [event for event in found if event["kind"] == "call" and event["phase"] == "return"
            and call in (None, event["call"])]
