#!/usr/bin/env python3
"""Checks `tcplab audit` with small programs: its cells, and each mistake in its commands."""
import json
import subprocess
import sys
import unittest
from pathlib import Path
from xml.etree import ElementTree

sys.dont_write_bytecode = True
import lab
from audits import CLIENT, SERVER, Audit, of_pair, words


class Cells(unittest.TestCase):
    def test_the_outcome_of_each_failure(self):
        options = ["--limit", "10s"]  # on a busy machine, the client takes seconds to start
        for failure in ["power-off", "killed", "frozen", "reset", "delay-300-ms", "refused"]:
            options += ["--failure", failure]
        for moment in ["before-connect", "waiting", "idle"]:
            options += ["--moment", moment]
        with lab.Folder() as out:
            audit = of_pair(out, *options)
            self.assertEqual(audit.status, 0, audit.said())
            self.assertIn("Left out: idle, because the client makes no second request",
                          audit.output)
            outcomes = {cell: audit.outcome(cell) for cell in [
                "server.power-off.waiting", "server.killed.waiting", "server.frozen.waiting",
                "path.reset.waiting", "path.delay-300-ms.waiting", "path.refused.before-connect",
                "client.power-off.waiting", "client.killed.waiting"]}
            self.assertEqual(outcomes, {
                "server.power-off.waiting": "hangs", "server.killed.waiting": "error",
                "server.frozen.waiting": "hangs", "path.reset.waiting": "error",
                "path.delay-300-ms.waiting": "unaffected", "path.refused.before-connect": "error",
                "client.power-off.waiting": "hangs", "client.killed.waiting": "recovered"})
            steps = [mark["step"] for mark in audit.marks("server.killed.waiting")]
            self.assertEqual(steps, ["begins", "moment", "failure", "judged"])
            text = audit.marks("server.killed.waiting")[-1]["text"]
            self.assertIn("the server closed the connection", text)

    def test_a_client_that_starts_late_is_not_late(self):
        """In the baseline, no cell has its folder yet, which the client looks for."""
        late = "import glob, time; time.sleep(2 * bool(glob.glob('audit/runs/*delay*')))\n"
        with lab.Folder() as out:
            audit = of_pair(out, "--limit", "10s", "--failure", "delay-300-ms", "--moment",
                            "waiting", client=words(late + CLIENT, "SERVER", "0"))
            self.assertEqual(audit.status, 0, audit.said())
            self.assertEqual(audit.outcome("path.delay-300-ms.waiting"), "unaffected")

    def test_a_server_that_closes_lets_go_though_its_kernel_has_connections(self):
        """One is an orphan, whose FIN nobody acknowledges. The other is the server's own."""
        server = SERVER.replace("listener =", "own = socket.create_server(('127.0.0.1', 7001))\n"
                                "to_itself = socket.create_connection(('127.0.0.1', 7001))\n"
                                "listener =") \
                       .replace("    with client:", "    client.settimeout(1)\n"
                                "    with contextlib.suppress(TimeoutError), client:") \
                       .replace("import ", "import contextlib, ")
        with lab.Folder() as out:
            audit = of_pair(out, "--limit", "10s", "--failure", "power-off", "--failure", "killed",
                            "--moment", "waiting", "--json", "audit.json", server=server)
            self.assertEqual(audit.status, 0, audit.said())
            self.assertEqual(audit.outcome("client.power-off.waiting"), "recovered")
            cells = json.loads((out / "audit.json").read_text())["cells"]
            took = [cell["took"] / 1e9 for cell in cells
                    if (cell.get("side"), cell.get("failure")) == ("client", "power-off")]
            self.assertTrue(1 <= took[0] < 10, took)

    def test_a_timeout_of_the_client_turns_hanging_into_an_error(self):
        with lab.Folder() as out:
            audit = of_pair(out, "--limit", "8s", "--failure", "frozen", "--moment", "waiting",
                            timeout="2")
            self.assertEqual(audit.status, 0, audit.said())
            self.assertEqual(audit.outcome("server.frozen.waiting"), "error")
            begins, *_, judged = audit.marks("server.frozen.waiting")
            self.assertEqual((begins["failure"], begins["moment"], begins["side"]),
                             ("frozen", "waiting", "server"))
            self.assertIn("timed out", judged["text"])

    def test_typed_requests_make_an_idle_moment(self):
        client = "import socket, sys, time\n" \
                 "time.sleep(1.5)  # longer than the pause between two requests\n" \
                 "server = socket.create_connection((sys.argv[1], 7000))\n" \
                 "answers = server.makefile()\n" \
                 "for line in sys.stdin:\n" \
                 "    server.sendall(line.encode())\n" \
                 "    print(answers.readline(), end='', flush=True)\n"
        with lab.Folder() as out:
            audit = of_pair(out, "--limit", "5s", "--baseline", "10s", "--failure", "reset",
                            "--failure", "power-off", "--moment", "idle", "--type", "one",
                            "--type", "two", delay="0", client=words(client, "SERVER"))
            self.assertEqual(audit.status, 0, audit.said())
            self.assertEqual(audit.outcome("path.reset.idle"), "error")
            self.assertIn("ConnectionResetError", audit.marks("path.reset.idle")[-1]["text"])
            self.assertEqual(audit.outcome("server.power-off.idle"), "hangs")


