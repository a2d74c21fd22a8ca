#!/usr/bin/env python3
"""Measures what one stack costs: of a call that fails, under `tcplab trace --stack` and under
strace(1) with -k, each less what the same call costs under the same tracer without stacks. Also
the time of one look at a waiting Python program: `tcplab look` and `py-spy dump`, where installed.

The load makes its calls ten functions deep, in C and in Python. It measures how long a call takes
(what the program waits). The processor time is that of tracer and program together. Each round runs
all, so that a busy machine slows down all; figures are medians. Prints lines for bench/run.

Usage: bench/stack_cost.py BUILD_FOLDER [PYTHON]"""
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

IS_BRIEF = "TCPLAB_BENCH_BRIEFLY" in os.environ
ROUNDS = 1 if IS_BRIEF else 9
CALLS = 50 if IS_BRIEF else 1000
LOOKS = 1 if IS_BRIEF else 15
DEPTH = 10
MICRO = 1e6

# Both print the nanoseconds of one call, which fails with ENOTCONN.
C_LOAD = "#include <stdio.h>\n#include <stdlib.h>\n#include <sys/socket.h>\n#include <time.h>\n" + (
    "static char byte;\n"
    "__attribute__((noinline)) long f0(int s) { return recv(s, &byte, 1, 0) + 1; }\n") + "".join(
    f"__attribute__((noinline)) long f{n}(int s) {{ return f{n - 1}(s) + 1; }}\n"
    for n in range(1, DEPTH)) + """
static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}
int main(int argc, char** argv) {
  const int count = atoi(argv[argc - 1]), s = socket(AF_INET, SOCK_STREAM, 0);
  long sum = f%d(s);  /* the first call: files of the program are read */
  const long start = now();
  for (int i = 0; i < count; ++i) sum += f%d(s);
  printf("%%ld\\n", (now() - start) / count);
  return sum == 0;
}
""" % (DEPTH - 1, DEPTH - 1)

PYTHON_LOAD = """
import socket, sys, time
s = socket.socket()
def f0():
    try: s.recv(1)
    except OSError: pass
""" + "".join(f"def f{n}(): f{n - 1}()\n" for n in range(1, DEPTH)) + f"""
count = int(sys.argv[-1])
f{DEPTH - 1}()
start = time.monotonic_ns()
for _ in range(count): f{DEPTH - 1}()
print((time.monotonic_ns() - start) // count)
"""

WAITING = "import socket\n" + (
    "a = socket.create_server(('127.0.0.1', 0)); b = socket.create_connection(a.getsockname())\n"
    "def f0(): b.recv(1)\n") + "".join(
    f"def f{n}(): f{n - 1}()\n" for n in range(1, DEPTH)) + f"f{DEPTH - 1}()\n"


def complain(text):
    print(f"bench/stack_cost.py: {text}", file=sys.stderr)


def has_strace_k():
    if not shutil.which("strace"):
        return complain("strace is not installed")
    version = subprocess.run(["strace", "-V"], capture_output=True, text=True, check=True).stdout
    return "stack-trace" in version or complain("this strace cannot print stacks (-k)")


class Tracer:
    """A way to run the load without stacks, and with the stack of each failing call."""

    def __init__(self, name, plain, stacked, frame):
        self.name, self.plain, self.stacked = name, plain, stacked
        self.frame = frame  # what a line has that is a frame of the innermost own function

    def costs(self, load, file):
        """Returns what a stack adds to a call: (seconds waited, seconds of processor time)."""
        without, with_stacks = (run([*way, file, *load]) for way in (self.plain, self.stacked))
        stacks = file.read_text(encoding="utf-8", errors="replace").count(self.frame)
        if stacks < CALLS:
            sys.exit(f"bench/stack_cost.py: {self.name}: {stacks} stacks of {CALLS} calls")
        return [stacked - plain for stacked, plain in zip(with_stacks, without)]


def run(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*map(str, command), str(CALLS)], stdout=subprocess.PIPE, text=True,
                          check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return int(done.stdout) / 1e9, used / CALLS


def tracers(build, ours, theirs):
    tcplab = [build / "bin/tcplab", "trace"]
    yield Tracer("tcplab trace", [*tcplab, "-o"], [*tcplab, "--stack", "any", "-o"], ours)
    strace = ["strace", "-f", "--seccomp-bpf", "-e", "trace=%network"]
    if has_strace_k():
        yield Tracer("strace -f -k", [*strace, "-o"], [*strace, "-k", "-o"], theirs)


def measure(what, build, folder, load, frames):
    """Prints the lines of one load: what the program waits, and the processor time."""
    ways = list(tracers(build, *frames))
    costs = [[] for _ in ways]
    for _ in range(ROUNDS):
        for index, way in enumerate(ways):
            costs[index].append(way.costs(load, folder / "trace"))
    for kind, about in enumerate(("the program waits", "processor time")):
        ours, *others = [statistics.median(each[kind] for each in cost) * MICRO for cost in costs]
        peer, theirs = (ways[1].name, others[0]) if others else ("", 0)
        print(f"{f'a stack of {what}: {about}':50} {ours:10.1f} us  {peer:25} {theirs:10.1f} us",
              flush=True)


def look(build, python):
    """Prints the time of one look at a waiting program, as a command."""
    commands = {"tcplab look": [build / "bin/tcplab", "look"]}
    if shutil.which("py-spy"):
        commands["py-spy dump"] = ["py-spy", "dump", "--pid"]
    else:
        complain("py-spy is not installed")
    took = {name: [] for name in commands}
    with subprocess.Popen([python, "-c", WAITING]) as program:
        try:
            while "f0" not in shown(commands["tcplab look"], program.pid):
                time.sleep(0.01)
            for _ in range(LOOKS):
                for name, command in commands.items():
                    start = time.monotonic()
                    if "f0" not in shown(command, program.pid):
                        sys.exit(f"bench/stack_cost.py: {name} does not show the stack")
                    took[name].append((time.monotonic() - start) * 1e3)
        finally:
            program.kill()
    ours, *others = [statistics.median(each) for each in took.values()]
    peer, theirs = ("py-spy dump", others[0]) if others else ("", 0)
    print(f"{'a look at a Python program that waits':50} {ours:10.1f} ms  {peer:25} "
          f"{theirs:10.1f} ms", flush=True)


def shown(command, process):
    return subprocess.run([*map(str, command), str(process)], capture_output=True, text=True,
                          check=False).stdout


def main():
    build = Path(sys.argv[1]).resolve()
    python = sys.argv[2] if len(sys.argv) > 2 else "python3"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "load.c").write_text(C_LOAD, encoding="utf-8")
        subprocess.run(["cc", "-O1", "-g", "-o", folder / "load", folder / "load.c"], check=True)
        (folder / "load.py").write_text(PYTHON_LOAD, encoding="utf-8")
        measure("C", build, folder, [folder / "load"], ("f0 (", "(f0+"))
        # strace has the frames of the interpreter only.
        measure("Python", build, folder, [python, folder / "load.py"], ("at f0 (", "sock_recv"))
        look(build, python)


if __name__ == "__main__":
    main()
