#!/usr/bin/env python3
"""Looks at programs of asyncio, whose event loop waits for the connections of all tasks: `tcplab
look` says which task waits for which, in which functions, and which timeout ends its wait. The
programs were not prepared for that."""
import json
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
import lab
import pythons
import schemas

# The program is its own server, which accepts and stays silent. Each line that waits ends with a
# comment that has the name of its task.
SOURCE = """\
import asyncio, socket, sys

async def take(reader):
    return await reader.readline()  # asker

async def ask(reader):
    return await take(reader)  # outer

async def hurry(reader):
    return await asyncio.wait_for(reader.read(10), 900)  # hurried

async def receive(raw):
    return await asyncio.get_running_loop().sock_recv(raw, 10)  # receiver

async def send_for_ever(writer):
    while True:
        writer.write(bytes(1 << 20))
        await writer.drain()  # sender

async def lines(reader):
    while True:
        yield await reader.readline()  # generator

async def listen(reader):
    async for line in lines(reader):  # listener
        print(line)

async def gather(first, second):
    await asyncio.wait_for(asyncio.gather(ask(first), listen(second)), 600)  # gatherer

async def call(port):
    await asyncio.open_connection("127.0.0.1", port)  # caller

async def sleep():
    await asyncio.sleep(3000)  # sleeper

def full_listener():
    listener = socket.create_server(("127.0.0.1", 0), backlog=1)
    for _ in range(2):
        client = socket.create_connection(listener.getsockname())
        kept.append(client)
    kept.append(listener)
    return listener.getsockname()[1]

class Heart:
    def beat(self):
        print("still alive")

async def main():
    listener = socket.create_server(("127.0.0.1", 0), backlog=100)
    kept.append(listener)
    address = listener.getsockname()
    pairs = [await asyncio.open_connection(*address) for _ in range(6)]
    kept.extend(pairs)  # the last is idle
    raw = socket.create_connection(address)
    raw.setblocking(False)
    readers = [reader for reader, writer in pairs]
    tasks = [ask(readers[0]), hurry(readers[1]), receive(raw), send_for_ever(pairs[2][1]),
             gather(readers[3], readers[4]), call(full_listener()), sleep()]
    kept.extend(asyncio.ensure_future(task) for task in tasks)
    if "timer" in sys.argv:
        # None of these is known to end a wait, and none is a request of another task.
        heart = Heart()
        heart._task = kept[-7]
        loop = asyncio.get_running_loop()
        loop.call_later(700, heart.beat)
        loop.call_later(710, print, kept[-7])
        loop.call_later(720, lambda: print(heart._task))
        other = kept[-1]
        kept[-7].add_done_callback(lambda _: print(other))
    await asyncio.sleep(0.1)
    print(raw.getsockname()[1], pairs[5][1].get_extra_info("sockname")[1], flush=True)
    await asyncio.Event().wait()

kept = []
asyncio.run(main())
"""
# Requests to a server that accepts, and stays silent.
LIBRARIES = """\
import asyncio, socket, ssl, sys

async def shake_hands(port):
    options = dict(ssl=ssl.create_default_context(), ssl_handshake_timeout=900)
    await asyncio.open_connection("127.0.0.1", port, **options)  # handshake

async def use_aiohttp(port):
    import aiohttp
    async with aiohttp.ClientSession() as session:
        async with session.get(f"http://127.0.0.1:{port}/price") as answer:  # aiohttp
            print(answer)

async def use_httpx(port):
    import httpx
    async with httpx.AsyncClient(timeout=700) as client:
        await client.get(f"http://127.0.0.1:{port}/price")  # httpx

async def use_httpx_without_timeout(port):
    import httpx
    async with httpx.AsyncClient(timeout=None) as client:
        await client.get(f"http://127.0.0.1:{port}/price")  # httpx without a timeout

server = socket.create_server(("127.0.0.1", 0))
asyncio.run(globals()[sys.argv[1]](server.getsockname()[1]))
"""
PATIENCE = 60  # seconds; only a hang takes that long


def line_of(name, source=SOURCE):
    return 1 + next(number for number, line in enumerate(source.splitlines())
                    if line.endswith("# " + name))


