#!/usr/bin/env python3
"""Checks tcplab run --step: a key delivers or loses each frame, and the panel shows both kernels.
The tests use a pseudo-terminal, and check that it is always restored."""
import re
import signal
import subprocess
import sys
import termios
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab
from steps import CONNECTS, HANGS, Steps

STEPPED = [{"kind": "stepped"}]
# A deadline of a script stops while a frame is held. This one begins when the SYN is about to be.
CONNECTING = 'lab:expect(client):in_state "SYN_SENT"\n  '
SYN_COMES = (CONNECTING + 'lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-syn != 0", '
             '{ fate = "delivered", within = 0.3 })')


def descendants(pid):
    """Returns pid and start time (proc_pid_stat(5)) of all descendants."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except (OSError, NotADirectoryError):
            continue
        parents[(int(entry.name), fields[19])] = int(fields[1])
    found, new = set(), {pid}
    while new:
        children = {one for one, parent in parents.items() if parent in new} - found
        found |= children
        new = {one for one, _ in children}
    return found


def lives(process):
    try:
        fields = Path(f"/proc/{process[0]}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[19] == process[1] and fields[0] != "Z"


class Warmup(Steps):
    def test_delivering_each_frame_by_hand_passes(self):
        terminal = self.terminal("warmup")
        terminal.until("SYN_SENT, port")
        terminal.until("retransmits the SYN in")
        terminal.until("the script waits for")
        frames = terminal.deliver_all()
        self.assertEqual(terminal.end(), 0, terminal.text[-3000:])
        self.assertGreaterEqual(frames, 6)
        self.assertIn("✓ passed", terminal.text)
        packets = terminal.events("packet")
        self.assertTrue(all(one.get("effects") == STEPPED for one in packets), packets)
        self.assertRegex(terminal.events("note")[-1]["text"],
                         r"^stepped: \d+ frames stopped, for [\d.]+ \w+ in all$")
        self.assert_restored(terminal)

    def test_a_lost_fin_is_retransmitted(self):
        terminal = self.terminal("warmup")
        lost = terminal.deliver_until(r"kang .*Flags \[F\.\].*┤")
        terminal.press("l")
        terminal.until(r"FIN_WAIT1, port")
        terminal.until(r"retransmits in")
        # The panel may be drawn once more with the frame that was lost.
        again = terminal.deliver_until(r"kang .*Flags \[F\.\].*┤", done=lost)
        self.assertGreater(again, lost)
        terminal.press("r")
        self.assertEqual(terminal.end(), 0, terminal.text[-3000:])
        fates = [(one["frame"], one["fate"]) for one in terminal.events("packet")]
        self.assertIn((lost, "lost"), fates)
        self.assertIn((again, "delivered"), fates)
        self.assertIn(f"lost by hand: kang > kodos [F.] (frame {lost})",
                      terminal.events("note")[-1]["text"])

    def test_r_lets_all_frames_pass(self):
        terminal = self.terminal("warmup")
        terminal.until(HANGS)
        terminal.press("r")
        terminal.until("frames pass without a pause")
        self.assertEqual(terminal.end(), 0, terminal.text[-3000:])
        self.assertEqual(sum("effects" in one for one in terminal.events("packet")), 1)
        self.assert_restored(terminal)

    def test_s_pauses_again(self):
        terminal = self.terminal(self.script('lab:wait(60)'))
        terminal.until(HANGS)
        terminal.press("r")
        terminal.until("frames pass without a pause")
        terminal.press("s")
        terminal.until("no frame in transit|held for")
        terminal.press("q")
        self.assertEqual(terminal.end(), 4)

    def test_n_delivers_up_to_the_next_state_change(self):
        terminal = self.terminal("warmup")
        terminal.until(HANGS)
        for state in ("SYN_RECV", "ESTABLISHED"):
            terminal.press("n")
            terminal.until(state + ", port")
        terminal.press("q")
        terminal.end()

    def test_help_explains_the_keys(self):
        terminal = self.terminal("warmup")
        terminal.until(HANGS)
        terminal.press("?")
        terminal.until("you decide about its retransmission next")
        terminal.press("?")
        terminal.until("SYN_SENT, port")
        terminal.press("q")
        terminal.end()


class Clocks(Steps):
    def test_deadlines_stop_during_a_pause_and_times_are_not_checked(self):
        terminal = self.terminal(self.script(
            CONNECTING + 'lab:expect(client):within(0.5):in_state "ESTABLISHED"\n'
            '  lab:expect_time(300, 1, "what a person thinks")'))
        while float(terminal.until(HANGS).group(2)) < 0.9:
            pass
        terminal.deliver_all()
        self.assertEqual(terminal.end(), 0, terminal.text[-3000:])
        notes = [note["text"] for note in terminal.events("note")]
        self.assertTrue(any(note.startswith("not judged, for the run is stepped: what a person "
                                            "thinks takes 1 s") for note in notes), notes)

    def test_kernels_do_not_give_up_while_a_frame_is_stopped(self):
        """With one retry, connect(2) fails 3 s after its SYN: the SYN is stopped for longer."""
        script = Path(self.folder) / "talks.lua"
        script.write_text(CONNECTS.replace("local server", """kang:sysctl(
    "net.ipv4.tcp_syn_retries", 1)
  local server""") % 'lab:expect(client):in_state "ESTABLISHED"')
        terminal = self.terminal(script)
        terminal.until(HANGS)
        terminal.until("kang has retransmitted it 2 times: ")
        while float(terminal.until(HANGS).group(2)) < 4:
            pass
        terminal.deliver_all()
        self.assertEqual(terminal.end(), 0, terminal.text[-3000:])
        packets = terminal.events("packet")
        aside = [one for one in packets if one.get("effects") == [{"kind": "set_aside"}]]
        # The SYN ACK may be stopped for long enough, too.
        self.assertLessEqual({(one["flags"], one["fate"]) for one in aside},
                             {("S", "lost"), ("S.", "lost")})
        repeated = [one for one in aside if one["flags"] == "S"]
        self.assertGreaterEqual(len(repeated), 2, packets)
        fates = [one["fate"] for one in packets if one["flags"] == "S"]
        self.assertEqual(fates, ["delivered"] + ["lost"] * len(repeated))  # the first SYN is first
        run = next(terminal.out.glob("*/events.jsonl")).parent
        shown = subprocess.run([lab.TCPLAB, "show", run], capture_output=True, text=True,
                               check=True, timeout=300).stdout
        self.assertRegex(shown, r"(?s)── SYN( seq 0)? ─.*── SYN( seq 0)? again")

    def test_a_failure_names_the_frame_lost_by_hand(self):
        terminal = self.terminal(self.script(SYN_COMES))
        terminal.decide_all("l")  # on a busy machine, the kernel may retransmit the SYN in time
        self.assertEqual(terminal.end(), 1, terminal.text[-3000:])
        account = next(terminal.out.glob("*/failure.txt")).read_text()
        self.assertIn("This run was stepped: ", account)
        self.assertIn("lost by hand: kang > kodos [S] (frame 1)", account)
        self.assertIn("lost by hand", terminal.events("end")[0]["reason"])


class Ends(Steps):
    def quit_by(self, leave):
        terminal = self.terminal("warmup")
        terminal.until(HANGS)
        started = descendants(terminal.process.pid)
        self.assertGreaterEqual(len(started), 2)
        leave(terminal)
        status = terminal.end()
        lab.wait_for(lambda: not any(lives(one) for one in started))
        self.assert_restored(terminal)
        return status, terminal

    def test_q_ends_the_run_and_leaves_complete_files(self):
        status, terminal = self.quit_by(lambda terminal: terminal.press("q"))
        self.assertEqual(status, 4)
        self.assertEqual(terminal.events("end")[0]["outcome"], "skipped")
        self.assertIn("the user quit", terminal.text)

    def test_a_signal_restores_the_terminal(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            status, _ = self.quit_by(lambda terminal, n=number: terminal.process.send_signal(n))
            self.assertEqual(status, 128 + number)

    def test_ctrl_c_restores_the_terminal(self):
        status, _ = self.quit_by(lambda terminal: terminal.press("\x03"))
        self.assertEqual(status, 128 + signal.SIGINT)

    def test_a_run_that_cannot_start_restores_the_terminal(self):
        (Path(self.folder) / "runs").write_text("no folder")
        terminal = self.terminal("warmup")
        self.assertEqual(terminal.end(), 2, terminal.text)
        self.assertEqual(termios.tcgetattr(terminal.slave), terminal.before)


class Terminals(Steps):
    def test_a_terminal_that_shows_nothing_for_a_while_loses_nothing(self):
        """As with Ctrl-S: nobody reads the output until the terminal takes no more."""
        terminal = self.terminal("warmup")
        terminal.until(HANGS)
        time.sleep(2)
        while float(terminal.until(HANGS).group(2)) < 3:
            pass
        terminal.deliver_all()
        self.assertEqual(terminal.end(), 0, terminal.text[-3000:])

    def test_no_color_turns_colours_off(self):
        for wish, colours in (({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True)):
            terminal = self.terminal("warmup", **wish)
            terminal.until(HANGS)
            terminal.press("q")
            terminal.end()
            self.assertEqual(bool(re.search(r"\x1b\[[\d;]*m", terminal.text)), colours)

    def test_a_low_window_shows_the_frame_and_the_keys(self):
        terminal = self.terminal("warmup", columns=80, rows=24)
        terminal.until(HANGS)
        terminal.until("space: deliver")
        panel = terminal.text.rpartition("\x1b[J")[2]
        self.assertLessEqual(panel.count("\n"), 20)
        terminal.press("q")
        terminal.end()

    def assert_refused(self, *arguments, says, **options):
        terminal = self.terminal(*arguments, **options)
        self.assertEqual(terminal.end(), 2, terminal.text)
        self.assertEqual(terminal.text.count("\n"), 1, terminal.text)
        self.assertIn(says, terminal.text)

    def test_runs_that_cannot_be_stepped_are_refused_in_one_line(self):
        self.assert_refused("puzzlers", says="name one scenario")
        self.assert_refused("warmup", "--family", "both", says="--family 4 or 6")
        self.assert_refused("warmup", columns=40, says="this one has 40 and 40")
        self.assert_refused("warmup", TERM="dumb", says="a terminal that can move its cursor")

    def test_a_pipe_is_refused(self):
        done = subprocess.run([lab.TCPLAB, "run", "warmup", "--step", "--out", self.folder],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
                              check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("use --live instead", done.stderr)


if __name__ == "__main__":
    lab.main()
