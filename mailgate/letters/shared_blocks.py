"""Blocks that several letters share: the current board, the count, the replies."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from godaemon.games import events as ev
from godaemon.games import special_moves
from godaemon.games.awaited_decisions import Awaited, awaited_decision
from godaemon.games.model import MAX_RESUMPTIONS, Game, Phase, Seat
from godaemon.games.notices import Kind
from godaemon.games.ratings import fair_handicap
from godaemon.games.views import time_settings_text
from godaemon.rules.handicap import max_fixed
from godaemon.rules.named_rulesets import rules_text
from godaemon.rules.points import Color, board_order
from godaemon.texts.catalogue import join_and, join_or, say, sentence_from_json
from mailgate.language.parser import MAX_COMMANDS
from mailgate.letters import blocks as b
from mailgate.letters import phrases
from mailgate.letters.board_blocks import (
    buttons,
    example_move,
    facts,
    game_diagram,
    point_commands,
    position_in_words,
    score_blocks,
)
from mailgate.letters.letter_data import leaves_count_open
from mailgate.letters.letter_view import LetterView
from mailgate.letters.time_phrases import clocks_in_words, time_left


# -- replies -----------------------------------------------------------------------------------
def how_to_move(view: LetterView) -> b.Choices:
    game, point = view.game, example_move(view.game)
    typed = clicked = say("only-pass")
    if game.to_place:
        stars = say("place-stars") if special_moves.has_star_points(game) else ""
        place = say("place-handicap", count=game.to_place, line=special_moves.example_line(game))
        typed = clicked = b.join_sentences(place, stars)
    elif point is not None:
        below = _words_below(view)
        typed = b.join_sentences(say("reply-with-point", point=point), below)
        clicked = b.join_sentences(say("click-point", point=point), below)
    return b.Choices(buttons=buttons(game), words=typed, clicks=clicked)


def _words_below(view: LetterView) -> str:
    """Where words below a move go; against a program only the first letters say so."""
    if view.facing_engine and not view.teaching:
        return view.say("words-to-program") if view.game.move_number < 2 else ""
    return view.say("words-are-notes" if view.teaching else "words-go-to")


def how_to_reply(view: LetterView, lines: Sequence[str] = ()) -> b.Choices | None:
    if view.game.phase is Phase.SCORING:
        return how_to_count(view, lines)
    return how_to_move(view) if view.my_turn else None


def how_to_count(view: LetterView, marks: Sequence[str] = ()) -> b.Choices:
    """How to agree to the count, after the lines `marks`; if the reader has agreed, to resume."""
    game, agreement = view.game, agreeing_body(marks)
    last = game.resumptions + 1 == MAX_RESUMPTIONS
    rows = [] if marks or game.dead else [("propose", say("which-are-dead"))]
    rows.append(("resume", say("play-on-last" if last else "play-on")))
    is_open = leaves_count_open(view.data)
    ordered = rows if is_open else [*reversed(rows)]
    clicked = [(say(f"button-{line}"), line) for line, _ in ordered]
    if marks or not (is_open or view.color in game.agreed):
        rows.insert(0, (agreement, say("agree-to-score")))
        clicked.insert(0, (say("button-done"), agreement))
    hint = say("change-lines") if marks else say("also-reply", lines=example_mark(view))
    return b.Choices(tuple(rows), "", tuple(clicked), hint, say("click-stones"))


def agreeing_body(marks: Sequence[str]) -> str:
    """The lines `marks` and `done` as a mailto body of at most `MAX_COMMANDS` lines."""
    return b.body(*[*marks, "done"][:MAX_COMMANDS])


def example_mark(view: LetterView) -> str:
    """A mark to reply with while the game is counted, in words."""
    dead = sorted(view.game.dead, key=board_order)
    return say("alive-and-point", point=dead[0]) if dead else say("dead-and-point")


def program_lines(view: LetterView) -> tuple[tuple[str, str], ...]:
    notes = {name: sentence_from_json(note) for name, note in view.about.get("engines", ())}
    return tuple(
        (f"new 9x9 vs {one}", say("proposes-program", program=notes[one])) for one in notes
    )


ANSWERS = {
    Awaited.COUNT: {"done": "agree-to-score"},
    Awaited.INVITATION: {"accept": "accept", "decline": "decline"},
    Awaited.CONFIRMATION: {"yes": "go-on", "no": "forget-it"},
    Awaited.VOID: {"void": "agree-to-that"},
}
"""The lines that answer each request, and the message keys of their effects."""


def answer_choices(view: LetterView) -> tuple[b.Choices, ...]:
    game = view.game
    if game.phase is not Phase.PROPOSED:
        return ()
    if waits := awaited_decision(game, view.seat):
        return (b.Choices.from_keys(ANSWERS[waits]),)
    key = "withdraw-open" if game.spec.open else "withdraw"
    return (b.Choices.from_keys({"withdraw": "withdraw-terms" if game.counters else key}),)


def awaited_replies(view: LetterView) -> tuple[b.Choices, ...]:
    """The replies that the game awaits from the reader."""
    reply = how_to_reply(view)
    return answer_choices(view) if reply is None else (reply,)


# -- a letter of a game ------------------------------------------------------------------------
def game_letter(view: LetterView, news: str, *blocks: b.Block) -> b.LetterBlocks:
    """A letter about a game: its news, whose turn it is, its words, `blocks`, and the board."""
    first = b.join_sentences(news, view.whose_turn())
    return b.LetterBlocks(first, (*view.words(), *blocks, *game_board(view)))


def game_board(
    view: LetterView,
    *below: b.Block,
    clicks: bool = True,
    lines: Sequence[str] = (),
    dead_named: bool = False,
) -> tuple[b.Block, ...]:
    """The present board with its replies, its count, `below`, and the small print.

    While a game is counted, the count comes first, because `done` agrees to it. A proposal has no
    board. Without `clicks` the board sends nothing, because the letter asks about something else.
    `lines` are marks that the board shows before they are made; `dead_named` says that the letter
    has named the dead stones.
    """
    game = view.game
    if game.black is None:
        return (*below, *terms_blocks(view))
    diagram = game_diagram(game)
    described = () if dead_named else position_in_words(view, game, diagram.rows)
    if not clicks:
        return (*described, diagram, *below, b.Words(facts(view), small=True))
    sent = point_commands(view)
    if lines:
        sent = {point: b.body(*lines, line) for point, line in sent.items()}
    diagram = replace(diagram, sends=sent, reply=how_to_reply(view, lines))
    is_counted = game.phase is Phase.SCORING
    above, after = (score_blocks(game), ()) if is_counted else ((), score_blocks(game))
    return (
        *(*_questions(view), *above, *described, diagram, *after, *below),
        *(*_time_blocks(view), _small_print(view)),
    )


def _questions(view: LetterView) -> Iterator[b.Words]:
    game = view.game
    if any(view.events_of(ev.Unrated)):
        yield b.Words(say("unrated-by-operator"))
    answers = {Kind.UNDO: "undo-answer", Kind.PUBLIC: "watch-answer"}
    for kind in open_requests(view):
        answer = answers.get(kind, f"void-answer-{game.phase.value}")
        yield _question(view, kind, REQUESTS[kind][0], answer)
    if view.color in game.voiding and not game.phase.over:
        yield _question(view, Kind.VOID, "you-offer-void", "void-wait")
    yield from b.words(opponents_estimates(view))


REQUESTS = {
    Kind.UNDO: ("undo-waits", ("yes", "no")),
    Kind.VOID: ("they-offer-void", ("void", "no")),
    Kind.PUBLIC: ("public-asked", ("public", "private")),
}
"""The requests of another player by the kind of their email: the message key, the answers."""


def open_requests(view: LetterView) -> list[Kind]:
    """The requests of the other player that the reader has not answered."""
    game, color, asker = view.game, view.color, view.game.undo_asked
    asks_to_watch = color is not None and game.watchable.get(color.opponent) and not game.public
    is_open = {
        Kind.UNDO: asker is not None and not view.is_mine(asker.word),
        Kind.VOID: game.voiding and color not in game.voiding and not game.phase.over,
        Kind.PUBLIC: asks_to_watch and color not in game.watchable,
    }
    return [kind for kind in REQUESTS if is_open[kind]]


def opponents_estimates(view: LetterView) -> str:
    """The estimates that the opponent has seen since the move before the reader's last."""
    estimates, me = view.game.estimates, view.color
    if not estimates or view.teaching or view.facing_engine:
        return ""
    own_moves = [at for at, move in enumerate(view.game.position.moves, 1) if move.color is me]
    since = max(own_moves, default=1) - 1
    theirs = (one.move_number for one in estimates if one.color is not me)
    moves = [phrases.after_move(number) for number in theirs if number >= since]
    return view.say("they-looked", moves=join_and(moves)) if moves else ""


