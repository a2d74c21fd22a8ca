#!/usr/bin/env python3
"""Checks `tcplab audit --kernel`: on kernel hosts, hours of waiting take seconds."""
import json
import sys
import unittest

sys.dont_write_bytecode = True
import guests
import lab
import schemas
from audits import CLIENT, of_pair, words

KEEPALIVE = CLIENT.replace("server.settimeout",
                           "server.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)\n"
                           "server.settimeout")
# TCP_KEEPIDLE + TCP_KEEPCNT * TCP_KEEPINTVL: the default of tcp(7), in seconds
FOUND_DEAD = 7200 + 9 * 75
# tcp_retries2 of ip-sysctl: 15 retransmissions, in seconds
GIVEN_UP = 924.6
LATE = 1.125  # how late the kernel's timers may be: kernel/time/timer.c


@guests.needs_kernel
class KernelAudit(unittest.TestCase):
    def test_default_keepalive_ends_a_wait_after_two_hours(self):
        cells = ["--failure", "power-off", "--failure", "frozen", "--moment", "waiting"]
        with lab.Folder() as out:
            audit = of_pair(out, "--kernel", "6.1", "--limit", "3h", *cells, "--json", "audit.json",
                            client=words(KEEPALIVE, "SERVER", "0"))
            self.assertEqual(audit.status, 0, audit.said())
            found = schemas.checked((out / "audit.json").read_text())["cells"]
            outcomes = {f"{cell['side']}.{cell['failure']}": cell for cell in found
                        if cell.get("failure")}
            self.assertEqual({name: cell["outcome"] for name, cell in outcomes.items()},
                             {"server.power-off": "error", "server.frozen": "hangs",
                              "client.power-off": "recovered", "client.frozen": "hangs"})
            off = outcomes["server.power-off"]
            self.assertTrue(FOUND_DEAD <= off["took"] / 1e9 <= FOUND_DEAD * LATE, off)
            self.assertIn("ETIMEDOUT", json.dumps(off))
            gone = outcomes["client.power-off"]["server_let_go"] / 1e9
            self.assertTrue(GIVEN_UP <= gone <= GIVEN_UP * LATE, gone)

    def test_a_failure_that_such_hosts_cannot_have_is_left_out_with_the_reason(self):
        with lab.Folder() as out:
            audit = of_pair(out, "--kernel", "6.1", "--limit", "3s", "--moment", "waiting",
                            "--failure", "firewall-forgets", "--failure", "killed")
            self.assertEqual(audit.status, 0, audit.said())
            self.assertEqual(audit.outcome("server.killed.waiting"), "error")
            self.assertIn("firewall forgets, silent, waiting for the answer: the kernel of this "
                          "run's hosts has no nftables", audit.errors)

    def test_options_that_need_namespaces_are_refused(self):
        with lab.Folder() as out:
            audit = of_pair(out, "--kernel", "6.1", "--trust")
            self.assertEqual(audit.status, 2, audit.said())
            self.assertIn("--trust needs namespace hosts", audit.errors)


if __name__ == "__main__":
    lab.main()
