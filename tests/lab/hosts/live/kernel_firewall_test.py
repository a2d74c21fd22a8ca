#!/usr/bin/env python3
"""Checks firewalls on kernel hosts: host:nft works where the kernel has nftables."""
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import guests
import lab

SCENARIOS = Path(os.environ["TCPLAB_SOURCE"]) / "scenarios/paths"
DROPS = """
  kodos:nft [[
    table inet filter {
      chain input {
        type filter hook input priority filter; policy accept;
        tcp dport 8080 drop
      }
    }
  ]]
  local client = kang:dnc(kodos, 8080)
  lab:expect(client):in_state "SYN_SENT"
  lab:expect_packet("kang > kodos", "SYN")
  kodos:power_cycle() -- it loads its rules again; without them, its RST would end connect
  lab:expect(client):within(10):call("connect"):fails "ETIMEDOUT"
"""


class KernelFirewalls(lab.LinesTest):
    BEFORE = "local kang, kodos = lab:pair()"

    def test_a_firewall_filters_and_comes_back(self):
        run = lab.Run(self.script(DROPS), self.out.name, *self.on_built(), timeout=300)
        self.assertEqual(run.status, 0, run.said())

    def test_a_router_forgets_a_connection(self):
        on_built = self.on_built()
        for family in ("4", "6"):
            run = lab.Run(SCENARIOS / "firewall-forgets-and-resets.lua", self.out.name,
                          *on_built, family=family, timeout=300)
            self.assertEqual(run.status, 0, run.said())

    def test_a_wrong_ruleset_is_the_fault_of_the_script(self):
        run = lab.Run(self.script("kang:nft 'table inet t { chain c { no such thing } }'"),
                      self.out.name, *self.on_built())
        self.assertEqual(run.status, 2, run.said())
        self.assertIn("nft on kang refuses the ruleset, its line 1: ", run.said())

    @guests.needs_kernel
    def test_a_kernel_without_nftables_is_a_reason_to_skip(self):
        run = lab.Run(self.script("kang:nft 'table inet t { }'"), self.out.name, "--kernel", "6.1")
        self.assertEqual(run.status, lab.SKIPPED, run.said())
        self.assertIn("the kernel of this run's hosts has no nftables", run.said())

    def on_built(self):
        lab.need("nft")
        return "--kernel", guests.built_kernel()


if __name__ == "__main__":
    lab.main()
