"""Games that begin from a record: attached as SGF, or on one line in Simple Go Notation."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from godaemon.games.model import Phase
from godaemon.games.notices import Kind
from godaemon.games.views import record
from godaemon.records.sgf import read
from godaemon.records.sgf import write as write_sgf
from godaemon.rules.points import Color
from mailgate.handling.parsed_letter import parse_letter
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.gateway import Gateway, Person

CORNER = b"""(;GM[1]SZ[5]KM[0.5]RU[Chinese]PL[W]AB[bb][cb][db]AW[bc][cc])"""
"""
5  . . . . .
4  . X X X .
3  . O O . .      White to move
2  . . . . .
1  . . . . .
"""


class Club:
    """Alice and Bob, who have no game yet."""

    def __init__(self) -> None:
        self.gateway = Gateway()
        self.alice = self.gateway.person("Alice")
        self.bob = self.gateway.person("Bob")

    def propose(self, text: str, attached: bytes = b"", name: str = "game.sgf") -> str:
        """Alice's letter, with a file; what came of it."""
        letter: EmailMessage = self.alice.letter(text)
        if attached:
            letter.add_attachment(attached, "application", "octet-stream", filename=name)
        return self.alice.post(letter).event

    def begin(self) -> None:
        """Both say yes."""
        self.alice.reply("yes")
        self.bob.reply("accept")


@pytest.fixture
def club() -> Club:
    """A gateway without games."""
    return Club()


def words(person: Person) -> str:
    """The last letter's text, as it is set."""
    body = person.read().get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def test_a_game_begins_from_the_record_that_is_attached(club: Club) -> None:
    """On its terms; whoever is asked sees the position, and the opponent's yes begins it."""
    assert club.propose("new as black vs bob@players.example", CORNER) == "accepted"
    board = "5  . . . . .  5\n4  . X X X .  4\n3  . O O . .  3\n2  . . . . .  2\n1  . . . . .  1"
    assert board in words(club.alice)
    club.alice.reply("yes")
    invitation = words(club.bob)
    assert board in invitation
    assert "Begins: from this position, White to move" in " ".join(invitation.split())
    assert "Komi: 0.5 points for White" in " ".join(invitation.split())
    assert "Chinese" in invitation
    club.bob.reply("accept")
    game = club.gateway.game()
    assert (game.phase, game.to_move, game.move_number) == (Phase.PLAYING, Color.WHITE, 0)
    assert board in words(club.bob)
    assert club.alice.reply("A1").event == "refused"
    assert club.bob.reply("D3").event == "accepted"
    assert "4  . X X X .  4\n3  . O O(O).  3" in words(club.alice)


def test_the_record_of_such_a_game_has_where_it_began(club: Club) -> None:
    """What was set up, who moved first, and the moves from there; it can be begun from again."""
    club.propose("new as black vs bob@players.example", CORNER)
    club.begin()
    club.bob.reply("D3")
    written = read(write_sgf(record(club.gateway.game())).encode())
    assert sorted(map(str, written.setup_white)) == ["B3", "C3"]
    assert written.to_move is Color.WHITE
    club.alice.reply("sgf")
    (attached,) = club.alice.read().iter_attachments()
    assert read(attached.get_content()).moves == written.moves
    club.alice.reply("kifu")
    assert "Moves" not in words(club.alice)


ONE_LINE = "5x5 C3b D3w B2b passw"


@pytest.mark.parametrize(
    "line",
    [
        ONE_LINE,
        ONE_LINE.replace(" ", ","),
        f"https://go.example/sgn?{ONE_LINE.replace(' ', ',')}",
        f"<https://go.example/game/{ONE_LINE.replace(' ', ',')}>",
        f"https://go.example/sgn?game={ONE_LINE.replace(' ', '%20')}&lang=en",
        f"https://go.example/sgn?{ONE_LINE.replace(' ', '%2C')}",
    ],
)
def test_a_game_begins_from_a_line_of_sgn(club: Club, line: str) -> None:
    """Its moves are the game's: numbers, prisoners and ko go on."""
    assert club.propose(f"new vs bob@players.example as white {line}") == "accepted"
    club.begin()
    game = club.gateway.game()
    assert (str(game.spec.size), game.move_number, game.to_move) == ("5x5", 4, Color.BLACK)
    assert club.bob.reply("E4").event == "accepted"
    club.alice.reply("show 2")
    assert "after move 2" in words(club.alice)
    assert "3  . . X(O).  3" in words(club.alice)
    club.alice.reply("sgf")
    assert "> 5x5 C3b D3w B2b passw E4b" in words(club.alice)


@pytest.mark.parametrize(
    "text",
    [
        "new vs bob@players.example as white 5x5 C3b D3w\nB2b passw\n\nGood luck!",
        "new vs bob@players.example as white\n\n5x5 C3b D3w\nB2b passw\n\nGood luck!",
        (
            "new as white vs bob@players.example\n"
            "http://go.example/sgn?5x5,C3b,D3w,B2b,passw\nGood luck!"
        ),
        (
            "new vs bob@players.example as white from this position:"
            " 5x5 C3b D3w B2b\npassw\nGood luck!"
        ),
    ],
)
def test_a_line_that_was_broken_is_read_whole(club: Club, text: str) -> None:
    """Mail programs break long lines, and people write what is long below."""
    assert club.propose(text) == "accepted"
    club.begin()
    assert club.gateway.game().move_number == 4
    assert [said.text for said in club.gateway.game().chat] == ["Good luck!"]


