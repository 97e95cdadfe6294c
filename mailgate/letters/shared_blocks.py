"""Blocks that several letters share: the present board, the count, what can be replied. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from godaemon.diagrams.description import Chain, in_atari
from godaemon.diagrams.symbols import hoshi
from godaemon.games import events as ev
from godaemon.games import special_moves
from godaemon.games.model import RESUMPTIONS, Game, Phase, Seat
from godaemon.games.notices import Kind
from godaemon.games.ratings import fair_handicap
from godaemon.games.time_in_words import settings_in_words
from godaemon.rules.handicap import most_fixed
from godaemon.rules.points import Color, Point, Size, board_order
from godaemon.rules.position import Position
from godaemon.rules.rulesets import rules_in_words
from godaemon.rules.scoring import board_rows
from godaemon.texts.catalogue import either, listed, retold, say
from mailgate.language.parser import MAX_COMMANDS
from mailgate.letters.blocks import Block, Choices, Diagram, LetterBlocks, Table, Todo, Words, body
from mailgate.letters.count_blocks import SHOWN, score, stones_named
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import (
    called,
    capital,
    conditions,
    points,
    points_ahead,
    rating_in_words,
    title,
    when,
)
from mailgate.letters.possible_lines import buttons, sends
from mailgate.letters.time_phrases import clocks, time_left


def example(game: Game) -> Point | None:
    """A legal move to show how one is written, a star point if one is free; None if none is."""
    to_move = game.to_move or Color.BLACK
    for point in _likely(game.spec.size):
        if game.position.is_legal(to_move, point):
            return point
    return None


@lru_cache(maxsize=32)
def _likely(size: Size) -> tuple[Point, ...]:
    """All points of a board, those first that people like to begin with."""
    stars = sorted(hoshi(size), key=board_order)
    every = [Point(column, row) for row in range(size.height) for column in range(size.width)]
    every.sort(key=lambda point: abs(_from_edge(point, size) - 2))
    return (*stars, *every)


def _from_edge(point: Point, size: Size) -> int:
    column, row = point
    return min(column, row, size.width - 1 - column, size.height - 1 - row)


def last_point(position: Position) -> Point | None:
    """Where the last stone was put; None where the last move was a pass, or took itself off."""
    last = position.last
    if last is None or last.point is None or position.board.color(last.point) is None:
        return None
    return last.point


def as_it_stands(game: Game) -> Diagram:
    """The board of a game, with its last move and nothing to click on."""
    return Diagram(game.rows(), last_point(game.position), taken=game.position.captured)


def drawn(position: Position) -> Diagram:
    """The board of a position that is not the game's own, or not any more."""
    return Diagram(board_rows(position.board, None), last_point(position))


def how_to_move(view: LetterView) -> Todo:
    """What to reply, or to click, when it is the reader's turn."""
    if view.game.placing:
        return _how_to_place(view)
    point = example(view.game)
    if point is None:
        return Todo(say("only-pass"), say("only-pass"), buttons(view))
    below = _words_below(view)
    typed, clicked = say("reply-with-point", point=point), say("click-point", point=point)
    return Todo(f"{typed} {below}".strip(), f"{clicked} {below}".strip(), buttons(view))


def _words_below(view: LetterView) -> str:
    """What becomes of words under a move; a program's player is told in the first letter alone."""
    if view.teaching:
        return say("words-are-notes")
    if view.facing_engine:
        return say("words-to-program", who=view.other) if view.game.move_number < 2 else ""
    return say("words-go-to", who=view.other)


def _how_to_place(view: LetterView) -> Todo:
    """What to reply where Black begins by placing the handicap stones."""
    game = view.game
    words = [say("place-handicap", count=game.placing, line=special_moves.line(game))]
    words += [say("place-stars")] if special_moves.stars(game) else []
    return Todo(" ".join(words), " ".join(words), buttons(view))


def in_play(view: LetterView, news: str, *blocks: Block) -> LetterBlocks:
    """A letter of a game: its news and whose turn it is, its words, `blocks`, and its board."""
    first = f"{news} {view.whose_turn()}".strip()
    return LetterBlocks(first, (*view.words(), *blocks, *board(view)))


