"""The lab and its objects: hosts, programs, connections, expectations.

Their verbs and fields are those of tcplab's scripting interface, which tells them when the first
lab starts. objects.pyi, made by tools/python-stubs, has them for editors and type checkers.
"""
import contextlib
import difflib
import itertools
import json
import os
import shutil
import tempfile
import weakref

from tcplab.calls import Interface, encoded, lua_name
from tcplab.errors import LabBroken, TcplabError, UsageError, error_of
from tcplab.events import Event, event_of
from tcplab.session import Session

_interfaces = {}  # what a tcplab has told, by its path


class Verb:
    """A verb of an object. Call it; or give it to lab.when, which calls it later."""

    def __init__(self, owner, spec):
        self._owner, self._spec = owner, spec
        self.__doc__ = spec.doc
        self.__name__ = spec.name

    def __call__(self, *args, **options):
        __tracebackhide__ = True  # pytest shows the line of the test
        return self._owner._lab._call(self._owner, self._spec, args, options)

    def __repr__(self):
        return f"<verb {self._spec} of {self._owner!r}>"

    def as_call(self, args, options):
        return {"on": self._owner.as_argument(), "verb": self._spec.name,
                "args": [encoded(value) for value in self._spec.arguments(args, options)]}


class Object:
    """An object of a lab. Its attributes are its verbs and fields."""

    def __init__(self, lab, handle):
        self._lab, self._handle = lab, handle

    def as_argument(self):
        return self._handle

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        kind, said = self._class(), lua_name(name)
        if said in kind.verbs:
            return Verb(self, kind.verbs[said])
        if said in kind.fields:
            return self._lab._field(self, said)
        raise AttributeError(f"a {kind.name.replace('_', ' ')} has no verb or field {said!r}" +
                             nearest(said, [*kind.verbs, *kind.fields]))

    def __dir__(self):
        kind = self._class()
        return [*super().__dir__(), *kind.verbs, *kind.fields]

    def __repr__(self):
        return f"<{self._handle['text']}>"

    def __del__(self):
        lab = self.__dict__.get("_lab")
        if lab is not None and lab is not self:
            lab._released.append(self._handle["handle"])

    def _class(self):
        return self._lab._interface.classes[self._handle["type"]]


def _subclass(name):
    return type(name, (Object,), {"__module__": __name__, "__doc__": f"A {name} of a lab."})


Condition = _subclass("Condition")
Connection = _subclass("Connection")
Dns = _subclass("Dns")
ExpectedCall = _subclass("ExpectedCall")
Fault = _subclass("Fault")
Host = _subclass("Host")
Injection = _subclass("Injection")
Peer = _subclass("Peer")
PeerConnection = _subclass("PeerConnection")
Program = _subclass("Program")
Subject = _subclass("Subject")


def nearest(said, names):
    """Returns "; did you mean call?"; nothing if no name is like that."""
    near = difflib.get_close_matches(said, names, 3)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def class_name(kind):
    """Returns the Python name of a class of the scripting interface: expected_call."""
    return "".join(part.capitalize() for part in kind.split("_"))


