"""The letters as people get them: whole ones kept as files, and what every header must be."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from io import BytesIO
from itertools import product
from types import MappingProxyType

import pytest
from bs4 import BeautifulSoup
from PIL import Image

from godaemon.errors import Refusal
from godaemon.games import commands as cmd
from godaemon.games.model import Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.stored_values import Profile
from godaemon.records import sgf_read, sgn
from godaemon.rules.points import Size, parse_point
from godaemon.texts.catalogue import languages
from mailgate import tokens
from mailgate.letters.compose import Composer
from mailgate.letters.letter_data import LetterData
from mailgate.letters.phrases import NAME_LIMIT
from mailgate.reading.our_sentences import MARKER
from tests.support import places
from tests.support.letters import sentence
from tests.support.played_games import ADDRESS, KEY, PlayedGames, Posted, composer
from tests.support.stores import NOW

DATA = places.DATA / "letters_out"
REGENERATE = bool(os.environ.get("REGENERATE_LETTERS"))
"""With REGENERATE_LETTERS=1 the files are written anew; look at what changed in them."""

BLACK, WHITE, PROPOSER, INVITED = Seat.BLACK, Seat.WHITE, Seat.PROPOSER, Seat.INVITED
GAME = cmd.Propose("bob@players.example", Size(9, 9))
MOVES = "E5 C3 G7 G3 C7 D3 E3 E4 D4 F4 F5 E2 G4 F3 C4 B4 B5 F2"


def begun(wanted: cmd.Propose = GAME, moves: str = MOVES) -> PlayedGames:
    """A game in which all letters so far were written."""
    made = PlayedGames()
    made.start(wanted)
    if moves:
        made.play(moves)
    made.letters()
    return made


def counted(rules: str = "japanese") -> PlayedGames:
    """A small game that has just come to be counted; White's stone F5 is as good as dead."""
    return begun(
        cmd.Propose("bob@players.example", Size(7, 5), rules=rules),
        "C3 E3 C2 E2 C4 E4 C1 E1 C5 E5 B3 F4 A2 B2 pass pass",
    )


def only(letters: list[Posted], kind: str, to: str = "") -> Posted:
    """The one letter of a kind, to somebody."""
    found = [one for one in letters if one.kind == kind and to in str(one.letter["To"])]
    assert len(found) == 1, [(one.kind, one.letter["To"]) for one in letters]
    return found[0]


def asked(
    made: PlayedGames,
    kind: Kind,
    seat: Seat,
    about: Mapping[str, object] = MappingProxyType({}),
    answers: str = "",
    ago: int = 0,
) -> Posted:
    """The letter of a notice to the player of a seat, about the newest events of the game."""
    length, to = len(made.writer.state.logs[1]), "alice" if seat is BLACK else "bob"
    who = f"{to}@players.example"
    made.letters()
    made.owe(Notice(kind, who, who, 1, seat, length - ago, length, answers, dict(about)))
    return only(made.letters(), kind.value, to)


# -- whole letters -----------------------------------------------------------------------------
def confirm() -> Posted:
    made = PlayedGames()
    made.propose("alice", GAME)
    return only(made.letters(), "confirm")


def invitation() -> Posted:
    made = PlayedGames()
    made.propose("alice", cmd.Propose("bob@players.example", Size(19, 19), handicap=4))
    made.act(PROPOSER, cmd.Yes())
    return only(made.letters(), "invitation")


def started() -> Posted:
    """Bob accepted; Alice has the first move."""
    made = PlayedGames()
    made.start(GAME)
    return only(made.letters(), "started", "alice")


def your_turn() -> Posted:
    """A move with words."""
    made = begun(moves="D4 D5 E5 C4 E4 D3")
    made.act(BLACK, cmd.Play(parse_point("A1")))
    made.letters()
    words = "Nice shape!\nYou should have played A11.\n\npass"
    made.act(WHITE, cmd.Play(parse_point("E3")), cmd.Say(words))
    return only(made.letters(), "your-turn")


def resumed() -> Posted:
    """Back from the count, with a reason; Black is to move."""
    made = counted()
    made.act(WHITE, cmd.Resume(), cmd.Say("There is one more ko."))
    return only(made.letters(), "your-turn", "alice")


