#!/usr/bin/env python3
"""Checks that programs on hosts cannot reach the machine, whether tcplab runs as root or as an
ordinary user, and that they can do what a server needs."""
import json
import os
import shutil
import socket
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab
from users import OrdinaryUser

SECRET = "the-secret-of-the-test"
CLEAN = {"PATH", "HOME", "LANG", "TERM"}


class Containment(OrdinaryUser):
    def setUp(self):
        super().setUp()
        lab.need("python3")
        support = Path(__file__).resolve().parents[3] / "support"
        shutil.copy(support / "probe.py", self.home)
        shutil.copy(lab.SCRIPTS / "contained.lua", self.home)
        elsewhere = lab.Folder()
        self.addCleanup(elsewhere.cleanup)
        os.chmod(elsewhere.name, 0o755)
        Path(elsewhere.name, "file").write_text("of the machine", encoding="utf-8")
        path = elsewhere.name + "/socket"
        self.listen(socket.AF_UNIX, path)
        os.chmod(path, 0o777)
        abstract = f"tcplab-test-{os.getpid()}"
        self.listen(socket.AF_UNIX, "\0" + abstract)
        port = self.listen(socket.AF_INET, ("127.0.0.1", 0)).getsockname()[1]
        self.target = {"secret": SECRET, "file": elsewhere.name + "/file", "abstract": abstract,
                       "socket": path, "port": port, "out": str(self.home / "runs")}
        (self.home / "target.json").write_text(json.dumps(self.target), encoding="utf-8")

    def listen(self, family, address):
        server = socket.socket(family)
        self.addCleanup(server.close)
        server.bind(address)
        server.listen(16)
        return server

    def probe(self, run):
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        events = self.home / "runs/contained-ipv4/events.jsonl"
        wrote = {"python3": "", "env": ""}
        for event in map(json.loads, events.read_text("utf-8").splitlines()):
            if event.get("stream") == "stdout":
                wrote[event["program"]] += event["text"]
        environment = [line.split("=")[0] for line in wrote["env"].splitlines()]
        return {**json.loads(wrote["python3"]), "environment": environment}

    def is_contained(self, seen):
        self.assertEqual([name for name, possible in seen["forbidden"].items() if possible], [])
        self.assertEqual([name for name, possible in seen["allowed"].items() if not possible], [])
        names = {name for name in seen["environment"] if not name.startswith("LC_")}
        self.assertLessEqual(names, CLEAN)

    def run_it(self, *options, as_root):
        arguments = ["run", "contained.lua", "--family", "4", "--out", self.home / "runs", *options]
        if as_root:
            return self.as_root(*arguments, env={"TCPLAB_SECRET": SECRET})
        return self.as_user(*arguments, env={"TCPLAB_SECRET": SECRET})

    @unittest.skipIf(os.geteuid() != 0, "needs root")
    def test_the_machine_is_safe_from_programs_that_run_as_root(self):
        self.is_contained(self.probe(self.run_it(as_root=True)))

    def test_the_machine_is_safe_from_programs_of_an_ordinary_user(self):
        self.is_contained(self.probe(self.run_it(as_root=False)))

    def test_trusted_programs_can_do_what_the_user_can(self):
        seen = self.probe(self.run_it("--trust", as_root=os.geteuid() == 0))
        possible = {name for name, done in seen["forbidden"].items() if done}
        self.assertLessEqual({"write to the working folder", "write to the output folder", "mount",
                              "see the secret", "read the machine's /tmp",
                              "reach a socket in /tmp"}, possible)
        self.assertLessEqual({"reach an abstract socket", "reach the machine's network"},
                             set(seen["forbidden"]) - possible)
        self.assertIn("TCPLAB_SECRET", seen["environment"])


if __name__ == "__main__":
    lab.main()
