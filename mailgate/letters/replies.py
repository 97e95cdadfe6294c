"""The letters that answer a question, refuse, or apologise. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import zip_longest

from godaemon.diagrams.kifu import figures
from godaemon.errors import Unreadable
from godaemon.games.awaited import Awaited, awaited
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.record_pictures import span
from godaemon.games.views import record
from godaemon.records import sgn
from godaemon.texts.catalogue import either, retold, say
from mailgate.language.verb_table import topic as topic_of
from mailgate.language.verb_table import topic_named
from mailgate.letters.blocks import Block, Choices, LetterBlocks, Quote, Todo, Words
from mailgate.letters.dead_stones_opinion import which_count
from mailgate.letters.letter_data import WHICH_COUNT
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import accept, capital, conditions, decline, lead, title, when
from mailgate.letters.possible_lines import is_possible, sends
from mailgate.letters.shared_blocks import (
    also_in_count,
    as_it_stands,
    board,
    drawn,
    how_it_stands,
    how_to_count,
    how_to_reply,
    in_words,
    terms,
    verdict,
)
from mailgate.letters.time_phrases import is_away, stop_clocks, time_left

REASON_LIMIT = 600
MOST = 3
"""How many lines that would work are named."""
LINES = 30
SAID = 20
"""How many messages a look back repeats."""


def refused(view: LetterView) -> LetterBlocks:
    """Why nothing was done, what would work, and the game as it is."""
    kept = view.about.get("reason", "")
    key = kept["say"] if isinstance(kept, dict) and view.maybe_game is not None else ""
    if key == WHICH_COUNT and view.game.phase is Phase.SCORING:
        asked = (which_count(view), *_held_words(view), *board(view, clicks=False))
        return LetterBlocks(retold(kept), asked)
    over = key == "game-over"
    said = say("game-over-verdict", verdict=verdict(view)) if over else retold(kept)
    reason = " ".join(said.split())[:REASON_LIMIT]
    hints = view.about.get("hints") or ("help",)
    blocks: list[Block] = [*_replies(view, hints, _beside(view)), *_held_words(view)]
    blocks += echo(view, told=len(view.about.get("lines", ())) < 2)
    return _beside_game(view, reason or say("refused"), *blocks)


def _beside_game(view: LetterView, said: str, *blocks: Block) -> LetterBlocks:
    """What is said first, and more; with the game that the letter is about, if it is about one."""
    if view.maybe_game is None:
        return LetterBlocks(quoted(said), blocks)
    turn = "" if view.about.get("code") == "not-your-turn" else view.whose_turn()
    return LetterBlocks(quoted(said), (*blocks, *_now(view, turn)))


def quoted(said: str) -> str:
    """Words of ours in which no line to send is a link: it may be only an example."""
    return re.sub(r"`([^`]*)`", lambda found: say("quoted", line=found[1]), said)


def _now(view: LetterView, turn: str = "", *below: Block) -> tuple[Block, ...]:
    """Whose turn it is, and the board with what else can be replied, for who has had the rest."""
    game = view.game
    if game.black is None:
        if game.phase is not Phase.PROPOSED:
            return below
        invited = awaited(game, view.seat) is Awaited.INVITATION
        who = [Words(say("invites-you", who=view.other))] if invited else []
        return (*who, *answers(view), *below, *terms(view))
    reply: Todo | Choices | None = how_to_reply(view)
    if isinstance(reply, Choices):
        words = say("also-reply", lines=either(_in_count(view)))
        reply = Todo(words, reply.clicks, reply.buttons)
        turn = f"{say('now', count_says=lead(game.score().result))} {turn}".strip()
    elif game.phase is Phase.PLAYING:
        lines = [one for one in ("undo", "resign", "help") if is_possible(game, view.seat, one)]
        below += (Words(_also(*lines), small=True),)
    shown = replace(as_it_stands(game), sends=sends(view), reply=reply)
    paused = time_left(view) if view.data.paused else ()
    now = [Words(turn)] if turn else []
    return (*now, *in_words(view, game), shown, *below, *paused)


def _also(*lines: str) -> str:
    return say("also-reply", lines=either([f"`{one}`" for one in lines]))


def _held_words(view: LetterView) -> Iterator[Words]:
    """How the reader's words can still be passed on, where they were held back."""
    if not view.about.get("unsent"):
        return
    if view.teaching:
        yield Words(say("keep-words"))
    elif view.game.player(view.seat.other).mailed:
        yield Words(say("send-words", who=view.other))


