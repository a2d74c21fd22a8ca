"""Drives a headless Chromium over the DevTools protocol on a pipe, without a port or a library. See
https://chromedevtools.github.io/devtools-protocol/"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PATIENCE = 300  # seconds; only a hang takes that long
# Before the browser has shown a page's first content, it drops what is typed.
IS_SHOWN = """new Promise((done) => {
  const look = () => requestAnimationFrame(
    performance.getEntriesByName("first-contentful-paint").length ? done : look);
  look();
})"""
# The player of a run's page is ready after the page has unpacked its data.
PLAYER_IS_READY = """new Promise((done) => {
  const look = () => document.querySelector(".player") && !document.body.dataset.player
    ? requestAnimationFrame(look) : done();
  look();
})"""


class Chromium:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="tcplab-chromium-")
        ours_read, its_write = os.pipe()
        its_read, ours_write = os.pipe()
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{its_read} 4>&{its_write}', "bash", "chromium",
             "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--disable-gpu",
             "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "--force-color-profile=srgb", "--hide-scrollbars",
             f"--user-data-dir={self.folder}", "about:blank"],
            pass_fds=(its_read, its_write), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(its_read)
        os.close(its_write)
        self.reader, self.writer = ours_read, ours_write
        self.pending = b""
        self.count = 0
        self.events = []
        self.session = None
        self.loader = None  # of the page
        self.has_scripts = True
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)

    def close(self):
        session, self.session = self.session, None
        try:
            if session:
                self.call("Browser.close")
            self.process.wait(10)
        except (OSError, TimeoutError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.reader)
        os.close(self.writer)
        shutil.rmtree(self.folder, ignore_errors=True)

    def receive(self):
        deadline = time.monotonic() + PATIENCE
        while b"\0" not in self.pending:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.reader], [], [], left)[0]:
                raise TimeoutError("Chromium says nothing")
            piece = os.read(self.reader, 1 << 16)
            if not piece:
                raise OSError("Chromium has ended")
            self.pending += piece
        line, self.pending = self.pending.split(b"\0", 1)
        return json.loads(line)

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def await_event(self, method):
        while True:
            for index, event in enumerate(self.events):
                if event.get("method") == method:
                    return self.events.pop(index)["params"]
            self.events.append(self.receive())

    def await_load(self, is_wanted):
        """Waits until a page is loaded: a page that was left may have had its event late."""
        while True:
            event = self.await_event("Page.lifecycleEvent")
            if event["name"] == "load" and is_wanted(event["loaderId"]):
                self.loader = event["loaderId"]
                return

    def load(self, address):
        loader = self.call("Page.navigate", url=address)["loaderId"]
        self.await_load(lambda each: each == loader)

    def leave(self, act):
        """Does what leads to another page, and waits for that."""
        before = self.loader
        act()
        self.await_load(lambda each: each != before)

    def follow(self, link):
        """Clicks on a link, and waits for its page."""
        self.leave(lambda: self.run(f"document.querySelector({json.dumps(link)}).click()"))

    def open(self, address):
        """Loads the page, and discards earlier events."""
        self.load("about:blank")
        self.events.clear()
        self.load(address)
        if self.has_scripts:
            self.run(PLAYER_IS_READY)
            self.run(IS_SHOWN)

    def run(self, script):
        """Returns the value of an expression on the page. Raises RuntimeError if it throws."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def metric(self, name):
        """Returns a metric: https://chromedevtools.github.io/devtools-protocol/tot/Performance/"""
        self.call("Performance.enable")
        metrics = self.call("Performance.getMetrics")["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == name)

    def press(self, key, text=""):
        code = {" ": "Space"}.get(key, key)
        number = {"ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, " ": 32,
                  "PageUp": 33, "PageDown": 34, "Escape": 27, "Tab": 9}.get(key, 0)
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code, text=text,
                      windowsVirtualKeyCode=number)

    def complaints(self):
        """Returns what the page has written to the console, thrown, or requested from a network."""
        self.run("1")  # when this returns, all earlier events have arrived
        found = []
        for event in self.events:
            method, details = event.get("method"), event.get("params", {})
            if method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
                found.append(f"{method}: {json.dumps(details)[:400]}")
            if method == "Network.requestWillBeSent":
                address = details["request"]["url"]
                if not address.startswith(("file:", "data:", "about:")):
                    found.append(f"asked for {address}")
        return found

    def size(self, width, height, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=2 if mobile else 1, mobile=mobile)

    def dark(self, wanted):
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if wanted else "light"}])

    def scripts(self, enabled):
        self.has_scripts = enabled
        self.call("Emulation.setScriptExecutionDisabled", value=not enabled)

    def accessible_names(self):
        """Returns the names in the accessibility tree, joined. Takes a screenshot first: until a
        frame has been drawn, the tree has no part with `content-visibility: auto`."""
        self.call("Page.captureScreenshot", format="png")
        tree = self.call("Accessibility.getFullAXTree")["nodes"]
        return " ".join(str(node.get("name", {}).get("value", "")) for node in tree)

    def screenshot(self, file, whole=False):
        picture = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(file, "wb") as out:
            out.write(base64.b64decode(picture["data"]))

    def pdf(self, file):
        with open(file, "wb") as out:
            out.write(base64.b64decode(self.call("Page.printToPDF", printBackground=True,
                                                 preferCSSPageSize=True)["data"]))
