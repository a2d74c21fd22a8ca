#!/usr/bin/env python3
"""Traces real programs with `tcplab trace`, and compares what it says with strace."""
import json
import platform
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
import lab
import refusal
from traced import CONNECTED, deliver, events, python, returns, trace

# A client and a server in one thread, with most of the calls that are traced.
TALK = """
import select, socket, struct
listener = socket.socket(); listener.bind(("127.0.0.1", 0)); listener.listen(1)
client = socket.socket(); client.setblocking(False)
client.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
client.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 3000)
try: client.connect(listener.getsockname())
except BlockingIOError: pass
server, _ = listener.accept()
poll = select.poll(); poll.register(client, select.POLLOUT); poll.poll(1000)
client.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
try: client.recv(10)
except BlockingIOError: pass
server.sendall(b"hello"); select.select([client], [], [], 1); client.recv(100)
epoll = select.epoll(); epoll.register(server, select.EPOLLIN)
client.sendmsg([b"to", b"gether"]); epoll.poll(1); server.recvmsg(100)
client.shutdown(socket.SHUT_WR); server.recv(10)
server.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)); server.close()
poll.modify(client, select.POLLIN); poll.poll(1000)
try: client.recv(10)
except ConnectionResetError: pass
copy = client.dup(); client.close(); copy.close()
refused = socket.socket(); address = listener.getsockname(); listener.close()
try: refused.connect(address)
except ConnectionRefusedError: pass
"""

# Two children connect. Exit status 0 only if their calls and the parent's flags are as usual.
HIDES = """
#define _GNU_SOURCE
#include <errno.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static int connects(struct sockaddr_in* address) {
  int client = socket(AF_INET, SOCK_STREAM, 0);
  return connect(client, (struct sockaddr*)address, sizeof *address) == -1 &&
         errno == ECONNREFUSED ? 0 : errno;
}
int main(void) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t size = sizeof address;
  int owner = socket(AF_INET, SOCK_STREAM, 0), status;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  bind(owner, (struct sockaddr*)&address, size);
  getsockname(owner, (struct sockaddr*)&address, &size);
  struct clone_args arguments = {.flags = CLONE_UNTRACED, .exit_signal = SIGCHLD};
  for (int newer = 0; newer < 2; ++newer) {
    long child = newer ? syscall(SYS_clone3, &arguments, sizeof arguments)
                       : syscall(SYS_clone, CLONE_UNTRACED | SIGCHLD, 0, 0, 0, 0);
    if (child == 0) _exit(connects(&address));
    if (waitpid(child, &status, 0) != child || status != 0) return 1;
  }
  return arguments.flags == CLONE_UNTRACED ? 0 : 2;
}
"""

def strace_calls(command):
    """Returns (call, result, errno) of each call that strace shows on a TCP socket."""
    with lab.Folder() as folder:
        subprocess.run(["strace", "-yy", "-s", "0", "-o", folder / "strace", *command],
                       check=True, timeout=300)
        text = (folder / "strace").read_text(encoding="utf-8")
    calls = []
    for line in text.splitlines():
        match = re.match(r"(\w+)\((.*)\) += (-?\d+)\S*(?: (E\w+))?", line)
        if match is None:
            continue
        call, arguments, result, error = match.groups()
        is_socket = call == "socket" and "SOCK_STREAM" in arguments and "AF_INET" in arguments
        if is_socket or "<TCP:" in arguments or call in ("epoll_wait", "poll"):
            calls.append((call, int(result), error))
    return calls


