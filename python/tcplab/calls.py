"""Arguments and results of verbs: Python values as JSON, and back.

The interface that tcplab tells says which parameters a verb has. Nothing here knows a verb.
"""
import datetime
import functools
import math
import os
from collections.abc import Mapping

from tcplab.errors import UsageError


def lua_name(name):
    """Returns the name of a verb or an option: `from_` is `from`, a word of Python."""
    return name[:-1] if name.endswith("_") else name


class Interface:
    """The classes, verbs and options that scripts have, and the members of events."""

    def __init__(self, said):
        self._tables = {table["name"]: table for table in said["tables"]}
        self.classes = {kind["name"]: Class(self, kind) for kind in said["classes"]}
        self.events = {kind["kind"]: {"n", "t", *(member["name"] for member in kind["members"])}
                       for kind in said["events"]}

    def table_of(self, parameter):
        """Returns the table that a parameter is, or may be; None if it is none."""
        for kind in parameter["type"].split("|"):
            if kind in self._tables:
                return self._tables[kind]
        return None

    def has_list(self, table):
        """Returns whether a table is a list with options, such as a command."""
        while table:
            if any(field["name"] == "[integer]" for field in table["fields"]):
                return True
            table = self._tables.get(table["base"])
        return False


class Class:
    """What objects of one class can do."""

    def __init__(self, interface, said):
        self.name = said["name"]
        self.doc = said["doc"]
        self.fields = {field["name"] for field in said["fields"]}
        self.verbs = {verb["name"]: Spec(interface, self.name, verb) for verb in said["verbs"]}


class Spec:
    """How a verb is called."""

    def __init__(self, interface, owner, said):
        self.name = said["name"]
        self.owner = owner
        self.results = said["results"]
        self.doc = said["doc"]
        self.parameters = said["parameters"]
        self._tables = [interface.table_of(parameter) for parameter in self.parameters]
        self._is_variadic = bool(self.parameters) and self.parameters[-1]["name"] == "..."
        self._takes_list = len(self.parameters) == 1 and interface.has_list(self._tables[0])

    def arguments(self, args, keywords):
        """Returns the arguments for a call with these of Python. Keywords are options, or name
        parameters."""
        options = {lua_name(name): value for name, value in keywords.items()}
        if self._takes_list and not (len(args) == 1 and not options and is_table(args[0])):
            return [self._list_with_options(args, options)]
        placed = list(args)
        for index, parameter in enumerate(self.parameters):
            if parameter["name"] in options and self._tables[index] is None:
                self._place(placed, index, options.pop(parameter["name"]))
        if options:
            self._add_options(placed, options)
        return placed

    def _list_with_options(self, args, options):
        if len(args) == 1 and is_table(args[0]):
            given = args[0]
            named = given if isinstance(given, Mapping) else numbered(given)
            return {**named, **options}
        return {**numbered(args), **options}

    def _place(self, placed, index, value):
        placed += [None] * (index + 1 - len(placed))
        if placed[index] is not None:
            raise TypeError(f"{self}: argument `{self.parameters[index]['name']}` is given twice")
        placed[index] = value

    def _add_options(self, placed, options):
        places = [index for index, table in enumerate(self._tables) if table is not None]
        if not places:
            raise TypeError(f"{self} has no option `{next(iter(options))}`")
        if placed and isinstance(placed[-1], Mapping):
            placed[-1] = {**placed[-1], **options}
        elif self._is_variadic and places[-1] == len(self.parameters) - 1:
            placed.append(options)
        else:
            self._place(placed, places[-1], options)

    def __str__(self):
        return f"{self.owner}.{self.name}"


def is_table(value):
    return isinstance(value, (Mapping, list, tuple))


def numbered(values):
    """Returns a list as a table with options: {"1": ..., "2": ...}."""
    return {str(number): value for number, value in enumerate(values, 1)}


def is_call(value):
    """Returns whether a value is a verb of an object, which a handler can call later."""
    if isinstance(value, functools.partial):
        value = value.func
    return hasattr(value, "as_call")


def call_of(value):
    if isinstance(value, functools.partial):
        return value.func.as_call(value.args, value.keywords)
    return value.as_call((), {})


def encoded(value):
    """Returns an argument as JSON."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return finite(value)
    if isinstance(value, str):
        return unicode_text(value)
    if hasattr(value, "as_argument"):
        return value.as_argument()
    if is_call(value):
        return {"do": [call_of(value)]}
    if isinstance(value, Mapping):
        return {unicode_text(str(key)): encoded(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        if value and all(map(is_call, value)):
            return {"do": [call_of(one) for one in value]}
        return [encoded(member) for member in value]
    return encoded_other(value)


def finite(value):
    try:
        if math.isfinite(value):
            return value
        said = str(value)
    except OverflowError:  # larger than a float can be
        said = f"an integer of {value.bit_length()} bits"
    raise UsageError(f"a verb takes finite numbers of 64 bits, not {said}")


def unicode_text(value):
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise UsageError(f"a text must be Unicode: {value!r} has a lone surrogate at index "
                         f"{error.start}") from None
    return value


def encoded_other(value):
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise UsageError("bytes must be UTF-8") from None
    if isinstance(value, os.PathLike):
        return encoded(os.fspath(value))
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if callable(value):
        raise UsageError("a handler runs inside the lab, without Python: give it a verb, "
                         "kodos.power_off, or functools.partial(kodos.unplug, \"eth0\")")
    raise UsageError(f"a verb has no argument of type {type(value).__name__}")