def board(
    view: LetterView,
    *below: Block,
    clicks: bool = True,
    lines: Sequence[str] = (),
    marks_told: bool = False,
) -> tuple[Block, ...]:
    """The board as it stands with what can be replied, its count, `below`, and the small print.

    While a game is counted, the count comes first: it is what one says done to.

    There is no board of a mere proposal. Without `clicks` nothing is sent from it: the letter asks
    about something else. `lines` are the marks that the board shows before they are made;
    `marks_told` says that the letter has named the dead stones.
    """
    game = view.game
    if game.black is None:
        return (*below, *terms(view))
    shown = as_it_stands(game)
    told = () if marks_told else in_words(view, game, shown.rows)
    if not clicks:
        return (*told, shown, *below, Words(facts(view), small=True))
    sent = {point: body(*lines, line) for point, line in sends(view).items()}
    shown = replace(shown, sends=sent, reply=how_to_reply(view, lines))
    unrated = (Words(say("unrated-by-operator")) for _ in view.happened(ev.Unrated))
    asked = (*unrated, *_undo_asked(view), *_void_asked(view), *public_asked(view), *looked(view))
    above, after = (score(game), ()) if game.phase is Phase.SCORING else ((), score(game))
    return (
        *(*asked, *above, *told, shown, *after, *below),
        *(*_time(view), _small_print(view)),
    )


def _undo_asked(view: LetterView) -> Iterator[Words]:
    """The question whether the other player may take their last move back."""
    asker = view.game.undo_asked
    if asker is not None and not view.mine(asker.word):
        yield Words(say("may-take-back", who=view.other))


def _void_asked(view: LetterView) -> Iterator[Words]:
    """The offer to end the game without a result, to both until it is answered."""
    if view.color in view.game.voiding and not view.game.phase.over:
        yield Words(say("void-waits", who=view.other))
    elif view.game.voiding and not view.game.phase.over:
        playing = view.game.phase is Phase.PLAYING
        yield Words(say("void-offered" if playing else "void-offered-in-count", who=view.other))


def looked(view: LetterView) -> Iterator[Words]:
    """The estimates that the other player has looked at since the move before the reader's last."""
    estimates, me = view.game.estimates, view.color
    if not estimates or view.teaching or view.facing_engine:
        return
    mine = [at for at, move in enumerate(view.game.position.moves, 1) if move.color is me]
    since = max(mine, default=1) - 1
    moves = [
        when(one.move_number)
        for one in estimates
        if one.color is not me and one.move_number >= since
    ]
    if moves:
        yield Words(say("they-looked", who=view.other, moves=listed(moves)))


def public_asked(view: LetterView) -> tuple[Words, ...]:
    """The question whether others may watch, while the reader has not answered it."""
    said, mine = view.game.watchable, view.color
    if mine is None or mine in said or not said.get(mine.opponent) or view.game.public:
        return ()
    return (Words(say("may-watch", who=view.other)),)


def how_to_reply(view: LetterView, lines: Sequence[str] = ()) -> Todo | Choices | None:
    """What can be replied now; None where nothing is awaited."""
    if view.game.phase is Phase.SCORING:
        return how_to_count(view, lines)
    return how_to_move(view) if view.my_turn else None


def _time(view: LetterView) -> Iterator[Words]:
    """What is left of the time: the reader's until when, and the other player's."""
    clock = view.game.clock
    if clock is not None and not view.game.phase.over:
        first, *others = [*(one.words for one in time_left(view)), clocks(view, clock)]
        yield Words(f"{first} {others.pop()}" if others else first)
        yield from map(Words, others)


def _small_print(view: LetterView) -> Words:
    """Which game it is, what becomes of words, and what is seldom wanted."""
    told = [facts(view)]
    if view.game.phase is Phase.PLAYING:
        if not view.my_turn:
            key = "wait-for-program" if view.facing_engine else "nothing-to-do"
            told.append(say(key, who=view.other))
        back = not view.my_turn and not view.teaching and view.game.move_number
        back = back and view.game.undo_asked is not view.color  # who has asked waits
        lines = (["`undo`"] if back else []) + ["`resign`", "`settings`", "`help`"]
        told.append(say("also-reply", lines=either(lines)))
    return Words(" ".join(told), small=True)


TURNS = frozenset({*(Kind.YOUR_TURN, Kind.MOVED, Kind.NOTE, Kind.SCORE, Kind.IFS), Kind.WATCH})
"""The kinds of emails that begin with the moves that they tell of."""


def in_words(view: LetterView, game: Game, rows: Sequence[str] = ()) -> tuple[Words, ...]:
    """The position for who does not see the board, less what the letter's first line has told.

    `rows` are the board's, where they are known.
    """
    rows = rows or game.rows()
    told = view.notice.kind in TURNS and (view.moves or any(view.happened(ev.Placed)))
    counted = game.phase is Phase.SCORING or game.by_count
    if counted:
        dead = stones_named(game, game.dead)
        sentences = [say("marked-dead", points=dead) if dead else say("none-dead")]
    else:
        sentences = [] if told else [_last_move(game)]
        atari = _chains_of(view, in_atari(rows))
        sentences += [say("in-atari", chains=atari)] if atari else []
    taken = game.position.prisoners
    if any(taken.values()) and not counted:
        black, white = (taken[color] for color in Color)
        sentences.append(say("prisoners", black=black, white=white))
    return (Words(" ".join(sentences), small=True),) if sentences else ()


