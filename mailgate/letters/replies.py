"""The letters that answer a question, refuse, or apologise."""

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import zip_longest

from godaemon.diagrams import description
from godaemon.diagrams.kifu import figure_ranges
from godaemon.errors import Unreadable
from godaemon.games.awaited_decisions import Awaited, awaited_decision
from godaemon.games.commands import Look
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.record_pictures import move_range
from godaemon.games.views import game_record
from godaemon.records import sgn
from godaemon.rules.points import Color, Point, column_name, parse_point
from godaemon.texts.catalogue import join_or, say, sentence_from_json
from mailgate.language.verb_table import topic as topic_of
from mailgate.language.verb_table import topic_named, verbs
from mailgate.letters import blocks as b
from mailgate.letters.board_blocks import (
    example_move,
    game_diagram,
    is_possible,
    last_point,
    point_commands,
    position_at,
    position_diagram,
    position_in_words,
)
from mailgate.letters.counting import opinion_letter, possible_counts
from mailgate.letters.letter_data import WHICH_COUNT, asks_about_move, is_count_open, reason_key
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import after_move, capitalize, conditions, lead_in_words
from mailgate.letters.shared_blocks import (
    also_reply,
    answer_choices,
    awaited_replies,
    example_mark,
    game_board,
    how_to_reply,
    program_lines,
    result_or_turn,
    terms_blocks,
    verdict,
)
from mailgate.letters.time_phrases import is_away, time_left

REASON_LIMIT = 600
MAX_SUGGESTIONS = 3
"""Maximum number of lines that we suggest."""
LINES = 30
MAX_MESSAGES = 20
"""Maximum number of messages that an earlier position repeats."""


def refused(view: LetterView) -> b.LetterBlocks:
    text = view.about.get("reason", "")
    key = reason_key(view.about) if view.maybe_game is not None else ""
    if key == WHICH_COUNT and view.game.phase is Phase.SCORING:
        blocks = (possible_counts(view), *_how_to_pass_on(view), *game_board(view, clicks=False))
        return b.LetterBlocks(sentence_from_json(text), blocks, agreement="")
    is_over = key == "game-over"  # then the reason is the result
    sentence = view.say("over", verdict=verdict(view)) if is_over else sentence_from_json(text)
    reason = " ".join(sentence.split())[:REASON_LIMIT] or say("refused")
    hints = _replies(view, view.about.get("hints") or (() if view.maybe_game else ("help",)))
    lines = echo_lines(view, without_results=len(view.about.get("lines", ())) < 2)
    return _letter_beside_game(view, reason, *hints, *_how_to_pass_on(view), *lines)


def topic(view: LetterView) -> b.LetterBlocks:
    """The explanation of a topic that the reader asked about, with the game."""
    found, game = topic_named(view.about["topic"]) or topic_of("help"), view.maybe_game
    if found.name == "programs" and not view.about.get("engines"):
        found = topic_of("no_programs")
    invited = game and game.phase is Phase.PROPOSED and game.side(view.seat) is Seat.INVITED
    who = view.say("asked-to-invite") if invited and found.name in ("who", "help") else ""
    lines = [one for one in found.lines if "{" not in one]  # it names no point
    below = () if "aside" in view.about else _how_to_pass_on(view)
    rows = program_lines(view) if found.name == "programs" else ()
    replies = [b.Choices(rows)] if rows else _replies(view, lines)
    return _letter_beside_game(view, b.join_sentences(who, found.text), *replies, *below)


def aside_blocks(view: LetterView) -> Iterator[b.Block]:
    """A remark on words that were held or not understood, in a letter about something else."""
    aside = view.about["aside"]
    if "reason" in aside:
        yield b.Words(sentence_from_json(aside["reason"]))
        yield from _replies(view, aside["hints"], above_board=False)
    yield from _how_to_pass_on(view)


def quote_commands(sentence: str) -> str:
    """Our words with quotation marks instead of links, because a line may be an example."""
    return re.sub(r"`+([^`]*)`+", lambda found: say("quoted", line=found[1]), sentence)


def echo_lines(view: LetterView, *, without_results: bool = False) -> Iterator[b.Quote]:
    """The lines of the reader's letter, each with its result, or `without_results`."""
    lines, results = (view.about.get(name, ())[:LINES] for name in ("lines", "results"))
    pairs = zip_longest(lines, () if without_results else results, fillvalue="")
    if lines:
        quoted = ((line, quote_commands(sentence_from_json(result))) for line, result in pairs)
        shown = tuple(f"{line}   ({result})" if result else line for line, result in quoted)
        yield b.Quote(say("you-wrote"), shown)


# -- beside the game ---------------------------------------------------------------------------
def _letter_beside_game(view: LetterView, sentence: str, *blocks: b.Block) -> b.LetterBlocks:
    if view.maybe_game is None:
        return b.LetterBlocks(quote_commands(sentence), blocks)
    if is_count_open(view.game):
        return opinion_letter(view, quote_commands(sentence), *blocks)
    turn = "" if view.about.get("code") == "not-your-turn" else view.whose_turn()
    offered = [line for one in blocks if isinstance(one, b.Choices) for line, _ in one.rows]
    board = _board_now(view, turn, offered=offered)
    return b.LetterBlocks(quote_commands(sentence), (*blocks, *board))


