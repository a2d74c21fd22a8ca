#!/usr/bin/env python3
"""Checks which link layers and tunnels tcplab explain reads, and that it names what it does not."""
import struct
import unittest

import schemas
from talks import ACK, PUSH, Explained, Talk, pcap
from wraps import (ETHERNET, LINKS, NFLOG, RAW, TUNNELS, WIFI, block, captured, ethernet, interface,
                   ip, packet, section, udp, wifi)


def talk(port=40000):
    return Talk(port=port).shake_hands().say(0, ACK | PUSH, 0, 0, 10).say(1, ACK, 0, 10).close(10)


def pcap_of_link(link, frames):
    content = bytearray(pcap(frames))
    content[20:24] = struct.pack("<I", link)
    return bytes(content)


class Links(Explained):
    def read(self, content):
        done = self.run_it("--json", "-", given=content)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return schemas.checked(done.stdout)

    def assert_closed(self, explained):
        connection, = explained["connections"]
        self.assertEqual((connection["trouble"], connection["ending"], connection["probably"]),
                         ("none", "closed", []))
        client = connection["client"]
        self.assertEqual((client["address"], client["octets"]), ("10.0.0.1:40000", 10))

    def test_a_connection_is_the_same_on_every_link(self):
        for name, (link, wrap) in LINKS.items():
            with self.subTest(name):
                self.assert_closed(self.read(pcap_of_link(
                    link, [(at, wrap(frame)) for at, frame in talk().frames])))

    def test_a_connection_is_the_same_in_every_tunnel(self):
        for name, wrap in TUNNELS.items():
            with self.subTest(name):
                self.assert_closed(self.read(pcap(
                    [(at, wrap(frame)) for at, frame in talk().frames])))

    def test_what_only_looks_like_a_tunnel_is_none(self):
        for name, wrap in (("VXLAN without its flag", lambda f: udp(4789, bytes(8) + f)),
                           ("another UDP port", lambda f: udp(4788, b"\x08\0\0\0\0\0\7\0" + f)),
                           ("an echo of GTP", lambda f: udp(2152, b"\x30\1" + bytes(6) +
                                                            packet(f)))):
            with self.subTest(name):
                done = self.run_it("-", given=pcap([(at, wrap(f)) for at, f in talk().frames]))
                self.assertEqual(done.returncode, 2)
                self.assertIn(b"there is no TCP in its 8 frames", done.stderr)

    def test_frames_that_are_not_decoded_are_counted_and_named(self):
        begin = talk().frames[0][0]
        for name, frame in (
                ("LLDP", ethernet(0x88cc, bytes(20))),
                ("EtherType 0x1234", ethernet(0x1234, bytes(20))),
                ("LLC, such as STP", ethernet(38, b"\x42\x42\x03" + bytes(35))),
                ("IPsec (ESP)", ethernet(0x0800, ip(50, bytes(40)))),
                ("WireGuard", udp(51820, bytes(40))),
                ("IP protocol 200", ethernet(0x0800, ip(200, bytes(40)))),
                ("LCP", ethernet(0x8864, b"\x11\0\0\5\0\6\xc0\x21\1\1\0\4")),
                ("an MPLS pseudowire", ethernet(0x8847, b"\0\1\1\x40" + b"\x10" + bytes(30))),
                ("damage (IPv4 header length is too small)",
                 ethernet(0x0800, b"\x41" + bytes(30)))):
            with self.subTest(name):
                content = pcap([(begin, frame), (begin + 1, frame)] + talk().frames)
                done = self.run_it("-", given=content)
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                text = " ".join(done.stdout.decode().split())
                self.assertIn(f"Not decoded: 2 frames of {name}.", text)
                explained = self.read(content)
                self.assert_closed(explained)
                self.assertEqual(explained["frames_not_decoded"], {name: 2})
                alone = self.run_it("-", given=pcap([(begin, frame)]))
                self.assertEqual(alone.returncode, 2)
                self.assertIn(f"tcplab does not decode 1 frame of {name}".encode(), alone.stderr)

    def test_encrypted_wifi_and_unknown_links_are_named(self):
        for link, frame, name in ((WIFI, wifi(talk().frames[0][1], secret=True),
                                   b"1 frame of encrypted 802.11"),
                                  (189, bytes(64), b"1 frame of USB"),
                                  (147, bytes(64), b"1 frame of link type 147")):
            done = self.run_it("-", given=pcap_of_link(link, [(0, frame)]))
            self.assertEqual(done.returncode, 2)
            self.assertIn(name, done.stderr)

    def test_tunnels_within_tunnels_end(self):
        inner = ip(4, bytes(20))
        for _ in range(30):
            inner = ip(4, inner)
        done = self.run_it("-", given=pcap([(0, ethernet(0x0800, inner))]))
        self.assertIn(b"more than 8 tunnels within each other", done.stderr)


