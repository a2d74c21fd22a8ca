"""Writes docs/clients.md: the table of the scorecard, and what it shows."""
import scorecard_hours
from scorecard_cells import (FAILURES, cells_of, ended_after, is_about_server, keepalive, key,
                             label, plain, reason_to_hang, run, short, span, table)

COLUMNS = (  # a heading, and the cell that tells most; the second one if the first is not there
    ("connects, server off", ("server.power-off.before-connect",)),
    ("sent, server off", ("server.power-off.request-sent",)),
    ("waits, server off", ("server.power-off.waiting",)),
    ("waits, power cycle", ("server.power-cycle.waiting",)),
    ("waits, killed", ("server.killed.waiting",)),
    ("waits, frozen", ("server.frozen.waiting",)),
    ("sent, out 30 s", ("server.unplugged-30-s.request-sent",)),
    ("firewall forgot", ("path.firewall-forgets.idle", "path.firewall-forgets.waiting")),
    ("client off", ("client.power-off.idle", "client.power-off.waiting")),
)
OUTAGE = 30  # seconds: unplugged-30-s
LATE = 5     # seconds after the end of an outage
SLOW = 5     # seconds: a server that lets go later has a timer for that


def first_of(cells, names):
    return next((cells[name] for name in names if name in cells), None)


def linked(name, result):
    return f"[{result['title']}](../scorecard/{name}.lua)"


def matrix(results, hours):
    rows = []
    for name, result in results.items():
        cells = cells_of(result)
        if name in hours:
            cells = scorecard_hours.with_ends(cells, cells_of(hours[name]))
        found = [first_of(cells, names) for _, names in COLUMNS]
        rows.append([linked(name, result),
                     *(short(cell) if cell else "" for cell in found)])
    return table(["client", *(heading for heading, _ in COLUMNS)], rows)


def timer_of(cell):
    """Returns the seconds of the client's own timer that ended the wait; 0 if there was none. A
    client that looks at its clock now and then waits several times: then the sum counts."""
    noticed = cell.get("noticed", {})
    if not cell.get("why", "").startswith("the program's own timer"):
        return 0
    is_sum = "its last wait" in cell["why"]
    return round(noticed.get("after" if is_sum else "timeout", 0))


def own_timers(result):
    found = {timer_of(cell) for cell in result["cells"]
             if cell["moment"] in ("request-sent", "waiting") and not is_about_server(cell)}
    return sorted(found - {0})


def settings(results):
    rows = []
    for name, result in results.items():
        options = {}
        for cell in result["cells"]:
            options.update(cell.get("options", {}))
        user = options.get("TCP_USER_TIMEOUT")
        rows.append([linked(name, result), keepalive(options),
                     f"{user / 1e9:g} s" if user else "–",
                     ", ".join(span(one) for one in own_timers(result)) or "–"])
    return table(["client", "keepalive", "TCP_USER_TIMEOUT", "own timers that ended a wait"], rows)


def grouped(results, name):
    """Returns for one cell the clients that hang, by the reason."""
    groups = {}
    for client, result in results.items():
        cell = cells_of(result).get(name)
        if cell and cell.get("outcome") == "hangs":
            groups.setdefault(reason_to_hang(cell), []).append((client, result))
    return groups


def hangs(results):
    text = ""
    for name in ("server.power-off.waiting", "server.power-cycle.waiting", "server.frozen.waiting",
                 "server.power-off.request-sent"):
        groups = grouped(results, name)
        if not groups:
            continue
        count = sum(len(clients) for clients in groups.values())
        of = sum(name in cells_of(result) for result in results.values())
        text += f"\n**{label(name)}** (`{name}`): {count} of {of} clients hang.\n\n"
        for why, clients in sorted(groups.items(), key=lambda group: -len(group[1])):
            text += f"- {plain(why)}: {', '.join(linked(*client) for client in clients)}\n"
    return text


def most(cells, field):
    return max(cells, key=lambda cell: cell.get(field, 0))


def retries(results):
    rows = []
    for name, result in results.items():
        cells = [cell for cell in result["cells"] if not is_about_server(cell)]
        row = [linked(name, result)]
        for field in ("opened_again", "sent_again", "received_again"):
            cell = most(cells, field)
            row.append(f"{cell[field]} (`{key(cell)}`)" if cell.get(field) else "–")
        if row[1] != "–":
            rows.append(row)
    return table(["client", "connections opened again", "requests sent again",
                  "requests that the server read twice"], rows)


