"""Reads compile_commands.json, the compile commands that CMake writes."""
import json
import re
from pathlib import Path

INCLUDED = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def compiled_files(build):
    """Returns (source, command) for each source that the build compiles. A unity file, which CMake
    writes to compile several sources together, stands for the sources that it includes."""
    for entry in json.loads((Path(build) / "compile_commands.json").read_text(encoding="utf-8")):
        file = Path(entry["file"])
        sources = [file]
        if file.parent.name == "Unity":
            sources = map(Path, INCLUDED.findall(file.read_text(encoding="utf-8")))
        for source in sources:
            yield source, entry["command"]
