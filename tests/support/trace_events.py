"""Checks a file by the Trace Event Format: the required members of each phase, times in
microseconds, in order; slices of a thread that nest; flows that begin and end in slices.
https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU"""
import json

MEMBERS = {
    "M": {"name", "pid", "tid", "ts", "args"},
    "X": {"name", "pid", "tid", "ts", "dur", "args"},
    "i": {"name", "pid", "tid", "ts", "s", "args"},
    "C": {"name", "pid", "ts", "args"},
    "s": {"name", "pid", "tid", "ts", "cat", "id"},
    "f": {"name", "pid", "tid", "ts", "cat", "id", "bp"},
}
NAMES = {"process_name": "name", "process_labels": "labels", "process_sort_index": "sort_index",
         "thread_name": "name", "thread_sort_index": "sort_index"}


class FormatFault(Exception):
    pass


def require(holds, what, event):
    if not holds:
        raise FormatFault(f"{what}: {event}")


def check_members(event):
    require(event.get("ph") in MEMBERS, "unknown phase", event)
    require(set(event) - {"ph"} == MEMBERS[event["ph"]], "members", event)
    for member in {"pid", "tid"} & set(event):
        require(type(event[member]) is int, "not a whole number", event)
    for member in {"ts", "dur"} & set(event):
        require(type(event[member]) in (int, float) and event[member] >= 0, "no time", event)
    if event["ph"] == "M":
        require(NAMES.get(event["name"]) in event["args"], "no such metadata", event)
    if event["ph"] == "i":
        require(event["s"] in ("g", "p", "t"), "no such scope", event)
    if event["ph"] == "C":
        require(all(type(value) in (int, float) for value in event["args"].values()),
                "a value is no number", event)
    if event["ph"] == "f":
        require(event["bp"] == "e", "ends in the next slice, not in this one", event)


def nanoseconds(event):
    """Returns when a slice begins and ends."""
    begin = round(event["ts"] * 1000)
    return begin, begin + round(event["dur"] * 1000)


def check_nesting(slices):
    for row in slices.values():
        open_until = []
        for begin, end, event in row:
            while open_until and open_until[-1] <= begin:
                open_until.pop()
            require(not open_until or end <= open_until[-1], "overlaps an earlier slice", event)
            open_until.append(end)


def check_flow(event, slices, flows):
    at = round(event["ts"] * 1000)
    row = slices.get((event["pid"], event["tid"]), [])
    require(any(begin <= at < end for begin, end, _ in row), "outside of each slice", event)
    ends = flows.setdefault((event["cat"], event["id"]), [])
    ends.append(event)
    wanted = ["s", "f"][:len(ends)]
    require([end["ph"] for end in ends] == wanted, "does not begin and end once", event)


def check(text):
    """Returns the events of the file. Raises FormatFault."""
    document = json.loads(text)
    require(isinstance(document.get("traceEvents"), list), "no traceEvents", list(document))
    require(document.get("displayTimeUnit") in ("ms", "ns"), "displayTimeUnit", list(document))
    events = document["traceEvents"]
    for event in events:
        check_members(event)
    timed = [event for event in events if event["ph"] != "M"]
    for earlier, later in zip(timed, timed[1:]):
        require(earlier["ts"] <= later["ts"], "not in the order of time", later)
    named = {(event["pid"], event["tid"]) for event in events if event["name"] == "thread_name"}
    processes = [event["pid"] for event in events if event["name"] == "process_name"]
    threads = [event["tid"] for event in events if event["name"] == "thread_name"]
    require(len({*processes, *threads}) == len(processes) + len(threads), "a number twice", threads)
    slices, flows = {}, {}
    for event in timed:
        require(event["pid"] in processes, "a process without a name", event)
        if event["ph"] == "C":
            continue
        row = (event["pid"], event["tid"])
        require(row in named, "a thread without a name", event)
        if event["ph"] == "X":
            slices.setdefault(row, []).append((*nanoseconds(event), event))
        if event["ph"] in "sf":  # its slice is above it
            check_flow(event, slices, flows)
    check_nesting(slices)
    for ends in flows.values():
        require(len(ends) == 2, "a flow without an end", ends)
    return events
