#!/usr/bin/env python3
"""What is wrong from outside ends in one clear line and the exit status that the design has for
it: 0 passed, 1 an expectation failed, 2 a bad script, 3 the lab broke, 4 nothing ran."""
import os
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import lab

FAILED, BAD_SCRIPT, BROKEN, NOTHING_RAN = 1, 2, 3, 4


class BadInput(unittest.TestCase):
    def setUp(self):
        self.out = lab.Folder()
        self.addCleanup(self.out.cleanup)

    def ends(self, script, status, *words, **options):
        """The script's run ends so, and all the words stand in one line of what it says."""
        run = lab.Run(script, self.out.name, **options)
        self.assertEqual(run.status, status, run.said())
        lines = (run.output + run.errors).splitlines()
        self.assertTrue(any(all(word in line for word in words) for line in lines), run.said())
        return run

    def test_hosts_that_are_not_there(self):
        for script, line in (("unknown-host", 7), ("unknown-host-expected", 8)):
            with self.subTest(script=script):
                self.ends(f"{script}.lua", BAD_SCRIPT, f"{script}.lua:{line}", '"krusty"')

    def test_bad_scripts(self):
        for script, words in (("bad-filter", (":8", "tcp[[[", "not valid")),
                              ("no-such-verb", (":7", "a host has no verb `explode`; "
                                                "did you mean")),
                              ("endless-loop", (":8", "loop")),
                              ("endless-pcall", (":7", "loop")),
                              ("memory-bomb", (":8", "memory"))):
            with self.subTest(script=script):
                self.ends(f"{script}.lua", BAD_SCRIPT, f"{script}.lua{words[0]}", *words[1:])

    def test_frames_that_cannot_be_forged(self):
        for family in "46":
            run = lab.Run("forged-badly.lua", self.out.name, family=family)
            self.assertEqual(run.status, 0, run.said())

    def test_verbs_that_there_are_not(self):
        run = lab.Run("no-such-verbs.lua", self.out.name)
        self.assertEqual(run.status, 0, run.said())

    def test_faults_that_there_cannot_be(self):
        for family in "46":
            run = lab.Run("faults-refused.lua", self.out.name, family=family)
            self.assertEqual(run.status, 0, run.said())

    def test_oversized_script(self):
        script = os.path.join(self.out.name, "large.lua")
        with open(script, "w", encoding="utf-8") as text:
            text.write("--" + "x" * (2 << 20) + "\nreturn {}\n")
        self.ends(script, BAD_SCRIPT, "large.lua", "large")

    def test_missing_program(self):
        self.ends("missing-program.lua", NOTHING_RAN, "no-such-program-anywhere", "not installed")

    def test_port_in_use(self):
        self.ends("port-in-use.lua", FAILED, "bind", "EADDRINUSE")

    def test_unknown_scenario_and_option(self):
        for arguments in (["run", "no-such-scenario"], ["run", "--no-such-option"], ["fly"]):
            with self.subTest(arguments=arguments):
                done = subprocess.run([lab.TCPLAB, *arguments], capture_output=True, text=True,
                                      cwd=self.out.name, check=False)
                self.assertEqual(done.returncode, BAD_SCRIPT, done.stdout + done.stderr)
                self.assertIn(arguments[-1], done.stdout + done.stderr)

    def test_output_folder_that_is_a_file(self):
        with open(self.out.name + "/taken", "w", encoding="utf-8"):
            pass
        done = subprocess.run([lab.TCPLAB, "run", "warmup", "--out", "taken"], text=True,
                              capture_output=True, cwd=self.out.name, check=False)
        self.assertEqual(done.returncode, BAD_SCRIPT, done.stdout + done.stderr)
        self.assertRegex(done.stderr, r"\Atcplab: cannot make the folder taken/.*--out.*\n\Z")

    def test_full_disk(self):
        """On a disk of 4 MB that only this process and its children see."""
        command = f"mount -t tmpfs -o size=4m tmpfs '{self.out.name}' && exec \"$@\""
        wrap = ["unshare", "--mount", "sh", "-c", command, "sh"]
        if os.geteuid() != 0:
            wrap[1:1] = ["--user", "--map-root-user"]
        run = self.ends("fills-the-disk.lua", BROKEN, "events.jsonl", "ENOSPC", wrap=wrap)
        self.assertNotIn("terminate", run.errors)

    def test_no_privilege(self):
        """In a user namespace that allows no further ones, for a user who is not its root."""
        deny = "echo 0 > /proc/sys/user/max_user_namespaces && " \
               "exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs \"$@\""
        wrap = ["unshare", "--user", "--map-root-user", "sh", "-c", deny, "sh"]
        if subprocess.run([*wrap, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("a user namespace without rights cannot be made here")
        self.ends("unknown-host.lua", BROKEN, "namespaces", wrap=wrap)

    def test_malformed_frames(self):
        run = lab.Run("malformed.lua", self.out.name)
        self.assertEqual(run.status, 0, run.said())
        packets = run.events("packet")
        counted = sum(flood["frames"] for flood in run.events("flood"))
        self.assertGreater(len(packets) + counted, 500)
        told = " ".join(packet["summary"] for packet in packets)
        for words in ("truncated IPv4 header", "truncated IPv4 options", "IPv4 header length",
                      "IPv4 header of another version", "IPv4 total length is too small",
                      "truncated IPv4 packet", "truncated TCP header", "data offset is too small",
                      "truncated TCP options", "malformed TCP options", "truncated UDP header",
                      "truncated ICMP header", "truncated ARP", "truncated IPv6 header",
                      "truncated IPv6 packet", "truncated 802.1Q tag"):
            self.assertIn(words, told)
        self.assertEqual(len(run.frames()), 2 * (len(packets) + counted),
                         "each as both NICs saw it")


if __name__ == "__main__":
    lab.main()
