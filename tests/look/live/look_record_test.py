#!/usr/bin/env python3
"""Checks the record that `tcplab trace --abort-on` and `--stop-on` write, and `tcplab look`, which
reads it beside the core file."""
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
import lab

# The peer resets `first` after 60 answers; another thread waits for `second`.
RESET = """\
import socket, struct, threading

def rest(peer):
    peer.recv(100)

def fetch(client):
    client.send(b"GET /orders\\n")
    return client.recv(4096)

def business(client):
    for _ in range(99):
        fetch(client)

def serve(listener):
    peer, _ = listener.accept()
    for _ in range(60):
        peer.recv(100)
        peer.send(b"ok")
    peer.recv(1)
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()

def echo(listener):
    peer, _ = listener.accept()
    while True:
        peer.send(peer.recv(100))

def connected(serve):
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=serve, args=[listener], daemon=True).start()
    return socket.create_connection(listener.getsockname())

first = connected(serve)
first.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
second = connected(echo)
for _ in range(70):
    second.send(b"abc")
    second.recv(3)
waiter = threading.Thread(target=rest, args=[second], daemon=True)
waiter.start()
task = f"/proc/self/task/{waiter.native_id}/syscall"
while open(task).read().split()[0] not in ("45", "207"):  # recvfrom on x86-64 and arm64
    pass
business(first)
"""
# Nothing arrives any more, so the kernel gives up.
TIMEOUT = """\
import os, socket
listener = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(listener.getsockname())
client.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000)
peer, _ = listener.accept()
os.system("nft 'add table inet f; add chain inet f o {type filter hook input priority 0;"
          " policy drop;}'")
client.send(b"0123456789")
client.recv(1)
"""
REFUSED = """\
import socket
owner = socket.socket()
owner.bind(("127.0.0.1", 0))
client = socket.socket()
print(client.connect_ex(owner.getsockname()), flush=True)
"""

# The first attempt is refused. The second one succeeds, and its peer resets the connection.
ATTEMPT = """\
import select, socket, struct
owner = socket.socket()
owner.bind(("127.0.0.1", 0))
listener = socket.create_server(("127.0.0.1", 0))
server = owner
client = socket.socket()
client.setblocking(False)
client.connect_ex(server.getsockname())
poll = select.poll()
poll.register(client, select.POLLOUT)
poll.poll()
if server is listener:
    peer, _ = listener.accept()
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()
client.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
"""


def allow_cores():
    resource.setrlimit(resource.RLIMIT_CORE, [resource.getrlimit(resource.RLIMIT_CORE)[1]] * 2)


def forbid_cores():
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


# AddressSanitizer turns core files off, for what it starts, too.
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "disable_coredump=0"}


def trace(folder, program, *options, cores=True, before=()):
    """Runs a program until it is aborted, and returns what the trace said at the end."""
    (folder / "client.py").write_text(program, encoding="utf-8")
    done = subprocess.run([*before, lab.TCPLAB, "trace", "-q", *options, "--", sys.executable,
                           "client.py"], cwd=folder, capture_output=True, text=True, check=False,
                          timeout=120, env=ENVIRONMENT,
                          preexec_fn=allow_cores if cores else forbid_cores)
    return done.stderr


def look(folder, *arguments):
    return subprocess.run([lab.TCPLAB, "look", *arguments], cwd=folder, capture_output=True,
                          text=True, check=False, timeout=120)


def record_in(folder):
    """Returns the path of the one record there, and what it has."""
    path, = folder.glob("core.*.tcplab.json")
    return path, json.loads(path.read_text(encoding="utf-8"))


def core_in(folder):
    core, = [file for file in folder.glob("core*") if file.suffix != ".json"]
    return core


