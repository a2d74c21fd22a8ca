#!/usr/bin/env python3
"""Checks that signals reach the whole process tree of a program, and what the timeline says about a
program that ignores them or forks away."""
import os
import sys
import unittest

sys.dont_write_bytecode = True
import lab

PASSED, BAD_SCRIPT = 0, 2
# Counts the processes that have BUSY in their environment and are in one of the states.
COUNT = ('[[cat $(grep -lsz ^BUSY= /proc/[0-9]*/environ | sed s/environ/stat/) /dev/null '
         '2>/dev/null | grep -c ") $0 "]]')


class ProcessTree(lab.LinesTest):
    def notes(self, lines):
        return [event["text"] for event in self.run_lines(lines).events("note")]

    def test_signals_reach_every_process_or_only_the_main_one(self):
        run = lab.Run("process-tree.lua", self.out.name)
        self.assertEqual(run.status, PASSED, run.said())

    def test_a_fork_while_the_signals_are_sent_is_not_missed(self):
        self.run_lines(
            'local busy = kang:run{ "sh", "-c", '
            '"sleep 99 & echo on; while :; do (exec sleep 0.001) & done", '
            'env = { BUSY = 1 }, watch = false }\n'
            "local function counts(states, number)\n"
            'local look = kang:run("sh", "-c", ' + COUNT + ", states, { watch = false })\n"
            "lab:expect(look):exits()\n"
            "local seen = tonumber(look:output())\n"
            'lab:check(number and seen == number or not number and seen > 1, states, seen)\n'
            "end\n"
            'lab:expect(busy):within(20):prints "on"\n'
            'busy:freeze()\ncounts("[RSD]", 0)\ncounts "T"\n'
            'busy:thaw()\nbusy:kill()\nlab:expect(busy):killed_by "SIGKILL"\ncounts("[RSDT]", 0)')

    @unittest.skipIf(os.geteuid() != 0, "needs root")
    def test_a_program_of_another_user_gets_signals(self):
        self.run_lines('local other = kang:run{ "sh", "-c", "sleep 99 & wait", as = "nobody" }\n'
                       'other:kill()\nlab:expect(other):killed_by "SIGKILL"\n'
                       'local look = kang:run("sh", "-c", "! pgrep sleep")\n'
                       "lab:expect(look):exits(0)")

    def test_a_program_that_ignores_a_signal_leaves_a_note(self):
        notes = self.notes('local deaf = kang:run("sh", "-c", "trap \'\' TERM; echo on; sleep 9")\n'
                           'lab:expect(deaf):prints "on"\ndeaf:stop()\nlab:wait(0.1)\n'
                           'lab:expect(deaf):still_runs()')
        self.assertIn("kang's sh ignores SIGTERM, so it runs on; kill() ends any program", notes)

    def test_a_program_that_forks_away_leaves_a_note(self):
        notes = self.notes('local away = kang:run("sh", "-c", "setsid sleep 99 & exit")\n'
                           "lab:expect(away):exits(0)\naway:stop()\n"
                           'local look = kang:run("sh", "-c", "while pgrep sleep; do :; done")\n'
                           "lab:expect(look):exits(0)")
        self.assertIn("kang's sh has forked away: its main process has exited, and 1 of its "
                      "processes run on; start it in the foreground", notes)

    def test_a_program_has_no_process_when_its_daemons_have_ended_too(self):
        daemon = "mkfifo /tmp/over; (cat /tmp/over) & exit 0"
        self.run_lines(f'local away = kang:run("sh", "-c", "{daemon}")\n'
                       "lab:expect(away):exits(0)\n"
                       'lab:check(not lab:await(away, 0.2):has_no_process(), "the daemon counts")\n'
                       'kang:run("sh", "-c", ": > /tmp/over")\n'
                       "lab:expect(away):has_no_process()\n"
                       'local sleeps = kang:run("sleep", "99")\n'
                       'lab:check(not lab:await(sleeps, 0.2):has_no_process(), "it runs")')

    def test_misuse_is_one_line(self):
        for lines, words in (('kang:run("true"):kill { only = "child" }', 'must be "main"'),
                             ('kang:run("true"):freeze { main = true }', "no option `main`"),
                             ('local it = kang:run "true" lab:expect(it):exits(0) it:freeze()',
                              "exited with status 0, so it gets no signal"),
                             ('kang:run("sleep", 9):restart()', "is no service")):
            with self.subTest(lines=lines):
                self.assertIn(words, self.run_lines(lines, BAD_SCRIPT).said())


if __name__ == "__main__":
    lab.main()
