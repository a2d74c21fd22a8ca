"""A client of `tcplab session`, for tests: sends requests, and reads answers. Each line that it
reads must be as docs/schema/session.schema.json says, and so must each request that must
succeed."""
import json
import subprocess
import unittest

import lab
import schemas


def checked(line):
    """Returns the JSON in a line that tcplab wrote."""
    said = json.loads(line)
    wrong = schemas.said(schemas.validator("session"), said)
    assert not wrong, f"{wrong}: {line[:500]}"
    return said


class Session:
    """A session that runs. `with` ends it, and waits."""

    def __init__(self, folder, *options):
        self.folder = folder
        self.process = subprocess.Popen(
            [lab.TCPLAB, "session", "--out", folder / "run", *options], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder)
        self.hello = self.read()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.process.poll() is None:
            self.process.kill()
        for pipe in [self.process.stdin, self.process.stdout, self.process.stderr]:
            pipe.close()
        self.process.wait()

    def read(self):
        line = self.process.stdout.readline()
        return checked(line) if line else None

    def write(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, verb=None, *args, on=None, **members):
        """Sends a request, and returns its answer."""
        self.write(json.dumps(self.request(verb, *args, on=on, **members)))
        return self.read()

    @staticmethod
    def request(verb=None, *args, on=None, **members):
        call = {"verb": verb, "on": on, "args": list(args)} if verb else {}
        return {**call, **members}

    def values(self, verb, *args, on=None):
        """Returns the values of a request that must succeed."""
        wrong = schemas.said(schemas.validator("session", "request"),
                             self.request(verb, *args, on=on))
        assert not wrong, wrong
        answer = self.ask(verb, *args, on=on)
        assert answer["ok"], answer
        return answer["values"]

    def value(self, verb, *args, on=None):
        return self.values(verb, *args, on=on)[0]

    def expect(self, whom, *steps):
        """Sends lab:expect(whom), and then each step, a verb with its arguments. Returns the last
        answer."""
        subject = self.value("expect", whom)
        for verb, *args in steps[:-1]:
            subject = self.value(verb, *args, on=subject)
        verb, *args = steps[-1]
        return self.ask(verb, *args, on=subject)

    def end(self):
        """Closes standard input. Returns the last line, and the exit status."""
        self.process.stdin.close()
        lines = [checked(line) for line in self.process.stdout]
        return lines[-1]["end"], self.process.wait(60)

    def events(self):
        lines = (self.folder / "run/events.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]


class SessionCase(unittest.TestCase):
    """Tests of sessions. Each has a folder."""

    def setUp(self):
        folder = lab.Folder()
        self.folder = folder.__enter__()
        self.addCleanup(folder.__exit__, None, None, None)

    def session(self, *options):
        session = Session(self.folder, *options)
        self.addCleanup(session.__exit__)
        return session
