#!/usr/bin/env python3
"""Looks at real programs that wait, in network namespaces where packets are dropped: what
`tcplab look` predicts is what then happens. And what it says of processes that it cannot see."""
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
import captures
import lab
import schemas

# Timers that end within seconds. tcp_retries2 = 3 allows 3 s after the first retransmission.
TIMERS = ("sysctl -qw net.ipv4.tcp_retries2=3 net.ipv4.tcp_syn_retries=2; "
          "sysctl -qw net.ipv4.tcp_syn_linear_timeouts=0 || true")
LATE = 1.5  # timers of the kernel and a busy machine
SLACK = 1.0  # seconds


def look(*arguments, **more):
    return subprocess.run([lab.TCPLAB, "look", *map(str, arguments)], capture_output=True,
                          text=True, check=False, timeout=60, **more)


def looked(process):
    done = look(process, "--json")
    found = schemas.checked(done.stdout)["processes"]
    return next(each for each in found if each["pid"] == process), done


class Predictions(unittest.TestCase):
    """Each client waits in a call; the router drops what it sends."""

    def check(self, options, line, kind, error, silent="tcp dport 8080 drop", connects=True,
              prepares=""):
        with lab.Folder() as folder:
            with captures.Network(lab.Path(folder) / "x.pcap") as net:
                net.client.run(TIMERS)
                server = net.server.program()
                server.do("l = listen(8080)")
                client = net.client.program()
                if connects:
                    client.do(f"s = connect({options})")
                    server.do("s = l.accept()[0]")
                if prepares:
                    client.do(prepares)
                net.router.rules("forward", silent)
                client.start(line)
                process = client.process.pid
                wait, earliest = self.first_wait(process, kind)
                latest = time.monotonic()  # of the prediction
                self.assertEqual(client.end().split(" ")[0], error)
                ended = time.monotonic()
                within = wait["within"] / 1e9
                self.assertLessEqual(within, (ended - earliest) * LATE + SLACK, wait)
                self.assertLessEqual(ended - latest, within * LATE + SLACK, wait)
                self.assertFalse(wait["may_last_for_ever"])

    @staticmethod
    def first_wait(process, kind):
        """Looks until the client waits in the call, and the kernel's timer of that kind runs.
        Returns the wait, and when the last look began."""
        while True:  # ctest ends a test that hangs
            began = time.monotonic()
            found, _ = looked(process)
            for wait in found["waits"]:
                if wait.get("tid") == process and wait["ends_by"] == kind and "within" in wait:
                    return wait, began
            time.sleep(0.05)  # the client is on its way to its call

    def test_retransmissions(self):
        self.check("", "s.sendall(b'x'); s.recv(1)", "retransmissions", "TimeoutError")

    def test_a_user_timeout(self):
        self.check("TCP_USER_TIMEOUT=2500", "s.sendall(b'x'); s.recv(1)", "user-timeout",
                   "TimeoutError")

    def test_keepalive(self):
        self.check("SO_KEEPALIVE=1, TCP_KEEPIDLE=1, TCP_KEEPINTVL=1, TCP_KEEPCNT=3", "s.recv(1)",
                   "keepalive", "TimeoutError")

    def test_connecting(self):
        self.check("", "connect()", "syn", "TimeoutError", connects=False)

    def test_connecting_with_fewer_syns(self):
        self.check("", "connect(TCP_SYNCNT=1)", "syn", "TimeoutError", connects=False)


