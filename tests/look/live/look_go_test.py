#!/usr/bin/env python3
"""Looks at Go programs, whose runtime waits for the connections of all goroutines: `tcplab look`
says which goroutine waits for which, in which functions, and what ends its wait. The programs were
not prepared for that."""
import json
import os
import shutil
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
import captures
import lab
import schemas

# Each line that waits ends with a comment that has the name of its goroutine.
SOURCE = """package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

func dial(address string) net.Conn {
	c, err := net.Dial("tcp", address)
	if err != nil {
		panic(err)
	}
	c.(*net.TCPConn).SetKeepAlive(false)
	return c
}

//go:noinline
func askForPrice(c net.Conn) { takeAnswer(c) } // outer

func takeAnswer(c net.Conn) { c.Read(make([]byte, 10)) } // reader

//go:noinline
func sendForEver(c net.Conn) {
	for {
		c.Write(make([]byte, 1<<20)) // writer
	}
}

//go:noinline
func waitAtMost(c net.Conn) {
	c.SetReadDeadline(time.Now().Add(600 * time.Second))
	io.ReadFull(c, make([]byte, 10)) // deadline
}

//go:noinline
func serve(l net.Listener) {
	l.Accept() // accepter
}

//go:noinline
func callTheDead() {
	net.Dial("tcp", "10.2.0.2:9090") // dialer
}

//go:noinline
func callTheDeadAtMost() {
	net.DialTimeout("tcp", "10.2.0.2:9091", 900*time.Second) // hurried dialer
}

//go:noinline
func fetchList() {
	http.Get("http://10.2.0.2:8081/list") // lister
}

//go:noinline
func fetchImage() {
	http.Get("http://10.2.0.2:8082/image") // painter
}

func main() {
	l, err := net.Listen("tcp", "10.1.0.1:7070")
	if err != nil {
		panic(err)
	}
	go askForPrice(dial("10.2.0.2:8080"))
	go sendForEver(dial("10.2.0.2:8080"))
	go waitAtMost(dial("10.2.0.2:8080"))
	go serve(l)
	go callTheDead()
	go callTheDeadAtMost()
	go fetchList()
	go fetchImage()
	idle := dial("10.2.0.2:8080")
	fmt.Println(idle.LocalAddr())
	select {}
}
"""
PATIENCE = 60  # seconds; only a hang takes that long


# The descriptor blocks, so the thread waits in the call itself.
BLOCKING_SOURCE = """package main

import (
	"fmt"
	"net"
	"syscall"
)

//go:noinline
func readBlocking(fd int) {
	syscall.Read(fd, make([]byte, 10)) // reader
}

func main() {
	c, err := net.Dial("tcp", "10.2.0.2:8080")
	if err != nil {
		panic(err)
	}
	file, err := c.(*net.TCPConn).File()
	if err != nil {
		panic(err)
	}
	syscall.SetNonblock(int(file.Fd()), false)
	fmt.Println("ready")
	readBlocking(int(file.Fd()))
}
"""


def line_of(name, source=SOURCE):
    return 1 + next(number for number, line in enumerate(source.splitlines())
                    if line.endswith("// " + name))


def look(process, *options):
    return subprocess.run([lab.TCPLAB, "look", str(process), *options], capture_output=True,
                          text=True, check=False, timeout=60)


