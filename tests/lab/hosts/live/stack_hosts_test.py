#!/usr/bin/env python3
"""Checks hosts with a TCP stack of their own (--stack): lwIP, gVisor's netstack and libslirp, and
stacks that do something wrong. docs/stacks.md says what such a host is."""
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

RUDE = Path(__file__).resolve().parents[3] / "support/rude_stack.py"
NEEDS = {"lwip": "/usr/include/lwip/lwipopts.h",
         "gvisor": "/usr/share/gocode/src/gvisor.dev/gvisor/pkg/tcpip",
         "slirp": "/usr/include/slirp/libslirp.h"}
CATALOGUE = Path(os.environ["TCPLAB_SOURCE"], "scenarios")


class StackTest(lab.LinesTest):
    """Tests with a stack of STACK, which is built once."""
    STACK = None

    @classmethod
    def setUpClass(cls):
        if not Path(NEEDS[cls.STACK]).exists():
            raise unittest.SkipTest(f"{NEEDS[cls.STACK]} is missing")
        cls.cache = lab.Folder()
        cls.addClassCleanup(cls.cache.cleanup)
        cls.environment = {"XDG_CACHE_HOME": cls.cache.name}
        built = subprocess.run([lab.TCPLAB, "stacks", "build", cls.STACK], capture_output=True,
                               text=True, check=False, env={**os.environ, **cls.environment})
        if built.returncode != 0:
            raise AssertionError(built.stdout + built.stderr)

    def run_on(self, host, script, status=0, family="4"):
        run = lab.Run(script, self.out.name, "--stack", f"{host}={self.STACK}", family=family,
                      env=self.environment)
        self.assertEqual(run.status, status, run.said())
        return run

    def run_lines_on(self, host, lines, status=0, family="4"):
        return self.run_on(host, self.script(lines), status, family)


def states_of(run, host):
    return [(event["from"], event["to"]) for event in run.events("state")
            if event["host"] == host and event.get("concluded")]


