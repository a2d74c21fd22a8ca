#!/usr/bin/env python3
"""Checks that the calls of any program are recorded and changed on kernel hosts, as on namespace
hosts."""
import sys

sys.dont_write_bytecode = True
import guests
import lab

KERNEL = ("--kernel", "6.1")
CLIENT = """import socket
s = socket.create_connection(("kodos", 8080))
s.settimeout(None)
s.sendall(b"ask")
print(s.recv(100), flush=True)
"""


@guests.needs_kernel
class KernelCalls(lab.LinesTest):
    BEFORE = "local kang, kodos = lab:pair()"

    def setUp(self):
        super().setUp()
        lab.need("python3")

    def passes(self, script, *options, timeout=300):
        run = lab.Run(script, self.out.name, *KERNEL, *options, timeout=timeout)
        self.assertEqual(run.status, 0, run.said())
        return run

    def test_a_blocked_call_is_seen_and_not_interrupted_for_an_hour(self):
        run = self.passes(self.script(f"""
  local server = kodos:dnc("-l", 8080)
  lab:expect(server):call("listen"):returns(0)
  local client = kang:run("python3", "-c", [[{CLIENT}]])
  lab:expect(client):within(20):call("connect"):returns(0)
  lab:expect(client):call("send"):returns(3)
  lab:expect(client):call("recv"):is_entered()
  lab:idle(lab.hour)
  server:type "answer"
  lab:expect(client):call("recv"):returns(6)
  lab:expect(client):exits(0)"""), "--timers", "stock")
        received = [call for call in run.events("call")
                    if call["host"] == "kang" and call["call"] == "recvfrom"]
        self.assertEqual([call["phase"] for call in received], ["enter", "return"])
        entered, returned = received
        self.assertEqual(returned["entered"], entered["t"])
        self.assertGreater(returned["t"] - entered["t"], 3600e9)
        self.assertTrue(returned["remote"].endswith(":8080"), returned)
        # The clock of calls is that of frames.
        sent = next(call for call in run.events("call")
                    if call["host"] == "kang" and call["call"].startswith("send"))
        data = next(packet for packet in run.events("packet")
                    if packet["from"] == "kang" and packet.get("length") == 3)
        self.assertLessEqual(sent["entered"], data["sent"])
        self.assertLessEqual(data["sent"], sent["t"])

    def test_threads_and_children(self):
        self.passes("watched.lua")

    def test_a_program_sees_exactly_what_is_injected(self):
        run = self.passes("injected.lua")
        self.assertIn("5 passed", run.said())

    def test_a_rule_that_never_acts_fails_the_run_also_after_a_power_cut(self):
        run = lab.Run(self.script("""
  local client = kang:run{ "python3", "-c", "import time; print(1, flush=True); time.sleep(99)",
                           inject = { call = "recv", errno = "EINTR" } }
  lab:expect(client):within(20):prints "1"
  kang:power_off()"""), self.out.name, *KERNEL)
        self.assertEqual(run.status, 1, run.said())
        self.assertIn("recv", run.said())

    def test_each_socket_has_the_options_of_the_script(self):
        self.passes("socket-options.lua")


if __name__ == "__main__":
    lab.main()
