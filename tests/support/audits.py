"""Small programs to audit, and a finished `tcplab audit`."""
import subprocess
from pathlib import Path

import lab
import schemas

# Answers each line after the time in its first argument.
SERVER = """
import socket, sys, time
listener = socket.create_server(("", 7000))
while True:
    client, _ = listener.accept()
    with client:
        for line in client.makefile():
            time.sleep(float(sys.argv[1]))
            client.sendall(b"you said " + line.encode())
"""
# Sends a line, and prints the answer. Its second argument is a timeout in seconds; 0: none.
CLIENT = """
import socket, sys
server = socket.create_connection((sys.argv[1], 7000))
server.settimeout(float(sys.argv[2]) or None)
server.sendall(b"hello\\n")
answer = server.makefile().readline()
if not answer:
    sys.exit("the server closed the connection")
print(answer, end="")
"""


def words(text, *arguments):
    return ["python3", "-c", text, *arguments]


class Audit:
    """A finished `tcplab audit`."""
    timeout = 300

    def __init__(self, out, *arguments):
        done = subprocess.run([lab.TCPLAB, "audit", *arguments], capture_output=True, text=True,
                              cwd=out, check=False, timeout=self.timeout)
        self.out = Path(out)
        self.status, self.output, self.errors = done.returncode, done.stdout, done.stderr

    def said(self):
        return f"exit {self.status}\n{self.output}\n{self.errors}"

    def marks(self, cell, runs="audit/runs"):
        """Returns the audit events of a cell."""
        path = self.out / runs / f"audit-{cell}-ipv4/events.jsonl"
        with open(path, encoding="utf-8") as lines:
            events = schemas.checked_events(lines)
        return [event for event in events if event["kind"] == "audit"]

    def outcome(self, cell, runs="audit/runs"):
        return self.marks(cell, runs)[-1]["outcome"]


def of_pair(out, *options, delay="1", timeout="0", client=None, server=SERVER):
    file = Path(out) / "server.py"
    file.write_text(server)
    return Audit(out, *options, "--server", f"python3 {file} {delay}", "--port", "7000", "--",
                 *(client or words(CLIENT, "SERVER", timeout)))
