#!/usr/bin/env python3
"""Checks option `abort_on` of host:run: the program is aborted at the call that fails, and its
record has both ends of the connection."""
import json
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

CLIENT = """\
import socket, sys
client = socket.create_connection((sys.argv[1], 8080))
client.sendall(b"hello")
print("sent", flush=True)
sys.stdin.readline()
client.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 500)
client.sendall(b"are you there?")
client.recv(100)
print("never", flush=True)
"""
SERVER = """\
import socket, sys
listener = socket.create_server(("", 8080), family=socket.AF_INET6, dualstack_ipv6=True)
print("ready", flush=True)
peer, _ = listener.accept()
peer.recv(5)
print("read", flush=True)
peer.recv(100)
"""
TWO_THREADS = """\
import socket, sys, threading
listener = socket.create_server(("127.0.0.1", 0))
def serve():
    listener.accept()
threading.Thread(target=serve, daemon=True).start()
me = "/proc/self/task"
import os, time
accepts = ("43", "288") if os.uname().machine == "x86_64" else ("202", "242")
def waits():
    return any(open(f"{me}/{one}/syscall").read().split()[0] in accepts
               for one in os.listdir(me) if int(one) != os.getpid())
while not waits():
    time.sleep(0.001)
socket.create_connection((sys.argv[1], 8080))
"""
HANDLER = """\
import os, signal, socket, sys
def end(*_):
    os._exit(7)
signal.signal(signal.SIGABRT, end)
try:
    socket.create_connection((sys.argv[1], 8080))
except ConnectionRefusedError:
    pass
signal.pause()
"""
LINES = """
    local server = kodos:run { "python3", "server.py", name = "server" }
    lab:expect(server):prints "ready"
    local client = kang:run { "python3", "client.py", kodos:address(), name = "client",
                              abort_on = "ETIMEDOUT"%s }
    lab:expect(server):prints "read"
    %s
    client:type "\\n"
    lab:expect(client):within(20):killed_by "SIGABRT"
"""


