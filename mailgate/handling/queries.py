"""Queries, which do not act on a game: checked first, and answered after all other checks."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, get_args

from godaemon.errors import Refusal, Unknown, Unreadable, WrongPhase
from godaemon.games import commands as cmd
from godaemon.games import ratings
from godaemon.games.decisions import check_counting
from godaemon.games.lessons import LESSONS, try_point
from godaemon.games.model import Seat
from godaemon.games.notices import Kind, Notice, is_reviewable
from godaemon.games.planned_moves import position_after
from godaemon.games.record_pictures import move_range
from godaemon.games.seat_keys import check_issue, issue_keys
from godaemon.games.service_calls import Decision
from godaemon.texts.catalogue import sentence
from mailgate.address import clean_quote
from mailgate.handling import game_requests, requests
from mailgate.handling.context import Answer, LetterContext
from mailgate.handling.decision_table import GameMoment
from mailgate.handling.offer_answers import held_words_data
from mailgate.handling.plain_words import (
    PlainWords,
    find_topic,
    leaves_rest,
    lines_to_offer,
    wished_lines,
)
from mailgate.handling.player_games import GameView, list_entries, open_games, view_of
from mailgate.handling.talk_or_commands import LIKELY_TALK
from mailgate.handling.trust import Trust, proof_request
from mailgate.language.acting_statements import read_consent
from mailgate.language.command_lines import whole_command
from mailgate.language.game_lines import GameLine
from mailgate.language.lexicon import lexicon
from mailgate.language.parser import ParsedCommand, ParsedText
from mailgate.language.statement_splitting import MAX_LINE, vertices
from mailgate.language.verb_table import topic_named
from mailgate.language.written_moves import normalize, strip_decoration
from mailgate.letters.guides import first_game_line

_MAX_ANSWER_WORDS = 30  # in a line in which a point is an answer


def send_lesson(context: LetterContext, command: cmd.Learn, unread: str = "") -> None:
    """Queue a lesson, the next one if the point is right; `unread` is an answer not understood."""
    point = command.point if command.lesson < LESSONS else None
    found = try_point(command.lesson, point) if point else None
    context.queue(
        Kind.LEARN,
        lesson=command.lesson + 1 if found and found.right else command.lesson,
        tried=str(found.point) if found else "",
        right=bool(found and found.right),
        engine=context.games.engines.easiest,
        challenges=bool(context.games.limits.open_challenges),
        **({"unread": clean_quote(unread)} if unread else {}),
    )


def lesson_answers(lines: Sequence[GameLine], notice: Notice) -> list[GameLine]:
    """The lines of a reply to a lesson as commands that name the lesson."""
    lesson, engine = int(notice.about["lesson"]), str(notice.about["engine"])
    return [replace(one, request=_lesson_line(one.request, lesson, engine)) for one in lines]


def _lesson_line(line: str, lesson: int, engine: str) -> str:
    points, plain = vertices(line), strip_decoration(normalize(line[:MAX_LINE]))
    if len(points) == 1 and len(plain.split()) <= _MAX_ANSWER_WORDS and lesson < LESSONS:
        return line if plain.startswith("learn") else f"learn {lesson} {points[0]}"
    if plain in lexicon().again:
        return f"learn {lesson}"
    if plain in lexicon().go_on or read_consent([line]):
        first_game = first_game_line(engine) if engine else line
        return f"learn {lesson + 1}" if lesson < LESSONS else first_game
    return line


# -- queries --------------------------------------------------------------------------------------
def prepare_answers(
    context: LetterContext, text: ParsedText, view: GameView | None = None
) -> list[Answer]:
    """Check the queries and settings, and return their answers; raises a `Refusal`."""
    context, answers = replace(context, drafts={}), list[Answer]()
    for command in (one.command for one in text.commands):
        if with_words := _WORD_QUERIES.get(type(command)):
            answers.append(with_words(context, command, text, view))
        elif entry := _GAME_QUERIES.get(type(command)):
            shown, (kind, check) = _find_view(context, getattr(command, "game", None), view), entry
            about = check(context, command, shown)
            answers.append(partial(context.queue, kind, shown, **about))
        elif prepare := _OTHER_QUERIES.get(type(command)):
            answers.append(prepare(context, command, view))
    return answers


def give_answers(answers: Sequence[Answer]) -> int | None:
    """Give the answers; returns the number of the game that one of them has begun or changed."""
    results = [answer() for answer in answers]
    return next((one.after.id for one in results if isinstance(one, Decision)), None)


def prepare_answers_beside(
    context: LetterContext, text: ParsedText, decision: Decision, seat: Seat
) -> list[Answer]:
    """The answers to queries beside commands.

    They are checked before the opponent's plans play on: a refusal must not reveal a plan.
    """
    after = decision.after
    before_replies = decision.before_replies or after
    answers = prepare_answers(context, text, GameView(before_replies, seat))
    if before_replies is not after:
        with suppress(Refusal):
            return prepare_answers(context, text, GameView(after, seat))
    return answers


def no_game_refusal() -> Unreadable:
    """The refusal of a letter that acts on a game but does not name it."""
    return Unreadable(sentence("which-game"), hints=("games", "help"))


def send_topic(context: LetterContext, lines: Sequence[str]) -> bool:
    """Queue a short answer about the topic of some words; False if they ask us nothing."""
    words = PlainWords.from_text("\n".join(lines), context.games.engines.easiest)
    found, wished = find_topic(words), [*wished_lines(words, GameMoment.NONE, None)]
    has_text = found and found.text and found.name not in ("yes", "no", "agree")
    if not found or not has_text or words.talk > LIKELY_TALK:
        return False
    lines = lines_to_offer(words, GameMoment.NONE, None)
    hints = [one for one in lines if _needs_no_game(context, one)]
    rest = leaves_rest(words, {found.name, words.likeliest_meaning[0], *wished})
    about = {"wishes": True} if len(wished) > 1 else {"more": [found.name]}
    context.queue(Kind.HELP, brief=True, hints=hints, rest=rest, **about)
    return True


def _needs_no_game(context: LetterContext, line: str) -> bool:
    """True for a line that works in an answer to a letter about no game."""
    command = whole_command(line)
    if command is None or isinstance(command, get_args(cmd.Action)):
        return False
    with suppress(Refusal):
        text = ParsedText((ParsedCommand(line, command, None),), "")
        return bool(prepare_answers(context.with_trust(), text))
    return False


def _export(context: LetterContext, *_: object) -> Answer:
    if context.trust < Trust.OLD:
        raise proof_request("export")
    found = ratings.rating_of(context.unit, context.sender)
    rating: dict[str, Any] = {"rating": found._asdict()} if found else {}
    return partial(
        context.queue,
        Kind.EXPORT,
        settings=requests.settings_everywhere(context),
        settings_by_game=requests.settings_by_game(context),
        blocks=requests.blocked_names(context),
        watched=[one.game for one in context.unit.watchers.of_person(context.sender)],
        **rating,
    )


def list_games(
    context: LetterContext,
    *,
    to: str = "",
    lines_by_game: Mapping[int, list[str]] | None = None,
    **more: Any,  # noqa: ANN401 - JSON values
) -> None:
    """Queue the list of games of the sender, or of `to`, with lines to offer for each."""
    context.queue(
        Kind.GAMES,
        to=to,
        engines=context.games.engines.help_rows,
        challenges=bool(context.games.limits.open_challenges),
        listed=list_entries(open_games(context.games, to or context.sender), lines_by_game or {}),
        **more,
    )


def _help(
    context: LetterContext, command: cmd.Help, text: ParsedText, view: GameView | None
) -> Answer:
    if view is None and command.topic == "learn":
        return partial(send_lesson, context, cmd.Learn())
    known = command.topic == "all" or topic_named(command.topic) is not None
    about = {"topic": command.topic} if known else {}
    about |= held_words_data(text.held_words, view.game, context.now) if view is not None else {}
    return partial(context.queue, Kind.HELP, view, engines=context.games.engines.help_rows, **about)


def _drawable_view(context: LetterContext, game: int | None, view: GameView | None) -> GameView:
    shown = _find_view(context, game, view)
    if not shown.game.move_number:
        hints = () if view is None else ("show",)
        raise Unknown(sentence("no-moves", game=shown.game.id), hints=hints)
    return shown


def _kifu(context: LetterContext, command: cmd.Kifu, view: GameView | None) -> Answer:
    shown = _drawable_view(context, command.game, view)
    if command.moves:
        move_range(command.moves, shown.game.move_number)
    return partial(context.queue, Kind.KIFU, shown, moves=command.moves)


def _estimate(_: LetterContext, __: cmd.Estimate, view: GameView) -> dict[str, Any]:
    check_counting(view.game, view.seat)
    return {}


def _history(context: LetterContext, command: cmd.History, view: GameView) -> dict[str, Any]:
    context.games.check_move(view.game, 0)
    return {"page": command.page}


def _try(context: LetterContext, command: cmd.Try, view: GameView) -> dict[str, Any]:
    context.games.check_move(view.game, 0)
    position = view.game.position
    position_after(position, position.to_move, command.line)
    return {"line": list(command.line), "mover": position.to_move.word}


def _describe(_: LetterContext, command: cmd.Describe, view: GameView) -> dict[str, Any]:
    size, point = view.game.spec.size, command.point
    if point is not None and not size.has(point):
        reason = sentence("off-board", point=point, size=size, last=size.last)
        raise Unreadable(reason, hints=("describe",))
    return {"look": command.look.value, "point": str(point or "")}


def _review(_: LetterContext, __: cmd.Review, view: GameView) -> dict[str, Any]:
    number = view.game.id
    if not view.game.phase.over:
        raise WrongPhase(sentence("no-review-yet", game=number), hints=("show",))
    if not is_reviewable(view.game):
        raise WrongPhase(sentence("no-review", game=number), hints=("sgf",))
    return {}


def _gui(context: LetterContext, command: cmd.Gui, view: GameView | None) -> Answer:
    """Issue a key to the seat, only in answer to an email about that game."""
    if view is None:
        raise Unreadable(sentence("which-game-line", line="gui"), hints=("games",))
    check_issue(view.game, on=command.on)

    def _issue() -> None:
        generations = issue_keys(context.unit, view.game, view.seat, on=command.on)
        context.queue(Kind.GUI, view, on=command.on, lent=generations if command.on else {})

    return _issue


def _show(context: LetterContext, command: cmd.Show, view: GameView | None) -> Answer:
    """Show a board; in an email about no game, `show 34` means game 34."""
    number, move = command.game, command.move
    if view is None and number is None:
        number, move = move, None
    shown = _find_view(context, number, view)
    if move is None:
        return partial(context.queue, Kind.SHOW, shown)
    context.games.check_move(shown.game, move)

    def _show_past() -> None:  # after the moves of the same letter
        past = GameView(context.games.game_at_move(shown.game.id, move), shown.seat)
        context.queue(Kind.SHOW, past, move=move)

    return _show_past


def _find_view(context: LetterContext, number: int | None, view: GameView | None) -> GameView:
    if view is not None and number in {None, view.game.id}:
        return view
    if number is None:
        raise no_game_refusal()
    with suppress(Unknown):
        if view := view_of(context.games.game(number), context.sender):
            return view
    raise Unknown(sentence("no-game-of-yours", game=number), hints=("games",))


_WORD_QUERIES: dict[type, Callable[[LetterContext, Any, ParsedText, GameView | None], Answer]] = {
    cmd.Help: _help,
    cmd.Propose: lambda context, query, text, _: game_requests.propose(
        context, replace(query, words=text.message)
    ),
    cmd.Rematch: lambda context, query, text, view: game_requests.rematch(
        context, _find_view(context, query.game, view), text.message, dict(query.terms)
    ),
    cmd.Take: lambda context, query, text, _: game_requests.take(context, query.game, text.message),
}
"""Queries that take the words of the letter."""
_GAME_QUERIES: dict[type, tuple[Kind, Callable[[LetterContext, Any, GameView], dict[str, Any]]]] = {
    cmd.Describe: (Kind.DESCRIBE, _describe),
    cmd.Estimate: (Kind.ESTIMATE, _estimate),
    cmd.History: (Kind.HISTORY, _history),
    cmd.Review: (Kind.REVIEW, _review),
    cmd.Sgf: (Kind.SGF, lambda *_: {}),
    cmd.Try: (Kind.TRY, _try),
}
"""Queries about one game: the kind of their letter, and the check that returns its data."""
_OTHER_QUERIES: dict[type, Callable[[LetterContext, Any, GameView | None], Answer]] = {
    **dict.fromkeys(get_args(cmd.Setting), requests.prepare_setting),
    cmd.Block: requests.block,
    cmd.Branch: lambda context, query, view: game_requests.branch(
        context, _find_view(context, None, view).game, query.move
    ),
    cmd.Challenges: lambda context, *_: game_requests.list_challenges(context),
    cmd.Export: _export,
    cmd.Forget: requests.forget,
    cmd.Games: lambda context, *_: partial(list_games, context),
    cmd.Gif: lambda context, query, view: partial(
        context.queue, Kind.GIF, _drawable_view(context, query.game, view)
    ),
    cmd.Gui: _gui,
    cmd.Kifu: _kifu,
    cmd.Learn: lambda context, query, _: partial(send_lesson, context, query),
    cmd.Players: lambda context, *_: partial(game_requests.list_players, context),
    cmd.Relocate: requests.relocate,
    cmd.Show: _show,
    cmd.Unblock: requests.block,
    cmd.Unwatch: game_requests.prepare_watch,
    cmd.Watch: game_requests.prepare_watch,
}
"""All other queries, and settings."""
