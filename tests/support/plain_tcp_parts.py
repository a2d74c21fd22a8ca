"""What the stack of plain_tcp.py needs besides itself: the list of its faults, its connections, and
the arithmetic of TCP."""
import struct
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
    "early data dropped": ["RFC2018-4-b", "SHLD-31"],
    "close with FIN": ["SHLD-3"],
    "steady timer": ["MUST-19"],
    "slow ACK": ["MUST-40"],
    "no PSH": ["MUST-61"],
    "MSS in data": ["MUST-65"],
    "deaf to distant SYNs": ["RFC5961-4.2"],
    "ECE unasked": ["RFC3168-6.1.1"],
    "SACK unasked": ["RFC2018-2"],
    "oldest SACK block first": ["RFC2018-4-b"],
    "timestamp of the SYN forgotten": ["RFC7323-3.2-d"],
    "any ACK connects": ["RFC9293-3.10.7.4-syn-rcvd"],
    "handshake data lost": ["RFC9293-3.10.7.4-syn-rcvd-data"],
    "overlap dropped": ["RFC9293-3.10.7.4-overlap"],
    "silent outside the window": ["RFC9293-3.10.7.4-unacceptable"],
    "crossing FIN reset": ["RFC9293-3.6-cross"],
    "deaf after shutdown": ["RFC9293-3.6.1-b"],
    "100 connections": ["RFC4987-3"],
    "urgent pointer at the last byte": ["MUST-31", "MUST-62"],
    "one urgent byte": ["MUST-31"],
}
# What nobody can see because of a fault.
UNSEEN = {"closed ports silent": ["RFC5961-3.2-a", "SHLD-2"]}
FIN, SYN, RST, PSH, ACK, URG, ECE = 1, 2, 4, 8, 16, 32, 64
MSS = b"\2\4\5\xb4"
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
    unread: bytes = b""
    early: dict = field(default_factory=dict)  # sequence number: (data, FIN)
    permits_sack: bool = False
    syn_options: bytes = b""
    unsent: bytes = b""
    flight: list = field(default_factory=list)  # (sequence number, data)
    error: str = ""
    ended: bool = False  # the peer has sent a FIN
    owes_ack: bool = False
    timeout: float = 1.0
    expires: float = None
    fd: int = None

    def __post_init__(self):
        self.rcv_nxt, self.snd_una, self.snd_nxt = self.irs + 1, self.iss, self.iss + 1
