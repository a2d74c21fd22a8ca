#!/usr/bin/env python3
"""Each host of a run has a capture of its own, in which Wireshark finds no false retransmission."""
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

SCENARIO = "warmup"
HOSTS = ["kang", "kodos"]


def fields(file, field, wanted=""):
    """Returns the field of each frame that matches the display filter `wanted`."""
    command = ["tshark", "-r", file, "-T", "fields", "-e", field]
    if wanted:
        command += ["-Y", wanted]
    return subprocess.run(command, capture_output=True, text=True,
                          check=True).stdout.splitlines()


class HostCaptures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        lab.need("tshark")
        cls.out = lab.Folder()
        cls.addClassCleanup(cls.out.cleanup)
        cls.done = subprocess.run([lab.TCPLAB, "run", SCENARIO, "--out", cls.out.name], text=True,
                                 capture_output=True, check=False)
        assert cls.done.returncode == 0, cls.done.stdout + cls.done.stderr
        cls.folders = [Path(cls.out.name, f"{SCENARIO}-ipv{family}") for family in "46"]

    def test_a_file_has_the_frames_of_its_host(self):
        for folder in self.folders:
            sightings = fields(folder / "capture.pcapng", "frame.interface_name")
            for host in HOSTS:
                own = [name for name in sightings if name.startswith(host + ".")]
                self.assertGreater(len(own), 5)
                file = folder / f"capture-{host}.pcapng"
                self.assertEqual(fields(file, "frame.interface_name"), own)
                self.assertIn("caused by", "".join(fields(file, "frame.comment")))

    def test_wireshark_finds_nothing_wrong_in_a_run_without_loss(self):
        for folder in self.folders:
            for host in HOSTS:
                found = fields(folder / f"capture-{host}.pcapng", "_ws.col.Info",
                               "tcp.analysis.flags")
                self.assertEqual(found, [])
            both = fields(folder / "capture.pcapng", "_ws.col.Info", "tcp.analysis.flags")
            self.assertNotEqual(both, [])  # each frame twice

    def test_the_run_names_them(self):
        self.assertIn(f"{self.folders[0]}/capture-kang.pcapng", self.done.stdout)


if __name__ == "__main__":
    lab.main()
