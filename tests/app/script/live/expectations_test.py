#!/usr/bin/env python3
"""Checks what expectations do when they are met, when they fail, and when the script misuses them:
the exit status, the line of the script, and the message."""
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

PASSED, FAILED, BAD_SCRIPT = 0, 1, 2
FIRST_LINE = 10  # of the code that a test adds
CONNECTED = """return {
  title = "T",
  asks = "Q?",
  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
"""
# Runs shell code on kang.
SHELL = 'local shell = kang:run("sh", "-c", [[%s]])\n'


class Scripts(unittest.TestCase):
    def setUp(self):
        self.out = lab.Folder()
        self.addCleanup(self.out.cleanup)

    def run_code(self, code, status, **options):
        script = Path(self.out.name, "script.lua")
        script.write_text(CONNECTED + code + "\n  end,\n}\n", encoding="utf-8")
        run = lab.Run(script, self.out.name, **options)
        self.assertEqual(run.status, status, run.said())
        return run

    def passes(self, code):
        return self.run_code(code, PASSED)

    def fails(self, code, line=FIRST_LINE):
        """Returns the text of the failure, after a check that it names the line of the script."""
        run = self.run_code(code, FAILED)
        text = (run.folder / "failure.txt").read_text(encoding="utf-8")
        self.assertIn(f"script.lua:{line}\n", text)
        self.assertIn(text.strip().splitlines()[0], run.output)
        return text

    def is_refused(self, code, message, line=FIRST_LINE):
        run = self.run_code(code, BAD_SCRIPT)
        reason = run.events("end")[0]["reason"]
        self.assertIn(f"script.lua:{line}: ", reason)
        self.assertIn(message, reason)

    def ended_after(self, text):
        """Returns the seconds of the run after the failure's last but one expectation."""
        verdicts = [line for line in text.splitlines() if "✗" in line or "✓" in line]
        return float(verdicts[-1].split()[0]) - float(verdicts[-2].split()[0])


class Claims(Scripts):
    def test_a_claim_that_is_true_passes_and_returns_its_condition(self):
        run = self.passes('local n = lab:check(7, "there is a number")\n'
                          'lab:check(n == 7, "it is the condition", n)')
        claims = [event["expected"] for event in run.events("verdict")][-2:]
        self.assertEqual(claims, ["there is a number", "it is the condition"])

    def test_a_claim_that_is_false_fails_as_an_expectation_does(self):
        text = self.fails('lab:check(1 > 2, "one is more than two")')
        self.assertRegex(text, r"expected +one is more than two\n +seen +it is false\n")
        self.assertIn("The last events of kang and kodos", text)

    def test_the_value_is_shown(self):
        for value, seen in (("1.5", "1.5"), ('"text"', '"text"'), ("nil", "nil"), ("{}", "table")):
            with self.subTest(value=value):
                text = self.fails(f'lab:check(false, "a claim", {value})')
                self.assertRegex(text, rf"seen +{seen}\n")

    def test_claims_that_check_nothing_are_refused(self):
        for code, message in (
                ('lab:check(true)', "argument 2 (claim) is missing"),
                ('lab:check("a claim")', "argument 2 (claim) is missing"),
                ('lab:check(true, 7)', "argument 2 (claim) must be a text, not a number"),
                ('lab:check(true, "")', "argument 2 (the claim) is empty"),
                ('lab:check(client:exits(), "it exits")', "it is an object of the lab"),
                ('lab:check(client.exits, "it exits")', "always true: it is a function")):
            with self.subTest(code=code):
                self.is_refused(code, message)

    def test_a_time_with_a_tolerance_of_its_own(self):
        self.passes('lab:expect_time(95, 100, "it", { tolerance = 6 })\n'
                    'lab:expect_between(94, 100, 200, "it", { tolerance = 6 })')
        text = self.fails('lab:expect_time(95, 100, "it", { tolerance = 2 })')
        self.assertIn("it takes 100 s (98 s to 102 s)", text)
        self.fails('lab:expect_between(95, 100, 200, "it", { tolerance = 2 })')
        self.fails('lab:expect_time(110, 100, "it", { tolerance = 2 })')

    def test_a_late_timer_makes_the_kernel_give_up_sooner(self):
        """With an RTO of 0.21 s, timers are 0.42 and 1.26 s after the first retransmission. The
        limit is 7 x 0.183 s = 1.281 s."""
        timer = ('kang:sysctl("net.ipv4.tcp_rto_min_us", 183000)\n'
                 'local r2 = lab:timer("r2", kang)\n')
        self.passes(timer + 'lab:expect_time(3.36, r2, "it", { tolerance = 0.1 })\n'
                    'lab:expect_time(1.68, r2, "it", { tolerance = 0.1 })\n'
                    'lab:expect_time(3.36, r2, "it", { tolerance = 2 })')
        # Halfway between 2.18 s and 3.36 s: a run that waited 0.5 s for a processor still fails.
        text = self.fails(timer + 'lab:expect_time(2.77, r2, "it", { tolerance = 0 })',
                          FIRST_LINE + 2)
        self.assertIn("it takes 3.36 s (3.36 s to 3.86 s), or, if a timer is late, 1.68 s", text)

    def test_tolerances_that_are_none_are_refused(self):
        for option, message in (("tolerance = -1", "must be a number of seconds from 0"),
                                ("tolerance = 101", "from 0 to the time expected, 100 s"),
                                ('tolerance = "1"', "must be a number"),
                                ("tolerence = 1", "no option `tolerence`; did you mean tolerance")):
            with self.subTest(option=option):
                self.is_refused(f'lab:expect_time(95, 100, "it", {{ {option} }})', message)
        self.is_refused('lab:expect_between(95, 100, 200, "it", { tolerance = 101 })',
                        "from 0 to the time expected, 100 s")