class Applied(unittest.TestCase):
    def test_advised_options_end_a_wait_and_are_told_as_tcplabs(self):
        cells = ["--failure", "power-off", "--failure", "frozen", "--moment", "waiting"]
        with lab.Folder() as out:
            audit = of_pair(out, "--limit", "14s", *cells, "--apply", "--html", "pages")
            self.assertEqual(audit.status, 0, audit.said())
            self.assertEqual(audit.outcome("server.power-off.waiting"), "hangs")
            runs = "audit/applied/runs"
            self.assertEqual(audit.outcome("server.power-off.waiting", runs), "error")
            self.assertEqual(audit.outcome("server.frozen.waiting", runs), "hangs")
            self.assertEqual(audit.outcome("client.power-off.waiting", runs), "recovered")
            self.assertRegex(audit.output, "power off, server: .*  better")
            after = audit.output[audit.output.index("power off, server: "):]
            self.assertIn("TCP_USER_TIMEOUT of 7 s set by tcplab", " ".join(after.split()))
            rest = audit.output[audit.output.index("No socket option does this:"):]
            self.assertIn("process frozen, server", " ".join(rest.split()))
            page = (out / "pages/comparison.html").read_text()
            link = "applied/audit-server.power-off.waiting-ipv4.html"
            self.assertIn(link, page)
            self.assertTrue((out / "pages" / link).exists())
            again = Audit(out, "--compare", "audit", "audit/applied")
            self.assertIn("better", again.output, again.said())

    def test_without_advice_about_sockets_nothing_is_applied(self):
        with lab.Folder() as out:
            audit = of_pair(out, "--limit", "8s", "--failure", "killed", "--moment", "waiting",
                            "--apply")
            self.assertEqual(audit.status, 0, audit.said())
            self.assertIn("Nothing to apply", audit.output)


class SlowDns(unittest.TestCase):
    def test_the_name_is_looked_up_and_the_delay_is_told(self):
        with lab.Folder() as out:
            audit = of_pair(out, "--limit", "20s", "--failure", "slow-dns")
            self.assertEqual(audit.status, 0, audit.said())
            self.assertEqual(audit.outcome("path.slow-dns.before-connect"), "recovered")
            self.assertRegex(audit.output, r"DNS replied after 8(\.\d+)? s")


class Results(unittest.TestCase):
    def test_requirements_files_and_a_comparison(self):
        cells = ["--failure", "frozen", "--failure", "killed", "--moment", "waiting"]
        with lab.Folder() as out:
            before = of_pair(out, "--limit", "5s", *cells, "--notice-within", "3s",
                             "--junit", "audit.xml", "--json", "audit.json", "--html", "pages",
                             "--markdown", "audit.md")
            self.assertEqual(before.status, 1, before.said())
            missed = [line for line in before.output.splitlines() if line.startswith("Missed: ")]
            self.assertEqual(len(missed), 2, before.said())
            self.assertTrue(all("frozen" in line for line in missed), missed)
            suite = ElementTree.parse(out / "audit.xml").getroot().find(".//testsuite")
            failed = [test for test in suite.iter("testcase") if test.find("failure") is not None]
            self.assertEqual(len(failed), 2)
            cells_of = json.loads((out / "audit.json").read_text())["cells"]
            self.assertEqual({cell["outcome"] for cell in cells_of if cell.get("failure")},
                             {"hangs", "error", "recovered"})
            page = (out / "pages/audit.html").read_text()
            link = "audit-server.frozen.waiting-ipv4.html"
            self.assertIn(link, page)
            self.assertTrue((out / "pages" / link).exists())
            self.assertIn("frozen", (out / "audit.md").read_text())

            after = of_pair(out, "--limit", "5s", *cells, "--notice-within", "3s", "--out", "after",
                            "--failure", "killed", timeout="1")
            self.assertIn("server.frozen.waiting", " ".join(map(str, out.glob("after/runs/*"))))
            compared = Audit(out, "--compare", "audit", "after")
            self.assertEqual(compared.status, 0, compared.said())
            self.assertRegex(compared.output, "process frozen, server: .*  better")
            self.assertEqual(after.status, 1, "the server never lets go of a frozen client")

    def test_a_comparison_needs_two_audits(self):
        with lab.Folder() as out:
            for words_after, text in [(["--compare", "one"], "the folders of two audits"),
                                      (["--compare", "one", "two"], "one: no audit")]:
                audit = Audit(out, *words_after)
                self.assertEqual(audit.status, 2, audit.said())
                self.assertIn(text, audit.errors)


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

    def test_a_server_that_ends_at_once(self):
        with lab.Folder() as out:
            audit = Audit(out, "--server", "echo no licence >&2; exit 3", "--port", "7000", "--",
                          *words(CLIENT, "SERVER", "0"))
            self.assert_refused(audit, "the server exited with status 3 before it listened",
                                "no licence")

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


if __name__ == "__main__":
    lab.main()
