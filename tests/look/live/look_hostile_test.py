#!/usr/bin/env python3
"""Looks at programs whose memory and files are made to hold a reader: loops, and a pipe in place
of a file. `tcplab look` ends, and names nothing that they made up."""
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import lab

# A program waits in accept(2), after it has laid its trap.
PROGRAM = """\
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

%s

int main(int count, char **words) {
  (void)count;
  trap(words[0]);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  bind(listener, (void *)&address, sizeof address);
  listen(listener, 1);
  puts("ready");
  fflush(stdout);
  return accept(listener, 0, 0);
}
"""
# The frame of this "Python 3.12" is its own caller.
LOOP = """\
unsigned long Py_Version = 0x030c02f0;
char PyCode_Type[64], PyUnicode_Type[64], PyBytes_Type[64], _PyRuntime[4096];
static char interpreter[4096], thread[4096], cframe[64], frame[128];
#define AT(base, offset) (*(void **)((base) + (offset)))

static void trap(const char *name) {
  (void)name;
  AT(_PyRuntime, 40) = interpreter;
  AT(interpreter, 72) = thread;
  *(uint64_t *)(thread + 144) = syscall(SYS_gettid);
  AT(thread, 56) = cframe;
  AT(cframe, 0) = frame;
  AT(frame, 8) = frame;
  frame[70] = 3;
}
"""
# Its own file is gone, and a pipe has the name that the kernel shows then.
PIPE = """\
static void trap(const char *name) {
  char deleted[300];
  snprintf(deleted, sizeof deleted, "%s (deleted)", name);
  unlink(name);
  mkfifo(deleted, 0644);
}
"""


class Hostile(unittest.TestCase):
    def look(self, trap, *flags):
        lab.need("cc")
        with lab.Folder() as folder:
            (folder / "trap.c").write_text(PROGRAM % trap, encoding="utf-8")
            subprocess.run(["cc", *flags, "-o", "trap", "trap.c"], check=True, cwd=folder)
            with subprocess.Popen([folder / "trap"], stdout=subprocess.PIPE) as process:
                try:
                    self.assertEqual(process.stdout.readline(), b"ready\n")
                    return self.ended(process.pid)
                finally:
                    process.kill()

    def ended(self, process):
        """Looks until the program waits in accept(2)."""
        said = ""

        def look():
            nonlocal said
            done = subprocess.run([lab.TCPLAB, "look", str(process)], capture_output=True,
                                  text=True, check=False, timeout=300)
            said = done.stdout + done.stderr
            return "waits in accept" in said

        lab.wait_for(look, patience=300)
        self.assertIn("LISTEN", said)
        return said

    def test_memory_that_is_full_of_loops(self):
        self.assertIn("Python 3.12", self.look(LOOP, "-rdynamic"))  # it was taken for one

    def test_a_pipe_in_place_of_the_program_file(self):
        self.look(PIPE)


if __name__ == "__main__":
    lab.main()
