#!/usr/bin/env python3
"""Checks tcplab run --pcapng, which writes a copy of the capture during the run."""
import os
import pty
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

ROOT = Path(__file__).resolve().parents[3]
SCENARIO = ROOT / "scenarios/puzzlers/power-cycle.lua"
ONE_FRAME = 40  # no frame is shorter than this
# Connects, and then waits until a file is written.
WAITS = """return { title = "Waits", asks = "Is the run over?", run = function(lab)
  local _, _, kang = lab:connected()
  lab:expect(kang:run("sh", "-c", "until test -s go; do sleep 0.05; done")):within(60):exits(0)
end }
"""


class Streams(unittest.TestCase):
    def setUp(self):
        self.out = lab.Folder()
        self.addCleanup(self.out.cleanup)

    def start(self, *options, script=SCENARIO, stdout=subprocess.PIPE):
        return subprocess.Popen([lab.TCPLAB, "run", script, *options], cwd=self.out.name,
                                stdout=stdout, stderr=subprocess.PIPE)

    def test_the_stream_equals_the_capture_file_and_comes_during_the_run(self):
        Path(self.out.name, "waits.lua").write_text(WAITS, encoding="utf-8")
        go = Path(self.out.name, "go")
        go.touch()
        run = self.start("--pcapng", "-", "--family", "4", script="waits.lua")
        first = b""
        while b"-> ESTABLISHED" not in first:
            piece = os.read(run.stdout.fileno(), 1 << 16)
            self.assertTrue(piece, "the run is over")
            first += piece
        go.write_text("go", encoding="utf-8")
        rest, errors = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 0, errors)
        file = Path(self.out.name, "runs/waits-ipv4/capture.pcapng").read_bytes()
        self.assertEqual(first + rest, file)
        self.assertIn(b"1 passed", errors)

    def test_tshark_reads_the_stream(self):
        lab.need("tshark")
        run = self.start("--pcapng", "-")
        shark = subprocess.run(["tshark", "-r", "-", "-N", "n", "-T", "fields",
                                "-e", "ip.src_host", "-e", "frame.comment"], stdin=run.stdout,
                               capture_output=True, text=True, check=True)
        run.stdout.close()
        self.assertEqual(run.wait(60), 0)
        run.stderr.close()
        # A reader does not wait for what programs report, which may come late.
        self.assertRegex(shark.stdout, r"(?m)^kang\t.*kang: CLOSED -> SYN_SENT")
        self.assertIn("kodos has lost this connection: power_cycle", shark.stdout)

    def test_with_nic_each_frame_comes_once(self):
        lab.need("tshark")
        again = {}
        for options in [(), ("--nic", "kang")]:
            run = self.start("--pcapng", "-", *options)
            shark = subprocess.run(["tshark", "-r", "-", "-T", "fields", "-e", "frame.number",
                                    "-e", "tcp.analysis.retransmission"], stdin=run.stdout,
                                   capture_output=True, text=True, check=True)
            run.stdout.close()
            self.assertEqual(run.wait(60), 0)
            run.stderr.close()
            again[options] = [line for line in shark.stdout.splitlines() if line.endswith("\t1")]
        self.assertTrue(again[()], "both ends' sights of a frame look like two frames to tshark")
        self.assertFalse(again[("--nic", "kang")])

    def test_an_unknown_nic_is_refused(self):
        run = self.start("--pcapng", "-", "--nic", "kang.eth3")
        _, errors = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 2, errors)
        self.assertIn("--nic kang.eth3: there is no such NIC; there are kang.eth0, "
                      "kodos.eth0", " ".join(errors.decode().split()))

    def test_a_reader_that_goes_away_does_not_end_the_run(self):
        run = self.start("--pcapng", "-")
        os.read(run.stdout.fileno(), ONE_FRAME)
        run.stdout.close()
        errors = run.stderr.read().decode()
        run.stderr.close()
        self.assertEqual(run.wait(60), 0, errors)
        self.assertEqual(errors.count("nobody reads the capture any more"), 1, errors)
        self.assertIn("1 passed", errors)

    def test_the_stream_can_go_to_a_fifo(self):
        fifo = Path(self.out.name, "fifo")
        os.mkfifo(fifo)
        run = self.start("--pcapng", fifo)
        data = fifo.read_bytes()
        output, errors = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 0, errors)
        self.assertEqual(data, Path(self.out.name,
                                    "runs/power-cycle-ipv4/capture.pcapng").read_bytes())
        self.assertIn(b"1 passed", output)

    def test_the_live_ladder_goes_to_standard_error(self):
        run = self.start("--live", "--pcapng", "-")
        output, errors = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 0, errors)
        self.assertTrue(output.startswith(b"\x0a\x0d\x0d\x0a"), "a section header comes first")
        self.assertIn("ESTABLISHED", errors.decode())

    def refused(self, *options, **streams):
        run = self.start(*options, **streams)
        output, errors = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 2, errors)
        self.assertFalse(output)
        self.assertEqual(errors.count(b"\n"), 1, errors)
        self.assertFalse(Path(self.out.name, "runs").exists())
        return errors.decode()

    def test_runs_and_outputs_that_cannot_be_streamed_are_refused(self):
        self.assertIn("you selected 2", self.refused("--pcapng", "-", "--family", "both"))
        self.assertIn("--pcapng", self.refused("--nic", "kang"))
        self.assertIn("only one document", self.refused("--pcapng", "-", "--json"))
        self.assertIn("/nowhere/at/all", self.refused("--pcapng", "/nowhere/at/all"))
        master, terminal = pty.openpty()
        self.assertIn("wireshark", self.refused("--pcapng", "-", stdout=terminal))
        os.close(terminal)
        os.close(master)


if __name__ == "__main__":
    lab.main()
