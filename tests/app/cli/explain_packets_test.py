#!/usr/bin/env python3
"""Checks that tcplab explain knows fragments, copies on other links, and wrong checksums for
what they are."""
import struct
import unittest

from talks import ACK, MILLISECOND, PUSH, RST, SYN, Explained, Talk


def summed(octets):
    octets += bytes(len(octets) % 2)
    total = sum(struct.unpack(f">{len(octets) // 2}H", octets))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def pseudo(frame):
    return frame[26:34] + struct.pack(">BBH", 0, 6, len(frame) - 34)


def with_checksum(frame, change=0):
    """Fills in the TCP checksum of an IPv4 frame; `change` makes it wrong."""
    right = ~summed(pseudo(frame) + frame[34:50] + b"\0\0" + frame[52:]) & 0xFFFF
    return frame[:50] + struct.pack(">H", right ^ change) + frame[52:]


def offloaded(frame):
    """Leaves the sum of the pseudo header, as Linux does if a NIC computes the checksum."""
    return frame[:50] + struct.pack(">H", summed(pseudo(frame))) + frame[52:]


def fragments(frame, size):
    """Cuts an IPv4 packet into fragments of `size` octets, a multiple of 8."""
    head, payload = frame[14:34], frame[34:]
    for at in range(0, len(payload), size):
        part = payload[at:at + size]
        more = 0x2000 if at + size < len(payload) else 0
        yield frame[:14] + head[:2] + struct.pack(">H", 20 + len(part)) + head[4:6] + \
            struct.pack(">H", more | at // 8) + head[8:] + part


class Packets(Explained):
    def test_fragments_are_put_together_in_any_order(self):
        talk = Talk().shake_hands().say(0, ACK | PUSH, 0, 0, 1000).say(1, ACK, 0, 1000).close(1000)
        whole = self.words(talk.frames)
        for order in (1, -1):
            cut = []
            for at, frame in talk.frames:
                parts = list(fragments(frame, 24))[::order]
                cut += [(at + number, part) for number, part in enumerate(parts)]
            text = self.words(cut)
            self.assertIn("The client sent 1000 octets in 1 segment.", text)
            self.assertIn("nothing is wrong in its frames", text)
            self.assertNotIn("fragment", text)
        self.assertIn("nothing is wrong in its frames", whole)

    def test_fragments_of_incomplete_packets_are_counted(self):
        talk = Talk().shake_hands()
        at, frame = talk.say(0, ACK | PUSH, 0, 0, 1000).frames.pop()
        parts = list(fragments(frame, 400))
        for kept in (parts[:2], parts[1:], [parts[0], parts[2]]):
            text = self.words(talk.frames + [(at, part) for part in kept])
            self.assertIn("2 frames are IP fragments of packets that are not whole", text)
        overlapping = parts + [parts[1][:20] + b"\x20\x02" + parts[1][22:]]
        text = self.words(talk.frames + [(at, part) for part in (overlapping[0], overlapping[3],
                                                                 *overlapping[1:3])])
        self.assertIn("4 frames are IP fragments", text)

    def test_a_packet_with_other_link_addresses_is_captured_again(self):
        talk = Talk().shake_hands().say(0, ACK | PUSH, 0, 0, 500).say(1, ACK, 0, 500)
        for number in range(1, 5):
            talk.say(0, ACK | PUSH, 500 * number, 0, 500)
        # Only one packet is there again: on one link, the path has copied it.
        at, frame = talk.frames[3]
        copies = {"again": frame, "elsewhere": b"\2\0\0\0\0\7\2\0\0\0\0\x08" + frame[12:]}
        for name, copy in copies.items():
            frames = talk.frames[:4] + [(at, copy)] + talk.frames[4:]
            text = self.words(frames)
            self.assertEqual("the path copied it" in text, name == "again", text)
            self.assertEqual("1 frame was in it already" in text, name == "elsewhere", text)
            self.assertNotIn("retransmission", text.replace("it is no retransmission", "").replace(
                "copy of it, no retransmission", "").replace("no retransmissi…", ""))

    def talk_with_retransmissions(self, change, *, answered):
        """The client's data, and what `change` makes of their frames; `change` gets the number."""
        talk = Talk().shake_hands()
        for number in range(4):
            talk.say(0, ACK | PUSH, 0, 0, 90, after=200 * MILLISECOND << number)
        if answered:
            talk.say(1, ACK, 0, 90)
        return [(at, change(frame) if 3 <= number < 7 else with_checksum(frame))
                for number, (at, frame) in enumerate(talk.frames)]

    def test_wrong_checksums_explain_silence(self):
        text = self.words(self.talk_with_retransmissions(lambda f: with_checksum(f, 0x0ff0),
                                                         answered=False))
        self.assertIn("Probably segment-corrupted: 4 segments of the client have a wrong TCP "
                      "checksum", text)
        self.assertNotIn("power-off", text)

    def test_right_checksums_and_those_of_offload_explain_nothing(self):
        for change in (with_checksum, offloaded):
            text = self.words(self.talk_with_retransmissions(change, answered=False))
            self.assertNotIn("checksum", text)
            self.assertIn("power-off", text)

    def test_wrong_checksums_of_a_sender_whose_data_arrive_are_no_fault(self):
        talk = Talk().shake_hands().say(0, ACK | PUSH, 0, 0, 90).say(1, ACK, 0, 90).close(90)
        frames = [(at, with_checksum(frame, 0 if frame[29] == 2 else 0x1234))
                  for at, frame in talk.frames]
        self.assertIn("nothing is wrong in its frames", self.words(frames))


if __name__ == "__main__":
    unittest.main()
