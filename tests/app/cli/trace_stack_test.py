#!/usr/bin/env python3
"""Checks `tcplab trace --stack`: where in a program a call failed."""
import json
import platform
import re
import shutil
import subprocess
import sys
import unittest

import lab
import pythons

# Refused: the port is bound, and nobody listens.
DIALER = """\
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>

static struct sockaddr_in address = {.sin_family = AF_INET};

__attribute__((noinline)) static int reach_server(void) {
  int client = socket(AF_INET, SOCK_STREAM, 0);
  int refused = connect(client, (struct sockaddr*)&address, sizeof address);
  return refused + shutdown(client, SHUT_RDWR);
}

__attribute__((noinline)) static void* in_thread(void* argument) {
  reach_server();  // in the thread
  return argument;
}

int main(void) {
  socklen_t size = sizeof address;
  int owner = socket(AF_INET, SOCK_STREAM, 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  bind(owner, (struct sockaddr*)&address, size);
  getsockname(owner, (struct sockaddr*)&address, &size);
  reach_server();  // in main
  pthread_t thread;
  pthread_create(&thread, 0, in_thread, 0);
  return pthread_join(thread, 0);
}
"""

# A compiler at run time: its function calls reach_server(). It writes a perf map, as Node does.
COMPILED = """\
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

__attribute__((noinline)) int reach_server(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int owner = socket(AF_INET, SOCK_STREAM, 0);
  bind(owner, (struct sockaddr*)&address, size);
  getsockname(owner, (struct sockaddr*)&address, &size);
  return connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr*)&address, size) + 1;
}

int main(void) {
  /* push rbp; mov rbp, rsp; call rdi; pop rbp; ret */
  static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};
  int rights = PROT_READ | PROT_WRITE | PROT_EXEC;
  void* place = mmap(0, 4096, rights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(place, code, sizeof code);
  char path[64];
  snprintf(path, sizeof path, "/tmp/perf-%d.map", getpid());
  FILE* map = fopen(path, "w");
  fprintf(map, "%lx %zx JS:*order /srv/shop.js:7\\n", (unsigned long)place, sizeof code);
  fclose(map);
  return ((int (*)(int (*)(void)))place)(reach_server);
}
"""


def line_of(text):
    return next(number for number, line in enumerate(DIALER.splitlines(), 1) if text in line)


def trace(command, *options):
    return subprocess.run([lab.TCPLAB, "trace", *options, "--", *command], capture_output=True,
                          text=True, check=False, timeout=300)


def failures(done):
    """Returns the failing calls of a JSON trace on standard error."""
    events = [json.loads(line) for line in done.stderr.splitlines()]
    return [event for event in events if event.get("result") == -1]


