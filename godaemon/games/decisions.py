"""Decides which events a command causes, or refuses it; changes nothing.

Randomness is an argument. Raises a `Refusal`; the player reads its sentence.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import reduce
from typing import Any

from godaemon.errors import IllegalMove, NotAllowed, NotYourTurn, Reason, Refusal, WrongPhase
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.dead_stones import changed_stones
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.notices import network_supports
from godaemon.games.planned_moves import PASS, add_plan
from godaemon.games.proposals import counter_proposal
from godaemon.games.special_moves import check_placed, check_undo, chosen_points, last_moves
from godaemon.games.state import apply
from godaemon.rules.points import Color, parse_point
from godaemon.rules.scoring import Score
from godaemon.texts.catalogue import join_sentences, sentence

Draw = Callable[[], Color]
"""Nigiri: draws the proposer's colour."""
MAX_COUNTERS = 6
"""Maximum number of counter-proposals for one game."""


def decide(game: Game, seat: Seat, command: cmd.Action, draw: Draw) -> tuple[ev.Event, ...]:
    """The events of a command; none if it changes nothing. Raises a `Refusal`."""
    return _DECIDE[type(command)](game, seat, command, draw)


def decide_after(
    before: Game, game: Game, seat: Seat, command: cmd.Action, draw: Draw
) -> tuple[ev.Event, ...]:
    """The events of a command in an email whose earlier commands turned `before` into `game`.

    A refusal undoes the earlier commands too, so a mark's refusal offers lines for `before`.
    """
    try:
        return decide(game, seat, command, draw)
    except Refusal as refusal:
        if not isinstance(command, cmd.Mark) or game is before:
            raise
        decide(before, seat, command, draw)
        raise Refusal(sentence("too-much-marked", line=command), hints=(str(command),)) from refusal


def _play(game: Game, seat: Seat, command: cmd.Play, _: Draw) -> tuple[ev.Event, ...]:
    color = _color_to_move(game, seat)
    check_placed(game)
    try:
        game.position.dry_run(color, command.point)
    except IllegalMove as fault:
        why = join_sentences(fault.public, sentence("try-another"))
        raise IllegalMove(why, fault.reason, repeats=fault.repeats) from fault
    return (ev.Moved(color.word, str(command.point)),)


def _place(game: Game, seat: Seat, command: cmd.Place, _: Draw) -> tuple[ev.Event, ...]:
    _color_to_move(game, seat)
    return (ev.Placed(tuple(map(str, chosen_points(game, command)))),)


def _pass(game: Game, seat: Seat, _command: cmd.Pass, _: Draw) -> tuple[ev.Event, ...]:
    color = _color_to_move(game, seat)
    check_placed(game)
    after = game.position.copy()
    after.pass_(color)
    passed = ev.Passed(color.word)
    stopped = game.passes + 1 >= game.spec.ruleset.passes
    if not after.is_settled and not (stopped and game.undisputed):
        return (passed,)
    return (passed, _finish_by_count(replace(game, position=after, dead=frozenset()).score()))


def _undo(game: Game, seat: Seat, _command: cmd.Undo, _: Draw) -> tuple[ev.Event, ...]:
    color = _playing_color(game, seat)
    moves = check_undo(game, color)
    if game.spec.teaching or game.player(Seat.of(color.opponent)).engine:
        return (ev.Undone(color.word, moves),)
    return () if game.undo_asked is color else (ev.UndoAsked(color.word),)


def _if(game: Game, seat: Seat, command: cmd.If, _: Draw) -> tuple[ev.Event, ...]:
    color = _playing_color(game, seat)
    if not command.line:
        return ()
    lines = add_plan(game, color, command.line)
    return () if lines == game.plans.get(color) else (ev.Planned(color.word, lines),)


def _cancel_ifs(game: Game, seat: Seat, _command: cmd.CancelIfs, _: Draw) -> tuple[ev.Event, ...]:
    color = _playing_color(game, seat)
    return (ev.Planned(color.word),) if game.plans.get(color) else ()


