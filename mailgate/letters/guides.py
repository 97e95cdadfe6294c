"""The letters that explain: commands, the rules of Go, how to connect a Go program.

The names of menus are from the sources of GoGui 1.6, Sabaki 0.52 and q5Go 2.1. The server's address
and the keys are arguments.
"""

from collections.abc import Iterator, Sequence

from godaemon.diagrams.description import describe_stones
from godaemon.games import lessons
from godaemon.games.lessons import Attempt
from godaemon.games.model import Phase
from godaemon.rules.named_rulesets import RULESETS
from godaemon.rules.points import Color, Point, parse_point
from godaemon.texts.catalogue import format_number, join_and, say
from mailgate.language.verb_table import topic_named, verbs
from mailgate.letters import blocks as b
from mailgate.letters.letter_view import CLIENT, LetterView
from mailgate.letters.phrases import color_name
from mailgate.letters.replies import offered_lines, quote_commands, topic
from mailgate.letters.shared_blocks import awaited_replies, program_lines


# -- commands --------------------------------------------------------------------------------------
def help_letter(view: LetterView) -> b.LetterBlocks:
    """The help for the moment, for one topic, or for all commands."""
    word = view.about.get("topic")
    if word and word != "all":
        return topic(view)
    return _full_help(view) if word else _short_help(view)


def _short_help(view: LetterView) -> b.LetterBlocks:
    game = view.maybe_game
    if game is None:
        found = map(topic_named, view.about.get("more", ()))
        topics = [quote_commands(one.text) for one in found if one is not None]
        return _brief_answer(view, topics) if view.about.get("brief") else _welcome(view, topics)
    phase = Phase.FINISHED if game.phase.over else game.phase
    rows = b.Choices(_rows_with_help(_IN_GAME[phase]), label=EXPLAINED)
    return b.LetterBlocks(say("can-write"), (*awaited_replies(view), rows))


def _welcome(view: LetterView, topics: Sequence[str]) -> b.LetterBlocks:
    """How to begin, below the answers to a newcomer's question."""
    engines = sorted(program_lines(view), key=lambda row: not row[0].endswith(" house"))[:1]
    learn, *others = _rows_with_help(_BEGINNING)
    first, *more = (*topics, say("to-begin"))
    return b.LetterBlocks(first, (*map(b.Words, more), b.Choices((learn, *engines, *others))))


def _brief_answer(view: LetterView, topics: Sequence[str]) -> b.LetterBlocks:
    """The answer to a wish or a question without a game: the topic, and its lines."""
    rest = say("rest-unread") if view.about.get("rest") else ""
    lines = view.about["hints"]
    blocks = (offered_lines(lines, explained=len(lines) == 1),) if lines else ()
    return b.LetterBlocks(b.join_sentences(*(topics or [say("several-wishes")]), rest), blocks)


