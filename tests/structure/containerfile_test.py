#!/usr/bin/env python3
"""Checks ci/Containerfile against the package that it installs, without building an image."""
import fnmatch
import functools
import re
import subprocess
import unittest
from pathlib import Path
from shutil import which

import skips

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "ci/Containerfile"
MODULES = "/usr/lib/uml/modules/"


def instructions():
    """Returns (name, text) of each instruction; its lines are joined."""
    lines = [line for line in FILE.read_text(encoding="utf-8").splitlines()
             if not line.startswith("#")]
    text = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [tuple(line.split(maxsplit=1)) for line in text.splitlines() if line]


def stages():
    """Returns the instructions of each stage, which begins with FROM."""
    found = []
    for one in instructions():
        if one[0] == "FROM":
            found.append([])
        found[-1].append(one)
    return found


def texts(stage, name):
    return [text for instruction, text in stage if instruction == name]


def package_field(name):
    """Returns the packages in a field of the Debian package."""
    text = (ROOT / "cmake/package.cmake").read_text(encoding="utf-8")
    (value,) = re.findall(rf'CPACK_DEBIAN_PACKAGE_{name} "(.*)"', text)
    return set(value.split(", "))


class Containerfile(unittest.TestCase):
    def setUp(self):
        self.build, self.final = stages()

    @functools.cached_property
    def filters(self):
        """What the file that it writes for dpkg says: a list of (verb, pattern)."""
        (command,) = [run for run in texts(self.final, "RUN") if "dpkg.cfg.d" in run]
        script = command.rsplit(">", 1)[0]
        lines = subprocess.run(["sh", "-c", script], check=True, capture_output=True, text=True,
                               cwd="/").stdout.splitlines()
        return [tuple(line.split("=")) for line in lines]

    def kept(self, path):
        """dpkg(1): the last pattern that matches a path counts. Its * matches a slash, too."""
        verbs = [verb for verb, pattern in self.filters if fnmatch.fnmatchcase(path, pattern)]
        return not verbs or verbs[-1] == "path-include"

    def test_both_stages_have_the_same_release_of_debian(self):
        built, runs = (texts(stage, "FROM")[0].split()[0] for stage in (self.build, self.final))
        self.assertEqual(runs, f"{built}-slim")

    def test_the_build_makes_the_package_with_the_tool_for_it(self):
        (copied,) = texts(self.build, "COPY")
        source, destination = copied.split()
        self.assertEqual(source, ".")
        tool, folder = texts(self.build, "RUN")[-1].split()
        self.assertTrue((ROOT / Path(tool).relative_to(destination)).is_file(), tool)
        (install,) = [run for run in texts(self.final, "RUN") if "apt-get install" in run]
        self.assertIn(f"from={texts(self.build, 'FROM')[0].split()[-1]},source={folder},", install)

    def test_the_image_has_what_the_package_recommends_and_suggests(self):
        (install,) = re.findall(r"apt-get install ([^&]*)", "\n".join(texts(self.final, "RUN")))
        (argument,) = texts(self.final, "ARG")
        variable, value = argument.split("=")
        words = {word for word in install.replace(f"${variable}", value).split()
                 if not word.startswith(("-", "/"))}
        self.assertEqual(words, package_field("RECOMMENDS") | package_field("SUGGESTS"))

    def test_what_git_ignores_of_builds_is_not_copied(self):
        ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split("\n")
        for pattern in ("/build/", "/build-*/", "/runs/"):
            self.assertIn(pattern, (ROOT / ".gitignore").read_text(encoding="utf-8"))
            self.assertIn(pattern.strip("/"), ignored)

    def test_the_modules_that_hosts_load_are_kept_and_others_are_not(self):
        source = (ROOT / "uml/agent/guest_system.cc").read_text(encoding="utf-8")
        (names,) = re.findall(r"for \(const char\* name : \{(.*)\}\) load_module", source)
        names = re.findall('"(.*?)"', names) + ["net/ipv4/tcp_bbr"]
        self.assertEqual(len(names), 3)
        for name in names:
            self.assertTrue(self.kept(f"{MODULES}6.1.1/kernel/{name}.ko"), name)
        self.assertTrue(self.kept(f"{MODULES}6.1.1/modules.dep"))
        self.assertTrue(self.kept("/usr/bin/linux.uml"))
        self.assertFalse(self.kept(f"{MODULES}6.1.1/kernel/fs/xfs/xfs.ko"))

    @unittest.skipUnless(which("linux.uml"), "no user-mode-linux here")
    def test_a_module_that_is_kept_has_those_that_it_needs(self):
        (listed,) = Path(MODULES).glob("*/modules.dep")
        kept = 0
        for line in listed.read_text(encoding="utf-8").splitlines():
            module, needs = line.split(":")
            if self.kept(str(listed.parent / module)):
                kept += 1
                for need in needs.split():
                    self.assertTrue(self.kept(str(listed.parent / need)), line)
        self.assertGreater(kept, 10)


if __name__ == "__main__":
    skips.main()