class Lab(Object):
    """A laboratory: hosts, a wire between them, programs. It is one run of tcplab.

    family: 4 or 6. timers: "fast" or "stock". kernel: "6.1", for kernel hosts. stacks: TCP stacks
    of hosts, {"kodos": "lwip"}; boot: how long one may take to be ready, "3m". trust: programs are
    not contained. needs: skip the run if one is not met. parameters: values for lab.parameter.
    limits: {"events": 1000}. name and title: of the run in reports. out: the folder of the run;
    without it, the files are deleted when the lab is closed. html: the folder for a page. program:
    tcplab.
    """

    def __init__(self, *, family=4, timers="fast", kernel=None, stacks=None, boot=None,
                 trust=False, needs=(), parameters=None, limits=None, name=None, title=None,
                 out=None, html=None, program=None):
        self._temporary = tempfile.mkdtemp(prefix="tcplab-") if out is None else None
        self._released, self._objects = [], weakref.WeakValueDictionary()
        self._events, self._has_all = [], False
        self._has_raised, self._end = False, None
        options = ["--out", str(out or self._temporary), "--family", str(family),
                   "--timers", timers]
        given = [("--kernel", kernel), ("--boot", boot), ("--name", name), ("--title", title),
                 ("--html", html)]
        options += [word for name, value in given if value for word in (name, str(value))]
        options += ["--trust"] if trust else []
        needs = [needs] if isinstance(needs, str) else needs
        lists = [("--stack", pairs(stacks)), ("--need", needs), ("--set", pairs(parameters)),
                 ("--limit", pairs(limits))]
        options += [word for name, values in lists for value in values for word in (name, value)]
        try:
            self._session = Session(options, program)
        except BaseException:
            self._remove_files()
            raise
        super().__init__(self, {"handle": 0, "type": "lab", "text": "lab",
                                "session": self._session.hello["session"]})
        try:
            self._interface = self._ask_interface()
            self.events()
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.close(check=error is None)

    @property
    def folder(self):
        """The folder of the run: its events, capture and transcript."""
        return self._session.hello["folder"]

    def close(self, check=False):
        """Ends the run. Returns how: a dictionary with outcome, reason, folder and page. With
        `check`, raises an error if the run did not pass, and no verb has said so."""
        with self._session.lock:
            if self._end is not None:
                return self._end
            self._end = self._session.close()
            if self._temporary is not None and not self._session.is_inherited:
                with contextlib.suppress(LabBroken):  # events() says so
                    self._read_rest()
                self._remove_files()
        if check and not self._has_raised and self._end["outcome"] != "passed":
            raise error_of({"kind": self._end["outcome"], "message": self._end["reason"]})
        return self._end

    def events(self, kind=None, **members):
        """Returns the events so far, also after the run has ended, as dataclasses (tcplab.events).
        `kind` and `members` select: lab.events("call", errno="ECONNRESET")."""
        __tracebackhide__ = True
        self._require_event(kind, map(lua_name, members))
        with self._session.lock:
            try:
                if not self._session.has_ended:
                    self._fetch_events()
            except TcplabError:
                if not self._session.has_ended:
                    raise
            if self._session.has_ended:
                self._read_rest()
            known = list(self._events)
        return [event for event in known
                if (kind is None or event.kind == kind)
                and all(event.get(lua_name(name)) == value for name, value in members.items())]

    def _require_event(self, kind, members):
        """A test that no event fits could not fail if a name in it were wrong."""
        __tracebackhide__ = True
        known = self._interface.events
        if kind is not None and kind not in known:
            raise UsageError(f"there is no event of kind {kind!r}{nearest(kind, known)}")
        names = set().union(*(known.values() if kind is None else [known[kind]]))
        for name in members:
            if name not in names:
                raise UsageError(f"an event{f' of kind {kind!r}' if kind else ''} has no member "
                                 f"{name!r}{nearest(name, names)}")

    def _fetch_events(self):
        __tracebackhide__ = True
        is_complete = False
        while not is_complete:
            last = self._events[-1].n if self._events else 0
            answer = self._session.request(events_after=last)
            self._add_events(answer["events"])
            is_complete = not answer["events"] or self._events[-1].n >= answer["last_event"]

    def _read_rest(self):
        """Adds the events of the file that were not fetched, when the run has ended."""
        if self._has_all:
            return
        file = os.path.join(self.folder, "events.jsonl")
        try:
            with open(file, encoding="utf-8", errors="replace") as lines:
                new = [json.loads(line) for line in itertools.islice(lines, len(self._events), None)
                       if line.endswith("\n")]  # a process that was killed leaves part of a line
        except FileNotFoundError:
            raise LabBroken(f"the run has ended, and {file} is not there any more") from None
        self._add_events(new)
        self._has_all = True

    def _add_events(self, new):
        for said in new:
            start = said["t"] if not self._events else self._start
            self._start = start
            self._events.append(event_of(said, start))

    def _ask_interface(self):
        program = self._session.program
        if program not in _interfaces:
            _interfaces[program] = Interface(self._session.request(interface=True)["values"][0])
        return _interfaces[program]

    def _request(self, **members):
        """Returns the values of the answer. Until they are objects, no other thread may release
        what they name."""
        __tracebackhide__ = True
        with self._session.lock:
            if released := self._take_released():
                members["release"] = released
            try:
                answer = self._session.request(**members)
            except UsageError:
                raise
            except TcplabError:
                self._has_raised = True
                raise
            return [self._decoded(value) for value in answer["values"]]

    def _take_released(self):
        """Returns the handles that have no object any more. Of one that was deleted, an answer may
        have made another meanwhile."""
        released = set()
        while self._released:
            released.add(self._released.pop())
        return sorted(number for number in released if number not in self._objects)

    def _call(self, owner, spec, args, options):
        __tracebackhide__ = True
        self._require_own(owner)
        said = [encoded(value) for value in spec.arguments(args, options)]
        results = self._request(on=owner.as_argument(), verb=spec.name, args=said)
        if len(spec.results) > 1:
            return tuple(results + [None] * (len(spec.results) - len(results)))
        if spec.results and spec.results[0].endswith("..."):
            return tuple(results)
        return results[0] if results else None

    def _field(self, owner, name):
        __tracebackhide__ = True
        return self._request(on=owner.as_argument(), field=name)[0]

    def _require_own(self, owner):
        if owner._lab is not self:
            raise UsageError(f"{owner!r} is of another lab")

    def _decoded(self, value):
        if isinstance(value, list):
            return [self._decoded(member) for member in value]
        if not isinstance(value, dict):
            return value
        if {"handle", "session"} <= value.keys():
            return self._object(value)
        if "kind" in value and "t" in value:
            return event_of(value)
        return {key: self._decoded(member) for key, member in value.items()}

    def _object(self, handle):
        number = handle["handle"]
        found = self if number == 0 else self._objects.get(number)
        if found is None:
            kind = globals().get(class_name(handle["type"]), Object)
            found = self._objects[number] = kind(self, handle)
        return found

    def _remove_files(self):
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)


def pairs(values):
    """Returns {"a": 1} as ["a=1"]."""
    return [f"{name}={value}" for name, value in (values or {}).items()]