def _chains_of(view: LetterView, found: Sequence[Chain]) -> str:
    """Chains by their first stones, the reader's own first: `your stone A3, White's chain D4`."""
    mine = view.color if view.color is not None and not view.teaching else None
    told = []
    for chain in sorted(found, key=lambda one: one.color is not mine)[:SHOWN]:
        whose = "your" if chain.color is mine else "colour"
        kind = "stone" if len(chain.stones) == 1 else "chain"
        at, color = chain.stones[0], title(chain.color)
        named = say(f"{whose}-{kind}", color=color, point=at, count=len(chain.stones))
        free = chain.liberties[0] if chain.in_atari else None
        told.append(say("with-liberty", chain=named, liberty=free) if free else named)
    told += [say("more-chains", count=len(found) - SHOWN)] if len(found) > SHOWN else []
    return say("comma").join(told)


def facts(view: LetterView) -> str:
    """Which game it is, by what rules; and who is who, where the letter does not say it."""
    game = view.game
    counted = game.phase is Phase.SCORING  # the count has the komi, and the board its size
    terms = rules_in_words(game.spec.ruleset) if counted else conditions(game)
    told = [say("game-facts", number=game.id, conditions=terms)]
    if not view.my_turn or game.move_number < 2:
        told.insert(0, view.both_colors())
    return " ".join([*told, *([say("others-may-watch")] if game.public else [])])


def _last_move(game: Game) -> str:
    last, stones = game.position.last, game.position.handicap
    if last is None:
        white = game.position.set_up_white
        if not stones:
            return say("no-move-yet")
        key = "no-move-yet-both" if white else "no-move-yet-stones"
        return say(key, black=points(stones), white=points(white))
    color, number = title(last.color), game.move_number
    if last.point is None:
        return say("last-passed", color=color, number=number)
    return say("last-played", color=color, point=last.point, number=number)


def captured(game: Game) -> str:
    """The stones that the last move took, in a sentence; empty where it took none."""
    taken, last = game.position.captured, game.position.last
    if not taken or last is None or last.point is None:
        return ""
    if game.position.board.color(last.point) is None:
        return say("took-itself", count=len(taken))
    if len(taken) > SHOWN:
        return say("took-many", count=len(taken))
    return say("took", count=len(taken), points=points(taken))


def terms(view: LetterView) -> tuple[Block, ...]:
    """What a proposal is for, with the board that it begins from; what is new says what was."""
    game, spec = view.game, view.game.spec
    before = view.data.before
    was = before.spec if before is not None else spec
    estimates, public = spec.estimates or was.estimates, spec.public or was.public
    mine = game.side(view.seat)
    rows = [*_term_rows(game, mine, estimates=estimates, public=public)]
    if before is not None:
        same = replace(before.spec, proposer=spec.proposer, invited=spec.invited)
        then = replace(before, spec=same)
        were = dict(_term_rows(then, mine, estimates=estimates, public=public))
        if spec.rated is not before.spec.rated:
            were["rated"] = say("no" if spec.rated else "yes")
            rows += [] if spec.rated else [("rated", say("no"))]
        rows = [
            (name, now if now == were.get(name, now) else say("was", now=now, before=were[name]))
            for name, now in rows
        ]
    if spec.opening is not None:
        rows.append(("begins", say("begins-here", color=title(game.position.to_move))))
    table = Table((), tuple((say(f"term-{name}"), now) for name, now in rows), figures=False)
    if spec.opening is None:
        return (table,)
    return (table, *in_words(view, game), as_it_stands(game), *unread(view))


def _term_rows(
    game: Game, mine: Seat, *, estimates: bool, public: bool
) -> Iterator[tuple[str, str]]:
    spec = game.spec
    yield "board", str(spec.size)
    yield "rules", rules_in_words(spec.ruleset)
    yield "komi", say("komi-for-white", komi=spec.komi)
    if spec.handicap:
        yield "handicap", say("stones", count=spec.handicap)
    yield "colours", _colours(game, mine)
    if not spec.teaching:
        yield "time", settings_in_words(spec.time)
    if spec.rated:
        yield "rated", say("rated-explained")
    if estimates:
        yield "estimates", say("estimates-both" if spec.estimates else "estimates-none")
    if public:
        yield "watching", say("watching-anybody" if spec.public else "watching-nobody")


