#!/usr/bin/env python3
"""Checks the commands of `tcplab audit`: a server that is a line for a shell, the limit
of its file, and each mistake."""
import shlex
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab
from audits import CLIENT, SERVER, Audit, of_pair, words


class ShellLines(unittest.TestCase):
    """--server is a line for a shell, whatever the shell can do."""
    OPTIONS = ["--limit", "8s", "--failure", "reboot", "--failure", "killed", "--failure", "frozen",
               "--moment", "waiting"]

    def test_each_kind_of_line_is_a_server(self):
        # It needs a second to shut down. Then its kernel sends the FIN.
        server = "import signal\n" \
                 "def shut_down(*_): time.sleep(1); sys.exit()\n" \
                 "signal.signal(signal.SIGTERM, shut_down)\n" + SERVER
        for line in ("DELAY=1 python3 server.py", "exec python3 server.py",
                     "export DELAY=1; python3 server.py", "true && python3 server.py # yes",
                     "A='x y' command python3 server.py", "{ python3 server.py; }",
                     "if true; then python3 server.py; fi", ">/tmp/log python3 server.py"):
            with self.subTest(line), lab.Folder() as out:
                (out / "server.py").write_text(server.replace(
                    "sys.argv[1]", "__import__('os').environ.get('DELAY', '1')"))
                audit = Audit(out, *self.OPTIONS, "--server", line, "--port", "7000", "--",
                              *words(CLIENT, "SERVER", "0"))
                self.assertEqual(audit.status, 0, audit.said())
                self.assertEqual({each: audit.outcome(f"server.{each}.waiting")
                                  for each in ("reboot", "killed", "frozen")},
                                 {"reboot": "error", "killed": "error", "frozen": "hangs"})


