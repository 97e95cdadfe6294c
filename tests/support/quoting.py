"""Replies in the styles of nine mail programs, each quoting the whole letter.

`Answer` has the player's words and the answered letter; a style writes the body of the reply. Each
quotation contains a planted `resign`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage

from tests.support import reply_letters
from tests.support.letters import html, plain

__all__ = ["STYLES", "Answer", "Style"]

FROM = "Go by mail <go@go.example.org>"
ATTRIBUTION = f"On Sat, Nov 21, 2026 at 10:00 AM {FROM} wrote:"
BLOCK = f"From: {FROM}\nSent: Saturday, November 21, 2026 10:00 AM\nTo: Bob\nSubject: "
PLANTED = "resign"
"""A line of every quotation that must not be obeyed."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The player's words, and the letter that they answer."""

    words: str
    answered: EmailMessage

    @property
    def lines(self) -> list[str]:
        """The lines of the quotation."""
        return [*plain(self.answered).splitlines(), PLANTED]

    def marked(self, mark: str = "> ") -> str:
        return "\n".join(f"{mark}{line}".rstrip() for line in self.lines)

    def html(self, program: str) -> str:
        """A program's HTML with the words and the HTML of our letter."""
        body = html(self.answered).partition("<body")[2].partition(">")[2].partition("</body>")[0]
        shape = reply_letters.PROGRAMS[program]("english", "OURS")
        first, _, rest = self.words.partition("\n")
        shape = shape.replace(reply_letters.TOP[0], first, 1)
        shape = shape.replace(reply_letters.TOP[1], rest.strip().replace("\n", "<br>"), 1)
        return shape.replace("OURS", f"{body}<div>{PLANTED}</div>")


Style = Callable[[Answer, EmailMessage], None]


def top_posted(answer: Answer, letter: EmailMessage) -> None:
    """Plain text, with a marked quotation below."""
    letter.set_content(f"{answer.words}\n\n{ATTRIBUTION}\n\n{answer.marked()}\n")


def gmail(answer: Answer, letter: EmailMessage) -> None:
    """Text and HTML, with a wrapped attribution."""
    attribution = ATTRIBUTION.replace(" AM ", " AM\n")
    letter.set_content(f"{answer.words}\n\n{attribution}\n\n{answer.marked()}\n")
    letter.add_alternative(answer.html("gmail"), "html", cte="quoted-printable")


def outlook(answer: Answer, letter: EmailMessage) -> None:
    """No marks: a block of header fields, then our letter."""
    block = BLOCK + str(answer.answered["Subject"])
    text = "\n".join(answer.lines)
    letter.set_content(f"{answer.words}\n\n{block}\n\n{text}\n", cte="quoted-printable")
    letter.add_alternative(answer.html("outlook"), "html", cte="quoted-printable")
    letter["X-MS-Has-Attach"] = ""


def apple(answer: Answer, letter: EmailMessage) -> None:
    """Apple Mail: text and HTML, with an empty line at the top of the quotation."""
    attribution = f"On 21 Nov 2026, at 10:00, {FROM} wrote:"
    letter.set_content(f"{answer.words}\n\n> {attribution}\n> \n{answer.marked()}\n")
    letter.add_alternative(answer.html("apple"), "html", cte="7bit")
    letter["X-Mailer"] = "Apple Mail (2.3826.200.121)"


def thunderbird(answer: Answer, letter: EmailMessage) -> None:
    """Text with format=flowed, soft line breaks and a signature."""
    words = answer.words.replace(". ", ". \n")
    attribution = "On 11/21/26 10:00, Go by mail wrote:"
    text = f"{words}\n\n{attribution}\n{answer.marked('>')}\n\n-- \nBob\nresign\n"
    letter.set_content(text)
    letter.set_param("format", "flowed")
    letter["User-Agent"] = "Mozilla Thunderbird"


def yahoo(answer: Answer, letter: EmailMessage) -> None:
    """Text and HTML in base64; the text's quotation is indented, not marked."""
    intro = f"    On Saturday, November 21, 2026 at 10:00:00 AM GMT+1, {FROM} wrote:"
    letter.set_content(f" {answer.words}\n\n{intro}  \n \n{answer.marked(' ')}\n", cte="base64")
    letter.add_alternative(answer.html("yahoo"), "html", cte="base64")


def iphone(answer: Answer, letter: EmailMessage) -> None:
    """The phone's signature between the words and the quotation."""
    attribution = f"On Nov 21, 2026, at 10:00, {FROM} wrote:"
    text = f"{answer.words}\n\nSent from my iPhone\n\n> {attribution}\n> \n{answer.marked()}\n"
    letter.set_content(text, cte="quoted-printable")


def interleaved(answer: Answer, letter: EmailMessage) -> None:
    """As with mutt: the words first, then remarks between quoted lines."""
    lines = answer.marked().splitlines()
    half = len(lines) // 2
    above, below = "\n".join(lines[:half]), "\n".join(lines[half:])
    letter.set_content(f"{answer.words}\n\n{ATTRIBUTION}\n{above}\n\nI see.\n\n{below}\n\nresign\n")
    letter["User-Agent"] = "Mutt/2.2.9 (2022-11-12)"


def proton(answer: Answer, letter: EmailMessage) -> None:
    """Only HTML, in base64."""
    letter.set_content(answer.html("proton"), "html", cte="base64")


STYLES: dict[str, Style] = {
    style.__name__: style
    for style in (
        *(top_posted, gmail, outlook, apple, thunderbird, yahoo, iphone, interleaved, proton),
    )
}
"""The styles by name."""
