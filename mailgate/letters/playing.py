"""The letters of a game that is being played: its start, turns, receipts, words. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from godaemon.games import events as ev
from godaemon.games.kept_notices import SEATED
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.running_clocks import WARNED
from godaemon.games.state import color as color_named
from godaemon.rules import turn_order
from godaemon.rules.points import Color
from mailgate.language.meanings import meanings
from mailgate.language.vacations import vacation_in
from mailgate.letters.blocks import Block, Choices, LetterBlocks, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import plural, title, when
from mailgate.letters.shared_blocks import board, captured, in_play, introduced, unread
from mailgate.letters.time_phrases import explained, moment, stop_clocks


def started(view: LetterView) -> LetterBlocks:
    """Both players: the game has begun; for who moves first it is the turn letter too."""
    more = (*introduced(view), *_handicap(view), *explained(view.game.spec.time))
    return in_play(view, _beginning(view), *more)


def your_turn(view: LetterView) -> LetterBlocks:
    """The letter a game is played by."""
    more = (*_unplanned(view), *_unsent(view), *_cycle(view))
    return in_play(view, what_happened(view), *more)


def _unplanned(view: LetterView) -> Iterator[Words]:
    """Where the reader had planned, and not for this."""
    if any(view.mine(one.color) and not one.lines for one in view.happened(ev.Planned)):
        yield Words("Nothing that you had planned fits, so your plans are forgotten.")


def _unsent(view: LetterView) -> Iterator[Words]:
    """Where their program has shown the other's pass: how one's own arrives here."""
    if view.about.get(SEATED) and view.game.passes:
        yield Words(
            "Your Go program has shown you that pass. If you have passed there too, it has not told"
            " me: some programs, such as Sabaki, begin to count at the second pass by themselves."
            " To pass, reply with: `pass`"
        )


def moved(view: LetterView) -> LetterBlocks:
    """The receipt of a move."""
    first = f"{what_happened(view)} {view.whose_turn()}".strip()
    cycle = tuple(_cycle(view))
    blocks: list[Block] = [*view.words(), *_while_away(view), *cycle, *board(view)]
    if view.about.get("last"):
        blocks.append(
            Words(
                "You know your way by now, so this is the last confirmation that I send unasked:"
                " from now on no answer means that your move stands. You always hear of what could"
                " not be done."
            )
        )
        choices = (("receipts on", "keep sending them"), ("receipts off", "I do not need them"))
        blocks.append(Choices(choices))
    elif not cycle and "aside" not in view.about:
        words = "This confirms your move. To get no such emails, reply with: `receipts off`"
        blocks.append(Words(words, small=True))
    return LetterBlocks(first, tuple(blocks))


def _while_away(view: LetterView) -> Iterator[Words]:
    """How to stop one's clock, for who has told the other player that they will be away."""
    told = " ".join(one.text for one in view.happened(ev.Said) if view.mine(one.color))
    away = view.game.clock and any(one.first == "vacation" for _, one in meanings(told))
    return stop_clocks(vacation_in(told) if away else "")


def reminder(view: LetterView) -> LetterBlocks:
    """The reader's time is running out."""
    first = f"This is a reminder: game {view.game.id} waits for you."
    if view.game.clock is None:
        until = moment(view, view.data.owed_at + WARNED)
        first = (
            f"Game {view.game.id} has waited for an answer for a long time. Without one, or a word"
            f" at least from who is to answer, I will close it, without a result, on {until}."
        )
    return in_play(view, first)


def away(view: LetterView) -> LetterBlocks:
    """A vacation has begun by itself, where a game would have been over."""
    game = view.game
    out = game.clock.turn if game.clock else Color.BLACK
    if view.teaching or out is view.color:
        first = (
            f"Your time in game {game.id} has run out, so a vacation of yours has begun by itself,"
            " as you wanted."
        )
        words = "If you have not answered by its end, the game is over. To end it now: `back`"
        return LetterBlocks(first, (Words(words), *view.words(), *board(view)))
    first = (
        f"{view.other}'s time in game {game.id} has run out, and a vacation of theirs has"
        " begun by itself."
    )
    return LetterBlocks(first, (*view.words(), *board(view)))


def resumed(view: LetterView) -> LetterBlocks:
    """Play goes on, and the other player is to move."""
    return in_play(view, what_happened(view))


def void(view: LetterView) -> LetterBlocks:
    """One player offers to end the game without a result; or the other has said no to that."""
    said = next(view.happened(ev.Voided), None)
    mine = said is None or view.mine(said.color)
    if said is not None and not said.wanted:
        who = "You have" if mine else f"{view.other} has"
        return in_play(view, f"{who} said no: game {view.game.id} goes on.")
    cycle = turn_order.long_cycle(view.game.position)
    why = ", because this position has come about for the third time" if cycle else ""
    who = "You have offered" if mine else f"{view.other} offers"
    return in_play(view, f"{who} to end game {view.game.id} without a result{why}.")


def chat(view: LetterView) -> LetterBlocks:
    """The other player's words alone."""
    game = view.game
    after = when(game.move_number)
    news = f"{view.other} wrote to you in game {game.id}, {after}."
    if view.teaching:
        news = f"Your note {after} is kept in the record of game {game.id}."
    return in_play(view, news, *_cycle(view))


