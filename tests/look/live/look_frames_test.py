#!/usr/bin/env python3
"""Looks at threads that wait in a TCP call, in programs that nobody prepared: the functions of
Python, and those of C."""
import os
import re
import shutil
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import lab
import pythons
import schemas

# The client talks to its own listener, which never answers. Line numbers are those of WAITS.
CLIENT = """\
import socket, sys, threading

class Client:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))

    def fetch(self):
        return self.socket.recv(100)

def größe(client):
    return client.fetch()

def business(client):
    for _ in range(2):
        größe(
            client,
        )

def main():
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    first, second = Client(port), Client(port)
    thread = threading.Thread(target=lambda: business(second))
    thread.start()
    print(thread.native_id, flush=True)
    business(first)

main()
"""
# PEP 657: from 3.11 on, names have their class.
WAITS = ["fetch:8", "größe:11", "business:15"]
MAIN = [*WAITS, "main:26", "<module>:28"]
THREAD = [*WAITS, "<lambda>:23"]

# A program of C whose business() waits for data that nobody sends. It comes with before() and
# business().
CONNECTED = """\
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#define APART __attribute__((noinline))

%s

int main(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  bind(listener, (void *)&address, sizeof address);
  listen(listener, 1);
  getsockname(listener, (void *)&address, &size);
  int client = socket(AF_INET, SOCK_STREAM, 0);
  connect(client, (void *)&address, size);
  int got = before(client, accept(listener, 0, 0));
  puts("0");
  fflush(stdout);
  return got + business(client);
}
"""
FIVE = CONNECTED % """\
APART static int before(int client, int server) { return client + server; }

APART static int receive(int fd, char *into) { return (int)recv(fd, into, 10, 0) + 1; }

APART static int fetch(int fd) {
  char answer[100];
  memset(answer, fd, sizeof answer);
  return receive(fd, answer) + answer[3];
}

APART static int order(int fd) { return fetch(fd) + 2; }

APART static int business(int fd) {
  volatile int sized[fd];  // its function needs a frame pointer
  sized[0] = order(fd);
  return sized[0] + 1;
}
"""
# Below the frame of business() are those of an earlier call, which is over.
STALE = CONNECTED % """\
APART static int receive(int fd, int size) {
  char answer[8192];
  int got = (int)recv(fd, answer, size, 0);
  __asm__ volatile("" : : "r"(answer) : "memory");
  return got + 1;
}

APART static int earlier(int fd, int size) {
  volatile char room[600];
  room[0] = 1;
  return receive(fd, size) + room[0];
}

APART static int before(int client, int server) {
  send(server, "x", 1, 0);
  return earlier(client, 1) + 1;
}

APART static int business(int fd) { return receive(fd, 1) + 1; }
"""
# The main thread waits in accept, the other in recv. Line numbers are those of a test.
TWO_WAITS = """\
import socket, threading

listener = socket.create_server(("127.0.0.1", 0))

def worker():
    socket.create_connection(listener.getsockname()).recv(10)

def serve():
    other = socket.create_server(("127.0.0.1", 0))
    other.accept()

thread = threading.Thread(target=worker, daemon=True)
thread.start()
print(thread.native_id, flush=True)
serve()
"""


class Waiting:
    """A program that writes a line, and then waits in recv(2). Its threads, looked at."""

    def __init__(self, *command, threads=1):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.other = int(self.process.stdout.readline())
        self.threads = {}
        lab.wait_for(lambda: self.look() >= threads)

    def look(self):
        done = subprocess.run([lab.TCPLAB, "look", str(self.process.pid), "--json"], text=True,
                              capture_output=True, check=False, timeout=120)
        looked = schemas.checked(done.stdout)["processes"][0]
        self.runtime = looked.get("runtime")
        self.threads = {each["tid"]: each.get("frames", []) for each in looked["threads"]
                        if each.get("call") == "recvfrom" and each.get("frames")}
        return len(self.threads)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def short(frame):
    """Makes "fetch:8" of "Client.fetch (/tmp/x/client.py:8)"."""
    found = re.fullmatch(r"(?:.*\.)?([^.]+) \(.*:(\d+)\)", frame)
    return f"{found[1]}:{found[2]}" if found else frame