def _colours(game: Game, mine: Seat) -> str:
    """Who has which colour in a proposal, to whom `mine` is."""
    spec = game.spec
    if spec.teaching:
        return say("colours-both")
    if spec.color is None:
        return say("colours-drawn-stones" if spec.handicap else "colours-drawn")
    sides = {Seat.PROPOSER: called(spec.proposer), Seat.INVITED: called(spec.invited)}
    black, white = [*sides][:: int(spec.color)]
    key = "colours-you-black" if black is mine else "colours-you-white"
    return say(key, other=sides[white if black is mine else black])


def introduced(view: LetterView) -> Iterator[Words]:
    """What the other player says of themselves, or, before a yes, of their rank; their rating."""
    said, rating = view.about.get("introduced", ""), view.about.get("rating")
    sentences = [say("they-say", who=view.other, said=said)] if said else []
    if rating:
        sentences.append(say("their-rating", who=view.other, rating=rating_in_words(rating)))
    if sentences:
        yield Words(" ".join(sentences))


def even_chances(view: LetterView, line: str) -> Iterator[Choices]:
    """The handicap of an even game, where none is proposed: `line` has it."""
    spec = view.game.spec
    mine, theirs = view.about.get("strengths", (0, 0))
    ranks = round(abs(theirs - mine) / 100)
    stones = min(fair_handicap(abs(theirs - mine), spec.size), most_fixed(spec.size))
    if not (ranks and stones) or spec.handicap or spec.opening:
        return
    handicap = f"handicap {stones}" if stones > 1 else "komi 0.5"
    color = "black" if theirs > mine else "white"
    key = "they-stronger" if theirs > mine else "you-stronger"
    yield Choices(((line.format(f"{handicap} as {color}"), say(key, count=ranks, who=view.other)),))


def unread(view: LetterView) -> Iterator[Words]:
    """What of an attached record was not read, told to whom it is from."""
    if said := view.about.get("left_out"):
        yield Words(" ".join([say("about-record"), *map(retold, said)]))


def how_to_count(view: LetterView, marks: Sequence[str] = ()) -> Choices:
    """How to agree to the count, with `marks` before it; for who has agreed how to play on."""
    game, said = view.game, agreeing(marks)
    last = game.resumptions + 1 == RESUMPTIONS
    awaited = marks or view.color not in game.agreed
    rows = [(said, say("agree-to-score"))] if awaited else []
    clicked = [(say("button-done"), said)] if awaited else []
    if last or not awaited:
        rows.append(("resume", say("play-on-last" if last else "play-on")))
    clicked.append((say("button-resume"), "resume"))
    if marks:
        words = say("change-lines")
    else:
        others = [one for one in also_in_count(view) if one.strip("`") not in dict(rows)]
        words = say("also-reply", lines=either(others))
        clicked.append((say("button-propose"), "propose"))
    return Choices(tuple(rows), "", tuple(clicked), words, say("click-stones"))


def agreeing(marks: Sequence[str]) -> str:
    """The lines that make some marks and agree to the count, as far as one email holds them."""
    return body(*[*marks, "done"][:MAX_COMMANDS])


def also_in_count(view: LetterView) -> list[str]:
    """What else can be replied while the game is being counted, the lines in backticks."""
    dead = view.game.dead
    mark = f"`alive {min(dead, key=board_order)}`" if dead else say("dead-and-point")
    return [mark, "`propose`", "`resume`"]


def how_it_stands(view: LetterView) -> str:
    """The result of a game that is over, and of any other whose turn it is."""
    return verdict(view) if view.game.phase is Phase.FINISHED else view.whose_turn()


def verdict(view: LetterView) -> str:
    """The result in words and in SGF's form, `Bob (White) wins by 6.5 (W+6.5).`."""
    result = view.game.result or "Void"
    won = _won(view, result)
    said = points_ahead(result, winner(view, result), mine=won is view.color is not None)
    return say("verdict-code" if result[0] in "BW" else "verdict", said=capital(said), code=result)


def _won(view: LetterView, result: str) -> Color | None:
    """Who has won; None where nobody has, or where the reader is both."""
    won = next((color for color in Color if color.word[0].upper() == result[0]), None)
    return None if view.teaching else won


def winner(view: LetterView, result: str) -> str:
    """Who has won, as the reader knows them; empty where nobody has, or where they are both."""
    won = _won(view, result)
    if won is None:
        return ""
    if won is view.color:
        return say("you-as", color=title(won))
    return say("name-as", who=view.named(won), color=title(won))


def programs(view: LetterView) -> tuple[tuple[str, str], ...]:
    """What to send to play against each program that plays here, and what it is."""
    return tuple(
        (f"new 9x9 vs {name}", say("proposes-program", program=note))
        for name, note in view.about.get("engines", ())
    )
