#!/usr/bin/env python3
"""Checks a link with many hosts: a host's kernel has an entry only for a neighbour that it talks
to, nobody sees how it got that, and without a cable it behaves as with few hosts."""
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

SCRIPT = """return { title = "t", asks = "q", needs = { "program ip" }, run = function(lab)
  local names = {}
  for i = 1, %d do names[i] = "h" .. i end
  local hosts = { lab:hosts(names) }
  local first, last = hosts[1], hosts[#hosts]
  %s
end }
"""
# Prints how many neighbours the kernel knows, before a connection and after it.
TALK = """
  local function count(host)
    lab:expect(host:run("sh", "-c", "ip neigh | wc -l", { watch = false })):exits(0)
  end
  count(first)
  local client, server = lab:connect(first, last)
  client:type "hello\\n"
  lab:expect(server):prints "hello"
  count(first)
"""
# The first segment to a neighbour leaves after the cable is gone.
UNPLUG = """
  first:unplug()
  local client = first:dnc(last, 8080)
  local time_limit = lab:timer("syn_r2", first) * 1.5 + 2 * lab.second
  lab:expect(client):within(time_limit):call("connect"):fails "ETIMEDOUT"
"""


class ManyHosts(unittest.TestCase):
    def setUp(self):
        self.out = lab.Folder()
        self.addCleanup(self.out.cleanup)

    def run_with(self, hosts, text, *more, **options):
        script = Path(self.out.name) / f"many{hosts}.lua"
        script.write_text(SCRIPT % (hosts, text), encoding="utf-8")
        run = lab.Run(script, self.out.name, *more, **options)
        self.assertEqual(run.status, 0, run.said())
        return run

    def counts(self, run):
        return [int(event["text"]) for event in run.events("program")
                if event.get("stream") == "stdout" and event["host"] == "h1"
                and event["text"].strip().isdigit()]

    def talks(self, *more, **options):
        for hosts in (70, 140):
            run = self.run_with(hosts, TALK, *more, **options)
            self.assertEqual(self.counts(run), [0, 1], run.said())
            for packet in run.events("packet"):
                self.assertEqual(packet["protocol"], "TCP", packet)
                self.assertEqual({packet["from"], packet["to"]}, {"h1", f"h{hosts}"}, packet)

    def test_a_kernel_knows_only_the_neighbours_that_it_talks_to(self):
        self.talks()

    def test_so_does_a_kernel_for_ipv6(self):
        self.talks(family="6")

    def test_so_does_a_kernel_behind_a_veth_pair(self):
        self.talks(env={"TCPLAB_PORTS": "veth"})

    def test_a_few_hosts_know_all_their_neighbours(self):
        run = self.run_with(5, TALK)
        self.assertEqual(self.counts(run), [4, 4], run.said())

    def test_a_host_without_a_cable_has_neighbours(self):
        self.run_with(70, UNPLUG)


if __name__ == "__main__":
    lab.main()
