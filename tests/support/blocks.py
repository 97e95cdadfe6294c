r"""Files of named texts: a line `== name`, followed by the lines of the text.

Text above the first name is a comment. `\u200b` stands for that character, `\u0020` for a space
that an editor would strip from the end of a line.
"""

import re
from pathlib import Path


def read_blocks(path: Path) -> dict[str, str]:
    """The texts of a file by name, in file order."""
    _, *found = re.split(r"^== (.*)\n", path.read_text("utf-8"), flags=re.MULTILINE)
    pairs = zip(found[::2], found[1::2], strict=True)
    character = re.compile(r"\\u([0-9a-f]{4})")
    texts = {name: text.removesuffix("\n") for name, text in pairs}
    return {name: character.sub(lambda one: chr(int(one[1], 16)), texts[name]) for name in texts}


def read_lines(path: Path) -> dict[str, list[str]]:
    """The lines of each text of a file by name; `⏎` becomes a line break."""
    found = {name: text.split("\n") for name, text in read_blocks(path).items()}
    return {name: [one.replace("⏎", "\n") for one in lines] for name, lines in found.items()}
