#!/usr/bin/env python3
"""Checks `tcplab trace --abort-on` and `--stop-on`: a core file, or a stopped program for a
debugger, at the call that fails."""
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest

import lab

# The thread that fails is not the first. connect fails, and then the program says so.
DIALER = """
import socket, threading
owner = socket.socket(); owner.bind(("127.0.0.1", 0))
def dial():
    with socket.socket() as client: print(client.connect_ex(owner.getsockname()), flush=True)
    print("after", flush=True)
thread = threading.Thread(target=dial); thread.start(); thread.join()
"""

DIALER_C = """
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>
int reach_server(struct sockaddr_in* address) {
  return connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr*)address, sizeof *address);
}
int main(void) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t size = sizeof address;
  int owner = socket(AF_INET, SOCK_STREAM, 0);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  bind(owner, (struct sockaddr*)&address, size);
  getsockname(owner, (struct sockaddr*)&address, &size);
  reach_server(&address);
  return write(1, "after", 5) - 5;
}
"""


def start(command, *options, **more):
    return subprocess.Popen([lab.TCPLAB, "trace", *options, "--", *command], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def finish(process):
    output, errors = process.communicate(timeout=60)
    return output, errors, process.returncode


def limit_core(size):
    return lambda: resource.setrlimit(resource.RLIMIT_CORE,
                                      (size, resource.getrlimit(resource.RLIMIT_CORE)[1]))


# AddressSanitizer turns core files off, for what it starts, too.
CORES_ALLOWED = {**os.environ, "ASAN_OPTIONS": "disable_coredump=0"}


def status_of(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as lines:
        return dict(line.rstrip("\n").split(":\t", 1) for line in lines if ":\t" in line)


class Traps(unittest.TestCase):
    def stopped(self, process, path):
        """Waits for the note about a stopped process in a trace file, and returns its id."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and process.poll() is None:
            for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
                event = json.loads(line)
                if event["kind"] == "note" and "is stopped" in event["text"]:
                    pid = int(event["text"].split()[1])
                    if status_of(pid)["State"].startswith("T (stopped)"):
                        return pid
            time.sleep(0.01)  # a wait for another process's file
        self.fail("no process was stopped")

    @unittest.skipUnless(shutil.which("cc"), "needs a C compiler")
    def test_the_program_aborts_at_the_call_even_if_it_blocks_signals(self):
        with lab.Folder() as folder:
            (folder / "dialer.c").write_text(DIALER_C, encoding="utf-8")
            subprocess.run(["cc", "-g", "-o", "dialer", "dialer.c"], check=True, cwd=folder)
            output, errors, status = finish(start(["./dialer"], "--abort-on", "ECONNREFUSED",
                                                  cwd=folder, preexec_fn=limit_core(-1),
                                                  env=CORES_ALLOWED))
            self.assertEqual((output, status), ("", 128 + signal.SIGABRT), errors)
            last = errors.splitlines()[-1]
            self.assertRegex(last, r"; its connections and calls: tcplab look /\S+$")
            self.assertRegex(last, r"process \d+ aborted at connect: ECONNREFUSED; core dumped")
            cores = [file for file in folder.glob("core*") if file.suffix != ".json"]
            if cores and shutil.which("gdb"):  # else core_pattern puts it elsewhere
                shown = subprocess.run(["gdb", "-batch", "-ex", "bt", "dialer", cores[0]],
                                       capture_output=True, text=True, cwd=folder, check=True)
                self.assertRegex(shown.stdout, r"#1 .*reach_server.*dialer\.c:7")

    def test_without_a_core_file_it_says_why(self):
        with lab.Folder() as folder:
            process = start([sys.executable, "-c", DIALER], "--abort-on", "ECONNREFUSED",
                            preexec_fn=limit_core(0), cwd=folder)
            output, errors, status = finish(process)
        self.assertEqual((output, status), ("", 128 + signal.SIGABRT), errors)
        self.assertIn("no core file: its limit is 0 (ulimit -c unlimited)", errors)

    def test_other_errors_do_not_abort(self):
        for option in ("--abort-on", "--stop-on"):
            output, errors, status = finish(start([sys.executable, "-c", DIALER], option, "EPIPE"))
            self.assertEqual((output, status), ("111\nafter\n", 0), errors)

    def test_a_stopped_program_can_go_on_or_be_debugged(self):
        with lab.Folder() as folder:
            process = start([sys.executable, "-c", DIALER], "--stop-on", "ECONNREFUSED", "-f",
                            "json", "-o", folder / "trace", cwd=folder)
            pid = self.stopped(process, folder / "trace")
            status = status_of(pid)
            self.assertEqual((status["TracerPid"].strip(), status["Seccomp"].strip()), ("0", "0"))
            if shutil.which("gdb"):
                shown = subprocess.run(["gdb", "-batch", "-p", str(pid), "-ex",
                                        "thread apply all bt 1"], capture_output=True, text=True,
                                       check=True)
                self.assertIn("connect", shown.stdout)
            lab.os.kill(pid, signal.SIGCONT)
            output, errors, code = finish(process)
        self.assertEqual((output, code), ("111\nafter\n", 0), errors)

    def test_tracing_without_the_filter_sees_the_same_calls(self):
        def calls(*options):
            with lab.Folder() as folder:
                done = finish(start([sys.executable, "-c", DIALER], "-f", "json", "-o",
                                    folder / "trace", *options))
                self.assertEqual(done[2], 0, done[1])
                lines = (folder / "trace").read_text(encoding="utf-8").splitlines()
            events = [json.loads(line) for line in lines]
            return [(one["call"], one["result"]) for one in events if one["phase"] == "return"]
        self.assertEqual(calls("--stop-on", "EPIPE"), calls())


if __name__ == "__main__":
    lab.main()
