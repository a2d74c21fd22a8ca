# The lab and its objects, with types, for editors and type checkers. docs/scenarios.md is
# the reference of the verbs. A word of Python has an underscore as a name: lab.await_, from_.
# Made by tools/python-stubs; do not edit.
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from types import TracebackType
from typing import Any, Literal, TypedDict, Union, overload

from tcplab.events import Event

Path = Union[str, PathLike[str]]
Action = Union[Callable[..., Any], Sequence[Callable[..., Any]]]

class Object: ...

KernelVersion = str
NeighbourEntries = Literal["static", "dynamic"]
TimerName = Literal["r2", "r2_limit", "r1", "tail_loss_probe", "first_retransmission", "orphan_r2",
                    "user_timeout", "syn_r2", "synack_r2", "initial_rto", "rto_min",
                    "neighbour_failure", "keepalive_timeout", "fin_timeout", "time_wait",
                    "time_wait_reuse", "delayed_ack"]
Direction = str
DirectionOrLink = str
PacketSelection = str
ChecksumKind = Literal["wrong", "fixed"]
IcmpError = str
TcpFlags = str
IpAddress = str
SignalName = str
TcpState = Literal["SYN_SENT", "SYN_RECV", "ESTABLISHED", "FIN_WAIT1", "FIN_WAIT2", "TIME_WAIT",
                   "CLOSE_WAIT", "LAST_ACK", "CLOSING", "LISTEN", "CLOSED"]
TcpTimer = Literal["retransmit", "persist", "keepalive", "time-wait"]
CallName = Literal["accept", "accept4", "bind", "capset", "close", "connect", "dup", "dup2",
                   "dup3", "epoll_ctl", "epoll_pwait", "epoll_pwait2", "epoll_wait", "fcntl",
                   "fork", "getsockopt", "ioctl", "kill", "listen", "pipe2", "poll", "ppoll",
                   "preadv2", "pselect6", "pwritev2", "read", "readv", "recv", "recvfrom",
                   "recvmmsg", "recvmsg", "select", "send", "sendfile", "sendmmsg", "sendmsg",
                   "sendto", "setrlimit", "setsockopt", "shutdown", "socket", "socketpair",
                   "splice", "write", "writev"]
ErrnoName = str
KernelEvent = Literal["drop", "reset", "reset_received", "error", "retransmit",
                      "retransmit_synack", "bad_checksum"]
InjectedCall = Literal["accept", "accept4", "bind", "connect", "epoll_pwait", "epoll_pwait2",
                       "epoll_wait", "getsockopt", "listen", "poll", "ppoll", "preadv2",
                       "pselect6", "pwritev2", "read", "readv", "recv", "recvfrom", "recvmmsg",
                       "recvmsg", "select", "send", "sendfile", "sendmmsg", "sendmsg", "sendto",
                       "setsockopt", "shutdown", "socket", "splice", "write", "writev"]
AuditStep = Literal["begins", "starting", "moment", "failure", "failure_ends", "after", "judged"]
AuditOutcome = Literal["unaffected", "recovered", "error", "wrong_data", "hangs", "not_reached"]
AuditReaction = Literal["printed", "printed_error", "sent", "none", "command_failed",
                        "client_ended", "always_active"]
HostOptions = TypedDict("HostOptions", {"neighbours": NeighbourEntries, "congestion": str,
        "sysctls": Mapping[str, str | float], "etc_hosts": bool, "offload": bool,
        "peer": str | Sequence[str]}, total=False)
LinkOptions = TypedDict("LinkOptions", {"mtu": int, "hidden": bool}, total=False)
NetworkOptions = TypedDict("NetworkOptions", {"links": Mapping[str, LinkOptions],
        "hosts": Mapping[str, Sequence[str]], "neighbours": NeighbourEntries, "congestion": str,
        "sysctls": Mapping[str, str | float], "etc_hosts": bool, "offload": bool,
        "peer": str | Sequence[str]}, total=False)
ConnectOptions = TypedDict("ConnectOptions", {"client": Sequence[str | float],
        "server": Sequence[str | float], "port": int}, total=False)
ConnectedOptions = TypedDict("ConnectedOptions", {"client": Sequence[str | float],
        "server": Sequence[str | float], "port": int, "neighbours": NeighbourEntries,
        "congestion": str, "sysctls": Mapping[str, str | float], "etc_hosts": bool,
        "offload": bool, "peer": str | Sequence[str]}, total=False)
FaultOptions = TypedDict("FaultOptions", {"name": str, "count": int, "skip": int, "nth": int,
        "every": int, "probability": float, "seed": int, "seq": int, "ack": int, "window": int,
        "length": int}, total=False)
DelayOptions = TypedDict("DelayOptions", {"by": float, "jitter": float, "name": str, "count": int,
        "skip": int, "nth": int, "every": int, "probability": float, "seed": int, "seq": int,
        "ack": int, "window": int, "length": int}, total=False)
LimitOptions = TypedDict("LimitOptions", {"rate": float, "queue": int, "name": str, "count": int,
        "skip": int, "nth": int, "every": int, "probability": float, "seed": int, "seq": int,
        "ack": int, "window": int, "length": int}, total=False)
DuplicateOptions = TypedDict("DuplicateOptions", {"copies": int, "after": float, "name": str,
        "count": int, "skip": int, "nth": int, "every": int, "probability": float, "seed": int,
        "seq": int, "ack": int, "window": int, "length": int}, total=False)
ReorderOptions = TypedDict("ReorderOptions", {"behind": int, "name": str, "count": int,
        "skip": int, "nth": int, "every": int, "probability": float, "seed": int, "seq": int,
        "ack": int, "window": int, "length": int}, total=False)
CorruptOptions = TypedDict("CorruptOptions", {"offset": int, "bits": int, "value": int,
        "checksum": ChecksumKind, "name": str, "count": int, "skip": int, "nth": int, "every": int,
        "probability": float, "seed": int, "seq": int, "ack": int, "window": int,
        "length": int}, total=False)
TruncateOptions = TypedDict("TruncateOptions", {"to": int, "checksum": ChecksumKind, "name": str,
        "count": int, "skip": int, "nth": int, "every": int, "probability": float, "seed": int,
        "seq": int, "ack": int, "window": int, "length": int}, total=False)
