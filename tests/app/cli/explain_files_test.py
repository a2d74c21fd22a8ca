#!/usr/bin/env python3
"""Checks which files tcplab explain takes, and what it writes: gzip, JSON, web pages."""
import gzip
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import schemas
from talks import ACK, PUSH, TCPLAB, Talk, pcap


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        talk = Talk().shake_hands().say(0, ACK | PUSH, 0, 0, 10).say(1, ACK, 0, 10).close(10)
        self.content = pcap(talk.frames)
        self.file = self.folder / "yours.pcap"
        self.file.write_bytes(self.content)

    def run_it(self, *arguments, given=None):
        return subprocess.run([TCPLAB, "explain", *map(str, arguments)], capture_output=True,
                              input=given, check=False, timeout=300,
                              env={**os.environ, "LC_ALL": "C.UTF-8"})

    def test_a_gzip_file_is_explained_as_the_file_itself(self):
        wanted = self.run_it(self.file)
        self.assertEqual(wanted.returncode, 0, wanted.stderr)
        packed = self.folder / "yours.pcap.gz"
        half = len(self.content) // 2
        for content in (gzip.compress(self.content),
                        gzip.compress(self.content[:half]) + gzip.compress(self.content[half:])):
            packed.write_bytes(content)
            for done in (self.run_it(packed), self.run_it("-", given=content)):
                self.assertEqual((done.returncode, done.stdout, done.stderr),
                                 (0, wanted.stdout, b""))

    def test_a_damaged_or_truncated_gzip_file_is_reported(self):
        content = gzip.compress(self.content)
        for name, damaged in (("cut.gz", content[:-20]),
                              ("bad.gz", content[:30] + b"\xff" * 30 + content[60:])):
            file = self.folder / name
            file.write_bytes(damaged)
            done = self.run_it(file)
            self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)
            self.assertIn(name.encode(), done.stderr)

    def test_a_file_that_does_not_exist_is_not_taken_for_a_scenario(self):
        for name in ("nosuch.pcap", "nosuch.pcapng.gz", "./nosuch", "/nosuch/yours"):
            done = self.run_it(name)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertEqual(done.stderr.decode(), f"tcplab: {name}: no such file\n")
        done = self.run_it("nosuch")
        self.assertIn(b"no scenario", done.stderr)

    def test_json_and_a_message_say_that_a_file_is_cut_off(self):
        cut = self.folder / "cut.pcap"
        cut.write_bytes(self.content[:-3])
        done = self.run_it("--json", cut)
        self.assertEqual(done.returncode, 0)
        answer = schemas.checked(done.stdout)
        frames = answer["frames"]
        self.assertGreater(frames, 3)
        self.assertTrue(answer["read_error"].startswith(
            f"{cut}: cut off or damaged after frame {frames}: "), answer["read_error"])
        self.assertEqual(done.stderr.decode(),
                         f"tcplab: {answer['read_error']}; the frames before are described\n")
        self.assertIsNone(schemas.checked(self.run_it("--json", self.file).stdout)["read_error"])

    def test_an_empty_file_is_called_empty(self):
        empty = self.folder / "empty.pcap"
        for content in b"", gzip.compress(b""):
            empty.write_bytes(content)
            done = self.run_it(empty)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertEqual(done.stderr.decode(),
                             f"tcplab: {empty}: is empty, so it is not a capture\n")

    def test_pages_of_another_capture_are_never_replaced(self):
        other = self.folder / "other.pcap"
        other.write_bytes(self.content)
        pages = self.folder / "pages"
        self.assertEqual(self.run_it("--html", pages, self.file).returncode, 0)
        before = {file.name: file.read_bytes() for file in pages.iterdir()}
        for capture, given in ((other, None), ("-", self.content)):
            done = self.run_it("--html", pages, capture, given=given)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertEqual(done.stderr.decode(), f"tcplab: {pages}: has pages of another capture "
                             "or of runs; name another folder, or delete these pages\n")
            self.assertEqual({file.name: file.read_bytes() for file in pages.iterdir()}, before)
        again = self.run_it("--html", pages, self.folder / "." / "yours.pcap")
        self.assertEqual((again.returncode, again.stderr), (0, b""))

    def test_pages_of_runs_are_never_replaced(self):
        pages = self.folder / "pages"
        pages.mkdir()
        (pages / "index.html").write_text("the index of many runs")
        done = self.run_it("--html", pages, self.file)
        self.assertEqual(done.returncode, 2)
        self.assertEqual((pages / "index.html").read_text(), "the index of many runs")
        (pages / "index.html").rename(pages / "power-cycle.html")
        self.assertEqual(self.run_it("--html", pages, self.file).returncode, 0)

    def test_json_has_the_connection(self):
        done = self.run_it("--json", self.file)
        explained = schemas.checked(done.stdout)
        self.assertEqual((explained["frames"], explained["file"]), (8, str(self.file)))
        connection, = explained["connections"]
        self.assertEqual((connection["trouble"], connection["ending"], connection["roles"]),
                         ("none", "closed", "by the SYN"))
        client = connection["client"]
        self.assertEqual((client["address"], client["octets"], client["data_segments"]),
                         ("10.0.0.1:40000", 10, 1))
        self.assertIn("TIME_WAIT", client["states"])

    def test_the_document_names_every_member_of_the_json(self):
        text = (Path(os.environ["TCPLAB_SOURCE"]) / "docs/explain.md").read_text()
        explained = schemas.checked(self.run_it("--json", self.file).stdout)
        connection = explained["connections"][0]
        for member in [*explained, *connection, *connection["client"]]:
            self.assertIn(f"`{member}`", text)

    def test_pages_are_written_for_bad_connections(self):
        silent = Talk(port=40001).shake_hands()
        for number in range(4):
            silent.say(0, ACK | PUSH, 0, 0, 10, after=300_000 << number)
        good = Talk(port=40002).shake_hands().close()
        content = pcap(sorted(silent.frames + good.frames))
        pages = self.folder / "pages"
        done = self.run_it("--html", pages, "-", given=content)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(done.stdout.decode().strip(), str(pages / "index.html"))
        index = (pages / "index.html").read_text()
        self.assertIn("server is silent: 3 retransmissions unanswered", index)
        bad, = pages.glob("connection-*.html")
        self.assertIn(bad.name, index)
        page = bad.read_text()
        for words in ("server is silent", "power-off", "class=\"player", "All connections"):
            self.assertIn(words, page)
        self.assertNotIn("unfinished", page)

    def test_a_single_connection_has_one_page(self):
        pages = self.folder / "pages"
        done = self.run_it("--html", pages, self.file)
        self.assertEqual(done.stdout.decode().strip(), str(pages / "connection-1.html"))
        self.assertEqual([page.name for page in pages.glob("*.html")], ["connection-1.html"])


if __name__ == "__main__":
    unittest.main()
