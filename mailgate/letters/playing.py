"""The letters of a game that is being played: its start, turns, receipts, words. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from godaemon.games import events as ev
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.owed_letters import SEATED
from godaemon.games.running_clocks import WARNED
from godaemon.games.special_moves import taken_back
from godaemon.games.state import color as color_named
from godaemon.rules import turn_order
from godaemon.rules.points import Color
from godaemon.texts.catalogue import listed, say
from mailgate.language.meanings import meanings
from mailgate.language.vacations import vacation_in
from mailgate.letters.blocks import Block, Choices, LetterBlocks, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import move, title, when
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
        yield Words(say("plans-dropped"))


def _unsent(view: LetterView) -> Iterator[Words]:
    """Where their program has shown the other's pass: how one's own arrives here."""
    if view.about.get(SEATED) and view.game.passes:
        yield Words(say("pass-shown-by-program"))


def moved(view: LetterView) -> LetterBlocks:
    """The receipt of a move."""
    first = f"{what_happened(view)} {view.whose_turn()}".strip()
    cycle = tuple(_cycle(view))
    blocks: list[Block] = [*view.words(), *_while_away(view), *cycle, *board(view)]
    if view.about.get("last"):
        blocks.append(Words(say("last-receipt")))
        blocks.append(Choices((("receipts on", say("receipts-on")),)))
    elif not cycle and "aside" not in view.about:
        blocks.append(Words(say("stop-receipts"), small=True))
    return LetterBlocks(first, tuple(blocks))


def _while_away(view: LetterView) -> Iterator[Words]:
    """How to stop one's clock, for who has told the other player that they will be away."""
    told = " ".join(one.text for one in view.happened(ev.Said) if view.mine(one.color))
    away = view.game.clock and any(one.first == "vacation" for _, one in meanings(told))
    return stop_clocks(vacation_in(told) if away else "")


def reminder(view: LetterView) -> LetterBlocks:
    """The reader's time is running out."""
    first = say("reminder", game=view.game.id)
    if view.game.clock is None:
        until = moment(view, view.data.owed_at + WARNED)
        first = say("reminder-without-clock", game=view.game.id, moment=until)
    return in_play(view, first)


def away(view: LetterView) -> LetterBlocks:
    """A vacation has begun by itself, where a game would have been over."""
    game = view.game
    out = game.clock.turn if game.clock else Color.BLACK
    if view.teaching or out is view.color:
        first = say("away-began", game=game.id)
        return LetterBlocks(first, (Words(say("away-then")), *view.words(), *board(view)))
    first = say("away-began-theirs", game=game.id, who=view.other)
    return LetterBlocks(first, (*view.words(), *board(view)))


def resumed(view: LetterView) -> LetterBlocks:
    """Play goes on, and the other player is to move."""
    return in_play(view, what_happened(view))


def void(view: LetterView) -> LetterBlocks:
    """One player offers to end the game without a result; or the other has said no to that."""
    said = next(view.happened(ev.Voided), None)
    mine = said is None or view.mine(said.color)
    if said is not None and not said.wanted:
        key = "you-keep-playing" if mine else "they-keep-playing"
        return in_play(view, say(key, who=view.other, game=view.game.id))
    cycle = turn_order.long_cycle(view.game.position)
    key = f"{'you' if mine else 'they'}-offer-void{'-repeated' if cycle else ''}"
    return in_play(view, say(key, who=view.other, game=view.game.id))


def chat(view: LetterView) -> LetterBlocks:
    """The other player's words alone."""
    game = view.game
    key = "note-kept" if view.teaching else "wrote-in-game"
    news = say(key, who=view.other, game=game.id, when=when(game.move_number))
    return in_play(view, news, *_cycle(view))


def what_happened(view: LetterView) -> str:
    """The move, pass or resumption that the letter tells of, in one sentence."""
    if len(view.moves) > 1:
        return " ".join(_ahead(view, view.moves[at:], at) for at in range(len(view.moves)))
    sentence = say("this-is-game", game=view.game.id, when=when(view.game.move_number))
    for event in view.data.events:
        match event:
            case ev.Placed(stones):
                placed = {"count": len(stones), "points": say("comma").join(stones)}
                sentence = view.tell(Color.BLACK.word, "placed-handicap", **placed)
            case ev.Moved() | ev.Passed():
                sentence = _moved(view, event)
            case ev.Resumed(color):
                sentence = f"{view.tell(color, 'play-on')} {_warning(view.game)}".strip()
            case _:
                pass
    return sentence


