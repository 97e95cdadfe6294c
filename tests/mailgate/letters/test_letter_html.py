"""The HTML of letters: size, resources, dark mode, screen readers."""

import re
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from html.parser import HTMLParser

import pytest
from bs4 import BeautifulSoup
from bs4.element import Tag

from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.model import Game, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.state import apply, replay
from godaemon.rules.points import Color, Point, Size, parse_point
from mailgate.language.command_lines import is_command_line
from mailgate.letters.compose import Composed, Composer
from mailgate.letters.html_page import MAX_BYTES
from mailgate.letters.letter_data import LetterData
from mailgate.reading.reply_trimming import new_text
from tests.support.contrast import contrast, mixed
from tests.support.letters import parsed, part
from tests.support.mailto import board_clicks, button_clicks, clicks
from tests.support.played_games import ADDRESS, KEY, PlayedGames, PostedLetter
from tests.support.rows import each_row
from tests.support.stores import NOW

LONG_NAME = "囲碁名人" * 10
LONG_ADDRESS = "games@letters.a-rather-long-name.example.org"


def game(size: Size, *, names: str = "Al", full: bool = False, phase: str = "playing") -> Game:
    """A game on a board without stones, or nearly without empty points."""
    spec = (*size, "aga", 6.5, 0, "black", "a@a.example", names, "b@b.example", names, "n")
    log: list[ev.Event] = [ev.Proposed(*spec), ev.Confirmed(), ev.Started("proposer", names)]
    found = replay(999_999, log)
    if full:
        for column in range(size.width):
            for row in range(size.height):
                color = Color.BLACK if column % 2 else Color.WHITE
                if (2 * column + row) % 5:
                    found.position.play(color, Point(column, row))
    if phase == "scoring":
        for color in (Color.BLACK, Color.WHITE, Color.BLACK, Color.WHITE):
            found = apply(found, ev.Passed(color.word))
    else:
        found.position.give_turn(Color.BLACK)
    return found


def letter(of: Game, kind: Kind, *, address: str = ADDRESS, message: str = "") -> Composed:
    """A letter to Black about a game."""
    notice = Notice(kind, "a@a.example", game=of.id, seat=Seat.BLACK)
    events: list[ev.Event] = [ev.Passed("white")]
    if message:
        events.append(ev.Said("white", message))
    matter = LetterData("0123456789abcdef", NOW, notice, of, of, tuple(events))
    return Composer(KEY, address, "Go by mail", invitation_days=14).compose(matter)


def html(composed: Composed) -> str:
    return part(parsed(composed.raw), "html")


# -- size --------------------------------------------------------------------------------------
@pytest.mark.parametrize(("names", "address"), [("Al", ADDRESS), (LONG_NAME, LONG_ADDRESS)])
@pytest.mark.parametrize(
    ("full", "phase", "kind"),
    [(False, "playing", Kind.YOUR_TURN), (True, "scoring", Kind.MARKS_CHANGED)],
)
def test_a_19x19_letter_keeps_its_links_below_the_limit(
    names: str, address: str, full: bool, phase: str, kind: Kind
) -> None:
    """On the fullest and the emptiest board, with the longest names and addresses."""
    of = game(Size(19, 19), names=names, full=full, phase=phase)
    raw = letter(of, kind, address=address).raw
    found = html(Composed("", raw))
    assert len(board_clicks(found)) >= 250
    body = next(one for one in parsed(raw).walk() if one.get_content_type() == "text/html")
    assert body["Content-Transfer-Encoding"] == "7bit"
    assert len(str(body.get_payload())) <= MAX_BYTES < 102 * 1024


def test_long_names_are_dropped_from_subjects_of_links() -> None:
    """The subject is then the game's number alone."""
    short = board_clicks(html(letter(game(Size(9, 9)), Kind.YOUR_TURN)))
    of = game(Size(9, 9), names=LONG_NAME)
    long = board_clicks(html(letter(of, Kind.YOUR_TURN)))
    assert {one.subject for one in short.values()} == {"Re: Go game 999999 with Al"}
    assert {one.subject for one in long.values()} == {"Re: Go game 999999"}


