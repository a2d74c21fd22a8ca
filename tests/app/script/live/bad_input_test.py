#!/usr/bin/env python3
"""Checks that bad input ends in one clear message and the right exit status: 0 passed, 1 an
expectation failed, 2 a bad script, 3 the lab broke, 4 nothing ran."""
import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

FAILED, BAD_SCRIPT, BROKEN, NOTHING_RAN = 1, 2, 3, 4


class BadInput(unittest.TestCase):
    def setUp(self):
        self.out = lab.Folder()
        self.addCleanup(self.out.cleanup)

    def ends(self, script, status, *words, **options):
        """Runs the script. Checks its exit status, and that one line of output has all words."""
        run = lab.Run(script, self.out.name, **options)
        self.assertEqual(run.status, status, run.said())
        lines = (run.output + run.errors).splitlines()
        self.assertTrue(any(all(word in line for word in words) for line in lines), run.said())
        return run

    def test_unknown_hosts_are_refused(self):
        for script, line in (("unknown-host", 7), ("unknown-host-expected", 8)):
            with self.subTest(script=script):
                self.ends(f"{script}.lua", BAD_SCRIPT, f"{script}.lua:{line}", '"krusty"')

    def test_a_misused_interface_is_found_before_any_host_is_made(self):
        run = self.ends("no-such-verb.lua", BAD_SCRIPT, "no-such-verb.lua:7", "did you mean")
        self.assertEqual([event["kind"] for event in run.events()], ["run", "end"])

    def test_bad_scripts_are_refused_with_their_line(self):
        for script, words in (("bad-filter", (":8", "tcp[[[", "not valid")),
                              ("no-such-verb", (":7", "a host has no verb `explode`; "
                                                "did you mean")),
                              ("endless-loop", (":8", "loop")),
                              ("endless-pcall", (":7", "loop")),
                              ("memory-bomb", (":8", "memory"))):
            with self.subTest(script=script):
                self.ends(f"{script}.lua", BAD_SCRIPT, f"{script}.lua{words[0]}", *words[1:])

    def raises(self, raising, folder="."):
        """Returns the run of a script that has this code on line 6."""
        script = Path(self.out.name, folder, "raises.lua")
        script.parent.mkdir(exist_ok=True)
        script.write_text("return {\n  title = 'T',\n  asks = 'Q?',\n  run = function(lab)\n"
                          f"    lab:pair()\n    {raising}\n  end,\n}}\n", encoding="utf-8")
        return self.ends(script, BAD_SCRIPT, f"{script}:6: ")

    def test_errors_that_a_script_raises_are_reported_with_their_line(self):
        """An error of any type is reported with its line, as the script's and not the lab's."""
        for raising, said in (('error "boom"', "boom"), ('error("boom", 0)', "boom"),
                              ('error("boom", 2)', "boom"), ("error(42)", "42"),
                              ('error("")', ""), ("error()", "nil"), ("error(nil)", "nil"),
                              ("error({ code = 7 })", "not a text (table)"),
                              ('assert(false, "boom")', "boom"),
                              ("assert(nil)", "assertion failed"),
                              ("assert(false, {})", "not a text (table)"),
                              ("local x = nil + 1", "arithmetic"),
                              ("local ok, e = pcall(error, {}) error(e)", "not a text (table)")):
            with self.subTest(raising=raising):
                run = self.raises(raising)
                end = run.events("end")[0]
                self.assertEqual(end["outcome"], "bad_script")
                self.assertTrue(end["reason"].startswith(f"{run.script}:6: "), end)
                self.assertIn(said, end["reason"])
                self.assertIn("the script is wrong", run.output)
                self.assertIn("1 bad script", run.output)
                self.assertNotIn("broke", run.said())

    def test_an_error_in_a_script_with_a_long_path_has_its_line(self):
        """Lua's own messages contain only the end of a long path."""
        self.raises('error "boom"', "a-folder-whose-name-is-longer-than-what-lua-keeps-of-one")

    def test_reports_call_an_error_that_a_script_raises_a_bad_script(self):
        script = self.raises('error "boom"').script
        lab.Run(script, self.out.name, "--junit", "j.xml", "--tap", "t.tap", "--results", "r.json",
                "--markdown", "s.md", "--html", "pages", family="both")
        for report, words in (("j.xml", '<error type="script"'), ("t.tap", "outcome: bad_script"),
                              ("r.json", '"outcome": "bad_script"'), ("s.md", "bad_script"),
                              ("pages/raises-ipv4.html", "the script is wrong"),
                              ("pages/index.html", "0 passed, 0 failed, 0 skipped, 2 bad scripts")):
            with self.subTest(report=report):
                text = Path(self.out.name, report).read_text(encoding="utf-8")
                self.assertIn(words, text)
                self.assertNotIn("the lab broke", text)

    def test_live_and_show_print_an_error_that_a_script_raises_once(self):
        script = self.raises('error "boom"').script
        run = lab.Run(script, self.out.name, "--live")
        shown = subprocess.run([lab.TCPLAB, "show", run.folder], text=True, check=True,
                               stdout=subprocess.PIPE).stdout
        for output in (run.output, shown):
            self.assertIn("✗ the script is wrong", output)
            self.assertEqual(output.count("boom"), 1, output)

    def test_frames_that_cannot_be_forged_are_refused(self):
        for family in "46":
            run = lab.Run("forged-badly.lua", self.out.name, family=family)
            self.assertEqual(run.status, 0, run.said())

    def test_unknown_verbs_are_refused(self):
        run = lab.Run("no-such-verbs.lua", self.out.name)
        self.assertEqual(run.status, 0, run.said())

    def test_impossible_faults_are_refused(self):
        for family in "46":
            run = lab.Run("faults-refused.lua", self.out.name, family=family)
            self.assertEqual(run.status, 0, run.said())

    def test_an_oversized_script_is_refused(self):
        script = os.path.join(self.out.name, "large.lua")
        with open(script, "w", encoding="utf-8") as text:
            text.write("--" + "x" * (2 << 20) + "\nreturn {}\n")
        self.ends(script, BAD_SCRIPT, "large.lua", "large")

    def test_a_missing_program_skips_the_run(self):
        self.ends("missing-program.lua", NOTHING_RAN, "no-such-program-anywhere", "not installed")

    def test_a_port_in_use_fails_the_run(self):
        self.ends("port-in-use.lua", FAILED, "bind", "EADDRINUSE")

    def test_unknown_scenarios_options_and_commands_are_refused(self):
        for arguments in (["run", "no-such-scenario"], ["run", "--no-such-option"], ["fly"]):
            with self.subTest(arguments=arguments):
                done = subprocess.run([lab.TCPLAB, *arguments], capture_output=True, text=True,
                                      cwd=self.out.name, check=False)
                self.assertEqual(done.returncode, BAD_SCRIPT, done.stdout + done.stderr)
                self.assertIn(arguments[-1], done.stdout + done.stderr)

    def test_an_output_folder_that_is_a_file_is_refused(self):
        with open(self.out.name + "/taken", "w", encoding="utf-8"):
            pass
        done = subprocess.run([lab.TCPLAB, "run", "warmup", "--out", "taken"], text=True,
                              capture_output=True, cwd=self.out.name, check=False)
        self.assertEqual(done.returncode, BAD_SCRIPT, done.stdout + done.stderr)
        self.assertRegex(done.stderr, r"\Atcplab: cannot make the folder taken/.*; "
                                      r"choose another folder\n\Z")

    def test_a_full_disk_ends_the_run_with_one_message(self):
        """Writes to a tmpfs of 4 MB in a private mount namespace."""
        command = f"mount -t tmpfs -o size=4m tmpfs '{self.out.name}' && exec \"$@\""
        wrap = ["unshare", "--mount", "sh", "-c", command, "sh"]
        if os.geteuid() != 0:
            wrap[1:1] = ["--user", "--map-root-user"]
        run = self.ends("fills-the-disk.lua", BROKEN, "events.jsonl", "ENOSPC", wrap=wrap)
        self.assertNotIn("terminate", run.errors)

    def test_a_disk_that_is_full_at_the_end_of_a_run_is_named_by_every_view(self):
        """The timeline is written when the run ends."""
        script = lab.SCRIPTS.parents[1] / "scenarios/puzzlers/warmup.lua"
        for size, *options in [("8k", "--live"), ("4k", "--html", f"{self.out.name}-pages")]:
            with self.subTest(options):
                command = f"mount -t tmpfs -o size={size} tmpfs '{self.out.name}' && exec \"$@\""
                wrap = ["unshare", "--mount", "sh", "-c", command, "sh"]
                if os.geteuid() != 0:
                    wrap[1:1] = ["--user", "--map-root-user"]
                run = lab.Run(script, self.out.name, *options, wrap=wrap)
                self.assertEqual(run.status, BROKEN, run.said())
                # Which file finds out first depends on the time of the frames.
                self.assertRegex(run.output, r"cannot write \S*/(events\.jsonl|capture\.pcapng): "
                                             r"No space left on device \(ENOSPC\)")
                self.assertNotIn("it is empty", run.said())

    def test_without_privileges_the_message_names_namespaces(self):
        """Runs in a user namespace, without capabilities and without the right to make
        namespaces."""
        deny = "echo 0 > /proc/sys/user/max_user_namespaces && " \
               "exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs \"$@\""
        wrap = ["unshare", "--user", "--map-root-user", "sh", "-c", deny, "sh"]
        if subprocess.run([*wrap, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("a user namespace without rights cannot be made here")
        self.ends("port-in-use.lua", BROKEN, "namespaces", wrap=wrap)

    def test_malformed_frames_are_described_and_do_not_break_the_lab(self):
        run = lab.Run("malformed.lua", self.out.name)
        self.assertEqual(run.status, 0, run.said())
        packets = run.events("packet")
        counted = sum(flood["frames"] for flood in run.events("flood"))
        self.assertGreater(len(packets) + counted, 500)
        summaries = " ".join(packet["summary"] for packet in packets)
        for words in ("truncated IPv4 header", "truncated IPv4 options", "IPv4 header length",
                      "IPv4 header with another IP version", "IPv4 total length is too small",
                      "truncated IPv4 packet", "truncated TCP header", "data offset is too small",
                      "truncated TCP options", "malformed TCP options", "truncated UDP header",
                      "truncated ICMP header", "truncated ARP", "truncated IPv6 header",
                      "truncated IPv6 packet", "truncated 802.1Q tag"):
            self.assertIn(words, summaries)
        self.assertEqual(len(run.frames()), 2 * (len(packets) + counted),
                         "each as both NICs saw it")


if __name__ == "__main__":
    lab.main()