MtuOptions = TypedDict("MtuOptions", {"mtu": int, "name": str, "count": int, "skip": int,
                                      "nth": int, "every": int, "probability": float, "seed": int,
                                      "seq": int, "ack": int, "window": int,
                                      "length": int}, total=False)
ForgeOptions = TypedDict("ForgeOptions", {"to": Host, "from": Host | IpAddress, "source_port": int,
        "port": int, "flags": TcpFlags, "seq": int, "ack": int, "window": int, "data": str,
        "options": TcpOptions, "faults": bool}, total=False)
IcmpOptions = TypedDict("IcmpOptions", {"error": IcmpError, "about": Connection | Event,
        "from": Host | IpAddress, "to": Host, "mtu": int, "seq": int, "faults": bool}, total=False)
TcpOptions = TypedDict("TcpOptions", {"mss": int, "window_scale": int, "sack_permitted": bool,
                                      "sack": Sequence[Sequence[int]],
                                      "timestamps": Mapping[str, Any] | bool, "fast_open": str,
                                      "raw": str}, total=False)
SegmentOptions = TypedDict("SegmentOptions", {"faults": bool, "seq": int, "ack": int,
        "window": int, "urgent": int, "checksum": int, "fragment_size": int, "age": float,
        "absolute": bool, "options": TcpOptions}, total=False)
AnySegmentOptions = TypedDict("AnySegmentOptions", {"flags": TcpFlags, "data": str, "faults": bool,
        "seq": int, "ack": int, "window": int, "urgent": int, "checksum": int,
        "fragment_size": int, "age": float, "absolute": bool, "options": TcpOptions}, total=False)
PacketOptions = TypedDict("PacketOptions", {
        "fate": Literal["delivered", "lost", "held", "delayed", "forged"], "within": float,
        "since": KernelVersion, "seq": int, "ack": int, "window": int, "length": int}, total=False)
CheckOptions = TypedDict("CheckOptions", {"since": KernelVersion}, total=False)
TimeOptions = TypedDict("TimeOptions", {"tolerance": float, "since": KernelVersion}, total=False)
WhenOptions = TypedDict("WhenOptions", {"times": int, "bytes": int, "optional": bool}, total=False)
RunOptions = TypedDict("RunOptions", {"watch": bool, "as": str, "env": Mapping[str, str | float],
                                      "cwd": str, "name": str, "limits": Mapping[str, int],
                                      "tty": bool, "stack": str | Sequence[str],
                                      "abort_on": str | Sequence[str],
                                      "probes": str | Sequence[str],
                                      "inject": FirstInjection | Sequence[FirstInjection],
                                      "capabilities": Sequence[str],
                                      "user_namespaces": bool}, total=False)
CrashOptions = TypedDict("CrashOptions", {"boot_time": float}, total=False)
ReachOptions = TypedDict("ReachOptions", {"only": Literal["main"]}, total=False)
FileOptions = TypedDict("FileOptions", {"mode": str, "owner": str}, total=False)
DiskOptions = TypedDict("DiskOptions", {"from": str, "mode": str, "owner": str}, total=False)
ReadyWhen = TypedDict("ReadyWhen", {"port": int, "prints": str, "run": Mapping[str, Any],
                                    "within": float}, total=False)
InjectionOptions = TypedDict("InjectionOptions", {"on": Connection, "errno": ErrnoName,
        "bytes": int, "delay": float, "nth": int, "times": int, "state": TcpState,
        "after_bytes": int, "optional": bool}, total=False)
FirstInjection = TypedDict("FirstInjection", {"call": InjectedCall, "errno": ErrnoName,
        "bytes": int, "delay": float, "nth": int, "times": int, "state": TcpState,
        "after_bytes": int, "optional": bool}, total=False)
AuditNote = TypedDict("AuditNote", {"step": AuditStep, "failure": str, "failure_title": str,
                                    "moment": str, "moment_title": str, "side": str,
                                    "lasts": float, "limit": float, "client": str, "server": str,
                                    "program": str, "outcome": AuditOutcome, "text": str,
                                    "reaction": AuditReaction}, total=False)
PeerOpenOptions = TypedDict("PeerOpenOptions", {"source_port": int, "port": int,
        "iss": int}, total=False)
HandshakeOptions = TypedDict("HandshakeOptions", {"window": int, "options": TcpOptions,
        "within": float, "port": int, "iss": int}, total=False)
PeerConnectOptions = TypedDict("PeerConnectOptions", {"source_port": int, "window": int,
        "options": TcpOptions, "within": float, "port": int, "iss": int}, total=False)
SynOptions = TypedDict("SynOptions", {"within": float, "port": int, "iss": int}, total=False)
PeerSegmentOptions = TypedDict("PeerSegmentOptions", {"seq": int, "ack": int, "window": int,
        "urgent": int, "checksum": int, "fragment_size": int, "age": float, "absolute": bool,
        "options": TcpOptions}, total=False)
AnyPeerSegmentOptions = TypedDict("AnyPeerSegmentOptions", {"flags": TcpFlags, "data": str,
        "seq": int, "ack": int, "window": int, "urgent": int, "checksum": int,
        "fragment_size": int, "age": float, "absolute": bool, "options": TcpOptions}, total=False)
ExpectedSegment = TypedDict("ExpectedSegment", {"flags": TcpFlags, "data": str, "urgent": int,
        "options": ExpectedTcpOptions, "absolute": bool, "skip": bool, "within": float, "seq": int,
        "ack": int, "window": int, "length": int}, total=False)
ExpectedTcpOptions = TypedDict("ExpectedTcpOptions", {"mss": int, "window_scale": int,
        "sack_permitted": bool, "timestamps": bool,
        "sack": Sequence[Sequence[int]] | bool}, total=False)

class Condition(Object): ...

