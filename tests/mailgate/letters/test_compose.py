"""Composed letters: whole ones stored as files, and general properties.

A file of `data/letters_out` begins with a scene; its last line names a recipient and a kind.
"""

import os
from dataclasses import replace
from functools import cache
from io import BytesIO
from itertools import product

import pytest
from bs4 import BeautifulSoup
from PIL import Image

from godaemon.games import commands as cmd
from godaemon.games.model import Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.player_settings import Profile
from godaemon.rules.points import Size
from godaemon.texts.catalogue import languages
from mailgate.letters.compose import Composer
from mailgate.letters.letter_data import LetterData
from mailgate.letters.phrases import NAME_LIMIT
from mailgate.reading.our_sentences import marker
from tests.support import places
from tests.support.gateway import Gateway
from tests.support.letters import sentence
from tests.support.mailto import button_clicks
from tests.support.played_games import ADDRESS, KEY, PlayedGames, PostedLetter
from tests.support.scenes import play_lines
from tests.support.stores import NOW

DATA = places.DATA / "letters_out"
NAMES = sorted(path.stem for path in DATA.glob("*.txt"))
REGENERATE = bool(os.environ.get("REGENERATE_LETTERS"))
"""REGENERATE_LETTERS=1 writes the files again; review the changes."""
SHOWN = (
    *("From", "To", "Subject", "Date", "Message-ID", "Reply-To", "In-Reply-To", "References"),
    *("Auto-Submitted", "X-Godaemon-Game", "X-Godaemon-Notice"),
)
GAME = cmd.Propose("bob@players.example", Size(9, 9))


def letter_after(scene: str) -> PostedLetter:
    """The letter that the last line of a scene names: `Alice gets started`."""
    gateway, lines = Gateway(), [one for one in scene.splitlines() if not one.startswith("#")]
    name, kind = lines.pop().split(" gets ")
    settings = [one.split("=")[1] for one in lines if one.startswith("setting trusted")]
    if settings:
        gateway = Gateway(trusted=settings[0])
    play_lines(gateway, "\n".join(one for one in lines if not one.startswith("setting")))
    person = gateway.person(name)
    return PostedLetter(person.data(person.newest(Kind(kind))), gateway.composer)


@cache
def letter(name: str) -> PostedLetter:
    """The letter of a file, as composed now."""
    return letter_after((DATA / f"{name}.txt").read_text(encoding="utf-8").partition("\n\n")[0])


@pytest.mark.parametrize("name", NAMES)
def test_letters_match_their_golden_files(name: str) -> None:
    """Each letter is unchanged since a person last reviewed it."""
    file, posted = DATA / f"{name}.txt", letter(name)
    head = [f"{key}: {posted.letter[key]}" for key in SHOWN if posted.letter[key] is not None]
    written = "\n".join(head) + "\n\n" + posted.text
    scene, _, kept = file.read_text(encoding="utf-8").partition("\n\n")
    if REGENERATE:
        file.write_text(f"{scene}\n\n{written}", encoding="utf-8")
    assert REGENERATE or written == kept


@pytest.mark.parametrize("name", NAMES)
def test_text_and_html_agree(name: str) -> None:
    """Both have the news above the reply marker, and a board or none; only a list has several."""
    posted = letter(name)
    first, below = posted.text.split("\n\n")[:2]
    assert len(first) < 240
    assert below.strip() == marker()
    assert posted.html.index("<p") < posted.html.index(marker())

    parts = [kind.get_content_type() for kind in posted.letter.walk() if not kind.is_multipart()]
    assert parts[:2] == ["text/plain", "text/html"]
    page = BeautifulSoup(posted.html, "html.parser")
    shown = len(page.find_all("img")) + len(page.find_all("table", class_="gb"))
    assert bool(shown) == ("\nX black, O white" in posted.text)
    assert shown <= 1 or posted.kind == "games"


# -- what must not get in ----------------------------------------------------------------------
@pytest.mark.parametrize(
    "name",
    [
        "Eve\r\nBcc: all@example.org",
        "<script>alert(1)</script>",
        "free pills at http://evil.example/?x=1 call now please now",
        "resign",
        "\u202eecilA",
        "@@@",
        "Ægir Ödegård-Çelik",
    ],
)
def test_a_hostile_name_injects_nothing(name: str) -> None:
    """A name in an invitation adds no header, tag, link or advertisement."""
    games = PlayedGames()
    games.propose("alice", GAME, name=name)
    games.act(Seat.PROPOSER, cmd.Yes())
    (letter,) = (one for one in games.letters() if one.kind == "invitation")
    assert letter.letter["Bcc"] is None
    assert "<script" not in letter.html
    assert "http" not in letter.text or "://" not in letter.text
    assert str(letter.letter["Subject"]) == "Go game 1: an invitation"
    first = " ".join(letter.text.partition("\n\n")[0].split())
    assert first.endswith(" invites you to a game of Go by email.")
    assert len(first) <= NAME_LIMIT + 70
    assert "\u202e" not in letter.text