class Pcapng(Links):
    """Interfaces, link types and clocks of pcapng files."""

    def test_interfaces_with_other_link_types_and_snap_lengths_are_read(self):
        frames = talk().frames
        content = section() + interface(ETHERNET, 65535) + interface(RAW, 200) + \
            interface(NFLOG, 0, resolution=9)
        wrap = [lambda f: f, packet, LINKS["NFLOG"][1]]
        units = [1, 1, 1000]
        for number, (at, frame) in enumerate(frames):
            way = number % 3
            content += captured(way, at * units[way], wrap[way](frame))
        explained = self.read(content)
        self.assert_closed(explained)
        self.assertAlmostEqual(explained["seconds"], (frames[-1][0] - frames[0][0]) / 1e6)

    def test_an_interface_may_come_after_frames(self):
        frames = talk().frames
        content = section() + interface()
        for at, frame in frames[:4]:
            content += captured(0, at, frame)
        content += interface(RAW)
        for at, frame in frames[4:]:
            content += captured(1, at, packet(frame))
        self.assert_closed(self.read(content))

    def test_sections_have_interfaces_and_a_byte_order_of_their_own(self):
        frames = talk().frames
        content = section() + interface()
        for at, frame in frames[:4]:
            content += captured(0, at, frame)
        content += section(">") + interface(RAW, order=">")
        for at, frame in frames[4:]:
            content += captured(0, at, packet(frame), order=">")
        self.assert_closed(self.read(content))

    def test_clocks_of_every_resolution_are_read(self):
        frames = talk().frames
        for resolution, units in ((3, 1000), (6, 10**6), (9, 10**9), (12, 10**12),
                                  (0x80 | 10, 1024), (0x80 | 40, 1 << 40)):
            with self.subTest(resolution):
                content = section() + interface(resolution=resolution, offset=1000)
                for at, frame in frames:
                    content += captured(0, at * units // 10**6, frame)
                explained = self.read(content)
                self.assert_closed(explained)
                first = frames[0][0] / 1e6 + 1000
                self.assertAlmostEqual(float(explained["first_frame"]), first, 2)
                lasted = (frames[-1][0] - frames[0][0]) / 1e6
                self.assertAlmostEqual(explained["seconds"], lasted, 2)

    def test_simple_and_old_packets_are_read(self):
        frames = talk().frames
        simple = section() + interface()
        old = section() + interface()
        for at, frame in frames:
            simple += block(3, struct.pack("<I", len(frame)) + frame)
            old += block(2, struct.pack("<HHIIII", 0, 0, at >> 32, at & 0xFFFFFFFF, len(frame),
                                        len(frame)) + frame)
        for content in (simple, old):
            self.assert_closed(self.read(content))

    def test_damage_is_reported_after_the_frame_where_it_is(self):
        at, frame = talk().frames[0]
        good = section() + interface() + captured(0, at, frame)
        for bad, why in ((captured(7, at, frame), "interface 7"),
                         (struct.pack("<II", 6, 33) + bytes(25), "length 33"),
                         (captured(0, at, frame)[:-4] + struct.pack("<I", 16), "lengths"),
                         (captured(0, at, frame)[:-9], "ends within a block")):
            with self.subTest(why):
                done = self.run_it("-", given=good + bad)
                self.assertEqual(done.returncode, 0)
                message = done.stderr.decode()
                self.assertIn("cut off or damaged after frame 1: ", message)
                self.assertIn(why, message)


if __name__ == "__main__":
    unittest.main()
