"""Blocks that several letters share: the present board, the count, what can be replied. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain

from godaemon.diagrams.description import WHOSE, in_atari, marked_dead
from godaemon.diagrams.hoshi import hoshi
from godaemon.games import events as ev
from godaemon.games import free_handicap
from godaemon.games.dead_stones import untakeable
from godaemon.games.model import RESUMPTIONS, Game, Phase, Seat
from godaemon.games.notices import Kind
from godaemon.games.ratings import fair_handicap
from godaemon.games.time_in_words import settings_in_words
from godaemon.rules import scoring
from godaemon.rules.handicap import most_fixed
from godaemon.rules.points import Color, Point, Size, board_order
from godaemon.rules.position import Position
from godaemon.rules.scoring import board_rows
from mailgate.letters.blocks import Block, Choices, Diagram, LetterBlocks, Table, Todo, Words
from mailgate.letters.board_links import buttons, mark_line, sends
from mailgate.letters.count_blocks import SHOWN, score
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import (
    called,
    capital,
    conditions,
    listed,
    plural,
    points,
    points_ahead,
    rating_in_words,
    rules_in_words,
    title,
    when,
)
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
        words = "No point is left to play: reply with: `pass`, or: `help`."
        return Todo(words, words, buttons(view))
    return Todo(
        f"Reply with a point, such as: `{point}`, or: `pass`, or: `help`.",
        f"Reply with a point, such as `{point}`, or click it on the board and send what opens.",
        buttons(view),
    )


def _how_to_place(view: LetterView) -> Todo:
    """What to reply where Black begins by placing the handicap stones."""
    game = view.game
    usual = " For the star points: `place stars`." if free_handicap.stars(game) else ""
    words = (
        f"You begin with your {plural(game.placing, 'handicap stone')}, all of them in one email"
        f" and wherever you like. Reply with: `{free_handicap.line(game)}` (or the points that you"
        f" choose).{usual}"
    )
    return Todo(words, words, buttons(view))


def in_play(view: LetterView, news: str, *blocks: Block) -> LetterBlocks:
    """A letter of a game: its news and whose turn it is, its words, `blocks`, and its board."""
    first = f"{news} {view.whose_turn()}".strip()
    return LetterBlocks(first, (*view.words(), *blocks, *board(view)))


def board(view: LetterView, *below: Block, clicks: bool = True) -> tuple[Block, ...]:
    """The board as it stands with what can be replied, its count, `below`, and the small print.

    While a game is counted, the count comes first: it is what one says done to.

    There is no board of a mere proposal. Without `clicks` nothing is sent from it: the letter asks
    about something else.
    """
    game = view.game
    if game.black is None:
        return (*below, *terms(view))
    shown = as_it_stands(game)
    told = in_words(view, game, shown.rows)
    if not clicks:
        return (told, shown, *below, facts(view))
    shown = replace(shown, sends=sends(view), reply=how_to_reply(view))
    by_us = "The people who run this server have decided that this game is not rated."
    unrated = (Words(by_us) for _ in view.happened(ev.Unrated))
    asked = (*unrated, *_undo_asked(view), *_void_asked(view), *public_asked(view), *looked(view))
    above, after = (score(game), ()) if game.phase is Phase.SCORING else ((), score(game))
    return (
        *(*asked, *time_left(view), *above, told, shown, *after),
        *(*below, facts(view), *_seldom(view)),
    )


def _undo_asked(view: LetterView) -> Iterator[Words]:
    """The question whether the other player may take their last move back."""
    asker = view.game.undo_asked
    if asker is not None and not view.mine(asker.word):
        back = "take it back" if view.notice.kind is Kind.UNDO else "take their last move back"
        yield Words(
            f"May {view.other} {back}? Reply with: `yes`, or with: `no`. If you move instead, it"
            " stands."
        )


def _void_asked(view: LetterView) -> Iterator[Words]:
    """The offer to end the game without a result, to both until it is answered."""
    if view.color in view.game.voiding and not view.game.phase.over:
        yield Words(f"Your offer to end the game without a result waits for {view.other}.")
    elif view.game.voiding and not view.game.phase.over:
        answers = "`void`, or with: `no`" if view.game.phase is Phase.PLAYING else "`void`"
        asked = f"Shall the game end without a result, as {view.other} offers?"
        yield Words(f"{asked} Reply with: {answers}.")


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
        yield Words(f"{view.other} has asked me for an estimate of the score {listed(moves)}.")


def public_asked(view: LetterView) -> tuple[Words, ...]:
    """The question whether others may watch, while the reader has not answered it."""
    said, mine = view.game.watchable, view.color
    if mine is None or mine in said or not said.get(mine.opponent) or view.game.public:
        return ()
    return (
        Words(
            f"May others watch this game? {view.other} would let them: they see the board and your"
            " names, and no words of yours. Reply with: `public`, or with: `private`."
        ),
    )


def how_to_reply(view: LetterView) -> Todo | Choices | None:
    """What can be replied now; None where nothing is awaited."""
    if view.game.phase is Phase.SCORING:
        return how_to_count(view)
    return how_to_move(view) if view.my_turn else None


def _seldom(view: LetterView) -> Iterator[Words]:
    """What becomes of words, and what is seldom wanted while a game is played."""
    if view.game.phase is not Phase.PLAYING:
        return
    words = f"Words under your move are passed on to {view.other}."
    if view.teaching:
        words = "Words under your move are kept as notes in the record."
    elif view.facing_engine and view.my_turn:
        words = f"{view.other} is a program: words under your move are kept in the record."
    elif view.facing_engine:
        words = f"You need not do anything now: {view.other} is a program, and will answer soon."
    elif not view.my_turn:
        words = f"You need not do anything now; what you write back is passed on to {view.other}."
    back = not view.my_turn and not view.teaching and view.game.move_number
    back = back and view.game.undo_asked is not view.color  # who has asked waits for the answer
    undo = "To ask for your move back, reply with: `undo`. " if back else ""
    seldom = f"{undo}To give the game up, reply with: `resign`. Which emails you get: `settings`."
    yield Words(f"{words} {seldom}", small=True)


def in_words(view: LetterView, game: Game, rows: Sequence[str] = ()) -> Words:
    """The position for who does not see the board, less what the letter's first line has told.

    `rows` are the board's, where they are known.
    """
    rows = rows or game.rows()
    whose = dict(WHOSE)
    if view.color is not None and not view.teaching:
        whose = {view.color: "your", view.color.opponent: WHOSE[view.color.opponent]}
    told = view.moves or any(view.happened(ev.Placed))
    if game.phase is Phase.SCORING or game.by_count:
        sentences = [marked_dead(rows, whose)]
    else:
        sentences = [] if told else [f"Last move: {_last_move(game)}."]
        sentences += [in_atari(rows, whose)] if game.move_number else []
    taken = game.position.prisoners
    black, white = (taken[color] or "none" for color in Color)
    held = f"Prisoners: Black has taken {black}, White {white}."
    return Words(
        " ".join([*sentences, held if any(taken.values()) else "No prisoners."]), small=True
    )


def facts(view: LetterView) -> Table:
    """Who is who, komi and rules; with full stops, at which a voice pauses."""
    game = view.game
    rows = [
        ("Players:", "you play both colours." if view.teaching else f"{view.both_colors()}."),
        ("Game:", f"number {game.id}, {conditions(game)}."),
    ]
    if game.public:
        rows.append(("Public:", "others may watch this game."))
    if game.clock and not game.phase.over:
        rows.append(("Time:", f"{clocks(view, game.clock)}."))
    return Table((), tuple(rows), figures=False, small=True)


def _last_move(game: Game) -> str:
    last, stones = game.position.last, game.position.handicap
    if last is None:
        white = game.position.set_up_white
        also = f"; White's on {points(white)}" if white else ""
        return f"none yet; Black's stones stand on {points(stones)}{also}" if stones else "none yet"
    what = "passed" if last.point is None else f"played {last.point}"
    return f"{title(last.color)} {what} (move {game.move_number}){captured(game)}"


def captured(game: Game) -> str:
    """The stones that the last move took, to follow it in a sentence; empty where it took none."""
    taken, last = game.position.captured, game.position.last
    if not taken or last is None or last.point is None:
        return ""
    if game.position.board.color(last.point) is None:
        return f", a suicide of {plural(len(taken), 'stone')}"
    named = f" ({points(taken)})" if len(taken) <= SHOWN else ""
    return f", capturing {plural(len(taken), 'stone')}{named}"


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
            were["Rated:"] = "no" if spec.rated else "yes"
            rows += [] if spec.rated else [("Rated:", "no")]
        rows = [
            (name, now if now == were.get(name, now) else f"{now} (before: {were[name]})")
            for name, now in rows
        ]
    if spec.opening is None:
        return (Table((), tuple(rows), figures=False),)
    turn = f"from this position; {title(game.position.to_move)} is to move"
    begins = Table((), (*rows, ("Begins:", turn)), figures=False)
    return (begins, in_words(view, game), as_it_stands(game), *unread(view))


def _term_rows(
    game: Game, mine: Seat, *, estimates: bool, public: bool
) -> Iterator[tuple[str, str]]:
    spec = game.spec
    if spec.teaching:
        colors = "you play both"
    elif spec.color is None:
        colors = "drawn by lot (nigiri) when the game starts"
        colors += "; whoever is Black gets the stones" if spec.handicap else ""
    else:
        sides = {Seat.PROPOSER: called(spec.proposer), Seat.INVITED: called(spec.invited)}
        black, white = [*(sides | {mine: "you"}).values()][:: int(spec.color)]
        colors = f"Black for {black}, White for {white}"
    yield "Board:", str(spec.size)
    yield "Rules:", rules_in_words(game).replace(" rules", "")
    yield "Komi:", f"{spec.komi:g} points for White"
    yield "Handicap:", plural(spec.handicap, "stone") if spec.handicap else "none"
    yield "Colours:", colors
    if not spec.teaching:
        yield "Time:", settings_in_words(spec.time)
    if spec.rated:
        yield "Rated:", "yes, it counts for the ratings of both"
    if estimates:
        looks = "for both of you; each is told when the other looks" if spec.estimates else "none"
        yield "Estimates of the score:", looks
    if public:
        yield "Watching:", "anybody may" if spec.public else "nobody may"


def introduced(view: LetterView) -> Iterator[Words]:
    """What the other player says of themselves, or, before a yes, of their rank; their rating."""
    said, rating = view.about.get("introduced", ""), view.about.get("rating")
    sentences = [f"{view.other} says: {said}."] if said else []
    sentences += [f"{view.other}'s rating is {rating_in_words(rating)}."] if rating else []
    if sentences:
        yield Words(" ".join(sentences))


def even_chances(view: LetterView, line: str, first: str = "") -> Iterator[Choices]:
    """The handicap of an even game, where none is proposed: `line` has it, `first` goes before."""
    spec = view.game.spec
    mine, theirs = view.about.get("strengths", (0, 0))
    ranks = round(abs(theirs - mine) / 100)
    stones = min(fair_handicap(abs(theirs - mine), spec.size), most_fixed(spec.size))
    if not (ranks and stones) or spec.handicap or spec.opening:
        return
    who = f"{view.other} is" if theirs > mine else "You are"
    terms = f"handicap {stones}" if stones > 1 else "komi 0.5"
    color = "black" if theirs > mine else "white"
    what = f"{who} about {plural(ranks, 'stone')} stronger: {terms} is an even game{first}"
    yield Choices(((line.format(f"{terms} as {color}"), what),))


def unread(view: LetterView) -> Iterator[Words]:
    """What of an attached record was not read, told to whom it is from."""
    if said := view.about.get("left_out"):
        yield Words(" ".join(["About the record that you attached:", *said]))


def how_to_count(view: LetterView) -> Choices:
    """What can be replied while the game is being counted."""
    game = view.game
    rows: list[tuple[str, str]] = []
    if line := _mark_example(view):
        rows.append((line, f"{_MARKED[line.split()[2:] == []]} dead; you may name several stones"))
    if game.dead:
        rows.append((f"alive {min(game.dead, key=board_order)}", "that group lives after all"))
    rows.append(("propose", "get my opinion on which are dead; this marks nothing"))
    if view.color not in game.agreed:
        rows.append(("done", "the board is right: you agree to the score"))
    last = game.resumptions + 1 == RESUMPTIONS
    once = ", for the last time: then the board is counted by area as it stands" if last else ""
    rows.append(("resume", f"no, let us play on{once}"))
    return Choices(
        tuple(rows),
        clicks="Click a stone to mark its group dead, or alive again, and send what opens. An email"
        " may hold several such lines.",
        buttons=buttons(view),
    )


def _mark_example(view: LetterView) -> str:
    """A line that marks a group dead and works, never one of the reader's own.

    Those with the fewest liberties come first, and the plainest form, where it does for any.
    """
    game, grid = view.game, view.game.position.board
    theirs = [color for color in Color if view.teaching or color is not view.color]
    stones = {grid.point(index) for color in theirs for index in grid.stones(color)}
    chains = scoring.chains(grid, stones - game.dead - untakeable(game))
    weakest = sorted(chains, key=lambda one: len(grid.liberties(map(grid.index, one))))
    lines = (mark_line(game, min(stones, key=board_order)) for stones in weakest)
    first = next(lines, "")
    return next((line for line in chain((first,), lines) if len(line.split()) == 2), first)


_MARKED = {
    True: "the group of that stone is",
    False: "all stones that live or die together with that one are",
}
"""What a line marks in its plain form, and in any other."""


def how_it_stands(view: LetterView) -> str:
    """The result of a game that is over, and of any other whose turn it is."""
    return verdict(view) if view.game.phase is Phase.FINISHED else view.whose_turn()


def verdict(view: LetterView) -> str:
    """The result in words and in SGF's form: `Bob (White) wins by 6.5 points (W+6.5)`."""
    result = view.game.result or "Void"
    code = "" if result == "0" else f" ({result})"
    return f"{capital(points_ahead(result, winner(view, result)))}{code}."


def winner(view: LetterView, result: str) -> str:
    """Who has won, as the reader knows them; empty where nobody has, or where they are both."""
    won = next((color for color in Color if title(color)[0] == result[0]), None)
    if won is None or view.teaching:
        return ""
    return f"{'You' if won is view.color else view.named(won)} ({title(won)})"


def programs(view: LetterView) -> tuple[tuple[str, str], ...]:
    """What to send to play against each program that plays here, and what it is."""
    return tuple(
        (f"new 9x9 vs {name}", f"Proposes a game against {note}.")
        for name, note in view.about.get("engines", ())
    )
