#!/usr/bin/env python3
"""Checks that a program sees what a script injects into its calls, and that every view says so."""
import os
import platform
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

# Sends 9 bytes with one system call, and prints its result and the register of its count.
REGISTERS = r"""
#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/syscall.h>
int main(int count, char **words) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(8080)};
  inet_pton(AF_INET, words[1], &to.sin_addr);
  int made = socket(AF_INET, SOCK_STREAM, 0);
  if (getchar() == EOF || connect(made, (struct sockaddr *)&to, sizeof to) != 0) return 1;
  register long flags __asm__("r10") = 0, address __asm__("r8") = 0, size __asm__("r9") = 0;
  long result = SYS_sendto, bytes = 9;
  __asm__ volatile("syscall" : "+a"(result), "+d"(bytes)
                   : "D"(made), "S"("123456789"), "r"(flags), "r"(address), "r"(size)
                   : "rcx", "r11", "memory");
  printf("%ld of %ld\n", result, bytes);
  return 0;
}
"""
REGISTERS_SCRIPT = """return {
  title = "T", asks = "Q?",
  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:run("%s", kodos:address())
    client:inject("send", { bytes = 3 })
    client:type "\\n"
    lab:expect(client):prints "3 of 9"
    lab:expect(server):prints "123"
  end,
}
"""
CASES = ("errors", "short", "delays", "where", "refused")


def tcplab(*arguments):
    done = subprocess.run([lab.TCPLAB, *arguments], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


class Injected(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        lab.need("python3")
        cls.out = lab.Folder()
        cls.addClassCleanup(cls.out.cleanup)
        cls.run_ = lab.Run("injected.lua", cls.out.name)

    def folder(self, case):
        return Path(self.out.name, f"injected-{case}-ipv4")

    def test_a_program_sees_exactly_what_is_injected(self):
        self.assertEqual(self.run_.status, 0, self.run_.said())
        self.assertIn(f"{len(CASES)} passed", self.run_.said())

    def test_on_ipv6(self):
        with lab.Folder() as out:
            run = lab.Run("injected.lua", out, family="6")
            self.assertEqual(run.status, 0, run.said())

    def test_every_view_marks_it(self):
        folder = self.folder("errors")
        shown = tcplab("show", folder)
        self.assertRegex(shown, "-1 EINTR .*\n.* injected ")
        self.assertIn("inject python3: recv fails with EINTR, call 2", shown)
        self.assertIn("remove python3: recv fails with EIO", shown)
        transcript = (folder / "transcript.txt").read_text(encoding="utf-8")
        self.assertRegex(transcript, "-1 EINTR.*\n.* injected")
        pages = Path(self.out.name, "pages")
        tcplab("report", folder, "--html", pages)
        page = next(pages.glob("*errors*.html")).read_text(encoding="utf-8")
        self.assertRegex(re.sub("<[^>]*>", " ", page), r"-1 EINTR\s[\s\d.]+kang: injected\s")
        delayed = tcplab("show", self.folder("delays"))
        self.assertIn("injected delay of 300.0 ms", delayed)
        differences = tcplab("diff", folder, self.folder("short"))
        self.assertIn("fails EINTR, injected", differences)

    @unittest.skipUnless(platform.machine() == "x86_64", "its assembly is x86-64's")
    def test_the_arguments_of_a_short_call_are_as_before_when_it_returns(self):
        lab.need("cc")
        # Programs see no files in /tmp.
        with tempfile.TemporaryDirectory(dir=os.environ["TCPLAB_BUILD_DIR"]) as folder:
            program, script = Path(folder, "registers"), Path(folder, "registers.lua")
            program.with_suffix(".c").write_text(REGISTERS, encoding="utf-8")
            subprocess.run(["cc", "-o", program, program.with_suffix(".c")], check=True)
            script.write_text(REGISTERS_SCRIPT % program, encoding="utf-8")
            run = lab.Run(script, folder)
            self.assertEqual(run.status, 0, run.said())

    def test_only_changed_calls_are_marked(self):
        self.run_.folder = self.folder("short")
        marked = [(event["call"], event["result"]) for event in self.run_.events("call")
                  if event.get("injected")]
        self.assertEqual(marked, [("sendto", 3), ("writev", 5), ("sendmsg", 3), ("recvfrom", 1),
                                  ("recvfrom", 2)])


if __name__ == "__main__":
    lab.main()