def capture() -> Posted:
    made = begun(moves="A1 B1 J9")
    made.act(WHITE, cmd.Play(parse_point("A2")))
    return only(made.letters(), "your-turn")


def moved() -> Posted:
    """The last receipt that comes unasked."""
    made = PlayedGames()
    made.start(GAME)
    made.play("E5 C3 G7 G3 C7")
    return [one for one in made.letters() if one.kind == "moved"][-1]


def scoring_started() -> Posted:
    """Both passed."""
    made = PlayedGames()
    made.start(cmd.Propose("bob@players.example", Size(7, 5)))
    made.play("C3 E3 C2 E2 C4 E4 C1 E1 C5 E5 B3 F4 A2 B2 pass pass")
    return only(made.letters(), "scoring-started", "alice")


def estimate() -> Posted:
    """Alice asked which stones we take for dead."""
    made = counted()
    made.act(BLACK, cmd.Say("Hm."))
    return asked(made, Kind.ESTIMATE, BLACK)


def score() -> Posted:
    """Bob, on his turn, asked how the game stands, and our player says so."""
    made = PlayedGames()
    made.start(cmd.Propose("bob@players.example", Size(9, 9), estimates=True))
    made.play("E5 C3 C7 G3 G7 E3 E7 C5 D5")
    made.act(WHITE, cmd.AskScore())
    half = " ".join(["-0.9"] * 36 + ["0.1"] * 9 + ["0.9"] * 36)
    return asked(made, Kind.SCORE, WHITE, {"estimate": f"lead -10.2 5.6\nowned {half}"}, ago=1)


def off_turn() -> Posted:
    about = {"held": 1, "nonce": "n", "sender": "bob@players.example", "why": "off-turn"}
    return asked(begun(), Kind.CONFIRM, WHITE, about)


def marks_changed() -> Posted:
    """A mark, after the other had said done."""
    made = counted()
    made.act(BLACK, cmd.Done())
    made.letters()
    made.act(WHITE, cmd.Mark((parse_point("B2"),), dead=True))
    return only(made.letters(), "marks-changed", "alice")


def done() -> Posted:
    """One of the two agrees, under area rules."""
    made = counted("chinese")
    made.act(BLACK, cmd.Done())
    return only(made.letters(), "done", "bob")


def finished() -> Posted:
    """Both agreed, and one said thanks."""
    made = counted()
    made.act(BLACK, cmd.Mark((parse_point("B2"),), dead=True), cmd.Done())
    made.act(WHITE, cmd.Done(), cmd.Say("Thank you for the game!"))
    return only(made.letters(), "finished", "alice")


def resigned() -> Posted:
    """One gave up."""
    made = begun()
    made.act(WHITE, cmd.Resign())
    return only(made.letters(), "finished", "alice")


def refused() -> Posted:
    """A move onto a stone."""
    made = begun()
    with pytest.raises(Refusal) as caught:
        made.act(BLACK, cmd.Play(parse_point("E5")))
    about = {"reason": caught.value.public, "hints": ["D6"], "lines": ["E5", "resign"]}
    return asked(made, Kind.REFUSED, BLACK, about, "<7@x>")


def held(sender: str = "alice@work.example", why: str = "unknown", *lines: str) -> Posted:
    """A letter from an address we do not know."""
    said = [*(lines or ("D6", "resign"))]
    about = {"held": 3, "nonce": "n", "sender": sender, "why": why, "lines": said}
    return asked(begun(), Kind.CONFIRM, BLACK, about)


def held_failed() -> Posted:
    """A letter that her mail server would not have sent."""
    return held("alice@players.example", "failed")


def held_old() -> Posted:
    """A letter that asks for much in answer to an old one."""
    return held("alice@players.example", "old", "block all")


def kifu() -> Posted:
    """The whole game as a picture, in a game that is under way."""
    return asked(begun(), Kind.KIFU, WHITE, answers="<7@x>")


def gui() -> Posted:
    return asked(begun(), Kind.GUI, WHITE, {"on": True, "lent": {"white": 1}}, "<8@x>")


