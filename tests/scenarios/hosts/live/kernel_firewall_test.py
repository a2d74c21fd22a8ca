#!/usr/bin/env python3
"""Checks firewalls on hosts with kernels of their own: host:nft works where the kernel has
nftables."""
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

# With a dnc that has no sanitizers (cmake/guest_bin.cmake).
lab.BIN = Path(os.environ.get("TCPLAB_GUEST_BIN", lab.BIN))
lab.TCPLAB = lab.BIN / "tcplab"

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


def built_kernel():
    """Returns the release of a kernel that has nftables; None if there is none."""
    done = subprocess.run([lab.TCPLAB, "kernels"], capture_output=True, text=True, check=False)
    return next((line.split()[0] for line in done.stdout.splitlines()
                 if line.startswith("6.12")), None)


class KernelFirewalls(lab.LinesTest):
    BEFORE = "local kang, kodos = lab:pair()"

    def test_a_firewall_filters_and_comes_back(self):
        self.need_built_kernel()
        run = lab.Run(self.script(DROPS), self.out.name, "--on", built_kernel(), timeout=300)
        self.assertEqual(run.status, 0, run.said())

    def test_a_router_forgets_a_connection(self):
        self.need_built_kernel()
        for family in ("4", "6"):
            run = lab.Run(SCENARIOS / "firewall-forgets-and-resets.lua", self.out.name, "--on",
                          built_kernel(), family=family, timeout=300)
            self.assertEqual(run.status, 0, run.said())

    def test_a_wrong_ruleset_is_the_fault_of_the_script(self):
        self.need_built_kernel()
        run = lab.Run(self.script("kang:nft 'table inet t { chain c { no such thing } }'"),
                      self.out.name, "--on", built_kernel())
        self.assertEqual(run.status, 2, run.said())
        self.assertIn("nft on kang refuses the ruleset, its line 1: ", run.said())

    @unittest.skipIf(shutil.which("linux.uml") is None, "user-mode-linux is not installed")
    def test_a_kernel_without_nftables_is_a_reason_to_skip(self):
        run = lab.Run(self.script("kang:nft 'table inet t { }'"), self.out.name, "--on", "6.1")
        self.assertEqual(run.status, lab.SKIPPED, run.said())
        self.assertIn("the kernel of this run's hosts has no nftables", run.said())

    def need_built_kernel(self):
        lab.need("nft")
        if built_kernel() is None:
            self.skipTest("there is no Linux 6.12 for hosts: tcplab kernels build 6.12")


if __name__ == "__main__":
    lab.main()
