"""New games: proposed by terms, from a record, against a name, or once more as the last one was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any

from godaemon.errors import NotAllowed, Unknown, Unreadable, WrongPhase
from godaemon.games import commands as cmd
from godaemon.games.forgetting import is_leaving
from godaemon.games.model import ENGINE, Game, Phase, Seat, bare
from godaemon.games.people import acquaintances, called, person
from godaemon.games.proposals import again, continued, line_of
from godaemon.games.service import GameService
from godaemon.games.views import record
from godaemon.records import sgn
from godaemon.texts.catalogue import sentences, told
from mailgate.address import clean_quote
from mailgate.handling.context import Answer, LetterContext
from mailgate.handling.public_lists import listed_players
from mailgate.handling.seated import Seated
from mailgate.handling.sureness import Sure


def propose(context: LetterContext, asked: cmd.Propose) -> Answer:
    """The newest letter, or a mail server we trust, shows that it is its sender's own."""
    wanted = _named(context, _continued(context, asked))
    if context.is_ours(wanted.opponent):
        engines = tuple(f"new {wanted.size} vs {name}" for name in context.games.engines.names)
        hints = ("new 9x9 vs bob@example.org", *engines[:1])
        raise Unknown(told("play-with-me"), hints=hints)
    vouched = context.sure >= Sure.VOUCHED
    context.games.check_proposal(wanted, context.caller, vouched=vouched)
    return partial(context.games.propose, wanted, context.caller, vouched=vouched)


def rematch(context: LetterContext, over: Seated, words: str, terms: Mapping[str, Any]) -> Answer:
    """A game once more, but for some terms; that is a yes to the other who has asked for it."""
    game, seat, other_player = over.game, over.seat, over.opponent
    spec, color = game.spec, game.color_of(seat)
    if not game.phase.over:
        raise WrongPhase(told("no-rematch-yet", game=game.id), hints=("show",))
    if other_player.former or is_leaving(context.unit, other_player.address):
        raise NotAllowed(told("rematch-with-whom"), hints=("new 9x9 vs bob@example.org",))
    own = spec.color if seat is Seat.PROPOSER or spec.color is None else spec.color.opponent
    if color is not None:
        own = color if spec.handicap else color.opponent
    whom, name = other_player.address, other_player.name
    wanted = replace(again(spec), opponent=whom, called=name, color=own, words=words)
    if terms:
        wanted = _changed(wanted, game, terms)
    for other in _asked_for(context.games, context.sender, wanted):
        side = Seat.PROPOSER if other.knows(Seat.PROPOSER, context.sender) else Seat.INVITED
        if side is other.offered:
            said = told("rematch-waits", game=other.id, who=other_player.name)
            raise NotAllowed(said, hints=("games",))
        if context.sure >= Sure.VOUCHED:
            yes: list[cmd.Action] = [cmd.Yes()]
            yes += [cmd.Say(words)] if words else []
            decided = context.games.decide(other.id, side, yes, context.caller)
            return partial(context.games.carry_out, decided)
    return propose(context, wanted)


def _changed(wanted: cmd.Propose, game: Game, terms: Mapping[str, Any]) -> cmd.Propose:
    """A rematch with other terms; the usual komi follows them, and no position another board."""
    spec, changed = game.spec, dict(terms)
    if spec.komi == spec.ruleset.komi_for(spec.size, spec.handicap):
        changed.setdefault("komi", None)
    if {"size", "handicap"} & set(changed):
        changed["opening"] = None
    return replace(wanted, **changed)


def branch(context: LetterContext, game: Game, move: int | None) -> Answer:
    """A teaching game of the sender's own, from how a game stands or stood after a move."""
    at = game.move_number if move is None else move
    context.games.check_move(game, at)
    just_made = at > context.games.game(game.id).move_number  # by a line above this one
    past = game if just_made else context.games.at_move(game.id, at)
    own = context.caller.address
    wanted = cmd.Propose(own, rules=game.spec.rules, komi=game.spec.komi)
    return propose(context, continued(wanted, record(past)))


_TERMS = attrgetter("size", "rules", "komi", "handicap", "opening", "rated", "estimates")
"""What a game and a proposal have to agree in, besides the colours and the time."""


def _asked_for(games: GameService, sender: str, wanted: cmd.Propose) -> Iterator[Game]:
    for row in games.unit.games.summaries(sender, {Phase.PROPOSED}):
        game = games.readable(row.id)
        if game is None:
            continue
        spec, mine = game.spec, game.spec.color
        if mine is not None and not game.knows(Seat.PROPOSER, sender):
            mine = mine.opponent
        here = (*_TERMS(spec), mine, str(spec.time or ""))
        same = here == (*_TERMS(wanted), wanted.color, wanted.time)
        if same and game.confirmed and not spec.teaching and game.seats_of(wanted.opponent):
            yield game


def _named(context: LetterContext, wanted: cmd.Propose) -> cmd.Propose:
    name = bare(wanted.opponent)
    if not wanted.opponent.startswith(ENGINE) or name in context.games.engines.names:
        return wanted
    known = acquaintances(context.unit, context.sender)
    met = {person(one.address) for one in known}
    others = [one for one in listed_players(context) if person(one.address) not in met]
    found = called(name, known, others)
    if len(found) > 1:
        whole = tuple(line_of(replace(wanted, opponent=one.name)) for one in found)
        lines = whole if len({one.name.casefold() for one in found}) == len(found) else ()
        said = told("several-called", count=len(found), name=clean_quote(name))
        raise Unreadable(said, hints=lines[:4])
    return replace(wanted, opponent=found[0].address, called=found[0].name) if found else wanted


def _continued(context: LetterContext, wanted: cmd.Propose) -> cmd.Propose:
    """The proposal of a game that begins where a record ends: one attached, or below its line."""
    found = context.parsed.record
    if wanted.opening is not None:
        return wanted
    try:
        if isinstance(found, Unreadable):
            raise found
        if found is not None:
            return continued(wanted, found)
        game, words = sgn.cut(wanted.words)
        return continued(replace(wanted, words=words), sgn.read(game)) if game else wanted
    except Unreadable as fault:
        said = sentences(fault.public, told("nothing-proposed"))
        raise Unreadable(said, hints=fault.hints) from fault