def test_links_of_a_19x19_board_are_short() -> None:
    """A letter has at most 45 kB. A 9x9 board has full links."""
    for of in (game(Size(19, 19)), game(Size(19, 19), full=True)):
        light = html(letter(of, Kind.YOUR_TURN))
        assert len(light.replace("\n", "\r\n")) <= 45 * 1024
        clicked = board_clicks(light)
        assert {one.subject for one in clicked.values()} == {"Go"}
        assert len(clicked) == len(of.position.legal_moves(Color.BLACK))
    whole = board_clicks(html(letter(game(Size(9, 9)), Kind.YOUR_TURN)))
    assert {one.subject for one in whole.values()} == {"Re: Go game 999999 with Al"}
    assert all(one.title == one.body for one in whole.values())


@pytest.mark.parametrize("size", [Size(9, 9), Size(13, 13)])
def test_links_of_points_are_not_underlined(size: Size) -> None:
    """Not even where the head of the page is dropped."""
    page = BeautifulSoup(html(letter(game(size), Kind.YOUR_TURN)), "html.parser")
    links = page.select(".gb a")
    assert len(links) == size.width * size.height
    assert all("text-decoration:none" in str(link["style"]) for link in links)


@pytest.mark.parametrize(
    ("size", "full"), [((25, 25), True), ((26, 26), False), ((52, 52), True), ((52, 1), False)]
)
def test_a_board_too_large_for_links_asks_for_a_reply(size: tuple[int, int], full: bool) -> None:
    """The page is not cut."""
    found = html(letter(game(Size(*size), full=full), Kind.YOUR_TURN))
    assert len(found) <= MAX_BYTES
    linked = board_clicks(found)
    expected = "Click a point, or reply" if linked else "Reply with your move, such as"
    assert expected in " ".join(found.split())
    assert "pass" in button_clicks(found)


def test_a_long_message_is_shortened_before_the_board() -> None:
    """Even in Chinese, beside a full board."""
    of = game(Size(19, 19), full=True, phase="scoring")
    found = html(letter(of, Kind.SCORING_STARTED, message="棋" * 20_000))
    assert len(found) <= MAX_BYTES
    assert "the rest is in the game" in " ".join(found.split())
    assert "Total" in found


# -- form --------------------------------------------------------------------------------------
def letters_with_hostile_text() -> list[PostedLetter]:
    """The letters of a game with names and messages that contain HTML."""
    games = PlayedGames()
    games.propose(
        "alice", cmd.Propose("bob@players.example", Size(9, 9)), name='"><script>x</script>'
    )
    games.act(Seat.PROPOSER, cmd.Yes())
    games.act(Seat.INVITED, cmd.Yes())
    games.play("E5 C3 G7 G3")
    hostile = '</a></td><img src="http://evil.example/x.png" onerror=alert(1)><!-- `D4` & <style>'
    games.act(games.mover(), cmd.Play(parse_point("C7")), cmd.Say(hostile))
    games.play("D3 pass pass")
    games.act(Seat.WHITE, cmd.Mark((parse_point("E5"),), dead=True, extent=cmd.Extent.CHAIN))
    games.act(Seat.BLACK, cmd.Done())
    games.act(Seat.WHITE, cmd.Done())
    length = len(games.writer.state.logs[1])
    alice = "alice@players.example"
    about = {"reason": hostile, "hints": ["D4"], "lines": [hostile]}
    games.queue(Notice(Kind.REFUSED, alice, alice, 1, Seat.BLACK, length, length, "<7@x>", about))
    games.queue(Notice(Kind.HELP, alice))
    return games.letters()


LETTERS = letters_with_hostile_text()
_VOID = {"meta", "br", "img", "hr"}


class BalancedTags(HTMLParser):
    """Checks that tags are closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag that must be closed, unless it is a void one."""
        self.seen.add(tag)
        if tag not in _VOID:
            self.opened.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """The last one opened."""
        assert self.opened.pop() == tag