def aside(view: LetterView) -> Iterator[Block]:
    """What a letter about something else says of the rest of what its reader wrote."""
    said = view.about["aside"]
    if "reason" in said:
        yield Words(retold(said["reason"]))
        yield from _replies(view, said["hints"])
    yield from _held_words(view)


def _replies(
    view: LetterView, hints: Sequence[str], beside: Collection[str] = ()
) -> Iterator[Choices]:
    """What may be replied, without what the game would refuse now, or what is said `beside`."""
    game = view.maybe_game
    works = (one for one in hints if game is None or is_possible(game, view.seat, one))
    if lines := [one for one in works if one not in beside][:MOST]:
        yield Choices(tuple((one, "") for one in lines))


def _beside(view: LetterView) -> list[str]:
    """What `_now` says can be replied."""
    if view.maybe_game is None:
        return []
    if view.game.phase is Phase.SCORING:
        return [line.strip("`") for line in _in_count(view)]
    return [line for one in answers(view) for line, _ in one.rows]


def _in_count(view: LetterView) -> list[str]:
    """What can be replied while the game is being counted, the lines in backticks."""
    rows = (f"`{line}`" for line, _ in how_to_count(view).rows)
    return list(dict.fromkeys((*rows, *also_in_count(view))))


def topic(view: LetterView) -> LetterBlocks:
    """What there is to say of what was asked, beside the game that it is about."""
    found = topic_named(view.about["topic"]) or topic_of("help")
    blocks: list[Block] = [*_replies(view, found.lines, _beside(view))]
    blocks += _held_words(view)
    return _beside_game(view, f"{_invites(view, found.name)} {found.text}".strip(), *blocks)


def _invites(view: LetterView, asked: str) -> str:
    """Who has asked for the game, to whom it is offered, and who would know who writes."""
    game = view.maybe_game
    invited = (
        game is not None and game.phase is Phase.PROPOSED and game.side(view.seat) is Seat.INVITED
    )
    return say("asked-to-invite", who=view.other) if invited and asked in ("who", "help") else ""


def echo(view: LetterView, *, told: bool = False) -> Iterator[Quote]:
    """The lines of the letter that is answered, each with what came of it, if that is not told."""
    lines, results = (view.about.get(name, ())[:LINES] for name in ("lines", "results"))
    each = zip_longest(lines, () if told else results, fillvalue="")
    if lines:
        said = (f"{line}   ({quoted(retold(what))})" if what else line for line, what in each)
        yield Quote(say("you-wrote"), tuple(said))


def answers(view: LetterView) -> Iterator[Choices]:
    """What can be replied before the game has started."""
    game = view.game
    if game.phase is not Phase.PROPOSED:
        return
    waits = awaited(game, view.seat)
    if waits is Awaited.INVITATION:
        yield Choices((accept(), decline()))
    elif waits is Awaited.CONFIRMATION:
        yield Choices((("yes", say("go-on")), ("no", say("forget-it"))))
    else:
        key = "withdraw-terms" if game.counters else "withdraw"
        key = "withdraw-open" if game.spec.open else key
        yield Choices((("withdraw", say(key)),))


def show(view: LetterView) -> LetterBlocks:
    """The board, as it is or as it was."""
    game = view.game
    number = view.about.get("move")
    if isinstance(number, int):
        return _past(view, number)
    if view.about.get("words_only"):
        blocks = (*view.words(), *_besides(view), *_now(view))
        return LetterBlocks(_passed_on(view), blocks)
    now = (*answers(view), *board(view))
    if game.black is None:
        waits = "not-started" if game.phase is Phase.PROPOSED else f"never-began-{game.phase}"
        return LetterBlocks(say(waits, game=game.id), now)
    first = say("this-is-game", game=game.id, when=when(game.move_number))
    return LetterBlocks(f"{first} {how_it_stands(view)}".strip(), now)


def _besides(view: LetterView) -> Iterator[Words]:
    """How to stop one's clock, for who says that they will be away; or to play once more."""
    if view.about.get("again"):
        yield Words(say("play-again"))
    elif is_away(view):
        yield Words(say("clocks-paused"))
    else:
        yield from stop_clocks(view.about.get("away", ""))


