#!/usr/bin/env python3
"""Checks `tcplab audit` with small programs: its cells, its options and its files."""
import os
import re
import signal
import subprocess
import sys
import unittest
from pathlib import Path
from xml.etree import ElementTree

sys.dont_write_bytecode = True
import lab
import schemas
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

    def test_a_server_that_answers_at_once_has_not_answered_in_the_moment_waiting(self):
        options = ["--limit", "8s", "--moment", "waiting"]  # a reboot takes time on a busy machine
        for failure in ("power-off", "killed", "frozen", "reboot", "delay-300-ms", "reset",
                        "unplugged"):
            options += ["--failure", failure]
        with lab.Folder() as out:
            audit = of_pair(out, *options, delay="0")
            self.assertEqual(audit.status, 0, audit.said())
            self.assertEqual({cell: audit.outcome(f"{cell}.waiting") for cell in [
                "server.power-off", "server.killed", "server.frozen", "server.reboot",
                "server.unplugged", "path.delay-300-ms", "path.reset"]}, {
                    "server.power-off": "hangs", "server.killed": "error",
                    "server.frozen": "hangs", "server.reboot": "error",
                    "server.unplugged": "hangs", "path.delay-300-ms": "unaffected",
                    "path.reset": "error"})
            self.assertNotIn("the peer's kernel answers", audit.output.split("process frozen")[0])

    def test_an_answer_that_does_not_pass_is_retransmitted_by_the_server(self):
        large = SERVER.replace('b"you said "', 'b"x" * 5000')
        with lab.Folder() as out:
            audit = of_pair(out, "--limit", "4s", "--failure", "mtu-black-hole", "--moment",
                            "waiting", server=large)
            self.assertEqual(audit.outcome("path.mtu-black-hole.waiting"), "hangs", audit.said())
            self.assertIn("the server still retransmits; it gives up by its kernel default: "
                          "tcp_retries2 = 15, about 16 min, and the client does not see that",
                          " ".join(audit.output.split()))

    def test_another_program_that_answers_makes_the_moment_not_reached(self):
        # The lab forges the answer when the request arrives: before the kernel acknowledges it.
        with lab.Folder() as out:
            (out / "server.py").write_text(SERVER)
            (out / "audit.lua").write_text("""
local audit = include "tcplab/audit/audit.lib.lua"
return audit {
  server = { "sleep", "99" }, port = 7000, client = { "python3", "client.py", "SERVER", "0" },
  prepare = function(cell)
    cell.server_host:run { "python3", "server.py", "99", name = "other" }
    cell.lab:when(cell.lab:packet("* > server", "data", { fate = "delivered" }), function()
      cell.lab:connection(cell.client_host):data "you said hello\\n"
    end)
  end,
}
""")
            (out / "client.py").write_text(CLIENT)
            audit = Audit(out, "audit.lua", "--limit", "4s", "--moment", "waiting", "--failure",
                          "reset")
            self.assertEqual(audit.status, 0, audit.said())
            self.assertEqual(audit.outcome("path.reset.waiting"), "not_reached", audit.said())
            self.assertIn("the server had answered before",
                          audit.marks("path.reset.waiting")[-1]["text"])

    def test_the_time_of_a_baseline_begins_when_the_client_connects(self):
        """A program may be compiled before it starts, on a busy machine."""
        late = words("import time; time.sleep(11)\n" + CLIENT, "SERVER", "0")
        with lab.Folder() as out:
            audit = of_pair(out, "--limit", "20s", "--failure", "killed", "--moment", "waiting",
                            client=late)
            self.assertEqual(audit.outcome("server.killed.waiting"), "error", audit.said())

    def test_a_client_that_starts_late_is_not_late(self):
        """In the baseline, no cell has its folder yet, which the client looks for."""
        late = "import glob, time; time.sleep(2 * bool(glob.glob('audit/runs/*delay*')))\n"
        with lab.Folder() as out:
            audit = of_pair(out, "--limit", "10s", "--failure", "delay-300-ms", "--moment",
                            "waiting", client=words(late + CLIENT, "SERVER", "0"))
            self.assertEqual(audit.status, 0, audit.said())
            self.assertEqual(audit.outcome("path.delay-300-ms.waiting"), "unaffected")

    def test_a_server_that_starts_late_in_a_cell_is_waited_for(self):
        late = "import glob, time; time.sleep(22 * bool(glob.glob('audit/runs/*reset*')))\n"
        with lab.Folder() as out:
            audit = of_pair(out, "--limit", "8s", "--failure", "reset", "--moment", "waiting",
                            server=late + SERVER)
            self.assertEqual(audit.status, 0, audit.said())
            self.assertEqual(audit.outcome("path.reset.waiting"), "error", audit.said())

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
            cells = schemas.checked((out / "audit.json").read_text())["cells"]
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
                 "time.sleep(6)  # longer than the limit, and than the pause between requests\n" \
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


