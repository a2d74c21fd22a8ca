#!/usr/bin/env python3
"""Checks that three descriptions of the scripting interface agree: the classes that
scenarios/engine/script/lua_*.cc register, docs/scenarios.md, and the annotations in editor/*.lua.
Every example of the page must load."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["TCPLAB_SOURCE"])
TCPLAB = pathlib.Path(os.environ["TCPLAB_BIN"]) / "tcplab"

# C++ class -> its name in the annotations.
CLASSES = {"LuaLab": "lab", "LuaHost": "host", "LuaProgram": "program", "LuaFault": "fault",
           "LuaConnection": "connection", "Subject": "subject", "ExpectedCall": "expected_call"}
# Classes whose objects have another name on the page.
PAGE_NAMES = {"expected_call": "call", "connection": "conn"}
SNIPPET = """return { title = "t", asks = "q", run = function(lab)
local kang, kodos, client, server
%s
end }
"""


def registered():
    """Returns the methods of each class in the C++ sources: {"lab": {"pair", ...}, ...}."""
    classes = {}
    for file in sorted((SOURCE / "scenarios/engine/script").glob("lua_*.cc")):
        for kind, methods in re.findall(r"register_class<(\w+)>\(lua, \{(.*?)\}\);",
                                        file.read_text(), re.S):
            classes[CLASSES[kind]] = set(re.findall(r'\{"(\w+)",', methods))
    return classes


def registered_fields():
    """Returns the fields of each class in the C++ sources: {"connection": {"state", ...}}."""
    classes = {}
    for file in sorted((SOURCE / "scenarios/engine/script").glob("lua_*.cc")):
        for kind, names in re.findall(r"register_fields<(\w+)>\(lua, \{(.*?)\}\);",
                                      file.read_text(), re.S):
            classes[CLASSES[kind]] = set(re.findall(r'\{"(\w+)",', names))
    return classes


def constants():
    text = (SOURCE / "scenarios/engine/script/lua_lab.cc").read_text()
    return set(re.findall(r'(?:set_constant\(lua|lua_setfield\(lua, -2), "(\w+)"', text))


def timers():
    text = (SOURCE / "scenarios/engine/script/lua_timers.cc").read_text()
    return set(re.findall(r'KernelTimer\{"(\w+)",', text))


def fields():
    text = (SOURCE / "scenarios/engine/script/script.cc").read_text()
    return set(re.findall(r'"(\w+)"', re.search(r"kKnownKeys = \{(.*?)\}", text, re.S).group(1)))


class TheReferenceIsWhole(unittest.TestCase):
    page = (SOURCE / "docs/scenarios.md").read_text()
    editor = "".join(file.read_text() for file in sorted((SOURCE / "editor").glob("*.lua")))

    def test_the_sources_are_understood(self):
        self.assertEqual(set(registered()), set(CLASSES.values()))
        self.assertIn("expect_packet", registered()["lab"])
        self.assertLessEqual({"family", "timers", "minute"}, constants())
        self.assertIn("time_wait", timers())
        self.assertIn("asks", fields())

    def test_the_annotations_have_the_methods_that_there_are_and_no_others(self):
        for kind, methods in registered().items():
            annotated = set(re.findall(rf"^function {kind}:(\w+)\(", self.editor, re.M))
            self.assertEqual(annotated, methods, kind)

    def test_the_page_has_every_method(self):
        rows = [line.split("|")[1] for line in self.page.splitlines() if line.startswith("| `")]
        rows += re.findall(r"^`lab:\w+\(.*", self.page, re.M) + re.findall(r"`[^`\n]+`", self.page)
        for kind, methods in registered().items():
            name = PAGE_NAMES.get(kind, kind)
            for method in methods:
                called = re.compile(rf"(?<!\w){name}:{method}\b" + (r"|`:within\(" if method ==
                                                                    "within" else ""))
                self.assertTrue(any(called.search(row) for row in rows), f"{name}:{method}")

    def test_each_verb_has_an_example(self):
        examples = "".join(re.findall(r"```lua\n(.*?)```", self.page, re.S))
        for kind, methods in registered().items():
            for method in methods:
                self.assertRegex(examples, rf":{method}\b", f"{kind}:{method}")

    def test_fields_of_objects(self):
        self.assertIn("state", registered_fields()["connection"])
        for kind, names in registered_fields().items():
            for name in names:
                self.assertRegex(self.page, rf"`{PAGE_NAMES.get(kind, kind)}\.{name}`")
                self.assertRegex(self.editor, rf"---@field {name} ")

    def test_constants_timers_and_fields(self):
        for name in constants():
            self.assertIn(f"`lab.{name}`", self.page)
            self.assertRegex(self.editor, rf"---@field {name} ")
        for name in timers():
            self.assertIn(f'`"{name}"`', self.page)
            self.assertIn(f'"{name}"', self.editor)
        for name in fields():
            self.assertIn(f"| `{name}` |", self.page)
            self.assertRegex(self.editor, rf"---@field {name}\?? ")

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
        self.assertEqual(result.stdout.count(": ok\n"), len(examples))

    def test_the_annotations_are_lua(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "editor.lua"
            copy.write_text(self.editor + '\nreturn { title = "t", asks = "q", run = lab.wait }\n')
            result = subprocess.run([TCPLAB, "check", copy], capture_output=True, text=True)
        self.assertEqual((result.stderr, result.returncode), ("", 0))


class Readme(unittest.TestCase):
    def test_the_table_of_topics_counts_the_scenarios(self):
        told = dict(re.findall(r"^\| `([a-z]+)` \| (\d+) \|", (SOURCE / "README.md").read_text(),
                               re.M))
        there = {}
        for file in (SOURCE / "scenarios").glob("*/*.lua"):
            there[file.parent.name] = there.get(file.parent.name, 0) + 1
        self.assertEqual({topic: int(count) for topic, count in told.items()}, there)


if __name__ == "__main__":
    unittest.main()