class Mistakes(unittest.TestCase):
    def assert_refused(self, audit, *texts):
        self.assertEqual(audit.status, 2, audit.said())
        self.assertEqual(len(audit.errors.splitlines()), 1, audit.said())
        for text in texts:
            self.assertIn(text, audit.errors)
        self.assertFalse(list(audit.out.glob("audit/runs/*power*")), "no cell has run")

    def test_a_server_that_listens_elsewhere_or_not_at_all(self):
        with lab.Folder() as out:
            elsewhere = SERVER.replace("7000", "7001")
            (out / "elsewhere.py").write_text(elsewhere)
            audit = Audit(out, "--server", f"python3 {out}/elsewhere.py 0", "--port", "7000", "--",
                          *words(CLIENT, "SERVER", "0"))
            self.assert_refused(audit, "does not listen on port 7000, but on 0.0.0.0:7001",
                                "--port 7001")

    def test_a_server_that_is_not_installed(self):
        self.assert_refused_at_once("nosuch -v", "exited with status 127", "nosuch: not found")

    def test_what_a_server_writes_that_does_not_listen_is_told_soon(self):
        with lab.Folder() as out, subprocess.Popen(
                [lab.TCPLAB, "audit", "--ready", "300s", "--server", "nosuch; sleep 999", "--port",
                 "7000", "--", *words(CLIENT, "SERVER", "0")], cwd=out, text=True,
                stderr=subprocess.PIPE) as audit:
            self.addCleanup(audit.kill)
            began = time.monotonic()
            first = audit.stderr.readline()
            self.assertLess(time.monotonic() - began, 100)
            self.assertIsNone(audit.poll(), "it still waits: the line may go on to start a server")
            self.assertRegex(first, "^The server does not listen yet; it has written: .*nosuch: "
                                    "not found\n$")
            audit.send_signal(signal.SIGTERM)
            self.assertEqual(audit.wait(60), 128 + signal.SIGTERM)

    def test_a_slow_server_that_writes_nothing_is_waited_for_without_a_word(self):
        with lab.Folder() as out:
            late = "import time; time.sleep(3)\n" + SERVER
            audit = of_pair(out, "--limit", "5s", "--failure", "reset", "--moment", "waiting",
                            server=late)
            self.assertEqual(audit.status, 0, audit.said())
            self.assertNotIn("does not listen yet", audit.errors)

    def test_a_server_that_ends_at_once(self):
        with lab.Folder() as out:
            audit = Audit(out, "--server", "echo no licence >&2; exit 3", "--port", "7000", "--",
                          *words(CLIENT, "SERVER", "0"))
            self.assert_refused(audit, "the server exited with status 3 before it listened",
                                "no licence")

    def assert_refused_at_once(self, server, *texts, client=None):
        began = time.monotonic()
        with lab.Folder() as out:
            audit = Audit(out, "--baseline", "200s", "--ready", "200s", "--server", server,
                          "--port", "7000", "--", *(client or words(CLIENT, "SERVER", "0")))
            self.assert_refused(audit, *texts)
        self.assertLess(time.monotonic() - began, 100)

    def test_a_server_that_ends_is_reported_at_once(self):
        self.assert_refused_at_once("false", "the server exited with status 1 before it listened")
        self.assert_refused_at_once("true", "the server exited with status 0 before it listened")
        self.assert_refused_at_once("(exit 4) &", "the server exited with status 0 before it")

    def test_a_server_that_ends_after_it_listened_is_not_blamed_on_the_client(self):
        # The client asks by UDP for the end of the listener, and then tries to connect.
        listens = "import socket, sys\n" \
                  "own = socket.create_server(('', 7000)); print('ready', flush=True)\n" \
                  "asked = socket.socket(type=socket.SOCK_DGRAM); asked.bind(('', 7001))\n" \
                  "_, client = asked.recvfrom(9); own.close(); asked.sendto(b'closed', client)\n" \
                  "sys.exit('Error: no licence')\n"
        tries = "import socket, sys, time\n" \
                "asks = socket.socket(type=socket.SOCK_DGRAM)\n" \
                "asks.connect((sys.argv[1], 7001)); asks.send(b'close'); asks.recv(9)\n" \
                "while socket.socket().connect_ex((sys.argv[1], 7000)): time.sleep(0.05)\n"
        self.assert_refused_at_once(shlex.join(words(listens)),
                                    "the server exited with status 1 after it had listened on port "
                                    "7000: Error: no licence", client=words(tries, "SERVER"))

    def test_ready_is_how_long_a_server_may_take(self):
        with lab.Folder() as out:
            late = "import time; time.sleep(3)\n" + SERVER
            audit = of_pair(out, "--ready", "1s", server=late)
            self.assert_refused(audit, "the server does not listen on port 7000")

    def test_a_client_that_succeeds_without_connecting(self):
        with lab.Folder() as out:
            self.assert_refused(of_pair(out, client=["echo", "SERVER"]),
                                "the client succeeds without connecting to port 7000")

    def test_a_client_that_ends_at_once(self):
        with lab.Folder() as out:
            self.assert_refused(of_pair(out, client=["sh", "-c", "echo usage >&2; exit 7; SERVER"]),
                                "exited with status 7 before it connected", "usage")

    def test_a_client_that_ignores_the_server(self):
        with lab.Folder() as out:
            self.assert_refused(of_pair(out, client=words(CLIENT, "localhost", "0")),
                                "the client's command does not say SERVER")
            waits = "import socket, sys, time\n" \
                    "try: socket.create_connection(('10.0.0.77', 7000), 1)\n" \
                    "except OSError: time.sleep(30)\n"
            self.assert_refused(of_pair(out, "--baseline", "4s", client=words(waits, "SERVER")),
                                "never connected to port 7000 of the server",
                                "tried 10.0.0.77:7000; does it ignore SERVER?")

    def test_a_port_in_use_in_the_script(self):
        with lab.Folder() as out:
            (out / "server.py").write_text(SERVER)
            (out / "twice.lua").write_text("""
local audit = include "tcplab/audit/audit.lib.lua"
return audit {
  server = { "python3", "server.py", "0" }, port = 7000, client = { "true", "SERVER" },
  prepare = function(cell)
    cell.server_host:run { "python3", "server.py", "0", name = "first" }
    cell.lab:expect(cell.server_host):within(20):listens(7000)
    cell.lab:wait(0.01)
  end,
  ready = { prints = "serving", within = 10 },
}
""")
            self.assert_refused(Audit(out, "twice.lua"), "EADDRINUSE",
                                "another program of the script listens on this port")

    def test_wrong_words_on_the_command_line(self):
        with lab.Folder() as out:
            pair = ["--server", "true", "--port", "7000"]
            for arguments, text in [
                    (["--server", "true", "--", "x", "SERVER"], "on which port"),
                    (["--port", "7000", "--", "x", "SERVER"], "which server?"),
                    (pair, "which client?"),
                    ([*pair, "--limit", "soon", "--", "x", "SERVER"], "30s, 5m or 2h"),
                    ([*pair, "--port", "0", "--", "x", "SERVER"], "--port")]:
                with self.subTest(arguments):
                    self.assert_refused(Audit(out, *arguments), text)
            audit = of_pair(out, "--failure", "power-of")
            self.assert_refused(audit, "--failure power-of", "power-off")
            audit = Audit(out, str(lab.SCRIPTS / "when.lua"))
            self.assert_refused(audit, "not an audit")

    def test_init_writes_a_file_once(self):
        with lab.Folder() as out:
            audit = Audit(out, "--init")
            self.assertEqual(audit.status, 0, audit.said())
            self.assertIn("tcplab audit audit.lua", audit.output)
            check = subprocess.run([lab.TCPLAB, "check", "audit.lua"], cwd=out, check=False,
                                   capture_output=True, text=True, timeout=300)
            self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
            again = Audit(out, "--init")
            self.assertEqual(again.status, 2, again.said())
            self.assertIn("audit.lua exists", again.errors)

    def test_init_writes_the_file_of_a_pair(self):
        client = ["redis-cli", "-h", "SERVER", "ping"]
        with lab.Folder() as out:
            audit = Audit(out, "--init", "--server", "redis-server", "--port", "6379", "--",
                          *client)
            self.assertEqual(audit.status, 0, audit.said())
            text = Path(out, "audit.lua").read_text(encoding="utf-8")
            self.assertIn('client = { "redis-cli", "-h", "SERVER", "ping" }', text)
            self.assertIn("port = 6379", text)
        with lab.Folder() as out:
            audit = Audit(out, "--init", "--", *client)
            self.assertEqual(audit.status, 2, audit.said())
            self.assertIn("add --server and --port", audit.errors)
            self.assertEqual(list(Path(out).iterdir()), [])