def help_() -> Posted:
    made = PlayedGames()
    made.owe(Notice(Kind.HELP, "carol@players.example", answers="<9@x>"))
    return only(made.letters(), "help")


def games() -> Posted:
    """Games in every phase, some of which wait for the reader."""
    made = PlayedGames()
    for number, size in enumerate((9, 13, 7, 5, 9), start=1):
        made.propose("alice", cmd.Propose("bob@players.example", Size(size, size)))
        made.act(Seat.PROPOSER, cmd.Yes(), game=number)
        if size != 5:
            made.act(Seat.INVITED, cmd.Yes(), game=number)
    made.play("E5", game=1)
    made.play("E5 C3 pass pass", game=2)
    made.act(WHITE, cmd.Done(), game=2)
    made.play("D4 E5", game=3)
    made.act(BLACK, cmd.Resign(), game=5)
    made.propose("bob", cmd.Propose("alice@players.example", Size(19, 19), handicap=3))
    made.act(Seat.PROPOSER, cmd.Yes(), game=6)
    made.propose("alice", cmd.Propose("alice@players.example", Size(9, 9)))
    made.letters()
    made.owe_list("alice")
    return only(made.letters(), "games")


LETTERS: dict[str, Callable[[], Posted]] = {
    made.__name__.strip("_").replace("_", "-"): made
    for made in (
        *(confirm, invitation, started, your_turn, capture, moved, scoring_started),
        *(estimate, score, off_turn, marks_changed, done, finished, resigned, refused),
        *(held, held_failed, held_old, kifu, gui, help_, games),
    )
}
SHOWN = (
    *("From", "To", "Subject", "Date", "Message-ID", "Reply-To", "In-Reply-To", "References"),
    *("Auto-Submitted", "X-Godaemon-Game", "X-Godaemon-Notice"),
)


@pytest.mark.parametrize("name", LETTERS)
def test_letters_read_as_they_did(name: str) -> None:
    """Each letter is what a person last read and found good."""
    posted = LETTERS[name]()
    head = [f"{key}: {posted.letter[key]}" for key in SHOWN if posted.letter[key] is not None]
    written = "\n".join(head) + "\n\n" + posted.text
    file = DATA / f"{name}.txt"
    if REGENERATE:
        file.write_text(written, encoding="utf-8")
    assert written == file.read_text(encoding="utf-8")


# -- all of them -------------------------------------------------------------------------------
@pytest.fixture(scope="module", params=list(LETTERS))
def posted(request: pytest.FixtureRequest) -> Posted:
    return LETTERS[request.param]()


def test_first_line_and_marker(posted: Posted) -> None:
    """The news comes first, and right under it the line above which a reply is read."""
    first, marker = posted.text.split("\n\n")[:2]
    assert len(first) < 240
    assert marker.strip() == MARKER
    assert posted.html.index("<p") < posted.html.index(MARKER)


def test_same_matter_same_bytes(posted: Posted) -> None:
    """A letter written again is the very same letter."""
    again = composer().compose(posted.data)
    assert again == posted.composed


def test_is_plain_for_any_server(posted: Posted) -> None:
    """ASCII in lines of at most 998 octets, ended by CR LF (RFC 5322, 2.1.1)."""
    raw = posted.composed.raw
    assert raw.isascii()
    lines = raw.split(b"\r\n")
    assert max(map(len, lines)) <= 998
    assert not any(b"\n" in line or b"\r" in line for line in lines)


def test_both_parts_hold_the_same(posted: Posted) -> None:
    """There is a text and an HTML part, in that order, and both have a board or neither."""
    parts = [kind.get_content_type() for kind in posted.letter.walk() if not kind.is_multipart()]
    assert parts[:2] == ["text/plain", "text/html"]
    shown = "aria-label" in posted.html or "<img" in posted.html
    assert shown == ("\nX black, O white" in posted.text)


def test_says_that_a_program_wrote_it(posted: Posted) -> None:
    """Automatic, and of which kind: an answer only where a letter is answered (RFC 3834, 5)."""
    answered = bool(posted.data.notice.answers)
    expected = "auto-replied" if answered else "auto-generated"
    assert posted.letter["Auto-Submitted"] == expected
    assert posted.letter["X-Auto-Response-Suppress"] == "All"


