#!/usr/bin/env python3
"""Checks what scripts ask of the lab: lab:say, the options of programs in lab:timer, the family of
dnc's REPL, the notes of lab:await and lab:first, and standard error beside a wrong script."""
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

PASSED, FAILED, BAD_SCRIPT = 0, 1, 2
SCRIPT = """return { title = "T", asks = "Q?", run = function(lab)
local kang, kodos = lab:pair()
%s
end }
"""
FIRST_LINE = 3  # of the code that a test adds


class Verbs(unittest.TestCase):
    def setUp(self):
        self.out = lab.Folder()
        self.addCleanup(self.out.cleanup)

    def run_code(self, code, status=PASSED, more=(), script=SCRIPT, **options):
        file = Path(self.out.name, "script.lua")
        file.write_text(script % code, encoding="utf-8")
        run = lab.Run(file, self.out.name, *more, **options)
        self.assertEqual(run.status, status, run.said())
        return run

    def is_refused(self, code, message, line):
        run = self.run_code(code, BAD_SCRIPT)
        reason = run.events("end")[0]["reason"]
        self.assertIn(f"script.lua:{line}: ", reason)
        self.assertIn(message, reason)


class Texts(Verbs):
    def test_the_text_of_an_object_says_what_it_is_and_has_no_address(self):
        run = self.run_code('local client = lab:connect(kang, kodos)\n'
                            'local conn = lab:connection(client)\n'
                            'local fault = lab:lose("kodos > kang", "RST")\n'
                            'for _, it in ipairs { lab, kang, client, conn, fault, lab.say,\n'
                            '                      { kang } } do\n'
                            '  lab:say(tostring(it)) lab:say(("<%s>"):format(it))\n'
                            'end')
        said = [note["text"] for note in run.events("note")]
        texts = said[-14::2]
        self.assertEqual(said[-13::2], [f"<{text}>" for text in texts])
        self.assertRegex(texts[3], r"\Aconnection 10\.\S+ > 10\.\S+ of kang\Z")
        self.assertEqual(texts[:3] + texts[4:],
                         ["lab", "host kang", "program kang's dnc", "fault 1", "function 1",
                          "table 1"])

    def test_a_name_that_is_no_text_is_refused_without_an_address(self):
        self.is_refused('local no = kang[{}]', "a host has no verb `table 1`", FIRST_LINE)


class Connection(Verbs):
    def test_it_is_waited_for_until_it_is_on_the_wire(self):
        """The SYN leaves when the ARP reply comes, long after the socket is in SYN_SENT."""
        run = self.run_code('lab:delay("kodos > kang", "arp", { by = 0.2 })\n'
                            'local client = kang:dnc(kodos, 8080)\n'
                            'lab:expect(client):in_state "SYN_SENT"\n'
                            'local conn = lab:connection(client)\n'
                            'lab:check(conn.remote_port == 8080, "its port", conn.remote_port)\n'
                            'lab:check(lab:connection(kang).iss == conn.iss, "the same one")',
                            script=SCRIPT.replace("lab:pair()", "lab:pair{neighbours='dynamic'}"))
        self.assertNotIn("on the wire", run.output)

    def test_a_wait_in_vain_says_what_for(self):
        for whose, title in (('kang:run("sleep", "9")', "kang's sleep"), ("kang", "kang")):
            with self.subTest(title=title):
                run = self.run_code(f"lab:connection({whose})", FAILED)
                self.assertIn(f"{title} has a connection on the wire, within 5 s", run.output)
                self.assertIn("it has none", run.output)


class Say(Verbs):
    def test_what_a_script_says_is_printed_among_its_expectations(self):
        output = self.run_code('lab:check(true, "first claim")\nlab:say "between the claims"\n'
                               'lab:check(true, "second claim")').output
        places = [output.index(text)
                  for text in ("first claim", "between the claims", "second claim")]
        self.assertEqual(places, sorted(places), output)

    def test_control_characters_are_printed_as_escapes(self):
        output = self.run_code(r'lab:say "red \27[31m"').output
        self.assertIn(r"red \x1b[31m", output)
        self.assertNotIn("\x1b", output)


class Repl(Verbs):
    CODE = ('local repl = kang:dnc("--repl"%s)\nrepl:type "socket\\nsocket %s\\nsocket\\n"\n'
            'for _ = 1, 3 do lab:expect(repl):call("socket"):returns() end')

    def families(self, family, options="", other=""):
        run = self.run_code(self.CODE % (options, other), family=family)
        return [call["args"].split(",")[0] for call in run.events("call")
                if call["call"] == "socket" and "result" in call]

    def test_a_socket_has_the_family_of_the_run(self):
        self.assertEqual(self.families("4"), 3 * ["AF_INET"])
        self.assertEqual(self.families("6"), 3 * ["AF_INET6"])

    def test_the_script_can_choose_another(self):
        self.assertEqual(self.families("4", other="6"), ["AF_INET", "AF_INET6", "AF_INET"])
        self.assertEqual(self.families("6", other="4"), ["AF_INET6", "AF_INET", "AF_INET6"])
        self.assertEqual(self.families("6", options=', "-4"'), 3 * ["AF_INET"])


