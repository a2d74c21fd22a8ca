#!/usr/bin/env python3
"""Checks what happens on kernel hosts when programs use too much."""
import os
import sys
import time

sys.dont_write_bytecode = True
import guests
import lab
import users

KERNEL = ("--family", "4", "--kernel", "6.1")
# It ends, whatever the kernel does.
FORKS = """
import os, time
for count in range(1000):
    try:
        if os.fork() == 0:
            time.sleep(1000)
            os._exit(0)
    except OSError as error:
        print(error.strerror, "after", count, flush=True)
        break
"""


@guests.needs_kernel
class KernelLimits(users.OrdinaryUser):
    def each_user(self, script, *options):
        """Runs a scenario as root and as an ordinary user, and yields the finished processes."""
        (self.home / "script.lua").write_text(script, encoding="utf-8")
        for part in ("tcplab-agent", "tcplab-guest.so"):
            (self.home / part).write_bytes((lab.BIN / part).read_bytes())
            (self.home / part).chmod(0o755)
        for number, tcplab in enumerate((self.as_root, self.as_user)):
            with self.subTest(tcplab.__name__):
                out = self.home / f"out{number}"
                out.mkdir()
                if os.geteuid() == 0 and tcplab == self.as_user:
                    os.chown(out, users.NOBODY, users.NOBODY)
                yield tcplab("run", "script.lua", *KERNEL, "--out", out, *options)

    def test_a_kernel_refuses_a_fork_bomb_and_the_lab_goes_on(self):
        script = f"""return {{ title = "T", asks = "Q?", run = function(lab)
  local kang, kodos = lab:pair()
  local bomb = kang:run("python3", "-c", [[{FORKS}]])
  lab:expect(bomb):within(60):prints "Resource temporarily unavailable"
  lab:expect(kodos:run("true")):within(20):exits(0)
  kang:power_cycle()
  lab:expect(kang:run("true")):within(20):exits(0)
end }}"""
        for done in self.each_user(script):
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_programs_that_compute_do_not_keep_a_run_beyond_its_timeout(self):
        script = """return { title = "T", asks = "Q?", run = function(lab)
  local kang = lab:pair()
  for _ = 1, 8 do kang:run("sh", "-c", "while :; do :; done") end
  lab:wait(lab.hour)
end }"""
        began = time.monotonic()
        for done in self.each_user(script, "--timeout", "5"):
            self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
            self.assertIn("the run took longer than 5 s of real time", done.stdout)
            self.assertIn("to allow more: tcplab run --limit seconds=NUMBER", done.stdout)
            # Ten times as long without a limit of real time.
            self.assertLess(time.monotonic() - began, 40)
            began = time.monotonic()


if __name__ == "__main__":
    lab.main()
