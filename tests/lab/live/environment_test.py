#!/usr/bin/env python3
"""Checks the settings that hosts start with: those of docs/scenarios.md, whatever this machine's
are, and the congestion control."""
import re
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

PASSED = 0
ROOT = Path(__file__).resolve().parents[3]
ALLOWED = Path("/proc/sys/net/ipv4/tcp_allowed_congestion_control")
CONGESTION = "net.ipv4.tcp_congestion_control"
# A host prints the value of each setting that it is asked for.
SCRIPT = """return { title = "T", asks = "Q?", run = function(lab)
local kang, kodos = lab:pair { %s }
for _, name in ipairs { %s } do lab:say(name .. " = " .. kodos:sysctl(name)) end
end }
"""


def documented(table):
    """Returns the settings of a table in docs/scenarios.md, which reference_test.py compares with
    the program."""
    page = (ROOT / "docs/scenarios.md").read_text(encoding="utf-8")
    section = re.search(rf"<!-- {table} -->\n(.*?)\n\n", page, re.S).group(1)
    return dict(re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|", section, re.M))


def words(path):
    return path.read_text().split()


class Environment(unittest.TestCase):
    def setUp(self):
        self.out = lab.Folder()
        self.addCleanup(self.out.cleanup)

    def run_with(self, options, names, *more):
        script = Path(self.out.name, "script.lua")
        script.write_text(SCRIPT % (options, ", ".join(f'"{name}"' for name in names)))
        return lab.Run(script, self.out.name, *more)

    def settings(self, names, *more, options=""):
        """Returns what a host's kernel says, and the notes of the run."""
        run = self.run_with(options, names, *more)
        self.assertEqual(run.status, PASSED, run.said())
        notes = [event["text"] for event in run.events("note")]
        said = dict(note.split(" = ") for note in notes if " = " in note)
        return {name: " ".join(value.split()) for name, value in said.items()}, notes

    def test_hosts_have_the_documented_settings(self):
        pinned, fast = documented("pinned"), documented("fast")
        self.assertGreater(len(pinned), 20)
        stock, _ = self.settings(pinned, "--timers", "stock")
        self.assertEqual(stock, pinned)
        both = {**pinned, **fast}
        self.assertEqual(self.settings(both)[0], both)

    def test_a_script_replaces_pinned_settings(self):
        name = "net.ipv4.tcp_rmem"
        seen, _ = self.settings([name], options=f'sysctls = {{ ["{name}"] = "4096 5000 6000" }}')
        self.assertEqual(seen, {name: "4096 5000 6000"})

    def test_the_congestion_control_is_cubic_or_the_foot_of_a_run_says_that_it_is_reno(self):
        run = self.run_with("", [CONGESTION])
        self.assertEqual(run.status, PASSED, run.said())
        said = run.events("note")[-1]["text"]
        facts = run.events("run")[0].get("machine", [])
        if "cubic" in words(ALLOWED):
            self.assertEqual((said, facts), (f"{CONGESTION} = cubic", []))
        else:
            self.assertEqual(said, f"{CONGESTION} = reno")
            self.assertEqual(len(facts), 1)
            self.assertIn("does not allow cubic", facts[0])
            output = " ".join(run.output.split())
            self.assertEqual(output.count("does not allow cubic"), 1)
            self.assertLess(output.index(said), output.index("This machine"))

    def test_a_script_chooses_the_congestion_control(self):
        for name in words(ALLOWED):
            seen, _ = self.settings([CONGESTION], options=f'congestion = "{name}"')
            self.assertEqual(seen[CONGESTION], name)

    def test_a_congestion_control_that_is_not_allowed_skips_the_run(self):
        run = self.run_with('congestion = "nosuch"', [])
        self.assertEqual(run.status, lab.SKIPPED, run.said())
        end = run.events("end")[0]
        self.assertEqual(end["outcome"], "skipped")
        self.assertIn("it needs the congestion control nosuch, which this machine does not allow "
                      "in network namespaces; allowed: " + ", ".join(words(ALLOWED)), end["reason"])
        self.assertIn("congestion control nosuch", run.output)


if __name__ == "__main__":
    lab.main()