class WhatIsInstead(Scripts):
    def seen(self, code, line=FIRST_LINE):
        text = self.fails(code, line)
        self.assertNotIn("it did not come", text)
        return re.search(r"\n  seen +(.*)\n", text)[1]

    def test_a_state_that_is_not_left_is_named(self):
        self.assertEqual(self.seen('lab:expect(client):within(0.1):in_state "CLOSE_WAIT"'),
                         "still ESTABLISHED")

    def test_a_call_that_does_not_return_is_named_with_its_time(self):
        for verb in ['call("read"):returns(0)', "notices()", "exits(0)"]:
            with self.subTest(verb):
                self.assertRegex(self.seen('lab:expect(client):call("poll"):is_entered()\n'
                                           f"lab:expect(client):within(0.3):{verb}",
                                           FIRST_LINE + 1),
                                 r"\Ait waits in poll\(\d+\) for [\d.]+ (ms|s)\Z")

    def test_a_program_in_no_recorded_call_still_runs(self):
        self.assertEqual(self.seen(SHELL % "sleep 9" + "lab:expect(shell):within(0.1):exits()",
                                   FIRST_LINE + 1), "it still runs")

    def test_the_last_packet_of_the_direction_is_named(self):
        self.assertRegex(self.seen('lab:expect_packet("kang > kodos", "RST", { within = 0.1 })'),
                         r"\Athe last was kang > kodos TCP Flags \[\.\], ")
        self.assertRegex(self.seen('client:type "x\\n"\n'
                                   'lab:expect_packet("kang > kodos", "tcp[13] & 8 != 0")\n'
                                   'lab:expect_packet("kang > kodos", "RST", { within = 0.1 })',
                                   FIRST_LINE + 2),
                         r"\Ano packet kang > kodos since the last expectation\Z")