class Python(unittest.TestCase):
    def test_each_thread_has_the_frames_of_its_python(self):
        with lab.Folder() as folder:
            client = folder / "client.py"
            client.write_text(CLIENT, encoding="utf-8")
            for version, programs in sorted(pythons.found().items()):
                for program in programs:
                    with self.subTest(program=program), Waiting(program, client, threads=2) as it:
                        self.assertEqual(it.runtime, f"Python {version}")
                        frames = [short(frame) for frame in it.threads[it.process.pid]]
                        self.assertEqual(frames, MAIN)
                        frames = [short(frame) for frame in it.threads[it.other]]
                        self.assertEqual(frames[:4], THREAD)
                        self.assertIn(str(client), it.threads[it.process.pid][0])

    @unittest.skipIf(os.geteuid() != 0, "needs root for a PID namespace")
    def test_in_a_container_each_thread_has_its_own_frames(self):
        """The first process of a PID namespace is number 1, and small numbers are everywhere."""
        with lab.Folder() as folder:
            (folder / "two.py").write_text(TWO_WAITS, encoding="utf-8")
            for program in sum(pythons.found().values(), []):
                with self.subTest(program=program), \
                        subprocess.Popen(["unshare", "-pf", "--mount-proc", "--kill-child", program,
                                          folder / "two.py"], stdout=subprocess.PIPE) as process:
                    self.addCleanup(process.kill)
                    process.stdout.readline()
                    waits = {}

                    def look():
                        done = subprocess.run([lab.TCPLAB, "look", str(process.pid), "--json"],
                                              text=True, capture_output=True, check=False)
                        for looked in schemas.checked(done.stdout)["processes"]:
                            waits.update((each["call"], short(each["frames"][0]))
                                         for each in looked["threads"] if each.get("frames"))
                        return len(waits) == 2

                    lab.wait_for(look)
                    process.kill()
                accept = next(call for call in waits if call.startswith("accept"))
                self.assertRegex(waits[accept], r"^accept:\d+$")  # of socket.py
                self.assertEqual(waits["recvfrom"], "worker:6")

    def test_the_text_has_the_frames_below_the_answer(self):
        with lab.Folder() as folder:
            client = folder / "client.py"
            client.write_text(CLIENT, encoding="utf-8")
            with Waiting("/usr/bin/python3", client, threads=2) as it:
                done = subprocess.run([lab.TCPLAB, "look", str(it.process.pid)], text=True,
                                      capture_output=True, check=False, timeout=120)
        self.assertRegex(done.stdout, r"(?m)^\d+  /usr/bin/python3 .*  Python 3\.\d+$")
        self.assertRegex(done.stdout, rf"(?m)^      at größe \({re.escape(str(client))}:11\)$")


@unittest.skipUnless(shutil.which("cc"), "needs a C compiler")
class Native(unittest.TestCase):
    def test_the_frames_of_an_earlier_call_are_not_shown(self):
        for level in ("-O0", "-O1", "-O2"):
            with self.subTest(level):
                frames = self.frames(level, source=STALE)
                self.assertFalse([frame for frame in frames if "earlier" in frame], frames)
                self.assertTrue(frames[1].startswith("receive"), frames)

    def frames(self, *flags, source=FIVE):
        with lab.Folder() as folder:
            (folder / "five.c").write_text(source, encoding="utf-8")
            subprocess.run(["cc", *flags, "-o", "five", "five.c"], check=True, cwd=folder)
            with Waiting(folder / "five") as it:
                return it.threads[it.process.pid]

    def check(self, *flags):
        frames = self.frames(*flags)
        names = [re.split(r"[+ ]", frame)[0] for frame in frames]
        self.assertEqual(names[1:6], ["receive", "fetch", "order", "business", "main"], frames)
        return frames

    def test_functions_that_keep_a_frame_pointer(self):
        self.assertRegex(self.check("-O0", "-g")[2], r"^fetch \(five, .*/five\.c:15\)$")

    def test_functions_that_keep_none(self):
        """The frame of business() has an array of variable size: there it ends."""
        names = [re.split(r"[+ ]", frame)[0] for frame in self.frames("-O2", "-g")]
        self.assertEqual(names[1:], ["receive", "fetch", "order", "business"])

    def test_a_static_program(self):
        self.check("-O0", "-static")

    def test_a_stripped_program_has_addresses(self):
        frames = self.frames("-O0", "-s")
        self.assertGreaterEqual(len(frames), 2, frames)
        self.assertRegex(frames[1], r"^0x[0-9a-f]+ \(five\)$")


# Nobody answers: the server only accepts.
NODE = """\
const http = require('http');
const net = require('net');
const server = net.createServer(() => {}).listen(0, '127.0.0.1', () => {
  http.get({host: '127.0.0.1', port: server.address().port, path: '/orders?secret=1'});
  console.log(0);
});
"""


@unittest.skipUnless(shutil.which("node"), "needs node")
class Node(unittest.TestCase):
    def test_an_idle_event_loop_says_which_object_waits(self):
        with lab.Folder() as folder:
            (folder / "client.js").write_text(NODE, encoding="utf-8")
            process = subprocess.Popen(["node", folder / "client.js"], stdout=subprocess.PIPE)
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)
            self.addCleanup(process.stdout.close)
            process.stdout.readline()
            seen = ""

            def look():
                nonlocal seen
                done = subprocess.run([lab.TCPLAB, "look", str(process.pid)], text=True,
                                      capture_output=True, check=False, timeout=120)
                seen = done.stdout + done.stderr
                return "for ClientRequest" in seen

            lab.wait_for(look)
            self.assertRegex(seen, rf"(?m)^{process.pid}  .*  Node \d+$")
            self.assertRegex(seen, r"(?m)^    for ClientRequest GET http://127.0.0.1/orders$")
            self.assertNotIn("secret", seen)


if __name__ == "__main__":
    lab.main()
