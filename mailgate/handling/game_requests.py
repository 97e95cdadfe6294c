"""Requests for games: lists of challenges, players and games to watch, and new games."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any

from godaemon.errors import NotAllowed, Refusal, Unknown, Unreadable, WrongPhase
from godaemon.games import commands as cmd
from godaemon.games import ratings
from godaemon.games.forgetting import is_leaving
from godaemon.games.invitation_limits import check_challenges_allowed
from godaemon.games.model import (
    ENGINE_PREFIX,
    OPEN_PHASES,
    Game,
    Phase,
    Player,
    Seat,
    shown_address,
)
from godaemon.games.notices import Kind
from godaemon.games.people import acquaintances, blocks_everybody, find_by_name, person
from godaemon.games.proposals import (
    colored_lines,
    continue_record,
    original_proposal,
    proposal_line,
)
from godaemon.games.public_games import (
    challenges_for,
    check_watching,
    is_own,
    is_welcome,
    watch,
    watchable_games,
)
from godaemon.games.service import GameService
from godaemon.games.views import game_record
from godaemon.games.wanted_emails import effective_preferences
from godaemon.records import sgn
from godaemon.texts.catalogue import join_sentences, sentence, sentence_to_json
from mailgate.address import clean_quote
from mailgate.handling.answer_limits import MAX_LATE_ANSWERS
from mailgate.handling.context import Answer, LetterContext
from mailgate.handling.parsed_letter import has_command
from mailgate.handling.player_games import GameView, list_entries
from mailgate.handling.trust import Trust, proof_request
from mailgate.language.acting_statements import read_consent
from mailgate.language.parser import ParsedText

MAX_GAMES = 30  # challenges, or games to watch, in one list: the newest
MAX_PLAYERS = 200  # players in the list


def list_challenges(context: LetterContext, **more: object) -> Answer:
    """Prepare the list of open challenges and the sender's own; strangers see no names."""
    check_challenges_allowed(context.games.limits)
    rows = challenges_for(context.unit, context.sender)
    found = [(row, context.games.readable_game(row.id)) for row in rows[:MAX_GAMES]]
    games = [(row, game) for row, game in found if game is not None]
    own = [GameView(game, Seat.PROPOSER) for row, game in games if is_own(row, context.sender)]
    rated = {str(game.id): _rating(context, game.spec.proposer.address) for _, game in games}
    about: dict[str, Any] = {
        "listed": list_entries(own, {}),
        "open": [{"game": game.id, "length": game.length} for _, game in games],
        "ratings": {number: rating for number, rating in rated.items() if rating},
        "named": not context.limits.is_stranger(context.sender),
        **more,
    }
    return partial(context.queue, Kind.CHALLENGES, **about)


def list_players(context: LetterContext) -> None:
    """Queue the list of players, without those who block the sender or are blocked by them."""
    players, named = context.unit.players, not context.limits.is_stranger(context.sender)
    found = [(one.address, one.name if named else "") for one in listed_players(context)]
    context.queue(
        Kind.PLAYERS,
        players=[[name, players.profile(a).line or "", _rating(context, a)] for a, name in found],
        on=players.profile(context.sender).listed is not None,
        rating=_rating(context, context.sender),
    )


def _rating(context: LetterContext, address: str) -> list[float]:
    return ratings.round_rating(ratings.rating_of(context.unit, address))


def listed_players(context: LetterContext) -> list[Player]:
    """The listed players that the sender may invite, with the names on the list."""
    unit, me = context.unit, context.sender
    others = (one for one in unit.players.listed_players(MAX_PLAYERS) if person(one) != person(me))
    found = (one for one in others if is_welcome(unit, one, me) and not blocks_everybody(unit, one))
    return [Player(one, unit.players.profile(one).shown_name) for one in found]


def take(context: LetterContext, number: int | None, words: str) -> Answer:
    """Prepare to take a challenge; without a number or enough trust, to list the challenges."""
    if number is None or context.trust < Trust.VOUCHED:
        return list_challenges(context, **({} if number is None else {"taking": number}))
    decision = context.games.decide_taking(number, words, context.caller)
    return partial(context.games.carry_out, decision)


# -- games of others ---------------------------------------------------------------------------
def prepare_watch(context: LetterContext, command: cmd.Watch | cmd.Unwatch, *_: object) -> Answer:
    """Prepare to start or stop watching, or to list games; asks an unproven sender for a reply."""
    known = context.trust >= Trust.VOUCHED
    if isinstance(command, cmd.Watch) and command.player and known:
        return _watch_player(context, command.player)
    if isinstance(command, cmd.Watch) and (command.player or command == cmd.Watch()):
        return partial(_list_watchable, context)
    if not known:
        daily = " daily" if isinstance(command, cmd.Watch) and command.daily else ""
        raise proof_request(f"{type(command).__name__.lower()} {command.game or ''}{daily}".strip())
    if isinstance(command, cmd.Unwatch):
        return partial(_unwatch, context, command.game)
    check_watching(context.unit, command.game or 0, context.sender)
    limits, sender = context.limits, context.sender
    if limits.too_many(sender, (Kind.WATCH,), limit=MAX_LATE_ANSWERS, by=context.by):
        raise NotAllowed(sentence("asked-much"))
    return partial(_watch, context, command.game or 0, daily=command.daily)


