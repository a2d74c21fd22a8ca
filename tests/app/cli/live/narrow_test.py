#!/usr/bin/env python3
"""Checks every view in a window of 40 columns, and in a pipe. Only a path or a command to copy may
be wider than the window, and a pipe gets no escape sequences."""
import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
import unittest

sys.dont_write_bytecode = True
import lab

COLUMNS = 40
VIEWS = (["list"], ["explain", "power-cycle"], ["show", "runs/power-cycle-ipv4"],
         ["coverage", "runs"],
         ["diff", "runs/power-cycle-ipv4", "runs/keepalive-finds-power-cycle-ipv4"],
         ["explain", "runs/power-cycle-ipv4/capture.pcapng"], ["doctor"])
RUNS = (["run", "--live", "power-cycle", "keepalive-finds-power-cycle"],
        ["run", "--family", "4", "warmup"])


def environment():
    return {**os.environ, "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "TERM": "xterm"}


def in_window(arguments, folder):
    """Returns the output on a pseudo-terminal of 40 columns."""
    screen, own = pty.openpty()
    fcntl.ioctl(own, termios.TIOCSWINSZ, struct.pack("4H", 24, COLUMNS, 0, 0))
    process = subprocess.Popen([lab.TCPLAB, *arguments], cwd=folder, env=environment(),
                               stdin=subprocess.DEVNULL, stdout=own, stderr=own)
    os.close(own)
    shown = b""
    try:
        while piece := os.read(screen, 65536):
            shown += piece
    except OSError:  # EIO: the other end is closed
        pass
    os.close(screen)
    process.wait()
    return shown.decode().replace("\r\n", "\n")


def in_pipe(arguments, folder):
    return subprocess.run([lab.TCPLAB, *arguments], cwd=folder, env=environment(), check=False,
                          capture_output=True, text=True, timeout=300)


def is_one_piece(line):
    """Returns whether the line is a path, or a command to copy."""
    words = line.split()
    return len(words) == 1 or words[0] == "tcplab" or line.lstrip().startswith("fix: ")


class Views(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = lab.Folder()
        cls.folder = folder.__enter__()
        cls.addClassCleanup(folder.cleanup)
        cls.shown = [(run, in_window(run, cls.folder)) for run in RUNS]

    def assert_narrow(self, text):
        lines = [line for line in text.splitlines() if "\x1b" not in line]
        self.assertGreater(len(lines), 5, text)
        wide = [line for line in lines if len(line) > COLUMNS and not is_one_piece(line)]
        self.assertEqual(wide, [])

    def test_runs_fit_into_a_narrow_window(self):
        for run, text in self.shown:
            with self.subTest(run):
                self.assertIn("passed", text)
                self.assert_narrow(text)

    def test_views_fit_into_a_narrow_window(self):
        for view in VIEWS:
            with self.subTest(view):
                self.assert_narrow(in_window(view, self.folder))

    def test_a_narrow_window_shows_the_kind_of_each_frame(self):
        shown = in_window(["explain", "runs/power-cycle-ipv4/capture.pcapng"], self.folder)
        for flags in "SYN", "SYN ACK", "RST":
            self.assertIn(f" {flags}", shown)

    def test_a_pipe_gets_plain_text(self):
        for view in VIEWS:
            with self.subTest(view):
                done = in_pipe(view, self.folder)
                self.assertIn(done.returncode, (0, 1))
                self.assertEqual(done.stderr, "")
                self.assertGreater(len(done.stdout.splitlines()), 5)
                self.assertNotRegex(done.stdout, "[\x1b\r]")


if __name__ == "__main__":
    lab.main()