@pytest.mark.parametrize("posted", LETTERS, ids=lambda one: one.kind)
def test_html_is_well_formed_and_self_contained(posted: PostedLetter) -> None:
    """Balanced tags of a few kinds, no script, and no resource but the letter's own parts."""
    tags = BalancedTags()
    tags.feed(posted.html)
    assert not tags.opened
    assert tags.seen <= {
        *("html", "head", "meta", "title", "style", "body", "div", "span", "h1", "p", "a", "b"),
        *("ul", "li", "table", "tr", "th", "td", "blockquote", "br", "img", "pre"),
    }
    soup = BeautifulSoup(posted.html, "html.parser")
    attributes = {name for tag in soup.find_all(True) for name in tag.attrs}
    assert not {name for name in attributes if name.startswith("on")}
    assert all(one.to.partition("@")[2] == "go.example" for one in clicks(posted.html))
    ids = [str(one["Content-ID"]).strip("<>") for one in posted.letter.walk() if one["Content-ID"]]
    assert [f"cid:{one}" for one in ids] == [str(image["src"]) for image in soup.find_all("img")]
    assert "url(" not in posted.html


@pytest.mark.parametrize("posted", LETTERS, ids=lambda one: one.kind)
def test_html_is_accessible(posted: PostedLetter) -> None:
    """One heading with the news, a language, and text for every picture and link."""
    soup = BeautifulSoup(posted.html, "html.parser")
    (heading,) = soup.find_all("h1")
    news = " ".join(posted.text.split("\n\n")[0].split())
    assert " ".join(heading.get_text().split()) in (news, news.removeprefix("News: "))
    assert soup.html is not None
    assert soup.html["lang"] == "en"
    assert all(len(str(image["alt"])) > 20 for image in soup.find_all("img"))
    assert all(one.title or len(one.words) > 1 for one in clicks(posted.html))
    for shown in soup.find_all("table", class_="gb"):
        assert str(shown["aria-label"]).startswith("Go board of ")
        assert {str(head["scope"]) for head in shown.find_all("th")} == {"col", "row"}


def test_messages_keep_their_line_breaks() -> None:
    """Indents too; line breaks of the page's source do not show."""
    line = "A line of somebody's words that is much longer than a line of our page's source is."
    found = html(letter(game(Size(9, 9)), Kind.YOUR_TURN, message=f"{line}\n   Indented."))
    (words,) = BeautifulSoup(found, "html.parser").find_all("blockquote")
    assert "white-space" not in words["style"]
    lines = words.decode_contents().strip().split("<br/>")
    assert [" ".join(one.split("\n")) for one in lines] == [line, "\u00a0\u00a0 Indented."]
    assert words["dir"] == "auto"  # which way it reads, and in which language, is theirs
    assert words["lang"] == ""


def test_captured_stones_are_named_and_marked() -> None:
    """In the first sentence, and on the HTML board."""
    games = PlayedGames()
    games.start(cmd.Propose("bob@players.example", Size(9, 9)))
    games.play("A1 B1 J9 A2")
    turn = next(one for one in reversed(games.letters()) if one.kind == "your-turn")
    assert turn.text.startswith(
        "Bob played A2 (move 4). It captured 1 stone: A1. Your move, Black."
    )
    board = BeautifulSoup(turn.html, "html.parser").find("table", class_="gb")
    assert board is not None
    lowest = board.find_all("tr")[-2]
    assert [cell.get_text() for cell in lowest.find_all("td")][:2] == ["✕", "○"]


@pytest.mark.parametrize("posted", LETTERS, ids=lambda one: one.kind)
def test_text_has_78_columns_and_mentions_no_clicks(posted: PostedLetter) -> None:
    """It is complete without the HTML."""
    assert max(map(len, posted.text.splitlines())) <= 78
    assert "lick" not in posted.text


LINKS = {"words alone": r"\2", "Outlook": r"\2<\1>", "Markdown": r"[\2](\1)"}
"""How mail programs write links when they make text of a page that is answered in plain text."""


@pytest.mark.parametrize("how", LINKS)
@each_row("posted", LETTERS)
def test_our_page_quoted_as_text_contains_no_commands(posted: PostedLetter, how: str) -> None:
    """Below an answer, without a quotation mark, each block and cell on its own line."""
    page = posted.html.replace("\n", " ").partition("<body")[2]
    linked = re.sub(r'<a [^>]*href="([^"]*)"[^>]*>(.*?)</a>', LINKS[how], page)
    inline = re.sub(r"</?(?:b|span)\b[^>]*>", "", linked)
    text = unescape(re.sub(r"<(?!mailto)[^>]*>", "\n", inline))
    lines = new_text(f"say hi\n\n{text}")
    assert lines[0] == "say hi"
    assert len(lines) < 6
    assert not [line for line in lines[1:] if is_command_line(line)]


