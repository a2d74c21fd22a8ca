"""The process of a lab: `tcplab session`, to which requests go as lines of JSON (docs/session.md).
"""
import json
import os
import shutil
import subprocess
import tempfile
import threading
import weakref

from tcplab.errors import LabBroken, TcplabError, error_of

PROTOCOL = 1
PATIENCE = 60  # seconds for a run to end
USAGE = 2  # the exit status for a wrong option

_sessions = weakref.WeakSet()


def find_program():
    """Returns the path of tcplab: $TCPLAB, or the one in PATH."""
    program = os.environ.get("TCPLAB") or shutil.which("tcplab")
    if program is None:
        raise LabBroken("there is no program tcplab in PATH; install tcplab, or set "
                        "TCPLAB=/path/to/tcplab")
    return program


class Session:
    """A running `tcplab session`. Threads may share it, with `lock`."""

    def __init__(self, options, program=None):
        self.program = os.fspath(program or find_program())
        self.lock = threading.RLock()
        self.is_inherited = False  # this process is a fork of the one that started the session
        self.hello = None
        self._requests = 0
        self._is_lost = False  # an answer may come that nobody awaits
        self._interruption = ""  # the exception that came instead of an answer
        self._unread = bytearray()
        self._end = None  # the last line
        self._errors = tempfile.TemporaryFile()
        try:  # Ctrl-C is for Python, which then ends the run
            self._process = subprocess.Popen([self.program, "session", *options], bufsize=0,
                                             stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                             stderr=self._errors, start_new_session=True)
        except OSError as error:
            self._errors.close()
            raise LabBroken(f"cannot start {self.program}: {error.strerror}") from error
        _sessions.add(self)
        try:
            self.hello = self._read()
            if self.hello.get("version") != PROTOCOL:
                raise LabBroken(f"{self.program} has version {self.hello.get('version')} of the "
                                f"protocol, this package has {PROTOCOL}; install the same version")
        except BaseException:
            self._is_lost = True
            self.close()
            raise

    def request(self, **members):
        """Returns the answer to a request. Raises the error that it has.

        Any other exception, such as that of a signal handler, ends the run: the next answer would
        be that of this request."""
        __tracebackhide__ = True
        with self.lock:
            self._require_usable()
            self._requests += 1
            line = json.dumps({"id": self._requests, **members}, allow_nan=False).encode() + b"\n"
            try:
                self._is_lost = True
                answer = self._answer(line)
                self._is_lost = False
            except BaseException as error:
                if not isinstance(error, TcplabError):
                    self._interruption = f"{type(error).__name__} has interrupted a request"
                self.close()
                raise
        if not answer["ok"]:
            raise error_of(answer["error"])
        return answer

    def close(self):
        """Ends the run, and returns its `end`: outcome, reason, folder and page."""
        with self.lock:
            if self._end is None:
                self._finish()
            return self._end

    @property
    def process(self):
        return self._process

    @property
    def has_ended(self):
        return self._end is not None and not self.is_inherited

    def leave(self):
        """Leaves the run to the parent, in a process that has been forked. Closes the pipes, of
        which tcplab awaits the end."""
        self.lock = threading.RLock()  # a thread that is not here may have had it
        if self._end is None:
            self.is_inherited = True
            self._end = {"outcome": "broken",
                         "reason": f"the lab belongs to process {os.getppid()}, not to its fork"}
            nothing = os.open(os.devnull, os.O_RDWR)
            for pipe in [self._process.stdin, self._process.stdout]:
                os.dup2(nothing, pipe.fileno(), inheritable=False)
            os.close(nothing)

    def _require_usable(self):
        __tracebackhide__ = True
        if self.is_inherited:
            raise LabBroken(self._end["reason"])
        if self._end is not None:
            raise LabBroken(": ".join(filter(None, ["the lab is closed", self._interruption])))
        if self._is_lost:
            raise LabBroken("a request of this lab has no answer yet; a signal handler cannot use "
                            "the lab meanwhile")

    def _answer(self, line):
        __tracebackhide__ = True
        try:
            while line:
                line = line[os.write(self._process.stdin.fileno(), line):]
        except BrokenPipeError:
            pass  # the last line says why
        answer = self._read()
        # A request that is too long has no id.
        if answer["id"] not in ([self._requests] if answer["ok"] else [self._requests, None]):
            raise LabBroken(f"tcplab has answered request {answer['id']} instead of "
                            f"{self._requests}")
        return answer

    def _read(self):
        """Returns the next line. Raises the reason if it is the last one."""
        __tracebackhide__ = True
        line = self._read_line()
        said = json.loads(line) if line else {"end": None}
        if "end" not in said:
            return said
        self._finish(said["end"])
        raise error_of({"kind": self._end["outcome"], "message": self._end["reason"]})

    def _read_line(self):
        """Returns a line; nothing at the end."""
        known = 0  # bytes without an end of a line
        while (end := self._unread.find(b"\n", known)) == -1:
            known = len(self._unread)
            part = os.read(self._process.stdout.fileno(), 1 << 16)
            if not part:
                return b""
            self._unread += part
        line = bytes(self._unread[:end])
        del self._unread[:end + 1]
        return line

    def _finish(self, end=None):
        """Waits for the process to end. `end` is the last line, if it was read."""
        self._end = end or {"outcome": "broken", "reason": "the end of the run was interrupted"}
        if self._is_lost and end is None:
            self._process.terminate()  # it may wait for hours
        for line in (self._unread + self._rest()).splitlines():
            end = end or end_of(line)
        self._end = end or self._lost_end()
        if self._interruption and self._end["outcome"] == "passed":
            self._end.update(outcome="broken", reason=self._interruption)
        self._errors.close()

    def _rest(self):
        """Closes standard input, and returns what tcplab still writes."""
        for end_it in [self._process.terminate, self._process.kill]:
            try:
                return self._process.communicate(timeout=PATIENCE)[0]
            except subprocess.TimeoutExpired:
                end_it()
        self._process.wait()
        return b""

    def _lost_end(self):
        """Returns the `end` of a tcplab that has written none."""
        self._errors.seek(0)
        said = self._errors.read().decode(errors="replace").strip()
        status = self._process.returncode
        if self.hello is None:
            return {"outcome": "bad_script" if status == USAGE else "broken",
                    "reason": said or f"tcplab session ended with status {status}"}
        return {"outcome": "broken", "reason": "tcplab has not said how the run ended: " +
                                               (said or f"its status is {status}")}


def end_of(line):
    """Returns the `end` that a line has, or None. A process that was killed leaves part of a line.
    """
    try:
        return json.loads(line).get("end")
    except ValueError:
        return None


def leave_to_parent():
    for session in list(_sessions):
        session.leave()


os.register_at_fork(after_in_child=leave_to_parent)
