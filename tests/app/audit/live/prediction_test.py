#!/usr/bin/env python3
"""Compares what `tcplab audit` says after 15 s will end a wait, with what ends it in 3 h. Both
audits are on kernel hosts, where hours take seconds. It takes half an hour or more."""
import shlex
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import guests
import lab
import schemas
from audits import SERVER, Audit

FAILURES = ("power-off", "power-cycle", "frozen", "unplugged", "cut-to-server", "cut-to-client",
            "zero-window", "half-close")
# A wait that ends has one of these reasons in the long run; the time is in seconds after the
# failure. LATE is how late the kernel's timers may be: kernel/time/timer.c.
LATE = 1.125
# The predicted words, the reason in the long run, the least and the most seconds.
SERVER_RETRANSMITS = ("the server still retransmits; it gives up by its kernel default: "
                      "tcp_retries2 = 15, about 16 min, and the client does not see that")
ENDS = [
    (SERVER_RETRANSMITS + "; keepalive with the kernel's times, 7200/75/9 would end it",
     "keepalive with the kernel's times", 7200, 7875 * LATE),
    (SERVER_RETRANSMITS + "; keepalive 15/5/3 set by the program would end it",
     "keepalive 15/5/3", 14, 30 * LATE),
    (SERVER_RETRANSMITS + "; keepalive 60/60/9 set by the program would end it",
     "keepalive 60/60/9", 60, 600 * LATE),
    ("still retransmitting the SYN; the first of these ends it: TCP_USER_TIMEOUT of 60 s",
     "TCP_USER_TIMEOUT of 60 s", 60, 140),
    ("the peer's window is closed; TCP_USER_TIMEOUT of 60 s", "TCP_USER_TIMEOUT of 60 s", 60,
     140),
    # redis-cli and curl
    ("keepalive 15/5/3 set by the program would end it", "keepalive 15/5/3", 14, 30 * LATE),
    ("keepalive 60/60/9 set by the program would end it", "keepalive 60/60/9", 60, 600 * LATE),
    ("still retransmitting the SYN; kernel default: tcp_syn_retries",
     "kernel default: tcp_syn_retries", 120, 140 * LATE),
    ("still retransmitting; kernel default: tcp_retries2", "kernel default: tcp_retries2", 924,
     1000 * LATE),
    ("still retransmitting; TCP_USER_TIMEOUT of 60 s", "TCP_USER_TIMEOUT of 60 s", 60, 120),
    ("keepalive with the kernel's times, 7200/75/9, with the TCP_USER_TIMEOUT",
     "keepalive with the kernel's times", 7200, 7300 * LATE),
    ("keepalive with the kernel's times, 7200/75/9 would end it",
     "keepalive with the kernel's times", 7200, 7875 * LATE),
]
# What never ends has the same words after 3 h, or these.
STAYS = {
    "the peer's kernel answers, so no timer of TCP ends it": None,
    "the peer's window is closed, and its kernel answers the probes": None,
    "nothing would ever end this": None,
    "only a timer of the program would end it": None,
    # The server gives up, and what is left ends never.
    "the server still retransmits": "nothing would ever end this",
}
MAY_END_BEFORE = "a timer of the program may"

PYTHON = """
import socket, sys
server = socket.create_connection((sys.argv[1], 7000))
{}
server.sendall(b"hello\\n")
print(server.makefile().readline(), end="")
"""
C = """
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>
int main(int count, char** arguments) {
  struct addrinfo* found;
  if (count < 2 || getaddrinfo(arguments[1], "7000", 0, &found) != 0) return 2;
  int fd = socket(found->ai_family, SOCK_STREAM, 0), value = 0;
  (void)value;
  {}
  char text[99];
  if (connect(fd, found->ai_addr, found->ai_addrlen) != 0) { perror("connect"); return 1; }
  if (write(fd, "hello\\n", 6) != 6) { perror("write"); return 1; }
  ssize_t size = read(fd, text, sizeof text);
  if (size <= 0) { perror("read"); return 1; }
  return write(1, text, size) != size;
}
"""


class LongAudit(Audit):
    timeout = 1800


def python(out, setting=""):
    (out / "client.py").write_text(PYTHON.replace("{}", setting))
    return ["python3", str(out / "client.py"), "SERVER"]


def c(out, level="", option="", value=0):
    if not shutil.which("gcc"):
        raise unittest.SkipTest("gcc is not installed")
    setting = f"value = {value}; setsockopt(fd, {level}, {option}, &value, sizeof value);"
    (out / "client.c").write_text(C.replace("{}", setting if option else ""))
    subprocess.run(["gcc", "-o", out / "client", out / "client.c"], check=True)
    return [str(out / "client"), "SERVER"]


