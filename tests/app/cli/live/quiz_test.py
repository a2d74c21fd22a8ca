#!/usr/bin/env python3
"""Checks tcplab quiz. At a terminal, an answer is one key, and the terminal is always restored. In
a pipe, an answer is one line."""
import os
import re
import signal
import subprocess
import sys
import termios
import time
import unittest

sys.dont_write_bytecode = True
import lab
from terminal import Terminal

PATIENCE = 300  # seconds; only a hang takes that long
WRONG_HERE = """return { title = "Wrong here", asks = "Does it?", tags = { "t" },
  quiz = { { "yes", right = true }, { "no" } },
  run = function(lab) %s end }
"""


def right_key(output):
    """Returns the number of the right choice of the last question."""
    return re.findall(r"^  (\d) .*the next read fails with ECONNRESET", output, re.M)[-1]


class QuizTerminal(Terminal):
    """Runs tcplab quiz on a pseudo-terminal of a given width."""

    def __init__(self, arguments, folder, columns=100):
        super().__init__([lab.TCPLAB, "quiz", *arguments], columns, cwd=folder,
                         env={**os.environ, "NO_COLOR": "1", "LC_ALL": "C.UTF-8"})

    @staticmethod
    def shown(text):
        return text.replace("\r\n", "\n")

    def modes(self):
        return termios.tcgetattr(self.slave)[3] & (termios.ICANON | termios.ECHO)

    def wait_for_keys(self, text):
        """Waits until tcplab has printed this and waits for a key. It discards earlier keys."""
        self.wait_for(text, PATIENCE)
        deadline = time.monotonic() + PATIENCE
        while self.modes() and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not self.modes(), "no key is waited for"


class AtATerminal(unittest.TestCase):
    def setUp(self):
        folder = lab.Folder()
        self.folder = folder.__enter__()
        self.addCleanup(folder.cleanup)

    def quiz(self, *arguments, columns=100):
        terminal = QuizTerminal(arguments, self.folder, columns)
        self.addCleanup(terminal.close)
        terminal.wait_for_keys("q to quit): ")
        return terminal

    def test_only_the_keys_of_choices_are_answers(self):
        terminal = self.quiz("power-cycle")
        terminal.type("x7\n")
        terminal.type(right_key(terminal.text))
        terminal.wait_for("Score: right")
        self.assertEqual(terminal.end(PATIENCE), 0, terminal.text)
        self.assertIn("✓ Right: write returns 22", terminal.text)
        self.assertTrue(terminal.is_as_before())

    def test_questions_follow_each_other_and_q_quits(self):
        terminal = self.quiz("power-cycle", "warmup")
        right = int(right_key(terminal.text))
        terminal.type("abcd"[right % 4])
        terminal.wait_for_keys("Press a key for the next question")
        self.assertIn("✗ Wrong", terminal.text)
        terminal.type(" ")
        terminal.wait_for_keys("q to quit): ")
        self.assertIn("2 of 2: Warm-up", terminal.text)
        terminal.type("q")
        self.assertEqual(terminal.end(PATIENCE), 1, terminal.text)
        self.assertIn("Score: 0 of 1 right", terminal.text)
        self.assertIn("tcplab explain power-cycle\n", terminal.text)
        self.assertTrue(terminal.is_as_before())

    def test_a_signal_ends_the_quiz_and_the_terminal_is_restored(self):
        for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT:
            with self.subTest(number):
                terminal = self.quiz("warmup")
                self.assertFalse(terminal.is_as_before())
                terminal.process.send_signal(number)
                self.assertEqual(terminal.process.wait(PATIENCE), -number)
                self.assertTrue(terminal.is_as_before())

    def test_control_c_ends_the_quiz(self):
        terminal = self.quiz("warmup")
        terminal.type("\x03")
        self.assertEqual(terminal.process.wait(PATIENCE), -signal.SIGINT)
        self.assertTrue(terminal.is_as_before())

    def test_control_c_ends_the_quiz_while_the_experiment_runs(self):
        terminal = self.quiz("keepalive-finds-power-off")
        terminal.type("1")
        terminal.wait_for("power_off")
        terminal.type("\x03")
        self.assertEqual(terminal.end(PATIENCE), 128 + signal.SIGINT)
        self.assertTrue(terminal.is_as_before())

    def test_the_quiz_continues_after_it_was_stopped(self):
        terminal = self.quiz("warmup")
        terminal.process.send_signal(signal.SIGSTOP)
        terminal.process.send_signal(signal.SIGCONT)
        terminal.type("q")
        self.assertEqual(terminal.end(PATIENCE), 4, terminal.text)
        self.assertTrue(terminal.is_as_before())

    def test_the_quiz_fits_into_forty_columns(self):
        terminal = self.quiz("power-cycle", columns=40)
        terminal.type(right_key(re.sub(r"\n    ", " ", terminal.text)))
        terminal.wait_for("Score: right")
        self.assertEqual(terminal.end(PATIENCE), 0, terminal.text)
        wide = [line for line in terminal.text.splitlines() if len(line) > 40]
        self.assertEqual(wide, [])


class InAPipe(unittest.TestCase):
    def quiz(self, arguments, answers, folder):
        return subprocess.run([lab.TCPLAB, "quiz", *arguments], input=answers, cwd=folder,
                              capture_output=True, text=True, timeout=PATIENCE, check=False)

    def test_each_line_is_an_answer(self):
        with lab.Folder() as folder:
            asked = self.quiz(["--seed", "7", "power-cycle"], "", folder)
            self.assertEqual(asked.returncode, 4, asked.stderr)
            key = right_key(asked.stdout)
            done = self.quiz(["--seed", "7", "power-cycle"], key + "\n", folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("Score: right", done.stdout)
            self.assertNotIn("\x1b", done.stdout)
            self.assertTrue((folder / "runs/power-cycle-ipv4/events.jsonl").exists())

    def test_the_experiment_runs_on_the_chosen_family(self):
        with lab.Folder() as folder:
            done = self.quiz(["--family", "6", "power-cycle"], "1\n", folder)
            self.assertIn("IPv6 · fast timers", done.stdout)
            (folder / "four.lua").write_text(WRONG_HERE.replace('"Wrong here",',
                                                                '"t", families = { 4 },') % "")
            done = self.quiz(["--family", "6", "four.lua"], "1\n", folder)
            self.assertEqual((done.returncode, done.stderr),
                             (2, "tcplab: none of these scenarios runs on IPv6\n"))

    def test_an_invalid_answer_is_refused_in_one_line(self):
        with lab.Folder() as folder:
            done = self.quiz(["warmup"], "5\n", folder)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr, 'tcplab: standard input:1: "5" is not an answer; use '
                             "1 to 4, or q to quit\n")

    def test_a_scenario_without_a_question_is_refused(self):
        with lab.Folder() as folder:
            done = self.quiz(["sigpipe"], "", folder)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr.count("\n"), 1)

    def test_an_experiment_that_does_not_pass_is_not_scored(self):
        for body in 'lab:expect(lab:pair()):within(0.1):listens(1)', 'lab:skip("no reason")':
            with self.subTest(body), lab.Folder() as folder:
                (folder / "wrong.lua").write_text(WRONG_HERE % body)
                done = self.quiz(["wrong.lua"], "1\n", folder)
                self.assertEqual(done.returncode, 4, done.stdout)
                self.assertIn("Not scored", done.stdout)


if __name__ == "__main__":
    lab.main()