def tag(posted: Posted) -> str:
    """What stands behind the plus of the reply address."""
    address = str(posted.letter["Reply-To"]).rpartition("<")[2].rstrip(">")
    return str(tokens.token_of(address, ADDRESS) or "")


# -- tokens and threads ------------------------------------------------------------------------
def test_token_is_the_games() -> None:
    """Reply-To and Message-ID carry a token that is valid for the seat and the game as shown."""
    made = your_turn()
    game = made.data.after
    assert game is not None
    token = tokens.parse_token(tag(made))
    assert token is not None
    assert token.fields == (1, "b", *game.revisions)
    assert token.is_valid(KEY, game.spec.nonce, game.digest)
    assert tokens.tokens_of([made.composed.message_id]) == (token,)


def test_a_game_is_one_conversation() -> None:
    """All letters of a game have one root, and from its start on one subject for each player.

    It has the names that are known then; the proposal's own letters have those of the proposal.
    """
    made = PlayedGames()
    made.start(GAME)
    made.play("E5 C3 pass pass")
    made.act(BLACK, cmd.Done())
    made.act(WHITE, cmd.Done())
    letters = made.letters()
    assert len(letters) > 10
    proposed = {"confirm", "invited", "invitation"}
    alice, bob = "alice@players.example", "bob@players.example"
    to_alice, to_bob = (
        {
            (one.kind in proposed, one.letter["Subject"])
            for one in letters
            if one.letter["To"] == who
        }
        for who in (alice, bob)
    )
    first = (True, "Go game 1: an invitation")  # nobody's name stands there before one's own yes
    assert to_alice == {first, (True, "Go game 1 with bob"), (False, "Go game 1 with Bob")}
    assert to_bob == {first, (False, "Go game 1 with Alice")}
    roots = {str(one.letter["References"]).split()[0] for one in letters}
    assert len(roots) == 1


def test_held_letter_has_its_own_token() -> None:
    """The question about a held letter is answered to the held letter and not to the seat."""
    parsed = tokens.parse_token(tag(held()))
    assert parsed is not None
    assert (parsed.use, parsed.fields) == ("held", (3,))
    assert parsed.is_valid(KEY, "n")


@pytest.mark.parametrize(
    ("sender", "opponent"),
    [("alice@work.example", False), ("bob@players.example", True), ("BOB@players.example", True)],
)
def test_a_held_letter_from_the_opponent_is_told_as_that(sender: str, opponent: bool) -> None:
    """Somebody's other address is nothing special; the opponent's is, and no comes first."""
    text = " ".join(held(sender, "", "D6").text.split())
    assert ("Bob, your opponent in game 1, has written to me in your place" in text) is opponent
    assert ("Was it you" in text) is not opponent
    assert (text.index("Reply with: no" if opponent else "Reply with: yes")) < 200
    assert (sender in text) is not opponent


@pytest.mark.parametrize(
    ("loser", "to", "told"),
    [
        (BLACK, "bob", "Alice resigned. You (White) win by resignation (W+R)."),
        (BLACK, "alice", "You resigned. Bob (White) wins by resignation (W+R)."),
        (WHITE, "alice", "Bob resigned. You (Black) win by resignation (B+R)."),
    ],
)
def test_a_result_names_who_won(loser: Seat, to: str, told: str) -> None:
    """By name and colour, and the reader as you."""
    made = begun(moves="D4")
    made.act(loser, cmd.Resign())
    assert told in " ".join(only(made.letters(), "finished", to).text.split())


def test_a_result_of_a_count_names_who_won() -> None:
    """The same by points, to each of them."""
    made = counted()
    made.act(BLACK, cmd.Done())
    made.act(WHITE, cmd.Done())
    letters = made.letters()
    result = str(made.act(BLACK, cmd.Say("Thank you.")).result)
    won, points = ("Alice (Black)" if result[0] == "B" else "Bob (White)"), result[2:]
    for to in ("alice", "bob"):
        text = " ".join(only(letters, "finished", to).text.split())
        mine = won.casefold().startswith(to)
        name = f"You{won[won.index(' ') :]} win" if mine else f"{won} wins"
        assert f"{name} by {points} ({result})." in text


