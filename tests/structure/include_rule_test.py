#!/usr/bin/env python3
"""The tree obeys the include rule; and the rule finds violations that were put there."""
import os
import tempfile
import unittest
from pathlib import Path

import include_rule
import skips

ROOT = Path(__file__).resolve().parents[2]


def violations_of(files):
    """The violations in a tree that has these files: path -> text."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            file = Path(root, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return include_rule.violations(root)


class Rule(unittest.TestCase):
    def test_the_tree_obeys(self):
        self.assertEqual(include_rule.violations(ROOT), [])

    def test_the_tree_is_seen(self):
        self.assertGreater(len(include_rule.reachable(ROOT, "capture/event.hh")), 2)

    def test_a_room_may_know_the_rooms_below_it(self):
        self.assertEqual(violations_of({"netns/a.cc": '#include "base/b.hh"\n'}), [])

    def test_a_room_may_not_know_the_rooms_above_it(self):
        found = violations_of({"base/a.cc": '// first\n#include "netns/b.hh"\n'})
        self.assertEqual(found, ["base/a.cc:2: base may not know netns (netns/b.hh)"])

    def test_neighbours_do_not_know_each_other(self):
        found = violations_of({"dnc/a.cc": '#include "capture/event.hh"\n'})
        self.assertEqual(found, ["dnc/a.cc:1: dnc may not know capture (capture/event.hh)"])

    def test_no_room_knows_the_engine(self):
        found = violations_of({"reports/a.hh": '#include "scenarios/engine/run.hh"\n'})
        self.assertEqual(len(found), 1)
        self.assertIn("reports may not know scenarios/engine", found[0])

    def test_includes_are_written_from_the_top(self):
        found = violations_of({"netns/a.cc": '#include "wire.hh"\n', "netns/wire.hh": ""})
        self.assertEqual(len(found), 1)
        self.assertIn("not written from the top", found[0])

    def test_decode_has_no_pcap_not_even_by_way_of_others(self):
        found = violations_of({
            "capture/decode.cc": '#include "capture/x.hh"\n',
            "capture/x.hh": "#include <pcap/pcap.h>\n",
        })
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith("capture/x.hh:1: decode has no pcap"), found)

    def test_reports_have_no_clock(self):
        found = violations_of({"reports/a.cc": "int x;\nauto t = base::now();\n"})
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith("reports/a.cc:2: reports have no clock"), found)

    def test_a_comment_may_speak_of_the_clock(self):
        self.assertEqual(violations_of({"reports/a.cc": "// never base::now()\n"}), [])

    def test_reports_have_no_kernel(self):
        found = violations_of({"reports/a.cc": "#include <sys/socket.h>\n"})
        self.assertIn("reports have no kernel", found[0])

    def test_reports_know_values_only(self):
        found = violations_of({
            "reports/a.cc": '#include "capture/packets.hh"\n',
            "capture/packets.hh": "#include <pcap/pcap.h>\n",
        })
        self.assertEqual(len(found), 1)
        self.assertIn("seen from reports/a.cc", found[0])


if __name__ == "__main__":
    os.chdir(ROOT)
    skips.main()
