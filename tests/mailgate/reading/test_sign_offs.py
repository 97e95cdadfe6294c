"""Footers of mail programs are removed; the same words by a person stay."""

import pytest

from mailgate.address import Address
from mailgate.reading.additions import strip_sign_off
from mailgate.reading.html_text import html_to_text
from mailgate.reading.reply_trimming import new_text
from tests.support import places
from tests.support.blocks import read_lines
from tests.support.reply_styles import SIGN_OFFS

LINES = read_lines(places.DATA / "read_lines.txt")

BOB = Address("bob@players.example", "Bob")
NICE = ("D4", "Nice game so far!")


@pytest.mark.parametrize("name", SIGN_OFFS)
def test_footers_of_programs_are_removed(name: str) -> None:
    """Below a message, with or without a quotation."""
    for below in ("", "\n\n> Bob played Q16.\n> resign\n"):
        assert new_text("\n".join(NICE) + f"\n\n{SIGN_OFFS[name]}{below}", writer=BOB) == NICE


@pytest.mark.parametrize("words", LINES["people's words about programs, addresses and dates"])
def test_sentences_about_programs_are_kept(words: str) -> None:
    """And about addresses and dates."""
    assert new_text(f"D4\n{words}", writer=BOB) == ("D4", *words.split("\n"))


@pytest.mark.parametrize("line", ["D4", "pass", "resign", "done", "bob", "D4 bob@players.example"])
def test_a_command_is_no_footer(line: str) -> None:
    """What may be asked of us is never taken off."""
    assert strip_sign_off([line], BOB.address, BOB.name) == (line,)


CARD = "<table><tr><td>Bob</td></tr><tr><td>bob@players.example</td></tr></table>"
OURS = '<div class="ntes-mailmaster-quote"><div>---- Replied Message ----</div>resign</div>'


@pytest.mark.parametrize(
    "below",
    [
        f'<a class="xm_write_card" id="in_alias" href="https://mail.example/card">{CARD}</a>',
        f'<div id="imail_signature" class="ntes-signature">{CARD}</div>{OURS}',
        f'<div id="divNeteaseMailCard">{CARD}</div><blockquote id="isReplyContent">x</blockquote>',
        f'<div><a href="https://maas.example/proSignature.html?uid=bob">{CARD}</a></div>{OURS}',
        '<div id="ymail_signature"><a href="x">Yahoo Mail: Search, Organize, Conquer</a></div>',
        '<div class="gmail_signature">Sent via <a href="https://sprh.example">Superhuman</a></div>',
        '<div>Sent from <a href="https://postbox.example">Postbox</a></div>',
    ],
)
def test_cards_and_promotions_in_html_are_removed(below: str) -> None:
    """By their names, or else as in plain text."""
    html = f"<div>{NICE[0]}</div><div>{NICE[1]}</div>{below}"
    assert new_text(html_to_text(html), writer=BOB) == NICE


def test_the_header_table_of_notes_is_removed() -> None:
    """Only its addresses and dates identify it."""
    html = (
        "<font size=2>D4<br>Nice game so far!</font><br><br><table width=100%><tr><td><font><b>"
        '"Go by mail" &lt;go@example.org&gt;</b></font><p><font>20/11/2026 10:00</font><td><table>'
        "<tr><td>To<td>bob@players.example<tr><td>Subject<td>Go</table></table><br>resign"
    )
    assert new_text(html_to_text(html), writer=BOB) == NICE
