#!/usr/bin/env python3
"""Makes a cell of an audit from the events of any run of a scenario, for the tests of the table.

    mark_run.py DIR/events.jsonl SIDE MOMENT OUTCOME [PROGRAM [TEXT]] > runs/NAME.jsonl

The script's first fault is the failure. Events that the table does not need are left out."""
import json
import sys

FAULTS = {"power_off", "power_cycle", "crash", "reboot", "unplug", "stop", "kill", "freeze", "nft",
          "cut", "hold", "lose", "delay", "limit"}
WHOLE = {"power_cycle", "reboot", "stop", "kill"}  # over at once
ENDS = {"plug", "thaw", "power_on", "remove"}
LIMIT = 300 * 10**9
CLIENT, SERVER = "kang", "kodos"


def read(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def is_needed(event, returned):
    if event["kind"] in ("sending", "verdict", "end"):
        return False
    if event["kind"] == "program":
        return event["change"] != "wrote"
    is_entry = event["kind"] == "call" and event["phase"] == "enter"
    return not (is_entry and (event["host"], event["pid"], event["id"]) in returned)


def trimmed(events):
    returned = {(event["host"], event["pid"], event["id"]) for event in events
                if event["kind"] == "call" and event["phase"] == "return"}
    for event in events:
        if is_needed(event, returned):
            for key in ("socket", "script", "why", "quiz", "asks", "article", "here", "summary"):
                event.pop(key, None)
            yield event


def mark(step, at, **members):
    return {"t": at, "kind": "audit", "step": step, **members}


def marked(events, begins, judged):
    """Yields the events with marks: `begins` and `judged` have the members of two of them."""
    failure = next(event for event in events
                   if event["kind"] == "action" and event["verb"] in FAULTS)
    name = failure["verb"].replace("_", "-")
    has_begun = False
    for event in events:
        if not has_begun and event["kind"] not in ("run", "host", "note"):
            has_begun = True
            yield mark("begins", event["t"] - 1, failure=name, limit=LIMIT, client=CLIENT,
                       server=SERVER, **begins)
        if event is failure:
            yield mark("failure", event["t"] - 1)
        yield event
        is_over = event["kind"] == "action" and event["t"] >= failure["t"] and (
            event["verb"] in ENDS or (event is failure and event["verb"] in WHOLE))
        if is_over:
            yield mark("failure_ends", event["t"] + 1)
    last = max(event["t"] for event in events)
    yield mark("judged", last + 1000, **judged)
    yield {"t": last + 2000, "kind": "end", "outcome": "passed", "duration": last - events[0]["t"]}


def main():
    path, side, moment, outcome = sys.argv[1:5]
    program, text = (sys.argv[5:] + ["", ""])[:2]
    begins = {"moment": moment, "side": side, **({"program": program} if program else {})}
    judged = {"outcome": outcome, **({"text": text} if text else {})}
    events = list(trimmed(read(path)))
    for number, event in enumerate(marked(events, begins, judged), 1):
        event.pop("n", None)
        print(json.dumps({"n": number, **event}, separators=(",", ":"), ensure_ascii=False))


if __name__ == "__main__":
    main()
