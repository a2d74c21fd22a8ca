#!/usr/bin/env python3
"""Checks networks of several links: what a run records, and NICs of both kinds. An impossible
network or change must end the run with one message that names the line of the script."""
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

BAD_SCRIPT = 2
SOURCE = Path(__file__).resolve().parents[3]
SCRIPT = """return { title = "t", asks = "q", run = function(lab)
  local lan = { kang = { "lan" }, kodos = { "lan" } }
  %s
end }
"""
PAIR = "local kang, kodos = lab:pair() "

# Invalid code for line 3 of the script -> words that its message must contain.
WRONG = {
    "lab:network { links = { lan = {} }, hosts = { kang = { 'wan' } } }":
        ['kang is on the unknown link "wan"'],
    "lab:network { links = { lan = {} }, hosts = { kang = {} } }": ["host kang is on no link"],
    "lab:network { links = { a = {}, b = {} }, hosts = { kang = { 'a' }, kodos = { 'b' } } }":
        ["no path from kang to kodos"],
    "lab:network { links = { lan = { mtu = 67 } }, hosts = lan }": ["link lan", "67", "from 68 to"],
    "lab:network { links = { lan = { mtu = 1e6 } }, hosts = lan }": ["link lan", "1000000"],
    "lab:network { links = { lan = { mtu = 1.5 } }, hosts = lan }": ["whole number"],
    "lab:network { links = { lan = { loss = 1 } }, hosts = lan }": ["`loss`", "did you mean mtu"],
    "lab:network { hosts = lan }": ["lacks the option `links`"],
    "lab:network { links = { lan = {} } }": ["lacks the option `hosts`"],
    "lab:network { links = { 'lan' }, hosts = lan }":
        ["`links` [1]", "a name must be a text"],
    "lab:network { links = { lan = {} }, hosts = { 'kang' } }":
        ["`hosts` [1]", "a name must be a text"],
    "lab:network { links = { lan = {} }, hosts = { kang = 'lan' } }":
        ["`hosts` [kang] must be a table"],
    "lab:network { links = { lan = {} }, hosts = lan, mtu = 9 }": ["no option `mtu`"],
    "lab:network()": ["argument 1 (options) is missing"],
    "lab:hosts { 'kang', 'kang' }": ["two hosts are called kang"],
    PAIR + "lab:network { links = { lan = {} }, hosts = lan }": ["makes all its hosts in one call"],
    PAIR + "kang:unplug 'wan'": ['kang has no NIC or link "wan"; it has eth0'],
    PAIR + "kang:address 'wan'": ['no NIC or link "wan"'],
    PAIR + "kang:mtu('eth0', 67)": ["kang's eth0", "67"],
    PAIR + "kang:link('eth0', 'off')": ['"down" or "up"'],
    PAIR + "kang:route(kodos, 'away')": ['not to "away"'],
    PAIR + "kang:route(kodos, 'fd00::9')": ['not to "fd00::9"'],
    PAIR + "kang:route('kodos', 'none')": ['"kodos" is not an IPv4 address'],
    PAIR + "kang:route('10.9.0.0/33', 'none')": ["prefix length from 0 to 32"],
    PAIR + "kang:route('10.9.0.0/16', 'none')": ["remove the route to 10.9.0.0/16", "ESRCH"],
    PAIR + "kang:route('10.9.0.0/16', '10.8.0.1')": ["add a route to 10.9.0.0/16", "ENETUNREACH"],
    PAIR + "kang:add_address '10.0.0.1'": ["10.0.0.1/24", "EEXIST"],
    PAIR + "kang:remove_address '10.0.0.9'": ["kang has no address 10.0.0.9"],
    PAIR + "kang:power_off() kang:mtu('eth0', 1400)": ["kang has no power"],
    PAIR + "kang:power_off() kang:route(kodos, 'none')": ["kang has no power"],
    PAIR + "kang:power_off() kang:link('eth0', 'down')": ["kang has no power"],
}
NFT_WRONG = {
    PAIR + "kang:nft 'table inet t { chain c { no such thing } }'": ["nft on kang", "its line 1: "],
    PAIR + "kang:nft((' '):rep(131072))": ["the ruleset for kang has 131072 bytes", "from a file"],
    PAIR + "kang:power_off() kang:nft 'table inet t {}'": ["kang has no power"],
}


class Network(unittest.TestCase):
    def setUp(self):
        self.out = lab.Folder()
        self.addCleanup(self.out.cleanup)

    def refuses(self, cases):
        for text, words in cases.items():
            with self.subTest(text=text):
                script = Path(self.out.name) / "wrong.lua"
                script.write_text(SCRIPT % text, encoding="utf-8")
                run = lab.Run(script, self.out.name)
                self.assertEqual(run.status, BAD_SCRIPT, run.said())
                lines = [line for line in (run.output + run.errors).splitlines()
                         if all(word in line for word in ("wrong.lua:3", *words))]
                self.assertTrue(lines, run.said())

    def test_impossible_networks_and_changes_are_refused(self):
        self.refuses(WRONG)

    def test_rulesets_that_nft_refuses_are_refused(self):
        lab.need("nft")
        self.refuses(NFT_WRONG)

    def test_each_nic_is_recorded(self):
        run = lab.Run(SOURCE / "scenarios/paths/through-a-router.lua", self.out.name)
        self.assertEqual(run.status, 0, run.said())
        nics = {host["host"]: [nic["name"] for nic in host["interfaces"]]
                for host in run.events("host")}
        self.assertEqual(nics, {"kang": ["eth0"], "gateway": ["eth0", "eth1"], "kodos": ["eth0"]})
        self.assertEqual(list(nics), ["kang", "gateway", "kodos"])
        captured = {frame.interface for frame in run.frames()}
        self.assertEqual(captured, {"kang.eth0", "gateway.eth0", "gateway.eth1", "kodos.eth0"})

    def test_no_frame_leaves_its_link(self):
        run = lab.Run(SOURCE / "scenarios/paths/through-a-router.lua", self.out.name)
        hops = {(packet["from"], packet["to"]) for packet in run.events("packet")}
        self.assertEqual(hops, {("kang", "gateway"), ("gateway", "kang"), ("gateway", "kodos"),
                                ("kodos", "gateway")}, run.said())

    def test_networks_work_with_veth_pairs(self):
        for name in ("through-a-router", "path-mtu-discovery"):
            run = lab.Run(SOURCE / f"scenarios/paths/{name}.lua", self.out.name,
                          env={"TCPLAB_PORTS": "veth"})
            self.assertEqual(run.status, 0, run.said())


if __name__ == "__main__":
    lab.main()
