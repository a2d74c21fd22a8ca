#!/usr/bin/env python3
"""Checks peers, the hosts whose segments a script sends: how expectations of segments fail, what a
peer cannot do, that it is silent, and that faults, captures and states have its frames."""
import sys
import unittest

sys.dont_write_bytecode = True
import guests
import lab

FAILED, BAD_SCRIPT = 1, 2
LISTENS = """local server = kodos:dnc("-l", 8080) lab:expect(server):call("listen"):returns(0)
local conn = peer:connect(kodos, { port = 8080 })"""  # lines 6 and 7


class PeerTest(lab.LinesTest):
    BEFORE = 'local kang, kodos = lab:pair { peer = "kang" } local peer = lab:peer(kang)'

    def ends(self, lines, status, *words):
        """Checks that the run ends so, and that one line of its output has all the words."""
        run = self.run_lines(lines, status)
        said = (run.output + run.errors).splitlines()
        self.assertTrue(any(all(word in line for word in words) for line in said), run.said())
        return run


class Expectations(PeerTest):
    def test_a_failure_names_what_was_expected_and_what_came_instead(self):
        self.ends(f"{LISTENS}\n conn:data 'hello' conn:expect {{ flags = 'FA', ack = 6 }}", FAILED,
                  "kodos sends kang: flags FA, ack 6; instead came kodos > kang TCP Flags [.], "
                  "ack 6")

    def test_each_field_is_compared(self):
        wrong = ("flags = 'PA'", "seq = 2", "ack = 5", "length = 1", "window = 1", "urgent = 1",
                 "data = 'x'", "options = { mss = 1460 }", "options = { window_scale = 7 }",
                 "options = { sack_permitted = true }", "options = { timestamps = true }",
                 "options = { sack = { { 1, 2 } } }", "absolute = true, ack = 6")
        for field in wrong:
            with self.subTest(field=field):
                self.ends(f"{LISTENS}\n conn:data 'hello' conn:expect {{ {field} }}", FAILED,
                          "instead came kodos > kang TCP Flags [.], ack 6")
        self.run_lines(f"""{LISTENS}
            conn:data 'hello'
            conn:expect {{ flags = 'A', seq = 1, ack = 6, length = 0, urgent = 0, data = '',
                options = {{ sack_permitted = false, timestamps = false, sack = false }} }}
            conn:data 'again'
            conn:expect {{ absolute = true, ack = conn.iss + 11, seq = conn.irs + 1 }}""")

    def test_a_segment_that_does_not_come_fails_at_the_deadline(self):
        run = self.ends(f"{LISTENS}\n conn:expect {{ flags = 'R', within = 0.2 }}", FAILED,
                        "kodos sends kang: flags R, within 200.0 ms; it sent nothing more")
        self.assertIn("lines.lua:8", run.said())

    def test_segments_are_expected_in_their_order_and_once(self):
        self.run_lines(f"{LISTENS}\n conn:data 'one' conn:data 'two' "
                       "conn:expect { ack = 4 } conn:expect { ack = 7 } conn:expect_nothing(0.1)")
        self.ends(f"{LISTENS}\n conn:data 'one' conn:data 'two' conn:expect {{ ack = 7 }}", FAILED,
                  "instead came", "ack 4")
        self.run_lines(f"{LISTENS}\n conn:data 'one' conn:data 'two' "
                       "conn:expect { ack = 7, skip = true }")
        self.ends(f"{LISTENS}\n conn:data 'one' "
                  "conn:expect { ack = 7, skip = true, within = 0.2 }", FAILED,
                  "ack 7, within 200.0 ms; the last was", "ack 4")

    def test_a_segment_that_the_script_has_not_expected_breaks_the_silence(self):
        self.ends(f"{LISTENS}\n conn:data 'one' conn:expect_nothing(0.1)", FAILED,
                  "kodos sends kang nothing for 100.0 ms; kodos > kang TCP Flags [.], ack 4")

    def test_a_handshake_that_is_refused_fails(self):
        self.ends("peer:connect(kodos, { port = 9 })", FAILED,
                  "kodos sends kang: flags SA, ack 1; instead came kodos > kang TCP Flags [R.]")
        self.ends("peer:accept { port = 9, within = 0.1 }", FAILED,
                  "kang gets a SYN to port 9, within 100.0 ms; none came")

    def test_times_are_those_of_the_lab(self):
        run = self.run_lines(f"""{LISTENS}
            server:type "answer"
            local first = conn:expect {{ data = "answer" }}
            local second = conn:expect {{ data = "answer" }}
            lab:check(second.t - first.t > 0.19, "RTO", second.t - first.t)""")
        sent = [event["sent"] for event in run.events("packet") if event.get("length") == 6]
        self.assertGreater(sent[1] - sent[0], 190_000_000)