def has(module):
    return subprocess.run(["/usr/bin/python3", "-c", f"import {module}"], check=False,
                          capture_output=True).returncode == 0


class Tasks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = lab.Folder()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.source = lab.Path(cls.folder.name) / "client.py"
        cls.source.write_text(SOURCE, encoding="utf-8")

    def popen(self, *command):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        return process

    def start(self, python, *arguments):
        process = self.popen(python, self.source, *arguments)
        self.raw, self.idle = (int(port) for port in process.stdout.readline().split())
        return process.pid

    def looked(self, process, is_settled):
        """Looks until the program waits everywhere."""
        for _ in range(PATIENCE * 10):
            done = subprocess.run([lab.TCPLAB, "look", str(process), "--json"], timeout=60,
                                  capture_output=True, text=True, check=False)
            self.assertIn(done.returncode, (0, 1, 3), done.stderr)
            found = schemas.checked(done.stdout)["processes"][0]
            if is_settled(found):
                return found
            time.sleep(0.1)  # it is on its way to its calls
        self.fail(done.stdout + done.stderr)

    def settled(self, process):
        return self.looked(process, lambda found: len(found.get("tasks", [])) == 7 and
                           "window" in [wait["ends_by"] for wait in found["waits"]])

    def task(self, found, name):
        """The one task that waits at such a line, and its wait."""
        at = f" ({self.source}:{line_of(name)})"
        tasks = [task for task in found["tasks"]
                 if any(frame.endswith(at) for frame in task["frames"])]
        self.assertEqual(len(tasks), 1, f"{name}: {json.dumps(found, indent=1)}")
        waits = [wait for wait in found["waits"] if wait.get("task") == tasks[0]["name"]]
        self.assertEqual(len(waits), 1, waits)
        return tasks[0], waits[0]

    def functions(self, task):
        return [frame.split(" ")[0] for frame in task["frames"]]

    def check(self, python):
        found = self.settled(self.start(python))
        asker = next(task for task in found["tasks"]
                     if self.functions(task)[-2:] == ["take", "ask"] and "requester" not in task)
        self.assertRegex(asker["name"], r"^Task-\d+$")
        self.assertEqual(asker["frames"][-2:], [f"take ({self.source}:{line_of('asker')})",
                                                f"ask ({self.source}:{line_of('outer')})"])
        wait = next(wait for wait in found["waits"] if wait.get("task") == asker["name"])
        self.assertEqual((asker["call"], wait["ends_by"], wait["may_last_for_ever"]),
                         ("read", "peer", True))
        self.assertFalse(asker["has_deadline"])

        receiver, wait = self.task(found, "receiver")
        self.assertIn(f":{self.raw}", wait["local"])
        self.assertEqual(receiver["call"], "read")

        sender, wait = self.task(found, "sender")
        self.assertEqual((sender["call"], wait["ends_by"]), ("write", "window"))

        caller, wait = self.task(found, "caller")
        self.assertEqual((caller["call"], wait["ends_by"]), ("connect", "syn"))

        listener, wait = self.task(found, "generator")
        self.assertIn(f"listen ({self.source}:{line_of('listener')})", listener["frames"])
        self.assertIn("gather", listener["requester"]["frames"][-1])
        self.assertTrue(500e9 < listener["deadline"] < 600e9, listener)
        self.assertFalse(wait["may_last_for_ever"])

        hurried = [task for task in found["tasks"] if 800e9 < task.get("deadline", 0) < 900e9]
        self.assertEqual(len(hurried), 1, found["tasks"])
        frames = hurried[0]["frames"] + hurried[0].get("requester", {}).get("frames", [])
        self.assertIn(f"hurry ({self.source}:{line_of('hurried')})", frames)

        # Nobody is known to read from this one. The loop waits for it all the same.
        loop = [wait for wait in found["waits"] if "task" not in wait]
        self.assertEqual([f":{self.idle}" in wait["local"] for wait in loop], [True], loop)
        self.assertFalse(found["all_tasks"])

    def test_each_version_of_python(self):
        for python in (path for paths in pythons.found().values() for path in paths):
            with self.subTest(python=python):
                self.check(python)

    def test_a_timer_of_unknown_purpose_may_end_a_wait(self):
        found = self.settled(self.start("/usr/bin/python3", "timer"))
        _, wait = self.task(found, "receiver")
        task = next(task for task in found["tasks"] if task["name"] == wait["task"])
        self.assertTrue(600e9 < task["other_timer"] < 700e9, task)
        self.assertFalse(task["has_deadline"])
        self.assertFalse(wait["may_last_for_ever"])
        asked = [task for task in found["tasks"] if self.functions(task)[-2:] == ["take", "ask"]
                 and not task["has_deadline"]]
        self.assertEqual(len(asked), 1, found["tasks"])
        self.assertNotIn("requester", asked[0])

    def test_with_a_clock_of_its_own_no_remaining_time_is_known(self):
        inside = ["unshare", "--time", "--monotonic", "3600", "--fork", "--kill-child"]
        if subprocess.run([*inside, "true"], check=False, capture_output=True).returncode != 0:
            self.skipTest("needs root, and a kernel with time namespaces")
        process = self.popen(*inside, "/usr/bin/python3", self.source, "timer")
        self.raw, self.idle = (int(port) for port in process.stdout.readline().split())
        children = lab.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        child, = children.read_text(encoding="ascii").split()
        found = self.settled(child)
        _, wait = self.task(found, "receiver")
        task = next(task for task in found["tasks"] if task["name"] == wait["task"])
        self.assertEqual((task["other_timer"], task["has_deadline"]), (0, False), task)
        self.assertFalse(wait["may_last_for_ever"])
        listener, wait = self.task(found, "generator")
        self.assertTrue(listener["has_deadline"], listener)
        self.assertNotIn("deadline", listener)
        self.assertFalse(wait["may_last_for_ever"])
        text = subprocess.run([lab.TCPLAB, "look", child], timeout=60, capture_output=True,
                              text=True, check=False).stdout
        self.assertIn("The program has timers, and one of them may end the wait. ",
                      " ".join(text.split()))
        self.assertNotIn("The next is due", " ".join(text.split()))

    def library(self, function, name):
        """The one task of a program that uses a library, its wait, and what look says of both."""
        source = lab.Path(self.folder.name) / "library.py"
        source.write_text(LIBRARIES, encoding="utf-8")
        process = self.popen("/usr/bin/python3", source, function)
        at = f" ({source}:{line_of(name, LIBRARIES)})"
        found = self.looked(process.pid, lambda found: any(
            frame.endswith(at) for task in found.get("tasks", []) for frame in task["frames"]))
        self.assertEqual(len(found["tasks"]), 1, found["tasks"])
        self.assertTrue(found["all_tasks"])
        (wait,) = [wait for wait in found["waits"] if "task" in wait]
        done = subprocess.run([lab.TCPLAB, "look", str(process.pid)], timeout=60,
                              capture_output=True, text=True, check=False)
        return found["tasks"][0], wait, " ".join(done.stdout.split())

    def test_a_handshake_of_tls_has_a_time_limit(self):
        task, wait, text = self.library("shake_hands", "handshake")
        self.assertTrue(800e9 < task["deadline"] < 900e9, task)
        self.assertFalse(wait["may_last_for_ever"])
        self.assertIn("A deadline of the program ends the wait in about 15 min, whatever TCP does "
                      "(a timer of its event loop).", text)

    @unittest.skipUnless(has("aiohttp"), "python3-aiohttp is not installed")
    def test_aiohttp_has_a_time_limit_of_five_minutes(self):
        task, wait, text = self.library("use_aiohttp", "aiohttp")
        self.assertTrue(200e9 < task["deadline"] < 302e9, task)
        self.assertFalse(wait["may_last_for_ever"])
        self.assertIn("Task-1 waits in read of fd", text)

    @unittest.skipUnless(has("httpx"), "python3-httpx is not installed")
    def test_httpx(self):
        task, wait, _ = self.library("use_httpx", "httpx")
        self.assertTrue(600e9 < task["deadline"] < 700e9, task)
        self.assertFalse(wait["may_last_for_ever"])
        task, wait, _ = self.library("use_httpx_without_timeout", "httpx without a timeout")
        self.assertNotIn("deadline", task)
        self.assertNotIn("other_timer", task)
        self.assertTrue(wait["may_last_for_ever"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
