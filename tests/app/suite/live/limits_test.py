#!/usr/bin/env python3
"""A run that passes one of its limits ends as broken, with a line that says what to do."""
import json
import os
import resource
import subprocess
import sys
import unittest
import uuid
from pathlib import Path

sys.dont_write_bytecode = True
import lab
import users


class Limits(unittest.TestCase):
    def broken(self, *options):
        """Returns the reason why the run with these options is broken."""
        with lab.Folder() as out:
            run = lab.Run("uses-too-much.lua", out, *options)
            self.assertEqual(run.status, 3, run.said())
            end = run.events()[-1]
            self.assertEqual((end["kind"], end["outcome"]), ("end", "broken"))
            self.assertLess((run.folder / "events.jsonl").stat().st_size, 200 << 20)
            return end["reason"]

    def test_output_is_limited_without_an_option(self):
        self.assertEqual(self.broken(), "the run's programs wrote more than 64 Mi bytes; "
                                        "to allow more: tcplab run --limit output=NUMBER")

    def test_each_limit_can_be_set(self):
        for option, reason in {
            "output=1M": "the run's programs wrote more than 1 Mi bytes",
            "events=20": "the run recorded more than 20 events",
            "faults=10": "the run had more than 10 faults at once",
            "programs=7": "the run started more than 7 programs",
            "memory=1M": "the run used more than 1 Mi bytes of memory",
        }.items():
            with self.subTest(option):
                name = option.split("=", maxsplit=1)[0]
                self.assertIn(f"{reason}; to allow more: tcplab run --limit {name}=NUMBER",
                              self.broken("--limit", "output=0", "--limit", option))

    def test_the_timeout_says_what_was_awaited(self):
        # The scripts wait at once: a busy machine may start no host within a second.
        for waits, awaited in (('lab:expect_packet("* > *", "SYN", { within = 60 })',
                                "a packet * > *, SYN, within 60 s"),
                               ("lab:wait(lab.hour)", "60 min to pass")):
            with self.subTest(waits), lab.Folder() as out:
                (out / "waits.lua").write_text('return { title = "t", asks = "?", '
                                               f"run = function(lab) {waits} end }}")
                run = lab.Run(out / "waits.lua", out, "--timeout", "1")
                self.assertEqual(run.events()[-1]["reason"],
                                 f"the run took longer than 1 s, while it waited for: {awaited}; "
                                 "to allow more: tcplab run --timeout SECONDS", run.said())

    def test_a_wrong_limit_is_refused(self):
        with lab.Folder() as out:
            for wrong in ("output", "output=", "output=1T", "outputs=1", "output=-1"):
                run = lab.Run("uses-too-much.lua", out, "--limit", wrong)
                self.assertEqual(run.status, 2, run.said())
                self.assertIn(f"--limit {wrong}: write NAME=NUMBER", run.errors)

    def test_the_limit_of_its_own_memory_comes_in_time(self):
        """While a script does not wait, the run itself cannot look how much it uses."""
        script = """return { title = "T", asks = "Q?", run = function(lab)
  local sleeper = lab:pair():run("sleep", "100")
  local text = string.rep("x", 20 << 20)
  for _ = 1, 100 do sleeper:type(text) end
end }"""
        with lab.Folder() as out:
            (out / "types.lua").write_text(script, encoding="utf-8")
            run = lab.Run(out / "types.lua", out, "--limit", "memory=400M")
            self.assertEqual(run.status, 3, run.said())
            reason = "the run used more than 400 Mi bytes of memory; " \
                     "to allow more: tcplab run --limit memory=NUMBER"
            self.assertIn(reason, run.output)
            self.assertEqual(run.events()[-1]["reason"], reason)
        # Of the largest process that this one has waited for, directly or not (getrusage(2)).
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.assertLess(most, 1200 << 10)


# Each ends, whatever tcplab does. The last argument is a word to find the processes by.
ALLOCATES = """
parts = []
for _ in range(100):
    parts.append(b"x" * (16 << 20))
time.sleep(60)
"""
SHARES = """
memory = mmap.mmap(-1, 1 << 30)
for at in range(0, 1 << 30, 4096):
    memory[at] = 1
time.sleep(60)
"""
FILLS = """
with open("/dev/shm/large", "wb") as file:
    for _ in range(800):
        file.write(b"x" * (1 << 20))
time.sleep(60)
"""
FORKS = """
for _ in range(5000):
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
time.sleep(60)
"""
THREADS = """
for _ in range(2000):
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
time.sleep(60)
"""
# A parent with much memory has many children, and each of them shares it.
SHARED_BY_CHILDREN = """
part = b"x" * (100 << 20)
for _ in range(10):
    if os.fork() == 0:
        time.sleep(3)
        os._exit(0)
for _ in range(10):
    os.wait()
"""
MAKES_FILES = """
made = 0
try:
    for made in range(1000000):
        open(f"{folder}/{made}", "w").close()
except OSError as error:
    print(error.strerror, "after", made, flush=True)
"""
MEMORY = "the run's programs used more than 200 Mi bytes of memory; " \
         "to allow more: tcplab run --limit program-memory=NUMBER"
