"""What tools/editor-stubs and tools/python-stubs share: they make files of the interface.

TCPLAB_BIN is the folder of tcplab; build/bin by default.
"""
import argparse
import json
import os
import pathlib
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parent.parent


def interface():
    """Returns what `tcplab interface` prints."""
    program = pathlib.Path(os.environ.get("TCPLAB_BIN", SOURCE / "build/bin")) / "tcplab"
    said = subprocess.run([program, "interface"], check=True, capture_output=True, text=True)
    return json.loads(said.stdout)


def main(tool, about, make, made_before):
    """Makes the files of a tool, and returns an exit status. `make` returns the texts by path, from
    the interface; `made_before` are the paths that the tool may have made earlier. With --check,
    writes nothing, and names the files that differ."""
    parser = argparse.ArgumentParser(description=about.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--check", action="store_true", help="print the files that differ")
    arguments = parser.parse_args()
    texts = make(interface())
    there = {file: file.read_text() for file in {*texts, *made_before} if file.exists()}
    wrong = sorted(file for file in texts.keys() | there.keys()
                   if texts.get(file) != there.get(file))
    if arguments.check:
        for file in wrong:
            print(f"{file.relative_to(SOURCE)} is not current; run: {tool}")
        return 1 if wrong else 0
    for file in wrong:
        if file in texts:
            file.write_text(texts[file])
        else:
            file.unlink()
    return 0