def test_a_ko_of_the_record_may_not_be_taken_back_at_once(club: Club) -> None:
    """What happened before the game began has happened."""
    ko = "5x5 C4b D4w B3b E3w C2b D2w passb C3w D3b"
    club.propose(f"new vs bob@players.example as white {ko}")
    club.begin()
    assert club.gateway.game().position.prisoners[Color.BLACK] == 1
    assert club.alice.reply("C3").event == "refused"
    assert "takes the ko back" in words(club.alice)


def test_a_game_that_had_ended_goes_on_from_its_last_stone(club: Club) -> None:
    """Two passes ended it there."""
    club.propose("new vs bob@players.example", b"(;SZ[9]RE[B+1];B[ee];W[cc];B[];W[])")
    club.begin()
    game = club.gateway.game()
    assert (game.phase, game.move_number, game.to_move) == (Phase.PLAYING, 2, Color.BLACK)


def test_a_board_changed_by_hand_is_where_the_game_begins(club: Club) -> None:
    """Many programs write a position so."""
    club.propose("new vs bob@players.example", b"(;SZ[5];B[aa];AB[cc]AW[dd]AE[aa]PL[W];W[bb])")
    club.begin()
    game = club.gateway.game()
    stones = (game.position.handicap, game.position.set_up_white, game.position.moves)
    assert str(stones).count("Point(") == 3
    assert game.to_move is Color.BLACK


def test_a_record_is_read_before_the_transaction(club: Club) -> None:
    """And only where a game is asked for: no store waits while a large file is read."""
    for text, is_read in (("new vs bob@players.example", True), ("games", False)):
        letter: EmailMessage = club.alice.letter(text)
        letter.add_attachment(CORNER, "application", "octet-stream", filename="game.sgf")
        parsed = parse_letter(InboundLetter("go@go.example", club.alice.address, bytes(letter)))
        assert (parsed.record == read(CORNER)) is is_read


def test_what_of_a_record_was_not_read_is_said_to_whom_it_is_from(club: Club) -> None:
    """Before they say yes; nobody else hears of their file."""
    cut = "(;SZ[9]PB[古力]KM[3.75];B[ee](;W[cc];B[gg])(;W[gc];B[c".encode("utf-16")
    club.propose("new vs bob@players.example", cut)
    told = " ".join(words(club.alice).split())
    assert "About the record you attached: The file breaks off before its end" in told
    assert "There are variations beside the main line" in told
    club.begin()
    assert club.gateway.game().spec.komi == 7.5
    assert club.gateway.game().move_number == 3
    assert "attached: The file" not in " ".join(words(club.bob).split())


NINE = b"(;SZ[9]KM[6.5];B[ee])"


@pytest.mark.parametrize(
    ("text", "files", "event", "told"),
    [
        ("new", {"game.sgf": b""}, "refused", "not an SGF file"),
        ("new", {"games.zip": b"PK\3\4" + b"\0" * 40}, "refused", "not an SGF file"),
        ("new", {"1.sgf": NINE, "2.sgf": CORNER}, "accepted", "You attached 2 files: the first is"),
        ("new", {"1.sgf": NINE, "2.zip": b"PK"}, "accepted", "You attached 2 files: the first is"),
        ("new 19x19", {"1.sgf": NINE}, "accepted", "The board is 9x9, as in the record."),
        ("new", {"1.sgf": b"(;SZ[9]RU[House];B[ee])"}, "accepted", "Its rules, “House”, are none"),
        ("new 9x9", {"1.sgf": NINE, "board.png": b"\x89PNG"}, "accepted", ""),
    ],
)
def test_whatever_of_some_files_is_not_read_is_told(
    club: Club, text: str, files: dict[str, bytes], event: str, told: str
) -> None:
    """Who attaches a game is never given another one without a word."""
    letter = club.alice.letter(f"{text} vs bob@players.example")
    for name, content in files.items():
        letter.add_attachment(content, "application", "octet-stream", filename=name)
    assert club.alice.post(letter).event == event
    said = " ".join(words(club.alice).split())
    assert told in said
    assert told or "About the record" not in said


@pytest.mark.parametrize(
    ("text", "attached", "why"),
    [
        ("new vs bob@players.example", b"not a record", "Nothing was proposed"),
        ("new 13x13 vs bob@players.example", CORNER, "a 5x5 board"),
        ("new handicap 3 vs bob@players.example", CORNER, "handicap comes from the record"),
        ("new vs bob@players.example", b"(;SZ[5];B[aa];W[aa])", "White cannot play A5 as move 2"),
        ("new vs bob@players.example", b"(;SZ[2]AB[aa][ab]AW[ba][bb])", "have no liberty"),
        ("new vs bob@players.example 9x9 E5b E5w", b"", "White cannot play E5 as move 2"),
        ("new vs bob@players.example 9x9 K9b", b"", "off the 9x9 board"),
    ],
)
def test_a_record_that_cannot_be_begun_from(
    club: Club, text: str, attached: bytes, why: str
) -> None:
    """It is refused with the reason, and nobody is written to."""
    assert club.propose(text, attached) == "refused"
    assert why in " ".join(words(club.alice).split())
    assert not club.bob.letters()


def test_other_files_are_no_records(club: Club) -> None:
    """The game begins from the empty board."""
    club.propose("new 9x9 vs bob@players.example", b"(;SZ[5];B[aa])", name="game.txt")
    club.begin()
    assert club.gateway.game().move_number == 0
    assert club.gateway.game().spec.size.width == 9


def test_the_opponent_may_be_oneself(club: Club) -> None:
    """A teaching game from a position."""
    club.propose("new vs alice@players.example", CORNER, name="=?utf-8?B?5qOL6LCxLnNnZg==?=")
    club.alice.reply("yes")
    assert club.alice.letters(Kind.STARTED)
    assert club.alice.reply("D3").event == "accepted"
