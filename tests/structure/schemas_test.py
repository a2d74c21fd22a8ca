#!/usr/bin/env python3
"""Checks the JSON Schemas in docs/schema: they are valid, strict and current, docs/json.md lists
them, the examples of the documents are as they say, and a wrong event is refused."""
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import jsonschema

sys.dont_write_bytecode = True
import schemas
import skips
from schemas import changed, places

ROOT = Path(__file__).resolve().parents[2]
# Their keys are names of a kernel or of a program, not of tcplab.
FREE = {("explain", "frames_not_decoded"), ("events", "value")}


def objects(node, key=""):
    """Yields each schema with members, and the member that it is of."""
    for name, each in node.items() if isinstance(node, dict) else ((key, each) for each in node):
        if isinstance(each, (dict, list)):
            yield from objects(each, name)
    if isinstance(node, dict) and ("properties" in node or "object" in node.get("type", ())):
        yield key, node


def examples(page):
    """Returns the JSON in the code blocks of a document: one object for each line, or for each
    block."""
    found = []
    for block in re.findall(r"^```json\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"),
                            re.M | re.S):
        lines = block.splitlines()
        one_by_one = all(line.startswith("{") and line.endswith("}") for line in lines)
        found += [json.loads(text) for text in (lines if one_by_one else [block])]
    return found


class Schemas(unittest.TestCase):
    def test_each_is_a_schema_and_has_the_name_of_its_format(self):
        self.assertIn("events", schemas.names())
        for name in schemas.names():
            with self.subTest(name):
                schema = schemas.read(name)
                jsonschema.Draft202012Validator.check_schema(schema)
                members = schema.get("properties") or next(
                    each["properties"] for each in schema["$defs"].values()
                    if "format" in each["properties"])
                self.assertEqual(members["format"], {"const": "tcplab-" + name})
                self.assertEqual(schema["$id"], f"{name}.schema.json")

    def test_each_object_lists_its_members(self):
        for name in schemas.names():
            for key, schema in objects(schemas.read(name)):
                with self.subTest(schema=name, of=key):
                    if (name, key) not in FREE:
                        self.assertIs(schema.get("additionalProperties"), False)

    def test_the_page_lists_them(self):
        page = (ROOT / "docs/json.md").read_text(encoding="utf-8")
        listed = re.findall(r"^\| \[`tcplab-(\w+)`\]\(schema/(\w+)\.schema\.json\) \|", page, re.M)
        self.assertEqual(listed, [(name, name) for name in schemas.names()])

    def test_those_of_events_and_records_are_made_from_the_code(self):
        done = subprocess.run([ROOT / "tools/schemas", "--check"], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


class Examples(unittest.TestCase):
    def setUp(self):
        self.events = examples("docs/events.md")

    def test_those_of_events_are_as_the_schema_says(self):
        kinds = schemas.read("events")["$defs"]
        self.assertEqual({event["kind"] for event in self.events}, set(kinds))
        for event in self.events:
            with self.subTest(kind=event["kind"], n=event["n"]):
                self.assertEqual(schemas.said(schemas.validator("events"), event), "")
                self.assertEqual(schemas.event_complaint(event), "")

    def test_an_event_with_another_member_is_refused_wherever_it_is(self):
        tried = 0
        for event in self.events:
            for path in places(event):
                if path[-1:] == ("value",):
                    continue
                wrong = changed(event, path, lambda place: place.update(surplus=1))
                with self.subTest(kind=event["kind"], path=path):
                    self.assertIn("surplus", schemas.event_complaint(wrong))
                tried += 1
        self.assertGreater(tried, 40)

    def test_an_event_without_a_member_that_all_have_is_refused(self):
        kinds = schemas.read("events")["$defs"]
        for event in self.events:
            for key in kinds[event["kind"]]["required"]:
                wrong = changed(event, (), lambda place, key=key: place.pop(key))
                with self.subTest(kind=event["kind"], key=key):
                    self.assertNotEqual(schemas.event_complaint(wrong), "")

    def test_another_word_another_type_and_an_empty_member_are_refused(self):
        state, = [event for event in self.events if event["kind"] == "state"][:1]
        for key, value in [("to", "OPEN"), ("t", "now"), ("t", -1), ("local", "kang:80"),
                           ("host", 1), ("frame", -1), ("kind", "never"), ("concluded", False)]:
            with self.subTest(key=key, value=value):
                wrong = changed(state, (), lambda place, k=key, v=value: place.update({k: v}))
                self.assertNotEqual(schemas.event_complaint(wrong), "")

    def test_a_wrong_line_is_found_in_a_file_though_most_lines_are_alike(self):
        lines = [json.dumps(event, separators=(",", ":")) for event in self.events * 5]
        state = next(at for at, line in enumerate(lines) if '"kind":"state"' in line)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "events.jsonl")
            for change in [("", ""), ('"frame":', '"frame":-'), ('"remote":"', '"remote":"x'),
                           ('"t":', '"t":-'), ('"cause":"', '"cause":"x')]:
                wrong = [*lines, lines[state].replace(*change)]
                file.write_text("\n".join(wrong) + "\n", encoding="utf-8")
                events = schemas.Events()
                found = events.complaint_of_file(file)
                with self.subTest(change=change):
                    self.assertLess(len(events.shapes), len(lines) / 4)
                    self.assertEqual(found.startswith(f"{file}:{len(wrong)}: "),
                                     change != ("", ""), found)

    def test_those_of_other_documents_are_as_the_schemas_say(self):
        tables = [each for each in examples("docs/conform.md") if "format" in each]
        self.assertEqual([each["format"] for each in tables], ["tcplab-conform"])
        self.assertEqual(schemas.complaint(tables[0]), "")

    def test_the_schema_of_a_session_tells_its_lines_apart(self):
        ready = {"format": "tcplab-session", "version": 1, "session": "4f1c9e",
                 "variant": "IPv4, fast timers", "folder": "/tmp/run"}
        host = {"handle": 1, "type": "host", "text": "host kang", "session": "4f1c9e"}
        error = {"kind": "usage", "message": "it refuses"}
        right = [ready, {"id": 1, "ok": True, "values": [host, 3, {"t": 1.5}]},
                 {"id": None, "ok": False, "error": error},
                 {"end": {"outcome": "passed", "reason": "", "folder": "/tmp/run"}}]
        wrong = [{**ready, "version": 2}, {"id": 1, "ok": True, "error": error},
                 {"id": 1, "ok": False}, {"id": 1, "ok": True, "values": [{"handle": 1}]},
                 {"id": 1, "ok": False, "error": {**error, "kind": "expectation"}},
                 {"id": 1, "ok": True, "last_event": 3}, {"end": {"outcome": "passed"}}]
        for lines, part, is_right in (
                (right, "", True), (wrong, "", False),
                ([{}, {"verb": "pair"}, {"on": {"handle": 1}, "field": "state"}], "request", True),
                ([{"verb": "pair", "field": "state"}, {"on": 1, "verb": "a"}], "request", False)):
            for line in lines:
                with self.subTest(line=line):
                    complaint = schemas.said(schemas.validator("session", part), line)
                    self.assertEqual(complaint == "", is_right, complaint)


if __name__ == "__main__":
    skips.main()
