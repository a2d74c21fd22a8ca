#!/usr/bin/env python3
"""Measures the lab as a whole: the time that the observed wire adds to a frame, compared with a
veth pair between two namespaces; its throughput with the capture on; and what a connection and a
host cost if there are many. Prints lines for bench/run.

Usage: bench/lab_figures.py BUILD_FOLDER"""
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PING_PONG = HERE / "lab/ping_pong.py"
CONNECTIONS = HERE / "lab/connections.py"
BARE_HOSTS = HERE / "bare_hosts.py"


def run_scenario(tcplab, name, folder, **values):
    """Runs a script of bench/lab with values for its @NAMES@. Returns the path of its events."""
    script = folder / f"{name}.lua"
    text = (HERE / "lab" / f"{name}.lua").read_text()
    for word, value in values.items():
        text = text.replace(f"@{word}@", str(value))
    script.write_text(text)
    subprocess.run([tcplab, "run", script, "--family", "4", "--out", folder / "runs"], check=True,
                   stdout=subprocess.DEVNULL)
    return folder / "runs" / f"{name}-ipv4" / "events.jsonl"


def events_of(path, kind):
    """Yields the events of that kind; a run can have a million events."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if f'"kind":"{kind}"' in line:
                yield json.loads(line)


def output_of(path):
    """Returns what the program on kang, the client's host, printed."""
    return "".join(event["text"] for event in events_of(path, "program")
                   if event["host"] == "kang" and event.get("stream") == "stdout")


def median_of(text):
    return float(re.search(r"median ([\d.]+)", text)[1])


def over_veth():
    """Runs the same two programs in two namespaces with a plain veth pair. They have a private
    mount namespace, so that the names of the namespaces cannot collide with others."""
    script = f"""
      mount -t tmpfs none /run && mkdir -p /run/netns
      ip netns add a && ip netns add b
      ip -n a link add eth0 type veth peer name eth0 netns b
      ip -n a addr add 10.0.0.1/24 dev eth0 && ip -n b addr add 10.0.0.2/24 dev eth0
      ip -n a link set eth0 up && ip -n b link set eth0 up
      ip netns exec b python3 {PING_PONG} 8080 &
      until ip netns exec b ss -ltnH | grep -q 8080; do :; done
      ip netns exec a python3 {PING_PONG} 10.0.0.2 8080 3000"""
    done = subprocess.run(["unshare", "-mn", "sh", "-ec", script], check=True, text=True,
                          stdout=subprocess.PIPE)
    return median_of(done.stdout)


def connections(tcplab, folder):
    """Compares the last of many connections with the first, in the same run."""
    start = time.monotonic()
    events = run_scenario(tcplab, "connections", folder, CONNECTIONS=CONNECTIONS, FIRST=32768,
                          LAST=65535)
    seconds = time.monotonic() - start
    blocks = dict(re.findall(r"^(\d+) ([\d.]+)$", output_of(events), re.MULTILINE))
    early, late, last = (float(blocks[count]) * 1e3 for count in ("1000", "8000", "32000"))
    print(f"a connection, from 7,001 to 8,000  {late:.0f} us  from 1 to 1,000  {early:.0f} us")
    print(f"a connection, from 31,001 to 32,000  {last:.0f} us  from 1 to 1,000  {early:.0f} us")
    print(f"32,768 connections, with reports  {seconds:.1f} s  budget  60 s")


def hosts(tcplab, folder):
    """Compares a host among 1,000 with a host among 100, and both with what the kernel needs."""
    milliseconds, bare = {}, {}
    for count in (100, 1000):
        bare[count] = float(subprocess.run([BARE_HOSTS, str(count)], check=True, text=True,
                                           stdout=subprocess.PIPE).stdout)
        notes = events_of(run_scenario(tcplab, "hosts", folder, HOSTS=count), "note")
        up = re.search(r"up after ([\d.]+)", " ".join(note["text"] for note in notes))
        milliseconds[count] = float(up[1]) * 1e3
    print(f"starting one of 1,000 hosts  {milliseconds[1000] / 1000:.1f} ms  "
          f"one of 100  {milliseconds[100] / 100:.1f} ms")
    for count in (100, 1000):
        print(f"a host of a lab with {count:,}  {milliseconds[count] / count:.2f} ms  "
              f"the bare kernel: a namespace with a TAP  {bare[count]:.2f} ms")
    print(f"starting 1,000 hosts  {milliseconds[1000] / 1e3:.1f} s  budget  4 s")


def main():
    tcplab = Path(sys.argv[1]).resolve() / "bin/tcplab"
    os.environ["NO_COLOR"] = "1"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        observed = median_of(output_of(run_scenario(tcplab, "ping-pong", folder,
                                                    PING_PONG=PING_PONG)))
        plain = over_veth()
        print(f"round trip, wire observed  {observed:.1f} us  plain veth pair  {plain:.1f} us")
        print(f"the observed wire adds to a frame  {(observed - plain) / 2:.1f} us  budget  100 us")
        for name, what, budget in (("bulk", "", 2), ("bulk-offload", ", NICs with offload", 10)):
            report = json.loads(output_of(run_scenario(tcplab, name, folder)))
            speed = report["end"]["sum_received"]["bits_per_second"] / 1e9
            print(f"bulk transfer through the wire, capture on{what}  {speed:.2f} Gbit/s  "
                  f"budget  {budget} Gbit/s")
        connections(tcplab, folder)
        hosts(tcplab, folder)


main()