def _question(view: LetterView, kind: Kind, key: str, answer: str) -> b.Words:
    """A question that waits, unless the email begins with it, and how to answer it."""
    question = "" if view.notice.kind is kind else view.say(key)
    return b.Words(b.join_sentences(question, view.say(answer)))


def _time_blocks(view: LetterView) -> Iterator[b.Words]:
    clock = view.game.clock
    if clock is not None and not view.game.phase.over:
        first, *others = [*time_left(view), clocks_in_words(view, clock)]
        yield b.Words(b.join_sentences(first, others.pop() if others else ""))
        yield from map(b.Words, others)


def _small_print(view: LetterView) -> b.Words:
    """The facts of the game, and lines that are rarely needed."""
    sentences, game = [facts(view)], view.game
    if game.phase is Phase.PLAYING and view.my_turn:
        sentences.append(also_reply("resign", "settings", "help"))
    elif game.phase is Phase.PLAYING:
        sentences.append(view.say("wait-for-program" if view.facing_engine else "nothing-to-do"))
        may_undo = game.move_number and game.undo_asked is not view.color
        sentences.append(also_reply(*(["undo"] if may_undo else []), "help"))
    return b.Words(b.join_sentences(*sentences), small=True)


def also_reply(*lines: str) -> str:
    return say("also-reply", lines=join_or([say(f"also-{one}") for one in lines]))


