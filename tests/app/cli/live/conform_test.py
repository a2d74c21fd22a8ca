#!/usr/bin/env python3
"""Runs tcplab conform: with this kernel, with stacks that do something wrong, and with a small
stack that has one planted fault at a time."""
import os
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.etree import ElementTree

sys.dont_write_bytecode = True
import lab
import plain_tcp_parts
import schemas

SUPPORT = Path(__file__).resolve().parents[3] / "support"
QUICK = ["MUST-8", "SHLD-1", "RFC5961-3.2-a", "MUST-11"]
PLANTED = sorted({found for each in plain_tcp_parts.FAULTS.values() for found in each} |
                 {"MUST-1", "MUST-5", "MUST-12", "SHLD-2", "RFC9293-3.6.1"})

# ./test asks each fault for its own requirements and this share of the others, --all for all.
SHARES = 1 if "TCPLAB_TEST_ALL" in os.environ else 4

ROUNDS = 8  # of a busy machine, which leaves some requirements unseen

SLOW = ["MUST-19"]  # it waits for retransmissions, for 11 s

FAILS_EARLY = """return { title = "t", asks = "q",
  requires = { id = "%s", level = "MUST", rfc = "r", says = "s", met = "m" },
  run = function(lab)
    local kang, kodos = lab:pair()
    %s
  end }
"""


class ConformTest(unittest.TestCase):
    def setUp(self):
        self.out = lab.Folder()
        self.addCleanup(self.out.cleanup)

    def conform(self, *arguments, status, env=None):
        done = subprocess.run([lab.TCPLAB, "conform", *arguments], capture_output=True, text=True,
                              check=False, cwd=self.out.name, timeout=600, env=env)
        if status is not None:
            self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout

    def stacks(self, file):
        return schemas.checked(Path(self.out.name, file).read_text(encoding="utf-8"))["stacks"]

    def verdicts(self, file, column=0):
        table = schemas.checked(Path(self.out.name, file).read_text(encoding="utf-8"))
        return {row["scenario"]: row["verdicts"][column]["verdict"]
                for row in table["requirements"]}


class Linux(ConformTest):
    def test_this_kernel_meets_them_in_every_format(self):
        said = self.conform("linux", *QUICK, "--json", "a.json", "--markdown", "a.md", "--junit",
                            "a.xml", "--html", "pages", status=0)
        self.assertIn("linux: 4 met, 0 not met, 0 does not arise, 0 not seen", said)
        self.assertEqual(set(self.verdicts("a.json").values()), {"met"})
        self.assertIn("| MUST-8 | MUST |", Path(self.out.name, "a.md").read_text())
        suite = ElementTree.parse(Path(self.out.name, "a.xml")).getroot()
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("8", "0"))
        page = Path(self.out.name, "pages/index.html").read_text()
        for scenario in self.verdicts("a.json"):
            for family in "46":
                name = f"./linux/{scenario}-ipv{family}.html"
                self.assertIn(f'<a href="{name}">', page)
                self.assertTrue(Path(self.out.name, "pages", name).exists(), name)
        shown = subprocess.run([lab.TCPLAB, "show", "conform/linux/rst-exact-ipv6"], text=True,
                               cwd=self.out.name, capture_output=True, check=True)
        self.assertIn("the connection is gone after an exact RST", shown.stdout)

    def test_a_saved_table_is_a_baseline(self):
        self.conform("linux", *QUICK, "--family", "4", "--json", "a.json", status=0)
        said = self.conform("linux", *QUICK, "--family", "4", "--against", "a.json", status=0)
        self.assertIn("0 verdicts differ", said)
        # SHOULD is no failure, but what was met before and is not met now is one.
        stack = [sys.executable, SUPPORT / "plain_tcp.py", "isn guessed"]
        options = ["--family", "4", "--only", "SHLD-1", "--json", "b.json"]
        self.conform(*options, "--", *stack, status=0)
        said = self.conform(*options, "--against", "a.json", "--", *stack, status=1)
        self.assertIn("1 verdict differs; of these requirements, linux meets 1 that", said)
        self.assertEqual(self.verdicts("b.json", column=1), {"isn-unpredictable": "met"})


    def test_two_columns_have_two_names(self):
        for name in ["my-stack", "linux"]:  # one may even be called like a stack of tcplab
            stack = Path(self.out.name, name)
            stack.write_text(f"#!/bin/sh\nexec {sys.executable} {SUPPORT}/plain_tcp.py none\n",
                             encoding="utf-8")
            stack.chmod(0o755)
        options = ["--family", "4", "--only", "RFC5961-3.2-a", "--json"]
        self.conform(*options, "before.json", "--", "./my-stack", status=0)
        self.conform(*options, "a.json", "--against", "before.json", "--", "./my-stack", status=0)
        self.assertEqual(self.stacks("a.json"), ["my-stack", "my-stack (before.json)"])
        self.conform(*options, "a.json", "--against", "linux", "--", "./linux", status=0)
        self.assertEqual(self.stacks("a.json"), ["stack", "linux"])