def planned_events(before: Game, game: Game, draw: Draw) -> tuple[ev.Event, ...]:
    """The planned replies to the last move; if there is none, the event that ends the plan."""
    color = game.to_move
    if color is None or not before.plans.get(color):
        return ()
    reply: tuple[ev.Event, ...] = ()
    if lines := game.plans.get(color):
        word = lines[0][0]
        with suppress(Refusal):  # `any` may have taken its point
            move = cmd.Pass() if word == PASS else cmd.Play(parse_point(word))
            reply = decide(game, Seat.of(color), move, draw)
    if not reply:
        return (ev.Planned(color.word),)
    return (*reply, *planned_events(game, reduce(apply, reply, game), draw))


def _score(game: Game, seat: Seat, _command: cmd.AskScore, _: Draw) -> tuple[ev.Event, ...]:
    if game.phase is not Phase.PLAYING:  # there is a count, or never will be
        return ()
    color = _playing_color(game, seat)
    check_estimate(game, color)
    earlier = {(one.color, one.move_number) for one in game.estimates}
    return () if (color, game.move_number) in earlier else (ev.Estimated(color.word),)


def check_estimate(game: Game, color: Color) -> None:
    """Raise a `Refusal` if a player may have no estimate of the score."""
    if not game.spec.estimable:
        raise NotAllowed(
            sentence("no-estimates", who=_other_name(game, color)),
            hints=(f"new {game.spec.size} estimates vs bob@example.org",),
        )
    check_placed(game)
    if not network_supports(game):
        raise NotAllowed(sentence("no-estimate-on-board"), hints=("show",))


def _resign(game: Game, seat: Seat, _command: cmd.Resign, _: Draw) -> tuple[ev.Event, ...]:
    color = _playing_color(game, seat)
    winner = "W" if color is Color.BLACK else "B"
    return (ev.Resigned(color.word), ev.Finished(f"{winner}+R"))


def _mark(game: Game, seat: Seat, command: cmd.Mark, _: Draw) -> tuple[ev.Event, ...]:
    color = check_counting(game, seat)
    stones = changed_stones(game, command)
    if not stones:
        return ()
    return (ev.Marked(color.word, tuple(map(str, stones)), command.dead),)


def _done(game: Game, seat: Seat, _command: cmd.Done, _: Draw) -> tuple[ev.Event, ...]:
    color = check_counting(game, seat)
    board = "/".join(game.rows())
    agreed = ev.Agreed(color.word, board)
    other_board = board if game.spec.teaching else game.agreed.get(color.opponent)
    if other_board is None:
        return () if game.agreed.get(color) == board else (agreed,)
    if other_board != board:
        return (agreed, ev.Disagreed())
    return (agreed, _finish_by_count(game.score()))


def _finish_by_count(score: Score) -> ev.Finished:
    return ev.Finished(score.result, score.black.total, score.white.total)


def _resume(game: Game, seat: Seat, _command: cmd.Resume, _: Draw) -> tuple[ev.Event, ...]:
    color = check_counting(game, seat)
    return (ev.Resumed(color.word, game.position.first_after_stop(color).word),)


def _void(game: Game, seat: Seat, _command: cmd.Void, _: Draw) -> tuple[ev.Event, ...]:
    color = _playing_color(game, seat)
    if game.player(Seat.of(color.opponent)).engine and not game.position.is_long_cycle:
        raise NotAllowed(sentence("program-voids-nothing"), hints=("resign",))
    agreed = game.spec.teaching or color.opponent in game.voiding
    if color in game.voiding and not agreed:
        return ()
    return (ev.Voided(color.word), *((ev.Finished("Void"),) if agreed else ()))


def _public(game: Game, seat: Seat, command: cmd.Public, _: Draw) -> tuple[ev.Event, ...]:
    color = _playing_color(game, seat)
    if command.wanted and game.watchable.get(color.opponent) is False:
        raise NotAllowed(sentence("not-to-be-watched", who=_other_name(game, color)))
    unchanged = game.watchable.get(color) is command.wanted
    return () if unchanged else (ev.Opened(color.word, command.wanted),)


