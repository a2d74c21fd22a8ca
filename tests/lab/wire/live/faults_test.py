#!/usr/bin/env python3
"""Checks that the timeline and the capture describe the effects of faults in the same words. In the
capture, the sender's interface has each frame as sent, and the receiver's interface has it as
received."""
import sys
import unittest

sys.dont_write_bytecode = True
import lab


class AFaultyLine(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = lab.Folder()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.run_ = lab.Run("faulty-line.lua", cls.folder.name)
        assert cls.run_.status == 0, cls.run_.said()
        cls.packets = [event for event in cls.run_.events("packet") if event["protocol"] == "TCP"]

    def frames(self, verb, outbound):
        """Returns the frames whose comment names the fault."""
        return [frame for frame in self.run_.frames()
                if f'{verb} "{verb}"' in frame.comment and frame.outbound == outbound]

    def events_of(self, verb):
        return [event for event in self.packets
                if any(effect.get("fault", {}).get("name") == verb
                       for effect in event.get("effects", []))]

    def test_a_corrupt_frame_is_as_sent_on_one_side_and_as_received_on_the_other(self):
        (sent,), (received,) = self.frames("corrupt", True), self.frames("corrupt", False)
        differ = [at for at, pair in enumerate(zip(sent.data, received.data)) if len(set(pair)) > 1]
        self.assertEqual(differ, [sent.data.index(b"corrupt")])
        effect = sent.comment.splitlines()[-1]
        self.assertEqual(effect, received.comment)
        self.assertIn("changed from 0x63 to 0xe3", effect)

    def test_a_truncated_frame_is_shorter_on_the_receivers_side(self):
        (sent,), (received,) = self.frames("truncate", True), self.frames("truncate", False)
        self.assertEqual(received.data, sent.data[:14 + 60])
        self.assertIn(f"cut from {len(sent.data) - 14} to 60 bytes", received.comment)

    def test_a_copy_is_a_frame_with_its_own_number(self):
        (sent,), (first, copy) = self.frames("duplicate", True), self.frames("duplicate", False)
        self.assertEqual([first.data, copy.data], [sent.data] * 2)
        original, second = self.events_of("duplicate")
        self.assertGreater(second["frame"], original["frame"])
        self.assertTrue(copy.comment.startswith(f'copy of frame {original["frame"]} by'))
        self.assertEqual([event["fate"] for event in (original, second)], ["delivered"] * 2)

    def test_a_delayed_frame_has_two_events_and_arrives_after_its_delay(self):
        departure, arrival = self.events_of("delay")
        self.assertEqual((departure["fate"], arrival["fate"]), ("delayed", "delivered"))
        self.assertEqual(departure["frame"], arrival["frame"])
        self.assertGreaterEqual(arrival["delivered"] - arrival["sent"], 50_000_000)
        (sent,), (received,) = self.frames("delay", True), self.frames("delay", False)
        self.assertGreaterEqual(received.at - sent.at, 50_000_000)

    def test_a_limited_rate_delays_by_the_frames_bits(self):
        (sent,), (received,) = self.frames("limit", True), self.frames("limit", False)
        self.assertGreaterEqual(received.at - sent.at, len(sent.data) * 8 / 100_000 * 1e9)

    def test_a_lost_frame_is_on_the_senders_side_only(self):
        (sent,) = self.frames("lose", True)
        cause, effect = sent.comment.splitlines()
        # Without a real-time priority, the lab may see the frame after the call.
        self.assertRegex(cause, r"^(caused by|carries what was written by) kang's dnc: "
                                r"write\(\d\) = 5")
        self.assertTrue(effect.startswith("lost: "))
        self.assertEqual(self.frames("lose", False), [])

    def test_a_delayed_frame_is_lost_when_its_sender_loses_power(self):
        departure, loss = [event for event in self.packets if event["from"] == "kodos"
                           and event.get("length") == len("in the air\n")]
        self.assertEqual((departure["fate"], loss["fate"]), ("delayed", "lost"))
        self.assertEqual([effect["kind"] for effect in loss["effects"]], ["sender_gone"])
        received = [frame for frame in self.run_.frames()
                    if b"in the air" in frame.data and not frame.outbound]
        self.assertEqual(received, [])


class AFaultyLink(unittest.TestCase):
    def test_a_fault_on_one_link_leaves_the_other_links_alone(self):
        with lab.Folder() as folder:
            run = lab.Run("faulty-link.lua", folder)
            self.assertEqual(run.status, 0, run.said())
            touched = [(event["from"], event["to"], event["fate"]) for event in run.events("packet")
                       for effect in event.get("effects", [])
                       if effect["fault"]["link"] == "wan"]
        self.assertEqual(touched, [("gateway", "kodos", "lost")])


if __name__ == "__main__":
    lab.main()