class Trace(unittest.TestCase):
    maxDiff = None

    @unittest.skipUnless(shutil.which("strace"), "needs strace")
    def test_agrees_with_strace_on_every_call(self):
        found, done = events(python(TALK))
        self.assertEqual(done.returncode, 0, done.stderr)
        ours = [(event["call"], event["result"], event.get("errno")) for event in returns(found)]
        witness = [one for one in strace_calls(python(TALK))
                   if one[0] not in ("getsockname", "getpeername", "fstat", "lseek")]
        self.assertEqual(ours, witness)
        self.assertIn(("recvfrom", -1, "ECONNRESET"), ours)

    def test_every_call_on_a_connection_names_both_ends(self):
        found, _ = events(python(TALK))
        sent = returns(found, "sendto")[0]
        received = returns(found, "recvmsg")[0]
        self.assertEqual((sent["local"], sent["remote"]), (received["local"], received["remote"]))
        self.assertEqual(returns(found, "recvfrom")[1]["data"], "hello")
        self.assertEqual(returns(found, "epoll_wait")[0]["ready"][0]["events"], "IN")

    def test_a_range_of_descriptors_is_closed_as_one_call(self):
        closing = ("import ctypes, socket\n"
                   "a = socket.create_server(('127.0.0.1', 0)); b = socket.create_connection("
                   "a.getsockname()); libc = ctypes.CDLL(None)\n"
                   "libc.close_range(b.fileno(), b.fileno(), 0)\n"
                   "libc.close_range(a.fileno(), ctypes.c_uint(-1), 4)\n"  # CLOSE_RANGE_CLOEXEC
                   "c = socket.create_connection(a.getsockname())\n"
                   "libc.close_range(3, ctypes.c_uint(-1), 0); import os; os._exit(0)")
        found, done = events(python(closing))
        self.assertEqual(done.returncode, 0, done.stderr)
        one, several = returns(found, "close_range")
        self.assertEqual((one["result"], one["args"]),
                         (0, f"{{fd {one['fd']}}}, {one['fd']} to {one['fd']}"))
        self.assertIn("remote", one)
        self.assertRegex(several["args"], r"^\{fd \d+\} \{fd \d+\}, 3 to 4294967295$")

    def test_the_positioned_vectors_without_a_position_are_recorded(self):
        moving = CONNECTED + ("import os; os.pwritev(c.fileno(), [b'hi'], -1, os.RWF_DSYNC); "
                            "os.preadv(b.fileno(), [bytearray(2)], -1, os.RWF_NOWAIT)")
        found, done = events(python(moving))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([(call["call"], call["data"]) for call in returns(found)
                          if call["call"].startswith("p")], [("pwritev2", "hi"), ("preadv2", "hi")])

    def test_a_descriptor_that_changes_its_file_is_noticed(self):
        changing = CONNECTED + """
import os, signal, subprocess
r, w = os.pipe()
def on(descriptor, text): os.write(descriptor, text)
n = os.dup(w); on(n, b"pipe 1"); os.close(n)
n2 = os.dup(b.fileno()); assert n2 == n; on(n, b"socket 1")
os.dup2(w, n); on(n, b"pipe 2"); os.dup2(b.fileno(), n); on(n, b"socket 2")
os.closerange(n, n + 1); n2 = os.dup(w); assert n2 == n; on(n, b"pipe 3")
os.dup2(b.fileno(), n, inheritable=True)
os.dup2(w, 9, inheritable=False); os.write(9, b"pipe 4"); read, write = os.pipe()
child = f"import os; os.dup2({n}, 9); os.write(9, b'socket 3')"
subprocess.run([sys.executable, "-c", child], pass_fds=[n], check=True)
import ctypes
libc = ctypes.CDLL(None)
stack = ctypes.create_string_buffer(1 << 20)
@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
def shares(_):  # CLONE_FILES and CLONE_VM, in another process
    libc.dup2(b.fileno(), 9); return 0
# CLONE_VFORK: both use the same interpreter, so this process must wait for the other one.
pid = libc.clone(shares, ctypes.c_void_p(ctypes.addressof(stack) + (1 << 20)),
                 0x400 | 0x100 | 0x4000 | signal.SIGCHLD, None)
os.waitpid(pid, 0); os.write(9, b"socket 4")
"""
        found, done = events(python(changing))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([event["data"] for event in returns(found, "write")],
                         ["socket 1", "socket 2", "socket 3", "socket 4"])

    def test_threads_forks_and_what_they_execute_are_followed(self):
        threads = CONNECTED + """
import threading, subprocess
one = threading.Thread(target=lambda: b.send(b"thread")); one.start(); one.join()
child = "import socket, sys; socket.socket(fileno=int(sys.argv[1])).send(b'child')"
subprocess.run([sys.executable, "-c", child, str(b.fileno())], pass_fds=[b.fileno()], check=True)
subprocess.run(["sh", "-c", f"echo shell >&{b.fileno()}"], pass_fds=[b.fileno()], check=True)
"""
        found, done = events(python(threads))
        self.assertEqual(done.returncode, 0, done.stderr)
        sent = {event["data"]: event for event in returns(found)
                if event["call"] in ("sendto", "write")}
        self.assertEqual(set(sent), {"thread", "child", "shell\\n"})
        self.assertIn("tid", sent["thread"])
        self.assertEqual(len({event["pid"] for event in sent.values()}), 3)

    @unittest.skipUnless(shutil.which("cc"), "needs a C compiler")
    def test_children_that_hide_from_tracers_are_followed(self):
        with lab.Folder() as folder:
            (folder / "hides.c").write_text(HIDES, encoding="utf-8")
            subprocess.run(["cc", "-o", "hides", "hides.c"], check=True, cwd=folder)
            for options in [], ["--stop-on", "EPIPE"]:  # with and without a filter
                found, done = events([folder / "hides"], *options)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                connects = returns(found, "connect")
                self.assertEqual([one["errno"] for one in connects], ["ECONNREFUSED"] * 2)
                self.assertEqual(len({one["pid"] for one in connects}), 2)

    def test_the_status_and_the_output_are_the_programs(self):
        self.assertEqual(trace(["sh", "-c", "exit 7"]).returncode, 7)
        self.assertEqual(trace(["sh", "-c", "kill -9 $$"]).returncode, 128 + signal.SIGKILL)
        done = trace(["sh", "-c", "cat; echo out"], input="in\n")
        self.assertEqual(done.stdout, "in\nout\n")
        self.assertEqual(done.stderr, "")

    def test_the_program_has_the_signals_that_it_has_without_a_tracer(self):
        command = ["grep", "^Sig[BIC]", "/proc/self/status"]
        plain = subprocess.run(command, capture_output=True, text=True, check=True)
        self.assertEqual(trace(command).stdout, plain.stdout)

    def test_bad_commands_get_one_line(self):
        for command, words in [(["./no-such-program"], "No such file"), (["/etc"], "cannot run"),
                               ([__file__ + "x"], "cannot run")]:
            done = trace(command)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertRegex(done.stderr, f"^tcplab: .*{words}.*\n$")
        done = subprocess.run([lab.TCPLAB, "trace"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)

    def test_attaching_is_refused_with_the_reason(self):
        done = subprocess.run([lab.TCPLAB, "trace", "-p", "1"], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("would interrupt its blocked calls", done.stderr)

    def test_io_uring_is_refused_or_said_to_be_unseen(self):
        ring = ("import ctypes; libc = ctypes.CDLL(None, use_errno=True); "
                "r = libc.syscall(425, 4, ctypes.create_string_buffer(256)); "
                "print(r if r < 0 else 'ring', ctypes.get_errno())")
        self.assertEqual(trace(python(ring)).stdout, "-1 38\n")  # ENOSYS
        done = trace(python(ring), "--io-uring")
        self.assertIn("calls that are not seen: it uses io_uring(7)", done.stderr)

    @unittest.skipUnless(platform.machine() == "x86_64", "the number of the call is x86-64's")
    def test_calls_are_said_to_be_unseen_where_sockets_cannot_be_looked_at(self):
        done = trace(python(TALK), preexec_fn=refusal.refuse(refusal.PIDFD_GETFD))
        self.assertEqual(done.stderr.count("calls that are not seen"), 1, done.stderr)
        self.assertIn("pidfd_getfd(2) is refused (see tcplab doctor)", done.stderr)

    @unittest.skipUnless(platform.machine() == "x86_64", "only x86-64 has x32")
    def test_x32_code_is_said_to_be_unseen(self):
        done = trace(python("import ctypes; ctypes.CDLL(None).syscall(0x40000000 | 39)"))
        self.assertIn("calls that are not seen: it makes system calls of an ABI that the tracer "
                      "does not know (x32)", done.stderr)

    def test_nothing_is_left_of_a_program_whose_tracer_is_killed(self):
        command = [lab.TCPLAB, "trace", "--", "sh", "-c", "echo $$; exec sleep 600"]
        tracer = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        child = int(tracer.stdout.readline())
        tracer.kill()
        tracer.wait()
        tracer.stdout.close()
        # The kernel kills it (PTRACE_O_EXITKILL).
        lab.wait_for(lambda: not lab.Path(f"/proc/{child}/exe").exists())

    def test_a_signal_ends_the_program_and_the_summary_follows(self):
        waits = ("import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(1);"
                 "c = socket.create_connection(s.getsockname());"
                 "print('now', flush=True); c.recv(1)")
        for signaled, *options in [(signal.SIGTERM, "-q"), (signal.SIGHUP, "--stack", "any")]:
            with subprocess.Popen([lab.TCPLAB, "trace", "--summary", *options, "--",
                                   *python(waits)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True) as traced:
                self.assertEqual(traced.stdout.readline(), "now\n")
                traced.send_signal(signaled)
                said = traced.communicate(timeout=60)[1]
            self.assertEqual(traced.returncode, 128 + signaled, said)
            self.assertIn("  end      still open when the process ended", said)

    def test_a_second_signal_ends_the_trace_of_a_program_that_ignores_it(self):
        ignores = ("import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
                   "print('now', flush=True); time.sleep(600)")
        with subprocess.Popen([lab.TCPLAB, "trace", "-q", "--summary", "--", *python(ignores)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as traced:
            self.assertEqual(traced.stdout.readline(), "now\n")
            deliver(traced, signal.SIGTERM)
            with self.assertRaises(subprocess.TimeoutExpired):
                traced.wait(timeout=0.5)
            traced.send_signal(signal.SIGTERM)
            self.assertIn("no TCP connections", traced.communicate(timeout=60)[1])

    def test_the_date_of_a_note_is_right_without_calls(self):
        refused = ("import socket; s = socket.socket(); s.bind(('127.0.0.1', 0));"
                   "socket.create_connection(s.getsockname())")
        with lab.Folder() as folder:
            done = trace(python(refused), "-q", "--abort-on", "ECONNREFUSED", cwd=folder)
        self.assertRegex(done.stderr, time.strftime("(?m)^%Y-", time.gmtime()))
        self.assertNotIn("1970", done.stderr)

    def test_summary_and_latency_follow_the_calls(self):
        done = trace(python(TALK), "--quiet", "--summary", "--latency")
        self.assertIn("options  SO_KEEPALIVE = 1, TCP_USER_TIMEOUT = 3000", done.stderr)
        self.assertIn("error    recvfrom: ECONNRESET", done.stderr)
        self.assertRegex(done.stderr, r"recvfrom = ECONNRESET, at once: 1 call")


class Help(unittest.TestCase):
    def test_it_names_the_value_of_each_option(self):
        said = subprocess.run([lab.TCPLAB, "trace", "--help"], capture_output=True, text=True,
                              check=True).stdout
        for option in ("--format text|truss|json", "--out FILE", "--stack ERRNO|any",
                       "--waits TIME", "--folded FILE", "--flame FILE.html",
                       "--abort-on ERRNO", "--stop-on ERRNO", "--pid PID"):
            self.assertIn(f"{option}  ", said)


if __name__ == "__main__":
    lab.main()
