"""Notes at a seat, all that was said, and calling a game off."""

from __future__ import annotations

from godaemon.games import commands as cmd
from godaemon.rules.points import Color
from gtp.seat.commands.act import SAID_AT_ONE_MOVE
from tests.support.seat_game import Controller, FakeSeatGame, game


def seats(moves: str = "b E5 w C3") -> tuple[Controller, Controller]:
    """Alice at the black seat and Bob at the white one, each with a game of their own."""
    mine = FakeSeatGame(game(moves=moves), Color.BLACK)
    return Controller(mine), Controller(FakeSeatGame(mine.game, Color.WHITE))


async def test_what_was_said_is_told_in_its_order() -> None:
    """Words of both and one's own notes, with the move after which each was said."""
    mine, _ = seats()
    await mine.seat.do(cmd.Say("Good  luck!"), Color.WHITE)
    assert await mine.say("godaemon-note the corner is open", "godaemon-say Thanks!") == ["="] * 2
    await mine.seat.mail("b G7")
    await mine.seat.do(cmd.Note("ko?"), Color.WHITE)
    assert await mine.ask("godaemon-hidden I hope nobody sees C7") == "="
    assert (await mine.ask("godaemon-history")).splitlines() == [
        "= move 2, Bob: Good luck!",
        "move 2, Alice: Thanks!",
        "move 2, Alice noted: the corner is open",
        "move 3, Alice noted: I hope nobody sees C7",
    ]


async def test_a_note_is_its_players_own() -> None:
    """Nothing that the opponent asks tells of it; at the end a hidden one is shown."""
    mine, theirs = seats()
    await mine.say("godaemon-note a seed", "godaemon-hidden a shoot")
    looks = ("godaemon-history", "godaemon-status", "printsgf")
    before = await theirs.say(*looks)
    await theirs.seat.change(mine.seat.game)
    assert await theirs.say(*looks) == before
    await theirs.seat.do(cmd.Resign(), Color.BLACK)
    assert await theirs.ask("godaemon-history") == "= move 2, Alice noted: a shoot"
    assert "a seed" not in await theirs.ask("printsgf")


async def test_notes_have_the_bounds_of_words() -> None:
    """None without words, and not without end at one move."""
    mine, _ = seats()
    assert await mine.say("godaemon-note", "godaemon-hidden") == ["? syntax error"] * 2
    answers = [await mine.ask(f"godaemon-note {number}") for number in range(SAID_AT_ONE_MOVE + 1)]
    assert answers[-1].startswith("? you have said enough at this move")


async def test_a_game_is_called_off() -> None:
    """Before both have moved at once; later when the opponent wants it too."""
    early, _ = seats("b E5")
    assert await early.ask("godaemon-cancel") == "= the game is over: without a result"
    late, _ = seats()
    answer = "= the game ends without a result when your opponent asks for that too"
    assert await late.ask("godaemon-cancel") == answer
    assert (await early.ask("godaemon-cancel")).startswith("? This game is over")
