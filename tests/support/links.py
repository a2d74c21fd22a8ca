"""Finds links that lead nowhere: in Markdown files, and in a folder of HTML pages. Addresses of
other sites are only checked for their form: no test uses a network."""
import html.parser
import re
import urllib.parse
from pathlib import Path

FENCE = re.compile(r"^(```|~~~).*?^\1", re.M | re.S)
CODE = re.compile(r"(`+).+?\1", re.S)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]*)\)")
HEADING = re.compile(r"^#{1,6} +(.*?)\s*$", re.M)
PLACE = re.compile(r'<a id="([^"]+)">')
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")


def is_well_formed(address):
    """Returns whether an address of another site is https or http, with a host and no blanks."""
    parts = urllib.parse.urlsplit(address)
    return (parts.scheme in ("http", "https") and bool(re.fullmatch(r"[\w.-]+\.\w+", parts.netloc))
            and not re.search(r"\s", address))


def slug(heading):
    """Returns the anchor that GitHub gives a heading: github.com/Flet/github-slugger"""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def prose(text):
    """Returns Markdown without its code blocks."""
    return FENCE.sub("", text)


def anchors(text):
    """Returns the places in a Markdown text that a link can name."""
    found, counts = set(PLACE.findall(prose(text))), {}
    for heading in HEADING.findall(prose(text)):
        name = slug(heading.replace("`", ""))
        count = counts.get(name, 0)
        counts[name] = count + 1
        found.add(f"{name}-{count}" if count else name)
    return found


def links(text):
    return LINK.findall(CODE.sub(lambda code: "x" * len(code[0]), prose(text)))


def why_broken(address, file, places_of):
    """Returns why an address in `file` leads nowhere; None if it leads somewhere. `places_of`
    returns the places in another file that an address can name."""
    if SCHEME.match(address):
        return None if is_well_formed(address) else "not a well-formed address"
    path, _, place = urllib.parse.unquote(address).partition("#")
    target = (file.parent / path) if path else file
    if not target.exists():
        return "no such file"
    if place and place not in places_of(target):
        return f'"{place}" is no place in {target.name}'
    return None


def broken_in_markdown(file):
    """Returns "address: why" for each broken link of a Markdown file."""
    places_of = lambda target: anchors(target.read_text(encoding="utf-8"))
    found = [(address, why_broken(address, file, places_of))
             for address in links(file.read_text(encoding="utf-8"))]
    return [f"{file.name}: {address}: {why}" for address, why in found if why]


class Page(html.parser.HTMLParser):
    """What a page links to and loads, and the places that it has."""

    def __init__(self, file):
        super().__init__()
        self.addresses, self.places = [], set()
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        if "id" in named:
            self.places.add(named["id"])
        self.addresses += [named[name] for name in ("href", "src") if named.get(name) is not None]


# Addresses within a page that its script reads, and where to find a picture's parts.
OF_SCRIPT = re.compile(r"#(event=\d+|predict)?$")


def broken_in_pages(folder):
    """Returns "page: address: why" for each broken link of the HTML pages below a folder."""
    folder = Path(folder)
    pages = {file.resolve(): Page(file) for file in folder.rglob("*.html")}
    places_of = lambda target: pages[target.resolve()].places
    broken = []
    for file, page in sorted(pages.items()):
        for address in page.addresses:
            if address.startswith("data:") or OF_SCRIPT.match(address):
                continue
            why = why_broken(address, file, places_of)
            if why is None and not SCHEME.match(address) and not (
                    file.parent / urllib.parse.unquote(address.partition("#")[0])
            ).resolve().is_relative_to(folder.resolve()):
                why = "outside the site"
            if why:
                broken.append(f"{file.name}: {address}: {why}")
    return broken