class WrongStacks(ConformTest):
    def test_a_stack_that_is_not_ready_is_not_seen_with_the_reason(self):
        stack = [sys.executable, SUPPORT / "rude_stack.py", "exits"]
        said = self.conform("--only", "MUST-8", "--json", "a.json", "--junit", "a.xml", "--",
                            *stack, status=3)
        self.assertEqual(self.verdicts("a.json"), {"isn-follows-clock": "not seen"})
        self.assertIn("no memory for 3 buffers", " ".join(said.split()))
        suite = ElementTree.parse(Path(self.out.name, "a.xml")).getroot()
        self.assertEqual((suite.get("failures"), suite.get("errors")), ("0", "2"))

    def test_a_stack_that_answers_nothing_is_never_met(self):
        """It is ready, but has no TCP: whoever judges silence must see it speak first."""
        stack = [sys.executable, SUPPORT / "plain_tcp.py", "mute"]
        self.conform("--family", "4", "--json", "a.json", "--", *stack, status=3)
        met = [name for name, verdict in self.verdicts("a.json").items() if verdict != "not seen"]
        self.assertEqual(met, [])


class Verdicts(ConformTest):
    def script(self, name, requirement, lines):
        folder = Path(self.out.name, "own")
        folder.mkdir(exist_ok=True)
        Path(folder, name + ".lua").write_text(FAILS_EARLY % (requirement, lines), encoding="utf-8")

    def test_each_outcome_of_a_script_has_its_verdict_and_exit_status(self):
        cases = [("lab:require(true, 'c')", "met", 0),
                 ("lab:require(false, 'c', 's')", "not met", 1),
                 ("lab:expect_packet('kang > kodos', 'SYN', { within = 0.1 })", "not seen", 3),
                 ("lab:does_not_arise 'no such option'", "does not arise", 4),
                 ("lab:skip 'no such card'", "not seen", 4), ("lab:wait(0)", "not seen", 3),
                 ("error 'wrong'", "not seen", 2)]
        for lines, verdict, status in cases:
            with self.subTest(lines):
                self.script("own", "OWN-1", lines)
                said = self.conform("linux", "--requirements", "own", "--json", "a.json",
                                    status=status)
                self.assertEqual(self.verdicts("a.json"), {"own": verdict}, said)

    def test_a_requirement_of_the_other_family_is_left_out(self):
        self.conform("linux", "MUST-55", "RFC5961-3.2-a", "--family", "6", "--json", "a.json",
                     status=0)
        self.assertEqual(self.verdicts("a.json"), {"rst-exact": "met"})
        self.conform("linux", "MUST-55", "--family", "6", status=4)

    def test_a_requirement_can_be_left_out(self):
        self.script("a", "OWN-1", "lab:require(false, 'c')")
        self.script("b", "OWN-2", "lab:require(true, 'c')")
        self.conform("linux", "--requirements", "own", "--except", "OWN-1", "--json", "a.json",
                     status=0)
        self.assertEqual(self.verdicts("a.json"), {"b": "met"})

    def test_github_shows_what_failed(self):
        self.script("a", "OWN-1", "lab:require(false, 'the claim')")
        said = self.conform("linux", "--requirements", "own", status=1,
                            env={**os.environ, "GITHUB_ACTIONS": "true"})
        self.assertRegex(said, "(?m)^::error file=.*the claim")

    def test_a_must_that_is_not_met_decides_before_a_run_that_broke(self):
        self.script("a", "OWN-1", "lab:require(false, 'c')")
        self.script("b", "OWN-2", "lab:wait(0)")
        self.conform("linux", "--requirements", "own", status=1)


