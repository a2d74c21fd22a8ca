#!/usr/bin/env python3
"""Runs the steps of ci/action, with an apt repository of toy packages. sudo only writes down what
it would install, and the installed tcplab is the one of this build."""
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

try:
    import yaml
except ImportError:
    yaml = None

ROOT = Path(__file__).resolve().parents[4]
ACTION = ROOT / "ci/action"
TOOLS = ("apt-ftparchive", "apt-get", "dpkg-deb", "curl", "gpg", "gpg-agent")
PASSES = 'return { title = "t", asks = "?", run = function(lab) end }'
SUDO = """#!/bin/bash
if [[ $1 == apt-get ]]; then
  echo "$*" >>"$LOG"
  exit
fi
[[ $1 != -E ]] || shift
exec "$@"
"""


@unittest.skipIf(yaml is None, "needs python3-yaml, which is not installed")
@unittest.skipUnless(all(map(shutil.which, TOOLS)), f"needs {', '.join(TOOLS)}")
class Action(unittest.TestCase):
    def setUp(self):
        folder = lab.Folder()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.log = self.folder / "log"
        self.log.touch()
        self.program("bin/sudo", SUDO)
        for place, word in (("bin", "installed"), ("clone", "built")):
            self.program(f"{place}/tcplab",
                         f'#!/bin/bash\necho {word} >>"$LOG"\nexec {lab.TCPLAB} "$@"\n')
        (self.folder / "toy.lua").write_text(PASSES)
        with open(ACTION / "action.yml", encoding="utf-8") as file:
            self.action = yaml.safe_load(file)
        self.steps = self.action["runs"]["steps"]
        self.environment = {key: value for key, value in os.environ.items()
                            if not key.startswith("GITHUB")}
        self.environment |= {"LOG": str(self.log), "GNUPGHOME": str(self.folder / "gnupg"),
                             "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}

    def program(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def command(self, *command):
        subprocess.run(list(map(str, command)), check=True, capture_output=True,
                       env=self.environment, timeout=300)

    def publish(self, version):
        """Makes a signed repository with tcplab of this version for this system."""
        root = self.folder / "root"
        (root / "DEBIAN").mkdir(parents=True)
        (root / "DEBIAN/control").write_text(
            f"Package: tcplab\nVersion: {version}\nArchitecture: all\n"
            "Maintainer: Somebody <somebody@localhost>\nDescription: toy\n")
        self.command("dpkg-deb", "--build", root, self.folder / "toy.deb")
        (self.folder / "gnupg").mkdir(mode=0o700)
        self.addCleanup(subprocess.run, ["gpgconf", "--homedir", self.folder / "gnupg", "--kill",
                                         "all"], check=False)
        self.command("gpg", "--batch", "--passphrase", "", "--quick-generate-key", "x@localhost",
                     "ed25519", "sign", "never")
        self.command(ROOT / "tools/apt-repository", "--key", "x@localhost", self.folder / "apt",
                     self.folder / "toy.deb")

    def run_step(self, name, known):
        (step,) = [step for step in self.steps if step.get("name") == name]
        fill = lambda text: re.sub(r"\$\{\{ (\S+) \}\}", lambda found: known[found[1]], text)
        environment = {key: fill(text) for key, text in step["env"].items()}
        return subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", step["run"]], cwd=self.folder, timeout=300,
            capture_output=True, text=True, check=False,
            env={**self.environment, **environment, "GITHUB_OUTPUT": str(self.folder / "output"),
                 "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md")})

    def install(self, ref="v1.2.3", status=0, **inputs):
        """Runs the first step, and returns what it says and its outputs."""
        known = {f"inputs.{name}": one["default"] for name, one in self.action["inputs"].items()}
        known |= {"inputs.repository": f"file://{self.folder}/apt", "github.action_ref": ref,
                  "github.action_repository": "somebody/tcplab", "github.action_path": str(ACTION)}
        known |= {f"inputs.{name}": text for name, text in inputs.items()}
        done = self.run_step("Install the release", known)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        output = self.folder / "output"
        lines = output.read_text().splitlines() if output.exists() else []
        return done.stdout + done.stderr, dict(line.split("=", 1) for line in lines)

    def run_scenarios(self, build):
        known = {"steps.install.outputs.build": build, "inputs.scenarios": "./toy.lua",
                 "inputs.arguments": "--family 4", "inputs.allow-skipped": "false",
                 "github.action_path": str(self.folder / "clone/ci/action"),
                 "runner.temp": str(self.folder / "temp")}
        (self.folder / "clone/ci/action").mkdir(parents=True)
        done = self.run_step("Run the scenarios", known)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("1 passed", (self.folder / "summary.md").read_text())
        self.assertTrue((self.folder / "temp/tcplab/results.json").is_file())

    def test_a_tag_installs_its_release(self):
        self.publish("1.2.3")
        self.assertEqual(self.install()[1], {"build": "false", "version": "1.2.3"})
        self.assertRegex(self.log.read_text(), r"install .*/tcplab_1\.2\.3_all\.deb\n")
        self.run_scenarios("false")
        self.assertTrue(self.log.read_text().endswith("installed\n"))

    def test_an_input_chooses_the_version(self):
        self.publish("1.2.3")
        self.assertEqual(self.install("main", version="v1.2.3")[1]["build"], "false")
        said, _ = self.install("main", status=3, version="1.2.4")
        self.assertIn("cannot get tcplab 1.2.4 for ", said)
        said, _ = self.install("main", status=3, version="$(id)")
        self.assertIn("version '$(id)' is not one such as 0.1.0", said)

    def test_a_tag_without_a_package_builds_and_says_so(self):
        said, outputs = self.install()
        self.assertEqual(outputs, {"build": "true", "version": "1.2.3"})
        self.assertIn("::notice::cannot get tcplab 1.2.3 for ", said)
        self.assertEqual(self.log.read_text(), "")

    def test_another_ref_and_the_input_build(self):
        self.assertEqual(self.install("main")[1], {"build": "true", "version": "main"})
        self.assertEqual(self.install(build="true")[1], {"build": "true", "version": "v1.2.3"})
        self.assertEqual(self.log.read_text(), "")
        self.run_scenarios("true")
        self.assertEqual(self.log.read_text(), "built\n")

    def test_only_a_build_uses_the_cache(self):
        (cache,) = [step for step in self.steps if "cache" in step.get("uses", "")]
        self.assertEqual(cache["if"], "steps.install.outputs.build == 'true'")

    def test_a_repository_that_another_key_has_signed_is_refused(self):
        self.publish("1.2.3")
        other = self.folder / "apt/tcplab-archive-keyring.gpg"
        self.command("gpg", "--batch", "--passphrase", "", "--quick-generate-key", "y@localhost",
                     "ed25519", "sign", "never")
        self.command("gpg", "--batch", "--yes", "--output", other, "--export", "y@localhost")
        said, outputs = self.install()
        self.assertEqual(outputs["build"], "true", said)
        self.assertEqual(self.log.read_text(), "")


if __name__ == "__main__":
    lab.main()