def _answer(game: Game, seat: Seat, *, yes: bool) -> tuple[ev.Event, ...]:
    """The events of an answer to the opponent's request; an offer of `void` only takes a no."""
    color, asker = game.color_of(seat), game.undo_asked
    if asker is not None and color is not asker:
        undone = ev.Undone(asker.word, last_moves(game, 1))
        return (undone if yes else ev.UndoRefused(asker.opponent.word),)
    if color and game.public_asked not in (None, color):
        return (ev.Opened(color.word, yes),)
    offered = color is not None and not game.phase.over and color.opponent in game.voiding
    return (ev.Voided(color.word, wanted=False),) if offered and color and not yes else ()


def _yes(game: Game, seat: Seat, _command: cmd.Yes, draw: Draw) -> tuple[ev.Event, ...]:
    if game.phase is not Phase.PROPOSED:
        if events := _answer(game, seat, yes=True):
            return events
        raise _too_late(game)
    if game.side(seat) is Seat.PROPOSER and not game.confirmed:
        ready = game.spec.teaching or game.spec.invited.engine  # an engine accepts at once
        return (ev.Confirmed(), *(_start(game, draw) if ready else ()))
    _check_answers(game, seat)
    return _start(game, draw)


def _check_answers(game: Game, seat: Seat) -> None:
    """Raise `WrongPhase` unless it is the seat's turn to answer the proposal."""
    if not game.confirmed:
        raise WrongPhase(sentence("not-confirmed-yet"))
    if game.side(seat) is game.offering_side:
        raise _unanswered(game)


def _counter(game: Game, seat: Seat, command: cmd.Counter, _: Draw) -> tuple[ev.Event, ...]:
    if game.phase is not Phase.PROPOSED:
        raise WrongPhase(sentence("terms-stand"), hints=("show",))
    _check_answers(game, seat)
    if game.counters >= MAX_COUNTERS:
        raise NotAllowed(sentence("terms-to-and-fro"), hints=("accept", "decline"))
    side = game.side(seat)
    terms = ev.encode(counter_proposal(game.spec, dict(command.terms), side))
    return (ev.Countered(side.word, terms, command.words),)


def _start(game: Game, draw: Draw) -> tuple[ev.Event, ...]:
    color = game.spec.color or draw()
    black = "proposer" if color is Color.BLACK else "invited"
    greeting = (ev.Said(color.word, game.spec.words),) if game.spec.words else ()
    return (ev.Started(black, game.spec.invited.name), *greeting)


def _no(game: Game, seat: Seat, command: cmd.No, _: Draw) -> tuple[ev.Event, ...]:
    if game.phase is not Phase.PROPOSED:
        if events := _answer(game, seat, yes=False):
            return events
        raise _too_late(game)
    side = game.side(seat)
    if side is Seat.PROPOSER and side is game.offering_side:
        return (ev.Withdrawn(),)
    return (ev.Declined(command.words, side.word),)


def _withdraw(game: Game, seat: Seat, _command: cmd.Withdraw, _draw: Draw) -> tuple[ev.Event, ...]:
    if game.phase in {Phase.PLAYING, Phase.SCORING}:
        if game.phase is Phase.PLAYING and not game.begun:
            return (ev.Finished("Void", why="called off"),)
        return _void(game, seat, cmd.Void(), _draw)
    if game.phase is not Phase.PROPOSED:
        raise _too_late(game)
    side = game.side(seat)
    if side is not Seat.PROPOSER and side is not game.offering_side:
        raise NotAllowed(sentence("only-proposer-withdraws"), hints=("decline",))
    return (ev.Withdrawn() if side is Seat.PROPOSER else ev.Declined(side=side.word),)


def _note(game: Game, seat: Seat, command: cmd.Note, _: Draw) -> tuple[ev.Event, ...]:
    if game.black is None:
        raise NotAllowed(sentence("no-notes-yet"))
    return (ev.Noted((_color(game, seat) or Color.BLACK).word, command.text, command.hidden),)


