"""Reply styles as data: how mail programs of many languages introduce and mark quotations.

A style is the text below the person's words. `RESIGN` in it is the place of a planted line that
would end the game if it were read.
"""

from dataclasses import dataclass

from tests.support import places
from tests.support.blocks import read_blocks

FOLDER = places.DATA / "replies"
ATTRIBUTIONS, HEADERS, ENDS, SIGN_OFFS, HEADINGS = (
    read_blocks(FOLDER / f"{name}.txt")
    for name in ("attributions", "headers", "ends", "sign_offs", "headings")
)

_QUOTED = ("Bob played Q16.", "", "RESIGN", "", "Reply with: D4")


@dataclass(frozen=True, slots=True)
class Style:
    """A name, and the text below the person's words."""

    name: str
    below: str


def _marked(prefix: str) -> str:
    return "\n".join(f"{prefix}{line}".rstrip() for line in _QUOTED)


def _wrapped(line: str, at: int) -> str:
    """Wrap a line at the last space before a width."""
    cut = line.rfind(" ", 0, at)
    return line if cut <= 0 or len(line) <= at else f"{line[:cut]}\n{line[cut + 1 :]}"


def styles() -> list[Style]:
    """All styles: attributions, plain or wrapped, marked or not; headers; ends."""
    found = []
    for name, line in ATTRIBUTIONS.items():
        found.append(Style(f"{name}, marked", f"{line}\n{_marked('> ')}"))
        found.append(Style(f"{name}, marked without space", f"{line}\n\n{_marked('>')}"))
        found.append(Style(f"{name}, unmarked", f"{line}\n\n{_marked('')}"))
        found.append(Style(f"{name}, wrapped", f"{_wrapped(line, 40)}\n\n{_marked('')}"))
        found.append(Style(f"{name}, wrapped late", f"{_wrapped(line, 60)}\n{_marked('')}"))
    for name, block in HEADERS.items():
        found.append(Style(f"{name} header", f"{block}\n\n{_marked('')}"))
        rule = "_" * 32
        found.append(Style(f"{name} header under a rule", f"{rule}\n{block}\n\n{_marked('')}"))
    found.extend(Style(name, f"{line}\n{_marked('')}") for name, line in ENDS.items())
    found.extend(Style(name, f"{line}\n\n{_marked('> ')}") for name, line in SIGN_OFFS.items())
    found.extend(Style(name, f"{line}\n\n{_marked('')}") for name, line in HEADINGS.items())
    found.append(Style("bare quotation", _marked("> ")))
    found.append(Style("quotation with initials", _marked("GO> ")))
    found.append(Style("quotation with bars", _marked("| ")))
    return found
