"""Captures of real programs under real faults: a client, a router and a server, each in a network
namespace, with tcpdump at the client's NIC. A fault is an nftables rule, a link that goes down, an
MTU, or a program that behaves badly."""
import itertools
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

CLIENT, SERVER, ROUTER = "10.1.0.1", "10.2.0.2", "10.2.0.254"
CLIENT6, SERVER6 = "fd01::1", "fd02::2"
MARKER = b"complete"  # within a short snap length
PROCESSORS = itertools.cycle(sorted(os.sched_getaffinity(0)))  # of one network after the other
PATIENCE = 60  # seconds; only a hang takes that long

# Each line of standard input is carried out as Python; the answer is "." or the exception's name.
INTERPRETER = r"""
import os, socket, struct, sys, time
from socket import *
def connect(port=8080, to="10.2.0.2", **options):
    s = socket(AF_INET6 if ":" in to else AF_INET)
    for name, value in options.items():
        s.setsockopt(SOL_SOCKET if name.startswith("SO_") else IPPROTO_TCP, globals()[name], value)
    s.connect((to, port))
    return s
def listen(port=8080, backlog=16, **options):
    s = socket(AF_INET6)
    s.setsockopt(IPPROTO_IPV6, IPV6_V6ONLY, 0)
    s.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
    for name, value in options.items():
        s.setsockopt(SOL_SOCKET if name.startswith("SO_") else IPPROTO_TCP, globals()[name], value)
    s.bind(("::", port))
    s.listen(backlog)
    return s
def read(s, count):
    while count > 0:
        got = len(s.recv(min(count, 1 << 16)))
        if got == 0: raise EOFError
        count -= got
def drain(s):
    while s.recv(1 << 16): pass
def abort(s):
    s.setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))
    s.close()
def pending(s, count):  # waits until the kernel holds at least that many unread octets
    import fcntl, termios
    def unread(): return struct.unpack("i", fcntl.ioctl(s, termios.FIONREAD, bytes(4)))[0]
    while unread() < count: time.sleep(0.005)
def counter(s, offset, least):  # waits for a counter of struct tcp_info, linux/tcp.h
    while s.getsockopt(IPPROTO_TCP, TCP_INFO, 104)[offset] < least: time.sleep(0.005)
def probes(s, least): counter(s, 3, least)
def timeouts(s, least): counter(s, 2, least)
for line in sys.stdin:
    try:
        exec(line)
        print(".", flush=True)
    except Exception as error:
        print(type(error).__name__, error, flush=True)
"""


