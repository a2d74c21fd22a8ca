"""Checks which room includes which. A room is a folder of sources; our includes are written as
"room/file.hh".

ARCHITECTURE.md explains the rule. It also lists absences, such as "decode has no pcap". Each is a
pattern that must not occur in the files of a room."""
import re
from pathlib import Path

TABLE = Path(__file__).resolve().parents[2] / "cmake/rooms.txt"


def read_table(text):
    """Returns the rooms of cmake/rooms.txt, each with the rooms that its files may include."""
    rooms = {}
    for line in re.sub(r"\n +", " ", text).splitlines():
        if match := re.match(r"([a-z/]+)(?: \([^)]*\))?:([^|]*)", line):
            rooms[match[1]] = match[2].split()
    return rooms


MAY_KNOW = read_table(TABLE.read_text(encoding="utf-8"))
ROOMS = sorted(MAY_KNOW, key=len, reverse=True)  # the most specific folder first
# The top folders of the rooms: "capture/decode" is in "capture".
TOP_FOLDERS = sorted({room.split("/")[0] for room in ROOMS})

# The absences that ARCHITECTURE.md lists: (files, pattern that must not occur in them, message).
KERNEL = r"#include <((sys|linux|net|netinet|netpacket|arpa)/|(unistd|fcntl|poll|signal)\.h)"
CLOCK = r"_clock::now|base::now\(|\bnow\(\)|clock_gettime|gettimeofday|\btime\((0|NULL|nullptr)\)"
ABSENCES = [
    (r"^capture/decode", r"#include <(pcap|libmnl|boost)[/.]", "decode has no pcap"),
    (r"^reports/", r"#include <(pcap|libmnl|boost/asio)[/.]", "reports have no capture, no loop"),
    (r"^reports/", KERNEL, "reports have no kernel"),
    (r"^reports/", CLOCK, "reports have no clock"),
    (r"^capture/event/event\.hh", KERNEL, "events are values: no kernel"),
    (r"^(base|netns|uml|capture|audit|dnc|reports|lab|app)/", r"\b(popen|system)\(",
     "no shelling out"),
    (r"^(base|dnc)/", r"#include <boost/asio", "dnc makes its own calls: they are the exhibit"),
]

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def room_of(path):
    """Returns the room of a path, or None for a file outside all rooms (tests, bench)."""
    return next((room for room in ROOMS if path.startswith(room + "/")), None)


def read(root, path):
    return (Path(root) / path).read_text(encoding="utf-8").splitlines()


def includes(root, path):
    """Yields (line number, included path) for each of our includes."""
    for number, line in enumerate(read(root, path), 1):
        if match := INCLUDE.match(line):
            yield number, match[1]


def reachable(root, path):
    """Returns `path` and each of our files that it includes, directly or indirectly."""
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


def include_cycles(root, files):
    """Returns a message for each include cycle between units. A unit is x.hh and x.cc together."""
    knows = {}
    for path in files:
        unit = path.rsplit(".", 1)[0]
        others = {included.rsplit(".", 1)[0] for _, included in includes(root, path)}
        knows.setdefault(unit, set()).update(others - {unit})

    def reached_from(unit):
        seen, waiting = set(), [unit]
        while waiting:
            for other in knows.get(waiting.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return seen

    reached = {unit: reached_from(unit) for unit in knows}
    cycles = {tuple(sorted(other for other in reached[unit] if unit in reached.get(other, ())))
              for unit in knows if unit in reached[unit]}
    return [f"these include each other: {', '.join(cycle)}" for cycle in sorted(cycles)]


def homeless(root):
    """Yields a message for each source in a folder that is not a room."""
    for top in TOP_FOLDERS:
        for file in sorted((Path(root) / top).rglob("*.[ch][ch]")):
            folder = str(file.parent.relative_to(root))
            if folder not in MAY_KNOW:
                yield f"{file.relative_to(root)}:1: {folder} is no room: add it to cmake/rooms.txt"


def violations(root):
    """Returns every violation below `root`, as "file:line: message"."""
    found, files = [*homeless(root)], []
    for room in ROOMS:
        for file in sorted((Path(root) / room).glob("*.[ch][ch]")):
            path = str(file.relative_to(root))
            files.append(path)
            found += [*wrong_includes(root, path), *wrong_presences(root, path)]
    return list(dict.fromkeys(found)) + include_cycles(root, files)
