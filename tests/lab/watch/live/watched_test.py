#!/usr/bin/env python3
"""Checks that programs are watched as root and as an ordinary user, and that a run leaves no
process behind: no watcher, and no blocked program."""
import os
import resource
import signal
import subprocess
import sys
import unittest
import uuid
from pathlib import Path

sys.dont_write_bytecode = True
import lab
from users import OrdinaryUser

MARK = "TCPLAB_TEST_MARK"


def marked(mark):
    """Returns the processes that have that mark in their environment or in their command line. The
    lab gives programs an environment of their own."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and any(mark.encode() in (entry / file).read_bytes()
                                            for file in ("environ", "cmdline")):
                found.append((entry.name, (entry / "comm").read_text().strip()))
        except OSError:
            pass  # it has ended
    return found


class Watched(OrdinaryUser):
    def setUp(self):
        super().setUp()
        lab.need("python3")
        self.mark = uuid.uuid4().hex
        self.script = self.home / "watched.lua"
        text = (lab.SCRIPTS / "watched.lua").read_text(encoding="utf-8")
        self.script.write_text(text.replace("import os", f"# {self.mark}\nimport os", 1))
        self.script.chmod(0o644)

    def test_threads_children_and_blocked_programs(self):
        with lab.Folder() as out:
            run = lab.Run(self.script, out, env={MARK: self.mark})
            self.assertEqual(run.status, 0, run.said())
            self.assertEqual(marked(self.mark), [])
            ends = [event for event in run.events("program")
                    if event["program"].startswith("python3") and event["change"] == "killed"]
            self.assertEqual([end["code"] for end in ends], [signal.SIGKILL])
            blocked = [event for event in run.events("call")
                       if event["phase"] == "enter" and event["call"] == "recvfrom"]
            self.assertEqual(len(blocked), 2)

    def test_an_ordinary_user(self):
        run = self.as_user("run", self.script, "--out", self.home / "runs", env={MARK: self.mark})
        self.assertEqual(run.returncode, 0, lab.troubles(run.stdout) + run.stderr)
        self.assertIn("1 passed", run.stdout)
        self.assertEqual(marked(self.mark), [])

    def test_the_end_of_a_program_takes_no_processor_time(self):
        """The run must not keep the watcher, which waits for the program first, from running. What
        else happens on the machine can only add to the time."""
        used = {"true": [], "false": []}
        for watch in 3 * ("true", "false"):
            self.script.write_text(f"""return {{
                title = "Programs end", asks = "How long does it take?", tags = {{ "tests" }},
                run = function(lab)
                  local kang = lab:pair()
                  lab:expect(kang:run("true", {{ watch = {watch} }})):exits(0)
                end,
            }}""")
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            with lab.Folder() as out:
                run = lab.Run(self.script, out)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.assertEqual(run.status, 0, run.said())
            used[watch].append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        self.assertLess(min(used["true"]), min(used["false"]) + 0.3, used)

    def test_tcplab_dies_while_a_program_is_blocked(self):
        self.script.write_text(self.script.read_text().replace(
            'lab:say "it is blocked"', 'lab:say "it is blocked" lab:wait(60)'))
        with subprocess.Popen([lab.TCPLAB, "run", self.script, "--live", "--out",
                               self.home / "runs"], stdout=subprocess.PIPE, text=True,
                              env={**os.environ, MARK: self.mark}) as run:
            said = next((line for line in run.stdout if "it is blocked" in line), "")
            names = [name for _, name in marked(self.mark)]
            run.kill()
        self.assertIn("it is blocked", said)
        self.assertIn("tcplab watcher", names)
        self.assertIn("python3", names)
        lab.wait_for(lambda: marked(self.mark) == [])


if __name__ == "__main__":
    lab.main()
