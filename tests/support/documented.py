"""Finds the commands in the code of Markdown documents and of manual pages."""
import re
import shlex

FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```", re.M | re.S)
INDENTED = re.compile(r"(?<=\n\n)(?: {4}.*\n)+")
INLINE = re.compile(r"`((?:\./)?(?:tcplab|dnc) [^`]+)`")
PROMPT = re.compile(r"^[$#] (?=\S)")
# What the commands of an indented block begin with. Other lines of it are output.
BEGINS = re.compile(r"(\./)?(tcplab|dnc|test|bench/run|tools/\S+|build/\S+|sudo|podman|docker|"
                    r"cmake|cpack|cd|ssh|git|apt|curl|python3)( |$)")
COMMENT = re.compile(r"(?<=\s)#\s.*$")


def joined(text):
    """Returns the lines of a text, after joining those that end with a backslash."""
    return re.sub(r"\\\n\s*", "", text).splitlines()


def of_block(text, all_lines):
    """Returns the commands of a block: lines after a prompt, or if none has one, all lines, or
    those that begin like a command."""
    lines = [line.strip() for line in joined(text)]
    if any(line.startswith("$ ") for line in lines):
        lines = [line[2:] for line in lines if line.startswith("$ ")]
    elif not all_lines:
        lines = [PROMPT.sub("", line) for line in lines
                 if PROMPT.match(line) or BEGINS.match(line)]
    stripped = [COMMENT.sub("", line).strip() for line in lines]
    return [line for line in stripped if line and not line.startswith("# ")]


def commands(markdown):
    """Returns the commands of a document's code blocks, in their order."""
    found = []

    def fenced(match):
        if match[2] in ("sh", "bash", "shell", "console"):
            found.append((match.start(), of_block(match[3], match[2] != "console")))
        return re.sub(r"[^\n]", "x", match[0])

    rest = FENCE.sub(fenced, markdown)
    found += [(match.start(), of_block(match[0], False)) for match in INDENTED.finditer(rest)]
    return [command for _, block in sorted(found) for command in block]


def inline_commands(markdown):
    """Returns what looks like a command of tcplab or dnc in a document's text."""
    text = INDENTED.sub("", FENCE.sub("", markdown))
    return [" ".join(span.replace("\\|", "|").split()) for span in INLINE.findall(text)]


def of_manual(page):
    """Returns the examples of a manual page: `.Dl $ tcplab list`."""
    return [line.replace("\\e", "\\") for line in re.findall(r"^\.Dl \$ (.*)$", page, re.M)]


def words(command):
    try:
        return shlex.split(command)
    except ValueError:  # a part of a command, such as `client:inject("`
        return command.split()


def calls(command):
    """Yields the calls of tcplab and dnc in a command line: the program and its arguments, up to
    "--"."""
    for part in re.split(r"\s(?:\|\|?|&&|;|<|>)\s", command):
        split = words(part)
        while split and re.fullmatch(r"sudo|-E|[A-Z_]+=.*", split[0]):
            split = split[1:]
        if split and split[0].rpartition("/")[2] in ("tcplab", "dnc"):
            arguments = split[1:]
            if "--" in arguments:
                arguments = arguments[:arguments.index("--")]
            yield split[0].rpartition("/")[2], arguments


def options(arguments):
    """Returns the options among the arguments, without their values."""
    return [re.sub(r"=.*", "", word) for word in arguments if re.match(r"--?[A-Za-z]", word)]
