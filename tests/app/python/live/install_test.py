#!/usr/bin/env python3
"""Installs the package as `cmake --install` does, and from there with pip into an environment of
its own, and runs a test there: pytest finds the plugin by its entry point."""
import os
import shutil
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import lab
from python_package import PYTHON, SOURCE, need_module

TEST = "def test_a_pair(lab):\n    kang, _kodos = lab.pair()\n    assert kang.name() == 'kang'\n"
CMAKE = """cmake_minimum_required(VERSION 3.20)
project(tcplab VERSION 1.0 LANGUAGES NONE)
include(GNUInstallDirs)
include(cmake/install.cmake)
"""
FILES = ["README.md", "pyproject.toml", *("tcplab/" + name for name in [
    "__init__.py", "calls.py", "errors.py", "events.py", "objects.py", "objects.pyi", "py.typed",
    "pytest_plugin.py", "session.py"])]


def installed(folder):
    """Returns the installed folder python. Its source has what pip leaves in a clone."""
    source = folder / "source"
    shutil.copytree(SOURCE, source, symlinks=True, ignore=shutil.ignore_patterns(
        "build", "build-*", ".git", "runs", "*.egg-info", "__pycache__"))
    (source / "CMakeLists.txt").write_text(CMAKE)
    for left in ["build/lib/tcplab/session.py", "tcplab.egg-info/README.md",
                 "tcplab/__pycache__/calls.py"]:
        (source / "python" / left).parent.mkdir(parents=True, exist_ok=True)
        (source / "python" / left).write_text("")
    for command in [["-S", source, "-B", folder / "build"],
                    ["--install", folder / "build", "--prefix", folder / "usr"]]:
        done = subprocess.run(["cmake", *command], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return folder / "usr/share/tcplab/python"


class Install(unittest.TestCase):
    def setUp(self):
        lab.need("cmake")
        need_module("pytest", "python3-pytest")
        folder = lab.Folder()
        self.folder = folder.__enter__()
        self.addCleanup(folder.__exit__, None, None, None)
        (self.folder / "test_it.py").write_text(TEST)

    def test_only_the_package_is_installed_and_python_finds_it_there(self):
        python = installed(self.folder)
        self.assertEqual(sorted(str(file.relative_to(python)) for file in python.rglob("*")
                                if file.is_file()), FILES)
        self.run_pytest(python, "-p", "tcplab.pytest_plugin")

    def test_pip_installs_a_copy_with_its_stubs_and_its_plugin(self):
        need_module("pip", "python3-pip")
        need_module("setuptools", "python3-setuptools")
        shutil.copytree(installed(self.folder), self.folder / "copy")
        site = self.folder / "site"
        done = subprocess.run(
            [PYTHON, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
             "--no-build-isolation", "--target", site, self.folder / "copy"],
            capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        for file in ["objects.pyi", "py.typed", "events.py"]:
            self.assertTrue((site / "tcplab" / file).exists(), file)
        self.run_pytest(site)

    def run_pytest(self, path, *options):
        environment = {**os.environ, "PYTHONPATH": str(path), "TCPLAB": str(lab.TCPLAB),
                       "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [PYTHON, "-m", "pytest", "-p", "no:cacheprovider", *options, "test_it.py"],
            cwd=self.folder, text=True, env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("1 passed", done.stdout)


if __name__ == "__main__":
    lab.main()
