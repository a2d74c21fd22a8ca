#!/usr/bin/env python3
"""Measures the lab as a whole: the time that the observed wire adds to a frame, compared with a
veth pair between two namespaces, and its throughput with the capture on. Prints lines for
bench/run.

Usage: bench/lab_figures.py BUILD_FOLDER"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PING_PONG = HERE / "lab/ping_pong.py"


def run_scenario(tcplab, name, folder):
    script = folder / f"{name}.lua"
    script.write_text((HERE / "lab" / f"{name}.lua").read_text()
                      .replace("@PING_PONG@", str(PING_PONG)))
    subprocess.run([tcplab, "run", script, "--family", "4", "--out", folder / "runs"], check=True,
                   stdout=subprocess.DEVNULL)
    events = (folder / "runs" / f"{name}-ipv4" / "events.jsonl").read_text().splitlines()
    output = [event["text"] for event in map(json.loads, events)
              if event["kind"] == "program" and event.get("stream") == "stdout"]
    return "".join(output)


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


def main():
    tcplab = Path(sys.argv[1]).resolve() / "bin/tcplab"
    os.environ["NO_COLOR"] = "1"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        observed = median_of(run_scenario(tcplab, "ping-pong", folder))
        plain = over_veth()
        print(f"round trip, wire observed  {observed:.1f} us  plain veth pair  {plain:.1f} us")
        print(f"the observed wire adds to a frame  {(observed - plain) / 2:.1f} us  budget  100 us")
        for name, what, budget in (("bulk", "", 2), ("bulk-offload", ", NICs with offload", 10)):
            report = json.loads(run_scenario(tcplab, name, folder))
            speed = report["end"]["sum_received"]["bits_per_second"] / 1e9
            print(f"bulk transfer through the wire, capture on{what}  {speed:.2f} Gbit/s  "
                  f"budget  {budget} Gbit/s")


main()