class Connection(Object):
    """A connection as it was seen on the wire. The segments that its verbs forge arrive at its
    host as if from its peer."""
    @property
    def snd_nxt(self) -> int:
        """the next sequence number that it will send"""
        ...
    @property
    def snd_una(self) -> int:
        """the oldest unacknowledged one"""
        ...
    @property
    def rcv_nxt(self) -> int:
        """the sequence number that it expects next"""
        ...
    @property
    def rcv_wnd(self) -> int:
        """its receive window from there"""
        ...
    @property
    def iss(self) -> int:
        """its initial sequence number, as in the header"""
        ...
    @property
    def irs(self) -> int:
        """its peer's, as in the header; 0 before the peer's SYN"""
        ...
    @property
    def state(self) -> TcpState:
        ...
    @property
    def timer(self) -> TcpTimer:
        """the timer that runs in its kernel; nil if none"""
        ...
    @property
    def timer_expires(self) -> float:
        """when it expires, in seconds since the run began; nil if none"""
        ...
    @property
    def send_queue(self) -> int:
        """bytes that the peer has not acknowledged"""
        ...
    @property
    def receive_queue(self) -> int:
        """bytes that the program has not read"""
        ...
    @property
    def retransmits(self) -> int:
        """how often the kernel has repeated the oldest segment, or a probe"""
        ...
    @property
    def rto(self) -> float:
        """the retransmission timeout, in seconds"""
        ...
    @property
    def srtt(self) -> float:
        """the smoothed round-trip time, in seconds"""
        ...
    @property
    def cwnd(self) -> int:
        """the congestion window, in segments"""
        ...
    @property
    def ssthresh(self) -> int:
        """the slow start threshold, in segments"""
        ...
    @property
    def local_port(self) -> int:
        ...
    @property
    def remote_port(self) -> int:
        ...
    def rst(self, table: SegmentOptions | None = ..., *, faults: bool = ..., seq: int = ...,
            ack: int = ..., window: int = ..., urgent: int = ..., checksum: int = ...,
            fragment_size: int = ..., age: float = ..., absolute: bool = ...,
            options: TcpOptions = ...) -> Connection:
        """Forges a RST, with ACK."""
        ...
    def syn(self, table: SegmentOptions | None = ..., *, faults: bool = ..., seq: int = ...,
            ack: int = ..., window: int = ..., urgent: int = ..., checksum: int = ...,
            fragment_size: int = ..., age: float = ..., absolute: bool = ...,
            options: TcpOptions = ...) -> Connection:
        """Forges a SYN."""
        ...
    def fin(self, table: SegmentOptions | None = ..., *, faults: bool = ..., seq: int = ...,
            ack: int = ..., window: int = ..., urgent: int = ..., checksum: int = ...,
            fragment_size: int = ..., age: float = ..., absolute: bool = ...,
            options: TcpOptions = ...) -> Connection:
        """Forges a FIN, with ACK."""
        ...
    def ack(self, table: SegmentOptions | None = ..., *, faults: bool = ..., seq: int = ...,
            ack: int = ..., window: int = ..., urgent: int = ..., checksum: int = ...,
            fragment_size: int = ..., age: float = ..., absolute: bool = ...,
            options: TcpOptions = ...) -> Connection:
        """Forges an acknowledgment without data."""
        ...
    def data(self, text: str, table: SegmentOptions | None = ..., *, faults: bool = ...,
             seq: int = ..., ack: int = ..., window: int = ..., urgent: int = ...,
             checksum: int = ..., fragment_size: int = ..., age: float = ..., absolute: bool = ...,
             options: TcpOptions = ...) -> Connection:
        """Forges data."""
        ...
    def segment(self, table: AnySegmentOptions | None = ..., *, flags: TcpFlags = ...,
                data: str = ..., faults: bool = ..., seq: int = ..., ack: int = ...,
                window: int = ..., urgent: int = ..., checksum: int = ...,
                fragment_size: int = ..., age: float = ..., absolute: bool = ...,
                options: TcpOptions = ...) -> Connection:
        """Forges a segment with any flags."""
        ...
    def in_state(self, state: TcpState) -> Condition:
        """Is met when a connection of the subject is in that state or enters it."""
        ...
    def kernel(self, what: KernelEvent, reason: str | None = ...) -> Condition:
        """Is met by an event from its host's kernel; needs = { "tracepoints" }."""
        ...

class Dns(Object):
    def set(self, name: str, to: Host | str | Sequence[Host | str] | None = ...) -> Dns:
        """Changes what a name resolves to; without an address, it exists no longer."""
        ...
    def slow(self, seconds: float, name: str | None = ...) -> Dns:
        """Lets it reply later."""
        ...
    def silent(self, name: str | None = ...) -> Dns:
        """Lets it reply nothing."""
        ...
    def fails(self, name: str | None = ...) -> Dns:
        """Lets it reply SERVFAIL."""
        ...
    def stale(self, name: str | None = ...) -> Dns:
        """Lets it keep its answers of now, whatever is set later."""
        ...
    def works(self) -> Dns:
        """Ends all its faults."""
        ...

class ExpectedCall(Object):
    def returns(self, result: int | None = ..., revents: str | None = ...) -> Event:
        """Expects that the call returns this result."""
        ...
    def reports(self, revents: str) -> Event:
        """Expects exactly these revents of the socket, from poll."""
        ...
    def fails(self, errno: ErrnoName) -> Event:
        """Expects that the call fails with this errno."""
        ...
    def gives(self, value: ErrnoName | str | int) -> Event:
        """Expects that getsockopt or ioctl stores this value."""
        ...
    def is_entered(self) -> Event:
        """Expects that the program is in that call."""
        ...

class Fault(Object):
    def remove(self) -> None:
        """Ends the fault; frames that it holds or delays are delivered."""
        ...
    def release(self) -> Fault:
        """Releases the frames that it holds now, and goes on holding later ones."""
        ...