class PlantedFaults(ConformTest):
    def find(self, fault):
        """Returns the verdicts. A busy machine may leave some unseen: these are judged again."""
        number = list(plain_tcp_parts.FAULTS).index(fault)
        own = set(plain_tcp_parts.FAULTS[fault]) | set(plain_tcp_parts.UNSEEN.get(fault, []))
        names = [name for each, name in enumerate(PLANTED)
                 if fault == "none" or name in own or
                 (name not in SLOW and (number + each) % SHARES == 0)]
        verdicts, said = {}, ""
        for _ in range(ROUNDS):
            if not names:
                break
            judged, printed = self.judge(fault, names)
            verdicts, said = verdicts | judged, said + printed
            unseen = set(plain_tcp_parts.UNSEEN.get(fault, []))
            names = [name for name, verdict in judged.items()
                     if verdict == "not seen" and name not in unseen]
        return verdicts, said

    def judge(self, fault, names):
        out = Path(self.out.name, fault.replace(" ", "-"))
        command = [lab.TCPLAB, "conform", "--family", "4", "--json", f"{out}.json", "--out", out,
                   "--jobs", "8", *(word for name in names for word in ("--only", name)), "--",
                   sys.executable, SUPPORT / "plain_tcp.py", fault]
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              cwd=self.out.name, timeout=600)
        rows = schemas.checked(Path(f"{out}.json").read_text(encoding="utf-8"))["requirements"]
        verdicts = {row["id"]: row["verdicts"][0]["verdict"] for row in rows}
        for row in rows:  # an id may have several scenarios: one that is not met counts
            if row["verdicts"][0]["verdict"] != "met":
                verdicts[row["id"]] = row["verdicts"][0]["verdict"]
        return verdicts, done.stdout

    def test_each_planted_fault_is_found_and_nothing_else(self):
        with ThreadPoolExecutor(8) as pool:
            found = dict(zip(plain_tcp_parts.FAULTS, pool.map(self.find, plain_tcp_parts.FAULTS)))
        for fault, (verdicts, said) in found.items():
            with self.subTest(fault):
                wrong = {name: verdict for name, verdict in verdicts.items() if verdict != "met"}
                expected = {name: "not met" for name in plain_tcp_parts.FAULTS[fault]}
                expected |= {name: "not seen" for name in plain_tcp_parts.UNSEEN.get(fault, [])}
                self.assertEqual(wrong, expected, said)


