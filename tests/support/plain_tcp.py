#!/usr/bin/env python3
"""A small TCP stack for a stack host (docs/stacks.md): IPv4 only, passive opens, one program. It
meets what the tests ask of it, but for one fault that its argument names: see FAULTS in
plain_tcp_parts.py. With "mute" it sends nothing at all. A second argument, "port" or "echo", makes
it listen on port 7 by itself, instead of making calls."""
import hashlib
import json
import os
import re
import select
import socket
import struct
import sys
import time

sys.dont_write_bytecode = True
from plain_tcp_parts import ACK, ECE, FIN, MSS, NIC, PSH, RST, SYN, URG, WINDOW
from plain_tcp_parts import Connection, after, checksum


class Stack:
    def __init__(self, fault, level="calls"):
        self.fault, self.level = fault, level
        self.address = socket.inet_aton(os.environ["TCPLAB_IPV4"].split("/", maxsplit=1)[0])
        self.mac = bytes.fromhex(os.environ["TCPLAB_MAC"].replace(":", ""))
        self.neighbours, self.connections, self.sockets = {}, {}, {}
        self.port, self.listening, self.waiting, self.delayed = None, False, [], []
        self.last_isn, self.next_fd = 1000, 4
        if level != "calls":
            self.port, self.listening = 7, True

    def run(self):
        print(json.dumps({"ready": self.level, "port": 7}), flush=True)
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
        if self.level != "calls":
            self.serve()

    def serve(self):
        """The program behind its own port reads, echoes if asked, and closes when the peer has."""
        self.call_accept(None)
        for fd, conn in list(self.sockets.items()):
            if self.level == "echo":
                sent = conn.snd_nxt
                conn.unsent += conn.unread
                self.push(conn)
                if conn.owes_ack and sent == conn.snd_nxt:
                    self.send(conn, ACK)
                conn.owes_ack = False
            conn.unread = b""
            if conn.error or conn.ended and not conn.unsent:
                self.call_close(fd)

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

    def emit(self, peer, port, flags, seq, ack, data=b"", options=b"", urgent=0):
        segment = struct.pack(">HHIIBBHHH", port, peer[1], seq % (1 << 32), ack % (1 << 32),
                              (5 + len(options) // 4) << 4, flags, WINDOW, 0, urgent)
        segment += options + data
        addresses = self.address + peer[0]
        sum_of = checksum(addresses + struct.pack(">HH", 6, len(segment)) + segment)
        segment = segment[:16] + struct.pack(">H", sum_of) + segment[18:]
        head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(segment), 0, 0x4000, 64, 6, 0) + addresses
        head = head[:10] + struct.pack(">H", checksum(head)) + head[12:]
        self.write(self.neighbours[peer[0]], b"\x08\x00", head + segment)

    def send(self, conn, flags, data=b"", seq=None, options=b"", urgent=0):
        if data and self.fault == "MSS in data":
            options += MSS
        self.emit(conn.peer, self.port, flags, conn.snd_nxt if seq is None else seq,
                  conn.rcv_nxt if flags & ACK else 0, data, options, urgent)

    # Segments.

    def take_segment(self, source, segment):
        source_port, port, seq, ack, offset, flags, window = struct.unpack(">HHIIBBH", segment[:16])
        header = (offset >> 4) * 4
        peer, data = (source, source_port), segment[header:]
        options = self.options(segment[20:header])
        if not options["known"] and self.fault == "unknown option refused":
            return
        conn = self.connections.get(peer) if port == self.port else None
        if conn is not None:
            self.process(conn, seq, ack, flags, window, data)
        elif port == self.port and self.listening and flags & (SYN | ACK | RST) == SYN:
            if self.fault != "100 connections" or len(self.connections) < 100:
                self.accept_syn(Connection(peer, seq, self.isn(peer), window, options["mss"]),
                                options)
        elif flags & RST and self.fault != "answers resets" or self.fault == "closed ports silent":
            pass
        elif flags & ACK:
            self.emit(peer, port, RST, ack, 0)
        else:
            length = len(data) + (flags & 1) + (flags >> 1 & 1)
            self.emit(peer, port, RST | ACK, 0, seq + length)

    def accept_syn(self, conn, options):
        conn.permits_sack = options["sack"] or self.fault == "SACK unasked"
        conn.syn_options = MSS + (b"\4\2\1\1" if conn.permits_sack else b"")
        if options["tsval"] is not None:
            echo = 0 if self.fault == "timestamp of the SYN forgotten" else options["tsval"]
            conn.syn_options += struct.pack(">HBBII", 0x0101, 8, 10, 1, echo)
        self.connections[conn.peer] = conn
        self.send_syn_ack(conn)

    def send_syn_ack(self, conn):
        flags = SYN | ACK | (ECE if self.fault == "ECE unasked" else 0)
        self.send(conn, flags, seq=conn.iss, options=conn.syn_options)

    def options(self, text):
        mss = 1460 if self.fault in ("default MSS of 1460", "deaf to MSS") else 536
        found = {"mss": mss, "known": True, "sack": False, "tsval": None}
        while text and text[0] != 0:
            if text[0] == 1:
                text = text[1:]
                continue
            length = text[1] if len(text) > 1 else 0
            if text[0] == 2 and length == 4 and self.fault != "deaf to MSS":
                found["mss"] = struct.unpack(">H", text[2:4])[0]
            elif text[0] == 4 and length == 2:
                found["sack"] = True
            elif text[0] == 8 and length == 10:
                found["tsval"] = struct.unpack(">I", text[2:6])[0]
            found["known"] = found["known"] and text[0] in (2, 3, 4, 8)
            if length < 2:
                break
            text = text[length:]
        return found

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
                self.send_syn_ack(conn)
            elif self.fault != "deaf to distant SYNs" or 0 <= ahead < WINDOW:
                self.send(conn, ACK)
        elif not flags & ACK:
            if self.fault == "takes data without ACK":
                self.take_data(conn, seq, flags, data)
        elif conn.state == "SYN_RECV" and ack != conn.snd_nxt and self.fault != "any ACK connects":
            self.emit(conn.peer, self.port, RST, ack, 0)
        else:
            is_new = conn.state == "SYN_RECV"
            self.take_ack(conn, ack, window)
            if not is_new or self.fault != "handshake data lost":
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
        if not data and not flags & FIN:
            return None
        if conn.fd is None and conn.state == "CLOSED" and (
                data or self.fault == "crossing FIN reset"):
            self.send(conn, RST | ACK)
            return self.end(conn, "")
        ahead = after(seq, conn.rcv_nxt)
        if ahead >= WINDOW:
            return None if self.fault == "silent outside the window" else self.send(conn, ACK)
        if ahead + len(data) + (flags & FIN) <= 0:
            return self.send(conn, ACK)  # it has come before
        if ahead > 0 and self.fault == "early data dropped" or (
                ahead < 0 and self.fault == "overlap dropped") or (
                conn.state == "FIN_WAIT" and self.fault == "deaf after shutdown"):
            return self.send(conn, ACK)
        conn.early[seq if ahead > 0 else conn.rcv_nxt] = (data[max(0, -ahead):], flags & FIN)
        is_gap = conn.rcv_nxt not in conn.early
        while conn.rcv_nxt in conn.early:
            data, fin = conn.early.pop(conn.rcv_nxt)
            conn.rcv_nxt = (conn.rcv_nxt + len(data) + fin) % (1 << 32)
            conn.unread, conn.ended = conn.unread + data, conn.ended or bool(fin)
        if self.level == "echo" and conn.unread and not is_gap:
            conn.owes_ack = True  # the echo acknowledges it
        elif self.fault == "slow ACK" and not is_gap:
            self.delayed.append((time.monotonic() + 0.7, conn))
        else:
            self.send(conn, ACK, options=self.sack(conn) if is_gap and conn.permits_sack else b"")
        return None

    def sack(self, conn):
        """Returns the option: the newest of the early segments first."""
        blocks = [struct.pack(">II", seq, (seq + len(data)) % (1 << 32))
                  for seq, (data, _) in conn.early.items()][-3:]
        if self.fault != "oldest SACK block first":
            blocks.reverse()
        return b"\1\1\5" + bytes([2 + 8 * len(blocks)]) + b"".join(blocks)

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

    def call_send(self, fd, words):
        """Of the flags only MSG_OOB is known. The data leaves at once."""
        data, flags = words.rsplit(" ", 1)
        if "MSG_OOB" not in flags:
            return self.call_write(fd, data)
        conn, rest = self.sockets[fd], data[1:-1].encode("latin-1")
        length = len(rest)
        while rest:
            part, rest = rest[:conn.mss], rest[conn.mss:]
            urgent = len(part + rest) - (self.fault == "urgent pointer at the last byte")
            is_urgent = not rest or self.fault != "one urgent byte"
            self.send(conn, ACK | (URG if is_urgent else 0), part, urgent=urgent * is_urgent)
            conn.snd_nxt = (conn.snd_nxt + len(part)) % (1 << 32)
        return length

    def call_shutdown(self, fd, _how):
        conn = self.sockets[fd]
        conn.state = "FIN_WAIT"
        self.send(conn, FIN | ACK)
        conn.snd_nxt = (conn.snd_nxt + 1) % (1 << 32)
        return 0

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
    Stack(*sys.argv[1:]).run()
