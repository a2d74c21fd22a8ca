"""What the tests of the web pages share: pages of recorded runs, and a browser that opens them."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from chromium import Chromium

HERE = pathlib.Path(__file__).resolve().parents[1]
TCPLAB = pathlib.Path(os.environ["TCPLAB_BIN"]) / "tcplab"
POWER_CYCLE = HERE / "events/power-cycle.jsonl"
HOLDING = HERE / "events/simultaneous-close.jsonl"


def tcplab(*arguments, **options):
    return subprocess.run([TCPLAB, *map(str, arguments)], capture_output=True, text=True,
                          timeout=300, check=False, **options)


def lines(events):
    return "".join(json.dumps(event, separators=(",", ":")) + "\n" for event in events)


def read(file):
    return [json.loads(line) for line in file.read_text().splitlines()]


class Pages(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tcplab-html-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def record(self, name, content):
        run = self.folder / "runs" / name
        run.mkdir(parents=True)
        (run / "events.jsonl").write_text(content)
        return run

    def report(self, *runs):
        done = tcplab("report", *runs, "--html", self.folder / "pages")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return pathlib.Path(done.stdout.strip())


def why_no_browser():
    if not shutil.which("chromium"):
        return "chromium is not installed"
    try:
        Chromium().close()
    except (OSError, TimeoutError) as error:
        return f"chromium cannot run here: {error}"
    return ""


NO_BROWSER = why_no_browser()


@unittest.skipIf(NO_BROWSER, NO_BROWSER)
class BrowsedPages(Pages):
    """Opens pages in one browser. At the end of each test the page must have no complaints."""

    @classmethod
    def setUpClass(cls):
        cls.browser = Chromium()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        super().setUp()
        self.browser.scripts(True)
        self.browser.size(1280, 800)
        self.addCleanup(self.quiet)

    def quiet(self):
        self.assertEqual(self.browser.complaints(), [])

    def open(self, page, fragment=""):
        self.browser.open(page.as_uri() + fragment)

    def see(self, content, fragment="", name="run"):
        page = self.report(self.record(name, content))
        self.open(page, fragment)
        return page

    def at(self):
        return self.browser.run("(document.querySelector('.step.at') || {}).id")

    def text(self, selector):
        return self.browser.run(f"document.querySelector({json.dumps(selector)}).textContent")

    def until(self, expression):
        """Waits until an expression on the page is true."""
        self.browser.run(f"""new Promise((done) => {{
            const look = () => ({expression}) ? done() : requestAnimationFrame(look);
            look();
        }})""")

    def press(self, *keys):
        for key in keys:
            self.browser.press(key)
