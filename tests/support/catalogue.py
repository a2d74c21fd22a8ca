#!/usr/bin/env python3
"""Runs the whole catalogue on both families, into the folder TCPLAB_CATALOGUE. The tests that read
the runs share them: CTest carries this out before them, as the fixture `catalogue`
(tests/CMakeLists.txt). A test that is started by hand, without the variable, makes its own runs."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import lab


def make(folder):
    """Runs the catalogue. Returns its output if a run did not pass, else an empty text."""
    done = subprocess.run([lab.TCPLAB, "run", "--out", folder], capture_output=True, text=True,
                          check=False)
    passed = re.search(r"(\d+) passed", done.stdout)
    if done.returncode == 0 and passed and int(passed[1]) > 450:
        return ""
    return lab.troubles(done.stdout)[-12000:] + done.stderr[-2000:]


def runs(test_class):
    """Returns the folder with the runs, for a test class."""
    if "TCPLAB_CATALOGUE" in os.environ:
        return Path(os.environ["TCPLAB_CATALOGUE"])
    folder = lab.Folder()
    test_class.addClassCleanup(folder.cleanup)
    if trouble := make(folder.name):
        raise AssertionError(trouble)
    return Path(folder.name)


if __name__ == "__main__":
    target = os.environ["TCPLAB_CATALOGUE"]
    shutil.rmtree(target, ignore_errors=True)
    os.makedirs(target)
    failure = make(target)
    print(failure)
    sys.exit(1 if failure else 0)
