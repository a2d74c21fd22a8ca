"""Captures of very many connections, made frame by frame. For tests and for bench/many.py."""
import itertools
import struct

HEADER = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)  # pcap-savefile(5)
FIN, SYN, ACK, PUSH = 1, 2, 16, 8


def record(at, frame):
    return struct.pack("<IIII", at // 10**6, at % 10**6, len(frame), len(frame)) + frame


def segment(client, flags, seq, ack, size, outbound=True):
    """Returns a segment of client number `client`, which has its own address and port."""
    ends = [(bytes([10, 0, client // 50000, 1]), 1024 + client % 50000),
            (bytes([10, 9, 0, 2]), 8080)]
    (source, port), (destination, other) = ends if outbound else reversed(ends)
    seq, ack = ((number + client * 2654435761) % 2**32 for number in (seq, ack))
    tcp = struct.pack(">HHIIBBHHH", port, other, seq, ack, 0x50, flags, 65535, 0, 0) + b"x" * size
    head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(tcp), 1, 0, 64, 6, 0)
    return b"\2\0\0\0\0\2\2\0\0\0\0\1\x08\0" + head + source + destination + tcp


def open_talk(client, exchanges=1):
    yield segment(client, SYN, 0, 0, 0)
    yield segment(client, SYN | ACK, 0, 1, 0, outbound=False)
    for number in range(exchanges):
        yield segment(client, PUSH | ACK, 1 + 100 * number, 1, 100)
        yield segment(client, ACK, 1, 101 + 100 * number, 0, outbound=False)


def closed_talk(client):
    yield from open_talk(client)
    yield segment(client, FIN | ACK, 101, 1, 0)
    yield segment(client, FIN | ACK, 1, 102, 0, outbound=False)
    yield segment(client, ACK, 102, 2, 0)


def failed_talk(client):
    """Yields a connection with a retransmission, or one whose server stops answering."""
    frames = list(open_talk(client))
    repeated = segment(client, PUSH | ACK, 1, 1, 100)
    yield from frames[:3]
    yield repeated
    yield from frames[3:] if client % 2 == 0 else [repeated, repeated]


def at_once(clients, talk_of):
    """Yields the first frame of each client, then the second of each, and so on."""
    for frames in itertools.zip_longest(*map(talk_of, range(clients))):
        yield from (frame for frame in frames if frame)


def write(path, frames):
    """Writes the frames, one a microsecond."""
    with open(path, "wb") as file:
        file.write(HEADER)
        for at, frame in enumerate(frames):
            file.write(record(at, frame))
    return path