class Host(Object):
    def run(self, program: str | Mapping[str, Any] | None = ...,
            *args: str | float | Host | RunOptions, watch: bool = ..., as_: str = ...,
            env: Mapping[str, str | float] = ..., cwd: str = ..., name: str = ...,
            limits: Mapping[str, int] = ..., tty: bool = ..., stack: str | Sequence[str] = ...,
            abort_on: str | Sequence[str] = ..., probes: str | Sequence[str] = ...,
            inject: FirstInjection | Sequence[FirstInjection] = ...,
            capabilities: Sequence[str] = ..., user_namespaces: bool = ...) -> Program:
        """Starts a program of this machine, and records its calls on TCP sockets. A host among
        the arguments stands for its name."""
        ...
    def dnc(self, argument: str | float | Host, *args: str | float | Host) -> Program:
        """Starts dnc, which records its calls. With "-l", waits until it listens."""
        ...
    def at_boot(self, program: str | Mapping[str, Any] | None = ...,
                *args: str | float | Host | RunOptions, watch: bool = ..., as_: str = ...,
                env: Mapping[str, str | float] = ..., cwd: str = ..., name: str = ...,
                limits: Mapping[str, int] = ..., tty: bool = ..., stack: str | Sequence[str] = ...,
                abort_on: str | Sequence[str] = ..., probes: str | Sequence[str] = ...,
                inject: FirstInjection | Sequence[FirstInjection] = ...,
                capabilities: Sequence[str] = ..., user_namespaces: bool = ...) -> Program:
        """Starts a program now, and again each time that the power comes back."""
        ...
    @overload
    def sysctl(self, name: str) -> str:
        """Reads a sysctl, or sets it, for later boots too."""
        ...
    @overload
    def sysctl(self, name: str, value: str | float) -> Host:
        """Reads a sysctl, or sets it, for later boots too."""
        ...
    def socket_options(self, options: Mapping[str, int]) -> Host:
        """Sets these options on each TCP socket that a program of the host makes or accepts from
        now on, whatever the program sets; an empty table ends this."""
        ...
    def name(self) -> str:
        """Returns the name of the host."""
        ...
    def address(self, nic: str | None = ...) -> str:
        """Returns the address of a NIC."""
        ...
    def own_port(self) -> tuple[int | None, bool | None]:
        """Returns the port on which the TCP stack of the host listens by itself, and whether it
        echoes what comes; nothing if it makes the calls of programs."""
        ...
    def power_off(self) -> Host:
        """Switches the host off: from now on it sends nothing to the wire."""
        ...
    def power_on(self) -> Host:
        """Switches the host on again; all connections are forgotten."""
        ...
    def power_cycle(self) -> Host:
        """Switches the host off, and on again at once."""
        ...
    def crash(self, options: CrashOptions | None = ..., *, boot_time: float = ...) -> Host:
        """Switches the host off, and on again after its boot time (0.5 s by default)."""
        ...
    def reboot(self) -> Host:
        """Sends SIGTERM to all programs, waits until they have ended, and power cycles the host."""
        ...
    def unplug(self, nic: str | None = ...) -> Host:
        """Pulls one cable, or all by default; programs and connections live on."""
        ...
    def plug(self, nic: str | None = ...) -> Host:
        """Plugs one cable in again, or all by default."""
        ...
    def nft(self, ruleset: str) -> Host:
        """Loads an nftables ruleset as `nft -f -` does, for later boots too."""
        ...
    def route(self, destination: Host | str, way: Host | str) -> Host:
        """Sets the route to a host, a network ("10.9.0.0/16") or "default"."""
        ...
    def mtu(self, nic: str, mtu: int) -> Host:
        """Sets the largest IP packet that the NIC sends."""
        ...
    def link(self, nic: str, state: Literal["down", "up"]) -> Host:
        """Takes a NIC down or up, as an administrator does. The kernel knows about it, unlike
        with unplug."""
        ...
    def add_address(self, address: str, nic: str | None = ...) -> Host:
        """Adds an address to a NIC."""
        ...
    def remove_address(self, address: str) -> Host:
        """Removes an address."""
        ...
    def in_state(self, state: TcpState) -> Condition:
        """Is met when a connection of the subject is in that state or enters it."""
        ...
    def timer(self, timer: TcpTimer) -> Condition:
        """Is met when this timer of a connection runs in the kernel."""
        ...
    def has_no_connection(self) -> Condition:
        """Is met when the host has no connection; listening sockets do not count."""
        ...
    def holds_no_connection_to(self, other: Host) -> Condition:
        """Is met when the host's programs have closed their connections to the other host. Its
        kernel may still send the FIN again, or wait in FIN_WAIT2."""
        ...
    def listens(self, port: int) -> Condition:
        """Is met when a socket on the host listens."""
        ...
    def kernel(self, what: KernelEvent, reason: str | None = ...) -> Condition:
        """Is met by an event from its host's kernel; needs = { "tracepoints" }."""
        ...
    def file(self, path: str, text: str, options: FileOptions | None = ..., *, mode: str = ...,
             owner: str = ...) -> Host:
        """Writes a file into a private folder of the host, and makes its folders."""
        ...
    def disk(self, path: str, options: DiskOptions | None = ..., *, from_: str = ...,
             mode: str = ..., owner: str = ...) -> Host:
        """Gives the host a folder that survives when it loses its power."""
        ...
    def service(self, *words: str | float | Host | Sequence[Any] | Mapping[str, Any],
                ready: ReadyWhen = ..., stop: SignalName = ..., watch: bool = ..., as_: str = ...,
                env: Mapping[str, str | float] = ..., cwd: str = ..., name: str = ...,
                limits: Mapping[str, int] = ..., tty: bool = ..., stack: str | Sequence[str] = ...,
                abort_on: str | Sequence[str] = ..., probes: str | Sequence[str] = ...,
                inject: FirstInjection | Sequence[FirstInjection] = ...,
                capabilities: Sequence[str] = ..., user_namespaces: bool = ...) -> Program:
        """Starts a program, and waits until it is ready."""
        ...

class Injection(Object):
    def remove(self) -> None:
        """Ends the injection; a call that it delays already stays delayed."""
        ...

