"""Wraps the Ethernet frames of talks.py in other link layers and tunnels, and writes pcapng files.
Made in memory: needs no root."""
import struct

ETHERNET, PPP, PPP_SERIAL, RAW, HDLC, WIFI, FRAME_RELAY, RADIOTAP, MPLS, NFLOG, PKTAP = \
    1, 9, 50, 101, 104, 105, 107, 127, 219, 239, 258
HEAD = 14  # of Ethernet
SNAP = b"\xaa\xaa\x03\0\0\0\x08\0"


def packet(frame):
    return frame[HEAD:]


def ip(protocol, payload, *, ends=b"\xc0\0\2\1\xc0\0\2\2"):
    return struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(payload), 7, 0, 60, protocol, 0) + ends + \
        payload


def ethernet(ether_type, payload):
    return b"\2\0\0\0\0\3\2\0\0\0\0\4" + struct.pack(">H", ether_type) + payload


def udp(port, payload):
    head = struct.pack(">HHHH", 49152, port, 8 + len(payload), 0)
    return ethernet(0x0800, ip(17, head + payload))


def wifi(frame, *, qos=False, secret=False, padding=0):
    control = bytes([0x88 if qos else 0x08, 0x41 if secret else 0x01])
    return control + bytes(22) + (b"\0\0" if qos else b"") + bytes(padding) + SNAP + packet(frame)


def radiotap(frame, fields=b"", present=0):
    return struct.pack("<BBHI", 0, 0, 8 + len(fields), present) + fields + frame


def nflog(frame, *, order="<"):
    attributes = struct.pack(order + "HHHBB", 8, 1, 8, 0, 0) + \
        struct.pack(order + "HH", 4 + len(packet(frame)), 9) + packet(frame)
    return b"\2\0\0\1" + attributes


def pktap(frame):
    return struct.pack("<III", 108, 1, 1) + bytes(96) + frame


