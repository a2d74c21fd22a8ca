#!/usr/bin/env python3
"""Checks rules that are given with the program (`inject` of host:run): they act on its first call.
A rule that never acts fails the run."""
import sys
import unittest

sys.dont_write_bytecode = True
import lab

SCRIPT = """return {
  title = "First", asks = "Who changes the first call?", tags = { "tests" },
  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-k", "-l", 8080)
    local client = kang:run {
      "python3", "-c", [[
import errno, socket, sys
try:
    socket.create_connection((sys.argv[1], 8080)).send(b"hello")
    print("connected", flush=True)
except OSError as error:
    print(errno.errorcode[error.errno], flush=True)
sys.stdin.readline()
]], kodos:address(), %s
    }
    lab:expect(client):within(20):prints %s
    %s
  end,
}
"""


class First(unittest.TestCase):
    def setUp(self):
        lab.need("python3")
        self.out = lab.Folder()
        self.addCleanup(self.out.cleanup)

    def run_with(self, inject, prints, then="", status=0):
        script = f"{self.out.name}/first.lua"
        with open(script, "w", encoding="utf-8") as file:
            file.write(SCRIPT % (inject, prints, then))
        run = lab.Run(script, self.out.name)
        self.assertEqual(run.status, status, run.said())
        return run

    def test_the_first_call(self):
        run = self.run_with('inject = { call = "connect", errno = "EHOSTUNREACH" }',
                            '"EHOSTUNREACH"',
                            'lab:expect(client):call("connect"):fails "EHOSTUNREACH"')
        connects = [call for call in run.events("call")
                    if call["call"] == "connect" and call["program"] == "python3"]
        self.assertEqual([call.get("errno") for call in connects], ["EHOSTUNREACH"])
        self.assertTrue(connects[0]["injected"])
        actions = [event for event in run.events("action") if event["verb"] == "inject"]
        self.assertEqual(len(actions), 1)

    def test_a_list_of_rules(self):
        run = self.run_with('inject = { { call = "send", errno = "ENOBUFS" }, '
                            '{ call = "connect", delay = 0.2 } }', '"ENOBUFS"',
                            'lab:expect(client):call("send"):fails "ENOBUFS"')
        connect = next(call for call in run.events("call") if call.get("injected_delay"))
        self.assertEqual((connect["call"], connect["injected_delay"]), ("connect", 200_000_000))

    def test_a_rule_that_never_acts_fails_the_run(self):
        run = self.run_with('inject = { call = "send", errno = "ENOBUFS", nth = 2 }',
                            '"connected"', status=1)
        said = " ".join(run.output.split())
        self.assertIn("the injection into send of kang's python3 acts", said)
        self.assertIn("1 calls matched it, and its `nth` is 2", said)

    def test_a_rule_of_a_program_that_has_ended(self):
        run = self.run_with('name = "client"', '"connected"', """
            client:inject("recv", { errno = "EINTR" })
            client:close_stdin()
            lab:expect(client):exits(0)""", status=1)
        self.assertIn("no call matched it", " ".join(run.output.split()))

    def test_what_may_stay_idle(self):
        self.run_with('inject = { call = "send", errno = "ENOBUFS", nth = 2, optional = true }',
                      '"connected"')
        self.run_with('name = "client"', '"connected"',
                      'client:inject("recv", { errno = "EINTR" }):remove()')

    def test_bad_words(self):
        for inject, says in (('inject = { errno = "EINTR" }', "call"),
                             ('inject = { call = "close", errno = "EINTR" }', "did you mean"),
                             ('inject = { call = "recv" }', "say what happens to the call"),
                             ('inject = { call = "recv", errno = "EINTR" }, watch = false',
                              "needs the tracer")):
            run = self.run_with(inject, '"x"', status=2)
            self.assertIn(says, run.output + run.errors)


if __name__ == "__main__":
    lab.main()