def _board_now(
    view: LetterView, turn: str = "", *below: b.Block, offered: Collection[str] = ()
) -> tuple[b.Block, ...]:
    """Whose turn it is, and the board with other replies."""
    game = view.game
    if game.black is None:
        if game.phase is not Phase.PROPOSED:
            return below
        invited = awaited_decision(game, view.seat) is Awaited.INVITATION
        who = b.words(view.say("invites-you") if invited else "")
        return (*who, *answer_choices(view), *below, *terms_blocks(view))
    reply = how_to_reply(view)
    if reply is not None and asks_about_move(view.about):
        reply = replace(reply, words="", clicks="")  # an example of another move would confuse
    if reply is not None and reply.rows:
        rows = [(one, does) for one, does in reply.rows if one not in offered]
        lines = [say("in-brackets", said=f"`{one}`", more=does) for one, does in rows]
        other_lines = say("also-reply", lines=join_or([*lines, example_mark(view)]))
        reply = replace(reply, rows=(), words=other_lines)
        turn = b.join_sentences(say("now", count_says=lead_in_words(game.score().result)), turn)
    elif game.phase is Phase.PLAYING:
        lines = [one for one in ("undo", "resign", "help") if one not in offered]
        lines = [one for one in lines if is_possible(game, view.seat, one)]
        below += (b.Words(also_reply(*lines), small=True),)
    shown = replace(game_diagram(game), sends=point_commands(view), reply=reply)
    paused = map(b.Words, time_left(view) if view.data.paused else ())
    return (*b.words(turn), *position_in_words(view, game), shown, *below, *paused)


def _replies(
    view: LetterView, hints: Sequence[str], *, above_board: bool = True
) -> Iterator[b.Choices]:
    """The hints that are possible now, without those that `_board_now` has below."""
    game, below = view.maybe_game, set[str]()
    if game is not None and above_board:
        shown = awaited_replies(view) if is_count_open(game) else answer_choices(view)
        below = {line for one in shown for line, _ in one.rows}
    possible = (one for one in hints if game is None or is_possible(game, view.seat, one))
    if lines := [one for one in possible if b.own_line(one) not in below][:MAX_SUGGESTIONS]:
        yield offered_lines(lines)


def offered_lines(lines: Sequence[str], *, explained: bool = False) -> b.Choices:
    """Lines to send, each with its help unless they are `explained` above."""
    effects = ["" if explained else _line_help(one) for one in lines]
    return b.Choices(tuple(zip(map(b.own_line, lines), effects, strict=True)))


def _line_help(line: str) -> str:
    """The help of the verb that a line begins with; "" for a point, and for a game's terms."""
    if line == "stop all":
        return say("stop-all")
    found = [one for verb, one in verbs().items() if f"{line} ".startswith(f"{verb} ")]
    return quote_commands(found[-1].help) if found and " vs " not in line else ""


def _how_to_pass_on(view: LetterView) -> tuple[b.Words, ...]:
    """How the reader's words can still be passed on, if they were held back."""
    if not view.about.get("unsent"):
        return ()
    if view.teaching:
        return b.words(say("keep-words"))
    if not view.game.player(view.seat.other).gets_email:
        return ()
    key = "send-with-move" if asks_about_move(view.about) else "send-words"
    along = view.about.get("along")
    return (
        *b.words(view.say("words-go-with", line=along) if along else ""),
        *b.words(view.say(key) if view.game.black is not None else ""),
    )


# -- boards ------------------------------------------------------------------------------------
def show(view: LetterView) -> b.LetterBlocks:
    game, number = view.game, view.about.get("move")
    if isinstance(number, int):
        return _past_board(view, number)
    if view.about.get("words_only"):
        paused = b.words(say("clocks-paused") if is_away(view) else "")
        if is_count_open(game):
            return opinion_letter(view, _fate_of_words(view), *paused)
        board = () if game.phase.over else _board_now(view)
        return b.LetterBlocks(_fate_of_words(view), (*view.words(), *paused, *board))
    board = (*answer_choices(view), *game_board(view))
    if game.black is None:
        key = "not-started" if game.phase is Phase.PROPOSED else f"never-began-{game.phase}"
        return b.LetterBlocks(view.say(key), board)
    first = view.say("this-is-game", when=after_move(game.move_number))
    if is_count_open(game):
        return opinion_letter(view, first)
    return b.LetterBlocks(b.join_sentences(first, result_or_turn(view)), board)


def _fate_of_words(view: LetterView) -> str:
    """Where the reader's words went, and what the game still awaits from the reader."""
    game, gets_email = view.game, view.game.player(view.seat.other).gets_email
    key = "words-sent" if gets_email else "words-unread"
    if view.teaching:
        key = "words-kept"
    if game.phase is Phase.SCORING and view.color not in game.agreed:
        turn = say("still-agree")
    else:
        turn = say("still-your-move") if view.my_turn else view.whose_turn()
    last = say("last-confirmation") if view.about.get("last") else ""
    return b.join_sentences(view.say(key), turn, last)