class Lab(Object):
    def __init__(self, *, family: Literal[4, 6] = ..., timers: Literal["fast", "stock"] = ...,
                 kernel: str | None = ..., stacks: Mapping[str, str] | None = ...,
                 boot: str | None = ..., trust: bool = ..., needs: Sequence[str] = ...,
                 parameters: Mapping[str, object] | None = ...,
                 limits: Mapping[str, object] | None = ..., name: str | None = ...,
                 title: str | None = ...,
                 out: Path | None = ..., html: Path | None = ...,
                 program: Path | None = ...) -> None: ...
    def __enter__(self) -> Lab: ...
    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None: ...
    @property
    def folder(self) -> str: ...
    def close(self, check: bool = ...) -> dict[str, str]: ...
    def events(self, kind: str | None = ..., **members: Any) -> list[Event]: ...
    @property
    def millisecond(self) -> float:
        """0.001"""
        ...
    @property
    def second(self) -> float:
        """1"""
        ...
    @property
    def minute(self) -> float:
        """60"""
        ...
    @property
    def hour(self) -> float:
        """3600"""
        ...
    @property
    def family(self) -> Literal[4, 6]:
        ...
    @property
    def timers(self) -> Literal["fast", "stock"]:
        ...
    def wait(self, seconds: float) -> None:
        """Lets time pass."""
        ...
    def idle(self, seconds: float) -> None:
        """Lets an idle period pass; under fast timers, a thousandth of it."""
        ...
    def say(self, text: str) -> None:
        """Prints a line for the reader of the run."""
        ...
    def skip(self, reason: str) -> None:
        """Ends the run as skipped."""
        ...
    def parameter(self, name: str) -> str:
        """Returns the text that the run was given for this name, or nil: --set NAME=VALUE."""
        ...
    def since(self, version: KernelVersion) -> bool:
        """Returns whether the hosts' kernel is that version of Linux, or a newer one."""
        ...
    def now(self) -> float:
        """Returns the seconds since the run began."""
        ...
    def pair(self, options: HostOptions | None = ..., *, neighbours: NeighbourEntries = ...,
             congestion: str = ..., sysctls: Mapping[str, str | float] = ...,
             etc_hosts: bool = ..., offload: bool = ...,
             peer: str | Sequence[str] = ...) -> tuple[Host, Host]:
        """Starts two hosts on one wire."""
        ...
    def hosts(self, names: Sequence[str], options: HostOptions | None = ..., *,
              neighbours: NeighbourEntries = ..., congestion: str = ...,
              sysctls: Mapping[str, str | float] = ..., etc_hosts: bool = ..., offload: bool = ...,
              peer: str | Sequence[str] = ...) -> tuple[Host, ...]:
        """Starts a host for each name, all on one wire; once per run."""
        ...
    def network(self, options: NetworkOptions | None = ..., *,
                links: Mapping[str, LinkOptions] = ..., hosts: Mapping[str, Sequence[str]] = ...,
                neighbours: NeighbourEntries = ..., congestion: str = ...,
                sysctls: Mapping[str, str | float] = ..., etc_hosts: bool = ...,
                offload: bool = ..., peer: str | Sequence[str] = ...) -> Mapping[str, Host]:
        """Starts hosts on several links; a host on more than one link is a router. Once per run."""
        ...
    def connect(self, client_host: Host, server_host: Host, options: ConnectOptions | None = ...,
                *, client: Sequence[str | float] = ..., server: Sequence[str | float] = ...,
                port: int = ...) -> tuple[Program, Program]:
        """Starts a dnc that listens and one that connects to it, and waits until they are
        connected."""
        ...
    def connected(self, options: ConnectedOptions | None = ..., *,
                  client: Sequence[str | float] = ..., server: Sequence[str | float] = ...,
                  port: int = ..., neighbours: NeighbourEntries = ..., congestion: str = ...,
                  sysctls: Mapping[str, str | float] = ..., etc_hosts: bool = ...,
                  offload: bool = ...,
                  peer: str | Sequence[str] = ...) -> tuple[Program, Program, Host, Host]:
        """Starts two hosts on one wire, and connects a dnc on kang to one on kodos."""
        ...
    def timer(self, name: TimerName, whose: Host | Program, set: float | None = ...) -> float:
        """Returns how long the kernel takes, by its formula, the host's settings and the
        program's socket options."""
        ...
    def lose(self, direction: DirectionOrLink | None = ..., packet: PacketSelection | None = ...,
             options: FaultOptions | None = ..., *, name: str = ..., count: int = ...,
             skip: int = ..., nth: int = ..., every: int = ..., probability: float = ...,
             seed: int = ..., seq: int = ..., ack: int = ..., window: int = ...,
             length: int = ...) -> Fault:
        """Drops frames."""
        ...
    def cut(self, direction: DirectionOrLink | None = ..., packet: PacketSelection | None = ...,
            options: FaultOptions | None = ..., *, name: str = ..., count: int = ...,
            skip: int = ..., nth: int = ..., every: int = ..., probability: float = ...,
            seed: int = ..., seq: int = ..., ack: int = ..., window: int = ...,
            length: int = ...) -> Fault:
        """Cuts the wire: no matching frame passes."""
        ...
    def hold(self, direction: DirectionOrLink | None = ..., packet: PacketSelection | None = ...,
             options: FaultOptions | None = ..., *, name: str = ..., count: int = ...,
             skip: int = ..., nth: int = ..., every: int = ..., probability: float = ...,
             seed: int = ..., seq: int = ..., ack: int = ..., window: int = ...,
             length: int = ...) -> Fault:
        """Holds frames on the wire until they are released."""
        ...
    def delay(self, direction: DirectionOrLink | None = ..., packet: PacketSelection | None = ...,
              options: DelayOptions | None = ..., *, by: float = ..., jitter: float = ...,
              name: str = ..., count: int = ..., skip: int = ..., nth: int = ..., every: int = ...,
              probability: float = ..., seed: int = ..., seq: int = ..., ack: int = ...,
              window: int = ..., length: int = ...) -> Fault:
        """Delivers frames later."""
        ...
    def limit(self, direction: DirectionOrLink | None = ..., packet: PacketSelection | None = ...,
              options: LimitOptions | None = ..., *, rate: float = ..., queue: int = ...,
              name: str = ..., count: int = ..., skip: int = ..., nth: int = ..., every: int = ...,
              probability: float = ..., seed: int = ..., seq: int = ..., ack: int = ...,
              window: int = ..., length: int = ...) -> Fault:
        """Limits the rate of a link."""
        ...
    def duplicate(self, direction: DirectionOrLink | None = ...,
                  packet: PacketSelection | None = ..., options: DuplicateOptions | None = ..., *,
                  copies: int = ..., after: float = ..., name: str = ..., count: int = ...,
                  skip: int = ..., nth: int = ..., every: int = ..., probability: float = ...,
                  seed: int = ..., seq: int = ..., ack: int = ..., window: int = ...,
                  length: int = ...) -> Fault:
        """Sends copies after each frame."""
        ...
    def reorder(self, direction: DirectionOrLink | None = ...,
                packet: PacketSelection | None = ..., options: ReorderOptions | None = ..., *,
                behind: int = ..., name: str = ..., count: int = ..., skip: int = ...,
                nth: int = ..., every: int = ..., probability: float = ..., seed: int = ...,
                seq: int = ..., ack: int = ..., window: int = ..., length: int = ...) -> Fault:
        """Delivers a frame after later ones."""
        ...
    def corrupt(self, direction: DirectionOrLink | None = ...,
                packet: PacketSelection | None = ..., options: CorruptOptions | None = ..., *,
                offset: int = ..., bits: int = ..., value: int = ..., checksum: ChecksumKind = ...,
                name: str = ..., count: int = ..., skip: int = ..., nth: int = ...,
                every: int = ..., probability: float = ..., seed: int = ..., seq: int = ...,
                ack: int = ..., window: int = ..., length: int = ...) -> Fault:
        """Changes one byte."""
        ...
    def truncate(self, direction: DirectionOrLink | None = ...,
                 packet: PacketSelection | None = ..., options: TruncateOptions | None = ..., *,
                 to: int = ..., checksum: ChecksumKind = ..., name: str = ..., count: int = ...,
                 skip: int = ..., nth: int = ..., every: int = ..., probability: float = ...,
                 seed: int = ..., seq: int = ..., ack: int = ..., window: int = ...,
                 length: int = ...) -> Fault:
        """Cuts off the end of IP packets."""
        ...
    def mtu(self, direction: DirectionOrLink | None = ..., packet: PacketSelection | None = ...,
            options: MtuOptions | None = ..., *, mtu: int = ..., name: str = ..., count: int = ...,
            skip: int = ..., nth: int = ..., every: int = ..., probability: float = ...,
            seed: int = ..., seq: int = ..., ack: int = ..., window: int = ...,
            length: int = ...) -> Fault:
        """Drops longer IP packets, without an ICMP error."""
        ...
    def remove(self, name: str) -> None:
        """Ends the fault with this name."""
        ...
    def forge(self, table: ForgeOptions | None = ..., *, to: Host = ...,
              from_: Host | IpAddress = ..., source_port: int = ..., port: int = ...,
              flags: TcpFlags = ..., seq: int = ..., ack: int = ..., window: int = ...,
              data: str = ..., options: TcpOptions = ..., faults: bool = ...) -> None:
        """Forges a segment of no connection, and sends it to a host."""
        ...
    def icmp(self, options: IcmpOptions | None = ..., *, error: IcmpError = ...,
             about: Connection | Event = ..., from_: Host | IpAddress = ..., to: Host = ...,
             mtu: int = ..., seq: int = ..., faults: bool = ...) -> None:
        """Forges an ICMP error, and sends it to a host."""
        ...
    def connection(self, whose: Program | Host) -> Connection:
        """Returns a connection as it was seen on the wire: the one of that program or host that
        began last. Waits up to 5 s for the first."""
        ...
    def expect(self, whom: Host | Program | Connection) -> Subject:
        """Waits for the event that the next verb names. Begins where the last expectation about
        the same subject ended."""
        ...
    def never(self, whom: Host | Program | Connection, seconds: float) -> Subject:
        """Expects that the event that the next verb names does not happen in the next `seconds`."""
        ...
    def await_(self, whom: Host | Program | Connection, seconds: float | None = ...) -> Subject:
        """Waits for the event that the next verb names. The verb returns nil if it does not
        come."""
        ...
    def expect_packet(self, direction: Direction, packet: PacketSelection | None = ...,
                      options: PacketOptions | None = ..., *,
                      fate: Literal["delivered", "lost", "held", "delayed", "forged"] = ...,
                      within: float = ..., since: KernelVersion = ..., seq: int = ...,
                      ack: int = ..., window: int = ..., length: int = ...) -> Event:
        """Waits for a frame."""
        ...
    def packet(self, direction: Direction, packet: PacketSelection | None = ...,
               options: PacketOptions | None = ..., *,
               fate: Literal["delivered", "lost", "held", "delayed", "forged"] = ...,
               within: float = ..., since: KernelVersion = ..., seq: int = ..., ack: int = ...,
               window: int = ..., length: int = ...) -> Condition:
        """Makes a condition that such a frame meets."""
        ...
    def never_packet(self, seconds: float, direction: Direction,
                     packet: PacketSelection | None = ..., options: PacketOptions | None = ..., *,
                     fate: Literal["delivered", "lost", "held", "delayed", "forged"] = ...,
                     within: float = ..., since: KernelVersion = ..., seq: int = ...,
                     ack: int = ..., window: int = ..., length: int = ...) -> None:
        """Expects that no such frame comes, from now on for that long."""
        ...
    def check(self, condition: Any, claim: str, seen: Any | None = ...,
              options: CheckOptions | None = ..., *, since: KernelVersion = ...) -> Any:
        """Expects that the condition is true: a claim about values. Returns the condition."""
        ...
    def require(self, condition: Any, claim: str, seen: Any | None = ...) -> Any:
        """Judges the requirement that the scenario tests. Returns the condition."""
        ...
    def does_not_arise(self, reason: str) -> None:
        """Ends the run: the stack never does what the requirement is about."""
        ...
    def expect_time(self, measured: float, expected: float, what: str | None = ...,
                    options: TimeOptions | None = ..., *, tolerance: float = ...,
                    since: KernelVersion = ...) -> None:
        """Compares a time with the expected one, with the tolerance of the kernel's timers."""
        ...
    def expect_between(self, measured: float, earliest: float, latest: float,
                       what: str | None = ..., options: TimeOptions | None = ..., *,
                       tolerance: float = ..., since: KernelVersion = ...) -> None:
        """Checks a time that the kernel chooses within limits, with the same tolerance."""
        ...
    def first(self, *words: Condition | Sequence[Any] | Mapping[str, Any], within: float = ...,
              **names: Any) -> tuple[Any, Event]:
        """Waits until one of several conditions is met. Returns its key and the event, or nil
        when time is up."""
        ...
    def when(self, condition: Condition, action: Action, options: WhenOptions | None = ..., *,
             times: int = ..., bytes: int = ..., optional: bool = ...) -> Condition:
        """Runs a function when a condition is met. The function may not wait. Returns a
        condition, which is met when the function has run as often as `times` says."""
        ...
    def dns(self, options: Mapping[str, Any] | None = ..., *, on: Host = ..., ttl: int = ...,
            **names: Any) -> Dns:
        """Starts a resolver on a host, and lets all hosts ask it."""
        ...
    def audit(self, note: AuditNote | None = ..., *, step: AuditStep = ..., failure: str = ...,
              failure_title: str = ..., moment: str = ..., moment_title: str = ...,
              side: str = ..., lasts: float = ..., limit: float = ..., client: str = ...,
              server: str = ..., program: str = ..., outcome: AuditOutcome = ..., text: str = ...,
              reaction: AuditReaction = ...) -> None:
        """Marks a step of an audit on the timeline."""
        ...
    def peer(self, host: Host) -> Peer:
        """Returns the scripted end of a host that has no kernel (option `peer` of lab:pair)."""
        ...

