"""Makes a small clone to test scripts in. It has the real ./tcplab and tools/. In place of tcplab
it has a program of one line, which builds in a second."""
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CMAKE = """cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES CXX)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
add_executable(tcplab app/main.cc)
"""
MAIN = '#include <cstdio>\nint main(int, char** v) { std::printf("%s %s\\n", ANSWER, v[1]); }\n'


class Clone:
    def __init__(self):
        self.folder = Path(tempfile.mkdtemp())
        for room in "cmake base netns capture audit uml dnc reports lab app".split():
            (self.folder / room).mkdir(parents=True)
        shutil.copy(ROOT / "tcplab", self.folder)
        shutil.copytree(ROOT / "tools", self.folder / "tools")
        (self.folder / "CMakeLists.txt").write_text(CMAKE)
        self.answer("first")

    def remove(self):
        shutil.rmtree(self.folder)

    def write(self, path, text):
        (self.folder / path).write_text(text)

    def answer(self, word):
        self.write("app/main.cc", MAIN.replace("ANSWER", f'"{word}"'))

    def run(self, *arguments, program=None, **environment):
        clean = {key: value for key, value in os.environ.items() if not key.startswith("TCPLAB")}
        return subprocess.run([program or self.folder / "tcplab", *arguments], text=True, cwd="/",
                              env={**clean, **environment}, capture_output=True, check=False,
                              stdin=subprocess.DEVNULL, timeout=240)