def test_only_the_invitation_shows_the_other_address() -> None:
    """After that, players know each other by name."""
    games = PlayedGames()
    games.start(GAME)
    games.play("E5 C3 pass pass")
    games.act(Seat.BLACK, cmd.Resign())
    for one in games.letters():
        other = "bob@" if "alice" in str(one.letter["To"]) else "alice@"
        allowed = one.kind in {"invitation", "confirm"}
        assert allowed or other not in one.text + one.html


# -- pictures ----------------------------------------------------------------------------------
@pytest.mark.parametrize(("line", "kind"), [("kifu", "image/png"), ("gif", "image/gif")])
def test_a_picture_replaces_the_board(line: str, kind: str) -> None:
    """HTML shows it inline (RFC 2387); the text has the board and the moves."""
    found = letter_after(f"play E5 C3 G7\nBob: {line}\nBob gets {line}")
    (picture,) = (one for one in found.letter.walk() if one.get_content_type() == kind)
    assert picture.get_filename() == f"game-1.{kind[-3:]}"
    assert picture.get_content_disposition() == "inline"
    frames = getattr(Image.open(BytesIO(picture.get_content())), "n_frames", 1)
    assert frames == (4 if line == "gif" else 1)
    page = BeautifulSoup(found.html, "html.parser")
    assert [f"<{str(one['src'])[4:]}>" for one in page.find_all("img")] == [picture["Content-ID"]]
    assert not page.find_all("table", class_="gb")
    assert "> 9x9 E5b C3w G7b" in found.text


# -- kinds ------------------------------------------------------------------------------------
def test_no_sentence_of_a_turn_needs_the_word_news() -> None:
    """In every language; "News:" precedes a paragraph that could be read as a command."""
    for name, language in product(("your-turn", "started"), languages()):
        data = replace(letter(name).data, reader=Profile(language=language))
        assert "News:" not in PostedLetter(data, letter(name).composer).text, language


def test_a_dash_stays_with_its_button() -> None:
    """Even on a narrow screen, where the text wraps below the button."""
    rows = BeautifulSoup(letter("invitation").html, "html.parser").find_all("li")
    assert rows
    for row in rows:
        key = row.find(["a", "b"])
        assert key is not None
        assert str(key.next_sibling).startswith("\u00a0–")


def test_examples_are_no_links() -> None:
    """Bug: a click on an example set the name Margaret, or invited bob@example.org."""
    asked = [(one, one) for one in ("games", "players", "help")]
    scenes = [
        "game Alice Bob\nAlice: name Margaret\nAlice gets settings",
        *(
            f"game Alice Bob\nAlice (anew): {line}\nAlice gets {kind}"
            for line, kind in (("settings everywhere", "settings"), *asked)
        ),
    ]
    links = {line for scene in scenes for line in button_clicks(letter_after(scene).html)}
    assert {"name off", "plain on", "players on", "games"} <= links
    examples = ("name ", "i am ", "new 9x9 vs bob@")
    assert [one for one in links if one.startswith(examples)] == ["name off"]


@pytest.mark.parametrize(("last", "says"), [("pass", True), ("E5", False)])
def test_a_player_at_a_program_is_told_that_the_second_pass_is_missing(
    last: str, says: bool
) -> None:
    """Sabaki does not send the second of two passes; a move needs no such hint."""
    turn = letter_after(f"play D4 {last}\nAlice gets your-turn")
    notice = replace(turn.data.notice, about={"seated": True})
    text = PostedLetter(replace(turn.data, notice=notice), turn.composer).text
    assert (sentence("pass-shown-by-program") in " ".join(text.split())) == says


def test_a_notice_about_a_missing_game_raises() -> None:
    """The caller sets it aside."""
    matter = LetterData("u", NOW, Notice(Kind.YOUR_TURN, "a@a.example", game=7))
    with pytest.raises(LookupError):
        Composer(KEY, ADDRESS, "Go by mail", invitation_days=14).compose(matter)
