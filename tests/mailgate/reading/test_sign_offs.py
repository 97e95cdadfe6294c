"""What mail programs set below a letter: taken off its end, and left wherever a person wrote it."""

from __future__ import annotations

import pytest

from mailgate.address import Address
from mailgate.reading.additions import without_sign_off
from mailgate.reading.html_text import html_to_text
from mailgate.reading.reply_trimming import new_text
from tests.support.reply_styles import SIGN_OFFS

BOB = Address("bob@players.example", "Bob")
NICE = ("D4", "Nice game so far!")


@pytest.mark.parametrize("name", SIGN_OFFS)
def test_nothing_of_a_program_is_passed_on(name: str) -> None:
    """Below somebody's words, with a quotation or with none."""
    for below in ("", "\n\n> Bob played Q16.\n> resign\n"):
        assert new_text("\n".join(NICE) + f"\n\n{SIGN_OFFS[name]}{below}", writer=BOB) == NICE


@pytest.mark.parametrize(
    "words",
    [
        "Sent from heaven, that move.\nI am lost.",
        "I sent from the train what you did not get.",
        "Get well soon!",
        "Outlook: bleak for my group",
        "Mail: I read it at night",
        "Yahoo Mail: does it work for you?",
        "Mail: I read it in the evening only. Phone is better.",
        "You can reach me here too:\nbob.okafor@elsewhere.example",
        "carol@players.example\nwould like to play you.",
        "Ask Carol <carol@players.example>",
        "My address bob@players.example is the one to use.",
        "Bob",
        "Bob\nlovely game",
        "Thanks Bob\nLovely Game",
        "Bob\nThat Was Great Fun!",
        "Bob\nD5",
        "Data Scientist\nBob",
        "Carol\nData Scientist",
        "Ten e-mails a day, and none of a friend.",
        "This message is late, but I am confident.",
        "Classification: hopeless",
        "Look:\n<https://go.example/game?utm_source=news>",
        "[image: cat.png]",
        "This virus keeps me from writing email.",
        "On 20 November 2026 I wrote: wait for me.",
        "Am 20.11.26 um 10:00 schrieb ich dir, weisst du noch?",
        "I wrote to bob@players.example on 20/11/2026 at 10:00: nothing came.",
    ],
)
def test_people_s_words_stay(words: str) -> None:
    """Whoever mentions programs, addresses and dates has it passed on."""
    assert new_text(f"D4\n{words}", writer=BOB) == ("D4", *words.split("\n"))


@pytest.mark.parametrize("line", ["D4", "pass", "resign", "done", "bob", "D4 bob@players.example"])
def test_no_command_is_a_sign_off(line: str) -> None:
    """What may be asked of us is never taken off."""
    assert without_sign_off([line], BOB.address, BOB.name) == (line,)


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
def test_cards_and_promotions_in_html(below: str) -> None:
    """By their names where they have one, else as in plain text."""
    html = f"<div>{NICE[0]}</div><div>{NICE[1]}</div>{below}"
    assert new_text(html_to_text(html), writer=BOB) == NICE


def test_the_table_that_notes_writes_in_html() -> None:
    """It has no name and no mark: the mailbox and the date on its lines give it away."""
    html = (
        "<font size=2>D4<br>Nice game so far!</font><br><br><table width=100%><tr><td><font><b>"
        '"Go by mail" &lt;go@example.org&gt;</b></font><p><font>20/11/2026 10:00</font><td><table>'
        "<tr><td>To<td>bob@players.example<tr><td>Subject<td>Go</table></table><br>resign"
    )
    assert new_text(html_to_text(html), writer=BOB) == NICE
