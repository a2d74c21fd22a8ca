#!/usr/bin/env python3
"""Checks docs/scenarios.md and editor/*.lua against the scripting interface that is registered in
app/verbs/lua_*.cc, and that `tcplab interface` prints. Also checks that every example
of the page loads."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["TCPLAB_SOURCE"])
TCPLAB = pathlib.Path(os.environ["TCPLAB_BIN"]) / "tcplab"

# The names that the page's examples use for objects of these classes.
PAGE_NAMES = {"expected_call": "call", "connection": "conn", "peer_connection": "conn"}
# Makes a whole scenario of a snippet.
SNIPPET = """return { title = "t", asks = "q", run = function(lab)
local kang, kodos = lab:pair()
local server = kodos:dnc("-l", 8080)
local client = kang:dnc(kodos, 8080)
%s
end }
"""


def interface():
    said = subprocess.run([TCPLAB, "interface"], check=True, capture_output=True, text=True)
    return json.loads(said.stdout)


INTERFACE = interface()
VERBS = {kind["name"]: [verb["name"] for verb in kind["verbs"]] for kind in INTERFACE["classes"]}
FIELDS = {kind["name"]: [field["name"] for field in kind["fields"]]
          for kind in INTERFACE["classes"]}
TABLES = {table["name"]: table for table in INTERFACE["tables"]}
WORDS = {words["name"]: words["words"] for words in INTERFACE["words"]}


class TheReferenceIsWhole(unittest.TestCase):
    page = (SOURCE / "docs/scenarios.md").read_text()
    editor = "".join(file.read_text() for file in sorted((SOURCE / "editor").glob("*.lua")))

    def test_the_interface_has_its_classes_verbs_and_words(self):
        self.assertEqual(set(VERBS), {"lab", "host", "dns", "program", "injection", "fault",
                                      "connection", "peer", "peer_connection", "subject",
                                      "expected_call", "condition"})
        self.assertIn("expect_packet", VERBS["lab"])
        self.assertLessEqual({"family", "timers", "minute"}, set(FIELDS["lab"]))
        self.assertIn("time_wait", WORDS["timer_name"])

    def test_every_type_is_known(self):
        known = {*VERBS, *TABLES, *WORDS, "string", "number", "integer", "boolean", "any", "fun",
                 "table", "self"}
        parts = [*INTERFACE["tables"], *INTERFACE["classes"]]
        members = [field for part in parts for field in part["fields"]]
        verbs = [verb for kind in INTERFACE["classes"] for verb in kind["verbs"]]
        types = [member["type"] for member in members]
        types += [parameter["type"] for verb in verbs for parameter in verb["parameters"]]
        types += [result.split(" ")[0] if "<" not in result else result
                  for verb in verbs for result in verb["results"]]
        for kind in types:
            without_texts = re.sub(r'"[^"]*"|fun\([^)]*\)', "", kind)
            for word in re.findall(r"[A-Za-z_]+", without_texts):
                self.assertIn(word, known, kind)

    def test_every_verb_is_documented(self):
        for kind in INTERFACE["classes"]:
            for verb in kind["verbs"]:
                self.assertRegex(verb["doc"], r"^[A-Z].*\.$", verb["name"])

    def test_the_annotations_are_current(self):
        result = subprocess.run([SOURCE / "tools/editor-stubs", "--check"], capture_output=True,
                                text=True)
        self.assertEqual((result.stdout, result.stderr, result.returncode), ("", "", 0))

    def test_the_annotations_have_every_word(self):
        for name, words in WORDS.items():
            for word in words:
                self.assertIn(f'"{word}"', self.editor, name)

    def test_the_page_has_every_verb(self):
        rows = [line.split("|")[1] for line in self.page.splitlines() if line.startswith("| `")]
        rows += re.findall(r"^`lab:\w+\(.*", self.page, re.M) + re.findall(r"`[^`\n]+`", self.page)
        for kind, verbs in VERBS.items():
            name = PAGE_NAMES.get(kind, kind)
            for verb in verbs:
                called = re.compile(rf"(?<!\w){name}:{verb}\b" + (r"|`:within\(" if verb ==
                                                                  "within" else ""))
                self.assertTrue(any(called.search(row) for row in rows), f"{name}:{verb}")

    def test_each_verb_has_an_example(self):
        examples = "".join(re.findall(r"```lua\n(.*?)```", self.page, re.S))
        for kind, verbs in VERBS.items():
            for verb in verbs:
                self.assertRegex(examples, rf":{verb}\b", f"{kind}:{verb}")

    def test_the_page_has_every_option(self):
        for table in INTERFACE["tables"]:
            if not table["name"].endswith("_options"):
                continue
            for field in table["fields"]:
                self.assertRegex(self.page, rf"`[^`\n]*\b{field['name']}\b[^`\n]*`",
                                 f"{table['name']}: {field['name']}")

    def test_the_page_has_every_field(self):
        self.assertIn("state", FIELDS["connection"])
        for kind, names in FIELDS.items():
            for name in names:
                self.assertIn(f"`{PAGE_NAMES.get(kind, kind)}.{name}`", self.page)

    def test_the_page_has_every_timer_state_and_scenario_field(self):
        for name in WORDS["timer_name"]:
            self.assertIn(f'`"{name}"`', self.page)
        for name in WORDS["tcp_state"]:
            self.assertIn(name, self.page)
        for name in WORDS["tcp_timer"]:
            self.assertIn(f'`"{name}"`', self.page)
        for field in TABLES["Scenario"]["fields"]:
            self.assertIn(f"| `{field['name']}` |", self.page)

    def test_the_page_has_a_row_for_every_packet_word(self):
        self.assertIn("RST", WORDS["packet_selection"])
        section = self.page[self.page.index("#### Packet words"):self.page.index("### Times")]
        rows = re.findall(r'^\| `"([^"]+)"` \|', section, re.M)
        self.assertEqual({*rows, "ICMP error"}, set(WORDS["packet_selection"]))
        self.assertIn('`"ICMP error"`', section)

    def test_the_page_has_the_pinned_environment(self):
        for name, settings in INTERFACE["environment"].items():
            section = re.search(rf"<!-- {name} -->\n(.*?)\n\n", self.page, re.S).group(1)
            stated = dict(re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|", section, re.M))
            self.assertEqual(stated, dict(settings), name)

    def test_every_example_loads(self):
        examples = re.findall(r"```lua\n(.*?)```", self.page, re.S)
        whole = [example for example in examples if example.startswith("return {")]
        self.assertGreaterEqual(len(whole), 5)
        with tempfile.TemporaryDirectory() as folder:
            for number, example in enumerate(examples):
                text = example if example in whole else SNIPPET % example
                (pathlib.Path(folder) / f"example-{number}.lua").write_text(text)
            result = subprocess.run([TCPLAB, "check", folder], capture_output=True, text=True)
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        self.assertEqual(result.stdout.count(": ok"), len(examples))

    def test_the_annotations_are_valid_lua(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "editor.lua"
            copy.write_text(self.editor + '\nreturn { title = "t", asks = "q", run = lab.wait }\n')
            result = subprocess.run([TCPLAB, "check", copy], capture_output=True, text=True)
        self.assertEqual((result.stderr, result.returncode), ("", 0))


class Catalogue(unittest.TestCase):
    def test_the_page_of_the_catalogue_counts_the_scenarios_of_each_topic(self):
        page = (SOURCE / "docs/catalogue.md").read_text()
        stated = dict(re.findall(r"^\| `([a-z]+)` \| (\d+) \|", page, re.M))
        listed = subprocess.run([TCPLAB, "list", "--json"], check=True, capture_output=True,
                                text=True, env={**os.environ, "TCPLAB_SCENARIOS": ""})
        counted = {}
        for scenario in json.loads(listed.stdout)["scenarios"]:
            counted[scenario["topic"]] = counted.get(scenario["topic"], 0) + 1
        self.assertEqual({topic: int(count) for topic, count in stated.items()}, counted)


if __name__ == "__main__":
    unittest.main()