@unittest.skipUnless(shutil.which("cc"), "needs a C compiler")
class Stack(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = lab.Folder()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = lab.Path(folder.name)
        (cls.folder / "dialer.c").write_text(DIALER, encoding="utf-8")

    def build(self, *flags):
        subprocess.run(["cc", "-O1", "-pthread", *flags, "-o", "dialer", "dialer.c"], check=True,
                       cwd=self.folder)
        return [self.folder / "dialer"]

    def test_a_frame_has_function_module_file_and_line(self):
        done = trace(self.build("-g"), "--format", "json", "--stack", "ECONNREFUSED")
        refused, in_thread = [one for one in failures(done) if one["errno"] == "ECONNREFUSED"]
        stack = refused["stack"]
        place = f"{self.folder}/dialer.c"
        self.assertRegex(stack[0], r"^_*connect(\+0x[0-9a-f]+)? \(libc\.so\.6")
        self.assertEqual(stack[1:3], [f"reach_server (dialer, {place}:{line_of('= connect')})",
                                      f"main (dialer, {place}:{line_of('in main')})"])
        self.assertRegex(stack[-1], r"^_start")
        self.assertIn(f"in_thread (dialer, {place}:{line_of('in the thread')})",
                      in_thread["stack"])
        self.assertEqual(done.returncode, 0)

    def test_only_the_chosen_errors_have_a_stack(self):
        program = self.build("-g")
        found = failures(trace(program, "--format", "json", "--stack", "ENOTCONN"))
        self.assertEqual({one["errno"]: "stack" in one for one in found},
                         {"ECONNREFUSED": False, "ENOTCONN": True})
        found = failures(trace(program, "--format", "json", "--stack", "any"))
        self.assertEqual([len(one["stack"]) > 2 for one in found], [True] * 4)
        found = failures(trace(program, "--format", "json"))
        self.assertEqual(["stack" in one for one in found], [False] * 4)

    def test_quiet_leaves_only_the_calls_with_a_stack(self):
        program = self.build("-g")
        done = trace(program, "-q", "--stack", "ECONNREFUSED", "--summary")
        calls = [line for line in done.stderr.splitlines() if re.search(r"\] [a-z]+\(", line)]
        self.assertEqual(len(calls), 2, done.stderr)  # in main, and in the thread
        for call in calls:
            self.assertIn("ECONNREFUSED", call)
        self.assertRegex(done.stderr, r"(?m)^    at reach_server \(dialer, .*dialer\.c:\d+\)$")
        self.assertIn("  error    shutdown: ENOTCONN", done.stderr)
        found = failures(trace(program, "-q", "--format", "json", "--stack", "ENOTCONN"))
        self.assertEqual({one["errno"] for one in found}, {"ENOTCONN"})

    def test_the_text_has_the_stack_below_the_call(self):
        lines = trace(self.build("-g"), "--stack", "ECONNREFUSED").stderr.splitlines()
        at = next(at for at, line in enumerate(lines) if "ECONNREFUSED" in line)
        self.assertRegex(lines[at + 2], r"^    at reach_server \(dialer, .*dialer\.c:\d+\)$")
        after = next(line for line in lines[at + 1:] if not line.startswith("    at "))
        self.assertIn("ENOTCONN", after)

    def test_a_frame_without_debug_information_has_an_offset(self):
        refused = failures(trace(self.build(), "-f", "json", "--stack", "any"))[0]
        self.assertRegex(refused["stack"][1], r"^reach_server\+0x[0-9a-f]+ \(dialer\)$")
        refused = failures(trace(self.build("-s"), "-f", "json", "--stack", "any"))[0]
        self.assertRegex(refused["stack"][1], r"^0x[0-9a-f]+ \(dialer\)$")

    def test_a_static_program_has_stacks(self):
        refused = failures(trace(self.build("-g", "-static"), "-f", "json", "--stack", "any"))[0]
        self.assertRegex("\n".join(refused["stack"]), r"(?m)^reach_server .*\n^main ")

    def test_every_line_of_a_long_trace_is_there_in_order(self):
        client = ("import socket\nowner = socket.socket(); owner.bind(('127.0.0.1', 0))\n"
                  "for i in range(300):\n"
                  "  with socket.socket() as one: one.connect_ex(owner.getsockname())\n")
        done = trace([sys.executable, "-c", client], "-f", "json", "--stack", "any")
        calls = [json.loads(line) for line in done.stderr.splitlines()]
        returned = [call["id"] for call in calls if call["phase"] == "return"]
        self.assertEqual(returned, sorted(returned))
        self.assertEqual([len(one["stack"]) > 5 for one in failures(done)], [True] * 300)

    @unittest.skipUnless(platform.machine() == "x86_64", "has machine code for x86-64")
    def test_code_that_was_compiled_at_run_time_has_its_name_in_the_perf_map(self):
        (self.folder / "compiled.c").write_text(COMPILED, encoding="utf-8")
        subprocess.run(["cc", "-O1", "-o", "compiled", "compiled.c"], check=True, cwd=self.folder)
        done = trace([self.folder / "compiled"], "--format", "json", "--stack", "ECONNREFUSED")
        failed = failures(done)[0]
        lab.Path(f"/tmp/perf-{failed['pid']}.map").unlink()
        stack = failed["stack"]
        names = [re.split(r"[+ ]", frame)[0] for frame in stack]
        self.assertEqual(names[1:4], ["reach_server", "JS:*order", "main"], stack)
        self.assertEqual(stack[2], "JS:*order /srv/shop.js:7 (perf map)")

    def test_an_unknown_errno_gets_one_line(self):
        done = trace(["true"], "--stack", "ERESET")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"^tcplab: --stack: 'ERESET' is neither .*errno\(3\)\n$")



# Its calls fail in five functions of Python. Line numbers are those of FAILING.
SHOP = """\
import errno, socket, struct

class Shop:
    def connect(self):
        socket.socket().connect(("127.0.0.1", self.refusing))

    def order(self, call):
        try:
            call()
        except OSError:
            pass

def reset(server, client):
    server.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    server.close()

def pair(listener):
    client = socket.create_connection(listener.getsockname())
    reset(listener.accept()[0], client)
    return client

def business(shop, listener):
    shop.order(shop.connect)
    client = pair(listener)
    shop.order(lambda: client.recv(1))
    shop.order(lambda: client.sendall(b"x"))

def main():
    bound = socket.socket()
    bound.bind(("127.0.0.1", 0))
    shop = Shop()
    shop.refusing = bound.getsockname()[1]
    business(shop, socket.create_server(("127.0.0.1", 0)))

main()
"""
FAILING = {
    "connect": ["connect:5", "order:9", "business:23", "main:33", "<module>:35"],
    "recvfrom": ["<lambda>:25", "order:9", "business:25", "main:33", "<module>:35"],
    "sendto": ["<lambda>:26", "order:9", "business:26", "main:33", "<module>:35"],
}


class PythonStack(unittest.TestCase):
    def test_a_call_that_fails_has_the_functions_of_python(self):
        with lab.Folder() as folder:
            (folder / "shop.py").write_text(SHOP, encoding="utf-8")
            for program in sum(pythons.found().values(), []):
                with self.subTest(program=program):
                    done = trace([program, folder / "shop.py"], "--format", "json", "--stack",
                                 "ECONNREFUSED", "--stack", "ECONNRESET", "--stack", "EPIPE")
                    stacks = {each["call"]: each["stack"] for each in failures(done)
                              if "stack" in each}
                    self.assertEqual(set(stacks), set(FAILING), done.stderr)
                    for call, expected in FAILING.items():
                        self.check(stacks[call], expected)

    def check(self, stack, expected):
        """The innermost frame is native, and those of the interpreter are not there."""
        self.assertRegex(stack[0], r"(connect|recv|send)")
        self.assertFalse([frame for frame in stack if "_PyEval_EvalFrame" in frame], stack)
        python = [re.sub(r"^(?:.*\.)?([^.]+) \(.*/shop\.py:(\d+)\)$", r"\1:\2", frame)
                  for frame in stack if "shop.py" in frame]
        self.assertEqual(python, expected, stack)

if __name__ == "__main__":
    lab.main()