class Lwip(StackTest):
    STACK = "lwip"
    BEFORE = "local kang, kodos = lab:pair()"

    def test_a_peer_sends_and_expects_its_segments(self):
        self.BEFORE = 'local kang, kodos = lab:pair { peer = "kang" }'
        for family in "46":
            with self.subTest(family=family):
                self.run_lines_on("kodos", """
    local server = kodos:dnc("-l", 8080)
    lab:expect(server):call("listen"):returns(0)
    local conn = lab:peer(kang):connect(kodos, { port = 8080 })
    conn:data "hello"
    conn:expect { flags = "A", ack = 6, length = 0 }
    server:type "answer"
    conn:expect { data = "answer", seq = 1, ack = 6 }
    conn:expect { data = "answer", seq = 1, ack = 6, within = 10 }
    conn:ack()
    conn:rst()
    lab:expect(server):call("read"):fails "ECONNRESET" """, family=family)

    def test_after_a_power_cycle_its_second_write_fails_otherwise_than_linux(self):
        for family in "46":
            with self.subTest(family=family):
                self.run_lines_on("kang", """
    local client = lab:connect(kang, kodos, { client = { "--repl" } })
    kodos:power_cycle()
    client:type "write hello\\nread 10\\n"
    lab:expect(client):call("write"):returns(5)
    lab:expect_packet("kodos > kang", "RST")
    lab:expect(client):call("read"):fails "ECONNRESET"
    client:type "write again\\n"
    lab:expect(client):call("write"):fails "ECONNRESET"
    lab:expect(client):in_state "CLOSED"
    """, family=family)

    def test_as_a_server_it_forgets_the_connection_with_its_power(self):
        self.run_lines_on("kodos", """
    local client, server = lab:connect(kang, kodos)
    client:type "hello\\n"
    lab:expect(server):call("read"):returns(6)
    kodos:power_cycle()
    client:type "are you there?\\n"
    lab:expect_packet("kodos > kang", "RST")
    lab:expect(client):call("read"):fails "ECONNRESET"
    """)

    def test_its_states_follow_from_its_frames(self):
        run = self.run_lines_on("kang", """
    local client, server = lab:connect(kang, kodos, { client = { "--on-stdin-eof", "close" } })
    client:close_stdin()
    lab:expect(client):in_state "FIN_WAIT2"
    server:stop()
    lab:expect(client):in_state "TIME_WAIT"
    """)
        self.assertEqual(states_of(run, "kang"),
                         [("CLOSED", "SYN_SENT"), ("SYN_SENT", "ESTABLISHED"),
                          ("ESTABLISHED", "FIN_WAIT1"), ("FIN_WAIT1", "FIN_WAIT2"),
                          ("FIN_WAIT2", "TIME_WAIT")])
        self.assertEqual(states_of(run, "kodos"), [], "Linux was asked")
        self.assertEqual(run.events("run")[0]["stacks"], ["kang=lwip"])
        self.assertIn("~FIN_WAIT2", run.output + subprocess.run(
            [lab.TCPLAB, "show", run.folder], capture_output=True, text=True, check=True).stdout)

    def test_data_of_any_bytes_passes_unchanged(self):
        self.run_lines_on("kodos", """
    local client, server = lab:connect(kang, kodos, { server = { "--repl" } })
    client:type "\\"quoted\\" \\\\ \\xff\\x01\\n"
    server:type "read 100\\nwrite \\"\\\\\\\\ \\\\\\" \\\\xfe \\\\n\\"\\n"
    lab:expect(server):call("read"):returns(14)
    lab:expect(client):prints "\\\\ \\" \\xfe \\n"
    """)

    def test_a_socket_has_its_family(self):
        for family in "46":
            self.run_lines_on("kang", """
    kodos:dnc("-l", 8080)
    local client = kang:dnc("--repl")
    client:type "socket\\nconnect kodos 8080\\n"
    lab:expect(client):call("connect"):returns(0)
    """, family=family)

    def test_what_needs_a_kernel_is_skipped_with_the_reason(self):
        for lines, reason in [
                ('kang:sysctl("net.ipv4.tcp_retries2", 3)', "the sysctl net.ipv4.tcp_retries2"),
                ('kang:run("true")', "a program other than dnc needs the TCP of a kernel"),
                ('kang:mtu("eth0", 1280)', "to change a host's network"),
                ('kang:link("eth0", "down")', "to change a host's network"),
                ('lab:expect(kang):listens(8080)', "to see who listens"),
                ('kang:nft "flush ruleset"', "nftables needs the TCP of a kernel")]:
            with self.subTest(lines=lines):
                run = self.run_lines_on("kang", lines, status=lab.SKIPPED)
                self.assertIn("1 skipped", run.output, run.said())
                self.assertIn(reason, run.output)
                self.assertIn("kang has the TCP stack lwip", " ".join(run.output.split()))

    def test_it_can_have_a_disk(self):
        self.run_lines_on("kang", """
    kang:disk "/tmp/disk"
    kang:power_cycle()
    lab:connect(kang, kodos)
    """)

    def test_a_scenario_without_that_host_is_skipped(self):
        run = self.run_lines_on("moe", "", status=lab.SKIPPED)
        self.assertIn("it has no host moe", run.output)

    def test_an_orderly_restart_ends_its_programs_and_not_the_stack(self):
        self.run_lines_on("kodos", """
    local client, server = lab:connect(kang, kodos)
    kodos:reboot()
    lab:expect(server):killed_by "SIGTERM"
    lab:expect(client):call("read"):returns(0)
    """)

    def test_two_programs_use_it_at_once(self):
        self.run_lines_on("kodos", """
    local servers = { kodos:dnc("-l", 8080), kodos:dnc("-l", 8081) }
    for i, server in ipairs(servers) do lab:expect(server):call("listen"):returns(0) end
    local clients = { kang:dnc(kodos, 8080), kang:dnc(kodos, 8081) }
    for i, client in ipairs(clients) do client:type("to " .. i .. "\\n") end
    for i, server in ipairs(servers) do lab:expect(server):prints("to " .. i .. "\\n") end
    """)


