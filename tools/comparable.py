"""What two runs of the same scenario have in common. tools/puzzlers-page and tools/pictures compare
their outputs with it, without times, ports and the order of two processes."""
import difflib
import pathlib
import re

SOURCE = pathlib.Path(__file__).resolve().parent.parent

# A call takes two lines if something happened during it. The second one lacks the arguments, and
# has less room for data.
CALLS = [
    (r"\b([a-z]+\(\d+)(, \d+)+\) =", r"\1) ="),
    (r'"([^"\n]{1,8})[^"\n]*…"', r'"\1…"'),
]
# What differs in every run, and its placeholder in a comparison.
UNSTABLE = [
    (r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME"),
    (r"Linux\s+\d+\.\d\S*", "Linux K"),
    # Only on a machine that does not allow cubic.
    (r"This machine\s+The congestion control is reno[^)]*\)\.", ""),
    # On a busy machine; it may take two lines, and what was seen one more.
    (r";\s+[\d.]+\s\w+\s+less\s+or\s+more,\s+because\s+the\s+run\s+waited\s+so\s+long\s+for\s+a\s+"
     r"processor(\s+·)?\s+",
     " · "),
    # The limits depend on the round trip time (lua_timers.cc).
    (r",\s+or,\s+if\s+a\s+timer\s+is\s+late,[^·]*?\)\s+·\s+", " · "),
    (r"\b\d+(\.\d+)?\s(ns|us|ms|s|min|h)\b", "SPAN"),
    (r"\b\d+\.\d{6,9}\b", "TIME"),
    (r"TS(val|ecr)=\d+", "TS"),
    (r"\b(3[2-9]\d{3}|[4-6]\d{4})\b", "PORT"),
    (r"\(\d+ times\)", ""),
    *CALLS,
    (r"[═─]+", "─"),
    (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC", "DATE"),
    (re.escape(str(SOURCE)), "SOURCE"),
]
# Lines that depend on a race between two processes. The number of retransmissions depends on
# timing. A run may end before its last program does.
RACING = re.compile(r"…$|⋮|LISTEN( → CLOSED)? :8080|exits|(close|connect)(\(\d(, [\w:]+)?\))? = 0"
                    r"|ARP|again|^─|stdin HUP$|hold \* > \*, t")
LADDER_ROW = re.compile(r"^ *(TIME|⋮|\d+\.\d+) |[│┊].*[│┊]")


def comparable(page):
    """Returns the lines of the page without unstable details: equal for runs that agree."""
    for pattern, stand_in in UNSTABLE:
        page = re.sub(pattern, stand_in, page)
    lines = []
    for block in re.split(r"(^```.*?^```$)", page, flags=re.M | re.S):
        lines += comparable_block(block.splitlines()) if "```console" in block else [block]
    return lines


def comparable_block(block):
    """Returns the cells of a block, sorted: two cells of one row may be in two rows next time."""
    cells, prose = set(), []
    for line in block:
        if LADDER_ROW.search(line):
            cells |= {cell.strip(" …") for cell in re.split(r"[│┊]|TIME", line)
                      if not RACING.search(cell.strip())}
        elif not RACING.search(line):
            prose += line.split()
    return sorted(cells - {""}) + [" ".join(prose)]


def differences(before, after):
    return [line for line in difflib.unified_diff(comparable(before), comparable(after),
                                                  "the page", "this machine", "", "", 0, "")]