PROCESSES = "the run's programs had more than 200 processes and threads; " \
            "to allow more: tcplab run --limit processes=NUMBER"
LIMITS = ("--limit", "program-memory=200M", "--limit", "processes=200")


class Bombs(users.OrdinaryUser):
    """As root and as an ordinary user."""

    def script(self, program, expected="ends()", before=""):
        """Writes a scenario that runs a Python program, and returns its name and a word that only
        the processes of that program have in their command line."""
        word = uuid.uuid4().hex
        script = self.home / f"bomb-{word}.lua"
        script.write_text(f"""return {{ title = "T", asks = "Q?", run = function(lab)
  local kang = lab:pair()
  {before}
  local bomb = kang:run("python3", "-c", [[
import mmap, os, threading, time
folder = "/tmp"
{program}]], "{word}")
  lab:expect(bomb):within(50):{expected}
end }}""", encoding="utf-8")
        return script.name, word

    def each_user(self, *script, options=LIMITS, **more):
        """Runs a scenario as either, and yields the finished process and the run's last event."""
        for number, tcplab in enumerate((self.as_root, self.as_user)):
            with self.subTest(tcplab.__name__):
                name, word = self.script(*script, **more)
                out = f"out{number}"
                if os.geteuid() == 0 and tcplab == self.as_user:
                    Path(self.home, out).mkdir()
                    os.chown(self.home / out, users.NOBODY, users.NOBODY)
                done = tcplab("run", name, "--family", "4", "--out", out, *options)
                events = self.home / out / f"{Path(name).stem}-ipv4/events.jsonl"
                yield done, json.loads(events.read_text(encoding="utf-8").splitlines()[-1])
                self.assertFalse(processes_with(word))

    def assert_broken(self, reason, *script):
        for done, end in self.each_user(*script):
            self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
            self.assertIn(reason, done.stdout)
            self.assertEqual((end["kind"], end["outcome"], end["reason"]),
                             ("end", "broken", reason))

    def test_a_program_that_allocates_until_it_ends(self):
        self.assert_broken(MEMORY, ALLOCATES)

    def test_memory_that_programs_share(self):
        self.assert_broken(MEMORY, SHARES)

    def test_files_in_memory(self):
        self.assert_broken(MEMORY, FILLS)

    def test_processes(self):
        self.assert_broken(PROCESSES, FORKS)

    def test_threads(self):
        self.assert_broken(PROCESSES, THREADS)

    def test_memory_that_a_parent_shares_with_its_children_counts_once(self):
        for done, _ in self.each_user(SHARED_BY_CHILDREN, expected="exits(0)"):
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_million_files_do_not_fit_on_a_host(self):
        for done, end in self.each_user(MAKES_FILES, expected='prints "No space left"'):
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(end["outcome"], "passed")

    def test_the_run_that_uses_the_most_ends(self):
        """Two runs together use too much, though neither does alone."""
        small, _ = self.script('part = b"x" * (60 << 20)\ntime.sleep(8)', 'exits(0)')
        large, word = self.script('part = b"x" * (170 << 20)\ntime.sleep(20)', 'exits(0)')
        done = self.as_root("run", small, large, "--family", "4", "--out", "out", "-j", "2",
                            "--limit", "program-memory=200M")
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("the programs of all current runs, this one's above all, used more than "
                      "200 Mi bytes of memory", done.stdout)
        self.assertIn("1 passed, 0 failed, 0 skipped, 1 broken", done.stdout)
        self.assertFalse(processes_with(word))

    def test_the_shell_has_limits_too(self):
        name = self.home / "bomb.py"
        name.write_text("import threading, time" + THREADS.replace("2000", "4500"),
                        encoding="utf-8")
        with subprocess.Popen([self.home / "tcplab", "shell", "--out", "out"], text=True,
                              cwd=self.home, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE) as shell:
            shell.stdin.write(f'kang:run("python3", "{name}")\n')
            shell.stdin.flush()  # and its end stays open: the shell would quit
            said = shell.stderr.read()
        self.assertEqual(shell.returncode, 3, said)
        self.assertIn("the run's programs had more than 4096 processes and threads", said)
        self.assertFalse(processes_with(str(name)))


def processes_with(word):
    """Returns the processes that have the word in their command line."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if word.encode() in (folder / "cmdline").read_bytes():
                found.append(folder.name)
        except OSError:
            pass  # it has ended
    return found


if __name__ == "__main__":
    lab.main()