class Output(unittest.TestCase):
    """What a client prints may differ by itself."""
    PRINTS = "import os, time\n" \
             "began = time.monotonic_ns()\n" + CLIENT + \
             "print('id:', os.urandom(4).hex(), 'status: good')\n" \
             "print(time.strftime('at %H:%M:%S'))\n" \
             "print(f'{time.monotonic_ns() - began:12d} ticks')\n"
    CELLS = ["--limit", "8s", "--failure", "delay-300-ms", "--failure", "loss-5", "--moment",
             "before-connect"]

    def test_what_differs_without_a_failure_is_not_compared(self):
        with lab.Folder() as out:
            audit = of_pair(out, *self.CELLS, client=words(self.PRINTS, "SERVER", "0"))
            self.assertEqual(audit.status, 0, audit.said())
            for cell in ("path.delay-300-ms.before-connect", "path.loss-5.before-connect"):
                self.assertIn(audit.outcome(cell), ("unaffected", "recovered"), audit.said())
            self.assertRegex(audit.output, 'Not compared: "[0-9a-f]{8}", "[0-9:]+", "[0-9]+", '
                                           "because the client's output differs there without")
            self.assertIn("`judge`", audit.output)

    def test_the_rest_is_still_compared(self):
        """In the cells, the folder of the baseline is there: then the answer is wrong."""
        wrong = self.PRINTS.replace("'status: good'", "'status: bad' if glob.glob("
                                    "'audit/runs/*delay*') else 'status: good'")
        with lab.Folder() as out:
            audit = of_pair(out, *self.CELLS, client=words("import glob\n" + wrong, "SERVER", "0"))
            self.assertEqual(audit.outcome("path.delay-300-ms.before-connect"), "wrong_data",
                             audit.said())


