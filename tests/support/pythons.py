"""The CPythons of this machine: Debian's, others on the path, and those of pyenv."""
import os
import re
import shutil
import subprocess
from pathlib import Path

KNOWN = range(8, 14)  # minor versions that capture/runtimes/python_layout knows


def found():
    """Returns the interpreters by version: {"3.11": ["/usr/bin/python3.11", ...]}."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    on_path = map(shutil.which, [f"python3.{minor}" for minor in KNOWN])
    candidates = [*root.glob("versions/3.*/bin/python3"), *filter(None, on_path)]
    candidates.append("/usr/bin/python3")
    pythons = {}
    for path in sorted({os.path.realpath(path) for path in candidates if os.path.exists(path)}):
        done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
        version = re.match(r"Python (3\.(\d+))\.", done.stdout)
        if version and int(version[2]) in KNOWN:
            pythons.setdefault(version[1], []).append(path)
    return pythons
