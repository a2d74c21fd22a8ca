#!/usr/bin/env python3
"""Checks `tcplab audit --after`: whether a client that waits without end reacts after a failure."""
import shlex
import sys
import unittest

sys.dont_write_bytecode = True
import lab
import schemas
from audits import Audit, words

# Passes what its argument says, "push", on to all subscribers.
SERVER = """
import socket, threading
subscribers = []
def serve(client):
    for line in client.makefile():
        if line == "subscribe\\n":
            subscribers.append(client)
        elif line == "push\\n":
            for each in subscribers:
                try:
                    each.sendall(b"job\\n")
                except OSError:
                    pass
            client.sendall(b"pushed\\n")
listener = socket.create_server(("", 7000))
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
"""
PUSH = """
import socket
server = socket.create_connection(("127.0.0.1", 7000), 5)
server.sendall(b"push\\n")
assert server.recv(100) == b"pushed\\n"
"""
# Connects again after an error, but subscribes only once.
FORGETS = """
import socket, sys, time
def connect():
    return socket.create_connection((sys.argv[1], 7000))
server = connect()
server.sendall(b"subscribe\\n")
while True:
    try:
        for line in server.makefile():
            {reacts}
    except OSError:
        server = connect()
"""
SUBSCRIBES = FORGETS.replace("        server = connect()\n",
                             "        server = connect()\n"
                             "        server.sendall(b'subscribe\\n')\n")
PRINTS = "print('got', line, end='', flush=True)"
# Sends on its old socket again and again, once that has failed.
KEEPS_SENDING = FORGETS.replace("        server = connect()\n",
                                "        while True:\n"
                                "            try: server.send(b'again\\n')\n"
                                "            except OSError: time.sleep(0.3)\n")


def audit_after(out, client, reacts=PRINTS, *options, after=None):
    (out / "server.py").write_text(SERVER)
    after = after or shlex.join(words(PUSH))
    return Audit(out, *options, "--baseline", "4s", "--limit", "6s", "--after", after, "--server",
                 "python3 server.py", "--port", "7000", "--",
                 *words(client.replace("{reacts}", reacts), "SERVER"))


