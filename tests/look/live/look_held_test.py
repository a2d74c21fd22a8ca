#!/usr/bin/env python3
"""Looks at a thread that a debugger holds right after its call has returned: the kernel still shows
the call, but the thread does not wait in it."""
import ctypes
import os
import socket
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
import lab
import schemas

PTRACE_SYSCALL, PTRACE_SEIZE, PTRACE_INTERRUPT = 24, 0x4206, 0x4207  # linux/ptrace.h
KILL_WITH_TRACER, MARK_CALLS = 0x100000, 1  # PTRACE_O_EXITKILL, PTRACE_O_TRACESYSGOOD
WALL = 0x40000000  # __WALL in waitpid(2)


def ptrace(request, process, data=0):
    call = ctypes.CDLL(None, use_errno=True).ptrace
    call.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    if call(request, process, None, data) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")


def thread_of(process):
    done = subprocess.run([lab.TCPLAB, "look", str(process), "--json"], capture_output=True,
                          text=True, check=False, timeout=60)
    return schemas.checked(done.stdout)["processes"][0]["threads"][0]


class Held(unittest.TestCase):
    def test_a_call_that_has_returned_is_no_wait(self):
        listener = socket.create_server(("127.0.0.1", 0))
        client = socket.create_connection(listener.getsockname())
        server, _ = listener.accept()
        reader = os.fork()
        if reader == 0:
            client.recv(10)
            os._exit(0)
        self.addCleanup(os.waitpid, reader, 0)
        self.addCleanup(os.kill, reader, 9)
        for each in (listener, client, server):
            self.addCleanup(each.close)
        while thread_of(reader)["does"] != "waits":  # ctest ends a test that hangs
            time.sleep(0.02)
        ptrace(PTRACE_SEIZE, reader, KILL_WITH_TRACER | MARK_CALLS)
        self.assertEqual(thread_of(reader)["does"], "waits")  # traced, and not held
        ptrace(PTRACE_INTERRUPT, reader)
        os.waitpid(reader, WALL)
        for _ in range(2):  # the restarted call: its entry, its return
            ptrace(PTRACE_SYSCALL, reader)
            server.send(b"x")
            os.waitpid(reader, WALL)
        before = lab.Path(f"/proc/{reader}/syscall").read_text(encoding="utf-8")
        self.assertFalse(before.startswith(("running", "-1")), before)
        self.assertEqual(thread_of(reader)["does"], "other")


if __name__ == "__main__":
    lab.main()