class Peer(Object):
    """A host without a kernel: the script is its end of every connection."""
    def connect(self, host: Host, table: PeerConnectOptions | None = ..., *,
                source_port: int = ..., window: int = ..., options: TcpOptions = ...,
                within: float = ..., port: int = ..., iss: int = ...) -> PeerConnection:
        """Opens a connection with a handshake: sends a SYN, expects the SYN-ACK, acknowledges
        it."""
        ...
    def accept(self, table: HandshakeOptions | None = ..., *, window: int = ...,
               options: TcpOptions = ..., within: float = ..., port: int = ...,
               iss: int = ...) -> PeerConnection:
        """Takes a connection with a handshake: expects a SYN, sends a SYN-ACK, expects the ACK."""
        ...
    def open(self, host: Host, options: PeerOpenOptions | None = ..., *, source_port: int = ...,
             port: int = ..., iss: int = ...) -> PeerConnection:
        """Begins a connection to a host, and sends nothing yet."""
        ...
    def expect_syn(self, options: SynOptions | None = ..., *, within: float = ..., port: int = ...,
                   iss: int = ...) -> PeerConnection:
        """Waits for a SYN to a port, and answers nothing yet."""
        ...

class PeerConnection(Object):
    """A connection of a peer: the script sends its segments."""
    @property
    def snd_nxt(self) -> int:
        """the number of its next segment"""
        ...
    @property
    def rcv_nxt(self) -> int:
        """what its next segment acknowledges"""
        ...
    @property
    def iss(self) -> int:
        """its initial sequence number, as in the header"""
        ...
    @property
    def irs(self) -> int:
        """the host's, as in the header; 0 before the host's SYN"""
        ...
    @property
    def state(self) -> TcpState:
        """concluded from its frames"""
        ...
    @property
    def local_port(self) -> int:
        ...
    @property
    def remote_port(self) -> int:
        ...
    def syn(self, table: PeerSegmentOptions | None = ..., *, seq: int = ..., ack: int = ...,
            window: int = ..., urgent: int = ..., checksum: int = ..., fragment_size: int = ...,
            age: float = ..., absolute: bool = ..., options: TcpOptions = ...) -> PeerConnection:
        """Sends a SYN."""
        ...
    def fin(self, table: PeerSegmentOptions | None = ..., *, seq: int = ..., ack: int = ...,
            window: int = ..., urgent: int = ..., checksum: int = ..., fragment_size: int = ...,
            age: float = ..., absolute: bool = ..., options: TcpOptions = ...) -> PeerConnection:
        """Sends a FIN, with ACK."""
        ...
    def rst(self, table: PeerSegmentOptions | None = ..., *, seq: int = ..., ack: int = ...,
            window: int = ..., urgent: int = ..., checksum: int = ..., fragment_size: int = ...,
            age: float = ..., absolute: bool = ..., options: TcpOptions = ...) -> PeerConnection:
        """Sends a RST, with ACK."""
        ...
    def ack(self, table: PeerSegmentOptions | None = ..., *, seq: int = ..., ack: int = ...,
            window: int = ..., urgent: int = ..., checksum: int = ..., fragment_size: int = ...,
            age: float = ..., absolute: bool = ..., options: TcpOptions = ...) -> PeerConnection:
        """Sends an acknowledgment without data."""
        ...
    def data(self, text: str, table: PeerSegmentOptions | None = ..., *, seq: int = ...,
             ack: int = ..., window: int = ..., urgent: int = ..., checksum: int = ...,
             fragment_size: int = ..., age: float = ..., absolute: bool = ...,
             options: TcpOptions = ...) -> PeerConnection:
        """Sends data."""
        ...
    def segment(self, table: AnyPeerSegmentOptions | None = ..., *, flags: TcpFlags = ...,
                data: str = ..., seq: int = ..., ack: int = ..., window: int = ...,
                urgent: int = ..., checksum: int = ..., fragment_size: int = ..., age: float = ...,
                absolute: bool = ..., options: TcpOptions = ...) -> PeerConnection:
        """Sends a segment with any flags."""
        ...
    def expect(self, segment: ExpectedSegment | None = ..., *, flags: TcpFlags = ...,
               data: str = ..., urgent: int = ..., options: ExpectedTcpOptions = ...,
               absolute: bool = ..., skip: bool = ..., within: float = ..., seq: int = ...,
               ack: int = ..., window: int = ..., length: int = ...) -> Event:
        """Waits for the next segment of the host. Fails if another one comes."""
        ...
    def expect_nothing(self, seconds: float) -> None:
        """Expects that the host sends nothing for that long."""
        ...
    def acknowledges(self, by_itself: bool) -> PeerConnection:
        """Makes the peer acknowledge by itself what the host sends; false: it is silent."""
        ...

