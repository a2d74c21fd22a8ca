"""Says what the clients that hang do within hours: a table of docs/clients.md. Their audits ran on
kernel hosts, whose time jumps while everything waits."""
from scorecard_cells import (FAILURES, MOMENTS, cells_of, ended_after, is_about_server, key,
                             plain, run, short, span, table)


def is_measured(cell):
    return cell.get("outcome") == "hangs"


def cells_to_measure(result):
    """Returns the failures and the moments of the cells that hang."""
    cells = [cell for cell in result["cells"] if is_measured(cell)]
    return ({cell["failure"] for cell in cells}, {cell["moment"] for cell in cells})


def only_measured(cells, result):
    """Returns the cells that hang in `result`: each failure was tried at each moment."""
    wanted = {key(cell) for cell in result["cells"] if is_measured(cell)}
    return [cell for cell in cells if key(cell) in wanted]


def columns_of(hours):
    """Returns the keys of all cells: the server's failures first, in the order of MOMENTS."""
    there = {key(cell): cell for result in hours.values() for cell in result["cells"]}
    failures, moments = list(FAILURES), list(MOMENTS)
    return sorted(there, key=lambda name: (there[name]["side"] != "server",
                                           failures.index(there[name]["failure"]),
                                           moments.index(there[name]["moment"])))


def has_ended(cell):
    return cell.get("outcome") not in ("hangs", "not_reached") and "trouble" not in cell


def kernels_of(hours):
    return sorted({result["kernel"] for result in hours.values()})


def with_ends(cells, longer):
    """Returns the cells of a client, with those that hang replaced if they have ended in `longer`,
    its cells of an audit that took hours."""
    return {name: longer[name] if cell.get("outcome") == "hangs" and name in longer
                  and has_ended(longer[name]) else cell for name, cell in cells.items()}


def note(hours, limits):
    """Returns the sentence about the times that took hours; empty if nothing was measured."""
    if not hours:
        return ""
    return (f"Some that hung for {', '.join(limits)} s were audited again for hours, on Linux "
            f"{', '.join(kernels_of(hours))}. Their times are from there "
            "([below](#what-those-that-hang-do-within-hours)).\n")


def reasons(hours):
    """Returns a line for each reason: how long that took, and the runs that it ended."""
    ended = {}
    for name, result in hours.items():
        for cell in filter(has_ended, result["cells"]):
            why = "the server lets go" if is_about_server(cell) else cell.get("why", "")
            if cell.get("opened_again") and not is_about_server(cell):
                why += "; the client tried again before it gave up"
            ended.setdefault(plain(why or "not known"), []).append((name, cell))
    lines = ""
    for why, found in sorted(ended.items(), key=lambda group: -len(group[1])):
        times = sorted(ended_after(cell) or 0 for _, cell in found)
        took = " to ".join(dict.fromkeys(span(one) for one in (times[0], times[-1])))
        lines += f"- {why} ({took}): {', '.join(run(name, cell) for name, cell in found)}\n"
    return lines


def words_of(name):
    """Returns the words for a key without its side: "power off, request sent"."""
    _, failure, moment = name.split(".")
    return f"{FAILURES[failure]}, {MOMENTS[moment]}"


def never_ended(all_cells, columns):
    """Returns a sentence about the columns in which every client hangs; empty without any."""
    if not columns:
        return ""
    counts = [sum(one in cells for cells in all_cells) for one in columns]
    clients = [f"{words_of(one)} ({count} client{'s' if count > 1 else ''})"
               for one, count in zip(columns, counts)]
    return f"\nEvery client hung in these: {'; '.join(clients)}.\n"


def tables(hours, linked):
    """Returns a table for each side that fails. Columns in which every client hangs are named below
    it."""
    text = ""
    all_cells = {name: cells_of(result) for name, result in hours.items()}
    for side in ("server", "client", "path"):
        columns = [one for one in columns_of(hours) if one.startswith(f"{side}.")]
        telling = [one for one in columns
                   if any(one in cells and has_ended(cells[one]) for cells in all_cells.values())]
        rows = [[linked(name, hours[name]),
                 *(short(cells[one]) if one in cells else "" for one in telling)]
                for name, cells in all_cells.items() if any(one in cells for one in telling)]
        if not columns:
            continue
        text += f"\n### The {side} fails\n"
        if rows:
            text += "\n" + table(["client", *map(words_of, telling)], rows)
        text += never_ended(all_cells.values(), [one for one in columns if one not in telling])
    return text


def section(hours, linked):
    """Returns the section of the page; empty if nothing was measured."""
    if not hours:
        return ""
    limits = sorted({result["limit"].replace("h", " hours") for result in hours.values()})
    return f"""
## What those that hang do within hours

Most of what hangs above was measured again, on [kernel hosts](kernels.md) (Linux
{', '.join(kernels_of(hours))}): their time jumps, so hours take seconds.
`tools/scorecard --hours --kernel 6.12 curl` measures a client again.
Here, `∞` is longer than {', '.join(limits)}. A cell is empty if the client did not hang above, or
if the failure was not measured again. Where the client fails, `✓` gives the time after which the
server no longer has the connection.
{tables(hours, linked)}
### What ended them

{reasons(hours)}"""
