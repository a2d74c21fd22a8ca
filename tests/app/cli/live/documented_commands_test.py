#!/usr/bin/env python3
"""Runs the commands of README.md and docs/*.md, each page in a folder of its own. A command that
cannot run here has a reason below, and only its options are checked."""
import fnmatch
import gzip
import os
import re
import shutil
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
import documented
import lab

SOURCE = Path(os.environ["TCPLAB_SOURCE"])
PATIENCE = 240
READERS = 4  # pages that are read side by side

# The pages whose commands another test runs.
OTHER_TESTS = {
    "docs/puzzlers.md": "app.cli.live.puzzlers_page",
    "docs/your-program.md": "app.script.live.examples",
}
# Why a command does not run here. The first pattern that matches counts: * is any text.
REASONS = {
    "./test": "builds for minutes",
    "* --step": "needs a terminal: app.cli.live.step",
    "tcplab quiz *": "asks its reader: app.cli.live.quiz",
    "./tcplab run power-off --timers stock": "takes 36 minutes",
    "tcplab audit *": "needs redis, or the reader's programs: app.audit.live.audit",
    "tcplab kernels build *": "builds a kernel for minutes",
    "tcplab stacks build *": "writes to the reader's cache: tests/lab/hosts/live/stack_hosts",
    "tcplab run * --stack *": "needs a stack that a user builds: tests/lab/hosts/live/stack_hosts",
    "tcplab run --stack *": "needs a stack that a user builds: tests/lab/hosts/live/stack_hosts",
    "tcplab conform --boot*": "needs a virtual machine: lab.hosts.live.stack_hosts",
    "tcplab conform lwip*": "needs a stack that a user builds: app.cli.live.conform",
    "tcplab conform *./my-stack*": "needs the reader's stack: app.cli.live.conform",
    "tcplab show conform/*": "needs a run of lwIP",
    "* 6.12 *": "needs a kernel that a user builds",
    "tcplab matrix *": "boots many kernels: app.cli.live.matrix",
    "tcplab look *": "needs the reader's process: tests/look/live/look_test.py",
    "tcplab trace --abort-on *": "needs the reader's program: tests/look/live/look_record_test.py",
    "tools/package": "builds for minutes: structure.release",
    "tools/apt-repository *": "needs the packages of tools/package: structure.apt_repository",
    "sudo *": "changes the machine",
    "podman *": "needs a network",
    "bpftrace *": "needs bpftrace, and an installed dnc",
    "dnc [[]options] *": "is a synopsis",
    "dnc * kodos *": "needs a host of the lab",
    "tcplab trace * dnc kodos *": "needs a host of the lab: app.cli.trace_probes",
}
# Exit statuses that a page expects, besides 0.
STATUSES = {
    "tcplab merge *": 3,  # the page has one part of four
    "tcplab trace * http://localhost/": 7,  # curl: nobody listens
    "tcplab doctor": 3,  # a machine that cannot run everything
    "tcplab conform linux *": 1,  # MUST-63 is not met
}
# What README says that a command prints.
PRINTS = {"./tcplab run puzzlers": "16 passed, 0 failed, 0 skipped in "}

TOY = """return {
  title = "Toy", asks = "Do hosts start?", tags = { "reset" },
  run = function(lab) lab:pair() end,
}
"""


def documents():
    """Returns path -> text for the documents whose commands run."""
    files = [SOURCE / "README.md", *sorted(SOURCE.glob("docs/*.md"))]
    return {str(file.relative_to(SOURCE)): file.read_text(encoding="utf-8")
            for file in files if not file.name.endswith(".in.md")}


def matching(command, table):
    return next((pattern for pattern in table if fnmatch.fnmatchcase(command, pattern)), None)


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE,
                          check=True).stdout


