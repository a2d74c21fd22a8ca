#!/usr/bin/env python3
"""Checks the clock of stack hosts (--stack): time jumps while all their processes wait, for lwIP,
gVisor and every timed wait of the C library, and never while one of them does something."""
import os
import shutil
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab
from stack_hosts_test import StackTest

SUPPORT = Path(__file__).resolve().parents[3] / "support"
VIRTUAL = "the clock is virtual: it jumps while everything waits"
LONG = ["--timeout", "100000"]

# The server sends data that nobody acknowledges.
SILENT_PEER = """
    local server = kodos:dnc("-l", 8080)
    lab:expect(server):call("listen"):returns(0)
    local conn = lab:peer(kang):connect(kodos, { port = 8080 })
    server:type "answer"
    conn:expect { data = "answer" }
    lab:expect(server):within(4000):call("read"):fails "%s" """


def notes(run):
    return [event["text"] for event in run.events("note")]


def last_time(run):
    """Returns when the last read of a run has returned, in seconds since its first event."""
    first = run.events()[0]["t"]
    return max(event["t"] - first for event in run.events("call")
               if event["phase"] == "return" and event["call"] == "read") / 1e9


class GivesUp(StackTest):
    """Tests of a stack that gives up after a long time."""
    BEFORE = 'local kang, kodos = lab:pair { peer = "kang" }'

    def check(self, error, earliest, latest):
        began = time.monotonic()
        run = lab.Run(self.script(SILENT_PEER % error), self.out.name, "--stack",
                      f"kodos={self.STACK}", *LONG, env=self.environment, timeout=800)
        took = time.monotonic() - began
        self.assertEqual(run.status, 0, run.said())
        self.assertIn(VIRTUAL, notes(run))
        self.assertTrue(earliest < last_time(run) < latest, last_time(run))
        self.assertLess(took, earliest / 3, "time was not skipped")
        return run


class Lwip(GivesUp):
    STACK = "lwip"

    def test_it_gives_up_data_after_38_minutes(self):
        """12 retransmissions: 3 s doubled seven times, and then always 384 s."""
        run = self.check("ECONNABORTED", 2280, 2400)
        data = [event for event in run.events("packet")
                if event["from"] == "kodos" and event.get("length") == 6]
        self.assertEqual(len(data), 1 + 12)

    def test_both_ends_have_that_clock(self):
        self.BEFORE = "local kang, kodos = lab:pair()"
        run = lab.Run(self.script("""
    local client, server = lab:connect(kang, kodos)
    lab:wait(1200)
    client:type "hello"
    lab:expect(server):call("read"):returns(5)
    """), self.out.name, "--stack", "kodos=lwip", "--stack", "kang=lwip", *LONG,
                      env=self.environment)
        self.assertEqual(run.status, 0, run.said())
        self.assertIn(VIRTUAL, notes(run))
        self.assertGreater(last_time(run), 1200)

    def test_it_is_real_with_a_host_of_this_kernel_or_if_told_so(self):
        self.BEFORE = "local kang, kodos = lab:pair()"
        run = self.run_lines_on("kodos", "lab:wait(0.5)")
        self.assertIn("the clock is real: kang has this machine's", notes(run))
        self.BEFORE = 'local kang, kodos = lab:pair { peer = "kang" }'
        began = time.monotonic()
        run = lab.Run(self.script("lab:wait(2)"), self.out.name, "--stack", "kodos=lwip",
                      "--clock", "real", env=self.environment)
        self.assertEqual(run.status, 0, run.said())
        self.assertIn("the clock is real", notes(run))
        self.assertGreater(time.monotonic() - began, 2)


class Gvisor(GivesUp):
    STACK = "gvisor"

    def test_it_gives_up_data_after_15_minutes(self):
        self.check("ETIMEDOUT", 900, 950)


class Commands(lab.LinesTest):
    """Stacks that are commands: --clock virtual gives them the lab's clock."""
    BEFORE = 'local kang, kodos = lab:pair { peer = "kang" }'

    def run_virtual(self, command, lines):
        run = lab.Run(self.script(lines), self.out.name, "--stack", f"kodos={command}", "--clock",
                      "virtual", *LONG)
        self.assertEqual(run.status, 0, run.said())
        self.assertIn(VIRTUAL, notes(run))
        return run

    def compiled(self, source, *options):
        if shutil.which("gcc") is None:
            self.skipTest("there is no gcc")
        program = Path(self.out.name, source.stem)
        subprocess.run(["gcc", "-O1", "-o", program, source, "-pthread", *options], check=True)
        return program

    def said(self, run):
        return "".join(event["text"] for event in run.events("program")
                       if event["change"] == "wrote").splitlines()

    def test_every_timed_wait_ends_on_time(self):
        began = time.monotonic()
        run = self.run_virtual(self.compiled(SUPPORT / "timed_waits.c"), "lab:wait(3000)")
        took = time.monotonic() - began
        lines = self.said(run)
        self.assertEqual(lines.pop(), "all", lines)
        times = {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1]) for line in lines}
        self.assertEqual(len(times), 13)
        self.assertTrue(5 <= times.pop("signal") < 100, lines)
        for name, seconds in times.items():
            # On a busy machine, a wait ends late.
            self.assertTrue(99.999 <= seconds < 120, f"{name} took {seconds} s")
        self.assertLess(took, 600)

    def test_time_is_not_skipped_while_a_thread_computes(self):
        """The other thread, and the script, wait for hundreds of seconds."""
        run = self.run_virtual(f"'{SUPPORT / 'clock_stack.py'}' compute", "lab:wait(5000)")
        lines = self.said(run)
        self.assertLess(float(lines[0].split()[2]), 200, lines)
        self.assertEqual(len(lines), 5, "then it sleeps four times for 1000 s")

    def check_real(self, command, why):
        began = time.monotonic()
        run = self.run_virtual(command, "lab:wait(5)")
        self.assertGreater(time.monotonic() - began, 5)
        said = [note for note in notes(run) if note.startswith("time passes as usual")]
        self.assertEqual(said, ["time passes as usual while a process of kodos " + why])

    def test_one_that_spins_has_real_time(self):
        self.check_real(f"'{SUPPORT / 'clock_stack.py'}' spin", "runs")

    def test_one_with_a_timer_of_the_machine_has_real_time(self):
        self.check_real(f"'{SUPPORT / 'clock_stack.py'}' itimer",
                        "has set a timer with setitimer(2) or alarm(2)")

    def test_a_static_one_has_real_time(self):
        self.check_real(self.compiled(SUPPORT / "timed_waits.c", "-static"),
                        "has not taken the lab's clock (a static program, perhaps)")

    def test_where_a_virtual_clock_is_impossible_it_is_refused(self):
        for options, why in [
                ((), "--clock needs kernel hosts or stack hosts; add --kernel VERSION or --stack"),
                (("--stack", "kodos=slirp"), "whose time is real")]:
            cache = Path(self.out.name, "tcplab/stacks")
            cache.mkdir(parents=True, exist_ok=True)
            shutil.copy(shutil.which("true"), cache / "slirp")
            run = subprocess.run(
                [lab.TCPLAB, "run", "power-cycle", *options, "--clock", "virtual"],
                capture_output=True, text=True, check=False,
                env={**os.environ, "XDG_CACHE_HOME": self.out.name})
            self.assertEqual(run.returncode, 2)
            self.assertIn(why, run.stderr)


if __name__ == "__main__":
    unittest.main()
