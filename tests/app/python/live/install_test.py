#!/usr/bin/env python3
"""Installs the package with pip from the source tree into an environment of its own, and runs a
test there: pytest finds the plugin by its entry point."""
import os
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import lab
from python_package import PYTHON, SOURCE, need_module

TEST = "def test_a_pair(lab):\n    kang, _kodos = lab.pair()\n    assert kang.name() == 'kang'\n"


class Install(unittest.TestCase):
    def test_pip_installs_the_package_with_its_stubs_and_its_plugin(self):
        need_module("pytest", "python3-pytest")
        need_module("pip", "python3-pip")
        need_module("setuptools", "python3-setuptools")
        with lab.Folder() as folder:
            subprocess.run(["cp", "-r", SOURCE / "python", folder / "source"], check=True)
            site = folder / "site"
            installed = subprocess.run(
                [PYTHON, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
                 "--no-build-isolation", "--target", site, folder / "source"],
                capture_output=True, text=True, check=False)
            self.assertEqual(installed.returncode, 0, installed.stderr)
            for file in ["objects.pyi", "py.typed", "events.py"]:
                self.assertTrue((site / "tcplab" / file).exists(), file)
            (folder / "test_it.py").write_text(TEST)
            done = subprocess.run(
                [PYTHON, "-m", "pytest", "-p", "no:cacheprovider", "test_it.py"], cwd=folder,
                text=True, env={**os.environ, "PYTHONPATH": str(site), "TCPLAB": str(lab.TCPLAB)},
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn("1 passed", done.stdout)


if __name__ == "__main__":
    lab.main()
