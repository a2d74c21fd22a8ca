#!/usr/bin/env python3
"""A run may have more hosts on one link than a /24 can address."""
import sys
import unittest

sys.dont_write_bytecode = True
import lab


class ManyHosts(unittest.TestCase):
    def test_300_hosts_have_an_address_each_and_connect_with_each_other(self):
        for family, last in {"4": "10.0.1.44", "6": "fd00::300"}.items():
            with self.subTest(family), lab.Folder() as out:
                run = lab.Run("many-hosts.lua", out, family=family)
                self.assertEqual(run.status, 0, run.said())
                addresses = [address for event in run.events("host")
                             for card in event["interfaces"] for address in card["addresses"]]
                self.assertEqual((len(addresses), len(set(addresses))), (300, 300))
                self.assertEqual(addresses[-1], last)
                connected = {event["host"] for event in run.events("state")
                             if event["to"] == "ESTABLISHED"}
                self.assertLessEqual({f"h{i}" for i in range(1, 51)}, connected)


if __name__ == "__main__":
    lab.main()
