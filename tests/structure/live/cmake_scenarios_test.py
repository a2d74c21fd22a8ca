#!/usr/bin/env python3
"""Checks that another CMake project finds the installed tcplab, and runs its own scenarios with
CTest. They pass, fail and are skipped, run a program of that project, and are found when added."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

BUILD = os.environ["TCPLAB_BUILD_DIR"]
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(toy LANGUAGES NONE)
enable_testing()
find_package(tcplab 0.1 REQUIRED)
add_executable(greeter IMPORTED GLOBAL)
set_target_properties(greeter PROPERTIES IMPORTED_LOCATION ${CMAKE_SOURCE_DIR}/programs/greeter)
tcplab_add_scenarios(DIR scenarios PREFIX toy LABELS slow TIMEOUT 120 PROGRAM greeter
                     ARGUMENTS --family 4)
"""
SCENARIO = 'return { title = "t", asks = "?", %s run = function(lab)\n%s\nend }\n'
PASSES = SCENARIO % ("", """
  local kang = lab:pair()
  local greeter = kang:run("greeter")
  lab:expect(greeter):prints "greetings from kang"
  lab:expect(greeter):exits(0)""")
FAILS = SCENARIO % ("", '  lab:expect_between(300, 1, 2, "three")')
SKIPPED = SCENARIO % ('needs = { "kernel 99.0" },', "")


class Project(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="tcplab-cmake-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.folder / "installed"],
                       check=True, stdout=subprocess.DEVNULL)

    def setUp(self):
        shutil.rmtree(self.folder / "toy", ignore_errors=True)
        self.write("CMakeLists.txt", PROJECT)
        self.write("scenarios/close/passes.lua", PASSES)
        self.write("scenarios/power/fails.lua", FAILS)
        self.write("scenarios/power/skipped.lua", SKIPPED)
        self.write("programs/greeter", "#!/bin/sh\necho greetings from $(hostname)\n")
        (self.folder / "toy/programs/greeter").chmod(0o755)

    def write(self, name, text):
        file = self.folder / "toy" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def run_(self, *command):
        clean = {key: value for key, value in os.environ.items() if not key.startswith("TCPLAB_S")}
        return subprocess.run(command, cwd=self.folder / "toy", capture_output=True, text=True,
                              env=clean, timeout=280, check=False)

    def configure(self):
        return self.run_("cmake", "-S", ".", "-B", "build", "-G", "Ninja",
                         f"-DCMAKE_PREFIX_PATH={self.folder}/installed")

    def configured(self):
        result = self.configure()
        self.assertEqual(result.returncode, 0, result.stderr)

    def registered(self, *options):
        lines = self.run_("ctest", "--test-dir", "build", "-N", *options).stdout.splitlines()
        return {line.split(": ")[1] for line in lines if line.strip().startswith("Test ") and
                "#" in line}

    def test_each_scenario_is_a_test(self):
        self.configured()
        all_ = {"toy.close.passes", "toy.power.fails", "toy.power.skipped"}
        self.assertEqual(self.registered(), all_)
        self.assertEqual(self.registered("-L", "power"), {"toy.power.fails", "toy.power.skipped"})
        self.assertEqual(self.registered("-L", "slow"), all_)
        output = self.run_("ctest", "--test-dir", "build", "-j2").stdout
        self.assertRegex(output, r"toy\.power\.fails \.+\**Failed")
        self.assertRegex(output, r"toy\.power\.skipped \.+\**Skipped")
        self.assertTrue((self.folder / "toy/build/tcplab-runs/toy/power/fails").is_dir())
        # If this machine cannot make hosts, a scenario that makes them is skipped.
        warmup = self.run_(f"{self.folder}/installed/bin/tcplab", "run", "warmup").returncode
        outcome = r"\**Skipped" if warmup == 4 else " +Passed"
        self.assertRegex(output, r"toy\.close\.passes \.+" + outcome)

    def test_an_added_scenario_is_found_by_the_next_build(self):
        self.configured()
        self.write("scenarios/new/added.lua", SKIPPED)
        built = self.run_("cmake", "--build", "build")
        self.assertEqual(built.returncode, 0, built.stdout + built.stderr)
        self.assertIn("toy.new.added", self.registered())

    def test_invalid_arguments_are_refused(self):
        for call, part in {"()": "no folder given", "(DIR gone)": "gone is not a folder",
                           "(DIR scenarios LUCK)": "unknown arguments: LUCK"}.items():
            with self.subTest(call):
                self.write("CMakeLists.txt", PROJECT + f"tcplab_add_scenarios{call}\n")
                result = self.configure()
                self.assertNotEqual(result.returncode, 0)
                self.assertIn(part, " ".join(result.stderr.split()))


if __name__ == "__main__":
    unittest.main()