def _watch_player(context: LetterContext, name: str) -> Answer:
    words = name.casefold().split()
    rows = [
        row.id
        for row in watchable_games(context.unit, context.sender)
        for player in (row.black_name, row.white_name)
        if player.casefold().split()[: len(words)] == words
    ]
    if len(rows) == 1:
        return prepare_watch(context, cmd.Watch(rows[0]))
    news = sentence("several-of-name" if rows else "nobody-of-name")
    return partial(_list_watchable, context, news=sentence_to_json(news))


def _list_watchable(context: LetterContext, **more: object) -> None:
    rows = watchable_games(context.unit, context.sender)[:MAX_GAMES]
    games = [game for row in rows if (game := context.games.readable_game(row.id)) is not None]
    about: dict[str, Any] = {
        "open": [{"game": game.id, "length": game.length} for game in games],
        "watched": [one.game for one in context.unit.watchers.of_person(context.sender)],
        "named": context.trust >= Trust.VOUCHED or not context.limits.is_stranger(context.sender),
        **more,
    }
    context.queue(Kind.PUBLIC_GAMES, **about)


def _watch(context: LetterContext, number: int, *, daily: bool | None) -> None:
    game = context.games.game(number)
    watch(context.unit, game, context.sender, context.now, daily=daily)
    context.unit.players.set_our_address(context.sender, context.our_address, number)
    levels = (cmd.EmailLevel.DAILY, cmd.EmailLevel.MY_TURN)
    daily_only = effective_preferences(context.unit, context.sender, number).emails in levels
    context.queue(Kind.WATCH, game, begins=True, daily=daily_only)


def _unwatch(context: LetterContext, number: int | None) -> None:
    context.unit.watchers.end(context.sender, number)
    _list_watchable(context, ended=number or 0)


def spectator_commands(context: LetterContext, number: int) -> ParsedText:
    commands = context.parsed.commands
    found = tuple(replace(one, command=_spectator_command(one.command, number)) for one in commands)
    if not found or has_command(found, cmd.Action, cmd.Send):
        raise players_only_refusal(number)
    return ParsedText(found, "")


def players_only_refusal(number: int) -> NotAllowed:
    """The refusal for a spectator who sends a player's command."""
    return NotAllowed(sentence("only-players", game=number))


def _spectator_command(command: cmd.Command, number: int) -> cmd.Command:
    match command:
        case cmd.Emails(cmd.EmailLevel.NONE, False) | cmd.Stop(False) | cmd.Unwatch(None):
            return cmd.Unwatch(number)
        case cmd.Emails(level, False):
            return cmd.Watch(number, daily=level is not cmd.EmailLevel.ALL)
        case cmd.Show(None, None):
            return cmd.Watch(number)
    return command


def watch_lines(
    context: LetterContext, lines: Sequence[str], listed: Sequence[int]
) -> Sequence[str]:
    """The lines of an answer to the list of games to watch: `stop` or a yes become a command."""
    stops = [one.command for one in context.parsed.commands] == [cmd.Stop()]
    if stops and not context.unit.games.summaries(context.sender, OPEN_PHASES, limit=1):
        return ["unwatch"]
    return [f"watch {listed[0]}"] if len(listed) == 1 and read_consent(lines) else lines


def refuse_spectator(context: LetterContext, refusal: Refusal) -> None:
    """Tell a spectator why nothing was done, with the list of games to watch."""
    _list_watchable(context, news=sentence_to_json(refusal.public))


# -- new games ------------------------------------------------------------------------------------
def propose(context: LetterContext, command: cmd.Propose) -> Answer:
    """Prepare a proposal; an unproven sender is asked to confirm it."""
    command = _continue_record(context, command)
    is_alone = person(command.opponent) == person(context.sender)
    if command.handicap and not (command.color or command.opening or is_alone):
        shown = replace(command, opponent=command.called or command.opponent)
        raise Unreadable(sentence("whose-stones"), hints=colored_lines(shown))
    proposal = _look_up_opponent(context, command)
    if context.is_ours(proposal.opponent):
        engines = tuple(f"new {proposal.size} vs {name}" for name in context.games.engines.names)
        hints = ("new 9x9 vs bob@example.org", *engines[:1])
        raise Unknown(sentence("play-with-me"), hints=hints)
    vouched = context.trust >= Trust.VOUCHED
    context.games.check_proposal(proposal, context.caller, vouched=vouched)
    return partial(context.games.propose, proposal, context.caller, vouched=vouched)


