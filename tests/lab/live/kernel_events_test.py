#!/usr/bin/env python3
"""Checks tcplab run --tracepoints: kernel events belong to their run, frame and call. Without the
option there are none."""
import json
import math
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

ROOT = Path(__file__).resolve().parents[3]
RUNS = 4


def format_of(tracepoint):
    """Returns the format of a tracepoint, empty if the kernel lacks it."""
    script = ('[ -e "$0/enable" ] || mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null; '
              'cat "$0/$1/format" 2>/dev/null')
    return subprocess.run(["unshare", "--mount", "sh", "-c", script,
                           "/sys/kernel/tracing/events", tracepoint],
                          capture_output=True, text=True, check=False).stdout


def need_tracepoints():
    if os.geteuid() != 0 or not format_of("tcp/tcp_send_reset"):
        raise unittest.SkipTest("needs root, and a kernel with tracepoints")


def has_reasons(tracepoint):
    return "__print_symbolic(REC->reason" in format_of(tracepoint)


def events(folder, *kinds):
    lines = (Path(folder) / "events.jsonl").read_text(encoding="utf-8").splitlines()
    return [event for event in map(json.loads, lines) if event["kind"] in kinds]


class KernelEvents(unittest.TestCase):
    def setUp(self):
        need_tracepoints()
        folder = lab.Folder()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_of(self, scenario, *options, family="4"):
        run = lab.Run(ROOT / "scenarios" / scenario, self.folder, *options, family=family)
        self.assertEqual(run.status, 0, run.said())
        return run

    def one(self, run, host, what):
        found = [event for event in run.events("kernel")
                 if (event["host"], event["what"]) == (host, what)]
        self.assertEqual(len(found), 1, run.events("kernel"))
        return found[0]

    def test_kernel_events_of_a_power_cycle_belong_to_its_frames_and_calls(self):
        for family in "46":
            run = self.run_of("puzzlers/power-cycle.lua", "--tracepoints", family=family)
            packets = {packet["frame"]: packet for packet in run.events("packet")}
            reset = self.one(run, "kodos", "reset")
            if has_reasons("tcp/tcp_send_reset"):
                self.assertEqual(reset["reason"], "NO_SOCKET")
            data = packets[reset["frame"]]
            self.assertEqual((data["from"], data["destination"]), ("kang", reset["local"]))
            self.assertTrue(data["sent"] < data["delivered"] < reset["t"])

            error = self.one(run, "kang", "error")
            self.assertEqual(error["errno"], "ECONNRESET")
            answer = packets[error["frame"]]
            self.assertEqual(answer["flags"], "R")
            self.assertTrue(reset["t"] < answer["sent"] < answer["delivered"] < error["t"])
            read = next(call for call in run.events("call") if call.get("errno") == "ECONNRESET")
            self.assertLess(error["t"], read["entered"])
            self.assertLess(error["n"], read["n"])

    def test_a_drop_of_a_frame_with_an_old_timestamp_has_its_reason(self):
        if not has_reasons("skb/kfree_skb"):
            self.skipTest("this kernel gives no reasons for what it drops")
        for family in "46":
            run = self.run_of("segments/old-timestamp.lua", "--tracepoints", family=family)
            forged = [packet["frame"] for packet in run.events("packet")
                      if packet["fate"] == "forged" and "F" in packet["flags"] + packet["summary"]]
            drops = [event for event in run.events("kernel") if event["what"] == "drop"]
            self.assertEqual([drop["reason"] for drop in drops], 2 * ["TCP_RFC7323_PAWS"])
            self.assertTrue({drop["frame"] for drop in drops}.issubset(forged), (drops, forged))
            self.assertEqual({drop["host"] for drop in drops}, {"kang"})

    def test_parallel_runs_do_not_record_each_others_events(self):
        """All runs have the same addresses and ports, but retransmit at different times."""
        done = subprocess.run(
            [lab.TCPLAB, "run", lab.SCRIPTS / "same-ports.lua", "--family", "4", "--tracepoints",
             "--repeat", str(RUNS), "--jobs", str(RUNS), "--out", "runs"],
            capture_output=True, text=True, cwd=self.folder, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        all_errors, all_again = [], []
        for turn in range(1, RUNS + 1):
            folder = Path(self.folder, "runs", f"same-ports-ipv4-{turn}")
            said = events(folder, "kernel")
            again = [event["t"] for event in said if event["what"] == "retransmit"]
            sent = [packet["sent"] for packet in events(folder, "packet")
                    if packet["from"] == "kang" and packet.get("length")
                    and packet["fate"] == "lost"]
            all_again += again
            # The kernel reports a retransmission before it sends the frame. If a report belonged to
            # another run, two reports would precede the same frame, or no frame would follow one.
            following = [min(frame for frame in [*sent, math.inf] if frame >= report)
                         for report in again]
            self.assertEqual(len(set(following) - {math.inf}), len(again), (again, sent))
            errors = [event for event in said if event["what"] == "error"]
            self.assertIn([error["errno"] for error in errors], ([], ["ETIMEDOUT"]))
            read = next(call for call in events(folder, "call") if call.get("errno") == "ETIMEDOUT")
            for error in errors:
                self.assertTrue(max(sent) < error["t"] < read["t"], (sent, error, read))
            all_errors += errors
        # An error may be missing in some runs. If a timer on another processor wakes the program
        # first, the program takes the error before the tracepoint reports it.
        self.assertGreater(len(all_errors), 0)
        # perf does not record everything that timers do; see docs/events.md.
        self.assertGreater(len(all_again), 0)

    def test_power_off_causes_no_kernel_events(self):
        """Power off destroys the sockets of a host's kernel, here one with unread data."""
        script = Path(self.folder, "dark.lua")
        script.write_text("""return { title = "Dark", asks = "?", run = function(lab)
          local kang, kodos = lab:pair()
          local server = kodos:dnc("--repl", "-l", 8080)
          local client = kang:dnc(kodos, 8080)
          lab:expect(server):in_state "ESTABLISHED"
          client:type "unread\\n"
          lab:expect(client):call("write"):returns(7)
          lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-ack")
          kodos:power_off()
          lab:wait(0.5)
        end }""")
        run = lab.Run(script, self.folder, "--tracepoints")
        self.assertEqual(run.status, 0, run.said())
        self.assertEqual([event for event in run.events("kernel") if event["host"] == "kodos"], [])

    def test_the_transcript_shows_a_kernel_event_below_its_frame(self):
        run = self.run_of("puzzlers/power-cycle.lua", "--tracepoints")
        transcript = (run.folder / "transcript.txt").read_text(encoding="utf-8")
        words = re.sub(r"[^\w()]+", " ", transcript)
        self.assertIn("data 22 seq 1 ack 1 kernel resets no socket (NO_SOCKET)", words)

    def test_tracefs_need_not_be_mounted(self):
        unmounted = ("unshare", "--mount", "sh", "-c",
                     'umount -q -l /sys/kernel/tracing; [ ! -e /sys/kernel/tracing/events ] && '
                     'exec "$@"', "sh")
        run = lab.Run(ROOT / "scenarios/puzzlers/power-cycle.lua", self.folder, "--tracepoints",
                      wrap=unmounted)
        self.assertEqual(run.status, 0, run.said())
        self.one(run, "kodos", "reset")

    def test_without_the_option_there_are_no_kernel_events(self):
        run = self.run_of("puzzlers/power-cycle.lua")
        self.assertEqual(run.events("kernel"), [])


class Refused(unittest.TestCase):
    def test_an_ordinary_user_is_refused_with_a_fix(self):
        if os.geteuid() != 0:
            self.skipTest("needs root, to be somebody else")
        with lab.Folder() as folder:
            Path(folder).chmod(0o777)
            done = subprocess.run(
                ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", lab.TCPLAB, "run",
                 "warmup", "--tracepoints", "--out", f"{folder}/runs"],
                capture_output=True, text=True, cwd=folder, check=False)
            if done.returncode == 126:
                self.skipTest("the build's folder is closed to others")
            self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
            self.assertRegex(done.stderr, r"\Atcplab: --tracepoints: .*; fix: run it as root\n\Z")
            self.assertFalse(Path(folder, "runs").exists())


if __name__ == "__main__":
    lab.main()
