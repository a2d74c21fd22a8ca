"""For tests of hosts with kernels of their own. To import this chooses programs that run in them: a
dnc without sanitizers (cmake/guest_bin.cmake)."""
import os
import shutil
import subprocess
import unittest
from pathlib import Path

import lab

lab.BIN = Path(os.environ.get("TCPLAB_GUEST_BIN", lab.BIN))
lab.TCPLAB = lab.BIN / "tcplab"

NO_KERNEL = shutil.which("linux.uml") is None
needs_kernel = unittest.skipIf(NO_KERNEL, "user-mode-linux is not installed")


def built_kernel():
    """Returns the release of a Linux 6.12 that was built. Skips the test if there is none."""
    done = subprocess.run([lab.TCPLAB, "kernels"], capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        if line.startswith("6.12"):
            return line.split()[1]
    raise unittest.SkipTest("there is no Linux 6.12 for hosts: tcplab kernels build 6.12")
