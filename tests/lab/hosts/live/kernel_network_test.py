#!/usr/bin/env python3
"""Checks the network of kernel hosts: NICs and congestion control."""
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import guests
import lab

SETTING = 'kang:sysctl "net.ipv4.tcp_congestion_control"'


@guests.needs_kernel
class KernelNetwork(lab.LinesTest):
    BEFORE = "local kang, kodos = lab:pair()"

    def run_on_6_1(self, lines):
        return lab.Run(self.script(lines), self.out.name, "--kernel", "6.1", timeout=300)

    def test_a_host_shows_only_its_own_nics(self):
        run = self.run_on_6_1('lab:expect(kang:run("ls", "/sys/class/net"))'
                              ':prints("eth0\\nlo\\n")')
        self.assertEqual(run.status, 0, run.said())

    def test_a_program_that_captures_on_all_nics_does_not_capture_its_own_output(self):
        lab.need("tcpdump")
        run = self.run_on_6_1(
            'local dump = kodos:run { "tcpdump", "-Z", "root", "-lnni", "any", "-c", "3", '
            'watch = false, capabilities = { "CAP_NET_ADMIN" } }\n'
            'lab:expect(dump):prints "listening on"\n'
            'kodos:dnc("-l", 8080)\n'
            'kang:dnc(kodos, 8080)\n'
            'lab:expect(dump):within(20):exits(0)')
        self.assertEqual(run.status, 0, run.said())
        self.assertLess(sum(len(event["text"]) for event in run.events("output")), 4000)

    def test_a_congestion_control_that_is_a_module_is_loaded(self):
        for name in ("bbr", "yeah"):  # the second one needs the module of vegas
            with self.subTest(name=name):
                run = self.run_with(f'congestion = "{name}"')
                self.assertEqual(run.status, 0, run.said())
                self.assertIn(name, [event["text"] for event in run.events("note")])

    def test_a_congestion_control_that_the_kernel_lacks_is_a_reason_to_skip(self):
        run = self.run_with('congestion = "nosuch"')
        self.assertEqual(run.status, lab.SKIPPED, run.said())
        self.assertRegex(run.said(), r"it needs the congestion control nosuch, which Linux "
                                     r"6\.1\.\d+ lacks")

    def run_with(self, options):
        script = Path(self.out.name, "options.lua")
        script.write_text(f"""return {{ title = 'T', asks = 'Q?', run = function(lab)
  local kang = lab:pair {{ {options} }}
  lab:say({SETTING})
end }}""", encoding="utf-8")
        return lab.Run(script, self.out.name, "--kernel", "6.1", timeout=300)


if __name__ == "__main__":
    lab.main()