def what_happened(view: LetterView) -> str:
    """The move, pass or resumption that the letter tells of, in one sentence."""
    if len(view.moves) > 1:
        return " ".join(_ahead(view, view.moves[at:], at) for at in range(len(view.moves)))
    sentence = f"This is game {view.game.id} {when(view.game.move_number)}."
    for event in view.data.events:
        match event:
            case ev.Placed(stones):
                sentence = _placed(view, stones)
            case ev.Moved(color, point):
                sentence = _move(view, color, point)
            case ev.Passed(color):
                sentence = _pass(view, color)
            case ev.Resumed(color):
                sentence = (
                    f"{view.doer(color)} took the game back from counting: play goes on, and no"
                    f" stone is marked dead any more.{_warning(view.game)}"
                )
            case _:
                pass
    return sentence


def _placed(view: LetterView, stones: Sequence[str]) -> str:
    whose = " for Black" if view.teaching else ""
    return (
        f"{view.doer(Color.BLACK.word)} placed the {plural(len(stones), 'handicap stone')}{whose}:"
        f" {', '.join(stones)}."
    )


def _warning(game: Game) -> str:
    """What passes in a row mean now that play was stopped before, where they mean more."""
    if game.undisputed:
        return f" That was the last time: {_AS_IT_STANDS}"
    settles = game.spec.ruleset.settles
    if settles is None:
        return ""
    left = settles - game.position.passes()
    return f" By these rules {left} passes in a row now would end it, with every stone alive."


_AS_IT_STANDS = (
    "when play stops again, the game is over, and counted by area as the board stands then, with"
    " every stone on it alive. So take off first what is dead."
)


def _move(view: LetterView, word: str, point: str) -> str:
    mine = f" for {title(color_named(word))}" if view.teaching else ""
    sentence = f"{view.doer(word)} played {point}{mine} (move {view.game.move_number})"
    return f"{sentence}{captured(view.game)}."


def _ahead(view: LetterView, moves: Sequence[ev.Moved | ev.Passed], at: int) -> str:
    """The first of moves of which all but the very first (`at` 0) had been planned."""
    first, game = moves[0], view.game
    position = game.position.copy()
    for _ in moves[1:]:
        position.undo()
    number, took = position.move_number, captured(replace(game, position=position))
    what = f"played {first.point}" if isinstance(first, ev.Moved) else "passed"
    who, tail = view.doer(first.color), f" (move {number}){took}."
    if not at:
        return f"{who} {what}{tail}"
    return f"{who} {what} at once{tail[:-1]}: {'you' if who == 'You' else 'they'} had planned it."


def _pass(view: LetterView, word: str) -> str:
    color = color_named(word)
    mine = f" for {title(color)}" if view.teaching else ""
    sentence = f"{view.doer(word)} passed{mine} (move {view.game.move_number})."
    if view.game.phase is not Phase.PLAYING:
        return sentence
    then = _next_pass(view.game)
    if view.teaching:
        return f"{sentence} One more pass, and {then}."
    if view.mine(word):
        return f"{sentence} If {view.other} passes too, {then}."
    return f"{sentence} If you pass too, {then}."


def _next_pass(game: Game) -> str:
    """What one more pass in a row would do, by the rules of the game."""
    ruleset = game.spec.ruleset
    if game.undisputed and game.passes + 1 == ruleset.passes:
        return "the game is over, counted by area as the board stands"
    if ruleset.settles == game.position.passes() + 1:
        return "the game is over, with every stone on the board alive"
    left = ruleset.passes - game.passes - 1
    return "the score is counted" if not left else f"it takes {left} more to stop play"


def _beginning(view: LetterView) -> str:
    game = view.game
    if view.teaching:
        return f"Your teaching game {game.id} has started: you play both colours."
    mine = "" if view.my_turn else f" You are {title(view.color or Color.BLACK)};"
    if view.color is game.color_of(Seat.INVITED):
        return f"Game {game.id} against {view.other} has started.{mine}"
    return f"{view.other} has accepted: game {game.id} has started.{mine}"


def _handicap(view: LetterView) -> Iterator[Words]:
    spec = view.game.spec
    sentences = []
    if spec.color is None and not spec.teaching:
        sentences.append("The colours were drawn by lot.")
    if view.game.placing:
        sentences.append(
            "By these rules Black places the handicap stones first, and then White moves."
        )
    elif spec.opening is not None:
        sentences.append("It begins from the position that was proposed.")
    elif spec.handicap:
        stones = plural(spec.handicap, "handicap stone")
        stand = "stands" if spec.handicap == 1 else "stand"
        sentences.append(f"Black's {stones} {stand} on the board already, so White moves first.")
    if sentences:
        yield Words(" ".join(sentences))
    yield from unread(view)


def _cycle(view: LetterView) -> Iterator[Words]:
    """What is offered to both where a position has come about for the third time."""
    if not view.game.voiding and turn_order.long_cycle(view.game.position):
        agree = "" if view.teaching else f" and {view.other} does too"
        yield Words(
            "This position has now come about for the third time. By the rules of this game it may"
            f" end without a result: if you want that{agree}, reply with: `void`. Otherwise just"
            " play on."
        )
