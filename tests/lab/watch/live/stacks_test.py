#!/usr/bin/env python3
"""Checks option `stack` of host:run: the stack of a failing call is on its event, in the ladder, in
the text of a failure and on the page, and calls still come before the end of their program."""
import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import guests
import lab
from chromium import Chromium

DIALER = """\
#include <arpa/inet.h>
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

int main(int count, char** words) {
  address.sin_port = htons(8080);
  inet_pton(AF_INET, words[count - 1], &address.sin_addr);
  pthread_t thread;
  pthread_create(&thread, 0, in_thread, 0);
  pthread_join(thread, 0);
  reach_server();  // in main
  return 0;
}
"""
SCRIPT = """return {
  title = "Stacks", asks = "Where does the call fail?", tags = { "tests" },
  run = function(lab)
    local kang, kodos = lab:pair()
    local client = kang:run { "./dialer", kodos:address(), stack = %s }
    lab:expect(client):call("connect"):fails "ECONNREFUSED"
    lab:expect(client):exits(0)
    %s
  end,
}
"""


def line_of(text):
    return next(number for number, line in enumerate(DIALER.splitlines(), 1) if text in line)


class Stacks(unittest.TestCase):
    def setUp(self):
        lab.need("cc")
        self.out = lab.Folder()
        self.addCleanup(self.out.cleanup)
        self.folder = Path(self.out.name)
        source = self.folder / "dialer.c"
        source.write_text(DIALER, encoding="utf-8")
        subprocess.run(["cc", "-g", "-O1", "-pthread", source, "-o", self.folder / "dialer"],
                       check=True)

    def run_with(self, stack, *options, then="", status=0):
        script = self.folder / "stacks.lua"
        script.write_text(SCRIPT % (stack, then), encoding="utf-8")
        run = lab.Run(script, self.folder, *options)
        self.assertEqual(run.status, status, run.said())
        return run

    def failing(self, run):
        return [event for event in run.events("call") if event.get("result") == -1]

    def frame(self, function, text):
        return f"{function} (dialer, {self.folder}/dialer.c:{line_of(text)})"

    def test_each_thread_and_the_order_of_events(self):
        self.see_threads(self.run_with('{ "ECONNREFUSED", "EPIPE" }'))

    @guests.needs_kernel
    def test_a_host_with_a_kernel_of_its_own(self):
        self.see_threads(self.run_with('{ "ECONNREFUSED", "EPIPE" }', "--kernel", "6.1"))

    def see_threads(self, run):
        connects = [call for call in self.failing(run) if call["call"] == "connect"]
        self.assertEqual(len(connects), 2, run.said())
        in_thread, in_main = (call["stack"] for call in connects)
        self.assertIn(self.frame("reach_server", "connect(client"), in_thread)
        self.assertIn(self.frame("in_thread", "// in the thread"), in_thread)
        self.assertIn(self.frame("main", "// in main"), in_main)
        kinds = [event["kind"] for event in run.events("call", "program")]
        self.assertEqual(kinds[-1], "program", "the end comes after all calls")

    def test_a_program_in_python_has_its_own_functions(self):
        """In a PID namespace, as each host has one, a thread's number is another."""
        (self.folder / "shop.py").write_text("import socket, sys\n"
                                             "def reach(): socket.socket(FAMILY).connect(PLACE)\n"
                                             "def order(): reach()\n"
                                             "FAMILY, PLACE = socket.AF_INET, (sys.argv[1], 8080)\n"
                                             "try: order()\n"
                                             "except OSError: pass\n", encoding="utf-8")
        script = self.folder / "python.lua"
        script.write_text((SCRIPT % ('"any"', "")).replace('"./dialer"', '"python3", "shop.py"'),
                          encoding="utf-8")
        run = lab.Run(script, self.folder)
        self.assertEqual(run.status, 0, run.said())
        stack = next(call["stack"] for call in self.failing(run) if call["call"] == "connect")
        python = [frame.replace(f"{self.folder}/", "") for frame in stack if "shop.py" in frame]
        self.assertEqual(python, ["reach (shop.py:2)", "order (shop.py:3)", "<module> (shop.py:5)"],
                         stack)

    def test_other_failures_have_no_stack(self):
        run = self.run_with('"ETIMEDOUT"')
        self.assertTrue(self.failing(run))
        self.assertFalse([call for call in run.events("call") if "stack" in call])

    def test_every_view(self):
        run = self.run_with('"any"', then='lab:expect(client):within(0.1):prints "x"', status=1)
        failure = (run.folder / "failure.txt").read_text(encoding="utf-8")
        self.assertIn("at reach_server (dialer, ", failure)
        shown = subprocess.run([lab.TCPLAB, "show", "-v", run.folder], capture_output=True,
                               text=True, check=True).stdout
        self.assertIn("at reach_server (dialer, ", shown)
        brief = subprocess.run([lab.TCPLAB, "show", run.folder], capture_output=True, text=True,
                               check=True).stdout
        self.assertNotIn("at reach_server", brief)
        page = self.folder / "page"
        subprocess.run([lab.TCPLAB, "report", run.folder, "--html", page], capture_output=True,
                       check=True)
        call = next(each for each in self.failing(run) if each["call"] == "connect")
        self.see_page(next(page.glob("stacks*.html")), call)

    def see_page(self, page, call):
        browser = Chromium()
        self.addCleanup(browser.close)
        browser.open(f"{page.as_uri()}#event={call['n']}")
        folded = browser.run("document.querySelector('.details .stack').open")
        self.assertFalse(folded, "the stack is folded")
        frames = browser.run(
            "[...document.querySelectorAll('.details .stack li')].map((e) => e.textContent)")
        self.assertEqual(frames, call["stack"])

    def test_bad_words(self):
        for stack, says in (('"ETIMEDOUTS"', "'ETIMEDOUTS' is neither 'any' nor the name"),
                            ("7", "`stack` must be a text or a list"),
                            ('"any", watch = false', "option `stack` needs the tracer")):
            run = self.run_with(stack, status=2)
            self.assertIn(says, run.errors + run.output)


if __name__ == "__main__":
    lab.main()
