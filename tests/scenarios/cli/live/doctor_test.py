#!/usr/bin/env python3
"""Checks what `tcplab doctor` says about tracing, where the kernel allows it and where not."""
import platform
import re
import subprocess
import unittest

import lab
import refusal


def doctor(**more):
    """Returns what it says about tracing, without the breaks of lines, and its exit status."""
    done = subprocess.run([lab.TCPLAB, "doctor"], capture_output=True, text=True, check=False,
                          timeout=300, **more)
    said = " ".join(done.stdout.split())
    return re.search(r"(ok|limited|missing) tracing of programs: .*?(?= (ok|limited|missing) )",
                     said)[0], done.returncode


class Doctor(unittest.TestCase):
    def test_tracing_works_here(self):
        self.assertEqual(doctor(), ("ok tracing of programs: tcplab can record the calls of any "
                                    "program", 0))

    @unittest.skipUnless(platform.machine() == "x86_64", "the numbers of calls are x86-64's")
    def test_what_a_container_refuses_is_named_with_a_fix(self):
        for call, word in [(refusal.PTRACE, "ptrace"), (refusal.PIDFD_GETFD, "pidfd_getfd")]:
            said, status = doctor(preexec_fn=refusal.refuse(call))
            self.assertRegex(said, rf"^limited tracing of programs: {word}\(2\) is refused; .*"
                                   r"watch = false fix: docker run --cap-add SYS_PTRACE \.\.\.$")
            self.assertEqual(status, 0)


if __name__ == "__main__":
    lab.main()
