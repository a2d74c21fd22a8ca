#!/usr/bin/env python3
"""Checks tcplab shell in a pipe and at a terminal, and that saved sessions run."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
SOURCE = pathlib.Path(os.environ["TCPLAB_SOURCE"])
sys.path.insert(0, str(SOURCE / "tools"))
import lab
from comparable import CALLS
from terminal import Terminal

PAGE = SOURCE / "docs/shell.md"
POWER_CYCLE = """server = kodos:dnc("-l", 8080)
client = kang:dnc(kodos, 8080)
kodos:power_cycle()
client:type "kodos, are you there?\\n"
"""


class ShellTest(unittest.TestCase):
    def setUp(self):
        folder = lab.Folder()
        self.folder = folder.__enter__()
        self.addCleanup(folder.__exit__, None, None, None)
        self.environment = {**os.environ, "HOME": str(self.folder), "TERM": "xterm",
                            "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
        self.environment.pop("XDG_STATE_HOME", None)

    def events(self, kind):
        lines = (self.folder / "runs/shell/events.jsonl").read_text().splitlines()
        return [event for event in map(json.loads, lines) if event["kind"] == kind]

    def tcplab(self, *arguments, text=""):
        return subprocess.run([lab.TCPLAB, *arguments], input=text, capture_output=True, text=True,
                              timeout=300, cwd=self.folder, env=self.environment, check=False)

    def assert_saved_runs(self, file):
        for arguments in [("check", file), ("run", file, "--out", "again")]:
            done = self.tcplab(*arguments)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr + "\n" +
                             (self.folder / file).read_text())


class FromAPipe(ShellTest):
    def test_a_power_cycle_typed_line_by_line_is_saved_and_runs(self):
        done = self.tcplab("shell", text=POWER_CYCLE + "states\nsave mine.lua\n")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("ECONNRESET", done.stdout)
        self.assertIn("saved 5 lines; to run them", done.stdout)
        saved = (self.folder / "mine.lua").read_text()
        for line in ["local kang, kodos = lab:pair()", "kodos:power_cycle()",
                     'lab:expect(client):still_in_state "ESTABLISHED"',
                     'lab:expect(client):call("read"):fails "ECONNRESET"']:
            self.assertIn(line, saved)
        self.assert_saved_runs("./mine.lua")
        for file in ["events.jsonl", "capture.pcapng", "transcript.txt"]:
            self.assertGreater((self.folder / "runs/shell" / file).stat().st_size, 0)
        self.assertEqual(self.events("end")[0]["outcome"], "passed")

    def test_failed_lines_do_not_end_the_session(self):
        done = self.tcplab("shell", text="""kodos:power_of()
x =
  1 +

kang:dnc(kodos, 8080)
lab:expect(kang_dnc):within(0.2):in_state "TIME_WAIT"
lab:expect(kang_dnc):call("connect"):fails "ECONNREFUSED"
1 + 1, kodos:address()
save mine
""")
        self.assertEqual(done.returncode, 1, done.stdout)
        for text in ["power_of", "incomplete statement", "kang_dnc is kang's dnc",
                     "within 200.0 ms",
                     '= 2, "10.0.0.2"']:
            self.assertIn(text, done.stdout)
        saved = (self.folder / "mine.lua").read_text()
        self.assertIn("-- kodos:power_of()", saved)
        self.assertIn("local kang_dnc = kang:dnc(kodos, 8080)", saved)
        self.assertIn("-- 1 + 1, kodos:address()", saved)
        self.assertEqual(saved.count("ECONNREFUSED"), 1, saved)
        self.assert_saved_runs("./mine.lua")
        self.assertEqual(self.events("end")[0]["outcome"], "failed")

    def test_a_file_that_the_shell_did_not_save_is_not_overwritten(self):
        (self.folder / "other.lua").write_text("return {}\n")
        done = self.tcplab("shell", text="save other.lua\nattach nobody\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("choose another name", done.stdout)
        self.assertIn("attach needs the name of a program", done.stdout)
        self.assertEqual((self.folder / "other.lua").read_text(), "return {}\n")

    def test_the_shell_starts_any_number_of_hosts_up_to_six(self):
        for hosts in ["3", "6"]:
            with self.subTest(hosts=hosts):
                text = POWER_CYCLE + "krusty:dnc(kodos, 8080)\nsave mine\n"
                done = self.tcplab("shell", "--hosts", hosts, text=text)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertIn("ECONNRESET", done.stdout)
                self.assert_saved_runs("./mine.lua")
        done = self.tcplab("shell", "--hosts", "1", text="kang:address()\nkodos\n")
        self.assertIn('= "10.0.0.1"', done.stdout)
        self.assertIn("= nil", done.stdout)
        done = self.tcplab("shell", "--hosts", "0", text="kang, kodos = lab:pair()\n" + POWER_CYCLE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("ECONNRESET", done.stdout)
        for hosts in ["7", "-1", "many"]:
            done = self.tcplab("shell", "--hosts", hosts)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_help_has_two_columns_in_a_wide_window(self):
        wide = self.tcplab("shell", "--hosts", "0", text="help\n").stdout
        self.assertIn("kodos:power_off()                      or power_cycle,", wide)

    def test_an_attached_program_gets_typed_lines(self):
        done = self.tcplab("shell", "--family", "6", text="""server = kodos:dnc("-l", 8080)
