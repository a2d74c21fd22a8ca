"""The events of a run as dataclasses. docs/events.md describes them.

Times are in seconds since the run began, durations in seconds. A member that an event does not
have is None. Made by tools/python-stubs; do not edit.
"""
from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Mapping


@dataclass(frozen=True)
class Event:
    """Something that was observed."""
    kind: ClassVar[str] = ""
    n: int = 0  # its number; 0 if it has none yet
    t: float = 0.0
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __getitem__(self, name: str) -> Any:
        """Returns a member by its name in JSON, in the unit that tcplab gave."""
        return self.raw[name]

    def get(self, name: str) -> Any:
        return getattr(self, python_name(name), self.raw.get(name))

    def as_argument(self) -> Any:
        return dict(self.raw)


@dataclass(frozen=True)
class RunEvent(Event):
    kind: ClassVar[str] = "run"
    format: str | None = None
    version: int | None = None
    scenario: str | None = None
    title: str | None = None
    asks: str | None = None
    article: str | None = None
    here: str | None = None
    why: str | None = None
    source: str | None = None
    file: str | None = None
    tags: list[str] | None = None
    family: str | None = None
    timers: str | None = None
    kernel: str | None = None
    stacks: list[str] | None = None
    machine: list[str] | None = None
    wall_offset: float | None = None
    script: str | None = None
    quiz: dict[str, Any] | None = None


@dataclass(frozen=True)
class HostEvent(Event):
    kind: ClassVar[str] = "host"
    host: str | None = None
    incarnation: int | None = None
    interfaces: list[dict[str, Any]] | None = None
    peer: bool | None = None


@dataclass(frozen=True)
class ProgramEvent(Event):
    kind: ClassVar[str] = "program"
    host: str | None = None
    program: str | None = None
    pid: int | None = None
    change: str | None = None
    command: str | None = None
    code: int | None = None
    stream: str | None = None
    text: str | None = None


@dataclass(frozen=True)
class CallEvent(Event):
    kind: ClassVar[str] = "call"
    host: str | None = None
    program: str | None = None
    pid: int | None = None
    tid: int | None = None
    id: int | None = None
    phase: str | None = None
    call: str | None = None
    fd: int | None = None
    source_fd: int | None = None
    args: str | None = None
    entered: float | None = None
    result: int | None = None
    errno: str | None = None
    value: Any | None = None
    revents: str | None = None
    stdin_revents: str | None = None
    ready: list[dict[str, Any]] | None = None
    data: str | None = None
    local: str | None = None
    remote: str | None = None
    stack: list[str] | None = None
    injected: bool | None = None
    injected_delay: float | None = None
    by_lab: bool | None = None


@dataclass(frozen=True)
class ProbeEvent(Event):
    kind: ClassVar[str] = "probe"
    host: str | None = None
    program: str | None = None
    pid: int | None = None
    tid: int | None = None
    provider: str | None = None
    name: str | None = None
    args: list[dict[str, Any]] | None = None


@dataclass(frozen=True)
class StateEvent(Event):
    kind: ClassVar[str] = "state"
    host: str | None = None
    local: str | None = None
    remote: str | None = None
    from_: str | None = None
    to: str | None = None
    cause: str | None = None
    frame: int | None = None
    socket: dict[str, Any] | None = None
    concluded: bool | None = None


@dataclass(frozen=True)
class PacketEvent(Event):
    kind: ClassVar[str] = "packet"
    frame: int | None = None
    from_: str | None = None
    to: str | None = None
    sent: float | None = None
    delivered: float | None = None
    fate: str | None = None
    effects: list[dict[str, Any]] | None = None
    protocol: str | None = None
    source: str | None = None
    destination: str | None = None
    flags: str | None = None
    seq: int | None = None
    ack: int | None = None
    window: int | None = None
    window_scale: int | None = None
    sack: list[dict[str, Any]] | None = None
    tsval: int | None = None
    tsecr: int | None = None
    fast_open: str | None = None
    length: int | None = None
    segments: int | None = None
    summary: str | None = None


