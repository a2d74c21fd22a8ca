#!/usr/bin/env python3
"""Kernel hosts: tcplab run --kernel 6.1."""
import os
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

import guests
import lab
import users

VERSION = "6.1"


def tcplab(*arguments, timeout=300, **options):
    return subprocess.run([lab.TCPLAB, *arguments], capture_output=True, text=True,
                          timeout=timeout, check=False, **options)


def stat_of(pid):
    """Returns the parent and the start time of a process (proc_pid_stat(5)); None if it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
        return int(fields[1]), fields[19]
    except OSError:
        return None


def descendants(pid):
    """Returns {pid: start time} of all processes below this one."""
    stats = {int(name): stat_of(name) for name in os.listdir("/proc") if name.isdigit()}
    found, parents = {}, {pid}
    while parents:
        children = {each: stat[1] for each, stat in stats.items() if stat and stat[0] in parents}
        found.update(children)
        parents = set(children)
    return found


@guests.needs_kernel
class KernelHostsTest(unittest.TestCase):
    def setUp(self):
        self.out = lab.Folder()
        self.addCleanup(self.out.cleanup)

    def run_it(self, *arguments):
        return tcplab("run", "--kernel", VERSION, "--out", self.out.name, *arguments)

    def test_every_puzzler_passes_with_stock_timers(self):
        run = self.run_it("puzzlers", "--timers", "stock")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("16 passed", run.stdout)

    def test_a_timeout_of_a_quarter_of_an_hour_takes_seconds(self):
        began = time.monotonic()
        run = lab.Run(Path(lab.SCRIPTS, "../../scenarios/puzzlers/power-off.lua").resolve(),
                      self.out.name, "--kernel", VERSION, "--timers", "stock")
        self.assertEqual(run.status, 0, run.said())
        self.assertLess(time.monotonic() - began, 400)
        start, end = run.events("run")[0], run.events("end")[0]
        self.assertGreater(end["t"] - start["t"], 900e9)
        self.assertTrue(start["kernel"].startswith(VERSION), start)

    def test_the_first_timer_of_a_fresh_kernel_is_not_late(self):
        """tcplab started programs so soon that the first timer of every second host was late."""
        run = self.run_it("black-hole", "--family", "4", "--timers", "stock", "--repeat", "12")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("12 passed", run.stdout)

    def test_a_program_has_a_terminal_of_its_host(self):
        run = lab.Run("terminal.lua", self.out.name, "--kernel", VERSION)
        self.assertEqual(run.status, 0, run.said())

    def endless(self, name, wait):
        """Writes a script whose program computes without end. Returns its path."""
        script = Path(self.out.name, f"{name}.lua")
        script.write_text(f"""return {{ title = 'T', asks = 'Q?', run = function(lab)
  local kang, kodos = lab:pair()
  kodos:run("sh", "-c", "while true; do :; done")
  {wait}
end }}""", encoding="utf-8")
        return script

    def test_options_that_need_namespaces_are_refused(self):
        run = self.run_it("warmup", "--trust")
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("--trust needs namespace hosts", run.stderr)

    def test_a_kernel_without_tracepoints_is_refused(self):
        run = self.run_it("warmup", "--tracepoints")
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertRegex(run.stderr,
                         r"^tcplab: --tracepoints: \S+ \(Linux 6.1\S*\) has none; build a kernel "
                         r"that has them: tcplab kernels build 6.12\n$")

    def test_a_need_of_tracepoints_is_a_reason_to_skip(self):
        script = Path(self.out.name, "needs.lua")
        script.write_text("""return { title = 'T', asks = 'Q?', needs = { "tracepoints" },
  run = function(lab) lab:pair() end }""", encoding="utf-8")
        run = self.run_it(script)
        self.assertEqual(run.returncode, lab.SKIPPED, run.stdout + run.stderr)
        self.assertIn("it needs tracepoints, which Linux 6.1", run.stdout)

    def test_nothing_survives_when_tcplab_is_killed(self):
        script = self.endless("waits", "lab:idle(10 * lab.minute)")
        with subprocess.Popen([lab.TCPLAB, "run", script, "--family", "4", "--kernel", VERSION,
                               "--timers", "stock",
                               "--out", self.out.name], stdout=subprocess.DEVNULL) as run:
            events = Path(self.out.name, "waits-ipv4/events.jsonl")
            self.await_that(lambda: events.exists() and '"sh"' in events.read_text())
            below = descendants(run.pid)
            # The run, two kernels, and what each of them traces.
            self.assertGreater(len(below), 4)
            run.send_signal(signal.SIGKILL)
            run.wait()
        self.await_that(lambda: not any((stat_of(pid) or (0, ""))[1] == start
                                        for pid, start in below.items()))

    def test_a_run_whose_clock_cannot_jump_ends_after_a_limit_of_real_time(self):
        script = self.endless("computes", "lab:wait(10 * lab.hour)")
        run = self.run_it(script, "--family", "4", "--timeout", "0", "--limit", "seconds=4")
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        passed = "the run took longer than 4 s of real time"
        if f"{passed}, while it waited for: 600 min to pass; " not in run.stdout:
            # On a busy machine, the limit passes while the kernels boot.
            self.assertIn(f"{passed}; ", run.stdout)
            events = Path(self.out.name, "computes-ipv4/events.jsonl").read_text(encoding="utf-8")
            self.assertNotIn('"program":"sh"', events)
        self.assertIn("; its clock jumps only when all programs of its hosts wait; to allow more: "
                      "tcplab run --limit seconds=NUMBER", run.stdout)

    def test_a_limit_of_real_time_is_refused_where_the_clock_does_not_jump(self):
        for clock in (("--kernel", VERSION, "--clock", "real"), ()):
            run = tcplab("run", "warmup", "--limit", "seconds=4", *clock)
            self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
            self.assertEqual(run.stderr, "tcplab: --limit seconds is for hosts whose clock jumps; "
                                         "use --timeout SECONDS\n")

    def test_the_clock_that_jumps_passes_that_limit(self):
        script = Path(self.out.name, "waits.lua")
        script.write_text("""return { title = 'T', asks = 'Q?', run = function(lab)
  lab:pair()
  lab:wait(lab.hour)
end }""", encoding="utf-8")
        run = self.run_it(script, "--family", "4", "--timeout", "0", "--limit", "seconds=120")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_a_program_reads_at_once_what_was_typed_at_once(self):
        script = Path(self.out.name, "types.lua")
        script.write_text("""return { title = 'T', asks = 'Q?', run = function(lab)
  local kang = lab:pair()
  local reader = kang:run("python3", "-c", [[
import os
print("ready", flush=True)
for _ in range(5): print(len(os.read(0, 1 << 17)), flush=True)]])
  lab:expect(reader):prints "ready"
  for _ = 1, 5 do
    reader:type(("x"):rep(60000))
    lab:expect(reader):prints "60000"
  end
end }""", encoding="utf-8")
        run = self.run_it(script, "--family", "4")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_an_expectation_of_a_newer_kernel_is_not_checked(self):
        script = Path(self.out.name, "newer.lua")
        script.write_text("""return { title = 'T', asks = 'Q?', run = function(lab)
  local client = lab:connected()
  lab:check(lab:since "6.1" and not lab:since "6.2", "the version is that of the hosts")
  lab:expect(client):since("6.2"):in_state "CLOSED"
end }""", encoding="utf-8")
        run = self.run_it(script, "--family", "4")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("1 expectation not checked: it holds since Linux 6.2", run.stdout)

    def test_a_kernel_that_was_built(self):
        run = tcplab("run", "warmup", "power-off", "--kernel", guests.built_kernel(), "--timers",
                     "stock", "--out", self.out.name)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_a_timer_of_the_first_moment_does_not_expire_at_once(self):
        run = tcplab("run", "black-hole", "--kernel", guests.built_kernel(), "--timers", "stock",
                     "--repeat", "60", "--out", self.out.name)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def await_that(self, holds, seconds=60):
        end = time.monotonic() + seconds
        while not holds():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)


@guests.needs_kernel
class OrdinaryUserTest(users.OrdinaryUser):
    @unittest.skipIf(os.geteuid() != 0, "only root becomes nobody")
    def test_it_takes_no_privileges(self):
        for program in lab.BIN.iterdir():
            if program.is_file():
                shutil.copy(program, self.home)
        run = subprocess.run(
            ["setpriv", f"--reuid={users.NOBODY}", f"--regid={users.NOBODY}", "--clear-groups",
             "--no-new-privs", self.home / "tcplab", "run", "puzzlers", "--kernel", VERSION,
             "--timers", "stock"], capture_output=True, text=True, cwd=self.home, timeout=300,
            env={**os.environ, "TCPLAB_SCENARIOS": str(lab.SCRIPTS.parents[1] / "scenarios")},
            check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


class KernelsTest(unittest.TestCase):
    def test_the_kernels_of_the_machine_are_listed(self):
        run = tcplab("kernels")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(os.uname().release, run.stdout)
        self.assertEqual("6.1" in run.stdout.replace(os.uname().release, ""), not guests.NO_KERNEL)

    def test_a_kernel_that_is_none_is_refused_in_one_line(self):
        for kernel, why in (("/bin/true", "not a User-mode Linux kernel"),
                            ("/nowhere", "no such file"), ("0.1", "no such kernel")):
            run = tcplab("run", "warmup", "--kernel", kernel)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn(why, run.stderr)
            self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)

    def test_a_clock_is_only_for_kernel_hosts(self):
        run = tcplab("run", "warmup", "--clock", "real")
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("add --kernel", run.stderr)


if __name__ == "__main__":
    lab.main()
