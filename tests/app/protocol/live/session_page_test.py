#!/usr/bin/env python3
"""Runs the example of docs/session.md, and compares the answers with the page."""
import json
import os
import pathlib
import re
import sys
import unittest

sys.dont_write_bytecode = True
import lab
from sessions import Session

PAGE = pathlib.Path(os.environ["TCPLAB_SOURCE"], "docs/session.md").read_text()


def documented(line):
    """Returns a line of the page as JSON, where `...` is a member of its own."""
    text = re.sub(r"(?<=, )\.\.\.(?=\})", '"...": "..."', line)
    return json.loads(text)


def difference(shown, real, place=""):
    """Returns the place where a real answer is not as the page shows it; None if there is none."""
    if isinstance(shown, dict) and isinstance(real, dict):
        keys = shown.keys() - {"..."} if "..." in shown else shown.keys() | real.keys()
        found = (f"{place}.{key} is only in one" if (key in shown) != (key in real)
                 else difference(shown[key], real[key], f"{place}.{key}") for key in sorted(keys))
        return next(filter(None, found), None)
    if isinstance(shown, list) and isinstance(real, list) and len(shown) == len(real):
        found = (difference(*pair, f"{place}[{i}]") for i, pair in enumerate(zip(shown, real)))
        return next(filter(None, found), None)
    if place.endswith((".session", ".folder")):
        return None if isinstance(real, str) else place
    return None if shown == real else f"{place}: {shown!r} is {real!r}"


class Page(unittest.TestCase):
    def test_the_example_gets_the_answers_of_the_page(self):
        example = re.search(r"```jsonl\n(.*?)```", PAGE, re.S).group(1).splitlines()
        self.assertEqual(len([line for line in example if line.startswith(">")]), 7)
        with lab.Folder() as folder, Session(folder) as session:
            real = session.hello
            for line in example:
                if line.startswith("> "):
                    session.write(line[2:])
                    real = session.read()
                    continue
                shown = documented(line[2:])
                if "end" in shown:
                    real = {"end": session.end()[0]}
                self.assertIsNone(difference(shown, real), line)

    def test_a_difference_is_found(self):
        for shown, real in [('{"a": 1}', '{"a": 2}'), ('{"a": 1}', '{"a": 1, "b": 2}'),
                            ('{"a": [1]}', '{"a": []}'), ('{"a": 1, ...}', '{"b": 1}')]:
            self.assertIsNotNone(difference(documented(shown), json.loads(real)))
        self.assertIsNone(difference(documented('{"a": 1, ...}'), {"a": 1, "b": 2}))


if __name__ == "__main__":
    lab.main()