class Records(unittest.TestCase):
    """What is in a record, without a core file."""

    def test_it_has_the_call_the_connections_and_the_threads(self):
        with lab.Folder() as folder:
            said = trace(folder, RESET, "--abort-on", "ECONNRESET", cores=False)
            path, record = record_in(folder)
            self.assertIn(f"its connections and calls: tcplab look {path}", said)
            self.assertEqual(path.stat().st_mode & 0o777, 0o600)
            self.check_failure(record)
            self.check_connections(record)
            self.check_threads(record)
            self.check_text(look(folder, path.name).stdout, record)
            self.assertEqual(json.loads(look(folder, path.name, "--json").stdout), record)

    def check_failure(self, record):
        failure = record["failure"]
        self.assertEqual([failure["call"], failure["errno"]], ["recvfrom", "ECONNRESET"])
        self.assertLessEqual(failure["t"], record["t_sockets"])
        self.assertLess(record["t_sockets"], record["t_threads"])
        now = time.time_ns()
        self.assertLess(abs(failure["t"] + record["wall_clock"] - now), 60e9)
        functions = [frame for frame in failure["stack"] if "client.py" in frame]
        self.assertEqual([frame.split(" ")[0] for frame in functions],
                         ["fetch", "business", "<module>"])

    def check_connections(self, record):
        first, *others = record["connections"]
        self.assertTrue(first["is_forgotten"] and first["was_connected"])
        self.assertEqual(first["state"], "CLOSE")
        self.assertEqual([first["local"], first["remote"]],
                         [record["failure"]["local"], record["failure"]["remote"]])
        # 61 requests of 12 octets, of which the last has no answer; connect and setsockopt.
        self.assertEqual([first["octets_sent"], first["octets_received"]], [61 * 12, 60 * 2])
        self.assertEqual(first["options_set"], ["SO_KEEPALIVE = 1"])
        self.assertEqual(first["options"]["SO_KEEPALIVE"], True)
        self.assertEqual([first["calls_returned"], len(first["calls"])], [2 + 61 + 61, 50])
        self.assertEqual([call["call"] for call in first["calls"]], ["sendto", "recvfrom"] * 25)
        self.assertEqual(first["calls"][-1]["errno"], "ECONNRESET")
        times = [call["t"] for call in first["calls"]]
        self.assertEqual(times, sorted(times))
        awaited, = [each["fds"] for each in record["threads"] if each["does"] == "waits"
                    and "rest (" in " ".join(each["frames"])]
        second, = [each for each in others if each["fds"] == awaited]
        self.assertEqual([second["state"], second["octets_sent"], second["octets_received"]],
                         ["ESTABLISHED", 210, 210])
        self.assertEqual(second["calls_returned"], 1 + 70 + 70)
        self.assertNotIn("is_forgotten", second)
        self.assertEqual(len(second["calls"]), 50)
        self.assertNotEqual(second["fds"], first["fds"])
        listeners = [each for each in others if each["state"] == "LISTEN"]
        self.assertEqual(len(listeners), 2)

    def check_threads(self, record):
        failed, *others = record["threads"]
        self.assertEqual(failed["call"], "recvfrom")
        self.assertIn("fetch (", " ".join(failed["frames"]))
        self.assertTrue(any(re.search(r"rest \(.*client\.py:4\)", " ".join(each["frames"]))
                            and each["call"] == "recvfrom" and each["does"] == "waits"
                            for each in others if "frames" in each), others)

    def check_text(self, text, record):
        first = record["connections"][0]
        self.assertRegex(text, r"(?m)^  recvfrom\(\d+, 4096 bytes\) failed with ECONNRESET")
        ends = f"{first['local']} > {first['remote']}"
        self.assertIn(f"fd {first['fds'][0]}  {ends}  CLOSE", text)
        self.assertIn("The kernel has forgotten the connection.", " ".join(text.split()))
        self.assertIn("732 octets sent, 120 octets received", text)
        self.assertIn("the last 12 of 124 calls:", text)
        self.assertIn("= -1 ECONNRESET", text)

    def test_a_connection_that_timed_out_says_how_often_it_retransmitted(self):
        lab.need("nft", "unshare")
        if os.geteuid() != 0:
            self.skipTest("a network namespace takes root")
        with lab.Folder() as folder:
            trace(folder, TIMEOUT, "--abort-on", "ETIMEDOUT", cores=False,
                  before=["unshare", "-n", "sh", "-c", 'ip link set lo up; exec "$@"', "sh"])
            path, record = record_in(folder)
            text = " ".join(look(folder, path.name).stdout.split())
        first = record["connections"][0]
        self.assertTrue(first["is_forgotten"])
        self.assertGreaterEqual(first["retransmissions"], 1)
        self.assertEqual(first["unacknowledged"], 10)
        self.assertEqual(first["options"]["TCP_USER_TIMEOUT"], 1_000_000_000)
        self.assertRegex(text, r"it had retransmitted (once|\d+ times in a row) without an ack")
        self.assertRegex(text, r"recvfrom\(4, 1 bytes\) failed with ETIMEDOUT after 1\.\d+ s")

    def test_a_connection_that_was_never_there_is_not_called_forgotten(self):
        with lab.Folder() as folder:
            trace(folder, REFUSED, "--abort-on", "ECONNREFUSED", cores=False)
            path, record = record_in(folder)
            text = look(folder, path.name).stdout
        first = record["connections"][0]
        self.assertNotIn("was_connected", first)
        self.assertEqual(first["remote"], record["failure"]["remote"])
        self.assertIn("No call has shown that it was ever connected.", " ".join(text.split()))
        self.assertNotIn("forgotten", text)
        self.assertNotIn("unacknowledged", text)  # the SYN

    def test_an_attempt_that_poll_has_named_is_not_called_a_connection(self):
        for program, is_connected in ((ATTEMPT, False), (ATTEMPT.replace("= owner", "= listener"),
                                                         True)):
            with self.subTest(is_connected=is_connected), lab.Folder() as folder:
                trace(folder, program, "--abort-on", "ECONNREFUSED", "--abort-on", "ECONNRESET",
                      cores=False)
                _, record = record_in(folder)
                first = record["connections"][0]
                self.assertEqual(first.get("was_connected", False), is_connected, first)
                self.assertIn(["poll"], [[call["call"]] for call in first["calls"]])

    def test_a_stopped_program_has_a_record_too(self):
        with lab.Folder() as folder:
            (folder / "client.py").write_text(REFUSED, encoding="utf-8")
            process = subprocess.Popen([lab.TCPLAB, "trace", "-q", "--stop-on", "ECONNREFUSED",
                                        "--", sys.executable, "client.py"], cwd=folder, text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            line = process.stderr.readline()
            path, record = record_in(folder)
            self.assertRegex(line, rf"process {record['pid']} is stopped at connect: ECONNREFUSED")
            self.assertIn(f"its connections and calls: tcplab look {path}", line)
            self.assertEqual(record["act"], "stopped")
            os.kill(record["pid"], signal.SIGCONT)
            self.assertEqual(process.communicate(timeout=60)[0], "111\n")

    def test_a_record_that_cannot_be_written_does_not_stop_the_abort(self):
        with lab.Folder() as folder:
            (folder / "inside").mkdir()
            program = "import os; os.rmdir(os.getcwd())\n" + REFUSED
            script = f"cd inside && exec {lab.TCPLAB} trace -q --abort-on ECONNREFUSED -- " \
                     f"{sys.executable} -c '{program}'"
            done = subprocess.run(["sh", "-c", script], cwd=folder, capture_output=True, text=True,
                                  check=False, timeout=60)
        self.assertEqual(done.returncode, 128 + signal.SIGABRT, done.stderr)
        self.assertIn("no record of its connections: cannot write", done.stderr)


class Cores(unittest.TestCase):
    """A record beside a core file."""

    @classmethod
    def setUpClass(cls):
        pattern = pathlib.Path("/proc/sys/kernel/core_pattern").read_text(encoding="ascii")
        if not re.fullmatch(r"core[\w.%-]*", pattern.strip()):
            raise unittest.SkipTest(f"core files go elsewhere (kernel.core_pattern = {pattern})")
        if resource.getrlimit(resource.RLIMIT_CORE)[1] == 0:
            raise unittest.SkipTest("core files are not allowed (ulimit -Hc)")

    def test_look_shows_both(self):
        with lab.Folder() as folder:
            said = trace(folder, RESET, "--abort-on", "ECONNRESET")
            core = core_in(folder)
            self.assertIn(f"its connections and calls: tcplab look {core}", said)
            done = look(folder, core)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(done.stdout, r"failed with ECONNRESET(?s:.*)thread \d+, ended by "
                                          r"SIGABRT(?s:.*)at fetch(?s:.*)has forgotten")
            self.assertNotIn("A core file has no sockets", done.stdout)
            looked = json.loads(look(folder, core, "--json").stdout)
            path, record = record_in(folder)
            self.assertEqual((looked["failure"], looked["record"]), (record, str(path)))
            path.rename(folder / "moved.json")
            self.assertIn("A core file has no sockets", look(folder, core).stdout)
            moved = look(folder, core, "--record", "moved.json")
            self.assertIn("has forgotten", moved.stdout)

    def test_the_record_of_another_process_with_that_number_is_refused(self):
        with lab.Folder() as folder, lab.Folder() as other:
            trace(folder, REFUSED, "--abort-on", "ECONNREFUSED")
            trace(other, REFUSED, "--abort-on", "ECONNREFUSED")
            path, record = record_in(folder)
            _, another = record_in(other)
            # As if the number had been used again.
            another["pid"], another["own_pid"] = record["pid"], record["own_pid"]
            path.write_text(json.dumps(another), encoding="utf-8")
            core = core_in(folder)
            done = look(folder, core)
            self.assertEqual(done.returncode, 0)
            self.one_line(done, f"{path}: is the record of another process than {core}")
            self.assertIn("A core file has no sockets", done.stdout)
            named = look(folder, core, "--record", path)
            self.assertEqual((named.returncode, named.stdout), (2, ""))
            self.one_line(named, "is the record of another process")
            # The random bytes alone decide if the addresses are not random.
            record["identity"]["random"] = "0" * 16
            path.write_text(json.dumps(record), encoding="utf-8")
            self.one_line(look(folder, core), "is the record of another process")

    def test_a_damaged_record_gets_one_line(self):
        with lab.Folder() as folder:
            trace(folder, REFUSED, "--abort-on", "ECONNREFUSED")
            path, record = record_in(folder)
            core, whole = core_in(folder), path.read_text(encoding="utf-8")
            for damage, expected in (
                    (whole[:len(whole) // 2], "is no JSON, or is cut off"),
                    ("", "is no JSON, or is cut off"),
                    ("[]", "is no JSON object"),
                    ("{}", "is no record of tcplab trace --abort-on or --stop-on"),
                    (json.dumps({**record, "version": 2}), "has version 2 of the record"),
                    (json.dumps({**record, "threads": []}), '"threads" is empty'),
                    (json.dumps({**record, "threads": 7}), '"threads" is not a list'),
                    (json.dumps({**record, "failure": 7}), '"failure" is not an event'),
                    (json.dumps({**record, "own_pid": "x"}), '"own_pid" is not a whole number'),
                    (whole.replace('"CLOSE"', '"OPEN"'), '"state" is not a TCP state: OPEN'),
                    (whole.replace('"kind": "call"', '"kind": "note"'), '"failure" is not a call')):
                with self.subTest(expected=expected):
                    path.write_text(damage, encoding="utf-8")
                    done = look(folder, core)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.one_line(done, expected)
                    self.assertIn("ended by SIGABRT", done.stdout)
                    named = look(folder, core, "--record", path)
                    self.assertEqual((named.returncode, named.stdout), (2, ""), named.stderr)
                    self.one_line(named, expected)

    def one_line(self, done, text):
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(text, done.stderr)


class Mistakes(unittest.TestCase):
    def test_a_record_is_for_a_core_file(self):
        done = look("/", "1", "--record", "/nowhere")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--record is for a core file", done.stderr)

    def test_a_file_of_another_format(self):
        with lab.Folder() as folder:
            (folder / "core.1.tcplab.json").write_text('{"a": 1}', encoding="utf-8")
            done = look(folder, "core.1.tcplab.json")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("core.1.tcplab.json: is no record", done.stderr)


if __name__ == "__main__":
    lab.main()
