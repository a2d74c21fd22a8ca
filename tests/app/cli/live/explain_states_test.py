#!/usr/bin/env python3
"""Compares the states that tcplab explain concludes from the frames of each capture of the
catalogue with those that the kernels reported (events.jsonl)."""
import concurrent.futures
import json
import os
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import catalogue
import lab
import schemas

# No capture can show what happens here.
EXEMPT = {
    "local-address-removed": "the kernel closes the connection and cannot send a frame",
    "local-link-down": "the kernel closes the connection and cannot send a frame",
    "primary-address-removed": "the kernel gives up and cannot send a frame; the run ends then",
    "state-by-segment-time-wait": "a SYN that TIME_WAIT does not take begins no connection",
    "old-timestamp": "a forged FIN in the name of an end that did not close",
}


def explained(file):
    done = subprocess.run([lab.TCPLAB, "explain", "--json", file], capture_output=True, text=True,
                          check=False)
    return schemas.checked(done.stdout)["connections"] if done.returncode == 0 else []


def kernel_states(run):
    """Returns the changes of state of each socket, (local, remote), and which sockets have sent a
    FIN."""
    changes, closed = {}, set()
    for line in (run / "events.jsonl").read_text().splitlines():
        event = json.loads(line)
        if event["kind"] == "state":
            changes.setdefault((event["local"], event["remote"]), []).append(event)
        elif event["kind"] == "packet" and "F" in event.get("flags", ""):
            closed.add((event["source"], event["destination"]))
    return changes, closed


def last_of_each_pair(connections):
    """A pair of endpoints may have had several connections; the kernel's last state is the last
    one's."""
    latest = {}
    for connection in sorted(connections, key=lambda connection: connection["number"]):
        pair = frozenset(connection[end]["address"] for end in ("client", "server"))
        latest[pair] = connection
    return latest.values()


class ExplainStates(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = catalogue.runs(cls)

    def test_no_state_contradicts_the_kernel(self):
        claims = certain = 0
        wrong = []
        runs = [run for run in sorted(self.folder.glob("*-ipv4"))
                if (run / "capture.pcapng").exists()
                and run.name.removesuffix("-ipv4") not in EXEMPT]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            explained_runs = list(pool.map(lambda run: explained(run / "capture.pcapng"), runs))
        for run, connections in zip(runs, explained_runs):
            name = run.name.removesuffix("-ipv4")
            kernel, closed = kernel_states(run)
            for connection in last_of_each_pair(connections):
                for one, other in (("client", "server"), ("server", "client")):
                    states = connection[one]["states"]
                    socket = (connection[one]["address"], connection[other]["address"])
                    changes = kernel.get(socket)
                    if not states or not changes:  # a router's NAT has no socket
                        continue
                    claims += 1
                    certain += len(states) == 1
                    # A loss of power leaves no frame; a later RST may show it.
                    by_frames = [each for each in changes if each["cause"] != "power"] or changes
                    right = {changes[-1]["to"], by_frames[-1]["to"]}
                    # A FIN may wait behind data that nobody acknowledges.
                    if changes[-1]["to"] in ("FIN_WAIT1", "LAST_ACK") and socket not in closed:
                        right.add(changes[-1]["from"])
                    if not right & set(states):
                        wrong.append((name, connection["number"], one, states,
                                      [each["to"] for each in changes]))
        self.assertEqual(wrong, [])
        self.assertGreater(claims, 400)
        self.assertGreater(certain, claims // 4, "the claims say nothing")


if __name__ == "__main__":
    lab.main()
