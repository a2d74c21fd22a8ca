#!/usr/bin/env python3
"""Checks the comments in capture.pcapng, which connect frames with calls, states, faults and verbs.
tshark reads them, and they must agree with events.jsonl."""
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

ROOT = Path(__file__).resolve().parents[3]
SPLIT = "\x1f"


def tshark(capture, *options, fields):
    command = ["tshark", "-r", capture, "-N", "n", *options, "-T", "fields", "-E", "separator=|",
               "-E", f"aggregator={SPLIT}"]
    for field in fields:
        command += ["-e", field]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [line.split("|", len(fields) - 1) for line in done.stdout.splitlines()]


def line_of(script, words):
    """Returns the number of the line of the script that has these words."""
    lines = script.read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if words in line)


class Comments(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        lab.need("tshark", "capinfos")
        cls.folder = lab.Folder()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.script = ROOT / "scenarios/puzzlers/power-cycle.lua"
        cls.runs = {family: lab.Run(cls.script, cls.folder.name + "/" + family, family=family)
                    for family in "46" if not Path(cls.folder.name, family).mkdir()}
        for run in cls.runs.values():
            assert run.status == 0, run.said()

    def sightings(self, run, *options):
        """Returns (host, comments) of each frame in the file."""
        rows = tshark(run.folder / "capture.pcapng", *options,
                      fields=["frame.interface_name", "frame.comment"])
        return [(name.split(".")[0], text.split(SPLIT)) for name, text in rows]

    def test_a_syn_is_caused_by_connect(self):
        for run in self.runs.values():
            (kang, causes), (kodos, effects) = self.sightings(
                run, "-Y", "tcp.flags.syn == 1 && tcp.flags.ack == 0")
            self.assertEqual((kang, kodos), ("kang", "kodos"))
            self.assertIn("caused by kang's dnc: connect(4, kodos:8080) = 0", causes)
            self.assertIn("kang: CLOSED -> SYN_SENT", causes)
            self.assertIn("kodos: LISTEN -> SYN_RECV", effects)

    def test_data_is_caused_by_write_and_the_reset_by_the_power_cycle(self):
        line = line_of(self.script, ":power_cycle()")
        for run in self.runs.values():
            _, causes = self.sightings(run, "-Y", "tcp.len > 0")[0]
            # Without a real-time priority, the lab may see the segment after the call.
            self.assertRegex("\n".join(causes), "(caused by|carries what was written by) "
                             r'kang\'s dnc: write\(4\) = 22 "kodos, are you there\?\\n"')
            (host, causes), (peer, effects) = self.sightings(run, "-Y", "tcp.flags.reset == 1")
            self.assertEqual((host, peer), ("kodos", "kang"))
            self.assertIn(f"kodos has lost this connection: power_cycle, line {line}", causes)
            self.assertIn("kang: ESTABLISHED -> CLOSED", effects)

    def test_each_state_that_a_frame_caused_is_in_its_comments(self):
        for run in self.runs.values():
            comments = {(int(number), line) for number, text in tshark(
                        run.folder / "capture.pcapng", fields=["frame.packet_id", "frame.comment"])
                    for line in text.split(SPLIT)}
            caused = [state for state in run.events("state") if state["cause"] == "frame"]
            self.assertGreater(len(caused), 4)
            for state in caused:
                self.assertIn((state["frame"],
                               f'{state["host"]}: {state["from"]} -> {state["to"]}'), comments)

    def test_hosts_have_their_names_in_tshark(self):
        for family, field in (("4", "ip.src_host"), ("6", "ipv6.src_host")):
            names = tshark(self.runs[family].folder / "capture.pcapng", "-Y", "tcp", fields=[field])
            self.assertEqual({name for (name,) in names}, {"kang", "kodos"})

    def test_tshark_and_capinfos_report_no_errors(self):
        for run in self.runs.values():
            for command in (["tshark", "-V", "-r"], ["capinfos"]):
                done = subprocess.run([*command, run.folder / "capture.pcapng"], check=False,
                                      capture_output=True, text=True)
                complaints = [line for line in done.stderr.splitlines() if "as user" not in line]
                self.assertEqual((done.returncode, complaints), (0, []))
                self.assertNotIn("Malformed", done.stdout)


if __name__ == "__main__":
    lab.main()
