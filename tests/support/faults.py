"""Faults that real programs meet, each in a network of its own (captures.py). A case is a function
of the network; its docstring says what happens. path_faults.py adds those of the path and of the
capture itself."""
from captures import SERVER, SERVER6, wait_until

CASES = {}
OPTIONS = {}  # how the network of a case is made


def case(**options):
    def register(function):
        name = function.__name__.replace("_", "-")
        CASES[name], OPTIONS[name] = function, options
        return function
    return register


def connected(net, *, port=8080, to=SERVER, listener="", connecting=""):
    """Returns a client and a server whose sockets `s` are connected."""
    client, server = net.client.program(), net.server.program()
    server.do(f"l = listen({port}{listener})")
    client.do(f"s = connect({port}, {to!r}{connecting})")
    server.do("s, _ = l.accept()")
    return client, server


@case()
def clean_close(net):
    """A question, an answer, and both ends close."""
    client, server = connected(net)
    client.do("s.sendall(b'question')")
    server.do("read(s, 8); s.sendall(b'answer'); s.close()")
    client.do("drain(s); s.close()")


@case()
def clean_close_ipv6(net):
    """The same over IPv6."""
    client, server = connected(net, to=SERVER6)
    client.do("s.sendall(b'question')")
    server.do("read(s, 8); s.sendall(b'answer'); s.close()")
    client.do("drain(s); s.close()")


@case()
def curl_downloads(net):
    """curl loads 600 kB from Python's web server."""
    web(net, 600_000)
    net.client.run(f"curl -s --max-time 50 -o /dev/null http://{SERVER}:8000/")


@case(offload=True)
def curl_downloads_with_offload(net):
    """The same with segmentation offload: the capture has frames of up to 64 kB."""
    web(net, 3_000_000)
    net.client.run(f"curl -s --max-time 50 -o /dev/null http://{SERVER}:8000/")


@case(offload=True)
def curl_uploads_with_offload(net):
    """An upload; the large frames are the client's own."""
    client, server = connected(net)
    client.start("s.sendall(bytes(2_000_000)); s.close()")
    server.do("drain(s); s.close()")
    client.end()


WEB = """
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(bytes(int(sys.argv[1])))
http.server.HTTPServer(("0.0.0.0", 8000), Handler).serve_forever()
"""


def web(net, size):
    net.server.start(["python3", "-c", WEB, str(size)])
    wait_until(lambda: net.server.run("ss -Hltn sport = :8000"))


@case()
def connection_refused(net):
    """Nobody listens on the port."""
    net.client.run(f"nc -w 5 {SERVER} 7 </dev/null || true")


@case()
def syn_dropped(net):
    """A firewall drops every SYN."""
    net.server.rules("input", "tcp dport 8080 drop")
    net.client.run(f"nc -w 20 {SERVER} 8080 </dev/null || true")


@case()
def first_syn_lost(net):
    """The first SYN is lost."""
    net.server.rules("input", "tcp dport 8080 tcp flags syn numgen inc mod 2 == 0 drop")
    client, server = connected(net)
    client.do("s.close()")
    server.do("s.close()")


@case()
def syn_ack_lost(net):
    """The first SYN,ACK is lost."""
    net.router.rules("forward", "tcp sport 8080 tcp flags & (syn|ack) == syn|ack "
                     "numgen inc mod 2 == 0 drop")
    client, server = connected(net)
    client.do("s.close()")
    server.do("s.close()")


@case()
def many_lose_their_syn(net):
    """60 connections; the network loses 41 of their first SYNs."""
    net.server.rules("input", "tcp dport 8080 tcp flags syn numgen inc mod 101 < 41 drop")
    client, server = net.client.program(), net.server.program()
    server.do("l = listen(8080, 100)")
    client.do("many = [socket() for _ in range(60)]")
    client.do("for s in many: s.setblocking(False); s.connect_ex(('10.2.0.2', 8080))")
    client.do("import select; "
              "[select.select([], [s], []) for s in many]; [s.setblocking(True) for s in many]")
    server.do("all = [l.accept()[0] for _ in range(60)]")
    client.do("for s in many: s.sendall(b'x'); s.close()")
    server.do("for s in all: drain(s); s.close()")


