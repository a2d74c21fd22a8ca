"""Checks JSON documents and events of tcplab against the schemas in docs/schema."""
import copy
import json
import os
import re
import sys
from functools import cache
from pathlib import Path

try:
    import jsonschema
except ImportError:  # this python3 is not Debian's, which has the package
    sys.path.append("/usr/lib/python3/dist-packages")
    import jsonschema

FOLDER = Path(os.environ["TCPLAB_SOURCE"]) / "docs/schema"
ENDING = ".schema.json"
INTEGERS = (8, 16, 31, 32)  # bits: the maxima in the schema of events are powers of two, minus 1


def names():
    return sorted(file.name.removesuffix(ENDING) for file in FOLDER.glob("*" + ENDING))


def read(name):
    return json.loads((FOLDER / (name + ENDING)).read_text(encoding="utf-8"))


def with_references(node, replace):
    """Returns a copy of a schema whose references are what `replace` makes of them."""
    if isinstance(node, list):
        return [with_references(each, replace) for each in node]
    if not isinstance(node, dict):
        return node
    return {key: replace(value) if key == "$ref" else with_references(value, replace)
            for key, value in node.items()}


@cache
def bundle():
    """Returns the definitions of all schemas as one, because versions of jsonschema differ in how
    they find other files: "look.schema.json#/$defs/wait" is "#/$defs/look/$defs/wait"."""
    found = {}
    for name in names():
        def replace(reference, name=name):
            file, _, part = reference.partition("#")
            return f"#/$defs/{file.removesuffix(ENDING) or name}{part}"
        schema = with_references(read(name), replace)
        del schema["$id"], schema["$schema"]
        found[name] = schema
    return found


@cache
def validator(name, part=""):
    """Returns what checks a document of this format, or the part of one that $defs names."""
    reference = f"#/$defs/{name}" + (f"/$defs/{part}" if part else "")
    return jsonschema.Draft202012Validator({"$ref": reference, "$defs": bundle()})


def complaint(document):
    """Returns what is wrong with a document; empty if nothing is."""
    name = document.get("format", "").removeprefix("tcplab-")
    if name not in bundle():
        return f"unknown format: {name}"
    return said(validator(name), document)


def event_complaint(event):
    """Returns what is wrong with a line of events.jsonl; empty if nothing is."""
    kind = event.get("kind", "")
    if kind not in bundle()["events"]["$defs"]:
        return f"unknown kind: {kind}"
    return said(validator("events", kind), event)


def said(checks, document):
    error = jsonschema.exceptions.best_match(checks.iter_errors(document))
    return f"{error.json_path}: {error.message}"[:500] if error else ""


def checked(text):
    """Returns the document in a text, which must be as its schema says."""
    document = json.loads(text)
    wrong = complaint(document)
    assert not wrong, wrong
    return document


def constraints(node, key):
    """Returns the values that this key has anywhere in a schema."""
    if isinstance(node, dict):
        found = [node[key]] if key in node else []
        node = [each for name, each in node.items() if name != key]
    else:
        found = []
    for each in node:
        if isinstance(each, (dict, list)):
            found += constraints(each, key)
    return found


@cache
def words():
    """Returns the words that the schema of events lists."""
    definitions = bundle()["events"]["$defs"]
    return {word for words in constraints(definitions, "enum") for word in words} | {
        word for word in constraints(definitions, "const") if isinstance(word, str)}


@cache
def patterns():
    found = constraints(bundle()["events"]["$defs"], "pattern")
    return [re.compile(pattern) for pattern in sorted(set(found))]


def shape(value):
    """Returns the same for values that the schema of events does not tell apart."""
    if isinstance(value, dict):
        return tuple((key, shape(each)) for key, each in value.items())
    if isinstance(value, list):
        return frozenset(map(shape, value))
    if isinstance(value, str):
        return value if value in words() else (
            bool(value), *(bool(pattern.search(value)) for pattern in patterns()))
    if isinstance(value, int):
        return type(value), value < 0, *(value.bit_length() > bits for bits in INTEGERS)
    return type(value)


class Events:
    """Checks each shape of event once: a schema is slow, and most events are alike."""

    def __init__(self):
        self.shapes = set()

    def complaint(self, event):
        """Returns what is wrong with an event; empty if nothing is, or if its shape is known."""
        seen = shape(event)
        wrong = "" if seen in self.shapes else event_complaint(event)
        if not wrong:
            self.shapes.add(seen)
        return wrong

    def complaint_of_file(self, file):
        """Returns what is wrong with the first wrong line of an events.jsonl."""
        with open(file, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if wrong := self.complaint(json.loads(line)):
                    return f"{file}:{number}: {wrong}"
        return ""


_KNOWN = Events()  # of all runs of this process
_MOST = 2000  # lines of one file


def checked_events(lines):
    """Returns the events in the lines, which must be as the schema says."""
    found = [json.loads(line) for line in lines]
    for event in found[:_MOST]:
        wrong = _KNOWN.complaint(event)
        assert not wrong, f"{wrong}: {event}"
    return found


def places(value, path=()):
    """Yields the path of each object in a document."""
    if isinstance(value, dict):
        yield path
    for key, each in (value.items() if isinstance(value, dict) else
                      enumerate(value) if isinstance(value, list) else ()):
        yield from places(each, (*path, key))


def changed(document, path, change):
    """Returns a copy in which the object at this place is changed."""
    copied = copy.deepcopy(document)
    place = copied
    for key in path:
        place = place[key]
    change(place)
    return copied
