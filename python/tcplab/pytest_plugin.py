"""A pytest plugin: the fixtures `lab` and `tcplab_events`, and scenarios (.lua) as tests.

Loaded by its entry point (pytest11). docs/python.md describes it.
"""
import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tcplab.errors import Skipped, TcplabError
from tcplab.objects import Lab
from tcplab.session import find_program

LONGEST_NAME = 100
SKIPPED = 4  # the exit status of tcplab run
# What a scenario has, and another Lua file hardly.
SCENARIO = [re.compile(r"\basks\s*="), re.compile(r"\brun\b")]


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
    pages = config.getoption("tcplab_html")
    if pages and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Pages(Path(config.invocation_params.dir, pages)))


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
    node._tcplab_runs = [made.folder]
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
        become_skipped(report, call, item.reportinfo())
    report.tcplab_runs = getattr(item, "_tcplab_runs", [])
    if report.failed:
        item._tcplab_failed = True
        folder = getattr(item, "_tcplab_folder", None)
        if folder:
            report.sections.append(("tcplab", f"The run: tcplab show {folder}"))


def become_skipped(report, call, place):
    """Makes a report and a call what they are after pytest.skip(): --pdb does not stop there."""
    error = call.excinfo.value
    report.outcome = "skipped"
    report.longrepr = (str(place[0]), (place[1] or 0) + 1, f"Skipped: {error}")
    vars(report).pop("wasxfail", None)
    skipped = pytest.skip.Exception(str(error))
    call.excinfo = pytest.ExceptionInfo.from_exc_info(
        (type(skipped), skipped, error.__traceback__))


class Pages:
    """Writes pages of the runs of this session, also of those of pytest-xdist's workers."""

    def __init__(self, folder):
        self._folder = folder
        self._runs = {}  # a set that keeps the order
        self._warnings = ""
        self._page = ""  # the index, or the page of a single run

    def pytest_runtest_logreport(self, report):
        self._runs.update(dict.fromkeys(getattr(report, "tcplab_runs", [])))

    def pytest_sessionfinish(self):
        runs = [run for run in self._runs if Path(run, "events.jsonl").exists()]
        if not runs:
            return
        try:
            index = self._folder / "index.html"
            index.unlink(missing_ok=True)  # that of an earlier call; a single run has none
            done = subprocess.run([find_program(), "report", "--html", self._folder, *runs],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  errors="replace", check=False)
            self._warnings = done.stderr
            self._page = done.stdout.strip() or (index if index.exists() else "")
        except (TcplabError, OSError) as error:
            self._warnings = f"tcplab: no pages: {error}"

    def pytest_terminal_summary(self, terminalreporter):
        for line in self._warnings.splitlines():
            terminalreporter.write_line(line, yellow=True)
        if self._page:
            terminalreporter.write_line(f"Pages of the runs: {self._page}")


def pytest_collect_file(file_path, parent):
    if file_path.suffix != ".lua" or file_path.name.endswith("lib.lua"):
        return None
    text = file_path.read_text(errors="replace")
    asked_for = any(_is_argument(file_path, argument) for argument in parent.config.args)
    if asked_for or all(part.search(text) for part in SCENARIO):
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
        shutil.rmtree(out, ignore_errors=True)  # an earlier run
        kernel = self.config.getoption("tcplab_kernel")
        command = [find_program(), "run", self.path, "--family", self.family, "--out", out,
                   *(["--kernel", kernel] if kernel else [])]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, text=True, errors="replace", check=False,
                              env={**os.environ, "NO_COLOR": "1"})
        self._tcplab_runs = [str(file.parent) for file in out.glob("*/events.jsonl")]
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