# name: (link type, how a frame is wrapped)
LINKS = {
    "PPP": (PPP, lambda f: b"\0\x21" + packet(f)),
    "PPP with address and control": (PPP_SERIAL, lambda f: b"\xff\x03\0\x21" + packet(f)),
    "PPP with a short protocol": (PPP, lambda f: b"\x21" + packet(f)),
    "Cisco HDLC": (HDLC, lambda f: b"\x0f\0\x08\0" + packet(f)),
    "802.11": (WIFI, wifi),
    "802.11 with QoS": (WIFI, lambda f: wifi(f, qos=True)),
    "radiotap": (RADIOTAP, lambda f: radiotap(wifi(f))),
    "radiotap with padded QoS": (RADIOTAP, lambda f: radiotap(wifi(f, qos=True, padding=2),
                                                              b"\x20", 2)),
    "radiotap with a time": (RADIOTAP, lambda f: radiotap(wifi(f, qos=True, padding=2),
                                                          bytes(8) + b"\x20", 3)),
    "Frame Relay": (FRAME_RELAY, lambda f: b"\x18\x41\x03\xcc" + packet(f)),
    "Cisco's Frame Relay": (FRAME_RELAY, lambda f: b"\x18\x41\x08\0" + packet(f)),
    "Frame Relay with SNAP": (FRAME_RELAY,
                              lambda f: b"\x18\x41\x03\0\x80\0\0\0\x08\0" + packet(f)),
    "MPLS without Ethernet": (MPLS, lambda f: b"\0\1\1\x40" + packet(f)),
    "NFLOG": (NFLOG, nflog),
    "NFLOG of a big-endian machine": (NFLOG, lambda f: nflog(f, order=">")),
    "PKTAP": (PKTAP, pktap),
}
TUNNELS = {
    "MPLS": lambda f: ethernet(0x8847, b"\0\1\0\x40\0\2\1\x40" + packet(f)),
    "Ethernet over MPLS": lambda f: ethernet(0x8847, b"\0\1\1\x40" + f),
    "Ethernet over MPLS with a control word": lambda f: ethernet(0x8847, b"\0\1\1\x40\0\0\0\5" + f),
    "PPPoE": lambda f: ethernet(0x8864, struct.pack(">BBHHH", 0x11, 0, 5, 2 + len(packet(f)),
                                                    0x21) + packet(f)),
    "802.3 with SNAP": lambda f: ethernet(8 + len(packet(f)), SNAP + packet(f)),
    "two VLAN tags": lambda f: ethernet(0x88a8, b"\0\5\x81\0\0\6\x08\0" + packet(f)),
    "GRE": lambda f: ethernet(0x0800, ip(47, b"\0\0\x08\0" + packet(f))),
    "GRE with checksum, key and number":
        lambda f: ethernet(0x0800, ip(47, b"\xb0\0\x08\0" + bytes(12) + packet(f))),
    "Ethernet over GRE": lambda f: ethernet(0x0800, ip(47, b"\0\0\x65\x58" + f)),
    "ERSPAN": lambda f: ethernet(
        0x0800, ip(47, b"\x10\0\x88\xbe\0\0\0\1" + b"\x10" + bytes(7) + f)),
    "PPTP": lambda f: ethernet(0x0800, ip(47, b"\x30\x81\x88\x0b" + bytes(12) + b"\xff\x03\0\x21" +
                                          packet(f))),
    "IP in IP": lambda f: ethernet(0x0800, ip(4, packet(f))),
    "AH": lambda f: ethernet(0x0800, ip(51, b"\6\4" + bytes(22) + packet(f)[20:],
                                        ends=packet(f)[12:20])),
    "AH in tunnel mode": lambda f: ethernet(0x0800, ip(51, b"\4\4" + bytes(22) + packet(f))),
    "VXLAN": lambda f: udp(4789, b"\x08\0\0\0\0\0\7\0" + f),
    "VXLAN on Linux's old port": lambda f: udp(8472, b"\x08\0\0\0\0\0\7\0" + f),
    "GENEVE": lambda f: udp(6081, b"\x01\0\x65\x58\0\0\7\0" + bytes(4) + f),
    "IP in GENEVE": lambda f: udp(6081, b"\0\0\x08\0\0\0\7\0" + packet(f)),
    "GTP-U": lambda f: udp(2152, struct.pack(">BBHI", 0x30, 255, len(packet(f)), 9) + packet(f)),
    "GTP-U with an extension": lambda f: udp(2152, struct.pack(
        ">BBHIHBB", 0x34, 255, 8 + len(packet(f)), 9, 0, 0, 0x85) + b"\1\0\0\0" + packet(f)),
    "MPLS in UDP": lambda f: udp(6635, b"\0\1\1\x40" + packet(f)),
    "VXLAN in GRE": lambda f: ethernet(0x0800, ip(47, b"\0\0\x08\0" + packet(
        udp(4789, b"\x08\0\0\0\0\0\7\0" + f)))),
}


def block(kind, body, order="<"):
    body += bytes(-len(body) % 4)
    length = struct.pack(order + "I", 12 + len(body))
    return struct.pack(order + "I", kind) + length + body + length


def section(order="<"):
    return block(0x0A0D0D0A, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1), order)


def interface(link=ETHERNET, snap=0, *, resolution=None, offset=None, order="<"):
    """Describes an interface. `resolution` and `offset` are the values of the options."""
    body = struct.pack(order + "HHI", link, 0, snap)
    if resolution is not None:
        body += struct.pack(order + "HHB3x", 9, 1, resolution)
    if offset is not None:
        body += struct.pack(order + "HHq", 14, 8, offset)
    if len(body) > 8:
        body += bytes(4)
    return block(1, body, order)


def captured(number, units, frame, *, size=None, order="<"):
    """Writes a frame of interface `number`; `units` is its time in the interface's units."""
    kept = frame[:size]
    return block(6, struct.pack(order + "IIIII", number, units >> 32, units & 0xFFFFFFFF, len(kept),
                                len(frame)) + kept, order)
