#!/usr/bin/env python3
"""Checks that each link in the Markdown files leads to a file, and to a heading in it."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import skips
from links import anchors, broken_in_markdown, broken_in_pages, is_well_formed, links

ROOT = Path(__file__).resolve().parents[2]


def documents():
    names = subprocess.run(["git", "ls-files", "-z", "*.md"], cwd=ROOT, check=True,
                           capture_output=True, text=True).stdout.split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


class Checker(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tcplab-links-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def test_links_in_code_are_not_links(self):
        self.assertEqual(links("[a](b) `[c](d)`\n```\n[e](f)\n```\n![g](h.png)\n"), ["b", "h.png"])

    def test_anchors_are_those_of_github(self):
        self.assertEqual(anchors("# In CI, `one` machine\n## A\n## A\n```\n# no\n```\n"
                                 '<a id="here"></a>\n'),
                         {"in-ci-one-machine", "a", "a-1", "here"})

    def test_a_broken_link_is_named(self):
        self.write("b.md", "# Two\n")
        file = self.write("a.md", "# One\n[1](b.md#two) [2](c.md) [3](b.md#three) [4](#one) "
                                  "[5](#none) [6](https://x.y/z) [7](https://)\n")
        self.assertEqual(broken_in_markdown(file),
                         ["a.md: c.md: no such file",
                          'a.md: b.md#three: "three" is no place in b.md',
                          'a.md: #none: "none" is no place in a.md',
                          "a.md: https://: not a well-formed address"])

    def test_a_broken_link_of_a_page_is_named(self):
        self.write("b.html", '<p id="x">')
        self.write("a.html", '<a href="b.html#x"></a><a href="./b.html#y"></a><img src="c.png">'
                             '<a href="javascript:x"></a><a href="data:,"></a>')
        self.assertEqual(broken_in_pages(self.folder),
                         ['a.html: ./b.html#y: "y" is no place in b.html',
                          "a.html: c.png: no such file",
                          "a.html: javascript:x: not a well-formed address"])

    def test_a_site_does_not_link_to_files_outside(self):
        (self.folder / "site").mkdir()
        self.write("secret.txt", "")
        self.write("site/a.html", '<a href="../secret.txt"></a>')
        self.assertEqual(broken_in_pages(self.folder / "site"),
                         ["a.html: ../secret.txt: outside the site"])

    def test_the_form_of_an_address(self):
        for address in ("https://a.b", "http://www.a.b/c?d#e"):
            self.assertTrue(is_well_formed(address), address)
        for address in ("ftp://a.b", "https:/a.b", "https://a b.c/", "//a.b", "mailto:x@y"):
            self.assertFalse(is_well_formed(address), address)


class Documents(unittest.TestCase):
    def test_the_tree_has_documents(self):
        self.assertGreater(len(documents()), 8)

    def test_each_link_leads_somewhere(self):
        for file in documents():
            with self.subTest(str(file.relative_to(ROOT))):
                self.assertEqual(broken_in_markdown(file), [])


if __name__ == "__main__":
    skips.main()
