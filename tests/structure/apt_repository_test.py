#!/usr/bin/env python3
"""Checks with apt what tools/apt-repository makes, from small packages. apt has a configuration and
folders of its own, so that nothing of this machine changes."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import skips

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools/apt-repository"
KEYRING = "tcplab-archive-keyring.gpg"
NEEDS = ("apt-ftparchive", "apt-get", "dpkg-deb", "gpg", "gpg-agent", "xz")


def output(*command, **more):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True,
                          timeout=300, **more).stdout


class Apt:
    """An apt that knows one source."""

    def __init__(self, folder, uri, options):
        self.folder = folder
        for name in ("state/lists/partial", "cache/archives/partial", "etc"):
            (folder / name).mkdir(parents=True)
        (folder / "state/status").touch()
        (folder / "etc/sources.list").write_text(f"deb [{options}] {uri} bookworm main\n")
        # The machine's own files are not read, nor is a user of apt needed to read private folders.
        (folder / "apt.conf").write_text(
            f'Dir::Etc "{folder}/etc"; Dir::State "{folder}/state"; Dir::Cache "{folder}/cache";\n'
            f'Dir::State::status "{folder}/state/status"; APT::Sandbox::User "";\n'
            f'APT::Architecture "amd64"; APT::Architectures "amd64"; Acquire::Languages "none";\n')

    def run(self, program, *arguments):
        return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=300,
                              cwd=self.folder, check=False,
                              env={**os.environ, "APT_CONFIG": str(self.folder / "apt.conf"),
                                   "LC_ALL": "C.UTF-8"})

    def update(self):
        """Returns what `apt-get update` says, and its exit status."""
        done = self.run("apt-get", "-o", "APT::Update::Error-Mode=any", "update")
        return done.returncode, done.stdout + done.stderr


@unittest.skipUnless(all(map(shutil.which, NEEDS)), f"needs {', '.join(NEEDS)}")
class AptRepository(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.folder.chmod(0o755)
        self.repository = self.folder / "apt"
        self.gnupg = self.folder / "gnupg"
        self.gnupg.mkdir(mode=0o700)

    def package(self, version, name="toy", architecture="amd64", text="x"):
        """Makes a package, and returns its path."""
        root = self.folder / "root"
        shutil.rmtree(root, ignore_errors=True)
        (root / "DEBIAN").mkdir(parents=True)
        (root / "usr").mkdir()
        (root / "usr/toy").write_text(text)
        (root / "DEBIAN/control").write_text(
            f"Package: {name}\nVersion: {version}\nArchitecture: {architecture}\n"
            "Maintainer: Somebody <somebody@localhost>\nDescription: toy\n")
        path = self.folder / f"{name}-{len(list(self.folder.iterdir()))}.deb"
        output("dpkg-deb", "--root-owner-group", "-Znone", "--build", root, path)
        return path

    def key(self, address):
        """Makes a key, and returns the file of its public part."""
        output("gpg", "--batch", "--passphrase", "", "--quick-generate-key", address, "ed25519",
               "sign", "never", env=self.environment())
        # The agent of this folder ends when the folder vanishes, or now.
        self.addCleanup(subprocess.run, ["gpgconf", "--homedir", self.gnupg, "--kill", "all"],
                        check=False)
        public = self.folder / f"{address}.gpg"
        output("gpg", "--batch", "--output", public, "--export", address, env=self.environment())
        return public

    def environment(self):
        return {**os.environ, "GNUPGHOME": str(self.gnupg), "LC_ALL": "C.UTF-8"}

    def tool(self, *arguments):
        return subprocess.run([TOOL, "--suite", "bookworm", *arguments], capture_output=True,
                              text=True, timeout=300, env=self.environment(), check=False)

    def make(self, *arguments):
        done = self.tool(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def apt(self, options="trusted=yes"):
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        return Apt(folder, f"file://{self.repository}", options)

    def refuses(self, words, *arguments):
        done = self.tool(*arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(words, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_apt_finds_the_newest_package_and_downloads_an_older_one(self):
        old = self.package("1.0~dev", text="old")
        self.make(self.repository, old)
        self.make(self.repository, self.package("1:1.0", text="new"),
                  self.package("1.0", "python3-toy", "all"))
        apt = self.apt()
        self.assertEqual(apt.update()[0], 0)
        policy = apt.run("apt-cache", "policy", "toy").stdout
        self.assertIn("Candidate: 1:1.0\n", policy)
        self.assertIn(" 1.0~dev 500\n", policy)
        self.assertIn("Candidate: 1.0\n", apt.run("apt-cache", "policy", "python3-toy").stdout)
        done = apt.run("apt-get", "download", "toy=1.0~dev")
        self.assertEqual(done.returncode, 0, done.stderr)
        (loaded,) = apt.folder.glob("toy_*.deb")
        self.assertEqual(loaded.read_bytes(), old.read_bytes())

    def test_each_architecture_has_an_index_with_the_packages_for_all(self):
        self.make(self.repository, self.package("1", architecture="arm64"), self.package("1"),
                  self.package("1", "python3-toy", "all"))
        for architecture in ("amd64", "arm64"):
            index = self.repository / f"dists/bookworm/main/binary-{architecture}"
            text = (index / "Packages").read_text()
            self.assertEqual(output("xz", "-dc", index / "Packages.xz"), text)
            self.assertEqual(output("gzip", "-dc", index / "Packages.gz"), text)
            self.assertIn(f"pool/bookworm/toy_1_{architecture}.deb\n", text)
            self.assertIn("pool/bookworm/python3-toy_1_all.deb\n", text)
            self.assertEqual(text.count("Package: "), 2)

    def test_packages_for_all_alone_are_in_the_index_of_this_machine(self):
        self.make(self.repository, self.package("1", "python3-toy", "all"))
        architecture = output("dpkg", "--print-architecture").strip()
        index = self.repository / f"dists/bookworm/main/binary-{architecture}/Packages"
        self.assertIn("Package: python3-toy\n", index.read_text())

    def test_suites_do_not_share_packages(self):
        self.make(self.repository, self.package("1"))
        self.make("--suite", "noble", self.repository, self.package("2"))
        text = (self.repository / "dists/noble/main/binary-amd64/Packages").read_text()
        self.assertNotIn("Version: 1\n", text)
        self.assertIn("Version: 2\n", text)

    def test_a_signed_repository_is_accepted_with_its_key_only(self):
        self.key("right@localhost")
        wrong = self.key("wrong@localhost")
        said = self.make("--key", "right@localhost", self.repository, self.package("1"))
        self.assertIn("signed by ", said)
        apt = self.apt(f"signed-by={self.repository / KEYRING}")
        status, text = apt.update()
        self.assertEqual(status, 0, text)
        self.assertIn("Candidate: 1\n", apt.run("apt-cache", "policy", "toy").stdout)
        status, text = self.apt(f"signed-by={wrong}").update()
        self.assertNotEqual(status, 0, text)
        self.assertIn("NO_PUBKEY", text)
        # The detached signature is for readers of Release.
        output("gpg", "--verify", self.repository / "dists/bookworm/Release.gpg",
               self.repository / "dists/bookworm/Release", env=self.environment())

    def test_a_changed_index_is_refused(self):
        self.key("right@localhost")
        self.make("--key", "right@localhost", self.repository, self.package("1"))
        for index in (self.repository / "dists/bookworm/main/binary-amd64").iterdir():
            index.write_bytes(index.read_bytes() + b"\n")
        status, text = self.apt(f"signed-by={self.repository / KEYRING}").update()
        self.assertNotEqual(status, 0, text)

    def test_it_leaves_only_what_a_web_server_publishes(self):
        self.make(self.repository, self.package("1"))
        self.make(self.repository, self.package("2"))
        names = sorted(path.name for path in self.repository.iterdir())
        self.assertEqual(names, ["dists", "pool"])
        for path in self.repository.rglob("*"):
            self.assertTrue(path.stat().st_mode & 0o004, path)

    def test_bad_input_has_one_line_and_changes_nothing(self):
        package = self.package("1")
        part = self.folder / "part.deb"
        part.write_bytes(package.read_bytes()[:-1000])
        text = self.folder / "text.deb"
        text.write_text("text")
        for words, arguments in {
            "no such file": (self.repository, package, "none.deb"),
            f"{text}: not a Debian package": (self.repository, package, text),
            f"{part}: not a Debian package": (self.repository, package, part),
            "cannot write there": (text, package),
            "unknown option --sign": ("--sign", self.repository, package),
            "not a name such as bookworm": ("--suite", "../x", self.repository, package),
            "usage: ": (),
            "--key needs the id of a key": ("--key",),
            "no secret key 'nobody@localhost'": ("--key", "nobody@localhost", self.repository,
                                                 package),
        }.items():
            with self.subTest(words):
                self.refuses(words, *arguments)
        self.assertEqual(list(self.repository.glob("*")), [])

    def test_new_contents_need_a_new_version(self):
        self.make(self.repository, self.package("1", text="one"))
        self.refuses("needs a new version", self.repository, self.package("1", text="two"))
        self.refuses("needs a new version", self.repository, self.package("2", text="one"),
                     self.package("2", text="two"))

    def test_a_signed_repository_is_not_replaced_by_an_unsigned_one(self):
        self.key("right@localhost")
        self.make("--key", "right@localhost", self.repository, self.package("1"))
        self.refuses("is signed", self.repository, self.package("2"))


if __name__ == "__main__":
    skips.main()
