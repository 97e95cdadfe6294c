"""The turn letter at the top of README.md, as a picture and as text, from the letter itself.

REGENERATE_LETTERS=1 pytest tests/test_readme.py writes both again, once letters look different.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from html import escape

from godaemon.diagrams.picture import BoardPicture, picture
from godaemon.diagrams.svg import svg
from godaemon.games import commands as cmd
from godaemon.games.model import Seat
from godaemon.rules.points import Color, Size, parse_point
from mailgate.letters.blocks import Block, Diagram, Items, Quote, Table, Words
from tests.support import places
from tests.support.played_games import PlayedGames, Posted

FILE, README = places.ROOT / "config" / "turn-letter.svg", places.ROOT / "README.md"
_WIDTH, _LEFT, _INK, _CLEAR = 560, 22, "#1f2328", "#57606a"
_FONT = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"


def turn_letter() -> Posted:
    """What Alice is sent at move 12 of a game on 9x9, with a word from Bob."""
    games = PlayedGames()
    games.start(cmd.Propose("bob@players.example", Size(9, 9), color=Color.BLACK))
    games.play("E5 E3 G4 D6 E6 D5 D4 C4 E4 C3 F3")
    games.letters()
    games.act(Seat.WHITE, cmd.Play(parse_point("E7")), cmd.Say("I did not see F3 coming. Nice!"))
    return next(posted for posted in games.letters() if posted.kind == "your-turn")


class _Page:
    """A page that is written from its top."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.y = 0

    def text(
        self, words: str, *, size: int = 15, color: str = _INK, x: int = _LEFT, more: str = ""
    ) -> None:
        """A paragraph, in as many lines as it needs."""
        lines = textwrap.wrap(words.replace("`", ""), int((_WIDTH - 2 * _LEFT) / (0.47 * size)))
        for line in lines:
            self.y += round(size * 1.4)
            place = f'x="{x}" y="{self.y}" font-size="{size}" fill="{color}"'
            self.parts.append(f"<text {place}{more}>{escape(line)}</text>")
        self.y += size // 2

    def quote(self, block: Quote) -> None:
        """Somebody's words, with a bar beside them."""
        self.text(block.whose)
        top = self.y
        for line in block.lines:
            self.text(line, x=_LEFT + 14)
        bar = f'<rect x="{_LEFT}" y="{top}" width="4" height="{self.y - top}" fill="#c99a4b"/>'
        self.parts.append(bar)
        self.y += 8

    def diagram(self, block: Diagram) -> None:
        """The board, and what can be replied below it."""
        board = svg(picture(BoardPicture(block.rows, block.last)))
        height = int(re.findall(r'height="(\d+)"', board)[0])
        self.y += 8
        self.parts.append(board.strip().replace("<svg ", f'<svg x="{_LEFT}" y="{self.y}" ', 1))
        self.y += height + 6
        if block.reply is not None:
            self.text(block.reply.clicks)
            self.y += 6
            x = _LEFT
            for words, _ in block.reply.buttons:
                self._button(words, x, wide := 28 + 8 * len(words))
                x += wide + 10
            self.y += 48

    def _button(self, words: str, x: int, wide: int) -> None:
        box = f'x="{x}" y="{self.y}" width="{wide}" height="36" rx="6"'
        self.parts.append(f'<rect {box} fill="#fdf3de" stroke="#a9792b"/>')
        middle = f'x="{x + wide // 2}" y="{self.y + 23}" text-anchor="middle"'
        self.parts.append(f'<text {middle} font-size="15" fill="#4f3608">{escape(words)}</text>')

    def block(self, block: Block) -> None:
        """Any block as HTML has it, where its points can be clicked."""
        match block:
            case Diagram():
                self.diagram(block)
            case Quote():
                self.quote(block)
            case Table():
                for row in block.rows:
                    self.text(" ".join(row), size=13, color=_CLEAR)
            case Items():
                for item in block.items:
                    self.text(f"• {item}")
            case Words():
                if block.small:
                    self.text(block.words, size=13, color=_CLEAR)
                else:
                    self.text(block.words)
            case _:
                pass


def drawn() -> str:
    """The picture as the text of an SVG file."""
    posted = turn_letter()
    letter = posted.composer.blocks(posted.data)
    page = _Page()
    page.y = 14
    for name in ("From", "Subject"):
        page.text(f"{name}: {posted.letter[name]}", size=13, color=_CLEAR)
    page.y += 8
    page.text(letter.first, size=17, more=' font-weight="bold"')
    for block in letter.blocks:
        page.block(block)
    return "\n".join([*_frame(page.y + 12), *page.parts, "</svg>\n"])


def _frame(height: int) -> Iterator[str]:
    size = f'width="{_WIDTH}" height="{height}"'
    view = f'viewBox="0 0 {_WIDTH} {height}" font-family="{_FONT}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view}>'
    yield "<title>A turn letter in a mail program</title>"
    yield f'<rect {size} rx="8" fill="#ffffff" stroke="#d0d7de"/>'


def readme() -> str:
    """README.md with the text of the letter in it."""
    begin, mark, rest = README.read_text("utf-8").partition("```text\n")
    return f"{begin}{mark}{turn_letter().text.strip()}\n```{rest.partition('```')[2]}"


def rewrite() -> None:
    """Put the picture and the text where they belong."""
    FILE.write_text(drawn(), encoding="utf-8")
    README.write_text(readme(), encoding="utf-8")
