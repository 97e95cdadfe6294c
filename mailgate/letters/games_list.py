"""The lists of the reader's games, of open challenges, of players, of games to watch.

The list of games is also the daily email. Each line of a reply may name one of its games.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from godaemon.games.awaited_decisions import Awaited, awaited_decision
from godaemon.games.model import OPEN, Game, Phase, Seat
from godaemon.games.stored_values import GameSummary
from godaemon.games.views import span_text, time_settings_text
from godaemon.rules.points import Color
from godaemon.texts.catalogue import join_and, say, sentence_from_json
from mailgate.letters import blocks as b
from mailgate.letters.board_blocks import example_move, is_possible, last_point, point_commands
from mailgate.letters.letter_data import MAX_LISTED
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import (
    after_move,
    color_name,
    conditions,
    display_name,
    introduction_in_words,
    lead_in_words,
    player_name,
    rating_in_words,
    result_in_words,
)
from mailgate.letters.shared_blocks import (
    ANSWERS,
    REQUESTS,
    open_requests,
    opponents_estimates,
    program_lines,
)
from mailgate.letters.time_phrases import time_left

Replies = tuple[tuple[str, str], ...]
Question = tuple[str, Replies, Replies]
"""The question of a game in words, and the buttons and lines that answer it."""


def games_list(view: LetterView) -> b.LetterBlocks:
    """The games that wait for the reader, and then their other games."""
    entries = (entry for entry in view.about.get("listed", ()) if entry["awaits"])
    offers = [
        _offer(view.with_game(game, seat), entry)
        for (game, seat), entry in zip(view.data.waiting, entries, strict=False)
    ]
    shown = {game.id for game, _ in view.data.waiting}
    others = [row for row in view.data.games if row.id not in shown]
    news, waits = sentence_from_json(view.about.get("news", "")), _waiting_summary(view)
    is_separate = news.endswith("`")  # news that ends in a command stays a paragraph of its own
    first, waiting = (news, b.words(waits)) if is_separate else (b.join_sentences(news, waits), ())
    return b.LetterBlocks(first, (*waiting, *offers, *_below_offers(view, len(offers), others)))


def _below_offers(view: LetterView, count: int, others: list[GameSummary]) -> Iterator[b.Block]:
    """The games that do not wait; if none is open, how to begin one."""
    if not count and all(row.phase.over for row in others):
        yield b.Words(say("start-one"))
        row = (("challenges", say("see-challenges")),) if view.about.get("challenges") else ()
        if rows := (*program_lines(view), *row):
            yield b.Choices(rows)
    yield from b.words(say("several-games") if count > 1 else "", small=True)
    if count or others:
        yield from b.words(say("one-a-day") if view.about.get("daily") else "", small=True)
        yield from _other_games(view, others)
        yield from b.words(say("not-a-reply") if view.about.get("fresh") else "", small=True)


def _waiting_summary(view: LetterView) -> str:
    """The numbers of waiting games: `your move in 2 games and 1 score to agree on`."""
    counts = Counter(awaited_decision(game, seat) for game, seat in view.data.waiting)
    order = (Awaited.TURN, *(one for one in Awaited if one is not Awaited.TURN))
    if parts := [say(f"waits-{kind}", count=counts[kind]) for kind in order if counts[kind]]:
        return say("waiting", things=join_and(parts))
    going = sum(not row.phase.over for row in view.data.games)
    return say("nothing-waits", count=going) if going else say("no-games-yet")


# -- games that wait ---------------------------------------------------------------------------
def _offer(view: LetterView, entry: Mapping[str, Any]) -> b.Offer:
    """One game that waits, with its replies; first the lines that the reader may have meant."""
    awaited, number = awaited_decision(view.game, view.seat) or Awaited.TURN, view.game.id
    line, buttons, rows = _question_and_answers(view, awaited)
    sent = {line for _, line in buttons}
    suggestions = [line for line in entry.get("meant", ()) if line not in sent]
    asked = [REQUESTS[kind] for kind in open_requests(view) if kind.value != awaited.value]
    answers = dict.fromkeys(line for _, some in asked for line in some)
    possible = [(line, "") for line in answers if is_possible(view.game, view.seat, line)]
    lines = [*((line, say("do-now")) for line in suggestions), *possible, *rows]
    requests = b.words(*(view.say(key) for key, _ in asked))
    numbered_lines = ((f"{number}: {line}", does) for line, does in lines)
    sends = {point: f"{number}: {line}" for point, line in point_commands(view).items()}
    board = b.Diagram(view.game.rows(), last_point(view.game.position), sends=sends)
    choices = b.Choices(
        (*numbered_lines, (f"show {number}", say("see-board"))),
        buttons=(*((line, line) for line in suggestions), *buttons),
        is_awaited=not sends,
    )
    return b.Offer(
        line,
        b.join_sentences(*time_left(view), opponents_estimates(view)),
        (*requests, *view.last_words(), *(() if view.game.black is None else (board,)), choices),
        view.replies[number],
    )


def _question_and_answers(view: LetterView, awaited: Awaited) -> Question:
    game, who = view.game, say("yourself") if view.teaching else view.other
    values: dict[str, object] = {"who": who, "terms": conditions(game)}
    key, rows = f"offer-{awaited}", ANSWERS.get(awaited, {})
    buttons = tuple((say(f"button-{line}"), line) for line in rows)
    match awaited:
        case Awaited.COUNT:
            key += "-agreed" if game.agreed and not view.teaching else ""
            values["score"] = lead_in_words(game.score().result)
        case Awaited.INVITATION if game.counters:
            key = "offer-terms"
        case Awaited.TURN:
            point = None if game.to_place else example_move(game)
            values["color"] = color_name(game.to_move) if game.to_move else ""
            rows = {str(point): "play-there"} if point else {}
            buttons = ((say("button-pass"), "pass"),) if point else ()
    if awaited in {Awaited.COUNT, Awaited.VOID, Awaited.TURN}:
        buttons = ((say("button-show"), "show"), *buttons)
    return view.say(key, **values), buttons, b.Choices.from_keys(rows).rows


# -- other games -------------------------------------------------------------------------------
def _other_games(view: LetterView, rows: list[GameSummary]) -> Iterator[b.Block]:
    """The games that need nothing from the reader, open ones first."""
    if not rows:
        return
    me = view.notice.to.casefold()
    lines = tuple(_game_row(row, me, view.data.clock_now) for row in rows[:MAX_LISTED])
    head = (say("list-game"), say("list-with"), say("setting-now"))
    yield b.Table(head, lines, figures=False)
    older = view.data.total - len(view.data.waiting) - len(lines)
    yield from b.words(say("older-games", count=older) if older > 0 else "")
    yield b.Words(say("show-game", game=rows[0].id), small=True)


def _game_row(row: GameSummary, me: str, now: datetime) -> tuple[str, ...]:
    sides = ((row.black, row.black_name), (row.white, row.white_name))
    others = [name or at.partition("@")[0] for at, name in sides if at.casefold() != me]
    left = span_text(max(row.deadline - now, timedelta())) if row.deadline else ""
    other = join_and([*map(display_name, others)]) if others else say("yourself")
    result = _result(row, me, other)
    values = {"number": row.move_number + 1, "span": left, "result": result, "size": row.size}
    state = row.phase.value
    if row.phase is Phase.PROPOSED and row.white == OPEN:
        state = "open"
    elif row.phase in {Phase.PLAYING, Phase.SCORING} and row.deadline:
        state = f"{state}-left"
    return (f"{row.id}", other, say(f"row-{state}", **values))


def _result(row: GameSummary, me: str, other: str) -> str:
    """The result, with its winner as the reader knows them."""
    result = row.result or "Void"
    winner = row.black if result[0] == "B" else row.white
    return result_in_words(result, other, mine=winner.casefold() == me)


# -- games of others ---------------------------------------------------------------------------
def challenges(view: LetterView) -> b.LetterBlocks:
    own = {entry["game"] for entry in view.about.get("listed", ())}
    taken, rows, own_rows = view.about.get("taking"), dict[str, str](), dict[str, str]()
    for game, _ in view.data.waiting:
        if game.id in own:
            own_rows[f"{game.id}: withdraw"] = say("withdraw-challenge", terms=_terms(game))
        else:
            rows[f"take {game.id}"] = _challenge_terms(view, game)
    first = say("challenges" if rows else "no-challenges", count=len(rows))
    first = say("start-challenge", game=taken) if f"take {taken}" in rows else first
    offer = "" if own_rows else say("offer-challenge")
    return _offers_letter(view, first, rows, own_rows, say("not-a-reply") if taken else "", offer)


def public_games(view: LetterView) -> b.LetterBlocks:
    """The games that the reader may watch, and those that they watch."""
    games, watched = [game for game, _ in view.data.waiting], view.about.get("watched", ())
    rows = {f"watch {one.id}": _public_game(view, one) for one in games if one.id not in watched}
    own_rows = {f"unwatch {number}": say("stop-watching") for number in watched}
    key = "watchable-none-more" if watched else "watchable-none"
    first = say("watchable" if rows else key, count=len(rows))
    if "ended" in view.about:
        game = view.about["ended"]
        news = say("stopped-watching" if game else "stopped-watching-all", game=game)
        first = b.join_sentences(news, first)
    return _offers_letter(view, first, rows, own_rows, "" if rows else say("how-public"))


def _offers_letter(
    view: LetterView, first: str, rows: Mapping[str, str], own: Mapping[str, str], *small: str
) -> b.LetterBlocks:
    """A list of others' games and the reader's own, each with the line to send about it."""
    choices = [b.Choices(tuple(some.items())) for some in (rows, own) if some]
    news = sentence_from_json(view.about.get("news", ""))
    notes = [note for one in small for note in b.words(one, small=True)]
    return b.LetterBlocks(b.join_sentences(news, first), (*choices, *notes))


def _challenge_terms(view: LetterView, game: Game) -> str:
    """The proposer and the terms of a challenge; no address, and for a stranger no name."""
    who = player_name(game.spec.proposer) if view.about.get("named") else say("somebody")
    if rating := view.about.get("ratings", {}).get(str(game.id)):
        who = say("in-brackets", said=who, more=rating_in_words(rating))
    return say("who-says", who=who, said=_terms(game))


def _terms(game: Game) -> str:
    spec = game.spec
    terms = [conditions(game)]
    terms += [say("challenge-begins")] if spec.opening else []
    terms += [say("challenge-color", color=color_name(spec.color.opponent))] if spec.color else []
    terms += [say("challenge-watched")] if spec.public else []
    return say("challenge-terms", terms=tuple(terms), time=time_settings_text(spec.time))


def _public_game(view: LetterView, game: Game) -> str:
    """The players of a game (for a stranger without names), its size and its last move."""
    names = join_and([player_name(game.player(Seat.of(color))) for color in Color])
    who = names if view.about.get("named") else say("two-players")
    return say("public-game", players=who, size=game.spec.size, when=after_move(game.move_number))


def players(view: LetterView) -> b.LetterBlocks:
    """The list of players with their introductions; for a stranger without names."""
    found = [(display_name(name), *rest) for name, *rest in view.about.get("players", ())]
    on, rating = bool(view.about.get("on")), view.about.get("rating")
    has_names = found and found[0][0] != say("a-player")
    blocks: tuple[b.Block, ...] = (
        *([b.Items(tuple(_player_line(*one) for one in found))] if found else []),
        *b.words(say("invite-player", who=found[0][0]) if has_names else "", small=True),
        b.Words(say("change-list", line="players off" if on else "players on")),
    )
    key = "list-on" if on else "list-off"
    if not found:
        key = "list-on-alone" if on else "list-off-empty"
    own = say("your-rating", rating=rating_in_words(rating)) if rating else say("no-rating-yet")
    return b.LetterBlocks(b.join_sentences(own, say(key, count=len(found))), blocks)


def _player_line(name: str, line: str, rating: Sequence[float]) -> str:
    """`Alice: 5 kyu, Berlin; rating 1467, about 6 kyu`."""
    rated = say("with-rating", rating=rating_in_words(rating)) if rating else ""
    details = say("semicolon").join(filter(None, (introduction_in_words(line), rated)))
    return say("who-says", who=name, said=details) if details else name