def test_who_declines_is_told_so() -> None:
    """A short letter, with the words that went to the proposer."""
    made = PlayedGames()
    made.propose("alice", GAME)
    made.act(PROPOSER, cmd.Yes())
    made.letters()
    made.act(INVITED, cmd.No("I am on holiday."))
    letters = made.letters()
    mine = only(letters, "declined", "bob")
    assert mine.text.startswith("You've declined game 1, and I've told Alice")
    assert "Your words, passed on to Alice:" in mine.text
    theirs = only(letters, "declined", "alice")
    assert theirs.text.startswith("bob has declined game 1.")
    assert "bob wrote:" in theirs.text
    assert all("> I am on holiday." in one.text for one in letters)


def test_every_line_of_help_has_its_verb_apart() -> None:
    """Programs with names of any length stand apart from what is said of them."""
    made = PlayedGames()
    names = [f"h{'o' * length}" for length in range(1, 12)]
    about = {"topic": "all", "engines": [(n, "a program.") for n in names]}
    made.owe(Notice(Kind.HELP, "a@a.example", about=about))
    text = " ".join(only(made.letters(), "help").text.split())
    told = sentence("proposes-program", program="a program.")
    assert all(f"vs {name} {told}" in text for name in names)


def test_long_ids_are_never_encoded() -> None:
    """References stay as they are, however long: an encoded Message-ID threads nowhere."""
    made = PlayedGames()
    long = f"<{'x' * 200}@mail.example>"
    made.owe(Notice(Kind.HELP, "a@a.example", answers=long))
    posted = only(made.letters(), "help")
    assert b"=?" not in posted.composed.raw.split(b"\r\n\r\n")[0]
    assert posted.letter["References"].strip() == long


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
def test_hostile_names_do_no_harm(name: str) -> None:
    """A name in an invitation is no header, no tag, no link and no advertisement."""
    made = PlayedGames()
    made.propose("alice", GAME, name=name)
    made.act(PROPOSER, cmd.Yes())
    letter = only(made.letters(), "invitation")
    assert letter.letter["Bcc"] is None
    assert "<script" not in letter.html
    assert "http" not in letter.text or "://" not in letter.text
    assert str(letter.letter["Subject"]) == "Go game 1: an invitation"
    first = " ".join(letter.text.partition("\n\n")[0].split())
    assert first.endswith(" invites you to a game of Go by email.")
    assert len(first) <= NAME_LIMIT + 70
    assert "\u202e" not in letter.text


def test_a_forger_s_words_are_in_no_subject_and_no_heading() -> None:
    """Whoever is asked whether they proposed may not have: no word of that stands there."""
    made = PlayedGames()
    made.propose("alice", cmd.Propose("cheap-pills@evil.example"), name="Cheap Pills")
    letter = only(made.letters(), "confirm")
    assert "pills" not in str(letter.letter["Subject"]).lower()
    assert "pills" not in letter.text.partition("-- reply above")[0].lower()


def test_words_are_escaped() -> None:
    """What the opponent wrote is text in both parts."""
    made = begun(moves="")
    made.act(BLACK, cmd.Play(parse_point("E5")), cmd.Say("<b>5 > 3</b> `x`\x00\x1b[31m"))
    letter = only(made.letters(), "your-turn")
    assert "&lt;b&gt;5 &gt; 3&lt;/b&gt; `x`[31m" in " ".join(letter.html.split())
    assert "> <b>5 > 3</b> `x`[31m" in letter.text


def test_opponents_address_stays_ours() -> None:
    """Players know each other by name: only the invitation has an address in it."""
    made = PlayedGames()
    made.start(GAME)
    made.play("E5 C3 pass pass")
    made.act(BLACK, cmd.Resign())
    for one in made.letters():
        other = "bob@" if "alice" in str(one.letter["To"]) else "alice@"
        allowed = one.kind in {"invitation", "confirm"}
        assert allowed or other not in one.text + one.html


