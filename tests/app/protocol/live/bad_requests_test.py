#!/usr/bin/env python3
"""Sends tcplab session what it must refuse, and ends its client in every way."""
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import lab
from sessions import Session, SessionCase

LONGEST = 1 << 20
# A client that starts a session and a request that waits for an hour, and says so.
CLIENT = """
import subprocess, sys, time
session = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
session.stdout.readline()
session.stdin.write('{"verb": "pair"}\\n{"verb": "wait", "args": [3600]}\\n')
session.stdin.flush()
session.stdout.readline()
print(session.pid, flush=True)
time.sleep(3600)
"""


def descendants(process):
    """Returns the processes that a process has started, and they in turn."""
    children = []
    for task in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
        children += task.read_text().split()
    return [each for child in children for each in [int(child), *descendants(child)]]


def is_alive(process):
    try:
        stat = pathlib.Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def user_ticks(process):
    """Returns the time in user mode, in clock ticks: proc_pid_stat(5)."""
    stat = pathlib.Path(f"/proc/{process}/stat").read_text()
    return int(stat.rpartition(")")[2].split()[11])


class BadRequests(SessionCase):
    def refused(self, session, line, *texts, kind="request"):
        session.write(line)
        answer = session.read()
        self.assertFalse(answer["ok"], answer)
        self.assertEqual(answer["error"]["kind"], kind, answer)
        for text in texts:
            self.assertIn(text, answer["error"]["message"])
        self.assertNotIn("\n", answer["error"]["message"])
        return answer

    def test_each_bad_line_is_refused_with_its_reason_and_the_session_goes_on(self):
        session = self.session()
        kang, kodos = session.values("pair")
        for line, *texts in [
                ("garbage", "not JSON", "byte 1"),
                ('{"verb": "pair"', "not JSON"),
                ('{"verb": "pair"}{"verb": "pair"}', "not JSON"),
                ("[1, 2]", "a request is a JSON object"),
                ("\0\u00ff", "not JSON"),
                ("[" * 500_000, "not JSON"),
                ('{"verb": "wait", "args": [1e999]}', "too large"),
                ('{"vreb": "pair"}', "no member `vreb`", "did you mean verb"),
                ('{"verb": 7}', "`verb` is a text"),
                ('{"verb": "pair", "field": "family"}', "`verb` or `field`"),
                ('{"verb": "pair", "args": {}}', "`args` is a list"),
                ('{"verb": "explode"}', "lab has no verb or field `explode`"),
                ('{"on": {"handle": 2}, "verb": "power_of"}', "a host has no verb `power_of`",
                 "power_off"),
                ('{"on": {"handle": 2}, "verb": "power_off() os.exit"}', "has no verb"),
                ('{"field": "pair"}', "is a verb"), ('{"verb": "family"}', "is a field"),
                ('{"on": {"handle": 99}, "verb": "name"}', "handle 99 is not known"),
                ('{"on": {"handle": -1}, "verb": "name"}', "whole number"),
                ('{"on": {"handle": 0, "session": 7}, "verb": "now"}', "is of another session"),
                ('{"on": 2, "verb": "name"}', "`on` is a handle"),
                ('{"events_after": "all"}', "`events_after`"),
                ('{"id": true}', "`id` is a text or a number"),
                ('{"interface": 1}', "`interface` is true"),
                ('{"field": "family", "args": [1]}', "a field has no `args`"),
                ('{"release": {"handle": 1}}', "`release` is a list"),
                ('{"release": [' + "[" * 200_000 + "]" * 200_000 + "]}", "whole number"),
                ('{"verb": "check", "args": [' + "[" * 30 + "]" * 30 + ', "x"]}', "too many"),
                ('{"verb": "when", "args": [1, {"do": 7}]}', "a list of calls"),
                ('{"verb": "when", "args": [1, {"do": [{"verb": "pair", "x": 1}]}]}',
                 "no member `x`")]:
            with self.subTest(line=line[:60]):
                self.refused(session, line, *texts)
        session.write('{"id": 7, "on": {"handle": 98}, "verb": "name"}')
        self.assertEqual(session.read()["id"], 7)
        self.refused(session, json.dumps({"on": {**kang, "session": "other"}, "verb": "name"}),
                     "is of session other")
        self.refused(session, '{"verb": "wait", "args": ["long"]}', "must be a number",
                     kind="usage")
        self.refused(session, '{"on": {"handle": 1}, "verb": "run", "args": [{"envy": 1}]}',
                     "there is no option `envy`", kind="usage")
        self.assertTrue(session.ask("say", "still there")["ok"])
        session.ask(release=[kodos["handle"]])
        self.refused(session, json.dumps({"on": kodos, "verb": "name"}), "was released")
        end, status = session.end()
        self.assertEqual((end["outcome"], status), ("passed", 2))

    def test_a_handle_of_another_session_is_refused(self):
        (self.folder / "other").mkdir()
        mine, other = self.session(), Session(self.folder / "other")
        self.addCleanup(other.__exit__)
        mine.values("pair")
        kang, _kodos = other.values("pair")
        self.refused(mine, json.dumps({"on": kang, "verb": "power_off"}),
                     f"is of session {other.hello['session']}")

    def test_a_line_that_is_too_long_is_refused_and_the_next_one_is_read(self):
        session = self.session()
        self.refused(session, json.dumps({"verb": "say", "args": ["x" * LONGEST]}),
                     f"longer than {LONGEST} bytes")
        room = LONGEST - len(json.dumps({"verb": "check", "args": ["", "x"]}))
        longest = json.dumps({"verb": "check", "args": ["x" * room, "x"]})
        session.write(longest)
        self.assertEqual(session.read()["values"], ["x" * room])

    def test_a_line_that_never_ends_does_not_keep_signals_away(self):
        with open("/dev/zero", "rb") as zeros:
            process = subprocess.Popen([lab.TCPLAB, "session", "--out", self.folder / "run"],
                                       stdin=zeros, stdout=subprocess.PIPE, text=True)
        with process:
            self.addCleanup(process.kill)
            self.assertIn("version", json.loads(process.stdout.readline()))
            process.send_signal(signal.SIGINT)
            self.assertEqual(json.loads(process.stdout.readline())["end"]["outcome"], "passed")
            self.assertEqual(process.wait(60), 128 + signal.SIGINT)

    def test_any_number_of_empty_lines_is_skipped(self):
        done = subprocess.run([lab.TCPLAB, "session", "--out", self.folder / "run"], timeout=300,
                              input="\n" * 300_000 + '{"verb": "now"}\n', capture_output=True,
                              text=True, check=True)
        self.assertEqual([json.loads(line).get("ok") for line in done.stdout.splitlines()],
                         [None, True, None])

    def test_a_client_that_reads_late_gets_every_answer(self):
        session = self.session()
        for _ in range(300):
            session.write('{"interface": true}')  # each answer is larger than a pipe
        for _ in range(300):
            self.assertTrue(session.read()["ok"])
        self.assertEqual(session.end()[1], 0)

    def test_a_long_answer_takes_time_in_proportion(self):
        session = self.session()
        ticks = [self.ticks_of_answer(session, notes) for notes in (2, 30)]
        self.assertLess(ticks[1], 40 * max(ticks[0], 5), ticks)

    def ticks_of_answer(self, session, notes):
        """Returns how long tcplab runs in user mode for an answer with notes of 1 MB each."""
        first = session.ask(events_after=0)["last_event"]
        for _ in range(notes):
            self.assertTrue(session.ask("say", "x" * 1_000_000)["ok"])
        begin = user_ticks(session.process.pid)
        session.write(json.dumps({"events_after": first}))
        self.assertGreater(len(session.process.stdout.buffer.readline()), notes * 1_000_000)
        return user_ticks(session.process.pid) - begin

    def run_in_shell(self, redirection):
        """Runs a session with this redirection of sh(1)."""
        return subprocess.run(
            ["sh", "-c", f'exec "$0" session --out run {redirection}', lab.TCPLAB], timeout=300,
            input="", capture_output=True, text=True, cwd=self.folder, check=False)

    def test_a_closed_standard_input_is_an_empty_one(self):
        done = self.run_in_shell("<&-")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout.splitlines()[-1])["end"]["outcome"], "passed")

    def test_output_that_cannot_be_written_is_an_error(self):
        for redirection, error in [(">/dev/full", "ENOSPC"), (">&-", "EBADF")]:
            with self.subTest(redirection=redirection):
                done = self.run_in_shell(redirection)
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn("cannot write standard output", done.stderr)
                self.assertIn(error, done.stderr)

    def test_nothing_is_left_when_the_client_is_killed(self):
        command = [lab.TCPLAB, "session", "--out", str(self.folder / "run")]
        client = subprocess.Popen([sys.executable, "-c", CLIENT, *map(str, command)],
                                  stdout=subprocess.PIPE, text=True)
        self.addCleanup(client.stdout.close)
        session = int(client.stdout.readline())
        started = [session, *descendants(session)]
        self.assertGreaterEqual(len(started), 4)  # the run, and two hosts
        client.kill()
        client.wait()
        lab.wait_for(lambda: not any(map(is_alive, started)))
        last = json.loads((self.folder / "run/events.jsonl").read_text().splitlines()[-1])
        self.assertEqual((last["kind"], last["outcome"]), ("end", "failed"))
        self.assertIn("lab:wait(3600)", last["reason"])

    def test_signals_end_the_run_in_order(self):
        for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
            with self.subTest(signal=number.name):
                session = self.session()
                session.values("pair")
                started = descendants(session.process.pid)
                session.process.send_signal(number)
                self.assertEqual(session.read()["end"]["outcome"], "passed")
                self.assertEqual(session.process.wait(60), 128 + number)
                lab.wait_for(lambda started=started: not any(map(is_alive, started)))

    def test_a_signal_ends_a_session_whose_client_does_not_read(self):
        session = self.session()
        for _ in range(10):
            session.write('{"interface": true}')  # each answer is larger than a pipe
        ready, _, _ = select.select([session.process.stdout], [], [], 60)
        self.assertTrue(ready)
        session.process.send_signal(signal.SIGTERM)
        self.assertEqual(session.process.wait(60), 128 + signal.SIGTERM)

    def test_a_signal_ends_a_session_whose_run_has_ended_and_whose_client_does_not_read(self):
        session = self.session()
        [run] = pathlib.Path(f"/proc/{session.process.pid}/task/{session.process.pid}/children"
                             ).read_text().split()
        for _ in range(10):
            session.write('{"interface": true}')  # each answer is larger than a pipe
        ready, _, _ = select.select([session.process.stdout], [], [], 60)
        self.assertTrue(ready)
        os.kill(int(run), signal.SIGKILL)
        lab.wait_for(lambda: not pathlib.Path(f"/proc/{run}").exists())
        session.process.send_signal(signal.SIGTERM)
        self.assertIn(session.process.wait(60), [-signal.SIGTERM, 128 + signal.SIGTERM])

    def when(self, session, condition, on, verb, *args):
        """Sends lab:when with a function that makes one call."""
        session.write(json.dumps({"verb": "when", "args": [
            condition, {"do": [{"on": on, "verb": verb, "args": args}]}]}))

    def test_a_function_that_fails_between_requests_ends_the_run(self):
        session = self.session()
        client, _server, kang, _kodos = session.values("connected")
        packet = session.value("packet", "kang > kodos", "data")
        self.when(session, packet, kang, "unplug", "eth7")
        self.assertTrue(session.read()["ok"])
        session.write(json.dumps({"on": client, "verb": "type", "args": ["hello\n"]}))
        end = [json.loads(line) for line in session.process.stdout][-1]["end"]
        self.assertEqual((end["outcome"], session.process.wait(60)), ("bad_script", 2))
        self.assertTrue(end["reason"].startswith(
            'session:3: lab:when(lab:packet("kang > kodos", "data"), '
            'function() kang:unplug("eth7"); end): kang has no '), end["reason"])

    def test_a_function_that_fails_at_once_is_told_to_its_own_request(self):
        session = self.session()
        client, _server, kang, _kodos = session.values("connected")
        condition = session.value("in_state", "ESTABLISHED", on=client)
        self.when(session, condition, kang, "unplug", "eth7")
        answer = session.read()
        self.assertEqual(answer["error"]["kind"], "bad_script", answer)
        self.assertIn("eth7", answer["error"]["message"])
        self.assertEqual(session.read()["end"]["outcome"], "bad_script")
        self.assertEqual(session.process.wait(60), 2)

    def test_a_page_that_cannot_be_written_is_told_by_the_last_line(self):
        (self.folder / "pages/run.html").mkdir(parents=True)
        session = self.session("--html", str(self.folder / "pages"))
        end, status = session.end()
        self.assertEqual((end["outcome"], status), ("broken", 3))
        self.assertIn("run.html", end["reason"])
        self.assertNotIn("page", end)
        self.assertIn("run.html", session.process.stderr.read())

    def test_a_run_that_is_killed_is_broken(self):
        session = self.session()
        session.values("pair")
        os.kill(descendants(session.process.pid)[0], signal.SIGKILL)
        end = session.read()["end"]
        self.assertEqual(end["outcome"], "broken")
        self.assertIn("SIGKILL", end["reason"])
        self.assertEqual(session.process.wait(60), 3)


if __name__ == "__main__":
    lab.main()
