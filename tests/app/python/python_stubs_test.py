#!/usr/bin/env python3
"""Checks that the package's stubs and events are those of the scripting interface, and that no verb
is hidden by a method of the package."""
import ast
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
SOURCE = pathlib.Path(os.environ["TCPLAB_SOURCE"])
sys.path[:0] = [str(SOURCE / "tools"), str(SOURCE / "python")]
import stub_files
from tcplab import events, objects

STUB = SOURCE / "python/tcplab/objects.pyi"


class Stubs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.interface = stub_files.interface()

    def test_they_are_current(self):
        done = subprocess.run([SOURCE / "tools/python-stubs", "--check"], capture_output=True,
                              text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_they_have_each_class_and_verb_and_are_python(self):
        compile(STUB.read_text(), STUB, "exec")  # refuses what ast.parse() does not
        classes = {node.name: node for node in ast.parse(STUB.read_text()).body
                   if isinstance(node, ast.ClassDef)}
        for kind in self.interface["classes"]:
            said = classes[objects.class_name(kind["name"])]
            functions = {node.name for node in said.body if isinstance(node, ast.FunctionDef)}
            for verb in [*kind["verbs"], *kind["fields"]]:
                self.assertTrue({verb["name"], verb["name"] + "_"} & functions, verb["name"])

    def test_they_use_only_names_that_they_define(self):
        tree = ast.parse(STUB.read_text())
        defined = {"str", "int", "float", "bool", "list", "dict", "tuple", "object", "type",
                   "property", "BaseException"}
        for node in tree.body:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                defined |= {alias.asname or alias.name for alias in node.names}
            elif isinstance(node, ast.ClassDef):
                defined.add(node.name)
            elif isinstance(node, ast.Assign):
                defined.add(node.targets[0].id)
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        self.assertEqual(used - defined, set())

    def test_each_class_has_one_in_python_and_no_method_hides_a_verb(self):
        for kind in self.interface["classes"]:
            made = getattr(objects, objects.class_name(kind["name"]))
            self.assertTrue(issubclass(made, objects.Object))
            own = {name for each in made.__mro__[:-1] for name in vars(each)}
            for verb in [*kind["verbs"], *kind["fields"]]:
                self.assertNotIn(verb["name"], own)

    def test_events_have_a_class_for_each_kind(self):
        self.assertEqual(list(events.KINDS), [kind["kind"] for kind in self.interface["events"]])
        call = events.event_of({"n": 3, "t": 2_500_000_000, "kind": "call", "from": "x",
                                "call": "read", "injected_delay": 1_000_000}, 2_000_000_000)
        self.assertEqual((call.n, call.t, call.call, call.errno), (3, 0.5, "read", None))
        self.assertAlmostEqual(call.injected_delay, 0.001)
        self.assertEqual(call.get("call"), "read")

    def test_the_version_is_that_of_the_changelog(self):
        version = re.search(r"^## (\S+)", (SOURCE / "CHANGELOG.md").read_text(), re.M)[1]
        project = (SOURCE / "python/pyproject.toml").read_text()
        self.assertIn(f'version = "{version}"', project)


if __name__ == "__main__":
    unittest.main()