# -- the record --------------------------------------------------------------------------------
def test_record_is_attached() -> None:
    """The last letter brings a record that reads back, with the words and the result in it."""
    made = finished()
    (attached,) = made.letter.iter_attachments()
    assert attached.get_content_type() == "application/x-go-sgf"
    assert attached.get_filename() == "game-1.sgf"
    content = attached.get_content()
    record = sgf_read.parse_sgf(content)
    assert record.result == "W+6.5"
    assert "Bob: Thank you for the game!" in record.comments[16]


def test_the_picture_of_the_game_stands_for_the_board() -> None:
    """A PNG by the game's name, shown in the HTML (RFC 2387); text has the board and the moves."""
    made = kifu()
    (picture,) = (one for one in made.letter.walk() if one.get_content_type() == "image/png")
    assert picture.get_filename() == "game-1.png"
    assert picture.get_content_disposition() == "inline"
    assert picture.get_content().startswith(b"\x89PNG")
    page = BeautifulSoup(made.html, "html.parser")
    (shown,) = page.find_all("img")
    assert f"<{str(shown['src']).removeprefix('cid:')}>" == picture["Content-ID"]
    assert not page.find_all("table", class_="gb")
    assert "> 9x9 E5b C3w " in made.text
    assert kifu().composed == made.composed


def test_the_film_of_the_game_stands_for_the_board() -> None:
    """A GIF by the game's name, of each position; text has the board and the moves."""
    found = asked(begun(), Kind.GIF, WHITE, answers="<7@x>")
    (film,) = (one for one in found.letter.walk() if one.get_content_type() == "image/gif")
    assert film.get_filename() == "game-1.gif"
    assert Image.open(BytesIO(film.get_content())).n_frames == len(MOVES.split()) + 1  # type: ignore[attr-defined]
    page = BeautifulSoup(found.html, "html.parser")
    assert [f"<{str(one['src'])[4:]}>" for one in page.find_all("img")] == [film["Content-ID"]]
    assert "> 9x9 E5b C3w " in found.text


def test_a_part_of_the_game_is_another_picture() -> None:
    """The letter says which moves it has, and how to ask for all of them."""
    found = asked(begun(), Kind.KIFU, WHITE, {"moves": "5-400"}, "<7@x>")
    assert "Moves 5 to 18 of game 1, on one picture (game-1.png)." in found.text
    assert "For the whole game: kifu" in found.text
    assert found.composed.raw != kifu().composed.raw


# -- the order --------------------------------------------------------------------------------
@pytest.mark.parametrize("made", [your_turn, resumed, capture], ids=lambda made: made.__name__)
def test_a_playing_letter_has_one_order(made: Callable[[], Posted]) -> None:
    """The news, the other's words, the board, what to reply, the time, and the small print."""
    text = " ".join(made().text.split())
    parts = [" A B C ", "X black, O white", "Reply with a point", " left, until ", "Game 1 ("]
    parts = [*([] if made is capture else [" wrote: > "]), *parts, "You can also reply: resign"]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert text.count(" A B C ") == 2  # above the one board and below it


@pytest.mark.parametrize("made", [scoring_started, marks_changed, done, finished])
def test_a_letter_of_the_count_has_one_order(made: Callable[[], Posted]) -> None:
    """The news, words, the count item by item, the board, what to reply, and the small print.

    Nobody is to say done above a score that they have not read.
    """
    text = made().text
    parts = ["Score ", "   A B C ", "X black, O white", "Reply with: ", "Game 1 ("]
    if made is finished:
        parts = [*parts[1:3], parts[0], parts[4]]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert text.count("   A B C ") == 2


def test_no_sentence_of_a_turn_reads_as_a_command() -> None:
    """In no language: else a word of English stands before it."""
    for made, language in product((your_turn, started), languages()):
        posted = made()
        told = Posted(replace(posted.data, reader=Profile(language=language)), posted.composer)
        assert "News:" not in told.text, language


def test_words_beside_a_button_begin_no_line_with_a_dash() -> None:
    """The dash stays with the button where the words go below it, on a narrow screen."""
    page = BeautifulSoup(invitation().html, "html.parser")
    rows = page.find_all("li")
    assert rows
    for row in rows:
        key = row.find(["a", "b"])
        assert key is not None
        assert str(key.next_sibling).startswith("\u00a0–")


