"""For tests of kernel hosts. To import this chooses programs that run in them: those without
sanitizers (cmake/release_bin.cmake)."""
import os
import shutil
import subprocess
import unittest
from pathlib import Path

import lab

lab.BIN = Path(os.environ.get("TCPLAB_RELEASE_BIN", lab.BIN))
lab.TCPLAB = lab.BIN / "tcplab"

NO_KERNEL = shutil.which("linux.uml") is None
needs_kernel = unittest.skipIf(NO_KERNEL, "user-mode-linux is not installed")


def _built_kernel():
    """Returns the line of a Linux 6.12 that was built. Skips the test if there is none."""
    done = subprocess.run([lab.TCPLAB, "kernels"], capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        if line.startswith("6.12"):
            return line
    raise unittest.SkipTest("there is no Linux 6.12 for hosts: tcplab kernels build 6.12")


def built_kernel():
    """Returns its release."""
    return _built_kernel().split()[1]


def built_kernel_file():
    return _built_kernel().split()[2].rstrip(",")


WRAPPER = """#include <unistd.h>
const volatile char kRelease[] = "Linux version %s (with words of a test) uml_dir=";
int main(int count, char** words) {
  char* all[100] = {0};
  for (int i = 0; i < count; ++i) all[i] = words[i];
  all[count] = "%s";
  execv("%s", all);
  return kRelease[0] == 0;
}
"""


def kernel_with(word, folder, kernel="linux.uml"):
    """Returns the path of a kernel, Debian's if none is named, with another word on its command
    line. It is static, so that the library of tcplab is loaded by the kernel only."""
    kernel = shutil.which(kernel)
    release = subprocess.run([kernel, "--version"], capture_output=True, text=True,
                             check=True).stdout.strip()
    source = Path(folder, "wrapper.c")
    source.write_text(WRAPPER % (release, word, kernel), encoding="utf-8")
    program = Path(folder, "linux")
    subprocess.run(["cc", "-static", "-o", program, source], check=True)
    return program