class Misuse(PeerTest):
    def test_what_needs_a_kernel_is_refused_with_its_line(self):
        for verb, what in (('kang:dnc(kodos, 7)', "a program"), ('kang:run("true")', "a program"),
                           ('kang:sysctl("net.ipv4.tcp_sack", 0)', "the sysctl net.ipv4.tcp_sack"),
                           ('kang:nft "flush ruleset"', "nftables"),
                           ('kang:disk("/tmp/disk")', "a disk"),
                           ('lab:dns { on = kang, www = kodos }',
                            "a DNS server"),
                           ('kang:mtu("eth0", 1300)', "to change a host's network"),
                           ('lab:connect(kang, kodos)', "lab:connect"),
                           ('lab:connect(kodos, kang)', "lab:connect")):
            with self.subTest(verb=verb):
                self.ends(verb, BAD_SCRIPT, "lines.lua:6: ", what,
                          "needs a kernel, and kang is a peer")

    def test_a_host_with_a_kernel_is_no_peer(self):
        self.ends("lab:peer(kodos)", BAD_SCRIPT, "lines.lua:6", "kodos has a kernel",
                  'lab:pair{ peer = "kodos" }')

    def test_a_peer_without_power_sends_nothing(self):
        run = self.ends(f"{LISTENS}\n kang:power_off() conn:data 'x'", BAD_SCRIPT, "lines.lua:8",
                        "kang has no power")
        self.assertFalse([event for event in run.events("packet") if event.get("length") == 1])

    def test_a_segment_that_does_not_fit_is_refused(self):
        self.ends(f"{LISTENS}\n conn:data(('x'):rep(1461))", BAD_SCRIPT,
                  "has room for at most 1460")
        self.ends(f"{LISTENS}\n conn:data('x', {{ fragment_size = 1488 }})", BAD_SCRIPT,
                  "do not fit into the MTU")
        self.run_lines(f"{LISTENS}\n conn:data(('x'):rep(4000), {{ fragment_size = 1480 }}) "
                       "conn:expect { ack = 4001 }")

    def test_a_peer_has_no_offloads(self):
        self.BEFORE = 'local kang, kodos = lab:pair { peer = "kang", offload = true }'
        self.ends("lab:peer(kang)", BAD_SCRIPT, "lines.lua:5", "a peer has no offloads")

    def test_a_peer_has_no_other_stack(self):
        run = lab.Run(self.script("lab:peer(kang)"), self.out.name, "--stack", "kang=true")
        self.assertEqual(run.status, 4, run.said())
        self.assertIn("kang is a peer, and has no TCP stack", run.said())


