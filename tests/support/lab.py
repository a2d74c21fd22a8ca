"""Helpers of the live tests: they run tcplab, read the files of a run, and skip tests."""
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from collections import namedtuple
from pathlib import Path

import schemas


BIN = Path(os.environ["TCPLAB_BIN"])
TCPLAB = BIN / "tcplab"
SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"
SKIPPED = 4

Frame = namedtuple("Frame", "interface at data outbound comment")
Segment = namedtuple("Segment", "source destination flags seq ack payload")  # flags: letters


def troubles(output):
    """Returns the output of `tcplab run` without the lines of runs that passed or were skipped, so
    that a test that prints it shows what failed."""
    return "\n".join(line for line in output.splitlines() if not line.startswith(("✓", "–")))


class Folder(tempfile.TemporaryDirectory):
    """A temporary folder for a test class or method; `with` gives its Path."""

    def __enter__(self):
        return Path(super().__enter__())


class Run:
    """A finished tcplab run of one scenario on one family, with its exit status, output and
    folder."""

    def __init__(self, script, out, *options, family="4", wrap=(), env=None, timeout=300):
        self.script = SCRIPTS / script if "/" not in str(script) else Path(script)
        command = [*wrap, TCPLAB, "run", self.script, "--family", family, "--out", out, *options]
        done = subprocess.run(command, capture_output=True, text=True, cwd=out, timeout=timeout,
                              env={**os.environ, **(env or {})}, errors="replace")
        self.status, self.output, self.errors = done.returncode, done.stdout, done.stderr
        self.folder = Path(out) / f"{self.script.stem}-ipv{family}"

    def said(self):
        return f"exit {self.status}\n{self.output}\n{self.errors}"

    def events(self, *kinds):
        """Returns the events of these kinds, or all events, in the order of the file."""
        with open(self.folder / "events.jsonl", encoding="utf-8") as lines:
            events = schemas.checked_events(lines)
        return [event for event in events if not kinds or event["kind"] in kinds]

    def frames(self):
        return read_pcapng(self.folder / "capture.pcapng")


class LinesTest(unittest.TestCase):
    """Tests with scripts of a few lines. Their first line is line 6 of the script."""
    BEFORE = "local kang = lab:pair()"  # line 5
    NAME = "lines.lua"

    def setUp(self):
        self.out = Folder()
        self.addCleanup(self.out.cleanup)

    def script(self, lines):
        script = Path(self.out.name, self.NAME)
        script.write_text("return {\n  title = 'T',\n  asks = 'Q?',\n  run = function(lab)\n"
                          f"{self.BEFORE}\n{lines}\n  end,\n}}\n", encoding="utf-8")
        return script

    def run_lines(self, lines, status=0):
        run = Run(self.script(lines), self.out.name)
        self.assertEqual(run.status, status, run.said())
        return run


def pcapng_options(body):
    options = {}
    while len(body) >= 4:
        code, length = struct.unpack_from("<HH", body)
        if code == 0:
            break
        value = body[4:4 + length]  # option 1, a comment, may occur several times: join them
        options[code] = options[1] + b"\n" + value if code == 1 and 1 in options else value
        body = body[4 + (length + 3) // 4 * 4:]
    return options


def read_pcapng(path):
    """Returns the frames of a little-endian pcapng file with nanosecond timestamps
    (draft-ietf-opsawg-pcapng)."""
    data, at, names, frames = Path(path).read_bytes(), 0, [], []
    while at < len(data):
        kind, size = struct.unpack_from("<II", data, at)
        body = data[at + 8:at + size - 4]
        if kind == 1:  # interface description: if_name is option 2
            names.append(pcapng_options(body[8:])[2].decode())
        elif kind == 6:  # enhanced packet: opt_comment 1, epb_flags 2
            interface, high, low, captured, _ = struct.unpack_from("<5I", body)
            options = pcapng_options(body[20 + (captured + 3) // 4 * 4:])
            flags = struct.unpack("<I", options.get(2, bytes(4)))[0]
            frames.append(Frame(names[interface], high << 32 | low, body[20:20 + captured],
                                flags & 3 == 2, options.get(1, b"").decode()))
        at += size
    return frames


def read_pcap(path):
    """Returns the frames of a classic little-endian pcap file (pcap-savefile(5)), as bytes."""
    data, at, frames = Path(path).read_bytes(), 24, []
    while at < len(data):
        captured = struct.unpack_from("<I", data, at + 8)[0]
        frames.append(data[at + 16:at + 16 + captured])
        at += 16 + captured
    return frames


def segment(frame):
    """Returns the TCP segment in an Ethernet frame with IPv4, or None for any other frame."""
    if len(frame) < 54 or frame[12:14] != b"\x08\x00" or frame[23] != 6:
        return None
    header = 14 + (frame[14] & 15) * 4
    end = 14 + struct.unpack_from(">H", frame, 16)[0]
    ports = struct.unpack_from(">HHII", frame, header)
    flags = "".join(c for bit, c in enumerate("FSRPAU") if frame[header + 13] >> bit & 1)
    payload = frame[header + (frame[header + 12] >> 4) * 4:end]
    return Segment((frame[26:30], ports[0]), (frame[30:34], ports[1]), flags, ports[2], ports[3],
                   payload)


def wait_for(condition, patience=300):
    """Waits until the condition holds; fails the test if it does not hold in time. Only a hang
    takes that long."""
    end = time.monotonic() + patience
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"it did not come in {patience} s")
        time.sleep(0.01)


def need(*programs):
    """Skips the calling test if one of the programs is not installed."""
    for program in programs:
        if shutil.which(program) is None:
            raise unittest.SkipTest(f"needs {program}, which is not installed")


def main():
    """Runs the tests. If some were skipped, prints the reasons and exits with 4, because a skip is
    not a pass."""
    result = unittest.main(exit=False, verbosity=2).result
    for test, reason in result.skipped:
        print(f"skipped: {test.id().removeprefix('__main__.')}: {reason}")
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(SKIPPED if result.skipped else 0)
