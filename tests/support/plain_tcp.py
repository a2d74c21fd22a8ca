#!/usr/bin/env python3
"""A small TCP stack for a stack host (docs/stacks.md): IPv4 only, passive opens, one program. It
meets what the tests ask of it, but for one fault that its argument names: see FAULTS. With "mute"
it sends nothing at all."""
import hashlib
import json
import os
import re
import select
import socket
import struct
import sys
import time
from dataclasses import dataclass, field

# What tcplab conform must find for each fault, and nothing else.
FAULTS = {
    "none": [],
    "isn guessed": ["SHLD-1"],
    "isn backwards": ["MUST-8"],
    "reset by any number in the window": ["RFC5961-3.2-b"],
    "reset by old numbers": ["RFC5961-3.2-c"],
    "reset by SYN": ["RFC5961-4.2"],
    "deaf to resets": ["MUST-12", "RFC5961-3.2-a", "SHLD-2"],
    "default MSS of 1460": ["MUST-15"],
    "deaf to MSS": ["MUST-15", "MUST-16", "MUST-64"],
    "takes data without ACK": ["RFC9293-3.10.7.4-no-ack"],
    "checksum ignored": ["MUST-3"],
    "unknown option refused": ["MUST-6"],
    "closed ports silent": ["RFC9293-3.10.7.1-ack", "RFC9293-3.10.7.1-syn"],
    "answers resets": ["RFC9293-3.10.7.1-rst"],
    "early data dropped": ["SHLD-31"],
    "close with FIN": ["SHLD-3"],
    "steady timer": ["MUST-19"],
    "slow ACK": ["MUST-40"],
    "no PSH": ["MUST-61"],
}
# What nobody can see because of a fault.
UNSEEN = {"closed ports silent": ["RFC5961-3.2-a", "SHLD-2"]}
FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
WINDOW = 30000
NIC = 3


def after(one, other):
    """Returns how far a sequence number is ahead of another, from -2^31."""
    return (one - other + (1 << 31)) % (1 << 32) - (1 << 31)


def checksum(data):
    data += bytes(len(data) % 2)
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


@dataclass
class Connection:
    peer: tuple
    irs: int
    iss: int
    window: int
    mss: int
    state: str = "SYN_RECV"
    fin_at: int = None  # the sequence number of our FIN
    unread: bytes = b""
    early: dict = field(default_factory=dict)  # sequence number: data, or "" for a FIN
    unsent: bytes = b""
    flight: list = field(default_factory=list)  # (sequence number, data)
    error: str = ""
    ended: bool = False  # the peer has sent a FIN
    timeout: float = 1.0
    expires: float = None
    fd: int = None

    def __post_init__(self):
        self.rcv_nxt, self.snd_una, self.snd_nxt = self.irs + 1, self.iss, self.iss + 1


