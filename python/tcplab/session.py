"""The process of a lab: `tcplab session`, to which requests go as lines of JSON (docs/session.md).
"""
import json
import os
import shutil
import subprocess
import tempfile
import threading

from tcplab.errors import LabBroken, UsageError, error_of

PROTOCOL = 1
PATIENCE = 30  # seconds for a run to end


def find_program():
    """Returns the path of tcplab: $TCPLAB, or the one in PATH."""
    program = os.environ.get("TCPLAB") or shutil.which("tcplab")
    if program is None:
        raise LabBroken("there is no program tcplab in PATH; install tcplab, or set "
                        "TCPLAB=/path/to/tcplab")
    return program


class Session:
    """A running `tcplab session`. Threads may share it."""

    def __init__(self, options, program=None):
        command = [os.fspath(program or find_program()), "session", *options]
        self._lock = threading.RLock()
        self._is_lost = False  # an answer may come that nobody awaits
        self._end = None  # the last line
        self._errors = tempfile.TemporaryFile()
        try:  # Ctrl-C is for Python, which then ends the run
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE,
                                             stdout=subprocess.PIPE, stderr=self._errors,
                                             start_new_session=True)
        except OSError as error:
            self._errors.close()
            raise LabBroken(f"cannot start {command[0]}: {error.strerror}") from error
        try:
            self.hello = self._read()
            if self.hello.get("protocol") != PROTOCOL:
                raise LabBroken(f"{command[0]} has version {self.hello.get('protocol')} of the "
                                f"protocol, this package has {PROTOCOL}; install the same version")
        except BaseException:
            self._is_lost = True
            self.close()
            raise

    def request(self, **members):
        """Returns the answer to a request. Raises the error that it has."""
        __tracebackhide__ = True
        with self._lock:
            if self._end is not None:
                raise LabBroken("the lab is closed")
            try:
                self._is_lost = True
                try:
                    self._process.stdin.write(json.dumps(members).encode() + b"\n")
                    self._process.stdin.flush()
                except BrokenPipeError:
                    pass  # the last line says why
                answer = self._read()
            except (KeyboardInterrupt, SystemExit):
                self.close()
                raise
            self._is_lost = False
        if not answer["ok"]:
            raise error_of(answer["error"])
        return answer

    def close(self):
        """Ends the run, and returns its `end`: outcome, reason, folder and page."""
        with self._lock:
            if self._end is None:
                self._end = {"outcome": "broken", "reason": "tcplab has not said how the run ended"}
                self._finish()
            return self._end

    @property
    def process(self):
        return self._process

    def _finish(self):
        if self._is_lost and self._process.poll() is None:
            self._process.terminate()  # it may wait for hours
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            for line in self._process.stdout:
                self._end = json.loads(line).get("end", self._end)
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        finally:
            self._process.stdout.close()
            self._errors.close()

    def _read(self):
        """Returns the next line. Raises the reason if it is the last one."""
        __tracebackhide__ = True
        line = self._process.stdout.readline()
        if not line:
            raise self._start_error()
        said = json.loads(line)
        if "end" not in said:
            return said
        self._end = said["end"]
        self._finish()
        raise error_of({"kind": self._end["outcome"], "message": self._end["reason"]})

    def _start_error(self):
        status = self._process.wait(PATIENCE)
        self._errors.seek(0)
        text = self._errors.read().decode(errors="replace").strip()
        kind = UsageError if status == 2 else LabBroken
        return kind(text or f"tcplab session ended with status {status}")