class Aborts(lab.LinesTest):
    BEFORE = "local kang, kodos = lab:pair()"

    def run_programs(self, options, failure):
        for name, text in (("client.py", CLIENT), ("server.py", SERVER)):
            Path(self.out.name, name).write_text(text, encoding="utf-8")
        return self.run_lines(LINES % (options, failure))

    def record(self, run):
        path, = run.folder.glob("*.tcplab.json")
        record = json.loads(path.read_text(encoding="utf-8"))
        self.assertEqual(path.name, f"kang-client.{record['own_pid']}.tcplab.json")
        return path, record

    def test_the_record_has_both_ends_and_the_last_frames(self):
        run = self.run_programs("", "lab:lose('kang > kodos')")
        path, record = self.record(run)
        failure, (connection,) = record["failure"], record["connections"]
        self.assertEqual([failure["host"], failure["program"], failure["call"], failure["errno"]],
                         ["kang", "client", "recvfrom", "ETIMEDOUT"])
        self.assertIn("client.py:8", "".join(failure["stack"]))
        self.assertTrue(connection["is_forgotten"])
        peer = connection["peer"]
        self.assertEqual([peer["host"], peer["has_power"], peer["can_be_asked"]],
                         ["kodos", True, True])
        self.assertEqual(peer["socket"]["state"], "ESTABLISHED")
        self.assertEqual([peer["socket"]["local"], peer["socket"]["remote"]],
                         [connection["remote"], connection["local"]])
        call, = peer["calls_open"]
        self.assertEqual([call["program"], call["call"], call["args"]],
                         ["server", "recvfrom", "100 bytes"])
        self.check_frames(connection["frames"])
        note = run.events("note")[0]["text"]
        self.assertEqual(note, "kang's client is aborted at recvfrom: ETIMEDOUT; its connections "
                               f"and calls: tcplab look {path}")
        done = subprocess.run([lab.TCPLAB, "look", path], capture_output=True, text=True,
                              check=True, timeout=60)
        text = " ".join(done.stdout.split())
        self.assertIn("its peer, kodos: ESTABLISHED server waits there in recvfrom", text)
        self.assertRegex(text, r"kang > kodos [^>]* length 14 \(lost\)")

    def test_the_core_file_is_in_the_folder_of_the_run(self):
        run = self.run_programs("", "lab:lose('kang > kodos')")
        path, record = self.record(run)
        core, = run.folder.glob("core*")
        self.assertEqual(core.name, f"core.kang-client.{record['own_pid']}")
        self.assertEqual(core.stat().st_mode & 0o777, 0o600)
        self.assertRegex(run.events("note")[1]["text"],
                         rf"^kang's client has a core file \([\d.]+ MB\): tcplab look {core}$")
        done = subprocess.run([lab.TCPLAB, "look", core], capture_output=True, text=True,
                              check=True, timeout=60)
        self.assertEqual(done.stderr, "")
        text = " ".join(done.stdout.split())
        self.assertIn(f"from {path} ", text)
        self.assertNotIn("in thread", text)  # the core file has other numbers than the record
        self.assertRegex(text, r"thread \d+, ended by SIGABRT at .*<module> \(\S*client\.py:8\)")
        self.assertIn("its peer, kodos: ESTABLISHED server waits there in recvfrom", text)
        self.assertRegex(text, r"kang > kodos [^>]* length 14 \(lost\)")

    def test_a_debugger_reads_the_core_file(self):
        lab.need("gdb")
        run = self.run_programs("", "lab:lose('kang > kodos')")
        core, = run.folder.glob("core*")
        done = subprocess.run(["gdb", "-q", "-batch", "-ex", "backtrace", sys.executable, core],
                              capture_output=True, text=True, check=True, timeout=120,
                              stdin=subprocess.DEVNULL)
        self.assertIn("Program terminated with signal SIGABRT", done.stdout)
        self.assertRegex(done.stdout, r"#0 .*recv")

    def test_each_thread_is_in_the_core_file_with_its_call(self):
        Path(self.out.name, "client.py").write_text(TWO_THREADS, encoding="utf-8")
        run = self.run_lines("""
            local client = kang:run { "python3", "client.py", kodos:address(), name = "a/b",
                                      abort_on = "any" }
            lab:expect(client):within(20):killed_by "SIGABRT"
        """)
        core, = run.folder.glob("core.kang-a-b.*")
        text = subprocess.run([lab.TCPLAB, "look", core], capture_output=True, text=True,
                              check=True, timeout=60).stdout
        self.assertRegex(" ".join(text.split()), r"was in accept4?\(3[^)]*\) at .*client\.py:4")

    def test_a_program_that_handles_the_signal_has_a_core_file(self):
        Path(self.out.name, "client.py").write_text(HANDLER, encoding="utf-8")
        run = self.run_lines("""
            local client = kang:run { "python3", "client.py", kodos:address(), name = "client",
                                      abort_on = "ECONNREFUSED" }
            lab:expect(client):within(20):exits(7)
        """)
        core, = run.folder.glob("core.kang-client.*")
        text = subprocess.run([lab.TCPLAB, "look", core], capture_output=True, text=True,
                              check=True, timeout=60).stdout
        self.assertIn("client.py:6", text)

    def check_frames(self, frames):
        """The handshake and `hello` came through; the rest was lost."""
        self.assertEqual([frames[0]["flags"], frames[0]["fate"]], ["S", "delivered"])
        lost = [frame for frame in frames if frame["fate"] == "lost"]
        self.assertGreaterEqual(len(lost), 2)
        self.assertEqual({frame["length"] for frame in lost}, {14})
        self.assertEqual(frames[-1]["fate"], "lost")
        self.assertLessEqual(len(frames), 20)

    def test_a_peer_without_power_has_no_state(self):
        run = self.run_programs("", "kodos:power_off()")
        path, record = self.record(run)
        peer = record["connections"][0]["peer"]
        self.assertEqual([peer["has_power"], peer.get("socket"), peer.get("calls_open")],
                         [False, None, None])
        text = subprocess.run([lab.TCPLAB, "look", path], capture_output=True, text=True,
                              check=True, timeout=60).stdout
        self.assertIn("its peer, kodos: without power", text)

    def test_it_goes_with_the_stacks_of_failing_calls(self):
        run = self.run_programs(', stack = "any"', "lab:lose('kang > kodos')")
        _, record = self.record(run)
        calls = [event for event in run.events("call") if event.get("errno") == "ETIMEDOUT"]
        self.assertEqual(calls[-1]["stack"], record["failure"]["stack"])

    def test_a_misuse_is_an_error_of_the_script(self):
        for options, expected in (('abort_on = "EWHAT"', "EWHAT"),
                                  ('abort_on = {}', "is the name of an errno"),
                                  ('abort_on = "any", watch = false', "needs the tracer")):
            with self.subTest(options=options):
                run = self.run_lines(f'kang:run {{ "true", {options} }}', 2)
                self.assertIn(expected, run.said())


if __name__ == "__main__":
    lab.main()