class LimitOfFile(unittest.TestCase):
    """The field `limit` of an audit's file."""
    FILE = """
local audit = include "tcplab/audit/audit.lib.lua"
return audit {
  server = { "python3", "server.py", "1" }, port = 7000,
  client = { "python3", "client.py", "SERVER", "0" }, limit = %s,
}
"""

    def audit(self, out, limit, *options):
        (out / "server.py").write_text(SERVER)
        (out / "client.py").write_text(CLIENT)
        (out / "audit.lua").write_text(self.FILE % limit)
        return Audit(out, "audit.lua", "--moment", "waiting", "--failure", "frozen", *options)

    def waited(self, audit):
        marks = {mark["step"]: mark for mark in audit.marks("server.frozen.waiting")}
        self.assertEqual(marks["judged"]["outcome"], "hangs", audit.said())
        return (marks["judged"]["t"] - marks["failure"]["t"]) / 1e9

    def test_it_is_how_long_a_cell_waits(self):
        with lab.Folder() as out:
            audit = self.audit(out, "4.5")
            self.assertEqual(audit.status, 0, audit.said())
            self.assertIn("each takes at most 4.5 s", audit.errors)
            self.assertGreaterEqual(self.waited(audit), 4.5)
            self.assertLess(self.waited(audit), 30)  # the default is 300 s

    def test_the_option_replaces_it(self):
        with lab.Folder() as out:
            audit = self.audit(out, "200", "--limit", "5s")
            self.assertEqual(audit.status, 0, audit.said())
            self.assertIn("each takes at most 5 s", audit.errors)
            self.assertLess(self.waited(audit), 30)

    def test_it_is_a_number_of_seconds(self):
        with lab.Folder() as out:
            for limit in ("'3s'", "0", "-1"):
                audit = self.audit(out, limit)
                self.assertEqual(audit.status, 2, audit.said())
                self.assertIn("an audit's limit is a number of seconds: limit = 300", audit.errors)


if __name__ == "__main__":
    lab.main()
