#!/usr/bin/env python3
"""Measures what tracing leaves of a real program's throughput: redis-benchmark and a Go HTTP
client, untraced, under `tcplab trace` and under strace(1) with --seccomp-bpf. The servers are not
traced. Each round runs all three, so that a busy machine slows down all; figures are medians of
requests in a second. Prints lines for bench/run.

Usage: bench/traced_programs.py BUILD_FOLDER"""
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROUNDS = 5
REDIS_REQUESTS = 20000
GO_REQUESTS = 5000
PATIENCE = 20  # seconds, for a server to start
UNTRACED, OURS, STRACE, STRACE_LIKE_OURS = range(4)
PEERS = {STRACE: "strace -f --seccomp-bpf", STRACE_LIKE_OURS: "the same, -tt -T -yy",
         UNTRACED: "untraced"}


def tracers(build):
    """Returns how the client is run; the last shows what ours shows: times, connections."""
    strace = ["strace", "-f", "--seccomp-bpf", "-e", "trace=%network,%desc", "-o", "/dev/null"]
    ours = [build / "bin/tcplab", "trace", "-f", "json", "-o", "/dev/null", "--"]
    return [[], ours, strace, [*strace, "-tt", "-T", "-yy"]]


def compare(what, build, client, rate_of):
    """Prints the lines of one client. `rate_of` reads the requests in a second from its output."""
    rates = [[] for _ in tracers(build)]
    for _ in range(ROUNDS):
        for way, tracer in enumerate(tracers(build)):
            done = subprocess.run([*tracer, *client], check=True, capture_output=True, text=True)
            rates[way].append(rate_of(done.stdout))
    medians = [statistics.median(each) for each in rates]
    for index, (way, peer) in enumerate(PEERS.items()):
        print(f"{what if index == 0 else '':50} {medians[OURS]:10.1f} req/s  {peer:25} "
              f"{medians[way]:10.1f} req/s", flush=True)


def wait_for(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            sys.exit("bench/traced_programs.py: a server did not start")
        time.sleep(0.02)


def redis(build, folder):
    path = folder / "redis.sock"
    port = "16379"
    command = ["redis-server", "--port", port, "--bind", "127.0.0.1", "--save", "", "--unixsocket",
               path, "--dir", folder]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        try:
            wait_for(path.exists)
            client = ["redis-benchmark", "-p", port, "-t", "get", "-n", str(REDIS_REQUESTS), "-q"]
            compare("redis-benchmark GET, traced", build, client,
                    lambda out: float(re.findall(r"([\d.]+) requests per second", out)[-1]))
        finally:
            server.terminate()


def go(build, folder):
    program = folder / "go_client"
    subprocess.run(["go", "build", "-o", program, HERE / "go_client.go"], check=True,
                   env={**os.environ, "GO111MODULE": "off"})
    port = folder / "port"
    with subprocess.Popen([program, "serve", port]) as server:
        try:
            wait_for(port.exists)
            compare("a Go HTTP client, traced", build,
                    [program, "get", port.read_text(encoding="utf-8"), str(GO_REQUESTS)], float)
        finally:
            server.terminate()


def main():
    build = Path(sys.argv[1]).resolve()
    if not shutil.which("strace"):
        sys.exit("bench/traced_programs.py: strace is not installed")
    with tempfile.TemporaryDirectory() as folder:
        for name, measure in (("redis-server", redis), ("go", go)):
            if shutil.which(name):
                measure(build, Path(folder))
            else:
                print(f"bench/traced_programs.py: {name} is not installed", file=sys.stderr)


if __name__ == "__main__":
    main()
