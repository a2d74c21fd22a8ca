#!/usr/bin/env python3
"""Checks that tcplab leaves nothing outside its output folder, however it dies.

The test runs in its own namespaces (unshare(1)). Every process, device, mount and file there is
tcplab's or the test's. TCPLAB_KILLS is the number of kills; TCPLAB_SEED chooses their moments."""
import os
import random
import select
import signal
import socket
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

KILLS = int(os.environ.get("TCPLAB_KILLS", "50"))
SEED = int(os.environ.get("TCPLAB_SEED", str(random.randrange(10**6))))
INSIDE = "TCPLAB_TEST_INSIDE"
PATIENCE = 60  # seconds until all must be gone: the kernel drops namespaces with a delay
PLACES = ("/tmp", "/run", "/dev/shm", "/var/tmp")
NAMESPACES = ("net", "pid", "mnt", "uts", "ipc", "user")


def move_inside():
    """Runs this file again as pid 1 of new namespaces, with empty folders for files."""
    flags = ["--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "--mount-proc"]
    if os.geteuid() != 0:
        flags = ["--user", "--map-root-user", *flags]
    trial = subprocess.run(["unshare", *flags, "true"], capture_output=True, text=True,
                           check=False)
    if trial.returncode != 0:
        print(f"skipped: namespaces cannot be made here: {trial.stderr.strip()}")
        sys.exit(lab.SKIPPED)
    os.execvpe("unshare", ["unshare", *flags, sys.executable, os.path.abspath(__file__)],
               {**os.environ, INSIDE: "1"})


def furnish():
    """Mounts empty folders. If the clone or build is in one of them, it stays reachable through
    /mnt."""
    scenarios = Path(__file__).resolve().parents[4] / "scenarios"
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/mnt"], check=True)
    for name, folder in (("bin", lab.BIN), ("scripts", lab.SCRIPTS), ("scenarios", scenarios)):
        Path("/mnt", name).mkdir()
        subprocess.run(["mount", "--bind", folder, f"/mnt/{name}"], check=True)
    for place in PLACES:
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", place], check=True)
    lab.TCPLAB, lab.SCRIPTS = Path("/mnt/bin/tcplab"), Path("/mnt/scripts")
    os.environ["TCPLAB_SCENARIOS"] = "/mnt/scenarios"


def processes():
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit() and int(entry) != os.getpid():
            try:
                found[int(entry)] = Path(f"/proc/{entry}/comm").read_text().strip()
            except OSError:
                pass  # it has just gone
    return found


def namespaces():
    """Returns every namespace that a process uses or holds open, or that is mounted."""
    found = set()
    for process in [*processes(), os.getpid()]:
        links = [f"/proc/{process}/ns/{kind}" for kind in NAMESPACES]
        targets = open_files(process)
        for link in links:
            try:
                targets.add(os.readlink(link))
            except OSError:
                pass  # it has just gone
        found |= {target for target in targets if target.split(":[")[0] in NAMESPACES}
    return found


def open_files(process):
    """Returns what the process has open. A descriptor may be closed at any moment, which hides no
    other one."""
    found = set()
    try:
        descriptors = os.listdir(f"/proc/{process}/fd")
    except OSError:
        return found  # the process has just gone
    for descriptor in descriptors:
        try:
            found.add(os.readlink(f"/proc/{process}/fd/{descriptor}"))
        except OSError:
            pass  # it has just been closed
    return found


def runs_of(process):
    """Returns the pids of this tcplab's runs. The init of a host is named like its run, and has
    its files open, until it closes them; but its parent is the run."""
    found = []
    for other, name in processes().items():
        try:
            status = Path(f"/proc/{other}/status").read_text()
        except OSError:
            continue
        if name == "tcplab-run" and f"PPid:\t{process.pid}\n" in status:
            found.append(other)
    return found


def files():
    return {os.path.join(folder, name) for place in PLACES
            for folder, folders, names in os.walk(place) for name in [*folders, *names]
            if not folder.startswith("/tmp/out") and name != "out"}


def traces():
    """Returns everything that a process can leave behind, by kind."""
    return {"processes": set(processes().values()), "namespaces": namespaces(),
            "devices": {name for _, name in socket.if_nameindex()},
            "mounts": set(Path("/proc/self/mountinfo").read_text().splitlines()),
            "files": files()}


def reap():
    """Reaps orphans, because this process is pid 1."""
    try:
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass
    except ChildProcessError:
        pass


def wait_until_gone(pidfds, deadline):
    """Waits for the end of each process; pidfds become readable (pidfd_open(2))."""
    poller = select.poll()
    for descriptor in pidfds:
        poller.register(descriptor, select.POLLIN)
    left = set(pidfds)
    while left and time.monotonic() < deadline:
        for descriptor, _ in poller.poll(1000 * max(0, deadline - time.monotonic())):
            poller.unregister(descriptor)
            left.discard(descriptor)
    return not left


def open_pidfds():
    opened = []
    for process in processes():
        try:
            opened.append(os.pidfd_open(process))
        except OSError:
            pass
    return opened


class Killed(unittest.TestCase):
    def setUp(self):
        self.before = traces()

    def start(self, *which):
        os.makedirs("/tmp/out", exist_ok=True)
        return subprocess.Popen(
            [lab.TCPLAB, "run", *which, "--jobs", "8", "--out", "/tmp/out/runs"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd="/tmp/out")

    def expect_nothing_left(self, when):
        deadline = time.monotonic() + PATIENCE
        pidfds = open_pidfds()
        gone = wait_until_gone(pidfds, deadline)
        for descriptor in pidfds:
            os.close(descriptor)
        while True:  # a process may just be starting, and a namespace may just be dropped
            reap()
            left = {kind: now - self.before[kind] for kind, now in traces().items()}
            if not any(left.values()) or time.monotonic() > deadline:
                break
            select.select([], [], [], 0.01)
        self.assertTrue(gone, f"{when}: {left}")
        self.assertEqual(left, {kind: set() for kind in left}, when)

    def workers(self, process, count):
        """Waits until tcplab has this number of runs, and returns their pids."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            found = runs_of(process)
            if len(found) >= count:
                return found
            select.select([], [], [], 0.005)
        raise AssertionError("tcplab started no run")

    def test_sigkill_at_random_moments_leaves_nothing(self):
        moments, alive = random.Random(SEED), 0
        print(f"seed {SEED}, {KILLS} kills", flush=True)
        for number in range(KILLS):
            process = self.start(lab.SCRIPTS / "busy.lua", "puzzlers")
            if number % 2:  # a busy machine may start slowly, so every second kill waits for a run
                self.workers(process, 1)
            moment = moments.uniform(0, 0.8)
            select.select([], [], [], moment)  # a random moment is what this tests
            alive += len(processes()) > 1
            process.kill()
            process.wait()
            process.stdout.close()
            self.expect_nothing_left(f"kill {number}, after {moment:.3f} s, seed {SEED}")
        self.assertGreaterEqual(alive, KILLS // 2, "else nothing was there to be left")

    def test_leftovers_would_be_detected(self):
        sleeper = subprocess.Popen(["unshare", "--net", "sleep", "100"])
        Path("/tmp/forgotten").touch()
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/media"], check=True)
        while "sleep" not in traces()["processes"]:  # until unshare(1) has executed it
            select.select([], [], [], 0.005)
        seen = traces()
        new = {kind for kind in seen if seen[kind] - self.before[kind]}
        subprocess.run(["umount", "/media"], check=True)
        os.unlink("/tmp/forgotten")
        sleeper.kill()
        sleeper.wait()
        self.assertEqual(new, {"processes", "namespaces", "mounts", "files"})

    def test_descriptors_that_come_and_go_hide_no_others(self):
        with open("/tmp/held", "w", encoding="utf-8") as held:
            restless = subprocess.Popen(
                [sys.executable, "-c",
                 "import os\nprint(flush=True)\nwhile True: os.close(os.dup(1))"],
                stdout=subprocess.PIPE, pass_fds=[held.fileno()])
        restless.stdout.readline()
        missed = sum("/tmp/held" not in open_files(restless.pid) for _ in range(5000))
        restless.kill()
        restless.communicate()
        os.unlink("/tmp/held")
        self.assertEqual(missed, 0)

    def run_of(self, tcplab, name):
        """Waits until the run with this folder writes its timeline, and returns its pid."""
        file = f"/tmp/out/runs/{name}/events.jsonl"
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for process in runs_of(tcplab):
                if file in open_files(process):
                    return process
            select.select([], [], [], 0.005)
        raise AssertionError(f"no run writes {file}")

    def test_sigkill_of_one_run_leaves_nothing(self):
        process = self.start(lab.SCRIPTS / "busy.lua", "warmup")
        for run in ("busy-ipv4", "busy-ipv6"):
            os.kill(self.run_of(process, run), signal.SIGKILL)
        output = process.communicate(timeout=60)[0]
        self.assertEqual(process.returncode, 3, output)
        self.assertEqual(output.count("\nthe run's process was killed by SIGKILL"), 2, output)
        self.assertIn("2 passed", output, "the others go on")
        self.expect_nothing_left("a run was killed")

    def test_sigterm_and_sigint_leave_nothing(self):
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with self.subTest(signal=number.name):
                process = self.start(lab.SCRIPTS / "busy.lua")
                self.workers(process, 2)
                process.send_signal(number)
                output = process.communicate(timeout=60)[0]
                self.assertEqual(process.returncode, status, output)
                self.expect_nothing_left(number.name)


if __name__ == "__main__":
    if INSIDE not in os.environ:
        move_inside()
    furnish()
    lab.main()
