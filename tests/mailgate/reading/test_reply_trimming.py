"""The new text of a letter: its boundary, and the footers of mail programs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.games.commands import Play
from godaemon.texts.catalogue import languages, say, speaking
from mailgate.address import Address
from mailgate.language.parser import parse_text
from mailgate.reading.additions import strip_sign_off
from mailgate.reading.html_text import html_to_text
from mailgate.reading.our_sentences import marker
from mailgate.reading.reply_trimming import fold_space, new_text
from tests.support import places
from tests.support.blocks import read_lines
from tests.support.examples import some
from tests.support.reply_styles import ATTRIBUTIONS, SIGN_OFFS, Style, styles
from tests.support.rows import each_row

LINES = read_lines(places.DATA / "read_lines.txt")

BOB = Address("bob@players.example", "Bob")
"""Who writes them."""


@each_row("style", some(styles(), 4))
def test_text_ends_at_the_boundary(style: Style) -> None:
    """Whether a blank line precedes it or not; all text above is kept."""
    below = style.below.replace("RESIGN", "resign")
    found = new_text(f"D4\nNice game so far!\n\n{below}")
    assert found[:2] == ("D4", "Nice game so far!")
    assert "resign" not in found
    assert [type(one.command) for one in parse_text(found).commands] == [Play]
    for line in ("D4", "new 9x9 komi 6.5 vs carol@players.example"):
        assert new_text(f"{line}\n{below}", writer=BOB) == (line,)
    assert "resign" not in new_text(below)


@each_row("name", ATTRIBUTIONS)
def test_an_answer_below_a_quotation_is_read(name: str) -> None:
    """If nothing is above it."""
    found = new_text(
        f"{ATTRIBUTIONS[name]}\n> Bob played Q16.\n>\n> resign\n\nD4\nHello!\n\n-- \nBob"
    )
    assert found == ("D4", "Hello!")


FULL = "> you might have seen it coming, but I say that in the end you will have to"
"""A quoted line that a program may wrap: its rest has no mark, and is no answer."""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("> you could now\nresign\n> or play on\n\nD4", ["D4"]),
        (f"{FULL}\nresign\n\nD4\nHello!", ["D4", "Hello!"]),
        (f"{FULL}\nresign\n", []),
        (f"{FULL}\nresign\n\n-- \npass", []),
        ("> Your move.\nD4", ["D4"]),
        ("> one\n\nD4\n\n> two\n\nresign", ["D4"]),
        ("D4\n\n> old\n\nresign", ["D4"]),
        (f"D4\n*{marker().strip('- ')}*\nresign", ["D4"]),
    ],
)
def test_one_block_of_text_is_read(text: str, found: list[str]) -> None:
    """That above the quotation or our marker, or else the first block below it."""
    assert [*new_text(text)] == found


@pytest.mark.parametrize(
    ("above", "read_as"),
    [
        ("D4\nHello!\n\n{}", ("D4", "Hello!")),
        ("{}\n\nD4\nHello!", ("D4", "Hello!")),
        ("D4\n{}", ("D4",)),
        ("{}", ()),
    ],
)
@pytest.mark.parametrize(
    "sentence",
    [
        "Bob played Q16 (move 57). Your move, Black.",
        "Bob passed (move 57). One more pass and you count. Your move,\nBlack.",
        "Bob (White) wins by 3.5 points. Game 34 is over.",
    ],
)
def test_our_first_sentence_is_not_read(
    above: str, read_as: tuple[str, ...], sentence: str
) -> None:
    """Programs may quote it unmarked; it is above our marker."""
    assert new_text(f"{above.format(sentence)}\n\n{marker()}\n\nresign") == read_as


@pytest.mark.parametrize("language", languages())
def test_our_first_sentence_is_recognised_in_every_language(language: str) -> None:
    """Bug: in Japanese and Chinese a line below it was read, if our marker was lost."""
    with speaking(language):
        played = say("they-played", who="Bob", point="Q16", number=57)
        first, end = f"{played} {say('your-move', color=say('black'))}", marker()
    for quoted in (f"{first}\n\n{end}", first, f"{first}\n\n{marker()}"):
        assert new_text(f"{quoted}\n\nresign") == ()
        assert new_text(f"D4\nHello!\n\n{quoted}\n\nresign") == ("D4", "Hello!")
    assert new_text(f"D4\n{end}\nresign") == ("D4",)


@pytest.mark.parametrize("banner", LINES["a server's warning above an email"])
def test_a_servers_warning_is_skipped(banner: str) -> None:
    """Many companies add one above every letter from outside."""
    assert new_text(f"{banner}\n\nD4\nHello!\n\n> resign") == ("D4", "Hello!")
    assert new_text(f"\n{banner}\nD4\n") == ("D4",)
    assert new_text(f"{banner}\n\n-- \nresign") == ()
    assert new_text(f"D4\n{banner}")[0] == "D4"


@each_row("line", LINES["programs and companies add it"])
def test_footers_are_not_passed_on(line: str) -> None:
    """Those of phones, virus scanners and lawyers."""
    assert new_text(f"D4\nHello!\n\n{line}\n\nresign") == ("D4", "Hello!")


@pytest.mark.parametrize("line", LINES["words about telephones"])
def test_text_about_telephones_is_no_footer(line: str) -> None:
    """A program's name alone makes none."""
    assert new_text(f"D4\n{line}") == ("D4", line)