class Output(Scripts):
    def test_pieces_are_one_text_and_one_write_can_meet_two(self):
        self.passes(SHELL % "printf hel; sleep 0.05; printf 'lo, world'" +
                    'lab:expect(shell):prints "hello"\nlab:expect(shell):prints "world"\n'
                    'lab:expect(shell):exits(0)\n'
                    'lab:check(shell:output() == "hello, world", "all of it", shell:output())')

    def test_matched_text_is_consumed(self):
        text = self.fails(SHELL % "echo once; sleep 9" +
                          'lab:expect(shell):prints "once"\n'
                          'lab:expect(shell):within(0.1):prints "once"', FIRST_LINE + 2)
        self.assertIn("it printed other text", text)

    def test_standard_error_is_a_stream_of_its_own(self):
        self.passes(SHELL % "echo out; echo err >&2" +
                    'lab:expect(shell):prints "err"\nlab:expect(shell):prints "out"\n'
                    'lab:expect(shell):exits(0)\n'
                    'lab:check(shell:output() == "out\\n", "standard output")\n'
                    'lab:check(shell:output "stderr" == "err\\n", "standard error")')

    def test_misuse_is_refused(self):
        self.is_refused('client:output "log"', 'must be "stdout" or "stderr", not "log"')
        self.is_refused('lab:expect(client):prints ""', "argument 1 (the text) is empty")


class Outcomes(Scripts):
    def test_await_returns_the_event_or_nil_and_does_not_end_the_run(self):
        self.passes('lab:check(lab:await(client, 0.05):exits() == nil, "it runs")\n'
                    'lab:check(lab:await(client):within(0.05):exits() == nil, "it runs")\n'
                    'client:kill()\n'
                    'local killed = lab:await(client):killed_by "SIGKILL"\n'
                    'lab:check(killed.change == "killed" and killed.t > 0, "it is killed")\n'
                    'local began = lab:now()\n'
                    'lab:check(lab:await(client, 60):exits() == nil, "it can no longer exit")\n'
                    'lab:check(lab:now() - began < 30, "nobody waits for that")')

    def test_a_state_that_is_reached_already_has_a_time(self):
        self.passes('local already = lab:await(client, 1):in_state "ESTABLISHED"\n'
                    'lab:check(already.t > 0, "there is a time")')

    def test_first_names_the_earliest(self):
        self.passes('client:type "hello\\n"\n'
                    'lab:expect(client):call("write"):returns(6)\n'
                    'local won, event = lab:first {\n'
                    '  gave_up = client:exits(), answered = server:prints "hello",\n'
                    '  called = client:call("read"):returns(0),\n'
                    '  reset = lab:packet("kodos > kang", "tcp[tcpflags] & tcp-rst != 0") }\n'
                    'lab:check(won == "answered", "the text comes first", won)\n'
                    'lab:check(event.text == "hello\\n", "with its event")')

    def test_first_of_a_list_and_nothing_at_the_deadline(self):
        self.passes('local conn = lab:connection(client)\n'
                    'local gone, closed = client:exits(), conn:in_state "CLOSE_WAIT"\n'
                    'lab:check(lab:first { gone, closed, within = 0.05 } == nil, "nothing")\n'
                    'server:kill()\n'
                    'local won, event = lab:first { gone, closed }\n'
                    'lab:check(won == 2, "the second", won)\n'
                    'lab:check(event.to == "CLOSE_WAIT", "its event")')

    def test_conditions_of_hosts(self):
        self.passes('local won = lab:first { kang:listens(9), kodos:has_no_connection(),\n'
                    '  kodos:in_state "ESTABLISHED" }\n'
                    'lab:check(won == 3, "the state", won)\n'
                    'lab:check(lab:first { a = server:sleeps() } == "a", "it sleeps")')

    def test_an_orphan_and_a_connection_to_another_host_are_not_held(self):
        self.passes('kodos:dnc("-l", 9090)\n'
                    'local own = kodos:dnc(kodos, 9090)\n'
                    'lab:expect(own):in_state "ESTABLISHED"\n'
                    'kang:power_off()\n'
                    'server:kill()\n'
                    'lab:expect(kodos):in_state "FIN_WAIT1"\n'
                    'lab:expect(kodos):holds_no_connection_to(kang)\n'
                    'lab:expect(kodos):still_in_state "FIN_WAIT1"\n'
                    'lab:expect(own):still_in_state "ESTABLISHED"')

    def test_a_held_connection_is_named_with_its_state(self):
        text = self.fails('lab:expect(kodos):within(0.1):holds_no_connection_to(kang)')
        self.assertIn("kodos holds no connection to kang", text)
        self.assertIn("ESTABLISHED", text)

    def test_first_ends_when_no_condition_can_be_met(self):
        self.passes('client:kill()\nlab:expect(client):killed_by "SIGKILL"\n'
                    'local began = lab:now()\n'
                    'lab:check(lab:first { client:exits(), client:prints "x", within = 60 } '
                    '== nil, "nothing")\nlab:check(lab:now() - began < 30, "at once")')

    def test_misuse_of_first_is_refused(self):
        for code, message in (
                ("lab:first()", "argument 1 (conditions) is missing"),
                ("lab:first {}", "lab:first has no condition"),
                ("lab:first { within = 3 }", "lab:first has no condition"),
                ("lab:first { 7 }", "[1] of lab:first must be a condition"),
                ("lab:first { x = lab:expect(client) }", "`x` of lab:first must be a condition"),
                ('lab:first { client:call "read" }', "not: expected call"),
                ("lab:first { client:exits(), within = -1 }", "must be a number of seconds"),
                ('lab:first { client:exits(), within = "1" }', "`within` must be a number"),
                ("lab:first { [true] = client:exits() }", "a name or a whole number"),
                ('lab:packet("kang > kodos", "tcp", { within = 3 })', "has no `within`")):
            with self.subTest(code=code):
                self.is_refused(code, message)