# -- the terms of a game -----------------------------------------------------------------------
def terms_blocks(view: LetterView) -> tuple[b.Block, ...]:
    """The terms of a proposal, and its opening position; changed terms also show the old value."""
    game, spec, before = view.game, view.game.spec, view.data.before
    seat, old = game.side(view.seat), before.spec if before else spec
    rare = ("estimates", "public", "rated")
    shown = {name for name in rare if getattr(spec, name) or getattr(old, name)}
    rows = dict(_term_rows(game, seat, shown))
    if before is not None:
        old_game = replace(before, spec=replace(old, proposer=spec.proposer, invited=spec.invited))
        old_rows = dict(_term_rows(old_game, seat, shown))
        if "rated" in old_rows and not spec.rated:
            old_rows["rated"] = say("yes")
        for name, now in rows.items():
            if now != old_rows.get(name, now):
                rows[name] = say("was", now=now, before=old_rows[name])
    if spec.opening is not None:
        rows["begins"] = say("begins-here", color=phrases.color_name(game.position.to_move))
    named = tuple((say(f"term-{name}"), now) for name, now in rows.items())
    table = b.Table((), named, figures=False)
    if spec.opening is None:
        return (table,)
    return (table, *position_in_words(view, game), game_diagram(game), *unread_parts(view))


def _term_rows(game: Game, seat: Seat, shown: Collection[str]) -> Iterator[tuple[str, str]]:
    """The rows of the table; of the rare terms only those in `shown`."""
    spec = game.spec
    yield "board", str(spec.size)
    yield "rules", rules_text(spec.ruleset)
    yield "komi", say("komi-for-white", komi=spec.komi)
    if spec.handicap:
        yield "handicap", say("stones", count=spec.handicap)
    yield "colours", _colors_in_words(game, seat)
    if not spec.teaching:
        yield "time", time_settings_text(spec.time)
    if "rated" in shown:
        yield "rated", say("rated-explained" if spec.rated else "no")
    if "estimates" in shown:
        yield "estimates", say("estimates-both" if spec.estimates else "estimates-none")
    if "public" in shown:
        yield "watching", say("watching-anybody" if spec.public else "watching-nobody")


def _colors_in_words(game: Game, seat: Seat) -> str:
    spec = game.spec
    if spec.teaching:
        return say("colours-both")
    if spec.color is None:
        return say("colours-drawn")
    own_color = spec.color if seat is Seat.PROPOSER else spec.color.opponent
    other = spec.invited if seat is Seat.PROPOSER else spec.proposer
    return say(f"you-are-{own_color.word}", who=phrases.player_name(other))


def introduction(view: LetterView) -> tuple[b.Words, ...]:
    """The other player's words about themselves (before a yes, only their rank) and rating."""
    line, rating = view.about.get("introduced", ""), view.about.get("rating")
    return b.words(
        view.say("they-say", said=phrases.introduction_in_words(line)) if line else "",
        view.say("their-rating", rating=phrases.rating_in_words(rating)) if rating else "",
    )


def even_chances(view: LetterView, line: str) -> Iterator[b.Choices]:
    """The handicap that makes chances even, put into `line`, if none is proposed."""
    spec = view.game.spec
    own, other = view.about.get("strengths", (0, 0))
    ranks = round(abs(other - own) / 100)
    stones = min(fair_handicap(abs(other - own), spec.size), max_fixed(spec.size))
    if not (ranks and stones) or spec.handicap or spec.opening:
        return
    handicap = f"handicap {stones}" if stones > 1 else "komi 0.5"
    color, key = ("black", "they-stronger") if other > own else ("white", "you-stronger")
    yield b.Choices(((line.format(f"{handicap} as {color}"), view.say(key, count=ranks)),))


def unread_parts(view: LetterView) -> tuple[b.Words, ...]:
    """The parts of an attached record that were not read; for its sender."""
    parts = view.about.get("left_out")
    return b.words(say("about-record"), *map(sentence_from_json, parts)) if parts else ()


# -- the result --------------------------------------------------------------------------------
def result_or_turn(view: LetterView) -> str:
    """The result if the game is over, else whose turn it is."""
    return verdict(view) if view.game.phase is Phase.FINISHED else view.whose_turn()


def verdict(view: LetterView) -> str:
    """The result in a sentence: `Bob (White) wins by 6.5 points.`."""
    return say("verdict", said=phrases.capitalize(result_for(view, view.game.result or "Void")))


def result_for(view: LetterView, result: str) -> str:
    """A result in words; it names the winner as the reader knows them."""
    winner = next((color for color in Color if color.word[0].upper() == result[0]), None)
    if winner is None or view.teaching:
        return phrases.result_in_words(result)
    return phrases.result_in_words(result, view.name_of(winner), mine=winner is view.color)