@pytest.mark.parametrize("line", ["Caution!", "External walls are strong.", "Warning: atari!"])
def test_a_players_warning_is_kept(line: str) -> None:
    """Only texts of servers are skipped."""
    assert new_text(f"{line}\nD4") == (line, "D4")


@pytest.mark.parametrize(
    "end",
    ["<go@example.org\n>:", "<go@example.org>\n> wrote:", "<\nmailto:go@example.org\n> wrote:"],
)
def test_the_wrapped_end_of_an_attribution_is_no_quotation(end: str) -> None:
    """It may begin with `>`; unmarked lines below it are no answer."""
    attribution = f'Am 21.04.2026 um 17:48 schrieb "Go" {end}'
    assert new_text(f"{attribution}\nresign\n") == ()
    assert new_text(f"{attribution}\n\nresign\n\npass") == ()
    assert new_text(f"D4\n\n{attribution}\nresign") == ("D4",)


@pytest.mark.parametrize(
    "line",
    [
        "2026/11/20 Go by mail <go@example.org>",
        "2026-11-20 17:21 GMT+01:00 Go by mail",
        "On Fri, Nov 20, 2026 at 10:07 PM Go by mail\n\n<\nmailto:go@example.org",
        "On Fri, 20 Nov 2026 08:14:43 +0100 Go <go@example.org> wrote",
    ],
)
def test_an_attribution_without_a_colon_is_removed(line: str) -> None:
    """A dated line directly above a quotation."""
    assert new_text(f"D4\nHello!\n\n{line}\n\n> resign") == ("D4", "Hello!")


def test_a_command_above_our_marker_is_read() -> None:
    """It is not taken for our first sentence, even if it is long."""
    for command in ("new 9x9 komi 6.5 vs bob@example.org", "move me to bob@example.org"):
        for above in ("", "show\n"):
            text = f"{above}{command}\n\n{marker()}\n\nReply with: D4\n\nresign\nA B\nC"
            assert command in new_text(text)


@pytest.mark.parametrize(
    "line", ["\ufeffD4", "\u200bD4\u200b", "\u2003D4\xa0", "D4\r", "\u2060D4", "D4\u200e"]
)
def test_invisible_characters_are_removed(line: str) -> None:
    """Byte-order marks, zero-width marks and wide spaces."""
    assert new_text(line) == ("D4",)
    assert fold_space(line) == "D4"


@pytest.mark.parametrize("text", LINES["ordinary words that resemble a boundary"])
def test_text_that_resembles_a_boundary_is_kept(text: str) -> None:
    """Chat that resembles a boundary is kept whole."""
    assert new_text(f"D4\n{text}") == ("D4", *text.split("\n"))


@given(st.text())
def test_any_text_is_trimmed(text: str) -> None:
    """Each line found was in it."""
    found = new_text(text)
    folded = {fold_space(line) for line in text.split("\n")}
    assert set(found) <= folded


_PIECES = st.sampled_from(
    ["> x", "", "D4", "On Fri 20 Nov 2026", "Bob <b@x.org>", "wrote:", "-- ", "From: a@b", "To: x"]
)


@given(st.lists(_PIECES, max_size=40))
def test_any_order_of_boundaries_is_trimmed(lines: list[str]) -> None:
    """No line with a quotation mark is read."""
    assert not any(line.startswith(">") for line in new_text("\n".join(lines)))


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "text",
    [
        ">" * 500_000,
        "> x\n" * 100_000,
        "x\n" * 200_000,
        "-" * 500_000,
        "On " * 200_000 + ":",
        "On 2026 a@b:\n" * 50_000,
        "- - " * 100_000,
        "a:" * 200_000,
        " " * 1_000_000,
        ("x" * 1_999 + ":\n") * 300,
        ("*" * 1_999 + ":\n") * 300,
        ("wrote " * 300 + "\n") * 300,
        ("this message " * 150 + "\n") * 300,
        ("caution this email is " * 90 + "\n") * 300,
        ("Game 1 against " * 130 + "\n") * 300,
    ],
    ids=lambda text: repr(text[:8]),
)
def test_hostile_text_takes_bounded_time(text: str) -> None:
    """No text makes the scanner slow."""
    new_text(text)


NICE = ("D4", "Nice game so far!")


@each_row("name", SIGN_OFFS)
def test_footers_of_programs_are_removed(name: str) -> None:
    """Below a message, with or without a quotation."""
    for below in ("", "\n\n> Bob played Q16.\n> resign\n"):
        assert new_text("\n".join(NICE) + f"\n\n{SIGN_OFFS[name]}{below}", writer=BOB) == NICE


@each_row("words", LINES["people's words about programs, addresses and dates"])
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
