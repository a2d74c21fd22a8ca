#!/usr/bin/env python3
"""Checks host:service: when it is ready, what a run says if it never is, and each misuse."""
import subprocess
import sys

sys.dont_write_bytecode = True
import lab

PASSED, FAILED, BAD_SCRIPT = 0, 1, 2
DEAF = "trap '' TERM; echo up; while :; do sleep 0.1; done"
# These need no run to be found.
WRONG = (('"true"', "must be a table"),
         ('{ "true" }', "lacks the option `ready`"),
         ('{ "true", ready = {} }', "has one of `port`, `prints` and `run`"),
         ('{ "true", ready = { port = 1, prints = "x" } }', "has one of `port`"),
         ('{ "true", ready = { port = 70000 } }', "from 1 to 65535"),
         ('{ "true", ready = { ports = 1 } }', "no option `ports`"),
         ('{ "true", ready = { run = "true" } }', "`run`"),
         ('{ "true", ready = { port = 1, within = 0 } }', "at most 3600"),
         ('{ "true", ready = { port = 1 }, stop = "SIGNAL" }', "there is no signal SIGNAL"),
         ('{ "true", ready = { port = 1 }, wait = 3 }', "no option `wait`"))


class Service(lab.LinesTest):
    NAME = "serves.lua"

    def failed(self, arguments):
        run = self.run_lines(f"kang:service{arguments}", FAILED)
        verdict = run.events("verdict")[-1]
        self.assertEqual(verdict["line"], 6)
        return verdict, run

    def test_it_is_ready_when_it_says_so_and_starts_again(self):
        for family in "4", "6":
            run = lab.Run("services.lua", self.out.name, family=family)
            self.assertEqual(run.status, PASSED, run.said())

    def test_a_program_that_ends_fails_at_once_with_its_output(self):
        for ready in ("port = 80", 'prints = "hello"', 'run = { "false" }'):
            with self.subTest(ready=ready):
                verdict, run = self.failed(
                    '{ "sh", "-c", "echo cannot open it; exit 3", ready = { ' + ready + " } }")
                self.assertEqual(verdict["seen"], 'it exited with status 3, after it printed '
                                                  '"cannot open it"')
                exited = next(one for one in run.events("program") if one.get("code") == 3)
                self.assertLess(verdict["t"] - exited["t"], 5e9)

    def test_one_that_is_never_ready_fails_after_its_limit(self):
        for ready, seen in (("port = 80", "it runs"), ('prints = "hello"', "it runs"),
                            ('run = { "false" }', "kang's false"),
                            ('run = { "sleep", 99 }', "kang's sleep still runs, after 300.0 ms")):
            with self.subTest(ready=ready):
                run = self.run_lines('kang:service{ "sh", "-c", "echo up; sleep 99", ready = { ' +
                                     ready + ", within = 0.3 } }", FAILED)
                # On a busy machine, it may not print within 0.3 s.
                changes = [event["change"] for event in run.events("program")]
                if seen == "it runs" and "wrote" in changes:
                    seen += ', after it printed "up"'
                self.assertTrue(run.events("verdict")[-1]["seen"].startswith(seen), run.said())

    def test_a_port_that_ipv6_cannot_reach_is_named(self):
        script = self.script('kang:service{ "dnc", "-4", "-l", 8080, ready = { port = 8080, '
                             'within = 2 } }')
        run = lab.Run(script, self.out.name, family="6")
        self.assertEqual(run.status, FAILED, run.said())
        seen = run.events("verdict")[-1]["seen"]
        self.assertTrue(seen.startswith("it listens for IPv4 only"), run.said())

    def test_one_that_forks_away_is_named(self):
        verdict, _ = self.failed('{ "sh", "-c", "sleep 99 & exit", ready = { port = 80 } }')
        self.assertIn("1 of its processes run on: it has forked away, so start it in the "
                      "foreground", verdict["seen"])

    def test_one_that_ignores_its_signal_is_named(self):
        run = self.run_lines(f'local deaf = kang:service{{ "sh", "-c", "{DEAF}", '
                             'ready = { prints = "up" } }\ndeaf:restart()', FAILED)
        verdict = run.events("verdict")[-1]
        self.assertEqual(verdict["line"], 7)
        self.assertEqual(verdict["expected"], "kang's sh ends after SIGTERM, within 10 s")
        self.assertEqual(verdict["seen"], "it ignores SIGTERM; give host:service another signal: "
                                          'stop = "SIGINT"')

    def test_it_needs_power_and_a_program(self):
        service = 'kang:service{ "sleep", 99, ready = { run = { "true" } } }'
        self.assertIn("kang has no power",
                      self.run_lines(f"local it = {service} kang:power_off() it:restart()",
                                     BAD_SCRIPT).said())
        missing = self.run_lines('kang:service{ "no-such-program", ready = { port = 80 } }',
                                 lab.SKIPPED)
        self.assertIn("the program no-such-program is not installed", missing.said())

    def test_wrong_arguments_are_found_by_check_and_by_a_run(self):
        for arguments, words in WRONG:
            with self.subTest(arguments=arguments):
                run = self.run_lines(f"kang:service({arguments})", BAD_SCRIPT)
                self.assertIn(words, run.said())
                check = subprocess.run([lab.TCPLAB, "check", run.script], capture_output=True,
                                       text=True, check=False)
                self.assertEqual(check.returncode, BAD_SCRIPT, check.stdout + check.stderr)
                self.assertIn("serves.lua:6: host:service: ", check.stdout + check.stderr)
                self.assertIn(words, check.stdout + check.stderr)


if __name__ == "__main__":
    lab.main()
