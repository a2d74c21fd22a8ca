"""Drives a headless Firefox through Marionette, its own protocol, without a library. See
https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html"""
import json
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

PATIENCE = 300  # seconds; only a hang takes that long
PREFERENCES = """user_pref("marionette.port", 0);
user_pref("app.update.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.telemetry.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
"""


class Firefox:
    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tcplab-firefox-"))
        (self.folder / "user.js").write_text(PREFERENCES)
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", self.folder],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.count = 0
        self.pending = b""
        self.socket = socket.create_connection(("127.0.0.1", self.port()), PATIENCE)
        self.message()  # the greeting
        self.call("WebDriver:NewSession", capabilities={})

    def port(self):
        """Returns the port that Firefox has chosen. Raises TimeoutError if it does not start."""
        file = self.folder / "MarionetteActivePort"
        deadline = time.monotonic() + PATIENCE
        while not (file.exists() and file.read_text().strip()):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise TimeoutError("Firefox does not start")
            time.sleep(0.05)
        return int(file.read_text())

    def message(self):
        while True:
            length, colon, rest = self.pending.partition(b":")
            if colon and len(rest) >= int(length):
                self.pending = rest[int(length):]
                return json.loads(rest[:int(length)])
            piece = self.socket.recv(1 << 16)
            if not piece:
                raise OSError("Firefox has ended")
            self.pending += piece

    def call(self, command, **parameters):
        self.count += 1
        text = json.dumps([0, self.count, command, parameters]).encode()
        self.socket.sendall(str(len(text)).encode() + b":" + text)
        _, _, error, result = self.message()
        if error:
            raise RuntimeError(f"{command}: {error['message']}")
        return result

    def open(self, address):
        self.call("WebDriver:Navigate", url="about:blank")
        self.call("WebDriver:Navigate", url=address)

    def run(self, expression):
        """Returns the value of an expression on the page, or that of its promise."""
        script = ("const done = arguments[arguments.length - 1];"
                  f"Promise.resolve({expression}).then(done, (error) => done(String(error)));")
        return self.call("WebDriver:ExecuteAsyncScript", script=script, args=[],
                         sandbox=None)["value"]

    def size(self, width, height):
        self.call("WebDriver:SetWindowRect", width=width, height=height)

    def press(self, key):
        self.call("WebDriver:PerformActions", actions=[
            {"type": "key", "id": "keys", "actions": [{"type": "keyDown", "value": key},
                                                     {"type": "keyUp", "value": key}]}])

    def screenshot(self):
        """Returns the window's picture, PNG in base64."""
        return self.call("WebDriver:TakeScreenshot", full=False)["value"]

    def close(self):
        try:
            self.call("Marionette:Quit", flags=["eForceQuit"])
            self.process.wait(10)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.socket.close()
        shutil.rmtree(self.folder, ignore_errors=True)