class Program:
    """What the help of tcplab and dnc says."""

    def __init__(self):
        self._helps = {}

    def help(self, program, verb=""):
        key = (program, verb)
        if key not in self._helps:
            self._helps[key] = output(lab.BIN / program, *([verb] if verb else []), "--help")
        return self._helps[key]

    def verbs(self):
        return set(re.findall(r"^  ([a-z]+)  ", self.help("tcplab"), re.M))

    def unknown(self, command):
        """Returns what tcplab and dnc do not know of a command: verbs and options."""
        found = []
        for program, arguments in documented.calls(command):
            verb = arguments[0] if program == "tcplab" and arguments else ""
            if not re.fullmatch("[a-z]+", verb):
                verb = ""
            elif verb not in self.verbs():
                found.append(verb)
                continue
            known = set(re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", self.help(program, verb)))
            found += [one for one in documented.options(arguments) if one not in known]
        return found


PROGRAM = Program()


class Extraction(unittest.TestCase):
    PAGE = ("# Title\n\nText, `tcplab list \\| head`.\n\n    tcplab run a  # comment\n"
            "    output\n    ./test\n\n```sh\nmake \\\n  all\n# only a comment\n```\n\n"
            "```console\n$ dnc -l 8080\nlistening\n```\n\n```lua\nrun = 1\n```\n")

    def test_commands_are_found_in_their_order_without_comments_and_output(self):
        self.assertEqual(documented.commands(self.PAGE),
                         ["tcplab run a", "./test", "make all", "dnc -l 8080"])

    def test_commands_in_the_text_and_in_manuals_are_found(self):
        self.assertEqual(documented.inline_commands(self.PAGE), ["tcplab list | head"])
        self.assertEqual(documented.of_manual(".Dl $ tcplab run\n.Dl % x\n"), ["tcplab run"])

    def test_options_before_the_program_of_tcplab_are_its_own(self):
        ((program, arguments),) = documented.calls("sudo -E tcplab trace --latency -q -- curl -s /")
        self.assertEqual((program, documented.options(arguments)), ("tcplab", ["--latency", "-q"]))

    def test_each_part_of_a_pipe_is_a_call(self):
        called = list(documented.calls("tcplab run && ssh a | tcplab explain - > x"))
        self.assertEqual(called, [("tcplab", ["run"]), ("tcplab", ["explain", "-"])])

    def test_an_unknown_verb_and_an_unknown_option_are_named(self):
        self.assertEqual(PROGRAM.unknown("tcplab run --none x | tcplab never --json"),
                         ["--none", "never"])
        self.assertEqual(PROGRAM.unknown("./tcplab run x --set a=b --family 4"), [])


class Options(unittest.TestCase):
    def test_tcplab_and_dnc_know_each_option_that_a_document_names(self):
        for name, text in documents().items():
            for command in documented.commands(text) + documented.inline_commands(text):
                with self.subTest(f"{name}: {command}"):
                    self.assertEqual(PROGRAM.unknown(command), [])

    def test_tcplab_and_dnc_know_each_option_of_the_manuals_examples(self):
        for file in SOURCE.glob("man/*.1"):
            for command in documented.of_manual(file.read_text(encoding="utf-8")):
                with self.subTest(f"{file.name}: {command}"):
                    self.assertEqual(PROGRAM.unknown(command), [])


class Page:
    """A reader of a document, who types its commands one after another."""

    def __init__(self, name, folder, capture):
        self._folder = folder
        folder.mkdir(parents=True)
        (folder / "bin").mkdir()
        for program in ("tcplab", "dnc"):
            (folder / "bin" / program).symlink_to(lab.BIN / program)
        (folder / "tcplab").symlink_to(lab.TCPLAB)  # as in a clone
        self._environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
                             "XDG_STATE_HOME": str(folder / "state"),
                             "TCPLAB_SLACK": "3000"}  # no command is about exact times
        self._environment.pop("GITHUB_ACTIONS", None)
        self._write_files(capture)
        # The whole catalogue takes minutes, so only these pages' commands run the real one.
        if name not in ("README.md", "docs/front.md"):
            self._environment["TCPLAB_SCENARIOS"] = str(folder / "scenarios")

    def _write_files(self, capture):
        """Writes the files that the reader has: scenarios, earlier runs, captures, lines."""
        for topic in ("puzzlers", "segments", "paths", "power"):
            (self._folder / "scenarios" / topic).mkdir(parents=True)
            (self._folder / "scenarios" / topic / f"toy-{topic}.lua").write_text(TOY)
        shutil.copytree(capture.parent, self._folder / "runs" / capture.parent.name)
        shutil.copy(capture, self._folder / "yours.pcap")
        with gzip.open(self._folder / "yours.pcap.gz", "wb") as file:
            file.write(capture.read_bytes())
        (self._folder / "my-lines").write_text('server = kodos:dnc("-l", 8080)\n')

    def why_wrong(self, command):
        """Runs a command. Returns None, or why it did not do what the page expects."""
        done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", command],
                              cwd=self._folder, env=self._environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=PATIENCE, check=False)
        if (done.returncode in (0, STATUSES.get(matching(command, STATUSES), 0)) and
                PRINTS.get(command, "") in done.stdout):
            return None
        return f"exit status {done.returncode}\n{lab.troubles(done.stdout)}\n{done.stderr}"


