#!/usr/bin/env python3
"""Measures bulk transfer over the loopback: dnc, with every call recorded to a file, and socat
(-b 65536) and nc, which record nothing. Runs are interleaved. dnc also runs with socat's block size
instead of its own. Prints the median of each, and its ratio to socat's.

As root it runs all of them with real-time priority. Otherwise, on a busy machine, the figures
depend on how the scheduler places sender and receiver among other programs.

    bench/dnc_bulk.py [--dnc PATH] [--size MIB] [--rounds N] [--json]
"""
import argparse
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

BLOCK = "65536"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for_listener(port, receiver):
    """Reads /proc/net/tcp, where LISTEN is 0A. A test connection would count as the transfer."""
    wanted = f":{port:04X} "
    while receiver.poll() is None:
        for table in ("/proc/net/tcp", "/proc/net/tcp6"):
            with open(table) as rows:
                if any(wanted in row and " 0A " in row for row in rows):
                    return
        time.sleep(0.001)
    raise SystemExit(f"the receiver exited with status {receiver.returncode}: {receiver.args}")


def socat_pair(port):
    return (["socat", "-u", "-b", BLOCK, f"TCP4-LISTEN:{port},reuseaddr", "-"],
            ["socat", "-u", "-b", BLOCK, "-", f"TCP4:127.0.0.1:{port}"])


def nc_pair(port):
    return ["nc", "-l", str(port)], ["nc", "-N", "127.0.0.1", str(port)]


def dnc_pair(program, *options):
    common = [program, "-4", "--quiet", "--on-eof", "close", *options]
    return lambda port: (common + ["-d", "-l", str(port)],
                         common + ["-N", "127.0.0.1", str(port)])


def start(command, events, **streams):
    """Starts a command with the file `events` as descriptor 3, for dnc's --events 3."""
    return subprocess.Popen(["sh", "-c", f'exec "$@" 3>&{events.fileno()}', "sh", *command],
                            pass_fds=[events.fileno()], **streams)


def transfer(pair, source, folder):
    """Returns the seconds from the sender's start to the receiver's end."""
    port = free_port()
    receive, send = pair(port)
    with open(source, "rb") as data, open(os.devnull, "wb") as sink, \
            tempfile.TemporaryFile(dir=folder) as received, \
            tempfile.TemporaryFile(dir=folder) as sent:
        receiver = start(receive, received, stdin=subprocess.DEVNULL, stdout=sink)
        wait_for_listener(port, receiver)
        begin = time.monotonic()
        sender = start(send, sent, stdin=data, stdout=subprocess.DEVNULL)
        statuses = sender.wait(), receiver.wait()
        seconds = time.monotonic() - begin
    if any(statuses):
        raise SystemExit(f"exit statuses {statuses}: {send}, {receive}")
    return seconds


def contestants(program):
    pairs = {"socat": socat_pair,
             "dnc, recorded": dnc_pair(program, "--events", "3"),
             "dnc, not recorded": dnc_pair(program),
             "dnc -b 65536, recorded": dnc_pair(program, "-b", BLOCK, "--events", "3")}
    if shutil.which("nc"):
        pairs["nc"] = nc_pair
    return pairs


def before_other_programs():
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))  # inherited
    except PermissionError:
        print("not root: the figures include the load of other programs", file=sys.stderr)


def measure(options):
    pairs = contestants(options.dnc)
    times = {name: [] for name in pairs}
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "source")
        with open(source, "wb") as file:
            file.truncate(options.size << 20)  # a sparse file: no disk is read
        for round_number in range(options.rounds + 1):
            for name, pair in pairs.items():
                seconds = transfer(pair, source, folder)
                if round_number > 0:  # the first round is a warm-up
                    times[name].append(seconds)
    return {name: statistics.median(runs) for name, runs in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--dnc", default=os.path.join(here, "..", "build", "bin", "dnc"))
    parser.add_argument("--size", type=int, default=1024, help="MiB")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    before_other_programs()
    medians = measure(options)
    rows = [{"name": name, "seconds": seconds,
             "gbit_per_second": options.size * 2**20 * 8 / seconds / 1e9,
             "speed_to_socat": medians["socat"] / seconds} for name, seconds in medians.items()]
    if options.json:
        print(json.dumps(rows, indent=1))
        return
    print(f"{options.size} MiB over loopback, median of {options.rounds}")
    for row in rows:
        print(f"  {row['name']:23} {row['seconds']:7.3f} s {row['gbit_per_second']:6.1f} Gbit/s"
              f"   {row['speed_to_socat']:.2f} x socat")


if __name__ == "__main__":
    main()