class Program(Object):
    def on(self, connection: Connection) -> Subject:
        """Limits the next verb to the calls on one connection."""
        ...
    def type(self, text: str) -> Program:
        """Writes text to its standard input."""
        ...
    def close_stdin(self) -> Program:
        """Ends its standard input, as Ctrl-D does."""
        ...
    def stop(self, signal: SignalName | None = ..., options: ReachOptions | None = ..., *,
             only: Literal["main"] = ...) -> Program:
        """Asks it and all its processes to end, with a signal."""
        ...
    def signal(self, signal: SignalName) -> Program:
        """Sends its main process a signal that is not meant to end it."""
        ...
    def kill(self, options: ReachOptions | None = ..., *, only: Literal["main"] = ...) -> Program:
        """Sends SIGKILL to all its processes, unless they have ended; its kernel lives on."""
        ...
    def output(self, stream: Literal["stdout", "stderr"] | None = ...) -> str:
        """Returns all that it has written so far."""
        ...
    def freeze(self, options: ReachOptions | None = ..., *,
               only: Literal["main"] = ...) -> Program:
        """Stops all its processes (SIGSTOP): the program does not run, but its kernel does."""
        ...
    def thaw(self, options: ReachOptions | None = ..., *, only: Literal["main"] = ...) -> Program:
        """Lets all its processes run again (SIGCONT)."""
        ...
    def in_state(self, state: TcpState) -> Condition:
        """Is met when a connection of the subject is in that state or enters it."""
        ...
    def timer(self, timer: TcpTimer) -> Condition:
        """Is met when this timer of a connection runs in the kernel."""
        ...
    def call(self, name: CallName, *args: str | float) -> ExpectedCall:
        """Names a system call of a program; the next verb says what it must return."""
        ...
    def wakes(self, events: str) -> Event:
        """Expects that poll, select or epoll_wait reports at least these events of one socket."""
        ...
    def times_out(self) -> Event:
        """Expects that its poll, select or epoll_wait times out: the program's own timer."""
        ...
    def notices(self) -> Event:
        """Expects that a call fails, the stream ends, its own timer fires, or it ends: the
        first."""
        ...
    def exits(self, status: int | None = ...) -> Condition:
        """Is met when it exits."""
        ...
    def ends(self) -> Condition:
        """Is met when it exits or a signal ends it."""
        ...
    def killed_by(self, signal: SignalName) -> Condition:
        """Is met when a signal ends it."""
        ...
    def prints(self, text: str) -> Condition:
        """Is met when its output has the text, after what the last such verb matched."""
        ...
    def sleeps(self) -> Condition:
        """Is met when it waits in a system call, which a signal would interrupt."""
        ...
    def has_no_process(self) -> Condition:
        """Is met when none of its processes runs: neither the main one, nor what it started."""
        ...
    def kernel(self, what: KernelEvent, reason: str | None = ...) -> Condition:
        """Is met by an event from its host's kernel; needs = { "tracepoints" }."""
        ...
    def restart(self) -> Program:
        """Stops a service, starts it again, and waits until it is ready."""
        ...
    def inject(self, call: InjectedCall, options: InjectionOptions | None = ..., *,
               on: Connection = ..., errno: ErrnoName = ..., bytes: int = ..., delay: float = ...,
               nth: int = ..., times: int = ..., state: TcpState = ..., after_bytes: int = ...,
               optional: bool = ...) -> Injection:
        """Changes a system call: an errno, fewer bytes or a delay."""
        ...