def locks(results):
    """Says for each failure of the client how many servers keep the connection."""
    text = ""
    for failure in ("power-off", "frozen", "power-cycle", "killed"):
        cells = [(name, cell) for name, result in results.items() for cell in result["cells"]
                 if cell["side"] == "client" and cell["failure"] == failure
                 and cell["moment"] in ("waiting", "idle") and "server_kept" in cell]
        gone = [(cell["server_let_go"], name, cell) for name, cell in cells
                if "server_let_go" in cell]
        text += (f"- **Client: {FAILURES[failure]}.** The server keeps the connection to the end "
                 f"of {len(cells) - len(gone)} of {len(cells)} runs.")
        slow = sorted((one for one in gone if one[0] > SLOW), key=lambda one: one[:2])
        quick = [one for one in gone if one[0] <= SLOW]
        if quick:
            text += f" It lets go within {span(max(one[0] for one in quick))} in {len(quick)}."
        if slow:
            text += (" It lets go later in "
                     + ", ".join(f"{run(name, cell)} ({span(after)})" for after, name, cell in slow)
                     + ".")
        text += "\n"
    return text


def late_after_outage(results):
    name = "server.unplugged-30-s.request-sent"
    cells = [(client, cells_of(result)[name]) for client, result in results.items()
             if name in cells_of(result)]
    late = sorted((cell["took"], client) for client, cell in cells
                  if cell["outcome"] == "recovered" and cell.get("took", 0) > OUTAGE + LATE)
    lost = sorted((ended_after(cell), client) for client, cell in cells
                  if cell["outcome"] == "error" and ended_after(cell))
    text = ""
    if late:
        text += (f"- **The cable is back after {OUTAGE} s, and the request goes on later.** "
                 f"{len(late)} of {len(cells)} clients go on only after {span(late[0][0])} to "
                 f"{span(late[-1][0])}: each retransmission waits twice as long as the one before, "
                 "and nobody tells the kernel that the cable is back. "
                 f"`{name}` of {', '.join(client for _, client in late)}.\n")
    if lost:
        text += (f"- **A timeout turns the same outage into an error.** `{name}` of "
                 + ", ".join(f"{client} ({span(after)})" for after, client in lost) + ".\n")
    return text


def of_kind(results, chosen):
    return [(name, cell) for name, result in results.items() for cell in result["cells"]
            if chosen(cell) and not is_about_server(cell)]


def listed(found):
    """Returns the first run of each client, and how many more there are."""
    first, count = {}, {}
    for name, cell in found:
        first.setdefault(name, cell)
        count[name] = count.get(name, 0) + 1
    return ", ".join(run(name, cell) + (f" and {count[name] - 1} more" if count[name] > 1 else "")
                     for name, cell in first.items()) + ".\n"


def outcome(result, name):
    return cells_of(result).get(name, {}).get("outcome", "")


def keepalive_limits(results):
    """Says of clients with a short keepalive what it does not cover."""
    off, sent, frozen = (f"server.{name}" for name in
                         ("power-off.waiting", "power-off.request-sent", "frozen.waiting"))
    short_ones = {name: result for name, result in results.items()
                  if outcome(result, off) == "error"
                  and cells_of(result)[off].get("why", "").startswith("keepalive")}
    text = ""
    unsent = [name for name, result in short_ones.items() if outcome(result, sent) == "hangs"]
    if unsent:
        text += ("- **A short keepalive does not help a request that is on its way.** Keepalive "
                 "ends the wait for an answer; it does not run while data is unacknowledged. "
                 + "; ".join(f"`{name}: {off}` ends, `{name}: {sent}` does not" for name in unsent)
                 + ".\n")
    asleep = [name for name, result in short_ones.items() if outcome(result, frozen) == "hangs"]
    if asleep:
        text += ("- **No keepalive finds a frozen server**, because its kernel answers the probes: "
                 + ", ".join(f"`{name}: {frozen}`" for name in asleep) + ".\n")
    return text


def restarts(results):
    """Says who never learns that the server has restarted."""
    name = "server.power-cycle.waiting"
    there = [client for client, result in results.items() if name in cells_of(result)]
    deaf = [client for client in there if outcome(results[client], name) == "hangs"]
    if not deaf:
        return ""
    return (f"- **The server runs again, and the client still waits for the old one.** {len(deaf)} "
            f"of {len(there)} clients: a server that has restarted knows nothing of the "
            "connection, and the client sends nothing that it could answer with a RST. "
            f"`{name}` of {', '.join(deaf)}.\n")


