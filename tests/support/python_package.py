"""Runs Debian's Python, which has pytest, with the package in python/."""
import os
import pathlib
import subprocess
import unittest

import lab

SOURCE = pathlib.Path(os.environ["TCPLAB_SOURCE"])
PYTHON = "/usr/bin/python3"


def environment():
    return {**os.environ, "PYTHONPATH": str(SOURCE / "python"), "TCPLAB": str(lab.TCPLAB),
            "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1"}


def has_module(name):
    done = subprocess.run([PYTHON, "-c", f"import {name}"], capture_output=True, check=False)
    return done.returncode == 0


def need_module(name, package):
    if not has_module(name):
        raise unittest.SkipTest(f"needs {package}, which is not installed")


def pytest(folder, *arguments):
    """Runs pytest in a folder, and returns its exit status and its output."""
    done = subprocess.run([PYTHON, "-m", "pytest", "-p", "tcplab.pytest_plugin",
                           "-p", "no:cacheprovider", "--basetemp", folder / "basetemp",
                           *arguments], cwd=folder, env=environment(), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
                          check=False)
    return done.returncode, done.stdout
