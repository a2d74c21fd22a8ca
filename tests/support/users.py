"""What the tests of tcplab as an ordinary user share: a home for `nobody`, and /dev/net/tun with a
chosen mode."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import lab

NOBODY = 65534
TUN = "/dev/net/tun"
# Makes a device node with a given mode, in a private mount namespace.
NODE = f"mount -t tmpfs tmpfs /dev/net && mknod -m {{mode}} {TUN} c 10 200 && exec \"$@\""


class OrdinaryUser(unittest.TestCase):
    def setUp(self):
        """Makes a home for `nobody` with copies of the programs, because `nobody` may not be able
        to read the build."""
        self.home = Path(tempfile.mkdtemp(prefix="rootless"))
        self.addCleanup(shutil.rmtree, self.home, True)
        for program in ("tcplab", "dnc"):
            shutil.copy(lab.BIN / program, self.home)
        self.home.chmod(0o755)
        if os.geteuid() == 0:
            os.chown(self.home, NOBODY, NOBODY)

    def as_user(self, *arguments, node=None, env=None):
        command = [self.home / "tcplab", *arguments]
        if os.geteuid() == 0:
            command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
                       *command]
        if node:
            command = ["unshare", "--mount", "sh", "-c", NODE.format(mode=node), "sh", *command]
        return self.run_in_home(command, env)

    def as_root(self, *arguments, env=None):
        return self.run_in_home([self.home / "tcplab", *arguments], env)

    def run_in_home(self, command, env):
        return subprocess.run(command, capture_output=True, text=True, cwd=self.home, check=False,
                              env={**os.environ, "HOME": str(self.home), **(env or {})})