class Timers(Verbs):
    def test_keepalive_options_of_a_program_give_the_measured_time(self):
        for family in "46":
            run = lab.Run("keepalive-measured.lua", self.out.name, family=family)
            self.assertEqual(run.status, PASSED, run.said())

    def test_options_that_a_program_sets_later_count(self):
        self.run_code("""
            local repl = kang:dnc("--repl")
            repl:type "socket\\nsetsockopt TCP_SYNCNT 2\\nsetsockopt TCP_LINGER2 7\\n"
            for _ = 1, 2 do lab:expect(repl):call("setsockopt"):returns(0) end
            lab:check(lab:timer("syn_r2", repl) == 7, "a SYN and 2 retransmissions: 1 + 2 + 4 s")
            lab:check(lab:timer("syn_r2", kang) ~= 7, "the host has other settings")
            lab:check(lab:timer("fin_timeout", repl) == 7, "TCP_LINGER2 replaces tcp_fin_timeout")
        """)

    def test_the_timeout_counts_before_it_is_backed_off(self):
        """On a busy machine a script may ask only after the first retransmissions."""
        self.run_code("""
            local client = lab:connect(kang, kodos)
            kodos:power_off()
            local before = lab:timer("r2", client)
            client:type "lost\\n"
            for _ = 1, 3 do lab:expect_packet("kang > kodos", "data") end
            lab:check(lab:timer("r2", client) < 1.5 * before, "the same time")
        """)

    def test_options_of_other_programs_are_unknown(self):
        for timer in ("keepalive_timeout", "syn_r2", "fin_timeout"):
            with self.subTest(timer=timer):
                self.is_refused(f'local sh = kang:run("sh", "-c", "sleep 9", {{ watch = false }})\n'
                                f'lab:timer("{timer}", sh)',
                                f'lab:timer("{timer}", program): the socket options of '
                                "kang's sh are unknown", FIRST_LINE + 1)

    def test_a_user_timeout_ends_connect_sooner(self):
        self.is_refused('local dnc = kang:dnc("--repl", "--user-timeout", "1s")\n'
                        'lab:timer("syn_r2", dnc)',
                        'has set TCP_USER_TIMEOUT, which ends a connect sooner than "syn_r2"',
                        FIRST_LINE + 1)
        self.is_refused('lab:timer("syn_r2", kang, 1)',
                        'TCP_USER_TIMEOUT, the third argument, ends a connect sooner than "syn_r2"',
                        FIRST_LINE)


class Marks(Verbs):
    """lab:await and lab:first have no verdict. A note on the timeline says what came."""

    def notes(self, code):
        run = self.run_code(code)
        notes = [event["text"] for event in run.events("note")
                 if event["text"].startswith("awaited")]
        shown = " ".join(run.output.split())
        transcript = (run.folder / "transcript.txt").read_text(encoding="utf-8")
        for note in notes:
            self.assertIn(note, shown)
            self.assertIn(note[:30], transcript)
        return notes

    def test_await_leaves_a_note_that_says_what_came(self):
        code = 'local sh = kang:run("sh", "-c", "%s")\nlab:await(sh, %s):exits()'
        self.assertEqual(self.notes(code % ("exit 3", 5)),
                         ["awaited kang's sh exits · kang's sh exited with status 3"])
        self.assertEqual(self.notes(code % ("sleep 9", 0.1)),
                         ["awaited kang's sh exits, within 100.0 ms · it still runs"])

    def test_first_leaves_a_note_that_says_which_came(self):
        code = """
            local one = kang:run("sh", "-c", "sleep 9")
            local other = kodos:run("sh", "-c", "%s")
            lab:first { one = one:exits(), other = other:exits(), within = %s }
        """
        both = "awaited the first of: kang's sh exits; kodos's sh exits"
        self.assertEqual(self.notes(code % ("exit 3", 5)),
                         [both + " · first: kodos's sh exits · kodos's sh exited with status 3"])
        self.assertEqual(self.notes(code % ("sleep 9", 0.2)),
                         [both + ", within 200.0 ms · none came"])


class LastLines(Verbs):
    """A script may be wrong because a program crashed."""
    CODE = """local sh = kang:run("sh", "-c", "echo 'Traceback: line 7' >&2; echo 7 bad; exit 1")
        lab:await(sh):exits()
        sh:type "hello"
    """

    def test_a_bad_script_shows_what_programs_wrote(self):
        run = self.run_code(self.CODE, BAD_SCRIPT)
        end = run.events("end")[0]
        self.assertIn(f"script.lua:{FIRST_LINE + 2}: kang's sh exited with status 1", end["reason"])
        self.assertNotIn("Traceback", end["reason"])
        written = {each.pop("stream"): each for each in end["last_lines"]}
        self.assertEqual(written["stderr"],
                         {"host": "kang", "program": "sh", "text": "Traceback: line 7\n"})
        self.assertEqual(written["stdout"],
                         {"host": "kang", "program": "sh", "text": "7 bad\n"})
        for name in ("failure.txt", "transcript.txt"):
            text = (run.folder / name).read_text(encoding="utf-8")
            self.assertRegex(text, r"stderr +kang's sh:\n +Traceback: line 7\n")
            self.assertRegex(text, r"stdout +kang's sh:\n +7 bad\n")
        self.assertRegex(run.output, r"stderr +kang's sh:\n +Traceback: line 7\n")
        self.assertRegex(run.output, r"stdout +kang's sh:\n +7 bad\n")

    def test_a_page_shows_it(self):
        page = Path(self.out.name, "pages")
        self.run_code(self.CODE, BAD_SCRIPT, more=("--html", page))
        text = "".join(file.read_text(encoding="utf-8") for file in page.glob("script*.html"))
        self.assertIn("stderr of kang&#39;s sh", text)
        self.assertIn("stdout of kang&#39;s sh", text)

    def test_a_script_that_is_right_shows_none(self):
        run = self.run_code('local sh = kang:run("sh", "-c", "echo oops >&2")\n'
                            'lab:expect(sh):exits(0)')
        self.assertNotIn("last_lines", run.events("end")[0])


if __name__ == "__main__":
    lab.main()