class Unfinished(Scripts):
    """What checks nothing would be a false pass."""

    def test_subjects_without_a_verb(self):
        for code, message in (
                ("lab:expect(client)", "lab:expect says nothing about kang's dnc; add a verb"),
                ("lab:expect(client):within(3)", "lab:expect says nothing about kang's dnc"),
                ("lab:never(kodos, 1)", "lab:never says nothing about kodos"),
                ("lab:await(server)", "lab:await says nothing about kodos's dnc"),
                ('lab:expect(client):call "read"', "nothing is expected of this read"),
                ("client:exits()", "this condition; write lab:expect(client):exits()"),
                ('kang:in_state "CLOSED"', "nothing awaits this condition"),
                ('lab:packet("kang > kodos")', "nothing awaits this condition"),
                ("local gone = client:exits()", "nothing awaits this condition")):
            with self.subTest(code=code):
                self.is_refused("lab:say 'here'\n" + code + "\nlab:wait(0.01)", message,
                                FIRST_LINE + 1)

    def test_a_subject_and_a_condition_can_be_used_again(self):
        self.passes('local it, gone = lab:expect(client), client:exits()\n'
                    'it:in_state "ESTABLISHED"\nit:still_runs()\n'
                    'for _ = 1, 2 do lab:first { gone, within = 0.01 } end')

    def test_a_failure_is_told_first(self):
        self.fails('lab:check(false, "a claim")\nlab:expect(client)')

    def test_verbs_about_the_present_cannot_be_awaited(self):
        for verb in ("still_runs()", 'still_in_state "CLOSED"'):
            for subject in ("lab:never(client, 1)", "lab:await(client)"):
                with self.subTest(verb=verb, subject=subject):
                    self.is_refused(f"{subject}:{verb}", "is about the present")

    def test_never_is_heeded_by_every_verb(self):
        for code in ("kodos:dnc('-l', 81)\nlab:never(kodos, 0.2):listens(81)",
                     "lab:never(client, 2):sleeps()",
                     'lab:never(client, 0.2):in_state "ESTABLISHED"'):
            with self.subTest(code=code):
                run = self.run_code(code, FAILED)
                self.assertIn("never for", run.output)
        self.passes("lab:never(kodos, 0.1):listens(9)\n"
                    "lab:never(kodos, 0.1):has_no_connection()")

    def test_whom_a_verb_is_about(self):
        self.is_refused("lab:expect(client):listens(80)", "expect that of a host")
        self.is_refused("lab:expect(kodos):exits()", "expect that of a program, not of a host")
        self.is_refused("lab:expect(lab:connection(client)):exits()",
                        "expect that of a program, not of a connection")
        self.is_refused("lab:expect(7)", "argument 1 (whom) must be a")