class Subject(Object):
    def on(self, connection: Connection) -> Subject:
        """Limits the next verb to the calls on one connection."""
        ...
    def within(self, seconds: float) -> Subject:
        """Sets how long the next verb waits; 5 s by default."""
        ...
    def since(self, version: KernelVersion) -> Subject:
        """Leaves the next verb unchecked if the hosts' kernel is older."""
        ...
    def in_state(self, state: TcpState) -> Event:
        """Is met when a connection of the subject is in that state or enters it."""
        ...
    def timer(self, timer: TcpTimer) -> None:
        """Is met when this timer of a connection runs in the kernel."""
        ...
    def has_no_connection(self) -> None:
        """Is met when the host has no connection; listening sockets do not count."""
        ...
    def holds_no_connection_to(self, other: Host) -> None:
        """Is met when the host's programs have closed their connections to the other host. Its
        kernel may still send the FIN again, or wait in FIN_WAIT2."""
        ...
    def listens(self, port: int) -> None:
        """Is met when a socket on the host listens."""
        ...
    def still_in_state(self, state: TcpState) -> None:
        """Expects that it is in that state now, with no change since the last expectation about
        its state."""
        ...
    def call(self, name: CallName, *args: str | float) -> ExpectedCall:
        """Names a system call of a program; the next verb says what it must return."""
        ...
    def wakes(self, events: str) -> Event:
        """Expects that poll, select or epoll_wait reports at least these events of one socket."""
        ...
    def times_out(self) -> Event:
        """Expects that its poll, select or epoll_wait times out: the program's own timer."""
        ...
    def notices(self) -> Event:
        """Expects that a call fails, the stream ends, its own timer fires, or it ends: the
        first."""
        ...
    def exits(self, status: int | None = ...) -> Event:
        """Is met when it exits."""
        ...
    def ends(self) -> Event:
        """Is met when it exits or a signal ends it."""
        ...
    def killed_by(self, signal: SignalName) -> Event:
        """Is met when a signal ends it."""
        ...
    def prints(self, text: str) -> Event:
        """Is met when its output has the text, after what the last such verb matched."""
        ...
    def sleeps(self) -> None:
        """Is met when it waits in a system call, which a signal would interrupt."""
        ...
    def has_no_process(self) -> None:
        """Is met when none of its processes runs: neither the main one, nor what it started."""
        ...
    def still_runs(self) -> None:
        """Expects that it has not ended."""
        ...
    def kernel(self, what: KernelEvent, reason: str | None = ...) -> Event:
        """Is met by an event from its host's kernel; needs = { "tracepoints" }."""
        ...