def test_composing_is_thread_safe() -> None:
    """Several threads compose at once."""
    turn = next(one for one in reversed(LETTERS) if one.kind == "your-turn")
    composer = Composer(KEY, ADDRESS, "Go by mail", invitation_days=14)
    with ThreadPoolExecutor(8) as pool:
        written = set(pool.map(composer.compose, [turn.data] * 16))
    assert written == {turn.composed}


# -- colours -----------------------------------------------------------------------------------
_INK = re.compile(r"(?<![-\w])color:\s*(#[0-9a-f]{3,6})")
_GROUND = re.compile(r"background-color:\s*(#[0-9a-f]{3,6})")
LIGHT, DARK = ("#000", "#fff"), ("#fff", "#121212")
"""What programs write with, and on."""


@pytest.mark.parametrize("posted", LETTERS, ids=lambda one: one.kind)
def test_text_has_enough_contrast(posted: PostedLetter) -> None:
    """4.5 for faded text too, on light and dark screens (WCAG 2.1, 1.4.3)."""
    soup = BeautifulSoup(posted.html, "html.parser")
    for shown in soup.find_all("table", class_="gb"):
        shown.decompose()
    for style in [str(tag["style"]) for tag in soup.find_all(style=True)]:
        ink, ground = _INK.search(style), _GROUND.search(style)
        if ink is not None:
            assert contrast(ink[1], ground[1] if ground else LIGHT[1]) >= 4.5, style
        faded = re.search(r"opacity:(0\.\d+)", style)
        if faded is not None:
            for written, paper in (LIGHT, DARK):
                assert contrast(mixed(written, paper, float(faded[1])), paper) >= 4.5


def test_only_the_main_button_sets_its_colours() -> None:
    """Other links follow the reader's light or dark scheme."""
    games = PlayedGames()
    games.propose("alice", cmd.Propose("bob@players.example", Size(9, 9)))
    games.act(Seat.PROPOSER, cmd.Yes())
    invitation = next(one for one in games.letters() if one.kind == "invitation")
    soup = BeautifulSoup(invitation.html, "html.parser")
    schemes = soup.find("meta", attrs={"name": "color-scheme"})
    assert schemes is not None
    assert schemes["content"] == "light dark"
    colored = [link for link in soup.find_all("a") if "color:" in str(link["style"])]
    assert [link.get_text() for link in colored] == ["accept"]


def test_stones_keep_their_colours_in_dark_mode() -> None:
    """Chromium must not invert the board; Outlook's changes are undone."""
    page = next(one for one in LETTERS if one.kind == "your-turn").html
    assert "color-scheme:only light" in page.replace("\n", " ")
    for state, fill in (("w", "#fff"), ("b", "#222")):
        rule = f".{state}[data-ogab] {{ background-color: {fill} !important }}"
        assert rule in page.replace("\n", " ")


def test_dots_are_hidden_where_the_gradient_is_shown() -> None:
    """Gmail alone has a `u` before the body; it drops a sheet with an attribute selector."""
    page = next(one for one in LETTERS if one.kind == "your-turn").html.replace("\n", " ")
    gmail, others = re.findall(r"<style>(.*?)</style>", page)
    for sheet, board in ((gmail, "u + .body .gb"), (others, '.gb[style*="gradient"]')):
        assert f"{board} a {{ color: transparent !important }}" in sheet
        assert f"{board} td {{ color: transparent }}" in sheet
    assert "[" not in gmail
    board_ = BeautifulSoup(page, "html.parser").find("table", class_="gb")
    assert isinstance(board_, Tag)
    assert "gradient" in str(board_["style"])
    points = [td for td in board_.find_all("td") if td.get_text() in "·•" and td.get_text()]
    assert points
    assert not [td for td in points if td.find("b") or "color" in str(td.get("style", ""))]


def test_the_board_keeps_its_colours_in_print_and_high_contrast() -> None:
    """Else stones vanish on paper, or black looks like white."""
    page = next(one for one in LETTERS if one.kind == "your-turn").html.replace("\n", " ")
    (kept,) = re.findall(r"\.gb \{ (forced-color-adjust[^}]*) \}", page)
    assert {"forced-color-adjust: none", "print-color-adjust: exact"} <= set(kept.split("; "))
