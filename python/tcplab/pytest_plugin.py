"""A pytest plugin: the fixtures `lab` and `tcplab_events`, and scenarios (.lua) as tests.

Loaded by its entry point (pytest11). docs/python.md describes it.
"""
import hashlib
import os
import re
import subprocess
from pathlib import Path

import pytest

from tcplab.errors import Skipped, TcplabError
from tcplab.objects import Lab
from tcplab.session import find_program

LONGEST_NAME = 100
SKIPPED = 4  # the exit status of tcplab run
# What a scenario has, and another Lua file hardly.
SCENARIO = re.compile(r"^\s*asks\s*=.*^\s*run\s*=", re.M | re.S)


def pytest_addoption(parser):
    group = parser.getgroup("tcplab", "tcplab, a laboratory for failures of TCP")
    group.addoption("--tcplab-html", metavar="DIR",
                    help="write a web page of each run, and an index, into DIR")
    group.addoption("--tcplab-family", choices=["4", "6"], default="4",
                    help="choose the Internet Protocol of the fixture lab (default: 4)")
    group.addoption("--tcplab-kernel", metavar="VERSION",
                    help="choose the kernel of the fixture lab, as tcplab run --kernel does")


def pytest_configure(config):
    config.addinivalue_line("markers", "tcplab(**options): options of the fixture lab, those of "
                            "tcplab.Lab: family=6, timers='stock', kernel='6.1', needs=[...]")


def folder_name(nodeid):
    """Returns a name for the files of a test, which no other test has."""
    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", nodeid).strip("-.")
    if name == nodeid and len(name) <= LONGEST_NAME:
        return name
    digest = hashlib.sha256(nodeid.encode()).hexdigest()[:8]
    return f"{name[:LONGEST_NAME]}-{digest}"


def runs_folder(config, tmp_path_factory):
    """Returns the folder for the runs. Without --tcplab-html, it is one that pytest removes."""
    pages = config.getoption("tcplab_html")
    if pages:
        return Path(config.invocation_params.dir, pages, "runs")
    return tmp_path_factory.getbasetemp() / "tcplab"


@pytest.fixture
def lab(request, tmp_path_factory):
    """A lab of its own for the test: tcplab.Lab."""
    config, node = request.config, request.node
    name = folder_name(node.nodeid)
    options = {"family": int(config.getoption("tcplab_family")), "name": name,
               "title": node.nodeid, "kernel": config.getoption("tcplab_kernel"),
               "out": runs_folder(config, tmp_path_factory) / name}
    for mark in reversed(list(node.iter_markers("tcplab"))):
        options.update(mark.kwargs)
    made = Lab(**options)
    node._tcplab_folder = made.folder
    yield made
    made.close(check=not getattr(node, "_tcplab_failed", False))


@pytest.fixture
def tcplab_events(lab):
    """The function that returns the events of the test's lab: tcplab_events("call",
    errno="ECONNRESET")."""
    return lab.events


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    error = call.excinfo.value if call.excinfo else None
    if isinstance(error, Skipped):
        report.outcome = "skipped"
        place = item.reportinfo()
        report.longrepr = (str(place[0]), (place[1] or 0) + 1, f"Skipped: {error}")
    if report.failed:
        item._tcplab_failed = True
        folder = getattr(item, "_tcplab_folder", None)
        if folder:
            report.sections.append(("tcplab", f"The run: tcplab show {folder}"))


def pytest_sessionfinish(session):
    """Writes the pages of all runs, also of those of pytest-xdist's workers."""
    config = session.config
    pages = config.getoption("tcplab_html")
    if not pages or hasattr(config, "workerinput"):
        return
    pages = Path(config.invocation_params.dir, pages)
    if any(pages.glob("runs/*/events.jsonl")):
        subprocess.run([find_program(), "report", "--html", pages, pages / "runs"],
                       stdout=subprocess.DEVNULL, check=True)
        config._tcplab_pages = pages


def pytest_terminal_summary(terminalreporter, config):
    pages = getattr(config, "_tcplab_pages", None)
    if pages:
        terminalreporter.write_line(f"Pages of the runs: {pages}")


def pytest_collect_file(file_path, parent):
    if file_path.suffix != ".lua" or file_path.name.endswith("lib.lua"):
        return None
    asked_for = any(_is_argument(file_path, argument) for argument in parent.config.args)
    if asked_for or SCENARIO.search(file_path.read_text(errors="replace")):
        return ScenarioFile.from_parent(parent, path=file_path)
    return None


def _is_argument(file_path, argument):
    return Path(argument.split("::")[0]).absolute() == file_path


class ScenarioFile(pytest.File):
    """A scenario: one test for each Internet Protocol."""

    def collect(self):
        for family in ["4", "6"]:
            yield ScenarioItem.from_parent(self, name=f"ipv{family}", family=family)


def reason_of_skip(output):
    """Returns why tcplab run has skipped a scenario: the last part of the line of the run."""
    lines = [line for line in output.splitlines() if line.startswith("∅")]
    return re.split(r" {2,}", lines[0])[-1] if lines else output.strip()


class ScenarioFailed(TcplabError):
    """A scenario that did not pass; the text is what tcplab run has printed."""


class ScenarioItem(pytest.Item):
    def __init__(self, *, family, **others):
        super().__init__(**others)
        self.family = family
        self.add_marker("tcplab")

    def runtest(self):
        factory = self.config._tmp_path_factory
        out = runs_folder(self.config, factory) / folder_name(self.nodeid)
        kernel = self.config.getoption("tcplab_kernel")
        command = [find_program(), "run", self.path, "--family", self.family, "--out", out,
                   *(["--kernel", kernel] if kernel else [])]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, text=True, errors="replace", check=False,
                              env={**os.environ, "NO_COLOR": "1"})
        if done.returncode == SKIPPED:
            raise Skipped(reason_of_skip(done.stdout))
        if done.returncode != 0:
            raise ScenarioFailed(done.stdout.strip())

    def repr_failure(self, excinfo):
        if isinstance(excinfo.value, ScenarioFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, 0, f"{self.path.name} [{self.name}]"
