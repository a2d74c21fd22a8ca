"""A client of `tcplab session`, for tests: sends requests, and reads answers."""
import json
import subprocess

import lab


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
        return json.loads(line) if line else None

    def write(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, verb=None, *args, on=None, **members):
        """Sends a request, and returns its answer."""
        request = {"verb": verb, "on": on, "args": list(args)} if verb else {}
        self.write(json.dumps({**request, **members}))
        return self.read()

    def values(self, verb, *args, on=None):
        """Returns the values of a request that must succeed."""
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
        lines = [json.loads(line) for line in self.process.stdout]
        return lines[-1]["end"], self.process.wait(60)

    def events(self):
        lines = (self.folder / "run/events.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]