def test_no_letter_has_two_boards() -> None:
    """Neither drawn nor as a picture, whatever it is about; but a list has one for each game."""
    for name, made in LETTERS.items():
        page = BeautifulSoup(made().html, "html.parser")
        shown = len(page.find_all("img")) + len(page.find_all("table", class_="gb"))
        assert shown <= 1 or name == "games"


# -- kinds ------------------------------------------------------------------------------------
def test_area_rules_count_stones() -> None:
    """Under area rules the letter counts living stones and takes no account of prisoners."""
    text = done().text
    assert "Stones " in text
    assert "Prisoners" not in text


def test_a_tie_is_told_in_words_alone() -> None:
    """SGF's `0` for it tells a person nothing."""
    made = begun(cmd.Propose("bob@players.example", Size(3, 3), komi=0.0), "pass pass")
    made.act(BLACK, cmd.Done())
    made.act(WHITE, cmd.Done())
    over = only(made.letters(), "finished", "alice")
    assert "The game is a tie (jigo)." in over.text
    assert "(0)" not in over.text


@pytest.mark.parametrize(("last", "says"), [("pass", True), ("E5", False)])
def test_whose_program_showed_a_pass_learns_that_theirs_has_not_come(last: str, says: bool) -> None:
    """Sabaki sends the second of two passes to nobody; of a move there is nothing to say."""
    made = begun(moves=f"D4 {last}")
    text = " ".join(asked(made, Kind.YOUR_TURN, BLACK, {"seated": True}, ago=1).text.split())
    assert (sentence("pass-shown-by-program") in text) == says


def test_old_position_says_so() -> None:
    """A look back says that it is one, and shows the board as it was."""
    text = asked(begun(), Kind.SHOW, BLACK, {"move": 2}).text
    assert "Game 1 as it was after move 2." in text
    assert "Last move: White played C3 (move 2)." in text
    assert "newest email" in " ".join(text.split())
    assert text.count("X") == 1 + 1  # the stone, and the legend


def test_teaching_game_speaks_to_one() -> None:
    """In a game against oneself nobody is told what the other did."""
    made = PlayedGames()
    made.propose("alice", cmd.Propose("alice@players.example", Size(9, 9)))
    made.act(PROPOSER, cmd.Yes())
    made.play("E5 C3 pass pass")
    letters = made.letters()
    assert {str(one.letter["To"]) for one in letters} == {"alice@players.example"}
    assert "You played C3 for White (move 2). Black is to move." in [
        " ".join(one.text.split("\n\n")[0].split()) for one in letters
    ]
    assert str(letters[-1].letter["Subject"]) == "Go game 1"


def test_atari_is_mentioned() -> None:
    """A chain that the last move left with one liberty is named."""
    made = begun(moves="E5 E4 A1 D5 A9")
    made.play("F5")
    text = only(made.letters(), "your-turn").text
    assert "In atari: your stone E5, liberty E6." in text


def test_every_kind_without_a_game() -> None:
    """The kinds about no game are written from nothing but their notice, and can be answered."""
    made = PlayedGames()
    for kind in (Kind.REFUSED, Kind.HELP, Kind.GAMES, Kind.SETTINGS, Kind.TROUBLE):
        made.owe(Notice(kind, "a@a.example"))
    letters = made.letters()
    assert sum("+l" in one.letter["Reply-To"] for one in letters) == 5


def test_unwritable_matter_is_our_bug() -> None:
    """A notice about a game that is not there raises, and is set aside by who called."""
    matter = LetterData("u", NOW, Notice(Kind.YOUR_TURN, "a@a.example", game=7))
    with pytest.raises(LookupError):
        Composer(KEY, ADDRESS, "Go by mail", invitation_days=14).compose(matter)


def test_the_record_s_letter_has_the_moves_on_one_line() -> None:
    """Whoever asks for the SGF can copy the whole game out of the letter, and it reads back."""
    told = asked(begun(), Kind.SGF, BLACK).text.partition("(Simple Go Notation):")[2]
    line = " ".join(part[1:].strip() for part in told.splitlines() if part.startswith(">"))
    assert line.startswith("9x9 E5b C3w ")
    assert " ".join(str(move.point) for move in sgn.parse_sgn(line).moves) == MOVES