@unittest.skipIf(shutil.which("go") is None, "there is no go")
class Goroutines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = lab.Folder()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.source = lab.Path(cls.folder.name) / "main.go"

    def build(self, *options, source=SOURCE):
        self.source.write_text(source, encoding="utf-8")
        program = lab.Path(self.folder.name) / "program"
        settings = {**os.environ, "GOCACHE": self.folder.name + "/cache", "GO111MODULE": "off",
                    "CGO_ENABLED": "0"}
        subprocess.run(["go", "build", *options, "-o", program, self.source], check=True,
                       env=settings, timeout=600)
        return program

    def start(self, program):
        """Starts it in a network whose server accepts connections, and reads nothing."""
        net = self.enterContext(captures.Network(lab.Path(self.folder.name) / "x.pcap"))
        net.server.program().do("listeners = [listen(port) for port in (8080, 8081, 8082)]")
        net.router.rules("forward", "tcp dport 9090-9091 drop")
        net.client.run("sysctl -qw net.ipv4.tcp_syn_retries=12")
        process = net.client.start([program], stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.idle = process.stdout.readline().strip()
        return process.pid

    def enterContext(self, manager):  # of Python 3.11
        value = manager.__enter__()
        self.addCleanup(manager.__exit__, None, None, None)
        return value

    def looked(self, process, is_settled):
        """Looks until the program waits everywhere."""
        for _ in range(PATIENCE * 10):
            done = look(process, "--json")
            found = schemas.checked(done.stdout)["processes"][0]
            if is_settled(found):
                return found, done
            time.sleep(0.1)  # it is on its way to its calls
        self.fail(done.stdout)

    @staticmethod
    def ends(found):
        return [wait["ends_by"] for wait in found["waits"]]

    def settled(self, process):
        def is_settled(found):
            readers = [task for task in found.get("tasks", []) if "requester" in task]
            quiet = [wait for wait in found["waits"] if wait["ends_by"] == "keepalive"
                     and wait.get("task") in [task["name"] for task in readers]]
            return (len(found.get("tasks", [])) == 8 and "window" in self.ends(found)
                    and len(quiet) == len(readers) == 2
                    and any(thread["does"] == "polls" for thread in found["threads"]))
        return self.looked(process, is_settled)

    def task(self, found, call, function):
        """The one goroutine that waits in a call of a function, and its wait."""
        tasks = [task for task in found["tasks"] if task["call"] == call
                 and any(frame.startswith(function + " ") for frame in task["frames"])]
        self.assertEqual(len(tasks), 1, json.dumps(found["tasks"], indent=1))
        waits = [wait for wait in found["waits"] if wait.get("task") == tasks[0]["name"]]
        self.assertEqual(len(waits), 1, waits)
        return tasks[0], waits[0]

    def frame(self, function, name):
        return f"{function} ({self.source}:{line_of(name)})"

    def check(self, *options):
        process = self.start(self.build(*options))
        found, done = self.settled(process)
        self.assertRegex(found["runtime"], r"^Go 1\.\d+$")
        self.assertTrue(found["all_tasks"])
        self.assertEqual({task["state"] for task in found["tasks"]}, {"IO wait"})
        # Threads wait for no connection: their runtime does.
        self.assertNotIn("waits", [thread["does"] for thread in found["threads"]])
        self.assertTrue(all("task" in wait for wait in found["waits"]), found["waits"])

        task, wait = self.task(found, "read", "main.askForPrice")
        at = task["frames"].index(self.frame("main.takeAnswer", "reader"))  # it was inlined
        self.assertEqual(task["frames"][at + 1], self.frame("main.askForPrice", "outer"))
        self.assertIn("net.(*conn).Read", task["frames"][at - 1])
        self.assertIn("internal/poll.", task["frames"][0])
        self.assertFalse([frame for frame in task["frames"] if frame.startswith("runtime.")])
        self.assertEqual((wait["ends_by"], wait["may_last_for_ever"]), ("peer", True))
        self.assertFalse(task["has_deadline"])

        task, wait = self.task(found, "read", "main.waitAtMost")
        self.assertIn(self.frame("main.waitAtMost", "deadline"), task["frames"])
        self.assertEqual((wait["ends_by"], wait["may_last_for_ever"]), ("peer", False))
        self.assertTrue(500e9 < task["deadline"] < 600e9, task)

        task, wait = self.task(found, "write", "main.sendForEver")
        self.assertIn(self.frame("main.sendForEver", "writer"), task["frames"])
        self.assertEqual((wait["ends_by"], wait["may_last_for_ever"]), ("window", True))

        task, wait = self.task(found, "accept", "main.serve")
        self.assertIn(self.frame("main.serve", "accepter"), task["frames"])
        self.assertEqual(wait["ends_by"], "client")

        task, wait = self.task(found, "connect", "main.callTheDead")
        self.assertIn(self.frame("main.callTheDead", "dialer"), task["frames"])
        self.assertEqual((wait["ends_by"], task["has_deadline"]), ("syn", False))

        task, wait = self.task(found, "connect", "main.callTheDeadAtMost")
        self.assertIn(self.frame("main.callTheDeadAtMost", "hurried dialer"), task["frames"])
        self.assertTrue(800e9 < task["deadline"] < 900e9, task)

        readers = [task for task in found["tasks"]
                   if any("net/http.(*persistConn).readLoop " in each for each in task["frames"])]
        self.assertEqual(len(readers), 2)
        for task in readers:
            wait = next(wait for wait in found["waits"] if wait["task"] == task["name"])
            self.assertEqual(wait["ends_by"], "keepalive")  # a client of net/http has it on
            requester = (self.frame("main.fetchList", "lister") if ":8081" in wait["remote"]
                         else self.frame("main.fetchImage", "painter"))
            self.assertIn(requester, task["requester"]["frames"])
        self.assertEqual(len({task["requester"]["name"] for task in readers}), 2)
        self.assertEqual([task for task in found["tasks"]
                          if "requester" in task and task not in readers], [])
        self.assertEqual(done.returncode, 1)
        return process

    def test_each_goroutine_that_waits_is_shown_with_its_frames(self):
        process = self.check()
        text = look(process).stdout
        self.assertRegex(text, r"goroutine \d+ waits in read of fd \d+ \(IO wait\)")
        words = " ".join(text.split())
        self.assertRegex(words, r"A deadline of the program ends the wait in about \d+ min, "
                                r"whatever TCP does \(SetReadDeadline or SetDeadline\)")
        self.assertRegex(text, r"    goroutine \d+ waits for its answer:\n"
                               r"      at net/http.\(\*persistConn\).roundTrip")
        self.assertIn("no thread and no goroutine waits for:", text)
        idle = text[text.index("no thread and no goroutine waits for:"):]
        self.assertIn(self.idle, idle)
        self.assertEqual(idle.count(" > "), 1, idle)

    def test_a_position_independent_program(self):
        self.check("-buildmode=pie")

    def test_a_program_without_debug_information(self):
        if "go1.19" not in subprocess.run(["go", "version"], capture_output=True, text=True,
                                          check=True).stdout:
            self.skipTest("the layout of this Go is known from debug information only")
        self.check("-ldflags=-w")

    def test_of_a_stripped_program_no_wait_is_claimed(self):
        process = self.start(self.build("-ldflags=-s -w"))

        def is_settled(found):
            return (any(thread["does"] == "polls" for thread in found["threads"])
                    and len(found["connections"]) == 9)
        found, done = self.looked(process, is_settled)
        self.assertRegex(found["runtime"], r"^Go 1\.\d+$")
        self.assertNotIn("tasks", found)
        self.assertNotIn("waits", [thread["does"] for thread in found["threads"]])
        # Who waits is not known, so each connection is described, and nothing is said to wait.
        self.assertEqual(len(found["waits"]), 9)
        self.assertFalse([wait for wait in found["waits"]
                          if "tid" in wait or "task" in wait or "may_last_for_ever" in wait])
        self.assertEqual(done.returncode, 0)
        self.assertIn("for tasks that are not known", " ".join(look(process).stdout.split()))

    def test_a_goroutine_in_a_blocking_call_is_shown_as_its_thread(self):
        for options in ((), ("-ldflags=-s -w",)):
            with self.subTest(options):
                process = self.start(self.build(*options, source=BLOCKING_SOURCE))
                found, _ = self.looked(process, lambda found: any(
                    thread["does"] == "waits" for thread in found["threads"]))
                thread = next(each for each in found["threads"] if each["does"] == "waits")
                self.assertEqual(thread["call"], "read")
                self.assertTrue(thread["frames"][0].startswith("syscall."), thread)
                # What was inlined, and so the line, is known with symbols only.
                line = f" ({self.source}:{line_of('reader', BLOCKING_SOURCE)})"
                self.assertIn("main.readBlocking" + ("" if options else line), thread["frames"])
                self.assertTrue(thread["frames"][-1].startswith("main.main"), thread)

    def test_the_program_is_not_disturbed(self):
        process = self.start(self.build())
        found, _ = self.settled(process)
        stuck = {task["name"]: task["frames"] for task in found["tasks"]}

        def switches():
            status = lab.Path(f"/proc/{process}/status").read_text(encoding="utf-8")
            return [line for line in status.splitlines() if "nonvoluntary" not in line
                    and "ctxt_switches" in line]
        # Go's runtime wakes now and then by itself, to give memory back. Each look that disturbs
        # would be seen in each attempt.
        for _ in range(10):
            before = switches()
            for _ in range(5):
                found, _ = self.settled(process)
            if switches() == before:
                break
        else:
            self.fail(f"{before}, then {switches()}")
        self.assertEqual({task["name"]: task["frames"] for task in found["tasks"]}, stuck)


if __name__ == "__main__":
    lab.main()