client = kang:dnc(kodos, 8080)
lab:expect(server):in_state "ESTABLISHED"
attach client
hello "kodos"
\x1d
lab:expect(server):prints 'hello "kodos"'
save mine
""")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn('client:type "hello \\"kodos\\"\\n"', (self.folder / "mine.lua").read_text())
        self.assert_saved_runs("./mine.lua")

    def test_every_line_of_the_page_prints_what_the_page_shows(self):
        """Types the lines of docs/shell.md, and compares the output, without times and ports."""
        session = re.search(r"```text\n(.*?)```", PAGE.read_text(), re.S).group(1)
        typed = re.findall(r"^lab> (?!kang, kodos)(.*)$", session, re.M)
        self.assertGreater(len(typed), 4)
        done = self.tcplab("shell", text="\n".join(typed) + "\n")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        seen = words_of(done.stdout)
        for line in words_of(session):
            if any(mark in line for mark in "▶◀═✓=") or line.startswith(("lab>", "saved")):
                self.assertIn(line, seen, done.stdout)


def words_of(text):
    """Returns the lines without times, ports and blanks. A call may take one line or two."""
    for pattern, stand_in in [(r"\d+\.\d+(?!\.)|:?\b\d{5}\b", "#"),
                              (r"… (?=[a-z]+\(\d)", ""), *CALLS]:
        text = re.sub(pattern, stand_in, text)
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


class Comparison(unittest.TestCase):
    def test_any_ephemeral_port_is_a_port(self):
        self.assertEqual(words_of("0.6  … accept(4) = 5 kang:60260"),
                         words_of("1.7  … accept(4) = 5 kang:32768"))

    def test_a_servers_port_and_a_result_must_be_equal(self):
        for here, elsewhere in [("LISTEN :8080", "LISTEN :8081"), ("write(4) = 22", "write(4) = 2"),
                                ("seq 1", "seq 2")]:
            self.assertNotEqual(words_of(here), words_of(elsewhere))


class AtATerminal(ShellTest):
    def shell(self, *arguments, **size):
        return Terminal([lab.TCPLAB, "shell", *arguments], cwd=self.folder, env=self.environment,
                        **size)

    def assert_ended(self, terminal, status=0):
        self.assertEqual(terminal.end(), status, terminal.text)
        self.assertTrue(terminal.is_as_before())
        self.assertIn("tcplab show runs/shell", terminal.text)

    def test_an_experiment_at_a_terminal_ends_with_ctrl_d(self):
        with self.shell() as terminal:
            terminal.wait_for("lab:pair()")
            terminal.wait_for("lab> ")
            *first, last = POWER_CYCLE.splitlines()
            for line in first:
                terminal.line(line)
            terminal.type(last + "\r")
            terminal.wait_for("dnc exits")
            terminal.type("save mine\r")
            terminal.wait_for("saved 5 lines")
            terminal.wait_for("lab> ")
            terminal.type("\x04")
            self.assert_ended(terminal)
        self.assert_saved_runs("./mine.lua")

    def test_tab_completes_and_lists(self):
        with self.shell() as terminal:
            terminal.wait_for("lab:pair()")
            terminal.wait_for("lab> ")
            terminal.type("kodos:unp\t")
            terminal.wait_for("unplug")
            self.assertIn("\rlab> kodos:unplug", terminal.text)  # replaces the typed prefix
            terminal.type("()\r")
            terminal.wait_for("unplug")  # drawn above
            terminal.wait_for("lab> ")
            terminal.type("kodos:power_\t")
            terminal.wait_for("power_cycle")
            terminal.wait_for("power_on")
            terminal.type("\x15lab.fam\t")
            terminal.wait_for("lab.family")
            terminal.type("\x15lab:expect(kodos):has_no_c\t")
            terminal.wait_for("has_no_connection")
            terminal.type("\x15sta\t")
            terminal.wait_for("states")
            terminal.type("\r")
            terminal.wait_for("no socket")
            terminal.wait_for("lab> ")
            terminal.type("\x04")
            self.assert_ended(terminal)

    def test_ctrl_c_stops_waiting_and_clears_a_line(self):
        with self.shell() as terminal:
            terminal.wait_for("lab:pair()")
            terminal.wait_for("lab> ")
            terminal.type("lab:wait(600)\r")
            terminal.wait_for("Ctrl-C to stop")
            terminal.type("\x03")
            terminal.wait_for("you have stopped waiting")
            terminal.wait_for("lab> ")
            terminal.type("not this line\x03")
            terminal.wait_for("^C")
            terminal.wait_for("lab> ")
            terminal.type("6 * 7\r")
            terminal.wait_for("= 42")
            terminal.wait_for("lab> ")
            terminal.type("\x04")
            self.assert_ended(terminal)

    def test_history_is_kept_between_sessions(self):
        for typed, seen in [("17 + 4\r", "= 21"), ("\x1b[A\r", "= 21")]:
            with self.shell() as terminal:
                terminal.wait_for("lab:pair()")
                terminal.wait_for("lab> ")
                terminal.type(typed)
                terminal.wait_for(seen)
                terminal.wait_for("lab> ")
                terminal.type("\x04")
                self.assert_ended(terminal)
        history = self.folder / ".local/state/tcplab/history"
        self.assertEqual(history.read_text().splitlines()[0], "17 + 4")

    def test_a_program_is_attached_and_detached(self):
        with self.shell(columns=80, rows=24) as terminal:
            terminal.wait_for("lab:pair()")
            terminal.wait_for("lab> ")
            terminal.line('server = kodos:dnc("-l", 8080)')
            terminal.line("client = kang:dnc(kodos, 8080)")
            terminal.type("attach client\r")
            terminal.wait_for("connect(")
            terminal.wait_for("client> ")
            terminal.type("hello\r")
            terminal.wait_for("write(")
            terminal.wait_for("client> ")
            terminal.type("\x1d")
            terminal.wait_for("lab> ")
            terminal.type("\x04")
            self.assert_ended(terminal)

    def widest_line_since(self, terminal, size):
        return max(map(len, re.split(r"[\r\n]+", terminal.text[size:])))

    def test_ctrl_z_stops_the_shell_and_fg_continues_it(self):
        """While tcplab is stopped, the terminal is restored, and its window may be resized."""
        with self.shell(columns=100, rows=40) as terminal:
            terminal.wait_for("lab:pair()")
            terminal.wait_for("lab> ")
            terminal.type("6 *")
            terminal.wait_for("6 *")
            terminal.type("\x1a")
            terminal.wait_until_stopped()
            self.assertTrue(terminal.is_as_before())
            terminal.resize(60, 24)
            terminal.process.send_signal(signal.SIGCONT)
            terminal.wait_for("lab> 6 *")
            terminal.type(" 7\r")
            terminal.wait_for("= 42")
            terminal.wait_for("lab> ")
            size = len(terminal.text)
            terminal.line('server = kodos:dnc("-l", 8080)')
            self.assertLessEqual(self.widest_line_since(terminal, size), 60)
            terminal.type("\x1a")
            terminal.wait_until_stopped()
            terminal.process.send_signal(signal.SIGCONT)
            terminal.wait_for("lab> ")
            terminal.type("\x04")
            self.assert_ended(terminal)

    def test_a_resized_window_redraws(self):
        with self.shell(columns=100, rows=40) as terminal:
            terminal.wait_for("lab:pair()")
            terminal.wait_for("lab> ")
            terminal.line('server = kodos:dnc("-l", 8080)')
            terminal.type("client = ")
            terminal.wait_for("client = ")
            terminal.resize(40, 24)
            terminal.wait_for("lab> client = ")
            size = len(terminal.text)
            terminal.type("kang:dnc(kodos, 8080)\r")
            terminal.wait_for("kodos ESTABLISHED")  # a line per event, without a ladder
            terminal.wait_for("lab> ")
            terminal.line("states")
            terminal.line("help")
            self.assertIn("ESTABLISHED", terminal.text[size:])
            self.assertLessEqual(self.widest_line_since(terminal, size), 40)
            terminal.type("\x04")
            self.assert_ended(terminal)

    def test_a_signal_ends_the_shell_and_leaves_no_process(self):
        with self.shell(columns=40, rows=24) as terminal:
            terminal.wait_for("lab:pair()")
            terminal.wait_for("lab> ")
            children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(terminal.process.pid)],
                                      capture_output=True, text=True, check=False).stdout.split()
            self.assertEqual(len(children), 1)
            terminal.process.send_signal(signal.SIGTERM)
            self.assert_ended(terminal, 128 + signal.SIGTERM)
            self.assertFalse(pathlib.Path("/proc", children[0]).exists())


if __name__ == "__main__":
    lab.main()