def kernels():
    """Returns the versions of the kernels that hosts can have here."""
    return set(re.findall(r"^(\d+\.\d+)\s", output(lab.TCPLAB, "kernels"), re.M))


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.found = [(name, command) for name, text in documents().items()
                     if name not in OTHER_TESTS for command in documented.commands(text)]
        cls.kernels = kernels()
        cls.missing = set()  # the commands that need another

    def test_the_documents_have_commands(self):
        self.assertGreater(len(self.found), 40)
        self.assertGreater(sum(name == "README.md" for name, _ in self.found), 10)
        for command, printed in PRINTS.items():
            self.assertIn(("README.md", command), self.found)
            self.assertIn(printed, documents()["README.md"])

    def test_each_reason_is_that_of_a_command(self):
        used = {matching(command, REASONS) for _, command in self.found}
        self.assertEqual(set(REASONS) - used, set())
        for name in OTHER_TESTS:
            self.assertIn(name, documents())
        tests = re.findall(r"\b(?:app|structure)\.[a-z._]+", " ".join(
            [*OTHER_TESTS.values(), *REASONS.values()]))
        self.assertGreater(len(tests), 5)
        for name in tests:
            path = SOURCE / "tests" / name.replace(".", "/")
            self.assertTrue(list(path.parent.glob(path.name + "_test.*")), name)

    def test_each_command_works_if_it_can_run_here(self):
        with lab.Folder() as folder:
            run = lab.Run(SOURCE / "scenarios/puzzlers/power-cycle.lua", folder)
            self.assertEqual(run.status, 0, run.said())
            pages = sorted({name for name, _ in self.found})
            with ThreadPoolExecutor(READERS) as readers:
                wrong = "".join(readers.map(lambda name: self.read(name, folder, run.folder),
                                            pages))
        self.assertFalse(wrong, wrong)
        if self.missing:
            self.skipTest(f"no such kernel here: {', '.join(sorted(self.missing))}")

    def read(self, name, folder, run):
        """Runs the commands of a page. Returns what was wrong."""
        page = Page(name, folder / "pages" / name, run / "capture.pcapng")
        wrong = ""
        for command in [command for of, command in self.found if of == name]:
            needs = re.search(r"--kernel (?:this,)?(\d+\.\d+)", command)
            if matching(command, REASONS):
                continue
            if needs and needs[1] not in self.kernels:
                self.missing.add(command)
                continue
            why = page.why_wrong(command)
            wrong += f"{name}: {command}: {why}\n" if why else ""
        return wrong


if __name__ == "__main__":
    lab.main()
