#!/usr/bin/env python3
"""Checks that ./tcplab builds only if necessary, and then runs tcplab."""
import resource
import unittest

import skips
from clone import Clone


class Wrapper(unittest.TestCase):
    def setUp(self):
        self.clone = Clone()
        self.addCleanup(self.clone.remove)

    def expect(self, word, done):
        self.assertEqual((done.returncode, done.stdout), (0, f"{word} run\n"), done.stderr)

    def test_it_builds_once_and_prints_nothing_afterwards(self):
        self.expect("first", self.clone.run("run"))
        log = self.clone.folder / "build/build.log"
        log.unlink()
        again = self.clone.run("run")
        self.expect("first", again)
        self.assertEqual(again.stderr, "")
        self.assertFalse(log.exists(), "it built again")

    def test_it_builds_again_if_a_source_has_changed(self):
        self.expect("first", self.clone.run("run"))
        self.clone.answer("second")
        self.expect("second", self.clone.run("run"))

    def test_it_builds_again_if_a_source_was_added_or_removed(self):
        self.expect("first", self.clone.run("run"))
        stamp = self.clone.folder / "build/.stamp"
        for file in ("netns/new.cc", "uml/new.cc"):
            before = stamp.stat().st_mtime_ns
            self.clone.write(file, "")
            self.expect("first", self.clone.run("run"))
            self.assertGreater(stamp.stat().st_mtime_ns, before, file)

    def test_a_new_scenario_does_not_start_a_build(self):
        self.expect("first", self.clone.run("run"))
        (self.clone.folder / "build/build.log").unlink()
        (self.clone.folder / "scenarios/puzzlers").mkdir(parents=True)
        self.clone.write("scenarios/puzzlers/new.lua", "return {}")
        self.expect("first", self.clone.run("run"))
        self.assertFalse((self.clone.folder / "build/build.log").exists())

    def test_it_works_through_a_symbolic_link_from_elsewhere(self):
        link = self.clone.folder / "base/link"
        link.symlink_to("../tcplab")
        self.expect("first", self.clone.run("run", program=link))

    def test_it_builds_in_the_folder_named_by_TCPLAB_BUILD(self):
        elsewhere = self.clone.folder / "else where"
        self.expect("first", self.clone.run("run", TCPLAB_BUILD=str(elsewhere)))
        self.assertTrue((elsewhere / "bin/tcplab").exists())
        self.assertFalse((self.clone.folder / "build").exists())

    def test_a_failed_build_shows_the_reason(self):
        self.clone.write("app/main.cc", "int main() { return nonsense; }\n")
        done = self.clone.run("run")
        self.assertEqual(done.returncode, 3)
        self.assertIn("the build failed", done.stderr)
        self.assertIn("nonsense", done.stderr)
        self.clone.answer("fixed")
        self.expect("fixed", self.clone.run("run"))

    def test_progress_goes_only_to_stderr(self):
        done = self.clone.run("run")
        self.assertEqual(done.stdout, "first run\n")

    def test_a_folder_that_cannot_be_written_is_reported(self):
        done = self.clone.run("run", TCPLAB_BUILD="/proc/build")
        self.assertEqual(done.returncode, 3)
        self.assertIn("cannot write /proc/build", done.stderr)

    def test_once_built_it_adds_less_than_50_ms_of_processor_time(self):
        """Measures processor time, because wall time depends on what else the machine does."""
        self.expect("first", self.clone.run("run"))

        def took(program):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.expect("first", self.clone.run("run", program=program))
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

        built = self.clone.folder / "build/bin/tcplab"
        direct = min(took(built) for _ in range(10))
        wrapped = min(took(None) for _ in range(10))
        self.assertLess(wrapped - direct, 0.050)


if __name__ == "__main__":
    skips.main()