def _rows_with_help(lines: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Each line with its effect, which is usually the help of its verb."""
    keys = (_OWN.get(line) or f"help-{line.partition(' ')[0]}" for line in lines)
    return tuple(zip(lines, (quote_commands(say(key)) for key in keys), strict=True))


EXPLAINED = "→"
"""The label of lines that are only explained; a line that begins with it is never executed."""
_OWN = {"new 13x13 open": "offer-to-all", "show": "see-terms", "help all": "all-lines"}
_NEW = ("new 9x9 vs bob@example.org", "new 13x13 open", "challenges")
_BEGINNING = ("learn", *_NEW, "watch", "games", "settings", "help all")
_MOVES = ("undo", "if D4 then E5", "say good luck!", "note he is weak here", "try D4 E5")
_IN_GAME = {
    Phase.PROPOSED: ("show", "learn", "help all"),
    Phase.PLAYING: (*_MOVES, "vacation 4 days", "settings", "resign", "help all"),
    Phase.SCORING: ("dead Q16 C3", "alive Q16", "say good luck!", "help all"),
    Phase.FINISHED: ("review", "rematch", "sgf", "kifu", "gif", "history", "games", "help all"),
}


def _full_help(view: LetterView) -> b.LetterBlocks:
    """All commands, from the table of verbs."""
    entries = verbs()
    commands = ((one.examples[0], quote_commands(one.help)) for one in entries.values())
    rows = (*commands, *program_lines(view))
    arguments = entries["new"].arguments.replace("|", "/")
    notes = (say("all-terms", arguments=arguments), say("all-rules", rules=join_and([*RULESETS])))
    awaited = awaited_replies(view) if view.maybe_game else ()
    how, listed = b.Words(say("all-how")), b.Choices(rows, label=EXPLAINED)
    return b.LetterBlocks(say("all-first"), (how, *awaited, listed, *map(b.Words, notes)))


# -- the rules of Go -------------------------------------------------------------------------------
_OPENINGS = {1: ("turns", "liberties"), 2: ("suicide", "ko"), 3: ("territory", "end")}
"""The paragraphs of each lesson before its first board."""


def learn(view: LetterView) -> b.LetterBlocks:
    """A lesson; or, after a wrong point, the reason, and the board once more."""
    lesson, tried = view.about.get("lesson", 1), view.about.get("tried", "")
    unread, first = view.about.get("unread"), say(f"learn-title-{lesson}")
    if unread:
        first = f"{say('learn-unread', words=unread)} {first}"
    if tried and not view.about.get("right"):
        return _explain_mistake(lesson, lessons.try_point(lesson, parse_point(tried)))
    if tried:
        first = f"{say(f'learn-right-{lesson - 1}', point=tried)} {first}"
    bodies: dict[int, tuple[b.Block, ...]] = {
        1: _exercise(1),
        2: (*_board(lessons.KO), *_words("life"), *_exercise(2)),
        3: (*_example_count(), *_words("komi"), *_how_to_find_game(view)),
    }
    return b.LetterBlocks(first, (*_words(*_OPENINGS[lesson]), *bodies[lesson]))


def _words(*keys: str) -> tuple[b.Words, ...]:
    return tuple(b.Words(say(f"learn-{key}")) for key in keys)


def _explain_mistake(lesson: int, tried: Attempt) -> b.LetterBlocks:
    key = f"learn-not-{lesson}" if tried.on_board else "learn-off-board"
    if tried.on_board and tried.answer is None:
        key = "occupied"
    first = say(key, point=tried.point, answer=tried.answer, count=tried.liberties)
    shown = (*_board(tried.rows, tried.answer), *_words("once-more")) if tried.rows else ()
    return b.LetterBlocks(first, (*shown, *_exercise(lesson)))


def _exercise(lesson: int) -> tuple[b.Block, ...]:
    rows, next_lesson = lessons.rows_of(lesson), f"learn {lesson + 1}"
    free = lessons.lesson_position(rows).legal_moves(Color.BLACK)
    button = ((say("learn-skip"), next_lesson),)
    point, click = say("learn-point", line=next_lesson), say("learn-click")
    reply = b.Choices(buttons=button, words=point, clicks=click)
    sends = {point: f"learn {lesson} {point}" for point in free}
    board = b.Diagram(rows, sends=sends, reply=reply)
    return (*_words(f"question-{lesson}"), _rows_in_words(rows), board)


def _rows_in_words(rows: tuple[str, ...]) -> b.Words:
    return b.Words(" ".join(describe_stones(rows)), small=True)


def _board(rows: tuple[str, ...], last: Point | None = None) -> tuple[b.Block, ...]:
    return (_rows_in_words(rows), b.Diagram(rows, last))


def _example_count() -> tuple[b.Block, ...]:
    rows, score = lessons.counted_board()
    sides = (score.black, score.white)
    counts = (
        (say("count-territory"), *(f"{side.territory}" for side in sides)),
        (say("count-captures"), *(f"{side.prisoners}" for side in sides)),
        (say("count-total"), *(format_number(side.total) for side in sides)),
    )
    head = (say("count-score"), say("black"), say("white"))
    return (*_board(rows), b.Table(head, counts, total=True))


def _how_to_find_game(view: LetterView) -> tuple[b.Block, ...]:
    """A first game against a program with one click, or how to find an opponent."""
    engine = view.about.get("engine", "")
    rows = [(first_game_line(engine), say("learn-first-game"))] if engine else []
    rows += [("challenges", say("learn-challenges"))] if view.about.get("challenges") else []
    rows += [("players", say("learn-players")), ("learn", say("learn-again"))]
    return (b.Choices(tuple(rows)), b.Words(say("learn-friend"), small=True))


def first_game_line(engine: str) -> str:
    """The line that begins a first game with a program after the lessons."""
    return f"new 9x9 as black vs {engine}"


# -- a Go program ----------------------------------------------------------------------------------
def gui(view: LetterView) -> b.LetterBlocks:
    """How a Go program can play for the reader; or that its access has ended."""
    access = view.access
    if not view.about.get("on"):
        offer = b.Choices.from_keys({"gui": "gui-new"})
        return b.LetterBlocks(view.say("gui-off"), (b.Words(say("gui-off-more")), offer))
    colors = [color for color in Color if color.word in access.keys]
    lines, several = [access.line(view.game.id, color) for color in colors], len(colors) > 1
    first = view.say("gui-lines" if several else "gui-line", color=color_name(colors[0]))
    pastes = list[b.Block]()
    for color, line in zip(colors, lines, strict=True):
        heading = b.words(say("gui-as", color=color_name(color)) if several else "")
        pastes += [*heading, b.Paste(line)]
    steps = _connection_steps(view, colors[0].opponent, lines[0])
    blocks = (*pastes, *steps, *_playing_notes(view, colors[0]))
    return b.LetterBlocks(first, blocks, record=True, client=bool(access.tcp))


def _connection_steps(view: LetterView, other: Color, line: str) -> Iterator[b.Block]:
    access, record = view.access, f"game-{view.game.id}.sgf"
    yield b.Words(say("gui-secret" if access.tcp else "gui-account"))
    if access.tcp:
        yield b.Words(say("gui-three-steps"))
        steps = (say("gui-python"), say("gui-save", client=CLIENT), say("gui-enter", record=record))
        yield b.Items(steps)
    else:
        yield b.Words(say("gui-start", record=record))
        yield b.Words(say("gui-path", program=line.partition(" ")[0]))
    gogui = say("gui-gogui", color=other.word.capitalize())  # as its menu has it
    others = (say(f"gui-{one}", color=color_name(other)) for one in ("sabaki", "q5go"))
    yield b.Items((gogui, *others))
    if not access.tcp:
        yield b.Words(say("gui-ssh" if access.ssh else "gui-installed"), small=True)


def _playing_notes(view: LetterView, own_color: Color) -> Iterator[b.Block]:
    color, stones = color_name(own_color.opponent), view.game.to_place
    key = "gui-then-both" if view.teaching else "gui-then"
    yield b.Words(f"{view.say(key, color=color)} {say('gui-sent')}")
    if stones and view.color is not Color.WHITE:
        yield b.Words(say("gui-place", count=stones))
    yield b.Words(say("gui-careful"))
    pass_note = say("gui-pass", color=color, mine=own_color.word)
    yield b.Items((say("gui-resign"), pass_note, say("gui-count"), say("gui-other-game")))