def rematch(context: LetterContext, view: GameView, words: str, terms: Mapping[str, Any]) -> Answer:
    """Prepare a rematch with changed `terms`, or accept the opponent's equal proposal."""
    game, seat, other_player = view.game, view.seat, view.opponent
    spec, past = game.spec, game.color_of(seat)
    if not game.phase.over:
        raise WrongPhase(sentence("no-rematch-yet", game=game.id), hints=("show",))
    if other_player.former or is_leaving(context.unit, other_player.address):
        raise NotAllowed(sentence("rematch-with-whom"), hints=("new 9x9 vs bob@example.org",))
    color = spec.color if seat is Seat.PROPOSER or spec.color is None else spec.color.opponent
    if past is not None:
        color = past if spec.handicap else past.opponent
    to, name = other_player.address, other_player.name
    proposal = replace(original_proposal(spec), opponent=to, called=name, color=color, words=words)
    if spec.opening is not None and spec.opening.moves:
        proposal = replace(proposal, opening=None)  # a new game does not go on from moves
    if terms:
        if terms.get("handicap") and "color" not in terms and not spec.handicap:
            commands = context.parsed.commands
            line = next(one.line for one in commands if isinstance(one.command, cmd.Rematch))
            lines = (f"{line} as black", f"{line} as white")
            raise Unreadable(sentence("whose-stones"), hints=lines)
        proposal = _change_terms(proposal, game, terms)
    for other in _find_equal_proposals(context.games, context.sender, proposal):
        side = Seat.PROPOSER if other.knows(Seat.PROPOSER, context.sender) else Seat.INVITED
        if side is other.offering_side:
            reason = sentence("rematch-waits", game=other.id, who=other_player.name)
            raise NotAllowed(reason, hints=("games",))
        if context.trust >= Trust.VOUCHED:
            actions: list[cmd.Action] = [cmd.Yes()]
            actions += [cmd.Say(words)] if words else []
            decision = context.games.decide(other.id, side, actions, context.caller)
            return partial(context.games.carry_out, decision)
    return propose(context, proposal)


def _change_terms(proposal: cmd.Propose, game: Game, terms: Mapping[str, Any]) -> cmd.Propose:
    """A rematch with other terms: the usual komi is adapted; a new size drops the opening."""
    spec, changed = game.spec, dict(terms)
    if spec.komi == spec.ruleset.komi_for(spec.size, spec.handicap):
        changed.setdefault("komi", None)
    if {"size", "handicap"} & set(changed):
        changed["opening"] = None
    return replace(proposal, **changed)


def branch(context: LetterContext, game: Game, move: int | None) -> Answer:
    at = game.move_number if move is None else move
    context.games.check_move(game, at)
    is_new = at > context.games.game(game.id).move_number  # by an earlier line of the letter
    past = game if is_new else context.games.game_at_move(game.id, at)
    address = context.caller.address
    proposal = cmd.Propose(address, rules=game.spec.rules, komi=game.spec.komi)
    return propose(context, continue_record(proposal, game_record(past)))


_TERMS = attrgetter("size", "rules", "komi", "handicap", "opening", "rated", "estimates")
"""The terms that equal proposals share, besides colours and time."""


def _find_equal_proposals(games: GameService, sender: str, proposal: cmd.Propose) -> Iterator[Game]:
    for row in games.unit.games.summaries(sender, {Phase.PROPOSED}):
        game = games.readable_game(row.id)
        if game is None:
            continue
        spec, color = game.spec, game.spec.color
        if color is not None and not game.knows(Seat.PROPOSER, sender):
            color = color.opponent
        own_terms = (*_TERMS(spec), color, str(spec.time or ""))
        equal = own_terms == (*_TERMS(proposal), proposal.color, proposal.time)
        if equal and game.confirmed and not spec.teaching and game.seats_of(proposal.opponent):
            yield game


def _look_up_opponent(context: LetterContext, proposal: cmd.Propose) -> cmd.Propose:
    name = shown_address(proposal.opponent)
    if not proposal.opponent.startswith(ENGINE_PREFIX) or name in context.games.engines.names:
        return proposal
    known = acquaintances(context.unit, context.sender)
    known_people = {person(one.address) for one in known}
    others = [one for one in listed_players(context) if person(one.address) not in known_people]
    found = find_by_name(name, known, others)
    if len(found) > 1:
        lines_by_name = tuple(proposal_line(replace(proposal, opponent=one.name)) for one in found)
        lines = lines_by_name if len({one.name.casefold() for one in found}) == len(found) else ()
        reason = sentence("several-called", count=len(found), name=clean_quote(name))
        raise Unreadable(reason, hints=lines[:4])
    return replace(proposal, opponent=found[0].address, called=found[0].name) if found else proposal


def _continue_record(context: LetterContext, proposal: cmd.Propose) -> cmd.Propose:
    """The proposal, opened with the record that is attached or written below its line."""
    found = context.parsed.record
    if proposal.opening is not None:
        return proposal
    try:
        if isinstance(found, Unreadable):
            raise found
        if found is not None:
            return continue_record(proposal, found)
        game, words = sgn.find_game(proposal.words)
        if game:
            return continue_record(replace(proposal, words=words), sgn.parse_sgn(game))
        return proposal
    except Unreadable as fault:
        reason = join_sentences(fault.public, sentence("nothing-proposed"))
        raise Unreadable(reason, hints=fault.hints) from fault
