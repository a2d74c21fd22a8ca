#!/usr/bin/env python3
"""Checks that our tree obeys the include rule, and that the rule finds violations in other
trees."""
import os
import tempfile
import unittest
from pathlib import Path

import include_rule
import skips

ROOT = Path(__file__).resolve().parents[2]


def violations_of(files):
    """Returns the violations in a tree with these files (path -> text)."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            file = Path(root, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return include_rule.violations(root)


class Rule(unittest.TestCase):
    def test_the_tree_obeys(self):
        self.assertEqual(include_rule.violations(ROOT), [])

    def test_the_rule_reads_the_tree(self):
        self.assertGreater(len(include_rule.reachable(ROOT, "capture/event/event.hh")), 2)

    def test_a_room_may_include_the_rooms_below_it(self):
        self.assertEqual(violations_of({"netns/a.cc": '#include "base/b.hh"\n'}), [])

    def test_a_room_may_not_include_the_rooms_above_it(self):
        found = violations_of({"base/a.cc": '// first\n#include "netns/b.hh"\n'})
        self.assertEqual(found, ["base/a.cc:2: base may not know netns (netns/b.hh)"])

    def test_neighbours_may_not_include_each_other(self):
        found = violations_of({"dnc/a.cc": '#include "capture/event/event.hh"\n'})
        self.assertEqual(
            found, ["dnc/a.cc:1: dnc may not know capture/event (capture/event/event.hh)"])

    def test_the_lab_may_not_include_the_app(self):
        found = violations_of({"lab/wire/a.hh": '#include "app/suite/suite.hh"\n'})
        self.assertEqual(
            found, ["lab/wire/a.hh:1: lab/wire may not know app/suite (app/suite/suite.hh)"])

    def test_reports_may_not_include_the_lab(self):
        found = violations_of({"reports/text/a.hh": '#include "lab/record/timeline.hh"\n'})
        self.assertEqual(len(found), 1)
        self.assertIn("reports/text may not know lab/record", found[0])

    def test_a_sub_room_may_not_include_the_sub_rooms_above_it(self):
        found = violations_of({"lab/wire/a.hh": '#include "lab/laboratory.hh"\n'})
        self.assertEqual(found, ["lab/wire/a.hh:1: lab/wire may not know lab (lab/laboratory.hh)"])

    def test_each_room_is_below_those_that_may_include_it(self):
        rooms = list(include_rule.MAY_KNOW)
        for room, others in include_rule.MAY_KNOW.items():
            for other in others:
                self.assertLess(rooms.index(other), rooms.index(room), f"{room}: {other}")

    def test_the_table_may_have_long_lines_and_notes(self):
        rooms = include_rule.read_table("# a: b\nbase: | fmt\na/b (c builds it): base\n  d | e\n")
        self.assertEqual(rooms, {"base": [], "a/b": ["base", "d"]})

    def test_files_do_not_include_each_other(self):
        found = violations_of({
            "base/a.hh": "",
            "base/a.cc": '#include "base/a.hh"\n#include "base/b.hh"\n',
            "base/b.hh": '#include "base/c.hh"\n',
            "base/c.hh": '#include "base/a.hh"\n',
        })
        self.assertEqual(found, ["these include each other: base/a, base/b, base/c"])

    def test_a_folder_without_a_rule_is_reported(self):
        found = violations_of({"lab/attic/a.cc": ""})
        self.assertEqual(found, ["lab/attic/a.cc:1: lab/attic is no "
                                 "room: add it to cmake/rooms.txt"])

    def test_a_source_may_include_its_own_header(self):
        self.assertEqual(violations_of({"base/a.hh": "", "base/a.cc": '#include "base/a.hh"\n'}),
                         [])

    def test_includes_are_written_from_the_top(self):
        found = violations_of({"netns/a.cc": '#include "wire.hh"\n', "netns/wire.hh": ""})
        self.assertEqual(len(found), 1)
        self.assertIn("not written from the top", found[0])

    def test_decode_has_no_pcap_even_indirectly(self):
        found = violations_of({
            "capture/decode/decode.cc": '#include "base/x.hh"\n',
            "base/x.hh": "#include <pcap/pcap.h>\n",
        })
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith("base/x.hh:1: decode has no pcap"), found)

    def test_reports_have_no_clock(self):
        found = violations_of({"reports/text/a.cc": "int x;\nauto t = base::now();\n"})
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith("reports/text/a.cc:2: reports have no clock"), found)

    def test_a_comment_may_mention_the_clock(self):
        self.assertEqual(violations_of({"reports/text/a.cc": "// never base::now()\n"}), [])

    def test_reports_have_no_kernel(self):
        found = violations_of({"reports/text/a.cc": "#include <sys/socket.h>\n"})
        self.assertIn("reports have no kernel", found[0])

    def test_reports_may_not_include_the_kernel_indirectly(self):
        found = violations_of({
            "reports/text/a.cc": '#include "capture/event/packets.hh"\n',
            "capture/event/packets.hh": "#include <pcap/pcap.h>\n",
        })
        self.assertEqual(len(found), 1)
        self.assertIn("seen from reports/text/a.cc", found[0])


if __name__ == "__main__":
    os.chdir(ROOT)
    skips.main()
