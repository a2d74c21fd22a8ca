"""What both pages of the scorecard say about a cell: one failure at one moment of one client."""

MARKS = {"unaffected": "=", "recovered": "✓", "error": "!", "wrong_data": "✗", "hangs": "∞",
         "not_reached": "-"}
WORDS = {"unaffected": "unaffected", "recovered": "recovered", "error": "error",
         "wrong_data": "wrong data", "hangs": "hangs", "not_reached": "not reached"}
FAILURES = {"power-off": "power off", "power-cycle": "power cycle", "killed": "process killed",
            "frozen": "process frozen", "unplugged-30-s": "unplugged for 30 s",
            "firewall-forgets": "firewall forgets", "refused": "refused",
            "reset": "RST to both", "mtu-black-hole": "MTU black hole"}
MOMENTS = {"before-connect": "before connect", "request-sent": "request sent",
           "waiting": "waiting for the answer", "transfer": "in a transfer",
           "idle": "idle between requests"}


def key(cell):
    """Returns "server.power-off.waiting", as in the name of the run."""
    return f"{cell['side']}.{cell['failure']}.{cell['moment']}"


def cells_of(result):
    return {key(cell): cell for cell in result["cells"]}


def label(name):
    """Returns the words for a key: "power off, server, waiting for the answer"."""
    side, failure, moment = name.split(".")
    who = "" if side == "path" else f", {side}"
    return f"{FAILURES.get(failure, failure)}{who}, {MOMENTS.get(moment, moment)}"


def span(seconds):
    """Returns a time in at most two units: "12 ms", "5.3 s", "134 s", "2 h 12 min"."""
    if seconds < 0.001:
        return "< 1 ms"
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 9.95:
        return f"{seconds:.2g} s"
    whole = round(seconds)
    if whole < 600:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s" if whole % 60 else f"{whole // 60} min"
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes % 60 else f"{minutes // 60} h"


def is_about_server(cell):
    """Whether the client is gone, so that the question is when the server lets go."""
    return cell["side"] == "client" and cell["failure"] in ("power-off", "power-cycle", "killed",
                                                            "frozen")


def ended_after(cell):
    """Returns the seconds from the failure to the answer or the error; if the client is gone, to
    the moment at which the server let go. None if that did not come, or nothing had to be noticed.

    A client that does not try again fails when it notices: how long it then takes to say so depends
    on the load of the machine."""
    if is_about_server(cell):
        return cell.get("server_let_go")
    if cell.get("outcome") in ("hangs", "unaffected", "not_reached") or "trouble" in cell:
        return None
    if cell["outcome"] != "recovered" and "noticed" in cell and not cell.get("opened_again"):
        return cell["noticed"]["after"]
    return cell.get("took")


def mark(cell):
    return "?" if "trouble" in cell else MARKS.get(cell.get("outcome"), "?")


def short(cell):
    """Returns a few words for a table: "! 5.3 s", "✓"."""
    if mark(cell) in "=-?∞":
        return mark(cell)
    after = ended_after(cell)
    return mark(cell) if after is None else f"{mark(cell)} {span(after)}"


def outcome_words(cell):
    if "trouble" in cell:
        return "the run did not work"
    if is_about_server(cell):
        return "the server let go" if cell["outcome"] == "recovered" else "the server still waits"
    return WORDS.get(cell.get("outcome"), "not known")


def reason_to_hang(cell):
    """Returns what a client that hangs waits for."""
    if cell.get("opened_again"):
        return "it tries again, and has not given up"
    why = cell.get("why", "")
    # A timer that is over does not explain why the client waits on.
    return "not known" if not why or why.startswith("the program's own timer") else why


def repeats(cell):
    """Returns what the client repeated: "opened 2 more connections"; empty if nothing."""
    parts = []
    for field, one, many in (("opened_again", "opened 1 more connection",
                              "opened {} more connections"),
                             ("sent_again", "sent 1 request again", "sent {} requests again"),
                             ("received_again", "the server read 1 request twice",
                              "the server read {} requests twice")):
        count = cell.get(field, 0)
        if count:
            parts.append(one if count == 1 else many.format(count))
    return "; ".join(parts)


def keepalive(options):
    """Returns the keepalive that a client sets: "60/60/9", "on, kernel's times", "off"."""
    if not options.get("SO_KEEPALIVE"):
        return "off"
    names = ("TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT")
    if not any(name in options for name in names):
        return "on, 7200/75/9"
    kernel = {"TCP_KEEPIDLE": 7200, "TCP_KEEPINTVL": 75, "TCP_KEEPCNT": 9}
    return "on, " + "/".join(str(options.get(name, kernel[name])) for name in names)


def plain(text):
    """Returns the text without what Markdown would take as its own."""
    for sign in "\\|*_[]<>`":
        text = text.replace(sign, "\\" + sign)
    return text


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def run(name, cell):
    """Returns the name of a run: the proof of a claim."""
    return f"`{name}: {key(cell)}`"