@case()
def firewall_prohibits(net):
    """A router's firewall answers a SYN with ICMP: administratively prohibited."""
    net.router.rules("forward", "tcp dport 8080 reject with icmpx type admin-prohibited")
    net.client.program().do("connect()", "OSError")


@case()
def host_unreachable(net):
    """The server's cable is out; the router reports host unreachable."""
    net.server.run("ip link set s down")
    net.router.run("sysctl -qw net.ipv4.neigh.right.mcast_solicit=1 "
                   "net.ipv4.neigh.right.retrans_time_ms=100; ip neigh flush dev right")
    net.client.program().do("connect()", "OSError")


@case()
def firewall_resets(net):
    """A firewall resets an open connection."""
    client, server = connected(net)
    net.router.rules("forward", "tcp dport 8080 reject with tcp reset")
    client.do("s.sendall(b'question')")
    client.do("s.recv(1)", "ConnectionResetError")
    del server


@case()
def firewall_forgets(net):
    """A firewall forgets an open connection and drops its segments."""
    client, server = connected(net)
    client.do("s.sendall(b'question')")
    server.do("read(s, 8)")
    net.router.rules("forward", "tcp dport 8080 drop", "tcp sport 8080 drop")
    client.do("s.sendall(b'question'); timeouts(s, 3)")


@case()
def server_vanishes(net):
    """The server's cable is cut while the client writes."""
    client, server = connected(net)
    client.do("s.sendall(b'question')")
    server.do("read(s, 8); s.sendall(b'answer')")
    client.do("read(s, 6)")
    net.server.run("ip link set s down")
    net.router.rules("output", "icmp type destination-unreachable drop")
    client.do("s.sendall(b'question'); timeouts(s, 3)")


KEEPALIVE = ", SO_KEEPALIVE=1, TCP_KEEPIDLE=1, TCP_KEEPINTVL=1, TCP_KEEPCNT=2"


@case()
def keepalive_unanswered(net):
    """Keepalive probes have no answer; the kernel gives up and sends a RST."""
    client, server = connected(net, connecting=KEEPALIVE)
    net.server.rules("input", "tcp dport 8080 drop")
    client.do("s.recv(1)", "TimeoutError")
    del server


@case()
def keepalive_answered_by_a_router(net):
    """Keepalive probes are answered by a router: no route, honestly."""
    client, server = connected(net, connecting=KEEPALIVE)
    net.router.run("ip route add unreachable 10.2.0.2/32")
    client.do("s.recv(1)", "TimeoutError")
    del server


@case()
def keepalive_answered(net):
    """An idle connection, kept open by probes."""
    client, server = connected(net, connecting=KEEPALIVE)
    wait_until(lambda: net.tcp_frames() >= 9)
    client.do("s.close()")
    server.do("s.close()")


@case()
def keepalive_refused(net):
    """The server loses its connections, and answers a probe with a RST."""
    client, server = connected(net, connecting=KEEPALIVE)
    net.server.rules("output", "tcp sport 8080 drop")
    server.do("abort(s)")
    net.server.no_rules()
    client.do("s.recv(1)", "ConnectionResetError")


@case()
def window_closes_and_opens(net):
    """The server does not read for a while, then reads everything."""
    client, server = connected(net, listener=", SO_RCVBUF=8192")
    client.start("s.sendall(bytes(300_000))")
    client_probes(net, 3)
    server.do("read(s, 300_000)")
    assert client.end() == "."
    client.do("s.close()")
    server.do("s.close()")


