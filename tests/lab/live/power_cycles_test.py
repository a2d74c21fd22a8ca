#!/usr/bin/env python3
"""Checks, in the capture of 200 power cycles, that a host without power sends no frame."""
import sys
import unittest

sys.dont_write_bytecode = True
import lab

CYCLES = 200
KODOS = bytes([10, 0, 0, 2])


def incarnations(run):
    """Returns the times at which kodos started again, on the clock of the capture."""
    offset = run.events("run")[0]["wall_offset"]
    cycles = [event["t"] + offset for event in run.events("action")
              if event["verb"] == "power_cycle"]
    return cycles


def complaints(frames, cycles):
    """Returns the segments that only an earlier incarnation can have sent, and the number of
    answers.

    A connection belongs to the incarnation that received its SYN. A later incarnation may only
    answer a segment of that connection with a RST, whose sequence number is the segment's ACK (RFC
    9293 section 3.5.2, group 1). Each segment may have one such answer."""
    born, unanswered, found, pending = {}, {}, [], list(cycles)
    incarnation = answers = 0
    for frame in frames:
        while pending and frame.at >= pending[0]:
            pending.pop(0)
            incarnation += 1
            unanswered.clear()
        segment = lab.segment(frame.data)
        if segment is None or frame.interface != "kodos.eth0":
            continue
        port = (segment.source if not frame.outbound else segment.destination)[1]
        if not frame.outbound:
            if segment.flags == "S":
                born[port] = incarnation
            unanswered.setdefault(port, []).append(segment.ack)
        elif born.get(port) != incarnation:
            asked = unanswered.get(port, [])
            if segment.flags == "R" and segment.seq in asked and not segment.payload:
                asked.remove(segment.seq)
                answers += 1
            else:
                found.append(f"{segment.flags} seq {segment.seq}, {len(segment.payload)} bytes, "
                             f"of a connection of incarnation {born.get(port)}, in {incarnation}")
    return found, answers


class PowerCycles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.out = lab.Folder()
        # The machine's kernel may need long to remove 200 hosts, and the lab waits for it. No timer
        # of TCP decides anything here.
        cls.run_ = lab.Run("power-cycles.lua", cls.out.name, timeout=600,
                           env={"TCPLAB_SLACK": "60000"})
        cls.addClassCleanup(cls.out.cleanup)

    def test_no_frame_of_a_dead_incarnation_is_on_the_wire(self):
        self.assertEqual(self.run_.status, 0, self.run_.said())
        cycles, frames = incarnations(self.run_), self.run_.frames()
        self.assertEqual(len(cycles), CYCLES)
        found, answers = complaints(frames, cycles)
        self.assertEqual(found, [])
        self.assertGreater(answers, CYCLES // 2, "the next incarnation answers for itself")

    def test_a_frame_of_a_dead_incarnation_would_be_found(self):
        cycles, frames = incarnations(self.run_), self.run_.frames()
        said = next(frame for frame in frames if frame.interface == "kodos.eth0" and
                    frame.outbound and "S" in (lab.segment(frame.data) or ("",) * 6)[2])
        for flags in (0x11, 0x14, 0x18):  # FIN, RST, data
            late = bytearray(said.data)
            late[14 + 20 + 13] = flags
            ghost = said._replace(at=cycles[0] + 1, data=bytes(late))
            found, _ = complaints(sorted([*frames, ghost], key=lambda frame: frame.at), cycles)
            self.assertEqual(len(found), 1)

    def test_each_incarnation_had_data_to_send_or_unread_data(self):
        """Checks that each power cycle found unsent or unread data in a kernel."""
        typed = {"kang": 0, "kodos": 0}
        for event in self.run_.events("action"):
            if event["verb"] == "type":
                typed[event["host"]] += 1
        self.assertEqual(typed, {"kang": CYCLES // 2, "kodos": CYCLES // 2})


if __name__ == "__main__":
    lab.main()