def surprises(results):
    text = late_after_outage(results) + restarts(results) + keepalive_limits(results)
    twice = of_kind(results, lambda cell: cell.get("received_again"))
    if twice:
        text += ("- **The server reads a request twice**, because the client silently repeats it: "
                 + listed(twice))
    wrong = of_kind(results, lambda cell: cell.get("outcome") == "wrong_data")
    if wrong:
        text += ("- **The exit status is that of success, and the output is not.** A script that "
                 "looks at the status alone goes on: " + listed(wrong))
    hidden = of_kind(results, lambda cell: "first_errno" in cell)
    if hidden:
        text += ("- **The error that the user sees is not the first one.** The client went on, "
                 "and reports a later failure: " + listed(hidden))
    return text or "Nothing.\n"


def errors(results):
    """What the user sees when the server loses its power while the client waits."""
    rows = []
    for name, result in results.items():
        cells = cells_of(result)
        cell = first_of(cells, ("server.power-off.waiting",))
        if cell and cell.get("outcome") == "error":
            noticed = cell.get("noticed", {}).get("after", cell["took"])
            rows.append([linked(name, result), span(noticed), span(cell["took"]),
                         plain(cell.get("why", "")), plain(cell.get("text", ""))])
    return table(["client", "notices after", "fails after", "why then", "the user sees"], rows)


def left(names, results):
    missing = [name for name in names if name not in results]
    if not missing:
        return ""
    return ("\nNot measured yet: "
            + ", ".join(f"[{name}](../scorecard/{name}.lua)" for name in missing) + ".\n")


def page(names, results, hours):
    """Returns the page. `names` are the clients that have a file; `hours` are the results of those
    that were measured for hours."""
    kernels = sorted({result["kernel"] for result in results.values()})
    limits = sorted({result["limit"].removesuffix("s") for result in results.values()})
    dates = sorted({result["date"] for result in results.values()})
    versions = sorted({f"{package} {version}" for result in results.values()
                       for package, version in result["packages"].items()})
    runs = sum(len(result["cells"]) for result in results.values())
    return f"""<!-- Made by tools/scorecard from scorecard/results; do not edit it. -->

# What clients do when the network fails

*How long until the user of curl, psql, ssh or Go's net/http learns that the server is gone?* Each
number here is a run of [`tcplab audit`](audit.md) with a real client and a real server, and the
kernel's own timers: {len(results)} clients in {runs} runs. For this page, a client hangs if it
takes longer than {', '.join(limits)} s.

Measured on {' to '.join(sorted({dates[0], dates[-1]}))} with Linux {', '.join(kernels)}, on IPv4,
with Debian's packages ([versions](#versions)).

- [clients-map.html](clients-map.html) is a heat map of all runs, with filters.
- A claim names its runs: `curl: server.power-off.waiting` is the client, the side that fails, the
  failure and the moment. To see that run, with its ladder:
  `tcplab audit --failure power-off --moment waiting scorecard/curl.lua`.
- `tools/scorecard curl` measures a client again. Its file says what the client does.
{left(names, results)}
## The table

`=` unaffected, `✓` recovered, `!` error, `✗` wrong data with the exit status of success, `∞` hangs;
then the time from the failure. *connects*: before the client connects; the time is that from its
first packet. *sent*: the request is not acknowledged. *waits*: the server's kernel has acknowledged
it. *firewall forgot*: while the connection is idle, or else while the client waits. *client off*:
the client's host loses its power, and the server lets go (`✓`) or not (`∞`).
{scorecard_hours.note(hours, limits)}
{matrix(results, hours)}
## Who hangs, and why
{hangs(results)}{scorecard_hours.section(hours, linked)}
## Who notices a server without power while it waits

{errors(results)}
## What is surprising

{surprises(results)}
## Who sets what by default

Keepalive is idle time, interval in seconds, and count. 7200/75/9 are the kernel's: 2 h 11 min.

{settings(results)}
## Who retries

{retries(results)}
## Who holds a lock

The client is gone while it waits or is idle. As long as its server keeps the connection, it keeps
what the client had: a session, a transaction, a lock.

{locks(results)}
## Versions

{', '.join(versions)}.
"""