def _say(game: Game, seat: Seat, command: cmd.Say, _: Draw) -> tuple[ev.Event, ...]:
    if game.phase is Phase.PROPOSED or game.black is None:
        waits = game.confirmed and game.side(seat) is game.offering_side
        before = [_unanswered(game).public] if waits else []
        raise NotAllowed(join_sentences(*before, sentence("no-words-yet")), case="not-started")
    if game.player(seat.other).former:
        raise NotAllowed(sentence("nobody-reads"), hints=("note I liked this game",))
    return (ev.Said((_color(game, seat) or Color.BLACK).word, command.text),)


_DECIDE: dict[type, Callable[[Game, Seat, Any, Draw], tuple[ev.Event, ...]]] = {
    cmd.Play: _play,
    cmd.Place: _place,
    cmd.Pass: _pass,
    cmd.Undo: _undo,
    cmd.If: _if,
    cmd.CancelIfs: _cancel_ifs,
    cmd.AskScore: _score,
    cmd.Resign: _resign,
    cmd.Mark: _mark,
    cmd.Done: _done,
    cmd.Resume: _resume,
    cmd.Void: _void,
    cmd.Public: _public,
    cmd.Yes: _yes,
    cmd.Counter: _counter,
    cmd.No: _no,
    cmd.Withdraw: _withdraw,
    cmd.Say: _say,
    cmd.Note: _note,
}


def _color(game: Game, seat: Seat) -> Color | None:
    """The colour of a seat; in a teaching game the colour to move."""
    return game.position.to_move if game.spec.teaching else game.color_of(seat)


def _playing_color(game: Game, seat: Seat) -> Color:
    """The colour of a seat in a game in progress; raises `WrongPhase`."""
    color = _color(game, seat)
    if color is None or game.phase not in {Phase.PLAYING, Phase.SCORING}:
        raise (_not_started(game, seat) if game.phase is Phase.PROPOSED else _too_late(game))
    return color


def _color_to_move(game: Game, seat: Seat) -> Color:
    """The colour of a seat that is to move; raises `WrongPhase` or `NotYourTurn`."""
    color = _playing_color(game, seat)
    if game.phase is Phase.SCORING:
        raise WrongPhase(sentence("counting-now"), hints=("resume", "done"))
    if color is not game.to_move:
        raise NotYourTurn(sentence("not-your-turn", who=_other_name(game, color)))
    return color


def _other_name(game: Game, color: Color) -> str:
    return game.player(Seat.of(color.opponent)).name


def check_counting(game: Game, seat: Seat) -> Color:
    """The colour of a seat in a count; raises `WrongPhase`."""
    color = _playing_color(game, seat)
    if game.phase is not Phase.SCORING:
        ends = game.to_move is color and game.passes
        raise WrongPhase(sentence("still-played"), hints=("pass",) if ends else ())
    return color


def _not_started(game: Game, seat: Seat) -> Refusal:
    if game.side(seat) is not game.offering_side:
        return WrongPhase(sentence("accept-first"), hints=("accept", "decline"))
    if not game.confirmed:
        return WrongPhase(sentence("not-started-yes"), hints=("yes", "withdraw"))
    return _unanswered(game)


def _unanswered(game: Game) -> WrongPhase:
    """The refusal for the side that made the last offer: the other side has yet to answer."""
    key = "not-started-open" if game.spec.open else "not-started-by"
    who = game.player(game.offering_side.other).name
    return WrongPhase(sentence(key, who=who), hints=("withdraw",))


def _too_late(game: Game) -> Refusal:
    if game.phase is Phase.FINISHED:
        result = sentence("ends-jigo") if game.result == "0" else game.result
        return WrongPhase(
            sentence("game-over", result=result), hints=("sgf",), reason=Reason.GAME_OVER
        )
    if game.phase.over:
        return WrongPhase(
            sentence(f"never-began-{game.phase.value}", game=game.id), hints=("games",)
        )
    if game.phase is Phase.SCORING:
        return WrongPhase(sentence("counting-now"), hints=("done", "resume"))
    return WrongPhase(sentence("nothing-asked"), hints=("say OK", "show", "help"))