class Waits(unittest.TestCase):
    PROGRAM = """
import os, select, socket, sys, threading
l = socket.create_server(("127.0.0.1", 0)); c = socket.create_connection(l.getsockname())
s, _ = l.accept()
c.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, {timeout})
{before}
print("ready", flush=True)
{wait}
"""
    NONE = "bytes(16)"

    def start(self, wait, before="", timeout=NONE, command=()):
        text = self.PROGRAM.format(wait=wait, before=before, timeout=timeout)
        process = subprocess.Popen([*command, sys.executable, "-c", text], stdout=subprocess.PIPE,
                                   text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "ready\n")
        return process

    def wait_of(self, process):
        while True:  # ctest ends a test that hangs
            found, done = looked(process.pid)
            waits = [wait for wait in found["waits"] if "tid" in wait]
            if waits:
                return waits, found, done
            time.sleep(0.02)  # it is on its way to its call

    def test_a_call_without_any_end_is_said_to_last_for_ever(self):
        process = self.start("c.recv(10)")
        waits, found, done = self.wait_of(process)
        self.assertEqual([wait["ends_by"] for wait in waits], ["peer"])
        self.assertTrue(waits[0]["may_last_for_ever"])
        self.assertEqual(done.returncode, 1)
        self.assertEqual(found["threads"][0]["call"], "recvfrom")
        text = look(process.pid).stdout
        self.assertIn("waits in recvfrom(4, 10 bytes)", text)
        self.assertIn("keepalive is off: no timer of TCP ends this wait", " ".join(text.split()))
        self.assertIn("no thread waits for:", text)

    def test_a_timeout_of_the_call_ends_it(self):
        seconds = "(600).to_bytes(8, 'little') + bytes(8)"
        waits, found, done = self.wait_of(self.start("c.recv(10)", timeout=seconds))
        self.assertFalse(waits[0]["may_last_for_ever"])
        self.assertEqual(found["threads"][0]["timeout"], 600 * 10**9)
        self.assertEqual(done.returncode, 0)

    def test_poll_select_and_epoll_wait_for_what_they_watch(self):
        for before, wait in (("p = select.poll(); p.register(c, select.POLLIN)", "p.poll(500000)"),
                             ("", "select.select([c, l], [], [], 500)"),
                             ("e = select.epoll(); e.register(c, 1); e.register(s, 1)",
                              "e.poll(500)")):
            with self.subTest(wait):
                waits, found, done = self.wait_of(self.start(wait, before))
                self.assertIn(4, found["threads"][0]["fds"])
                self.assertEqual(found["threads"][0]["timeout"], 500 * 10**9)
                self.assertEqual(done.returncode, 0, waits)

    def test_a_writer_waits_for_the_window(self):
        process = self.start("c.sendall(bytes(50_000_000))")
        while True:  # ctest ends a test that hangs
            waits, _, done = self.wait_of(process)
            if waits[0]["ends_by"] == "window":
                break
            time.sleep(0.02)  # the peer's window is not closed yet
        self.assertTrue(waits[0]["may_last_for_ever"])
        self.assertEqual(done.returncode, 1)

    def test_every_thread_and_child_is_looked_at(self):
        before = ("threading.Thread(target=c.recv, args=(1,), daemon=True).start()\n"
                  "if os.fork() == 0: c.close(); l.close(); s.recv(1); os._exit(0)")
        process = self.start("l.accept()", before)
        while True:  # ctest ends a test that hangs
            done = look(process.pid, "--json")
            waits = [wait for one in schemas.checked(done.stdout)["processes"]
                     for wait in one["waits"] if "tid" in wait]
            if len(waits) == 3:
                break
            time.sleep(0.02)  # they are on their way
        self.assertEqual(sorted(wait["ends_by"] for wait in waits), ["client", "peer", "peer"])

    def test_the_process_is_not_disturbed(self):
        process = self.start("c.recv(10)")
        self.wait_of(process)

        def wakes():
            status = lab.Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
            return [line for line in status.splitlines() if "ctxt_switches" in line]
        before = wakes()
        for _ in range(5):
            look(process.pid)
        self.assertEqual(wakes(), before)  # a stop, or an interrupted call, would wake it

    def test_the_output_of_ss_has_the_same_connections(self):
        if shutil.which("ss") is None:
            self.skipTest("there is no ss")
        process = self.start("c.recv(10)")
        self.wait_of(process)
        listed = subprocess.run(["ss", "-tnoiep"], capture_output=True, text=True, check=True)
        done = look("-", "--json", input=listed.stdout)
        ours = [each for each in schemas.checked(done.stdout)["processes"]
                if each.get("pid") == process.pid]
        self.assertEqual(len(ours), 1, listed.stdout)
        direct, _ = looked(process.pid)
        connected = [(each["fds"], each["local"], each["remote"], each["state"])
                     for each in direct["connections"] if "remote" in each]
        self.assertEqual([(each["fds"], each["local"], each["remote"], each["state"])
                          for each in ours[0]["connections"]], connected)
        self.assertTrue(all(wait["ends_by"] == "peer" for wait in ours[0]["waits"]))
        self.assertEqual(done.returncode, 0)  # who waits is not known

    def test_all_names_every_process_with_a_connection(self):
        process = self.start("c.recv(10)")
        done = look("--all", "--json")
        found = schemas.checked(done.stdout)["processes"]
        self.assertIn(process.pid, [each["pid"] for each in found])