def _passed_on(view: LetterView) -> str:
    """Where the reader's words went, and what is still awaited of them."""
    game = view.game
    mailed = game.player(view.seat.other).mailed
    went = "words-kept" if view.teaching else "words-sent" if mailed else "words-unread"
    told = [say(went, who=view.other)]
    if game.phase is Phase.SCORING and view.color not in game.agreed:
        told.append(say("still-agree"))
    else:
        told.append(say("still-your-move") if view.my_turn else view.whose_turn())
    told += [say("last-confirmation")] if view.about.get("last") else []
    return " ".join(filter(None, told))


def _past(view: LetterView, number: int) -> LetterBlocks:
    """An earlier position; whoever answers this letter with a move is told that it is old."""
    game = view.game
    position = game.position.copy()
    while position.move_number > number:
        position.undo()
    then = replace(game, position=position)
    words = [say("past-board")]
    if view.about.get("game_too"):
        words.append(say("past-or-game", game=number))
    first = say("game-as-it-was", game=game.id, when=when(number))
    above: list[Block] = [Words(" ".join(words)), *_said(view, number), *in_words(view, then)]
    facts = Words(capital(conditions(game)), small=True)
    return LetterBlocks(
        f"{first} {_whose_turn_then(view, then)}".strip(),
        (*above, drawn(position), facts),
        counted=False,
    )


def _whose_turn_then(view: LetterView, game: Game) -> str:
    if game.to_move is None:
        return say("play-had-stopped") if game.phase is Phase.SCORING else ""
    if view.teaching:
        return say("color-was-to-move", color=title(game.to_move))
    return view.tell(game.to_move.word, "were-to-move", color=title(game.to_move))


def _said(view: LetterView, number: int) -> Iterator[Quote]:
    """The last words of both players up to then, each with the move at which it was said."""
    said = [one for one in view.game.chat if one.move_number <= number][-SAID:]
    if said:
        yield Quote(say("had-been-said"), tuple(map(view.remark, said)))


def sgf(view: LetterView) -> LetterBlocks:
    """The record, attached."""
    first = f"{say('record-attached', game=view.game.id)} {how_it_stands(view)}"
    blocks = (Words(say("record-holds")), *_now(view, "", *_on_one_line(view.game)))
    return LetterBlocks(first.strip(), blocks, record=True)


def _on_one_line(game: Game) -> Iterator[Quote]:
    """The moves in Simple Go Notation, for who would keep them in a note or send them on."""
    if game.move_number:
        with suppress(Unreadable):  # it has no words for a game that began from a position set up
            yield Quote(say("moves-on-one-line"), (sgn.write(record(game)),))


def kifu(view: LetterView) -> LetterBlocks:
    """The game as a picture, or a part of it, in the place of the board; text has all its moves."""
    game = view.game
    asked = view.about.get("moves", "")
    first, last = span(asked, game.move_number)
    parts = figures(game.spec.size, first, last)
    key = "kifu-some" if asked else "kifu-all"
    shown = say(key, game=game.id, first=first, last=last, count=len(parts))
    told = [say("kifu-numbers"), *_other_figures(parts, game.move_number), say("kifu-sgf")]
    return LetterBlocks(
        f"{shown} {how_it_stands(view)}".strip(),
        _now(view, "", Words(" ".join(told)), *_on_one_line(game)),
        kifu=True,
    )


def _other_figures(parts: list[tuple[int, int]], moves: int) -> Iterator[str]:
    """How to ask for one figure of several, or for the whole game."""
    if len(parts) > 1:
        first, last = parts[-1]
        yield say("kifu-one-figure", line=f"`kifu {first}-{last}`")
    elif parts != [(1, moves)]:
        yield say("kifu-whole")


def film(view: LetterView) -> LetterBlocks:
    """The game as a film, in the place of the board; text has all its moves."""
    first = f"{say('film-first', game=view.game.id)} {how_it_stands(view)}".strip()
    told = Words(f"{say('film-still')} {say('kifu-sgf')}")
    return LetterBlocks(first, _now(view, "", told, *_on_one_line(view.game)), film=True)


def trouble(view: LetterView) -> LetterBlocks:
    """Our own fault."""
    first = retold(view.about.get("why", "")) or say("trouble")
    return LetterBlocks(first, (Words(say("trouble-kept")),))
