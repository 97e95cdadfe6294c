"""Letters of a count: awaited actions, void agreements, and open borders."""

import pytest

from godaemon.games import commands as cmd
from godaemon.games.model import Seat
from godaemon.games.notices import Kind, Notice
from godaemon.rules.points import Size
from mailgate.language.parser import parse_text
from tests.support.letters import sentence
from tests.support.played_games import PlayedGames, PostedLetter

MOVES = "C3 E3 C2 E2 C4 E4 C1 E1 C5 E5 B3 F4 A2 B2 pass pass"
"""7x5: Black holds the left, White the right, and White's stone at B2 is as good as dead."""
DAME, DAME_POINTS = "C3 E3 C2 E2 C4 E4 C1 E1 C5 E5", "D1, D2, D3, D4, D5"
"""7x5: both colours touch the middle column."""


def counting(
    moves: str = MOVES, *, size: Size = Size(7, 5), rules: str = "japanese"
) -> PlayedGames:
    """A game in the counting phase, with its first letters queued."""
    games = PlayedGames()
    games.start(cmd.Propose("bob@players.example", size, rules=rules))
    games.play(moves)
    return games


def letters_after(games: PlayedGames, seat: Seat, *lines: str) -> dict[str, PostedLetter]:
    """The letters to Alice and Bob after a seat's commands."""
    games.letters()
    games.act(seat, *(one.command for one in parse_text(lines).commands))  # type: ignore[arg-type]
    return by_reader(games)


def by_reader(games: PlayedGames) -> dict[str, PostedLetter]:
    """The newest letters by recipient."""
    return {str(one.letter["To"]).partition("@")[0]: one for one in games.letters()}


def words(posted: PostedLetter) -> str:
    """The text of a letter on one line."""
    return " ".join(posted.text.split())


BOTH, OTHER, YOU = "done-by-nobody", "done-by-you", "done-by-them"


@pytest.mark.parametrize(
    ("lines", "alice", "bob"),
    [
        (("say Hm.",), BOTH, BOTH),
        (("dead B2",), BOTH, BOTH),
        (("done",), OTHER, YOU),
        (("dead B2", "done"), OTHER, YOU),
        (("done", "say That is it."), OTHER, YOU),
    ],
)
def test_emails_say_once_who_must_agree(lines: tuple[str, ...], alice: str, bob: str) -> None:
    """Emails about new marks only offer to agree."""
    games = counting()
    first = by_reader(games)
    assert sentence(BOTH, who="Bob") in words(first["alice"])
    text = letters_after(games, Seat.BLACK, *lines)
    length = games.act(Seat.BLACK, cmd.Say("Hm.")).length
    games.letters()
    others = (Kind.SHOW, Kind.ESTIMATE, Kind.REFUSED, Kind.SGF, Kind.KIFU, Kind.GIF, Kind.CHAT)
    for kind in others if lines == ("done",) else (Kind.SHOW,):
        to = "bob@players.example"
        games.queue(Notice(kind, to, to, 1, Seat.WHITE, length, length))
        text[kind.value] = games.letters()[0]
    if lines == ("dead B2",):
        assert not any(sentence(BOTH) in words(text.pop(name)) for name in ("alice", "bob"))
    assert bob is not YOU or words(text.pop("bob")).startswith("Alice ")
    assert alice is not OTHER or "Waiting for Bob." in words(text.pop("alice"))
    for name, letter in text.items():
        other, awaited = ("Bob", alice) if name == "alice" else ("Alice", bob)
        assert words(letter).count(sentence(awaited, who=other)) == 1, letter.text


@pytest.mark.parametrize("lines", [("dead B2",), ("dead B2", "done")], ids=["marks", "and done"])
def test_a_new_mark_voids_an_agreement(lines: tuple[str, ...]) -> None:
    """Who has not agreed since learns that it no longer counts, and which stones have changed."""
    games = counting()
    letters_after(games, Seat.BLACK, "done")
    text = letters_after(games, Seat.WHITE, *lines)
    told = [name for name in ("alice", "bob") if sentence("asked-again") in words(text[name])]
    assert told == (["alice"] if "done" in lines else ["alice", "bob"])
    assert words(text["alice"]).count("the white stone at B2") == 1


def test_marks_are_listed_by_group() -> None:
    """New marks come first; all dead stones are listed only if others were dead before."""
    games = counting("D4 E5 D6 E4 pass pass", size=Size(9, 9))
    first = words(letters_after(games, Seat.BLACK, "dead E4 only")["bob"])
    assert first.startswith("Alice marked the 2 white stones at E4 dead. Now ")
    assert "Marked dead" not in first
    then = words(letters_after(games, Seat.BLACK, "dead D6 only")["bob"])
    assert then.startswith("Alice marked the black stone at D6 dead. Now ")
    assert "Marked dead: the 2 white stones at E4 and the black stone at D6." in then
    back = words(letters_after(games, Seat.BLACK, "alive D6 only", "dead D4 only")["bob"])
    assert back.startswith(
        "Alice marked the black stone at D4 dead. Alice marked the black stone at D6 alive again."
    )


def test_a_mark_of_several_chains_shows_how_to_mark_one() -> None:
    """Not one of a single chain, or for players who already use `only`."""
    walled = "C1 A2 C2 A5 C3 G5 C4 G6 C5 G7 C6 G4 C7 G3 C8 G8 C9 pass pass"
    games = counting(walled, size=Size(9, 9))
    text = letters_after(games, Seat.BLACK, "dead A2")
    assert sentence("mark-only", point="A2", line="alive A2 only") in words(text["alice"])
    text = letters_after(games, Seat.BLACK, "alive A2 A5 only")
    assert "A mark takes the whole group" not in words(text["bob"])
    text = letters_after(counting(), Seat.BLACK, "dead B2")
    assert "A mark takes the whole group" not in words(text["bob"])


@pytest.mark.parametrize(
    ("moves", "size", "rules", "says"),
    [
        ("D4 E5 D5 E4", Size(9, 9), "japanese", sentence("none-closed")),
        (
            *("C3 D3 C2 E2 C1 F2 C4 G2 B5", Size(7, 5), "japanese"),
            sentence("areas-open", areas="the 12 points around E4"),
        ),
        (DAME, Size(7, 5), "chinese", sentence("dame-in-area", count=5, points=DAME_POINTS)),
    ],
    ids=["nothing is closed", "an open area", "neutral points under area rules"],
)
def test_emails_name_what_is_open(moves: str, size: Size, rules: str, says: str) -> None:
    """An open area by size and centre; owned areas are not listed."""
    games = counting(f"{moves} pass pass", size=size, rules=rules)
    assert says in words(by_reader(games)["alice"])


@pytest.mark.parametrize("moves", [DAME, "C3 D3 C2 D2 C4 D4 C1 D1 C5 D5"])
def test_a_closed_board_has_no_note(moves: str) -> None:
    """Under territory rules a neutral point is worth nothing."""
    text = words(by_reader(counting(f"{moves} pass pass"))["alice"])
    assert "neutral point" not in text
    assert "Both colours touch" not in text


def test_the_result_does_not_mention_open_borders() -> None:
    """Play is over."""
    games = counting("D4 E5 D5 E4 pass pass", size=Size(9, 9))
    letters_after(games, Seat.BLACK, "done")
    assert "closed" not in words(letters_after(games, Seat.WHITE, "done")["alice"])
