#!/usr/bin/env python3
"""Checks that lab:timer knows each socket option that a program has set before it said so on its
standard output: the tracer tells calls up to 1 ms later."""
import shutil
import sys
import unittest

sys.dont_write_bytecode = True
import lab

PROGRAM = """import socket, sys
s = socket.socket()
s.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 100)
s.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 1)
for line in sys.stdin:
    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, int(line))
    print("set", line, end="", flush=True)
"""


class ToldOptions(lab.LinesTest):
    def setUp(self):
        super().setUp()
        lab.need("python3")

    def check_options(self, options, *arguments):
        script = self.script(f"""
local program = kang:run("python3", "-c", [[{PROGRAM}]], {options})
for count = 1, 40 do
  program:type(count .. "\\n")
  lab:expect(program):prints("set " .. count)
  local timer = lab:timer("keepalive_timeout", program)
  lab:check(timer == 100 + count, "keepalive_timeout " .. timer .. " of " .. count .. " probes")
end
program:close_stdin()
lab:expect(program):exits(0)""")
        run = lab.Run(script, self.out.name, *arguments)
        self.assertEqual(run.status, 0, run.said())

    def test_an_option_is_known_once_the_program_has_said_so(self):
        self.check_options("{}")

    def test_also_if_calls_wait_for_the_names_of_stacks(self):
        self.check_options('{ stack = "any" }')

    @unittest.skipIf(shutil.which("linux.uml") is None, "user-mode-linux is not installed")
    def test_also_on_kernel_hosts(self):
        self.check_options("{}", "--kernel", "6.1")


if __name__ == "__main__":
    lab.main()