def _warning(game: Game) -> str:
    """What passes in a row mean now that play was stopped before, where they mean more."""
    if game.undisputed:
        return say("last-resumption")
    settles = game.spec.ruleset.settles
    if settles is None:
        return ""
    return say("passes-end-it", count=settles - game.position.passes())


def _moved(view: LetterView, event: ev.Moved | ev.Passed) -> str:
    """A move or a pass, what it took, and what a pass leads to."""
    if isinstance(event, ev.Passed):
        then = _next_pass(view) if view.game.phase is Phase.PLAYING else ""
        return f"{_one(view, event, view.game)} {then}".strip()
    return _one(view, event, view.game)


def _one(view: LetterView, event: ev.Moved | ev.Passed, game: Game, ready: str = "") -> str:
    """One move or pass, after which the game was like that; `-ready` where it was planned."""
    values: dict[str, object] = {"number": game.move_number}
    what = "passed"
    if isinstance(event, ev.Moved):
        what, values["point"] = "played", event.point
    if view.teaching:
        color = title(color_named(event.color))
        return f"{say(f'colour-{what}', color=color, **values)} {captured(game)}".strip()
    return f"{view.tell(event.color, what + ready, **values)} {captured(game)}".strip()


def _ahead(view: LetterView, moves: Sequence[ev.Moved | ev.Passed], at: int) -> str:
    """The first of moves of which all but the very first (`at` 0) had been planned."""
    position = view.game.position.copy()
    for _ in moves[1:]:
        position.undo()
    game = replace(view.game, position=position)
    return _one(view, moves[0], game, "-ready" if at else "")


def _next_pass(view: LetterView) -> str:
    """What one more pass in a row would do, by the rules of the game."""
    game, ruleset = view.game, view.game.spec.ruleset
    left = ruleset.passes - game.passes - 1
    if game.undisputed and not left:
        return say("next-pass-by-area")
    if ruleset.settles == game.position.passes() + 1:
        return say("next-pass-all-alive")
    return say("next-pass-more", count=left + 1) if left else say("next-pass-counts")


def _beginning(view: LetterView) -> str:
    game = view.game
    if view.teaching:
        return say("teaching-started", game=game.id)
    mine = "" if view.my_turn else say("you-are", color=title(view.color or Color.BLACK))
    invited = view.color is game.color_of(Seat.INVITED)
    began = say("started" if invited else "accepted", game=game.id, who=view.other)
    return f"{began} {mine}".strip()


def _handicap(view: LetterView) -> Iterator[Words]:
    spec = view.game.spec
    sentences = []
    if spec.color is None and not spec.teaching:
        sentences.append(say("drawn-by-lot"))
    if view.game.placing:
        sentences.append(say("black-places-first"))
    elif spec.opening is not None:
        sentences.append(say("begins-as-proposed"))
    elif spec.handicap:
        sentences.append(say("handicap-stands", count=spec.handicap))
    if sentences:
        yield Words(" ".join(sentences))
    yield from unread(view)


def _cycle(view: LetterView) -> Iterator[Words]:
    """What is offered to both where a position has come about for the third time."""
    if not view.game.voiding and turn_order.long_cycle(view.game.position):
        alone = view.teaching
        yield Words(say("third-time-alone" if alone else "third-time", who=view.other))


def undo(view: LetterView) -> LetterBlocks:
    """Both players: one asks, the other has answered, or it is done."""
    return in_play(view, _undo_news(view))


def lapsed(view: LetterView, back: str) -> Words:
    """To who had asked for a move back: the other has moved instead of answering."""
    named = {"": say("the-handicap-stones"), "pass": say("passing")}
    return Words(say("undo-lapsed", who=view.other, moves=named.get(back, back)))


def _undo_news(view: LetterView) -> str:
    game = view.game
    if (back := next(view.happened(ev.Undone), None)) is not None:
        moves = _numbered(back.moves, game.move_number)
        if view.teaching or view.facing_engine:
            return say("taken-back", moves=moves)
        return view.tell(color_named(back.color).opponent.word, "let-take-back", moves=moves)
    moves = _numbered(taken_back(game, 1), game.move_number - 1)
    if (refused := next(view.happened(ev.UndoRefused), None)) is not None:
        return view.tell(refused.color, "refuse-undo", moves=moves)
    asker = game.undo_asked
    theirs = asker is not None and not view.mine(asker.word)
    return say("undo-asks" if theirs else "undo-asked", who=view.other, moves=moves)


def _numbered(moves: Sequence[str], before: int) -> str:
    """The moves by their numbers: `D4 (move 5) and E5 (move 6)`."""
    if not moves:
        return say("the-handicap-stones")
    told = enumerate(map(move, moves), before + 1)
    return listed([say("move-numbered", move=one, number=number) for number, one in told])