def _past_board(view: LetterView, number: int) -> b.LetterBlocks:
    """An earlier position; a move in reply to it is refused as out of date."""
    game, position = view.game, position_at(view.game.position, number)
    past = replace(game, position=position)
    chat = [one for one in game.chat if one.move_number <= number][-MAX_MESSAGES:]
    above = (
        *b.words(say("past-board")),
        *([b.Quote(say("had-been-said"), tuple(map(view.remark_line, chat)))] if chat else ()),
        *position_in_words(view, past),
    )
    first = view.say("game-as-it-was", when=after_move(number))
    facts = b.Words(capitalize(conditions(game)), small=True)
    return b.LetterBlocks(first, (*above, position_diagram(position), facts), counted=False)


# -- the record --------------------------------------------------------------------------------
def sgf(view: LetterView) -> b.LetterBlocks:
    first = b.join_sentences(view.say("record-attached"), result_or_turn(view))
    blocks = (b.Words(say("record-holds")), *_board_now(view, "", *_moves_on_one_line(view.game)))
    return b.LetterBlocks(first, blocks, record=True)


def kifu(view: LetterView) -> b.LetterBlocks:
    """Moves of the game on a picture instead of the board; text has all moves."""
    game, moves = view.game, view.about.get("moves", "")
    first, last = move_range(moves, game.move_number)
    parts = figure_ranges(game.spec.size, first, last)
    shown = view.say("kifu-some", first=first, last=last, count=len(parts))
    other = say("kifu-whole") if parts != [(1, game.move_number)] else ""
    if len(parts) > 1:
        other = say("kifu-one-figure", line="`kifu {}-{}`".format(*parts[-1]))
    notes = b.Words(b.join_sentences(say("kifu-numbers"), other, say("kifu-sgf")))
    blocks = _board_now(view, "", notes, *_moves_on_one_line(game))
    return b.LetterBlocks(b.join_sentences(shown, result_or_turn(view)), blocks, picture="kifu")


def film(view: LetterView) -> b.LetterBlocks:
    """The game as a film instead of the board; text has all moves."""
    first = b.join_sentences(view.say("film-first"), result_or_turn(view))
    notes = b.Words(b.join_sentences(say("film-still"), say("kifu-sgf")))
    blocks = _board_now(view, "", notes, *_moves_on_one_line(view.game))
    return b.LetterBlocks(first, blocks, picture="film")


def _moves_on_one_line(game: Game) -> Iterator[b.Quote]:
    """The moves in Simple Go Notation, to keep in a note or to send on."""
    if game.move_number:
        with suppress(Unreadable):  # the notation has no set-up positions
            yield b.Quote(say("moves-on-one-line"), (sgn.format_sgn(game_record(game)),))


def trouble(view: LetterView) -> b.LetterBlocks:
    first = sentence_from_json(view.about.get("why", "")) or say("trouble")
    return b.LetterBlocks(first, (b.Words(say("trouble-kept")),))


# -- the board in sentences ------------------------------------------------------------------------
_PARTS = {
    Look.NEAR: description.describe_surroundings,
    Look.GROUP: description.describe_group,
    Look.ROW: description.describe_row,
    Look.COLUMN: description.describe_column,
}


def describe(view: LetterView) -> b.LetterBlocks:
    game = view.game
    if game.black is None:
        return show(view)
    point, corner = view.about.get("point"), game.position.board.point(0)
    place = parse_point(point) if point else corner
    look = Look(view.about.get("look", Look.BOARD)) if point else Look.BOARD
    key = "near" if look is Look.GROUP else look.value
    first = view.say(f"describe-{key}", when=after_move(game.move_number), **_point_values(place))
    writer = _PARTS.get(look)
    described = [b.Items(tuple(writer(game.rows(), place)))] if writer else [*_whole_board(view)]
    last = last_point(game.position) or example_move(game) or corner
    more = b.Words(say("describe-more", **_point_values(last)), small=True)
    blocks = (*described, *awaited_replies(view), more)
    return b.LetterBlocks(b.join_sentences(first, result_or_turn(view)), blocks)


def _point_values(point: Point) -> dict[str, object]:
    return {"point": point, "row": point.row + 1, "column": column_name(point.column)}


def _whole_board(view: LetterView) -> Iterator[b.Block]:
    game = view.game
    rows, (width, height) = game.rows(), game.spec.size
    counted = game.phase is Phase.SCORING
    yield from b.words(
        "" if view.teaching else view.both_colors(),
        *(one.words for one in position_in_words(view, game)),
        say("now", count_says=lead_in_words(game.score().result)) if counted else "",
    )
    yield b.Words(say("board-size", width=width, height=height, far=game.spec.size.last))
    yield b.Items(tuple(description.describe_stones(rows)))
    if chains := [one for color in Color for one in description.describe_chains(rows, color)]:
        yield b.Words(say("board-chains"))
        yield b.Items(tuple(chains))