def line_server(out):
    (out / "server.py").write_text(SERVER)
    return f"python3 {shlex.quote(str(out))}/server.py 1"


def prediction_of(words):
    """Returns what the words predict: (reason, least, most) or None if it never ends."""
    for predicted, reason, least, most in ENDS:
        if words.startswith(predicted):
            return reason, least, most
    return None


@guests.needs_kernel
class Predictions(unittest.TestCase):
    def cells(self, audit, file):
        self.assertEqual(audit.status, 0, audit.said())
        cells = schemas.checked((audit.out / file).read_text())["cells"]
        return {f"{cell['side']}.{cell['failure']}.{cell['moment']}": cell for cell in cells
                if cell.get("failure") and cell["side"] != "client" and "outcome" in cell}

    def compare(self, client, server=line_server, port="7000", before=()):
        with lab.Folder() as out:
            out = Path(out)
            pair = [*before, "--server", server(out), "--port", port, "--", *client(out)]
            failures = [word for name in FAILURES for word in ("--failure", name)]
            short = self.cells(LongAudit(out, "--kernel", "6.1", "--limit", "15s", "--out", "short",
                                         "--json", "short.json", *failures, *pair), "short.json")
            hang = {name: cell for name, cell in short.items() if cell["outcome"] == "hangs"}
            self.assertTrue(hang, "no cell hangs, so nothing is predicted")
            chosen = [word for kind, at in (("--failure", 1), ("--moment", 2))
                      for name in sorted({name.split(".")[at] for name in hang})
                      for word in (kind, name)]
            long = self.cells(LongAudit(out, "--kernel", "6.1", "--limit", "3h", "--out", "long",
                                        "--json", "long.json", *chosen, *pair), "long.json")
            for name, cell in hang.items():
                with self.subTest(name, words=cell.get("why")):
                    self.check(cell, long[name])

    def check(self, short, long):
        words = short["why"]
        prediction = prediction_of(words)
        if prediction and long["outcome"] != "hangs":
            reason, least, most = prediction
            if MAY_END_BEFORE in words and "own timer" in long.get("why", ""):
                return
            self.assertEqual(long["outcome"], "error", long)
            self.assertIn(reason, long["why"])
            took = long["noticed"]["after"] / 1e9
            self.assertTrue(least <= took <= most, (took, prediction))
            return
        self.assertIsNone(prediction, f"it still hangs after 3 h: {long.get('why')}")
        if MAY_END_BEFORE in words and long["outcome"] != "hangs":
            self.assertIn("own timer", long["why"])
            return
        found = [key for key in STAYS if words.startswith(key)]
        self.assertEqual(len(found), 1, f"words without a prediction: {words}")
        self.assertEqual(long["outcome"], "hangs", long)
        self.assertTrue(long["why"].startswith(STAYS[found[0]] or found[0]), long["why"])

    def test_python(self):
        self.compare(python)

    def test_python_with_keepalive(self):
        self.compare(lambda out: python(out, "server.setsockopt(socket.SOL_SOCKET, "
                                             "socket.SO_KEEPALIVE, 1)"))

    def test_python_with_a_user_timeout(self):
        self.compare(lambda out: python(out, "server.setsockopt(socket.IPPROTO_TCP, "
                                             "socket.TCP_USER_TIMEOUT, 60000)"))

    def test_c(self):
        self.compare(c)

    def test_c_with_keepalive(self):
        self.compare(lambda out: c(out, "SOL_SOCKET", "SO_KEEPALIVE", 1))

    def test_c_with_a_user_timeout(self):
        self.compare(lambda out: c(out, "IPPROTO_TCP", "TCP_USER_TIMEOUT", 60000))

    def test_nc(self):
        if not shutil.which("nc"):
            self.skipTest("nc is not installed")
        self.compare(lambda out: ["nc", "SERVER", "7000"], before=("--type", "hello"))

    def test_curl(self):
        if not shutil.which("curl"):
            self.skipTest("curl is not installed")
        self.compare(lambda out: ["curl", "-sS", "http://SERVER:7000/"], port="7000",
                     server=lambda out: "python3 -m http.server 7000 -d /usr/share/common-licenses")

    def test_redis_cli(self):
        if not shutil.which("redis-server"):
            self.skipTest("redis-server is not installed")
        self.compare(lambda out: ["redis-cli", "-h", "SERVER", "blpop", "queue", "0"],
                     server=lambda out: "redis-server --protected-mode no", port="6379")


if __name__ == "__main__":
    lab.main()
