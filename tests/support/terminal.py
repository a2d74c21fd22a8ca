"""Runs a program on a pseudo-terminal, types keys and reads the screen."""
import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time

PARTIAL = re.compile(r"(?:\r|\x1b[\[()]?[0-9;?]*)\Z")
PATIENCE = 300  # seconds; only a hang takes that long
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>]")


class Terminal:
    def __init__(self, command, columns=100, rows=40, **options):
        self.master, self.slave = pty.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self.slave)
        self.text, self.seen = "", 0
        # A read may end in a letter or in an escape sequence.
        self.decoder, self.rest = codecs.getincrementaldecoder("utf-8")("replace"), ""
        self.process = subprocess.Popen(
            command, stdin=self.slave, stdout=self.slave, stderr=self.slave,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0), **options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self.slave)

    @staticmethod
    def shown(text):
        """Returns what the tests see of new output: no escape sequences."""
        return ESCAPES.sub("", text)

    def read(self, patience=0.2):
        """Appends new output to the text. Returns false if there is none."""
        if not select.select([self.master], [], [], patience)[0]:
            return False
        self.rest += self.decoder.decode(os.read(self.master, 65536))
        partial = PARTIAL.search(self.rest)
        whole = partial.start() if partial else len(self.rest)
        self.text += self.shown(self.rest[:whole])
        self.rest = self.rest[whole:]
        return True

    def wait_for(self, wanted, patience=PATIENCE):
        """Waits for this text after the text of the last wait. Returns the text in between."""
        end = time.monotonic() + patience
        while wanted not in self.text[self.seen:]:
            if time.monotonic() > end:
                raise AssertionError(f"no {wanted!r} after:\n{self.text}")
            self.read(0.1)
        at = self.text.index(wanted, self.seen)
        between, self.seen = self.text[self.seen:at], at + len(wanted)
        return between

    def resize(self, columns, rows):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def wait_until_stopped(self, patience=PATIENCE):
        """Waits until the program has stopped, as a shell does (waitpid(2), WUNTRACED)."""
        end = time.monotonic() + patience
        while True:
            pid, status = os.waitpid(self.process.pid, os.WUNTRACED | os.WNOHANG)
            if pid != 0 and os.WIFSTOPPED(status):
                return self.read(0)
            if pid != 0 or time.monotonic() > end:
                raise AssertionError(f"it has not stopped:\n{self.text}")
            self.read(0.05)

    def type(self, text):
        os.write(self.master, text.encode())

    def line(self, text, prompt="lab> "):
        """Types a line, and waits for the prompt."""
        self.type(text + "\r")
        self.wait_for(prompt)

    def end(self, patience=PATIENCE):
        """Waits until the program ends, and returns its exit status."""
        end = time.monotonic() + patience
        while self.process.poll() is None and time.monotonic() < end:
            self.read(0.05)
        self.read(0)
        return self.process.wait(timeout=1)

    def is_as_before(self):
        return termios.tcgetattr(self.slave) == self.before