class Stack:
    def __init__(self, fault):
        self.fault = fault
        self.address = socket.inet_aton(os.environ["TCPLAB_IPV4"].split("/", maxsplit=1)[0])
        self.mac = bytes.fromhex(os.environ["TCPLAB_MAC"].replace(":", ""))
        self.neighbours, self.connections, self.sockets = {}, {}, {}
        self.port, self.listening, self.waiting, self.delayed = None, False, [], []
        self.last_isn, self.next_fd = 1000, 4

    def run(self):
        print(json.dumps({"ready": "calls"}), flush=True)
        requests = b""
        while True:
            readable = select.select([0, NIC], [], [], 0.01)[0]
            if NIC in readable:
                frame = os.read(NIC, 2000)
                if not frame:
                    return
                self.take_frame(frame)
            if 0 in readable:
                requests += os.read(0, 1 << 20)
                *lines, requests = requests.split(b"\n")
                for line in lines:
                    self.waiting.append(line.decode().split(" ", 3))
            self.tick()

    def tick(self):
        now = time.monotonic()
        for at, conn in list(self.delayed):
            if now >= at:
                self.delayed.remove((at, conn))
                self.send(conn, ACK)
        for conn in list(self.connections.values()):
            if conn.flight and conn.expires is not None and now > conn.expires:
                self.send(conn, ACK | PSH, conn.flight[0][1], conn.flight[0][0])
                conn.timeout *= 1 if self.fault == "steady timer" else 2
                conn.expires = now + conn.timeout
        self.waiting = [request for request in self.waiting if not self.call(request)]

    # Frames.

    def take_frame(self, frame):
        if self.fault == "mute":
            return
        kind, body = frame[12:14], frame[14:]
        if kind == b"\x08\x06":
            sender, asked = body[8:18], body[24:28]
            self.neighbours[sender[6:]] = sender[:6]
            if body[7] == 1 and asked == self.address:
                answer = body[:6] + b"\0\2" + self.mac + self.address + sender
                self.write(sender[:6], b"\x08\x06", answer)
        elif kind == b"\x08\x00" and body[9] == 6 and body[16:20] == self.address:
            header = (body[0] & 15) * 4
            source = body[12:16]
            self.neighbours[source] = frame[6:12]
            segment = body[header:struct.unpack(">H", body[2:4])[0]]
            pseudo = body[12:20] + struct.pack(">HH", 6, len(segment))
            if checksum(pseudo + segment) == 0 or self.fault == "checksum ignored":
                self.take_segment(source, segment)

    def write(self, target, kind, body):
        os.write(NIC, target + self.mac + kind + body)

    def emit(self, peer, port, flags, seq, ack, data=b"", options=b""):
        segment = struct.pack(">HHIIBBHHH", port, peer[1], seq % (1 << 32), ack % (1 << 32),
                              (5 + len(options) // 4) << 4, flags, WINDOW, 0, 0) + options + data
        addresses = self.address + peer[0]
        sum_of = checksum(addresses + struct.pack(">HH", 6, len(segment)) + segment)
        segment = segment[:16] + struct.pack(">H", sum_of) + segment[18:]
        head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(segment), 0, 0x4000, 64, 6, 0) + addresses
        head = head[:10] + struct.pack(">H", checksum(head)) + head[12:]
        self.write(self.neighbours[peer[0]], b"\x08\x00", head + segment)

    def send(self, conn, flags, data=b"", seq=None, options=b""):
        self.emit(conn.peer, self.port, flags, conn.snd_nxt if seq is None else seq,
                  conn.rcv_nxt if flags & ACK else 0, data, options)

    # Segments.

    def take_segment(self, source, segment):
        source_port, port, seq, ack, offset, flags, window = struct.unpack(">HHIIBBH", segment[:16])
        header = (offset >> 4) * 4
        peer, data = (source, source_port), segment[header:]
        mss, is_known = self.options(segment[20:header])
        if not is_known and self.fault == "unknown option refused":
            return
        conn = self.connections.get(peer) if port == self.port else None
        if conn is not None:
            self.process(conn, seq, ack, flags, window, data)
        elif port == self.port and self.listening and flags & (SYN | ACK | RST) == SYN:
            conn = Connection(peer, seq, self.isn(peer), window, mss)
            self.connections[peer] = conn
            self.send(conn, SYN | ACK, seq=conn.iss, options=b"\2\4\5\xb4")
        elif flags & RST and self.fault != "answers resets" or self.fault == "closed ports silent":
            pass
        elif flags & ACK:
            self.emit(peer, port, RST, ack, 0)
        else:
            length = len(data) + (flags & 1) + (flags >> 1 & 1)
            self.emit(peer, port, RST | ACK, 0, seq + length)

    def options(self, text):
        mss = 1460 if self.fault in ("default MSS of 1460", "deaf to MSS") else 536
        is_known = True
        while text and text[0] != 0:
            if text[0] == 1:
                text = text[1:]
                continue
            length = text[1] if len(text) > 1 else 0
            if text[0] == 2 and length == 4 and self.fault != "deaf to MSS":
                mss = struct.unpack(">H", text[2:4])[0]
            is_known = is_known and text[0] in (2, 3, 4, 8)
            if length < 2:
                break
            text = text[length:]
        return mss, is_known

    def isn(self, peer):
        if self.fault == "isn guessed":
            self.last_isn += 64000
            return self.last_isn
        secret = int.from_bytes(hashlib.sha256(b"secret" + repr(peer).encode()).digest()[:4], "big")
        clock = int(time.monotonic() * 250000)
        return (secret + (-clock if self.fault == "isn backwards" else clock)) % (1 << 32)

    def process(self, conn, seq, ack, flags, window, data):
        ahead = after(seq, conn.rcv_nxt)
        if flags & RST:
            self.take_reset(conn, ahead)
        elif flags & SYN:
            if self.fault == "reset by SYN" and 0 <= ahead < WINDOW:
                self.send(conn, RST | ACK)
                self.end(conn, "ECONNRESET")
            elif conn.state == "SYN_RECV":
                self.send(conn, SYN | ACK, seq=conn.iss, options=b"\2\4\5\xb4")
            else:
                self.send(conn, ACK)
        elif not flags & ACK:
            if self.fault == "takes data without ACK":
                self.take_data(conn, seq, flags, data)
        else:
            self.take_ack(conn, ack, window)
            self.take_data(conn, seq, flags, data)
            if ahead < 0 and not data:
                self.send(conn, ACK)  # not acceptable (RFC 9293 section 3.10.7.4)

    def take_reset(self, conn, ahead):
        if self.fault == "deaf to resets" and conn.state != "SYN_RECV" and ahead == 0:
            return
        anywhere = self.fault == "reset by any number in the window" and 0 <= ahead < WINDOW
        if ahead == 0 or anywhere or (self.fault == "reset by old numbers" and ahead < 0):
            self.end(conn, "ECONNRESET")
        elif 0 < ahead < WINDOW:
            self.send(conn, ACK)

    def end(self, conn, error):
        conn.error = error
        del self.connections[conn.peer]

    def take_ack(self, conn, ack, window):
        conn.window = window
        if conn.state == "SYN_RECV":
            conn.state, conn.snd_una = "ESTABLISHED", conn.snd_nxt
        if 0 < after(ack, conn.snd_una) and after(ack, conn.snd_nxt) <= 0:
            conn.snd_una, conn.timeout = ack, 1.0
            conn.flight = [(at, sent) for at, sent in conn.flight if after(at, ack) >= 0]
        self.push(conn)

    def take_data(self, conn, seq, flags, data):
        if data or flags & FIN:
            if conn.fd is None and conn.state == "CLOSED":
                self.send(conn, RST | ACK)
                return self.end(conn, "")
            if after(seq + len(data) + (flags & FIN), conn.rcv_nxt) <= 0:
                return self.send(conn, ACK)  # it has come before
            if after(seq, conn.rcv_nxt) > 0 and self.fault == "early data dropped":
                return self.send(conn, ACK)
            conn.early[seq] = (data, flags & FIN)
            while conn.rcv_nxt in conn.early:
                data, fin = conn.early.pop(conn.rcv_nxt)
                conn.rcv_nxt = (conn.rcv_nxt + len(data) + fin) % (1 << 32)
                conn.unread, conn.ended = conn.unread + data, conn.ended or bool(fin)
            if self.fault == "slow ACK":
                self.delayed.append((time.monotonic() + 0.7, conn))
            else:
                self.send(conn, ACK)
        return None

    def push(self, conn):
        most = min(conn.window, 4 * conn.mss)
        while conn.unsent and after(conn.snd_nxt, conn.snd_una) < most:
            data, conn.unsent = conn.unsent[:conn.mss], conn.unsent[conn.mss:]
            is_last = not conn.unsent and self.fault != "no PSH"
            conn.flight.append((conn.snd_nxt, data))
            self.send(conn, ACK | (PSH if is_last else 0), data)
            conn.snd_nxt = (conn.snd_nxt + len(data)) % (1 << 32)
            conn.expires = time.monotonic() + conn.timeout

    # Calls. Each returns its result, a name of an error, or None to wait.

    def call(self, request):
        number, name, *arguments = request
        if name == "cancel":
            self.waiting = [one for one in self.waiting if one[0] != arguments[0]]
            self.answer(arguments[0], {"result": 0, "revents": "0"})
            return True
        handler = getattr(self, "call_" + name, lambda *_: "ENOSYS")
        result = handler(*arguments)
        if result is None:
            return False
        if isinstance(result, str):
            result = {"result": -1, "errno": result}
        self.answer(number, result if isinstance(result, dict) else {"result": result})
        return True

    @staticmethod
    def answer(number, members):
        print(json.dumps({"id": int(number), **members}), flush=True)

    def call_socket(self, _family):
        self.next_fd += 1
        return self.next_fd

    @staticmethod
    def call_setsockopt(_fd, option):
        return 0 if option.startswith("SO_REUSEADDR ") else "ENOPROTOOPT"

    def call_bind(self, _fd, address):
        self.port = int(address.split()[1])
        return 0

    def call_listen(self, _fd, _backlog):
        self.listening = True
        return 0

    def call_accept(self, _fd):
        for conn in self.connections.values():
            if conn.fd is None and conn.state == "ESTABLISHED":
                self.next_fd += 1
                conn.fd = self.next_fd
                self.sockets[str(conn.fd)] = conn
                local = f"{socket.inet_ntoa(self.address)}:{self.port}"
                remote = f"{socket.inet_ntoa(conn.peer[0])}:{conn.peer[1]}"
                return {"result": conn.fd, "local": local, "remote": remote}
        return None

    def call_read(self, fd, size):
        conn = self.sockets[fd]
        if conn.error:
            error, conn.error = conn.error, ""
            conn.ended = True
            return error
        if conn.unread:
            data, conn.unread = conn.unread[:int(size)], conn.unread[int(size):]
            return {"result": len(data), "data": data.decode("latin-1")}
        return 0 if conn.ended else None

    def call_write(self, fd, data):
        conn = self.sockets[fd]
        if conn.peer not in self.connections:
            return "EPIPE"
        text = re.sub(rb"\\x([0-9a-f]{2})", lambda found: bytes.fromhex(found[1].decode()),
                      data[1:-1].encode("latin-1"))
        conn.unsent += text
        self.push(conn)
        return len(text)

    def call_poll(self, fd, _events):
        conn = self.sockets.get(fd)
        if conn is None:
            return {"result": 1, "revents": "IN"}
        events = ["IN"] if conn.unread or conn.ended or conn.error else []
        events += ["ERR", "HUP"] if conn.error else []
        return {"result": 1, "revents": "|".join(events)} if events else None

    def call_close(self, fd):
        conn = self.sockets.pop(fd, None)
        if conn is None or conn.peer not in self.connections:
            return 0
        conn.fd, conn.state = None, "CLOSED"
        if conn.unread and self.fault != "close with FIN":
            self.send(conn, RST | ACK)
            self.end(conn, "")
        else:
            self.send(conn, FIN | ACK)
            conn.snd_nxt = (conn.snd_nxt + 1) % (1 << 32)
        return 0


if __name__ == "__main__":
    Stack(sys.argv[1]).run()