class Reactions(unittest.TestCase):
    CELLS = ["--failure", "reset", "--failure", "power-off", "--moment", "waiting", "--json",
             "audit.json"]

    def cell(self, audit, failure):
        cells = schemas.checked((audit.out / "audit.json").read_text())["cells"]
        return next(cell for cell in cells if (cell.get("failure"), cell.get("side")) ==
                    (failure, "path" if failure == "reset" else "server"))

    def test_a_client_that_subscribes_again_reacts(self):
        with lab.Folder() as out:
            audit = audit_after(out, SUBSCRIBES, PRINTS, *self.CELLS)
            self.assertEqual(audit.status, 0, audit.said())
            cell = self.cell(audit, "reset")
            self.assertEqual((cell["outcome"], cell.get("reaction")), ("recovered", "printed"))
            self.assertIn("reacted", audit.output)
            self.assertNotIn("did not react", audit.output)
            # The failure lasts: nothing can reach the client.
            self.assertNotIn("reaction", self.cell(audit, "power-off"))

    def test_a_client_that_starts_late_reacts(self):
        late = "import time; time.sleep(6)  # longer than the time of the baseline\n" + SUBSCRIBES
        with lab.Folder() as out:
            audit = audit_after(out, late, PRINTS, *self.CELLS)
            self.assertEqual(audit.status, 0, audit.said())
            self.assertEqual(self.cell(audit, "reset").get("reaction"), "printed")

    def test_a_client_that_connects_but_does_not_subscribe_did_not_react(self):
        with lab.Folder() as out:
            audit = audit_after(out, FORGETS, PRINTS, *self.CELLS)
            cell = self.cell(audit, "reset")
            self.assertEqual((cell["outcome"], cell.get("reaction")), ("recovered", "none"))
            self.assertRegex(audit.output, "did not react")
            self.assertEqual(audit.status, 0, audit.said())

    def test_data_that_the_client_sends_is_a_reaction(self):
        with lab.Folder() as out:
            audit = audit_after(out, SUBSCRIBES, "server.sendall(b'done\\n')", *self.CELLS)
            self.assertEqual(audit.status, 0, audit.said())
            self.assertEqual(self.cell(audit, "reset").get("reaction"), "sent")

    def test_data_that_it_cannot_send_is_no_reaction(self):
        with lab.Folder() as out:
            audit = audit_after(out, KEEPS_SENDING, "server.sendall(b'done\\n')", *self.CELLS)
            self.assertEqual(audit.status, 0, audit.said())
            self.assertEqual(self.cell(audit, "reset").get("reaction"), "none", audit.said())

    def test_what_the_client_does_by_itself_is_no_reaction(self):
        """It prints all the time, so that only what it sends can tell."""
        ticks = "import threading, time\ndef tick():\n" \
                "    while True: print('tick', flush=True); time.sleep(0.3)\n" \
                "threading.Thread(target=tick, daemon=True).start()\n" + SUBSCRIBES
        with lab.Folder() as out:
            audit = audit_after(out, ticks, "server.sendall(b'done\\n')", *self.CELLS)
            self.assertEqual(self.cell(audit, "reset").get("reaction"), "sent", audit.said())
        with lab.Folder() as out:
            audit = audit_after(out, ticks, PRINTS, *self.CELLS)
            self.assertEqual(audit.status, 2, audit.said())
            self.assertIn("it also writes", audit.errors)

    def test_the_field_of_a_file(self):
        with lab.Folder() as out:
            (out / "server.py").write_text(SERVER)
            (out / "client.py").write_text(SUBSCRIBES.replace("{reacts}", PRINTS))
            (out / "push.py").write_text(PUSH)
            (out / "audit.lua").write_text("""
local audit = include "tcplab/audit/audit.lib.lua"
return audit {
  server = { "python3", "server.py" }, port = 7000, client = { "python3", "client.py", "SERVER" },
  after = { "python3", "push.py" },
}
""")
            audit = Audit(out, "audit.lua", "--baseline", "4s", "--limit", "6s", *self.CELLS)
            self.assertEqual(audit.status, 0, audit.said())
            self.assertEqual(self.cell(audit, "reset").get("reaction"), "printed")


class Mistakes(unittest.TestCase):
    def assert_refused(self, audit, *texts):
        self.assertEqual(audit.status, 2, audit.said())
        self.assertEqual(len(audit.errors.splitlines()), 1, audit.said())
        for text in texts:
            self.assertIn(text, audit.errors)
        self.assertFalse(list(audit.out.glob("audit/runs/*power*")), "no cell has run")

    def test_a_command_that_does_not_work(self):
        with lab.Folder() as out:
            self.assert_refused(audit_after(out, SUBSCRIBES, after="nosuch push"),
                                "the command of --after exited with status 127",
                                "nosuch: not found")

    def test_a_command_that_does_not_end(self):
        with lab.Folder() as out:
            self.assert_refused(audit_after(out, SUBSCRIBES, after="echo waits; sleep 99"),
                                "the command of --after has not ended after 10 s: waits")

    def test_a_client_that_does_not_react(self):
        with lab.Folder() as out:
            self.assert_refused(audit_after(out, SUBSCRIBES, "pass"),
                                "the client does not react to the command of --after, even without "
                                "a failure")

    def test_a_client_that_ends(self):
        with lab.Folder() as out:
            ends = "import socket, sys\n" \
                   "socket.create_connection((sys.argv[1], 7000)).sendall(b'push\\n')\n"
            self.assert_refused(audit_after(out, ends),
                                "--after is for a client that waits without end; this one exited "
                                "with status 0")


if __name__ == "__main__":
    lab.main()
