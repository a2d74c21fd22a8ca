#!/usr/bin/env python3
"""Checks lab:dns: what programs resolve on both families, and what a script may not ask for."""
import sys
import unittest

sys.dont_write_bytecode = True
import lab

SCRIPT = """return {
  title = "Wrong", asks = "What is wrong?", tags = { "tests" },
  run = function(lab)
    local kang, kodos = lab:pair()
    %s
  end,
}
"""


class Resolver(unittest.TestCase):
    def setUp(self):
        self.out = lab.Folder()
        self.addCleanup(self.out.cleanup)

    def test_names_on_both_families(self):
        lab.need("getent")
        for family in ("4", "6"):
            run = lab.Run("resolver.lua", self.out.name, family=family)
            self.assertEqual(run.status, 0, run.said())
            notes = [event["text"] for event in run.events("note")]
            self.assertIn("krusty is the resolver of all hosts", notes)
            self.assertTrue([note for note in notes if "cut for UDP" in note], notes)

    def test_wrong_scripts(self):
        for line, says in (('lab:dns { db = "nowhere" }', "nowhere is neither"),
                           ("lab:dns { db = 7 }", "a name resolves to hosts and addresses"),
                           ('lab:dns { ["a..b"] = kodos }', "is no name of DNS"),
                           ("lab:dns { db = kodos, ttl = -1 }", "option `ttl`"),
                           ("lab:dns { db = kodos }; lab:dns { db = kang }",
                            "kodos has a resolver already")):
            script = f"{self.out.name}/wrong.lua"
            with open(script, "w", encoding="utf-8") as file:
                file.write(SCRIPT % line)
            run = lab.Run(script, self.out.name)
            self.assertEqual(run.status, 2, run.said())
            self.assertIn(says, " ".join((run.output + run.errors).split()))


if __name__ == "__main__":
    lab.main()
