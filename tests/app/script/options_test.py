#!/usr/bin/env python3
"""Checks docs/options.md, which names scenarios for socket options and sysctls. Each scenario must
exist and mention the option. On the kernel that the page describes, the page must list every
sysctl. On another kernel, missing ones are reported as a skip, not as a failure."""
import os
import pathlib
import platform
import re
import unittest

import skips

SOURCE = pathlib.Path(os.environ["TCPLAB_SOURCE"])

SYSCTLS = pathlib.Path("/proc/sys/net/ipv4")
HEADER = pathlib.Path("/usr/include/linux/tcp.h")
HEADER_VERSION = pathlib.Path("/usr/include/linux/version.h")
# Macros for values, and second names of options.
NOT_OPTIONS = re.compile(r"TCP_(MSS_|REPAIR_(ON|OFF)|CM_INQ|MD5SIG_(MAXKEYLEN|FLAG)|NLA_)\w*")

page = (SOURCE / "docs/options.md").read_text()
rows = dict(re.findall(r"^\| `([^`]+)` \| (.+) \|$", page, re.M))
of_kernel = tuple(int(part) for part in re.search(r"As of Linux\s(\d+)\.(\d+)", page).groups())


def scenarios_of(cell):
    return re.findall(r"`([^`]+)`", cell)


def words_for(name):
    """Returns the word that a scenario must contain: for a sysctl, the last part of its name."""
    return name.rsplit(".", 1)[-1]


class TheTable(unittest.TestCase):
    def test_the_table_is_parsed_and_each_name_occurs_once(self):
        self.assertGreater(len(rows), 100)
        self.assertIn("linger2", scenarios_of(rows["TCP_LINGER2"]))
        self.assertEqual(len(re.findall(r"^\| `", page, re.M)), len(rows), "a name is there twice")

    def test_each_row_has_a_scenario_or_a_reason(self):
        for name, cell in rows.items():
            self.assertTrue(scenarios_of(cell) or re.search(r"[a-z]{4}", cell), name)

    def test_each_scenario_mentions_the_options_that_it_is_listed_for(self):
        scripts = {file.stem: file.read_text() for file in (SOURCE / "scenarios").glob("*/*.lua")}
        for name, cell in rows.items():
            for scenario in scenarios_of(cell):
                self.assertIn(scenario, scripts, f"{name}: there is no such scenario")
                said = rf"(?<!\w){re.escape(words_for(name))}(?!\w)"
                self.assertTrue(re.search(said, scripts[scenario]),
                                f"{scenario} does not say {words_for(name)}")


class TheKernel(unittest.TestCase):
    def test_each_sysctl_of_tcp_is_in_the_table(self):
        running = tuple(int(part) for part in platform.release().split(".")[:2])
        there = {file.name for file in SYSCTLS.glob("tcp_*")}
        self.report_or_fail(there - set(rows), running, f"Linux {platform.release()}")

    def test_each_socket_option_of_the_header_is_in_the_table(self):
        if not (HEADER.exists() and HEADER_VERSION.exists()):
            self.skipTest(f"{HEADER} is not installed")
        code = int(re.search(r"LINUX_VERSION_CODE (\d+)", HEADER_VERSION.read_text()).group(1))
        defined = re.findall(r"^#define (TCP_[A-Z0-9_]+)\s+\d+\b", HEADER.read_text(), re.M)
        options = {name for name in defined if not NOT_OPTIONS.fullmatch(name)}
        self.assertIn("TCP_NODELAY", options)
        version = (code >> 16, code >> 8 & 255)
        self.report_or_fail(options - set(rows), max(version, of_kernel), str(HEADER))

    def report_or_fail(self, missing, version, whose):
        message = f"docs/options.md lacks, of {whose}: {', '.join(sorted(missing))}"
        if missing and version != of_kernel:
            self.skipTest(f"{message}; it is of Linux {of_kernel[0]}.{of_kernel[1]}")
        self.assertFalse(missing, message)


if __name__ == "__main__":
    skips.main()
