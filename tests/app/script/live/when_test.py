#!/usr/bin/env python3
"""Checks lab:when: at which frame it acts, and the errors of scripts that use it wrongly."""
import sys

sys.dont_write_bytecode = True
import lab

PASSED, FAILED, BAD_SCRIPT = 0, 1, 2


class When(lab.LinesTest):
    BEFORE = "local client, server, kang, kodos = lab:connected()"
    NAME = "moments.lua"

    def run_lines(self, lines, status=PASSED, *words):
        """Checks that one line of output has all words, too."""
        run = super().run_lines(lines, status)
        output = (run.output + run.errors).splitlines()
        self.assertTrue(any(all(word in line for word in words) for line in output), run.said())
        return run

    def test_functions_run_before_and_after_delivery_at_calls_and_states(self):
        for family in "4", "6":
            run = lab.Run("when.lua", self.out.name, family=family)
            self.assertEqual(run.status, PASSED, run.said())

    def test_a_condition_that_is_never_met_fails_the_run(self):
        never = 'lab:when(lab:packet("kang > kodos", "RST"), function() end%s)'
        run = self.run_lines(never % "", FAILED, "a packet kang > kodos, RST")
        verdict = run.events("verdict")[-1]
        self.assertEqual((verdict["passed"], verdict["line"], verdict["seen"]),
                         (False, 6, "it never came"))
        self.run_lines(never % ", { optional = true }", PASSED)
        often = ('lab:when(lab:packet("kang > kodos", "data"), function() end, { times = 2 })\n'
                 'client:type "x\\n" lab:expect(server):prints "x"')
        run = self.run_lines(often, FAILED, "seen", "it came only once")
        self.assertEqual(run.events("verdict")[-1]["expected"],
                         "lab:when: a packet kang > kodos, data, 2 times")
        gone = ('lab:when(server:call("write"):returns(4711), function() end)\n'
                'server:kill() lab:expect(server):killed_by "SIGKILL" '
                'lab:expect(client):call("read"):returns(0)')
        self.run_lines(gone, FAILED, "it never came; kodos's dnc was killed by SIGKILL")

    def test_a_host_is_not_switched_off_while_it_starts_a_program(self):
        """dnc sends its data while kang starts the next program."""
        self.run_lines('for port = 9001, 9010 do\n'
                       '  kodos:dnc("-l", port)\n'
                       '  client = kang:dnc(kodos, port)\n'
                       '  lab:expect(client):in_state "ESTABLISHED"\n'
                       '  lab:when(lab:packet("kang > kodos", "data"),\n'
                       '    function() kang:power_off() end)\n'
                       '  client:type "x\\n"\n'
                       '  kang:run("sleep", "9")\n'
                       '  local outcome = lab:first { off = client:ends(), within = 60 }\n'
                       '  lab:check(outcome == "off", "kang is off", outcome)\n'
                       '  kang:power_on()\n'
                       'end')

    def test_a_condition_counted_in_bytes(self):
        script = ('local now, at\n'
                  'lab:when(lab:packet("kang > kodos", "data"%s), function() at = now end,\n'
                  '  { bytes = %d })\n'
                  'for number, text in ipairs { "1234\\n", "6789\\n", "abcd\\n" } do\n'
                  '  now = number\n'
                  '  client:type(text) lab:expect(server):prints(text)\n'
                  'end\n'
                  'lab:check(at == 2, "at the second write", at)')
        self.run_lines(script % ("", 9), PASSED)
        self.run_lines(script % (', { fate = "delivered" }', 9), PASSED)
        run = self.run_lines('local data = lab:packet("kang > kodos", "data")\n'
                             'lab:when(data, function() end, { bytes = 9 })\n'
                             'client:type "1234\\n" lab:expect(server):prints "1234"', FAILED,
                             "only 5 of 9 bytes came")
        self.assertFalse([note for note in run.events("note") if "lab:when" in note["text"]])

    def test_a_function_that_waits_is_refused_with_its_line(self):
        for waits in ("lab:wait(1)", 'lab:expect(kang):in_state "CLOSED"', 'kodos:dnc("-l", 9)',
                      "kang:reboot()", 'lab:await(kang):in_state "CLOSED"',
                      "lab:first { client:exits() }"):
            with self.subTest(waits=waits):
                self.run_lines(
                    'lab:when(lab:packet("kang > kodos", "data"), function()\n' + waits +
                    '\nend) client:type "x\\n" lab:wait(lab.hour)', BAD_SCRIPT,
                    "moments.lua:7: a function of lab:when must not wait")

    def test_an_error_in_a_function_has_its_line(self):
        act = 'lab:when(lab:packet("kang > kodos", "data"), function(packet)\n%s\nend) %s'
        wait = 'client:type "x\\n" lab:wait(5)'
        self.run_lines(act % ("error 'boom'", wait), BAD_SCRIPT, "moments.lua:7: boom")
        self.run_lines(act % ("lab:check(packet.seq == 7, 'it is 7', packet.seq)", wait), FAILED,
                       "it is 7")
        self.run_lines(act % ("while true do end", wait), BAD_SCRIPT, "moments.lua:7", "loop")
        run = self.run_lines(act % ("kodos:explode()", wait), BAD_SCRIPT, "moments.lua:7",
                             "no verb `explode`")
        self.assertEqual([event["kind"] for event in run.events()], ["run", "end"])

    def test_wrong_arguments_are_refused(self):
        data = 'lab:packet("kang > kodos", "data")'
        for wrong, words in ((f"{data}, 7", "must be a function"),
                             ("7, print", "must be a condition"),
                             (f"{data}, function() end, {{ times = 0 }}", "`times` must be"),
                             (f"{data}, function() end, {{ time = 1 }}", "`time`"),
                             (f"{data}, function() end, {{ bytes = 0 }}", "`bytes` must be"),
                             (f"{data}, function() end, {{ bytes = 2, times = 2 }}", "not both"),
                             ("client:exits(), function() end, { bytes = 2 }",
                              "`bytes` counts the data of packets"),
                             ("client:sleeps(), function() end",
                              "no event reports when this happens"),
                             ("kang:has_no_connection(), function() end, { times = 2 }",
                              "`times` counts events")):
            with self.subTest(wrong=wrong):
                self.run_lines(f"lab:when({wrong})", BAD_SCRIPT, "moments.lua:6", words)


if __name__ == "__main__":
    lab.main()