class Levels(ConformTest):
    """A stack that makes no calls has a port on which it listens by itself."""

    def find(self, fault, level, names):
        """Returns the verdicts. A busy machine may leave some unseen: these are judged again."""
        verdicts, said = {}, ""
        for _ in range(ROUNDS):
            if not names:
                break
            only = [word for name in names for word in ("--only", name)]
            said += self.conform("--family", "4", "--json", "a.json", *only, "--", sys.executable,
                                 SUPPORT / "plain_tcp.py", fault, level, status=None)
            table = schemas.checked(Path(self.out.name, "a.json").read_text(encoding="utf-8"))
            judged = {row["id"]: row["verdicts"][0] for row in table["requirements"]}
            verdicts |= {name: each["verdict"] for name, each in judged.items()}
            names = [name for name, each in judged.items() if each["verdict"] == "not seen"
                     and not any("needs" in run.get("reason", "") for run in each["runs"])]
        return verdicts, said

    def test_it_is_judged_by_what_a_port_shows(self):
        for level, least in (("port", 20), ("echo", 22)):
            with self.subTest(level):
                verdicts, said = self.find("none", level, PLANTED)
                seen = [verdict for verdict in verdicts.values() if verdict != "not seen"]
                self.assertEqual(set(seen), {"met"}, said)
                self.assertGreaterEqual(len(seen), least, said)

    def test_its_faults_are_found(self):
        names = ["RFC5961-3.2-b", "MUST-19", "MUST-12"]
        for level, fault, expected in (
                ("port", "steady timer", {"RFC5961-3.2-b": "met", "MUST-19": "not seen"}),
                ("echo", "steady timer", {"RFC5961-3.2-b": "met", "MUST-19": "not met"}),
                ("port", "reset by any number in the window",
                 {"RFC5961-3.2-b": "not met", "MUST-19": "not seen"})):
            with self.subTest(level=level, fault=fault):
                verdicts, said = self.find(fault, level, names)
                self.assertEqual(verdicts, expected | {"MUST-12": "not seen"}, said)
                self.assertIn("needs a program on kodos; its TCP stack has only a port",
                              " ".join(said.split()))


class LateStacks(ConformTest):
    """A process that the machine lets wait now and then must not change a verdict."""

    FAULTS = ["none", "slow ACK", "isn backwards", "takes data without ACK", "answers resets"]
    # Their scenarios have short deadlines, or judge silence.
    DEADLINES = ["MUST-8", "MUST-15", "MUST-19", "MUST-34", "MUST-38", "MUST-40", "SHLD-15",
                 "SHLD-19", "RFC5681-3.1", "RFC5681-3.1-loss", "RFC5681-3.2", "RFC5681-4.2",
                 "RFC5961-7", "RFC6298-2.4", "RFC6928-2", "RFC9293-3.10.7.1-rst",
                 "RFC9293-3.10.7.4-no-ack", "RFC9293-3.10.7.4-window", "listen-backlog"]

    def find_late(self, fault, seed):
        """Returns all verdicts on each requirement. Adds those with other seeds, until more than
        half are judged: how many are depends on the machine, too."""
        verdicts, said = {name: set() for name in self.DEADLINES}, ""
        for _ in range(ROUNDS):
            judged, printed = self.find(fault, seed)
            verdicts = {name: verdicts.get(name, set()) | {verdict} - {"not seen"}
                        for name, verdict in judged.items()}
            said += printed
            seed += len(self.FAULTS)
            if sum(map(bool, verdicts.values())) > len(verdicts) / 2:
                break
        return verdicts, said

    def find(self, fault, seed=None):
        """Returns the verdicts on plain_tcp.py, which is late if there is a seed."""
        file = f"{fault}-{seed}.json".replace(" ", "-")
        stack = [sys.executable, SUPPORT / "plain_tcp.py", fault]
        late = [sys.executable, SUPPORT / "late_stack.py", str(seed)] if seed else []
        command = [lab.TCPLAB, "conform", "--family", "4", "--json", file, "--out", file + ".d",
                   "--jobs", "8", *(word for name in self.DEADLINES for word in ("--only", name)),
                   "--", *late, *stack]
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              cwd=self.out.name, timeout=600)
        return self.verdicts(file), done.stdout

    def test_a_late_stack_has_the_same_verdicts_or_is_not_seen(self):
        with ThreadPoolExecutor(3) as pool:
            in_time = dict(zip(self.FAULTS, pool.map(self.find, self.FAULTS)))
            late = dict(zip(self.FAULTS, pool.map(self.find_late, self.FAULTS, range(1, 9))))
        for fault, (verdicts, said) in late.items():
            with self.subTest(fault):
                expected = in_time[fault][0]
                changed = {name: (expected[name], late) for name, late in verdicts.items()
                           if expected[name] != "not seen" and late - {expected[name]}}
                self.assertEqual(changed, {}, said)
                self.assertGreater(sum(map(bool, verdicts.values())), len(verdicts) / 2, said)


if __name__ == "__main__":
    unittest.main()
