#!/usr/bin/env python3
"""Checks that the manual page and the completions have every command and option of tcplab."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import skips

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ["TCPLAB_BIN"])
COMMANDS = ["list", "explain", "run", "audit", "matrix", "conform", "merge", "check", "show",
            "diff", "coverage", "report", "site", "quiz", "shell", "session",
            "look", "trace", "kernels",
            "stacks", "doctor"]


def output(*command, **more):
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300, **more)
    return done.stdout


def long_options(help_text):
    """Returns the options in the first column of a help page: --jobs for "  -j, --jobs N  Run"."""
    columns = [re.split("  +", line.strip())[0] for line in help_text.splitlines()
               if line.startswith("  -")]
    return set(re.findall(r"--[a-z][a-z-]*", " ".join(columns)))


def manual(name):
    """Returns the page as man(1) prints it, so wide that no word is hyphenated."""
    return output("man", "-l", str(ROOT / "man" / name),
                  env={**os.environ, "MANWIDTH": "1000", "LC_ALL": "C.UTF-8"})


def complete(line, program, folder=ROOT):
    """Returns the words that bash completion offers at the end of `line`, after `program`."""
    script = f"""
      source {ROOT}/completions/tcplab.bash
      COMP_WORDS=({program} {line}"")
      COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
      _tcplab && printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    return set(output("bash", "-c", script, cwd=folder).split())


# zsh's builtins for completion work at a terminal only. These print what they are given.
ZSH = """
compadd() { shift; print -rl -- "$@" }
_describe() { local list=${@[-1]} each; for each in ${(P)list}; do print -r -- ${each%%:*}; done }
_files() { }
words=("${@[2,-1]}") CURRENT=$#words PREFIX=$words[-1]
source "$1"
"""


def complete_in_zsh(line, program):
    words = line.split(" ")
    script = ROOT / "completions/_tcplab"
    return set(output("zsh", "-f", "-c", ZSH, "zsh", str(script), program, *words).split())


def complete_in_fish(line, program):
    """Returns the words that fish offers at the end of `line`. fish finds them by the name."""
    script = f"set PATH {Path(program).parent} $PATH; source {ROOT}/completions/tcplab.fish; "
    offered = output("fish", "-c", script + f"complete -C 'tcplab {line}'")
    return {row.split("\t")[0] for row in offered.splitlines()}


SHELLS = {"zsh": complete_in_zsh, "fish": complete_in_fish}


class Outside(unittest.TestCase):
    def setUp(self):
        self.tcplab = str(BIN / "tcplab")

    def options_of(self, command):
        return long_options(output(self.tcplab, command, "--help")) - {"--help"}

    def test_options_are_parsed_from_help(self):
        self.assertIn("--jobs", self.options_of("run"))

    def test_this_test_lists_every_command(self):
        listed = re.findall(r"^  ([a-z]+)  ", output(self.tcplab, "--help"), re.MULTILINE)
        self.assertEqual(sorted(listed), sorted(COMMANDS))

    @unittest.skipUnless(Path("/usr/bin/man").exists(), "no man(1) here")
    def test_the_manual_has_every_command_and_option(self):
        page = manual("tcplab.1")
        for command in COMMANDS:
            self.assertRegex(page, rf"tcplab {command}")
            for option in self.options_of(command):
                self.assertIn(option, page, f"of {command}")

    def test_completion_has_every_command_and_option(self):
        self.assertLessEqual(set(COMMANDS), complete("", self.tcplab))
        for command in COMMANDS:
            offered = complete(f"{command} --", self.tcplab)
            self.assertLessEqual(self.options_of(command), offered, f"of {command}")
            self.assertLessEqual({o for o in offered if o.startswith("--")},
                                 self.options_of(command) | {"--help"}, f"of {command}")

    def test_completion_offers_scenarios_and_tags(self):
        self.assertLessEqual({"power-cycle", "puzzlers"}, complete("run ", self.tcplab))
        offered = complete("run power-cy", self.tcplab)
        self.assertIn("power-cycle", offered)
        self.assertTrue(all(word.startswith("power-cy") for word in offered), offered)

    def test_zsh_and_fish_complete_too(self):
        for shell in sorted(SHELLS):
            with self.subTest(shell=shell):
                if shutil.which(shell) is None:
                    self.skipTest(f"no {shell} here")
                offered = SHELLS[shell]
                self.assertLessEqual(set(COMMANDS), offered("", self.tcplab))
                for command in COMMANDS:
                    self.assertLessEqual(self.options_of(command),
                                         offered(f"{command} --", self.tcplab), command)
                self.assertLessEqual({"fast", "stock"}, offered("run --timers ", self.tcplab))
                self.assertLessEqual({"power-cycle", "puzzlers"},
                                     offered("run power-cycle p", self.tcplab) |
                                     offered("run power-cy", self.tcplab) |
                                     offered("run ", self.tcplab))

    def test_completion_runs_nothing_that_a_name_contains(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "tcplab"
            harmful = ["$(touch ran)", "`touch ran`", "${x:=$(touch ran)}", "a b", "*"]
            names = Path(folder) / "names"
            names.write_text("".join(name + "\n" for name in harmful))
            program.write_text(f"#!/bin/sh\ncat {names}\n")
            program.chmod(0o755)
            for line in ("run ", "run --tag ", "check "):
                offered = complete(line, program, folder)
                self.assertIn("ran)", offered, "the names were offered as they are")
                self.assertFalse((Path(folder) / "ran").exists(), line)

    def test_completion_offers_files(self):
        self.assertIn("scenarios/puzzlers", complete("check scenarios/", self.tcplab))

    def test_completion_offers_choices(self):
        self.assertEqual(complete("run --timers ", self.tcplab), {"fast", "stock"})
        self.assertEqual(complete("run --family ", self.tcplab), {"4", "6", "both"})
        self.assertEqual(complete("kernels ", self.tcplab), {"build"})

    def test_completion_in_a_clone_uses_an_existing_build_and_never_builds(self):
        with_build = {**os.environ, "TCPLAB_BUILD": str(BIN.parent)}
        without = {**os.environ, "TCPLAB_BUILD": "/nonexistent"}
        script = f"source {ROOT}/completions/tcplab.bash; _tcplab_names ./tcplab"
        self.assertIn("power-cycle", output("bash", "-c", script, cwd=ROOT, env=with_build))
        self.assertEqual(output("bash", "-c", script + " || true", cwd=ROOT, env=without), "")


if __name__ == "__main__":
    skips.main()
