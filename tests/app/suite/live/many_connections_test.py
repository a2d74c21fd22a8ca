#!/usr/bin/env python3
"""A run records every state of thousands of connections."""
import sys
import unittest
from collections import defaultdict

sys.dont_write_bytecode = True
import lab

CLIENT = ["SYN_SENT", "ESTABLISHED"]
SERVER = ["SYN_RECV", "ESTABLISHED"]


class ManyConnections(unittest.TestCase):
    def test_every_state_of_2000_connections_is_recorded(self):
        with lab.Folder() as out:
            run = lab.Run("many-connections.lua", out)
            self.assertEqual(run.status, 0, run.said())
            states = defaultdict(list)  # by host and client port
            for event in run.events("state"):
                ports = {int(event[end].rsplit(":", 1)[1]) for end in ("local", "remote")}
                if client := ports & set(range(40000, 42000)):
                    states[event["host"], client.pop()].append(event["to"])
            self.assertEqual(len(states), 4000)
            for host, expected in (("kang", CLIENT), ("kodos", SERVER)):
                begun = {port: to[:2] for (at, port), to in states.items() if at == host}
                self.assertEqual(len(begun), 2000)
                self.assertEqual({port: to for port, to in begun.items() if to != expected}, {})


if __name__ == "__main__":
    lab.main()