class Gvisor(StackTest):
    STACK = "gvisor"
    BEFORE = "local kang, kodos = lab:pair()"

    def test_the_first_puzzler_passes_unchanged_at_both_ends(self):
        for host in ["kang", "kodos"]:
            for family in "46":
                with self.subTest(host=host, family=family):
                    self.run_on(host, CATALOGUE / "puzzlers/power-cycle.lua", family=family)

    def test_as_a_server_it_closes_like_linux(self):
        self.run_on("kodos", CATALOGUE / "puzzlers/warmup.lua")


class Slirp(StackTest):
    STACK = "slirp"
    BEFORE = "local kang, kodos = lab:pair()"

    def test_as_a_server_it_passes_the_first_puzzler(self):
        for family in "46":
            with self.subTest(family=family):
                self.run_on("kodos", CATALOGUE / "puzzlers/power-cycle.lua", family=family)

    def test_a_program_behind_it_reads_the_end_instead_of_a_reset(self):
        for family in "46":
            with self.subTest(family=family):
                self.run_lines_on("kang", """
    local client = lab:connect(kang, kodos)
    lab:connection(client):rst()
    lab:expect(client):call("read"):returns(0)""", family=family)

    def test_a_program_that_waits_and_ends_closes_its_connection(self):
        self.run_lines_on("kodos", """
    local client, server = lab:connect(kang, kodos)
    server:stop()
    lab:expect_packet("kodos > kang", "FIN")""")

    def test_a_program_behind_it_knows_both_addresses_of_each_connection(self):
        for family in "46":
            with self.subTest(family=family):
                run = self.run_lines_on("kodos", """
    local server = kodos:dnc("-l", 8080)
    lab:expect(server):call("listen"):returns(0)
    local client = kang:dnc("-p", 4000, kodos, 8080)
    lab:expect(server):call("accept"):returns()
    local other = kodos:dnc(kang, 4001)
    lab:expect(other):call("connect"):returns()
    lab:expect_packet("kodos > kang", "SYN")""", family=family)
                accepted, = [event for event in run.events("call")
                             if event["call"] == "accept" and event.get("result", -1) >= 0]
                self.assertRegex(accepted["remote"], r"(^10\.0\.0\.1|fd00::1\]):4000$")
                connected, = [event for event in run.events("call")
                              if event["host"] == "kodos" and event["call"] == "connect" and
                              "result" in event]
                self.assertRegex(connected["remote"], r"(^10\.0\.0\.1|fd00::1\]):4001$")


@unittest.skipUnless(shutil.which("qemu-system-x86_64"), "there is no qemu-system-x86_64")
@unittest.skipUnless(Path("/usr/lib/ipxe").exists(), "there is no iPXE for QEMU")
class Qemu(lab.LinesTest):
    """Firmware in a virtual machine: iPXE, which asks for an address first."""
    BEFORE = "local kang, kodos = lab:pair()"
    MACHINE = """#!/bin/sh
qemu-system-x86_64 -accel tcg -m 128 -display none -machine graphics=off -nodefaults \\
  -serial stdio -netdev dgram,id=n,local.type=fd,local.str=3 \\
  -device virtio-net-pci,netdev=n,bootindex=1,mac=$TCPLAB_MAC |
  sed -u 's/^iPXE initialising.*/{"ready":"frames"}/'
"""

    def test_its_network_card_is_descriptor_3(self):
        script = self.script('lab:expect_packet("kodos > *", "udp", { within = 60 })')
        machine = Path(self.out.name, "machine")
        machine.write_text(self.MACHINE, encoding="utf-8")
        machine.chmod(0o755)
        run = lab.Run(script, self.out.name, "--stack", f"kodos={machine}", "--boot", "2m")
        self.assertEqual(run.status, 0, run.said())
        self.assertIn("UDP 68 > 67", run.output)