class Stopped(unittest.TestCase):
    def test_a_signal_during_the_run_without_a_failure_is_the_exit_status(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(number.name), lab.Folder() as out:
                (out / "server.py").write_text(SERVER)
                with subprocess.Popen([lab.TCPLAB, "audit", "--server", "python3 server.py 60",
                                       "--port", "7000", "--", *words(CLIENT, "SERVER", "0")],
                                      cwd=out, text=True, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE) as audit:
                    self.addCleanup(audit.kill)
                    events = out / "audit/runs/audit-baseline-ipv4/events.jsonl"
                    lab.wait_for(lambda events=events: events.exists())
                    audit.send_signal(number)
                    said = audit.communicate(timeout=60)
                self.assertEqual(audit.returncode, 128 + number, said)
                self.assertEqual(said, ("", f"tcplab: the audit was stopped by {number.name} "
                                            "before the first failure was judged\n"))


class Limits(unittest.TestCase):
    """A run that breaks says why, which file it could not write, and which option helps."""
    TALKS = SERVER.replace("time.sleep", "print('x' * (2 << 20), flush=True); time.sleep")
    CELL = ["--limit", "5s", "--failure", "reset", "--moment", "waiting"]
    CELLS = [*CELL, *(word for each in ["killed", "refused", "zero-window", "half-close"]
                      for word in ("--failure", each))]

    def on_small_disk(self, out, size, fill):
        """Audits into a tmpfs in a private mount namespace. The test's `fill` of it is a file."""
        command = (f"mount -t tmpfs -o {size} tmpfs audit && mkdir -p audit/runs && {fill} && "
                   "exec \"$@\"")
        wrap = ["unshare", "--mount", "sh", "-c", command, "sh"]
        if os.geteuid() != 0:
            wrap[1:1] = ["--user", "--map-root-user"]
        (out / "audit").mkdir()
        (out / "server.py").write_text(SERVER)
        return subprocess.run([*wrap, lab.TCPLAB, "audit", *self.CELLS, "--server",
                               "python3 server.py 1", "--port", "7000", "--",
                               *words(CLIENT, "SERVER", "0")],
                              cwd=out, capture_output=True, text=True, check=False, timeout=300)

    def test_a_full_disk_is_named_with_the_file(self):
        for name, size, fill in [
                ("the script", "size=64k", "dd if=/dev/zero of=audit/fill bs=4096 || true"),
                ("the folders", "nr_inodes=4", "true"),
                ("the baseline", "size=64k", "head -c 57344 /dev/zero > audit/fill"),
                ("the cells", "size=64k", "true"),  # a run has 24 KiB
                ("the folders of the cells", "nr_inodes=12", "true"),
                ("the files of the cells", "nr_inodes=20", "true")]:
            with self.subTest(name), lab.Folder() as out:
                done = self.on_small_disk(out, size, fill)
                said = done.stdout + done.stderr
                self.assertEqual(done.returncode, 3, said)
                self.assertRegex(done.stderr, r"cannot (write|make) (the folder )?\S*audit\S*: "
                                              r"No space left on device \(ENOSPC\)")
                self.assertNotIn("it is empty", said)

    def test_a_server_that_writes_too_much_names_an_option_that_helps(self):
        with lab.Folder() as out:
            audit = of_pair(out, *self.CELL, "--limit", "output=1M", server=self.TALKS)
            self.assertEqual(audit.status, 3, audit.said())
            self.assertEqual(audit.errors.splitlines()[-1],
                             "tcplab: the run's programs wrote more than 1 Mi bytes; to allow "
                             "more: tcplab audit --limit output=NUMBER")
            audit = of_pair(out, *self.CELL, "--limit", "output=16M", server=self.TALKS)
            self.assertEqual(audit.status, 0, audit.said())

    def test_wrong_limits_are_refused(self):
        with lab.Folder() as out:
            for options, why in [(["output=1T"], "--limit output=1T: write NAME=NUMBER"),
                                 (["seconds=5"], "use --limit TIME"),
                                 (["5s", "6s"], "--limit 6s: it already is 5s; give one time"),
                                 (["soon"], "write a time as 30s, 5m or 2h, at most a day; or")]:
                audit = of_pair(out, *(word for each in options for word in ("--limit", each)))
                self.assertEqual(audit.status, 2, audit.said())
                self.assertIn(why, audit.errors)


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

    def test_the_printed_code_of_the_advice_works(self):
        """The advice is 30 s, so a client that follows it notices then."""
        cells = ["--limit", "34s", "--failure", "power-off", "--moment", "waiting"]
        with lab.Folder() as out:
            before = of_pair(out, *cells, delay="60")
            self.assertEqual(before.status, 0, before.said())
            self.assertEqual(before.outcome("server.power-off.waiting"), "hangs")
            said = " ".join(before.output.split())
            code = re.search(r"set keepalive to 30 s: (.*?)\. The client waits", said)[1]
            advised = CLIENT.replace("server.settimeout", f"s = server\n{code}\nserver.settimeout")
            after = of_pair(out, *cells, delay="60", client=words(advised, "SERVER", "0"))
            self.assertEqual(after.outcome("server.power-off.waiting"), "error", after.said())
            self.assertIn("keepalive 10/5/4 set by the program", after.output)

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
            cells_of = schemas.checked((out / "audit.json").read_text())["cells"]
            self.assertEqual({cell["outcome"] for cell in cells_of if cell.get("failure")},
                             {"hangs", "error", "recovered"})
            page = (out / "pages/audit.html").read_text()
            link = "audit-server.frozen.waiting-ipv4.html"
            self.assertIn(link, page)
            self.assertTrue((out / "pages" / link).exists())
            self.assertIn("frozen", (out / "audit.md").read_text())

            after = of_pair(out, "--limit", "5s", *cells, "--notice-within", "3s", "--out", "after",
                            "--failure", "killed", delay="0.3", timeout="1")
            self.assertIn("server.frozen.waiting", " ".join(map(str, out.glob("after/runs/*"))))
            compared = Audit(out, "--compare", "audit", "after")
            self.assertEqual(compared.status, 0, compared.said())
            self.assertRegex(compared.output, "process frozen, server: .*  better")
            self.assertEqual(after.status, 1, "the server never lets go of a frozen client")

    def test_a_comparison_ignores_cells_of_an_audit_before(self):
        cells = ["--limit", "6s", "--moment", "waiting", "--failure"]
        with lab.Folder() as out:
            for failure in ("killed", "frozen"):
                audit = of_pair(out, *cells, failure)
                self.assertEqual(audit.status, 0, audit.said())
            self.assertTrue(list(out.glob("audit/runs/*killed*")))
            frozen = len(list(out.glob("audit/runs/*frozen*")))
            compared = Audit(out, "--compare", "audit", "audit")
            self.assertEqual(compared.status, 0, compared.said())
            # The baseline is in the table, too.
            self.assertIn(f"0 better, 0 worse, {frozen + 1} the same", compared.output)

    def test_a_comparison_needs_two_audits(self):
        with lab.Folder() as out:
            for words_after, text in [(["--compare", "one"], "the folders of two audits"),
                                      (["--compare", "one", "two"], "one: no audit")]:
                audit = Audit(out, *words_after)
                self.assertEqual(audit.status, 2, audit.said())
                self.assertIn(text, audit.errors)


if __name__ == "__main__":
    lab.main()
