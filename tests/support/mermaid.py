"""Reads a sequence diagram of Mermaid more strictly than Mermaid does. The grammar is the part of
https://mermaid.js.org/syntax/sequenceDiagram.html that tcplab writes."""
import html
import re

# Text ends at a ';', and a '#' begins a comment; both may only be parts of an entity.
ENTITY = re.compile(r"#(\d+);")
TEXT = r"(?P<text>[^#;\n]+)"
LINES = [
    r"title " + TEXT,
    r"accTitle: " + TEXT,
    r"accDescr: " + TEXT,
    r"participant (?P<new>[a-z]+\d*) as " + TEXT,
    r"Note (?:left of|right of|over) (?P<at>[a-z]+\d*)(?:,(?P<to>[a-z]+\d*))?: " + TEXT,
    r"(?P<from>[a-z]+\d*)(?P<arrow>->>|-->>|-x|--\))(?P<end>[a-z]+\d*): " + TEXT,
]
WORDS = {"end", "note", "over", "loop", "rect", "opt", "alt", "else", "par", "and", "critical",
         "option", "break", "box", "actor", "participant", "create", "destroy", "link", "links"}


class SyntaxFault(Exception):
    pass


def encoded(text):
    """Replaces entities as Mermaid does, before it parses (encodeEntities() in its utils.ts)."""
    for word in ("style", "classDef"):
        text = re.sub(rf"{word}.*:\S*#.*;", lambda found: found[0][:-1], text)
    return ENTITY.sub(lambda entity: f"\N{WAVE DASH}{entity[1]}\N{PILCROW SIGN}", text)


def decoded(text):
    return html.unescape(re.sub("\N{WAVE DASH}(\\d+)\N{PILCROW SIGN}", r"&#\1;", text))


def read(diagram):
    """Returns each line as a dict of its parts, with decoded text. Raises SyntaxFault."""
    first, *lines = encoded(diagram).split("\n")
    if first != "sequenceDiagram" or lines.pop() != "":
        raise SyntaxFault(f"begins with {first!r}, or does not end with a line feed")
    participants, found = set(), []
    for line in lines:
        fitting = [parts for grammar in LINES if (parts := re.fullmatch("  " + grammar, line))]
        if not fitting or "%%" in line or re.search(r"<(?!br/>)|[{}\\$&\"|]", line):
            raise SyntaxFault(line)
        parts = {name: part for name, part in fitting[0].groupdict().items() if part}
        if "new" in parts:
            participants.add(parts["new"])
        used = {parts[name] for name in ("at", "to", "from", "end") if name in parts}
        if used - participants or participants & WORDS:
            raise SyntaxFault(f"{line}: no such participant")
        found.append(parts | {"text": decoded(parts["text"])})
    return found