class EndedPrograms(Scripts):
    def test_a_wait_ends_at_once_with_the_exit_status_and_standard_error(self):
        for verb in ('prints "ready"', "exits(0)", 'killed_by "SIGTERM"', "sleeps()"):
            with self.subTest(verb=verb):
                text = self.fails(SHELL % "echo one >&2; echo 'cannot bind: in use' >&2; exit 4" +
                                  f"lab:expect(shell):within(60):{verb}", FIRST_LINE + 1)
                self.assertIn("exited with status 4", text)
                self.assertNotIn("within 1 min", text)
                self.assertRegex(text, r"stderr +kang's sh:\n +one\n +cannot bind: in use\n")
                self.assertLess(self.ended_after(text), 30)

    def test_a_call_of_a_program_that_was_killed(self):
        text = self.fails('client:kill()\nlab:expect(client):within(60):call("read"):returns(7)',
                          FIRST_LINE + 1)
        self.assertIn("kang's dnc was killed by SIGKILL", text)

    def test_a_process_that_the_program_leaves_behind_may_still_write(self):
        self.passes(SHELL % "(sleep 0.3; echo late) & exit 0" +
                    'lab:expect(shell):exits(0)\nlab:expect(shell):prints "late"')

    def test_kill_is_allowed_and_type_is_not(self):
        gone = 'client:kill()\nlab:expect(client):killed_by "SIGKILL"\n'
        run = self.passes(gone + "client:kill()")
        self.assertEqual([event["verb"] for event in run.events("action")].count("kill"), 1)
        self.is_refused(gone + 'client:type "x"', "was killed by SIGKILL, so it reads no text",
                        FIRST_LINE + 2)
        self.is_refused(gone + "client:stop()", "was killed by SIGKILL, so it gets no signal",
                        FIRST_LINE + 2)


class StandardError(Scripts):
    def test_it_is_shown_with_any_failure(self):
        text = self.fails(SHELL % "echo 'Traceback: line 7' >&2; sleep 9" +
                          'lab:expect(shell):sleeps()\nlab:await(shell, 0.2):exits()\n'
                          'lab:check(false, "a claim")', FIRST_LINE + 3)
        self.assertRegex(text, r"stderr +kang's sh:\n +Traceback: line 7\n")
        self.assertEqual(text.count("stderr "), 1, text)
        script = Path(self.out.name, "script.lua")
        live = lab.Run(script, self.out.name, "--live")
        shown = subprocess.run([lab.TCPLAB, "show", live.folder], text=True, check=True,
                               stdout=subprocess.PIPE).stdout
        for output in (live.output, shown):
            self.assertRegex(output, r"stderr +kang's sh:\n +Traceback: line 7\n")

    def test_a_command_that_dnc_does_not_know(self):
        text = self.fails('local repl = kang:dnc("--repl")\n'
                          'repl:type "conect kodos 80\\nsocket\\n" '
                          'lab:expect(repl):call("socket"):returns()\n'
                          'lab:expect(repl):within(0.5):call("connect"):returns(0)', FIRST_LINE + 2)
        self.assertRegex(text, r"kang's dnc-2:\n +dnc: no command 'conect'")

    def test_what_was_expected_or_is_recorded_is_not(self):
        text = self.fails(SHELL % "echo ready >&2; sleep 9" +
                          'lab:expect(shell):prints "ready\\n"\n'
                          'local repl = kang:dnc("--repl")\nlab:expect(repl):sleeps()\n'
                          'repl:signal "SIGUSR1"\nlab:expect(repl):prints "dnc: state"\n'
                          'lab:connection(client):rst()\n'
                          'lab:expect(client):call("read"):fails "ECONNRESET"\n'
                          'lab:expect(client):prints "Connection reset"\n'
                          'lab:check(false, "a claim")', FIRST_LINE + 9)
        self.assertNotIn("stderr  ", text)

    def test_only_the_last_lines_are_shown(self):
        text = self.fails(SHELL % "seq 100 >&2; exit 1" + "lab:expect(shell):exits(0)",
                          FIRST_LINE + 1)
        self.assertRegex(text, r"kang's sh:\n +91\n")
        self.assertRegex(text, r"\n +100\n")


if __name__ == "__main__":
    lab.main()