class Refusals(unittest.TestCase):
    def refused(self, *arguments, said, **more):
        done = look(*arguments, **more)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertIn(said, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_bad_input_gets_one_line(self):
        ended = subprocess.Popen(["true"])
        ended.wait()
        self.refused(ended.pid, said=f"there is no process {ended.pid}")
        self.refused("nginx", said="nginx: name a process by its number")
        self.refused("-5", said="-5")
        self.refused(said="name one process by its number")
        self.refused("1", "--all", said="name one process by its number")
        self.refused("-", input="garbage\n", said="use: ss -tnoiep | tcplab look -")
        self.refused("-", "--watch", input="", said="--watch is for processes of this machine")

    def test_a_thread_of_the_kernel(self):
        if lab.Path("/proc/2/comm").read_text(encoding="ascii") != "kthreadd\n":
            self.skipTest("process 2 is no thread of the kernel here")
        self.refused(2, said="process 2 [kthreadd] is a thread of the kernel")

    def test_a_process_that_has_ended_but_is_not_waited_for(self):
        zombie = subprocess.Popen(["true"])
        os.waitid(os.P_PID, zombie.pid, os.WEXITED | os.WNOWAIT)
        self.refused(zombie.pid, said="has ended")
        zombie.wait()

    def look_as_nobody(self, *arguments):
        if os.geteuid() != 0 or shutil.which("setpriv") is None:
            self.skipTest("needs root and setpriv")
        with lab.Folder() as folder:
            lab.Path(folder).chmod(0o755)
            shutil.copy(lab.TCPLAB, lab.Path(folder) / "tcplab")
            return subprocess.run(["setpriv", "--reuid=65534", "--clear-groups",
                                   lab.Path(folder) / "tcplab", "look", *arguments],
                                  capture_output=True, text=True, check=False)

    def other(self):
        other = subprocess.Popen(["sleep", "600"])
        self.addCleanup(other.wait)
        self.addCleanup(other.send_signal, signal.SIGKILL)
        return other.pid

    def test_all_says_how_many_processes_are_not_shown(self):
        self.other()
        done = self.look_as_nobody("--all")
        self.assertRegex(done.stderr, r"^tcplab: (no process .*; )?the kernel does not show you "
                                      r"the connections of \d+ other process(es)?; try as "
                                      r"root\n$")
        self.assertIn(done.returncode, (2, 3))  # 2: nobody has no process with a connection

    def test_a_thread_of_the_kernel_is_known_to_everybody(self):
        if lab.Path("/proc/2/comm").read_text(encoding="ascii") != "kthreadd\n":
            self.skipTest("process 2 is no thread of the kernel here")
        done = self.look_as_nobody("2")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("process 2 [kthreadd] is a thread of the kernel", done.stderr)

    def test_somebody_elses_process(self):
        done = self.look_as_nobody(str(self.other()))
        self.assertIn("try as its user or as root", " ".join(done.stdout.split()), done.stderr)
        self.assertEqual(done.returncode, 3)


if __name__ == "__main__":
    lab.main()
