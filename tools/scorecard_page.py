"""Writes the heat map of the scorecard: one HTML file, client by failure."""
import html
import json
from pathlib import Path

from scorecard_cells import (FAILURES, MOMENTS, cells_of, ended_after, is_about_server, key, label,
                             mark, outcome_words, reason_to_hang, repeats, short, span)

TEMPLATE = Path(__file__).with_name("scorecard.html")
STEPS = (0.1, 1, 10, 60)  # seconds: a logarithmic scale, as far as people's patience is one
GROUPS = (("server", "The server fails"), ("path", "The network fails"),
          ("client", "The client fails"))


def heat(cell):
    """Returns the class for a cell's colour: "t0" for the fastest, "hangs", "none"."""
    if mark(cell) in "-?":
        return "none"
    if cell["outcome"] == "hangs":
        return "hangs"
    after = ended_after(cell)
    if after is None:
        return "calm"
    return f"t{sum(after >= step for step in STEPS)}"


def columns_of(results):
    """Returns the failures of each side that some client was audited with."""
    there = {(cell["side"], cell["failure"]) for result in results.values()
             for cell in result["cells"]}
    return [(side, failure) for side, _ in GROUPS for failure in FAILURES
            if (side, failure) in there]


class Pool:
    """Texts that many cells share, each once."""

    def __init__(self):
        self.texts, self._numbers = [], {}

    def number(self, text):
        if text not in self._numbers:
            self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return self._numbers[text]


def detail_lines(cell, limit):
    """Returns what the panel says about a cell, line by line."""
    lines = [f"{mark(cell)} {outcome_words(cell)}"]
    after = ended_after(cell)
    if cell.get("outcome") == "hangs":
        lines[0] += f" after {limit.removesuffix('s')} s"
    elif after is not None:
        lines[0] += f", {span(after)} after the failure"
    if "noticed" in cell and not is_about_server(cell):
        lines.append(f"noticed after {span(cell['noticed']['after'])}: {cell['noticed']['words']}")
    lines.append(reason_to_hang(cell) if cell.get("outcome") == "hangs" and not
                 is_about_server(cell) else cell.get("why", ""))
    lines.append(repeats(cell))
    lines.append(f"“{cell['text']}”" if cell.get("text") else "")
    return [line for line in lines if line]


def button(client, result, cell, page):
    name = key(cell)
    words = f"{result['title']}: {label(name)}: {outcome_words(cell)}"
    text = short(cell)
    link = f' data-page="{html.escape(page)}"' if page else ""
    return (f'<button type="button" class="{heat(cell)}" data-moment="{cell["moment"]}" '
            f'data-outcome="{cell.get("outcome", "")}" data-cell="{client}|{name}"{link} '
            f'aria-label="{html.escape(words + ", " + text)}">{html.escape(text)}</button>')


def row(client, result, columns, folder):
    there = cells_of(result)
    out = [f'<tr data-client="{client}"><th scope="row">{html.escape(result["title"])}</th>']
    for side, failure in columns:
        out.append(f'<td data-side="{side}">')
        for moment in MOMENTS:
            cell = there.get(f"{side}.{failure}.{moment}")
            if cell:
                page = f"{client}/{cell['run']}.html"
                has_page = folder is not None and (folder / page).is_file()
                out.append(button(client, result, cell, page if has_page else ""))
        out.append("</td>")
    return "".join(out) + "</tr>\n"


def head_of(columns):
    groups = "".join(
        f'<th scope="colgroup" data-side="{side}" '
        f'colspan="{sum(one == side for one, _ in columns)}">{title}</th>'
        for side, title in GROUPS if any(one == side for one, _ in columns))
    names = "".join(f'<th scope="col" data-side="{side}">{FAILURES[failure]}</th>'
                    for side, failure in columns)
    return f"<tr><td></td>{groups}</tr>\n<tr><th scope=\"col\">client</th>{names}</tr>"


def details_of(results):
    pool = Pool()
    cells = {f"{client}|{key(cell)}": [pool.number(line)
                                       for line in detail_lines(cell, result["limit"])]
             for client, result in results.items() for cell in result["cells"]}
    # "</" would end the script.
    return json.dumps({"texts": pool.texts, "cells": cells}, ensure_ascii=False,
                      separators=(",", ":")).replace("</", "<\\/")


def page(results, folder=None):
    """Returns the page. Where `folder` has the page of a run, its cell links to it."""
    columns = columns_of(results)
    limits = sorted({result["limit"].removesuffix("s") for result in results.values()})
    moments = "".join(f'<option value="{name}"{" selected" if name == "waiting" else ""}>'
                      f"{title}</option>" for name, title in MOMENTS.items())
    rows = "".join(row(client, result, columns, folder) for client, result in results.items())
    text = TEMPLATE.read_text(encoding="utf-8")
    for name, value in (("LIMIT", ", ".join(limits)), ("MOMENTS", moments),
                        ("HEAD", head_of(columns)), ("CLIENTS", str(len(results))),
                        ("ROWS", rows), ("DETAILS", details_of(results))):
        text = text.replace("{{" + name + "}}", value)
    return text
