#!/usr/bin/env python3
"""Interrupts requests of the package in python/, forks its processes, and gives it a tcplab that
does not say how the run ended."""
import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import threading
import unittest
from unittest import mock

sys.dont_write_bytecode = True
SOURCE = pathlib.Path(os.environ["TCPLAB_SOURCE"])
sys.path.insert(0, str(SOURCE / "python"))
import lab as live
import tcplab
from tcplab import session

os.environ["TCPLAB"] = str(live.TCPLAB)
# Has one verb, whose answer belongs to another request.
FAKE = """#!/usr/bin/env python3
import json, sys
VERB = {"name": "odd", "doc": "", "results": ["any"], "parameters": []}
LAB = {"name": "lab", "doc": "", "fields": [], "verbs": [VERB]}
INTERFACE = {"tables": [], "events": [], "classes": [LAB]}
print(json.dumps({"session": "fake", "version": 1, "folder": "."}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    number = request["id"] - (request.get("verb") == "odd")
    print(json.dumps({"id": number, "ok": True, "values": [INTERFACE], "events": [],
                      "last_event": 0}), flush=True)
print(json.dumps({"end": {"outcome": "passed", "reason": "", "folder": "."}}))
"""


class Alarm(Exception):
    """As a handler of SIGALRM may raise."""


class Timeout(BaseException):
    """As pytest.fail.Exception, which pytest-timeout raises."""


@contextlib.contextmanager
def signal_during_the_next_request(lab, handler):
    """Runs a handler in this thread when a request has been sent."""
    def send_signal():
        live.wait_for(lambda: lab._session._is_lost)
        os.kill(os.getpid(), signal.SIGUSR1)
    before = signal.signal(signal.SIGUSR1, handler)
    sender = threading.Thread(target=send_signal)
    sender.start()
    try:
        yield
    finally:
        sender.join()
        signal.signal(signal.SIGUSR1, before)


class Interrupted(unittest.TestCase):
    def test_an_exception_in_a_request_closes_the_lab(self):
        for kind in [Alarm, Timeout]:
            with self.subTest(kind.__name__):
                def handler(*_signal, kind=kind):
                    raise kind()
                lab = tcplab.Lab()
                self.addCleanup(lab.close)
                subject = lab.expect(lab.connected()[0])
                with signal_during_the_next_request(lab, handler), self.assertRaises(kind):
                    lab.wait(3600)
                reason = f"the lab is closed: {kind.__name__} has interrupted a request"
                with self.assertRaisesRegex(tcplab.LabBroken, reason):
                    subject.in_state("TIME_WAIT")
                self.assertEqual(lab.close()["outcome"], "failed")
                self.assertIsNotNone(lab._session.process.returncode)

    def test_a_run_that_was_interrupted_does_not_pass(self):
        def handler(*_signal):
            raise Alarm()
        with self.assertRaisesRegex(tcplab.ExpectationFailed, "ended the session during"), \
                tcplab.Lab() as lab:
            lab.pair()
            with signal_during_the_next_request(lab, handler), contextlib.suppress(Alarm):
                lab.wait(3600)

    def test_a_handler_cannot_send_a_request_during_another(self):
        lab = tcplab.Lab()
        self.addCleanup(lab.close)
        with signal_during_the_next_request(lab, lambda *_signal: lab.now()), \
                self.assertRaisesRegex(tcplab.LabBroken, "a signal handler cannot use"):
            lab.wait(3600)

    def test_what_json_does_not_have_is_refused_and_the_lab_goes_on(self):
        with tcplab.Lab() as lab:
            for value in [float("nan"), -float("inf"), 10**400, 10**5000, [float("nan")],
                          "\udc80", {"\udc80": 1}, pathlib.Path("\udc80")]:
                with self.assertRaisesRegex(ValueError, "finite|surrogate") as caught:
                    lab.parameter("x", value)
                self.assertIsInstance(caught.exception, tcplab.UsageError)
            with self.assertRaises(ValueError):
                lab._session.request(verb="parameter", args=["x", float("nan")])
            self.assertGreater(lab.now(), 0)

    def test_an_answer_to_another_request_breaks_the_lab(self):
        with live.Folder() as folder:
            lab = tcplab.Lab(program=fake(folder))
            self.addCleanup(lab.close)
            with self.assertRaisesRegex(tcplab.LabBroken, "answered request 2 instead of 3"):
                lab.odd()
            with self.assertRaisesRegex(tcplab.LabBroken, "the lab is closed"):
                lab.odd()


class Forked(unittest.TestCase):
    def test_a_child_that_lives_on_leaves_the_run_to_its_parent(self):
        wait_for_parent, go_on = os.pipe()
        with tcplab.Lab() as lab:
            lab.pair()
            child = os.fork()
            if child == 0:
                os.close(go_on)
                with contextlib.suppress(BaseException):
                    status = self.status_of_child(lab)
                    os.read(wait_for_parent, 1)  # nothing comes; it ends with the parent's pipe
                    os._exit(status)
                os._exit(9)
            self.assertEqual(lab.family, 4)
            with mock.patch.object(session, "PATIENCE", 300):
                self.assertEqual(lab.close()["outcome"], "passed")
        self.assertEqual(os.waitpid(child, os.WNOHANG), (0, 0))
        os.close(go_on)
        os.close(wait_for_parent)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def status_of_child(self, lab):
        with self.assertRaisesRegex(tcplab.LabBroken, "belongs to process"):
            lab.now()
        with self.assertRaisesRegex(tcplab.LabBroken, "belongs to process"):
            lab.events()
        self.assertEqual(lab.close()["outcome"], "broken")
        self.assertTrue(pathlib.Path(lab.folder, "events.jsonl").exists())
        return 0

    def test_a_run_whose_input_another_process_has_is_ended_after_a_while(self):
        lab = tcplab.Lab()
        pipe = lab._session.process.stdin.fileno()
        with subprocess.Popen(["cat"], stdin=subprocess.PIPE, pass_fds=[pipe]) as other:
            with mock.patch.object(session, "PATIENCE", 0.1):
                lab.close()
            self.assertIsNotNone(lab._session.process.returncode)
            self.assertIsNone(other.poll())
            other.stdin.close()


class Ends(unittest.TestCase):
    def test_the_reason_is_what_tcplab_has_printed(self):
        with live.Folder() as folder:
            (folder / "pages/run.html").mkdir(parents=True)
            with self.assertRaisesRegex(tcplab.LabBroken, "cannot make .*run.html: Is a directory"):
                with tcplab.Lab(out=folder / "run", html=folder / "pages") as lab:
                    lab.pair()

    def test_a_tcplab_that_was_killed_has_a_status(self):
        lab = tcplab.Lab()
        self.addCleanup(lab.close)
        lab._session.process.kill()
        with self.assertRaisesRegex(tcplab.LabBroken, "not said how the run ended.* -9"):
            lab.wait(3600)

    def test_each_program_has_its_own_interface(self):
        with live.Folder() as folder:
            with mock.patch.dict(os.environ, TCPLAB=str(fake(folder))), tcplab.Lab() as lab:
                self.assertIn("odd", dir(lab))
            with tcplab.Lab() as lab:
                self.assertIn("pair", dir(lab))


def fake(folder):
    """Returns the path of a program that is nearly a tcplab."""
    program = folder / "tcplab"
    program.write_text(FAKE)
    program.chmod(0o755)
    return program


if __name__ == "__main__":
    live.main()