class RudeStacks(lab.LinesTest):
    BEFORE = "local kang, kodos = lab:pair()"

    def run_rude(self, fault, lines, *options, status):
        run = lab.Run(self.script(lines), self.out.name, "--stack", f"kodos='{RUDE}' '{fault}'",
                      *options)
        self.assertEqual(run.status, status, run.said())
        return " ".join((run.output + run.errors).split())

    def test_one_that_ends_is_told_with_its_last_words(self):
        self.assertIn("kodos: its TCP stack rude_stack.py has exited with status 1: no memory for "
                      "3 buffers", self.run_rude("exits", "", status=3))
        self.assertIn("has exited with status 134: Aborted", self.run_rude("crashes", "", status=3))

    def test_one_that_ends_during_the_run(self):
        said = self.run_rude("dies later", 'kodos:dnc("-l", 8080)\nlab:wait(60)', status=3)
        self.assertIn("has exited with status 1: assertion failed: pcb != NULL", said)

    def test_one_that_is_never_ready(self):
        self.assertIn("was not ready after 1 s",
                      self.run_rude("silent", "", "--boot", "1s", status=3))

    def test_one_that_is_ready_for_something_else(self):
        said = self.run_rude("bad level", "", status=3)
        self.assertIn('is ready for "shop"; it should be "calls", "echo", "port" or "frames"', said)
        for fault in ["no port", "bad port"]:
            self.assertIn("should say on which port it listens",
                          self.run_rude(fault, "", status=3))

    def test_a_program_on_one_that_makes_no_calls_is_skipped(self):
        self.assertIn("needs a TCP stack that makes the calls of programs; that of kodos does not",
                      self.run_rude("frames", 'kodos:dnc("-l", 8080)', status=4))
        self.run_rude("frames", "lab:require(not kodos:own_port(), 'it has no port')", status=0)

    def test_one_that_reads_nothing_loses_frames(self):
        said = self.run_rude("deaf", """
    local client = kang:dnc(kodos, 8080)
    lab:expect_packet("kang > kodos", "SYN")
    lab:expect_packet("kang > kodos", "SYN")""", status=0)
        self.assertIn("1 passed", said)

    def test_its_floods_and_garbage_reach_nobody_else(self):
        for fault in ["long frames", "garbage frames"]:
            with self.subTest(fault=fault):
                self.run_rude(fault, "lab:wait(0.1)", status=0)

    def test_a_flood_does_not_stop_the_run(self):
        for fault in ["floods", "floods with long frames"]:
            with self.subTest(fault=fault):
                self.run_rude(fault, "lab:wait(0.2)", "--timeout", "20", status=0)

    def test_a_wrong_answer_is_shown(self):
        script = 'kodos:dnc("-l", 8080)'
        said = self.run_rude("odd errno", script, status=1)
        self.assertIn('the stack has answered "{"errno":"EODD","id":1,"result":-1}"', said)
        self.assertIn("ok 1", self.run_rude("garbage answers", script, status=1))

    def test_wrong_options_are_refused_in_one_line(self):
        for options, words in [
                (["--stack", "kodos"], "--stack kodos: write HOST=STACK"),
                (["--stack", "kodos=x", "--stack", "kodos=y"], "kodos has two stacks"),
                (["--boot", "3s"], "--boot is for hosts with a TCP stack of their own"),
                (["--stack", "kodos=x", "--boot", "soon"], "write it as 30s, 5m or 2h")]:
            with self.subTest(options=options):
                run = lab.Run(self.script(""), self.out.name, *options,
                              env={"XDG_CACHE_HOME": self.out.name})
                self.assertEqual(run.status, 2, run.said())
                self.assertIn(words, run.errors)
                self.assertEqual(run.errors.count("\n"), 1)

    def test_an_unbuilt_stack_and_an_unknown_recipe(self):
        run = lab.Run(self.script(""), self.out.name, "--stack", "kodos=lwip",
                      env={"XDG_CACHE_HOME": self.out.name})
        self.assertEqual(run.status, 2)
        self.assertIn("run tcplab stacks build lwip", run.errors)
        done = subprocess.run([lab.TCPLAB, "stacks", "build", "ox"], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no recipe for ox", done.stderr)


if __name__ == "__main__":
    lab.main()
