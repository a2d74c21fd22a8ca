"""Captures of made connections for tests of tcplab explain. Made in memory: needs no root."""
import os
import re
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

TCPLAB = Path(os.environ["TCPLAB_BIN"]) / "tcplab"
FIN, SYN, RST, PUSH, ACK = 1, 2, 4, 8, 16
MILLISECOND = 1000  # times are in microseconds, as in pcap-savefile(5)
WHOLE = 65535


class Talk:
    """Makes a connection between 10.0.0.1 and 10.0.0.2 frame by frame, with relative numbers."""

    def __init__(self, port=40000, at=10**12, family=4, server=8080):
        self.port, self.at, self.family, self.server = port, at, family, server
        self.frames = []
        self.identification = port

    def say(self, sender, flags, seq, ack, size=0, *, after=10 * MILLISECOND, stamp=None):
        self.at += after
        self.identification = (self.identification + 1) % 65536
        ports = (self.port, self.server) if sender == 0 else (self.server, self.port)
        options = b"" if stamp is None else struct.pack(">BBBBII", 1, 1, 8, 10, stamp, 0)
        tcp = struct.pack(">HHIIBBHHH", *ports, 1000 + seq, 1000 + ack,
                          5 + len(options) // 4 << 4, flags, 500, 0, 0) + options + b"x" * size
        ends = [b"\x0a\0\0\1", b"\x0a\0\0\2"]
        head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(tcp), self.identification, 0, 64, 6, 0)
        frame = b"\2\0\0\0\0\2\2\0\0\0\0\1\x08\0" + head + ends[sender] + ends[1 - sender] + tcp
        self.frames.append((self.at, frame))
        return self

    def shake_hands(self):
        return self.say(0, SYN, -1, 0).say(1, SYN | ACK, -1, 0).say(0, ACK, 0, 0)

    def close(self, seq=0):
        self.say(0, FIN | ACK, seq, 0).say(1, FIN | ACK, 0, seq + 1)
        return self.say(0, ACK, seq + 1, 1)

    def again(self, after):
        """Adds the same frame again, as a copy and not as a retransmission."""
        at, frame = self.frames[-1]
        self.frames.append((at + after, frame))
        return self


def pcap(frames, snap=WHOLE):
    content = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, snap, 1)
    for at, frame in frames:
        kept = frame[:snap]
        content += struct.pack("<IIII", at // 10**6, at % 10**6, len(kept), len(frame)) + kept
    return content


class Explained(unittest.TestCase):
    environment = {}

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_it(self, *arguments, given=None):
        return subprocess.run([TCPLAB, "explain", *map(str, arguments)], capture_output=True,
                              input=given, check=False, timeout=300,
                              env={**os.environ, "LC_ALL": "C.UTF-8", **self.environment})

    def tell(self, frames, *options, snap=WHOLE):
        file = self.folder / "yours.pcap"
        file.write_bytes(pcap(frames, snap))
        done = self.run_it(file, *options)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode()

    def words(self, frames, *options, snap=WHOLE):
        return re.sub(r"\s+", " ", self.tell(frames, *options, snap=snap))