class Frames(PeerTest):
    def test_a_peer_answers_no_segment_by_itself(self):
        run = self.run_lines("""
            local client = kodos:dnc(kang, 80)
            local conn = peer:accept { port = 80 }
            client:type "hello"
            conn:expect { data = "hello" }
            conn:expect { data = "hello", within = 2 }
            conn:acknowledges(true)
            conn:expect { data = "hello", within = 2 }
            conn:expect_nothing(0.5)
            conn:acknowledges(false)
            client:type "again"
            conn:expect { data = "again" }
            conn:expect { data = "again", within = 2 }
            lab:check(conn.rcv_nxt == 11, "the script has expected all", conn.rcv_nxt)
            conn:ack()
            conn:expect_nothing(1)""")
        sent = [event["summary"] for event in run.events("packet") if event["from"] == "kang"]
        self.assertEqual(len(sent), 3, sent)

    def test_faults_states_and_captures_have_its_frames(self):
        run = self.run_lines(f"""{LISTENS}
            lab:lose("kang > kodos", "data", {{ count = 1 }})
            conn:data "lost"
            lab:expect_packet("kang > kodos", "data", {{ fate = "lost" }})
            conn:expect_nothing(0.1)
            conn:data("lost", {{ seq = 1 }})
            conn:expect {{ ack = 5 }}
            lab:expect(server):prints "lost"
            conn:fin()
            lab:expect(kang):in_state "FIN_WAIT2"
            lab:check(conn.state == "FIN_WAIT2", "concluded", conn.state)""")
        concluded = [event["to"] for event in run.events("state") if event["host"] == "kang"]
        self.assertEqual(concluded, ["SYN_SENT", "ESTABLISHED", "FIN_WAIT1", "FIN_WAIT2"])
        self.assertTrue(all(event["concluded"] for event in run.events("state")
                            if event["host"] == "kang"))
        self.assertIn("kang", {frame.interface.split(".")[0] for frame in run.frames()})

    def test_what_a_script_makes_it_do_is_no_finding_about_tcp(self):
        run = self.run_lines("""
            kodos:dnc(kang, 80)
            peer:expect_syn { port = 80 }:fin { ack = 1 }
            lab:expect(kang):in_state "FIN_WAIT1" """)
        self.assertNotIn("RFC 9293", run.said())
        coverage = lab.subprocess.run([lab.TCPLAB, "coverage", run.folder], capture_output=True,
                                      text=True, check=True)
        self.assertNotIn("not in RFC 9293:", coverage.stdout)

    def test_its_neighbours_find_it(self):
        self.BEFORE = ('local kang, kodos = lab:pair { peer = "kang", neighbours = "dynamic" } '
                       "local peer = lab:peer(kang)")
        for family in "46":
            script = self.script(f"{LISTENS}\n lab:expect(server):in_state 'ESTABLISHED'")
            run = lab.Run(script, self.out.name, family=family)
            self.assertEqual(run.status, 0, run.said())

    def test_it_reaches_a_host_behind_a_router(self):
        self.BEFORE = """local net = lab:network { links = { lan = {}, wan = {} }, peer = "kang",
            hosts = { kang = { "lan" }, gw = { "lan", "wan" }, kodos = { "wan" } } }
            local kang, kodos = net.kang, net.kodos local peer = lab:peer(kang)"""
        for family in "46":
            script = self.script(f"{LISTENS}\n lab:expect(server):in_state 'ESTABLISHED'\n"
                                 "local client = kodos:dnc(kang, 80) peer:accept { port = 80 }\n"
                                 "lab:expect(client):in_state 'ESTABLISHED'")
            run = lab.Run(script, self.out.name, family=family)
            self.assertEqual(run.status, 0, run.said())

    def test_after_a_power_cycle_its_connections_are_forgotten(self):
        self.run_lines(f"""{LISTENS}
            kang:power_cycle()
            server:type "lost"
            lab:expect_packet("kodos > kang", "data")
            conn:expect_nothing(0.3)
            local other = peer:open(kodos, {{ port = 8080, source_port = 50000 }})
            other:ack {{ absolute = true, ack = 7 }}
            other:expect {{ flags = "R", absolute = true, seq = 7 }}""")


@guests.needs_kernel
class OnAnotherKernel(PeerTest):
    def test_minutes_of_silence_takes_no_time(self):
        script = self.script(f"""{LISTENS}
            conn:expect_nothing(300)
            conn:data "hello"
            conn:expect {{ ack = 6 }}""")
        run = lab.Run(script, self.out.name, "--kernel", "6.1", timeout=120)
        self.assertEqual(run.status, 0, run.said())
        self.assertGreater(run.events("end")[-1]["duration"], 300e9)


if __name__ == "__main__":
    lab.main()
