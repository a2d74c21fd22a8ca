"""For tests of `tcplab run --step`: a pseudo-terminal, and keys that deliver the frames."""
import json
import os
import re
import termios
import time
import unittest
from pathlib import Path

import lab
from terminal import Terminal

PATIENCE = 300  # seconds; only a hang takes that long
# With a virtual clock there is no span: time stands still. A read may end anywhere in the line.
HANGS = re.compile(r"frame (\d+) held(?: for ([\d.]+) s)? (?=[─\x1b])")
CONNECTS = """return { title = "t", asks = "?", run = function(lab)
  local kang, kodos = lab:pair()
  local server = kodos:dnc("-l", 8080)
  lab:expect(kodos):listens(8080)
  local client = kang:dnc(kodos, 8080)
  %s
end }
"""


class StepTerminal(Terminal):
    """Runs `tcplab run SCRIPT --step` on a pseudo-terminal, reads the output and presses keys."""

    def __init__(self, folder, *arguments, columns=100, rows=40, **environment):
        self.out = Path(folder) / "runs"
        self.at = 0
        self.decided = set()  # numbers of frames
        super().__init__([lab.TCPLAB, "run", *arguments, "--step", "--out", self.out], columns,
                         rows, env={**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8",
                                    "NO_COLOR": "1", **environment})

    @staticmethod
    def shown(text):
        return text.replace("\r\n", "\n")

    def until(self, pattern):
        """Reads until the pattern matches after the previous match."""
        end = time.monotonic() + PATIENCE
        while not (found := re.compile(pattern).search(self.text, self.at)):
            if time.monotonic() > end or (self.process.poll() is not None and not self.read()):
                raise AssertionError(f"{pattern!r} has not come:\n{self.text[self.at:]}")
            self.read()
        self.at = found.end()
        return found

    def held(self):
        """Returns the number of the last frame that was held, or None. A virtual clock stands still
        while a frame is held, so its panel may be drawn only once."""
        shown = HANGS.findall(self.text)
        return int(shown[-1][0]) if shown else None

    def press(self, keys):
        if keys in (" ", "l"):
            self.decided.add(self.held())
        os.write(self.master, keys.encode())

    def deliver_until(self, pattern, done=0):
        """Delivers the held frames after number `done` until the line of one matches. Returns the
        number of that frame."""
        while True:
            number = int(self.until(HANGS).group(1))
            line = self.until(r"[^\n]*\n([^\n]*)\n").group(1)
            if number <= done:
                continue
            if pattern and re.search(pattern, line):
                return number
            self.press(" ")
            done = number

    def deliver_all(self):
        return self.decide_all(" ")

    def decide_all(self, key):
        """Presses the key for each frame that is held, until the run ends. Returns how often."""
        decided = 0
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end, self.text[-4000:]
            if self.held() not in {None, *self.decided}:
                self.press(key)
                decided += 1
            self.read()
        return decided

    def end(self, patience=PATIENCE):
        """Reads all output, and returns the exit status."""
        end = time.monotonic() + patience
        while self.process.poll() is None:
            assert time.monotonic() < end, self.text[-4000:]
            self.read()
        while self.read():
            pass
        return self.process.returncode

    def is_restored(self):
        return (termios.tcgetattr(self.slave) == self.before and
                self.text.rfind("\x1b[?25h") > self.text.rfind("\x1b[?25l"))

    def events(self, kind):
        with open(next(self.out.glob("*/events.jsonl")), encoding="utf-8") as lines:
            events = [json.loads(line) for line in lines]
        return [event for event in events if event["kind"] == kind]


class Steps(unittest.TestCase):
    def setUp(self):
        folder = lab.Folder()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def terminal(self, *arguments, **options):
        terminal = StepTerminal(self.folder, *arguments, **options)
        self.addCleanup(terminal.close)
        return terminal

    def script(self, what):
        file = Path(self.folder) / "connects.lua"
        file.write_text(CONNECTS % what)
        return file

    def assert_restored(self, terminal):
        self.assertTrue(terminal.is_restored(), repr(terminal.text[-300:]))
