#!/usr/bin/env python3
"""Checks that a start waits until a program that was killed before is gone. Its port is free only
then: the kernel first frees the memory of a process, which takes long if it has much, and closes
its sockets after that (do_exit())."""
import sys

sys.dont_write_bytecode = True
import lab

# Holds the port with 400 MB of memory, which takes tens of milliseconds to free.
HOLDS_PORT = """import socket
memory = bytearray(b"x") * (400 << 20)
holder = socket.create_server(("", 8080))
print("listens", flush=True)
holder.accept()"""


class Restart(lab.LinesTest):
    BEFORE = "local kang, kodos = lab:pair()"

    def lines(self, end):
        return f"""
local old = kodos:run("python3", "-c", [[{HOLDS_PORT}]])
lab:expect(old):within(20):prints "listens"
{end}
local new = kodos:dnc("-l", 8080)
local client = kang:dnc(kodos, 8080)
lab:expect(new):in_state "ESTABLISHED"
"""

    def test_after_a_kill_the_port_is_free(self):
        self.run_lines(self.lines("old:kill()"))

    def test_a_start_does_not_wait_for_processes_that_were_not_killed(self):
        """Only the main process gets the signal; its child lives on, and holds nothing up."""
        run = self.run_lines("""
for _ = 1, 6 do
  local old = kodos:run("sh", "-c", "sleep 60 & echo started; wait")
  lab:expect(old):prints "started"
  old:kill { only = "main" }
  local new = kodos:run("true")
  lab:expect(new):exits(0)
  lab:expect(old):killed_by "SIGKILL"
end
""")
        started = [event["t"] for event in run.events("program") if event["change"] == "started"]
        self.assertEqual(len(started), 12)
        self.assertLess(started[-1] - started[0], 25e9)  # a wait for each child would take 6 x 5 s

    def test_a_stopped_dnc_is_gone_before_the_next_starts(self):
        self.run_lines("""
local server
for _ = 1, 10 do
  server = kodos:dnc("-l", 8080)
  server:stop "SIGINT"
end
lab:expect(server):killed_by "SIGINT"  -- a start on another host does not wait for it
local client = kang:dnc(kodos, 8080)
lab:expect(client):exits(1)
""")


if __name__ == "__main__":
    lab.main()
