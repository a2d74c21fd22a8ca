"""Adds cases to faults.py: paths that lose segments or are narrow, captures that lack frames."""
from captures import SERVER, SERVER6
from faults import case, connected

# Segments with data. What follows the loss of a FIN is a case of its own.
LARGE = "meta length > 200 tcp flags & fin == 0"


def lossy(net, size, *rules, upload, to=SERVER):
    """Transfers data over a path where a router drops segments."""
    client, server = connected(net, to=to)
    if rules:
        net.router.rules("forward", *rules)
    sender, receiver = (client, server) if upload else (server, client)
    sender.start(f"s.sendall(bytes({size})); s.shutdown(SHUT_WR); drain(s); s.close()")
    receiver.do("drain(s); s.close()")
    assert sender.end() == "."


@case()
def lossy_upload(net):
    """One segment in 16 is lost on its way to the server; everything arrives in the end."""
    lossy(net, 400_000, f"tcp dport 8080 {LARGE} numgen random mod 16 == 0 drop",
          upload=True)


@case()
def lossy_download(net):
    """One segment in 16 is lost on its way to the client. The link is slow: to tshark and explain,
    a retransmission within 3 ms would look like a segment that a later one overtook."""
    net.router.run("tc qdisc add dev left root tbf rate 4mbit burst 3k limit 400k")
    lossy(net, 400_000, f"tcp sport 8080 {LARGE} numgen random mod 16 == 0 drop",
          upload=False)


@case()
def lossy_upload_ipv6(net):
    """The same over IPv6."""
    lossy(net, 300_000, f"tcp dport 8080 {LARGE} numgen random mod 16 == 0 drop",
          upload=True, to=SERVER6)


@case()
def lossy_acknowledgments(net):
    """A third of the ACKs is lost."""
    lossy(net, 300_000, "tcp sport 8080 tcp flags & fin == 0 numgen random mod 3 == 0 drop",
          upload=True)


@case()
def lossy_without_sack(net):
    """Losses, without SACK and timestamps."""
    for space in (net.client, net.server):
        space.run("sysctl -qw net.ipv4.tcp_sack=0 net.ipv4.tcp_timestamps=0")
    lossy(net, 200_000, f"tcp dport 8080 {LARGE} numgen random mod 16 == 0 drop",
          upload=True)


@case()
def slow_link(net):
    """A link of 8 Mbit/s with a short queue, which drops what does not fit."""
    net.router.run("tc qdisc add dev right root tbf rate 8mbit burst 3k limit 12k")
    lossy(net, 600_000, upload=True)


def narrow(net, mtu, *, report):
    """Makes the link to the server narrow for what it receives."""
    net.router.run(f"ip route add 10.2.0.2/32 dev right mtu lock {mtu}")
    if not report:
        net.router.rules("output", "icmp type destination-unreachable drop")


@case()
def mtu_black_hole(net):
    """A router drops large segments and does not say so; a small one went well before."""
    client, server = connected(net)
    client.do("s.sendall(b'question')")
    server.do("read(s, 8); s.sendall(b'answer')")
    client.do("read(s, 6)")
    narrow(net, 1280, report=False)
    client.do("s.sendall(bytes(20_000)); timeouts(s, 3)")


@case()
def mtu_black_hole_at_once(net):
    """The same, and the client's first data is large."""
    narrow(net, 1280, report=False)
    client, server = connected(net)
    client.do("s.sendall(bytes(1_448)); timeouts(s, 3)")
    del server


@case(offload=True)
def mtu_black_hole_with_offload(net):
    """The same with frames of up to 64 kB in the capture."""
    client, server = connected(net)
    client.do("s.sendall(b'question')")
    server.do("read(s, 8); s.sendall(b'answer')")
    client.do("read(s, 6)")
    net.router.rules("forward", "tcp dport 8080 meta length > 1280 drop")
    client.do("s.sendall(bytes(20_000)); timeouts(s, 3)")


@case()
def mtu_is_reported(net):
    """A router reports the MTU of its link, and the client sends smaller segments."""
    narrow(net, 1280, report=True)
    client, server = connected(net)
    client.start("s.sendall(bytes(20_000)); s.close()")
    server.do("drain(s); s.close()")
    client.end()


@case(watch="tcp and src host 10.1.0.1")
def only_from_the_client(net):
    """The capture has only one direction: the client's."""
    exchange(net)


@case(watch="tcp and dst host 10.1.0.1")
def only_to_the_client(net):
    """The capture has only one direction: the server's."""
    exchange(net)


@case(watch="tcp and src host 10.1.0.1")
def open_and_only_from_the_client(net):
    """One direction of a connection that stays open."""
    client, server = connected(net)
    client.do("s.sendall(b'question')")
    server.do("read(s, 8); s.sendall(b'answer')")
    client.do("read(s, 6)")


def exchange(net):
    client, server = connected(net)
    client.start("s.sendall(bytes(40_000)); read(s, 40_000); s.close()")
    server.do("read(s, 40_000); s.sendall(bytes(40_000)); drain(s); s.close()")
    assert client.end() == "."


@case(snap=60)
def short_frames(net):
    """The capture has only the first 60 octets of each frame."""
    exchange(net)


@case(watch="tcp[tcpflags] & tcp-syn == 0")
def begins_in_the_middle(net):
    """The capture begins after the handshake."""
    exchange(net)