class Program:
    """A program in a namespace that carries out commands, one system call or loop at a time."""

    def __init__(self, space):
        self.process = space.start([sys.executable, "-u", "-c", INTERPRETER],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def start(self, line):
        """Begins a line; end() waits for it."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def end(self):
        return self.process.stdout.readline().strip()

    def do(self, line, expect="."):
        self.start(line)
        answer = self.end()
        if answer.split(" ")[0] != expect:
            raise AssertionError(f"{line}: {answer}")

    def kill(self):
        self.process.kill()
        self.process.wait()


class Space:
    """A network namespace, which lives as long as its first process. Its programs and their frames
    share a processor with those of the other namespaces of the network: each processor has its own
    queue of frames, and two queues change the order of frames that one socket sends."""

    def __init__(self, network):
        self.network = network
        self.holder = subprocess.Popen(["unshare", "-n", "--kill-child", "--fork", "sh", "-c",
                                        "echo ready; exec sleep 1000"],
                                       stdout=subprocess.PIPE, text=True)
        network.processes.append(self.holder)
        self.holder.stdout.readline()
        children = Path(f"/proc/{self.holder.pid}/task/{self.holder.pid}/children").read_text()
        self.pid = int(children.split()[0])
        self.enter = ["taskset", "-c", str(network.processor),
                      "nsenter", "-t", str(self.pid), "-n", "--"]

    def run(self, command, given=None):
        """Runs a shell command, which must succeed."""
        done = subprocess.run([*self.enter, "sh", "-ec", command], input=given, text=True,
                              capture_output=True, timeout=PATIENCE, check=False)
        if done.returncode != 0:
            raise AssertionError(f"{command}: {done.stderr}")
        return done.stdout

    def start(self, command, **options):
        process = subprocess.Popen([*self.enter, *command], **options)
        self.network.processes.append(process)
        return process

    def program(self):
        return Program(self)

    def rules(self, chain, *rules):
        """Adds nftables rules to a hook: input, output or forward."""
        lines = "".join(f"    {rule}\n" for rule in rules)
        self.run("nft -f -", f"table inet fault {{\n  chain {chain} {{\n    type filter hook "
                 f"{chain} priority 0\n{lines}  }}\n}}\n")

    def no_rules(self):
        self.run("nft delete table inet fault")


class Network:
    """Client, router and server. `with` ends everything it started."""

    def __init__(self, file, *, watch="", snap=0, offload=False, mtu=1500):
        self.file, self.watch = Path(file), watch
        self.processes = []
        self.processor = next(PROCESSORS)
        try:
            self.client, self.router, self.server = (Space(self) for _ in range(3))
            self.wire(mtu, offload)
            # The ring has one slot of this size for each frame, so a larger one would lose frames
            # of a fast transfer (TPACKET_V2, which immediate mode takes).
            self.capture(snap or (66000 if offload else mtu + 100))
        except BaseException:
            self.close()
            raise

    def wire(self, mtu, offload):
        # Without offload a frame is a segment, as on the wire.
        size = "" if offload else " gso_max_segs 1 gso_max_size 1600"
        # While a link-local address is tentative, a router asks for no neighbour, and that fails
        # after 3 s. On a busy machine, the detection of duplicates (RFC 4862) can take that long.
        for space in (self.client, self.router, self.server):
            space.run("sysctl -qw net.ipv6.conf.all.accept_dad=0 "
                      "net.ipv6.conf.default.accept_dad=0")
        for space, name, nic, address, address6 in (
                (self.client, "c", "left", "10.1.0.1/24", "fd01::1/64"),
                (self.server, "s", "right", "10.2.0.2/24", "fd02::2/64")):
            self.router.run(f"ip link add {nic} type veth peer name {name} netns {space.pid}")
            far = address.rsplit(".", 1)[0] + ".254"
            far6 = address6.split("::")[0] + "::fe"
            space.run(f"ip link set lo up; ip link set {name} mtu {mtu}{size} up; "
                      f"ip address add {address} dev {name}; "
                      f"ip address add {address6} dev {name} nodad; "
                      f"ip route add default via {far}; ip -6 route add default via {far6}; "
                      "sysctl -qw net.ipv4.tcp_syn_retries=2 net.ipv4.tcp_synack_retries=2 "
                      "net.ipv4.tcp_orphan_retries=3 net.ipv4.tcp_timestamps=1")
            self.router.run(f"ip link set {nic} mtu {mtu}{size} up; "
                            f"ip address add {far}/24 dev {nic}; "
                            f"ip address add {far6}/64 dev {nic} nodad")
        self.router.run("sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1 "
                        "net.ipv4.icmp_ratelimit=0; ip link set lo up")
        # The kernel starts a link's queue in the background, under a lock of the whole machine
        # (linkwatch). Until then, it drops what is sent, and a neighbour fails after 3 s.
        for space, nic in ((self.client, "c"), (self.server, "s"), (self.router, "left"),
                           (self.router, "right")):
            wait_until(lambda on=space, dev=nic: "state UP" in on.run(f"ip -o link show {dev}"))
        program = self.client.program()  # neighbours are known before anything is lost
        for address in (SERVER, SERVER6):
            program.do(f"connect(1, {address!r})", "ConnectionRefusedError")

    def capture(self, longest):
        command = ["tcpdump", "--immediate-mode", "-B", "65536", "-U", "-Z", "root", "-n",
                   "-s", str(longest), "-i", "c", "-w", str(self.file)]
        chosen = f"({self.watch}) or udp port 9" if self.watch else \
            "tcp or icmp or icmp6 or arp or udp port 9"
        self.tcpdump = self.client.start(command + [chosen], stderr=subprocess.PIPE, text=True)
        while True:
            line = self.tcpdump.stderr.readline()
            if "listening on" in line:
                return
            if not line:
                raise AssertionError("tcpdump does not start")

    def finish(self):
        """Ends the capture. A datagram that comes last shows that every frame is in the file."""
        program = self.client.program()
        program.do(f"socket(AF_INET, SOCK_DGRAM).sendto({MARKER!r}, ('10.1.0.254', 9))")
        wait_until(lambda: MARKER in self.file.read_bytes())
        self.tcpdump.terminate()
        said = self.tcpdump.communicate()[1]
        if "\n0 packets dropped by kernel" not in "\n" + said:
            raise AssertionError(f"the capture is not complete: {said}")

    def tcp_frames(self):
        """Returns the number of TCP frames in the capture so far."""
        done = subprocess.run(["tcpdump", "-nr", self.file, "tcp"], capture_output=True, text=True,
                              check=False)
        return len(done.stdout.splitlines())

    def close(self):
        for process in reversed(self.processes):
            process.kill()
        for process in self.processes:
            process.wait()
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream:
                    try:
                        stream.close()
                    except BrokenPipeError:
                        pass

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None:
                self.finish()
        finally:
            self.close()


def wait_until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"it did not come in {PATIENCE} s")
        time.sleep(0.01)


def why_not():
    """Returns why captures cannot be made here; empty if they can."""
    missing = [name for name in ("tcpdump", "tshark", "nft", "nc", "curl", "ip", "nsenter")
               if shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin") is None]
    if missing:
        return "not installed: " + ", ".join(missing)
    if subprocess.run(["unshare", "-n", "true"], capture_output=True, check=False).returncode != 0:
        return "a network namespace takes root"
    return ""
