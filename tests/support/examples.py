"""The whole scenarios in docs/scenarios.md."""
import os
import re
from pathlib import Path

DOCS = Path(os.environ["TCPLAB_SOURCE"]) / "docs"


def write_examples(folder):
    """Writes each into a file of its own. Returns how many there are."""
    page = (DOCS / "scenarios.md").read_text(encoding="utf-8")
    examples = re.findall(r"```lua\n(return \{.*?)```", page, re.S)
    for number, example in enumerate(examples):
        Path(folder, f"example-{number}.lua").write_text(example, encoding="utf-8")
    return len(examples)