def client_probes(net, count):
    """Waits until the client's kernel has probed a zero window."""
    wait_until(lambda: f"persist,{'' if count else ''}" in net.client.run("ss -Htno dport = :8080"))
    frames = net.tcp_frames()
    wait_until(lambda: net.tcp_frames() >= frames + 2 * count)


@case()
def window_stays_closed(net):
    """The server never reads."""
    client, server = connected(net, listener=", SO_RCVBUF=8192")
    client.start("s.sendall(bytes(300_000))")
    client_probes(net, 3)
    del server


@case()
def stopped_server(net):
    """The server's program is stopped with SIGSTOP while the client writes."""
    client, server = connected(net, listener=", SO_RCVBUF=8192")
    server.process.send_signal(19)
    client.start("s.sendall(bytes(300_000))")
    client_probes(net, 2)


@case()
def unread_data(net):
    """The server closes with unread data: RST."""
    client, server = connected(net)
    client.do("s.sendall(b'question')")
    server.do("pending(s, 8); s.close()")
    client.do("s.recv(1)", "ConnectionResetError")


@case()
def linger_zero(net):
    """The client closes with SO_LINGER and zero seconds: RST."""
    client, server = connected(net)
    client.do("abort(s)")
    server.do("s.recv(1)", "ConnectionResetError")


@case()
def program_killed(net):
    """The server's program is killed, and the client writes twice."""
    client, server = connected(net)
    server.kill()
    client.do("drain(s); s.sendall(b'question')")
    wait_until(lambda: not net.client.run("ss -Htn state close-wait"))


@case()
def half_close(net):
    """The client ends its direction, and the server still sends."""
    client, server = connected(net)
    client.do("s.sendall(b'question'); s.shutdown(SHUT_WR)")
    server.do("drain(s); s.sendall(bytes(5000)); s.close()")
    client.do("drain(s); s.close()")


@case()
def server_never_closes(net):
    """The client closes and the server does not: CLOSE_WAIT."""
    client, server = connected(net)
    client.do("s.sendall(b'question'); s.shutdown(SHUT_WR)")
    server.do("drain(s)")


@case()
def fin_lost(net):
    """The client's first FIN is lost."""
    client, server = connected(net)
    net.server.rules("input", "tcp dport 8080 tcp flags & fin == fin numgen inc mod 2 == 0 drop")
    client.do("s.close()")
    server.do("drain(s); s.close()")


@case()
def urgent(net):
    """A byte of urgent data."""
    client, server = connected(net)
    client.do("s.send(b'!', MSG_OOB); s.close()")
    server.do("drain(s); s.close()")


@case()
def backlog_full(net):
    """The server's program does not accept, and its backlog is full."""
    client, server = net.client.program(), net.server.program()
    server.do("l = listen(8080, 0)")
    client.do("a = connect()")
    client.do("b = connect(8080, '10.2.0.2', TCP_SYNCNT=2)", "TimeoutError")
    del server


@case()
def ports_used_again(net):
    """Six connections in a row, of which each pair has the same ports."""
    client, server = net.client.program(), net.server.program()
    net.client.run("sysctl -qw net.ipv4.ip_local_port_range='40000 40001'")
    server.do("l = listen()")
    for _ in range(6):
        client.do("s = socket(); s.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1); "
                  "s.connect(('10.2.0.2', 8080))")
        server.do("s, _ = l.accept(); abort(s)")
        client.do("s.recv(1)", "ConnectionResetError")


@case()
def user_timeout(net):
    """TCP_USER_TIMEOUT ends the client's connection; no RST is sent."""
    client, server = connected(net, connecting=", TCP_USER_TIMEOUT=800")
    net.server.rules("input", "tcp dport 8080 drop")
    client.do("s.sendall(b'question')")
    client.do("s.recv(1)", "TimeoutError")
    del server


@case()
def server_port_scanned(net):
    """Twenty ports are tried; one listens."""
    server = net.server.program()
    server.do("l = listen(8080)")
    net.client.run(f"nc -z -w 5 {SERVER} 8070-8089 || true")