@dataclass(frozen=True)
class SendingEvent(Event):
    kind: ClassVar[str] = "sending"
    host: str | None = None
    local: str | None = None
    remote: str | None = None
    frame: int | None = None
    cwnd: int | None = None
    ssthresh: int | None = None
    window: int | None = None
    mss: int | None = None
    unacked: int | None = None
    lost: int | None = None
    srtt: float | None = None
    rto: float | None = None


@dataclass(frozen=True)
class FloodEvent(Event):
    kind: ClassVar[str] = "flood"
    from_: str | None = None
    to: str | None = None
    frames: int | None = None
    bytes: int | None = None
    span: float | None = None


@dataclass(frozen=True)
class ActionEvent(Event):
    kind: ClassVar[str] = "action"
    host: str | None = None
    verb: str | None = None
    program: str | None = None
    signal: int | None = None
    text: str | None = None
    name: str | None = None
    value: str | None = None
    nic: str | None = None
    address: str | None = None
    gateway: str | None = None
    from_: str | None = None
    span: float | None = None
    story_span: float | None = None
    fault: dict[str, Any] | None = None
    injection: dict[str, Any] | None = None
    line: int | None = None


@dataclass(frozen=True)
class VerdictEvent(Event):
    kind: ClassVar[str] = "verdict"
    passed: bool | None = None
    expected: str | None = None
    seen: str | None = None
    nearest: str | None = None
    host: str | None = None
    script: str | None = None
    line: int | None = None
    code: str | None = None
    last_lines: list[dict[str, Any]] | None = None
    judges_requirement: bool | None = None


@dataclass(frozen=True)
class NoteEvent(Event):
    kind: ClassVar[str] = "note"
    text: str | None = None


@dataclass(frozen=True)
class KernelEvent(Event):
    kind: ClassVar[str] = "kernel"
    host: str | None = None
    what: str | None = None
    local: str | None = None
    remote: str | None = None
    reason: str | None = None
    errno: str | None = None
    state: str | None = None
    frame: int | None = None


@dataclass(frozen=True)
class AuditEvent(Event):
    kind: ClassVar[str] = "audit"
    step: str | None = None
    failure: str | None = None
    failure_title: str | None = None
    moment: str | None = None
    moment_title: str | None = None
    side: str | None = None
    lasts: float | None = None
    limit: float | None = None
    client: str | None = None
    server: str | None = None
    program: str | None = None
    outcome: str | None = None
    text: str | None = None
    reaction: str | None = None


@dataclass(frozen=True)
class UncheckedEvent(Event):
    kind: ClassVar[str] = "unchecked"
    since: str | None = None
    expected: str | None = None
    host: str | None = None
    script: str | None = None
    line: int | None = None
    code: str | None = None


@dataclass(frozen=True)
class EndEvent(Event):
    kind: ClassVar[str] = "end"
    outcome: str | None = None
    reason: str | None = None
    duration: float | None = None
    last_lines: list[dict[str, Any]] | None = None
    requirement_does_not_arise: bool | None = None


KINDS = {each.kind: each for each in Event.__subclasses__()}
NANO = 1e-9
# Members that verbs give in seconds already.
SECONDS = {"t", "entered", "sent", "delivered", "injected_delay"}
TIMES = {"delivered", "entered", "sent", "t"}
DURATIONS = {"duration", "injected_delay", "lasts", "limit", "rto", "span", "srtt", "story_span",
             "wall_offset"}


def python_name(name: str) -> str:
    return name + "_" if name in {"from"} else name


def event_of(said: Mapping[str, Any], start: int | None = None) -> Event:
    """Returns an event of a file, if the run began at `start`; else one that a verb has given."""
    kind = KINDS.get(said["kind"], Event)
    values = {}
    for name, value in said.items():
        if start is not None and name in TIMES:
            value = (value - start) * NANO
        elif name in DURATIONS and isinstance(value, int) and (start is not None
                                                               or name not in SECONDS):
            value *= NANO
        values[python_name(name)] = value
    values = {each.name: values[each.name] for each in fields(kind) if each.name in values}
    return kind(**values, raw=said)
