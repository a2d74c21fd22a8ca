#!/usr/bin/env python3
"""Checks which octets `tcplab trace` counts of calls whose result is no number of octets, or that
move them in either direction."""
import sys
import unittest

sys.dont_write_bytecode = True
import lab
from traced import python, trace

PAIR = """
import ctypes, os, socket
listener = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(listener.getsockname())
server = listener.accept()[0]
"""
MESSAGES = PAIR + """
class Part(ctypes.Structure):
    _fields_ = [("base", ctypes.c_char_p), ("length", ctypes.c_size_t)]
class Header(ctypes.Structure):
    _fields_ = [("name", ctypes.c_void_p), ("name_length", ctypes.c_uint32),
                ("parts", ctypes.POINTER(Part)), ("count", ctypes.c_size_t),
                ("control", ctypes.c_void_p), ("control_length", ctypes.c_size_t),
                ("flags", ctypes.c_int)]
class Message(ctypes.Structure):
    _fields_ = [("header", Header), ("length", ctypes.c_uint)]
parts = [Part(b"x" * 10, 10), Part(b"y" * 20, 20)]
messages = (Message * 2)(*[Message(Header(parts=ctypes.pointer(each), count=1)) for each in parts])
assert ctypes.CDLL(None).sendmmsg(client.fileno(), messages, 2, 0) == 2
server.settimeout(5)
assert len(server.recv(99)) > 0
"""
SPLICES = PAIR + """
client.sendall(b"hello")
out, into = os.pipe()
splice = ctypes.CDLL(None).splice
assert splice(server.fileno(), None, into, None, 5, 0) == 5
assert splice(out, None, server.fileno(), None, 3, 0) == 3
"""


class Octets(unittest.TestCase):
    def test_of_messages(self):
        done = trace(python(MESSAGES))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"sendmmsg\(\d+, 2 messages\) = 2, 30 bytes")
        self.assertRegex(trace(python(MESSAGES), "--summary").stderr, r"bytes +30 sent, 0 received")

    def test_of_splices(self):
        done = trace(python(SPLICES), "--summary")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"bytes +3 sent, 5 received")


if __name__ == "__main__":
    lab.main()
