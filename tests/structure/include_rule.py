"""Who may include whom. A room is a folder; an include of ours is written "room/file.hh".

The rule is written here once more than in ARCHITECTURE.md, so that a machine reads it. Absences
("decode has no pcap") are patterns that may not be found in the files of a room.
"""
import re
from pathlib import Path

ROOMS = ["scenarios/engine", "reports/html", "base", "netns", "capture", "dnc", "reports",
         "scenarios"]

# Room -> the rooms that its files may include, besides itself.
MAY_KNOW = {
    "base": [],
    "netns": ["base"],
    "capture": ["base"],
    "dnc": ["base"],
    "reports": ["base", "capture"],
    "reports/html": ["base", "capture", "reports"],
    "scenarios/engine": ["base", "netns", "capture", "dnc", "reports", "reports/html"],
    "scenarios": ["base", "netns", "capture", "dnc", "reports", "reports/html",
                  "scenarios/engine"],
}

# (files, what they may not have, why): said in ARCHITECTURE.md as absences.
KERNEL = r"#include <((sys|linux|net|netinet|netpacket|arpa)/|(unistd|fcntl|poll|signal)\.h)"
CLOCK = r"_clock::now|base::now\(|\bnow\(\)|clock_gettime|gettimeofday|\btime\((0|NULL|nullptr)\)"
ABSENCES = [
    (r"^capture/decode", r"#include <(pcap|libmnl|boost)[/.]", "decode has no pcap"),
    (r"^reports/", r"#include <(pcap|libmnl|boost/asio)[/.]", "reports have no capture, no loop"),
    (r"^reports/", KERNEL, "reports have no kernel"),
    (r"^reports/", CLOCK, "reports have no clock"),
    (r"^capture/event\.hh", KERNEL, "events are values: no kernel"),
    (r"^(base|netns|capture|dnc|reports|scenarios)/", r"\b(popen|system)\(", "no shelling out"),
    (r"^(base|dnc)/", r"#include <boost/asio", "dnc makes its own calls: they are the exhibit"),
]

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def room_of(path):
    """The room of "scenarios/engine/x.hh"; None for a file outside all rooms (tests, bench)."""
    return next((room for room in ROOMS if path.startswith(room + "/")), None)


def read(root, path):
    return (Path(root) / path).read_text(encoding="utf-8").splitlines()


def includes(root, path):
    """(line number, included path) for each include of ours."""
    for number, line in enumerate(read(root, path), 1):
        if match := INCLUDE.match(line):
            yield number, match[1]


def reachable(root, path):
    """Every file of ours that `path` includes, directly or not, itself first."""
    seen, waiting = [], [path]
    while waiting:
        current = waiting.pop()
        if current in seen or not (Path(root) / current).is_file():
            continue
        seen.append(current)
        waiting += [included for _, included in includes(root, current)]
    return seen


def wrong_includes(root, path):
    room = room_of(path)
    for number, included in includes(root, path):
        other = room_of(included)
        if other is None:
            yield f'{path}:{number}: "{included}" is not written from the top ("room/file.hh")'
        elif other not in [room] + MAY_KNOW[room]:
            yield f"{path}:{number}: {room} may not know {other} ({included})"


def wrong_presences(root, path):
    for files, forbidden, rule in ABSENCES:
        if not re.search(files, path):
            continue
        for current in reachable(root, path) if "#include" in forbidden else [path]:
            for number, line in enumerate(read(root, current), 1):
                if re.search(forbidden, line.split("//")[0]):
                    yield f"{current}:{number}: {rule} (seen from {path}): {line.strip()}"


def violations(root):
    """Every violation below `root`, as "file:line: what"."""
    found = []
    for room in ROOMS:
        for file in sorted((Path(root) / room).glob("*.[ch][ch]")):
            path = str(file.relative_to(root))
            found += [*wrong_includes(root, path), *wrong_presences(root, path)]
    return list(dict.fromkeys(found))
