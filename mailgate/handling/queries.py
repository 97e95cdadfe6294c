"""Queries of a letter, which do not act on its game: looked at first, answered when all has been.

Each function looks at what is asked, raises a `Refusal`, or gives back what writes the answer
down, which cannot be refused any more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, get_args

from godaemon.errors import Refusal, Unknown, Unreadable, WrongPhase
from godaemon.games import commands as cmd
from godaemon.games import ratings
from godaemon.games.calls import Decision
from godaemon.games.decisions import check_counting
from godaemon.games.event_notices import reviewable
from godaemon.games.issued_keys import check_issue, issue_keys
from godaemon.games.model import Seat
from godaemon.games.notices import Kind
from godaemon.games.plans import after
from godaemon.games.record_pictures import span
from mailgate.handling import (
    account_requests,
    challenge_requests,
    lesson_requests,
    new_games,
    setting_requests,
    watch_requests,
)
from mailgate.handling.context import Answer, LetterContext
from mailgate.handling.held_words import held
from mailgate.handling.listed_games import listing, open_games, seated_in
from mailgate.handling.offers import PlainWords, known_topic
from mailgate.handling.seated import Seated
from mailgate.handling.sureness import Sure, reply_wanted
from mailgate.handling.words import SURE_FOR_US
from mailgate.language.meanings import meanings
from mailgate.language.parser import ParsedText
from mailgate.language.topics import topic_named


def prepare_answers(
    context: LetterContext, text: ParsedText, at: Seated | None = None
) -> list[Answer]:
    """The answers to all that is asked besides; raises a `Refusal` before any is given."""
    context, asked = replace(context, drafts={}), [one.command for one in text.commands]
    found = (_answer(context, one, text, at) for one in asked)
    return [answer for answer in found if answer is not None]


def answers_beside(
    context: LetterContext, text: ParsedText, decided: Decision, seat: Seat
) -> list[Answer]:
    """The answers to what is asked beside commands; raises a `Refusal`.

    It never depends on what the other player has planned: else who asks could tell, and not move.
    """
    after = decided.after
    asked = decided.result.asked or after
    answers = prepare_answers(context, text, Seated(asked, seat))
    if asked is not after:
        with suppress(Refusal):
            return prepare_answers(context, text, Seated(after, seat))
    return answers


def no_game() -> Unreadable:
    """For a letter that acts on a game, and nobody can tell on which."""
    return Unreadable(
        "I cannot tell which game your email is about. To move, answer an email of that game;"
        " to begin one, write for example: new 9x9 vs bob@example.org",
        hints=("games", "help"),
    )


def _answer(
    context: LetterContext, command: cmd.Command, text: ParsedText, at: Seated | None
) -> Answer | None:
    """The answer to one command, by the tables at the end; None for what is no query."""
    if beside := _WITH_WORDS.get(type(command)):
        return beside(context, command, text, at)
    alone = _ALONE.get(type(command))
    return alone(context, command, at) if alone else None


def send_help(context: LetterContext, more: str = "") -> None:
    """Owe the sender the help letter, with what there is to say of one topic more."""
    about: dict[str, object] = {"engines": context.games.engines.told}
    context.owe(Kind.HELP, about=about | ({"more": [more]} if more else {}))


def send_topic(context: LetterContext, lines: Sequence[str]) -> bool:
    """Owe the sender what there is to say of what some words ask us; False for all other words."""
    words = PlainWords("\n".join(lines), meanings("\n".join(lines)))
    found = known_topic(words)
    answers = found is None or not found.text or found.name in ("yes", "no", "agree")
    if found is None or answers or words.talk > SURE_FOR_US:
        return False
    send_help(context, found.name)
    return True


def _export(context: LetterContext, *_: object) -> Answer:
    """All that somebody has here, at their own address, which nobody else can have it sent to."""
    if context.sure < Sure.OLD:
        raise reply_wanted("export")
    about: dict[str, object] = {
        "settings": setting_requests.told(context),
        "settings_by_game": setting_requests.told_by_game(context),
        "blocks": account_requests.blocked(context),
        "watched": [one.game for one in context.unit.watchers.of_person(context.sender)],
    }
    if rating := ratings.rating_of(context.unit, context.sender):
        about["rating"] = rating._asdict()
    return partial(context.owe, Kind.EXPORT, about=about)


def list_games(
    context: LetterContext,
    *,
    to: str = "",
    said: Mapping[int, list[str]] | None = None,
    **more: object,
) -> None:
    """Owe the sender, or somebody else, the list of their games as they are now.

    `said` is what they may have meant in some of them, `more` what else the letter says.
    """
    about: dict[str, object] = {
        "engines": context.games.engines.told,
        "challenges": bool(context.games.limits.open_challenges),
        "listed": listing(open_games(context.games, to or context.sender), said or {}),
        **more,
    }
    context.owe(Kind.GAMES, to=to, about=about)


def _propose(context: LetterContext, asked: cmd.Propose, text: ParsedText, *_: object) -> Answer:
    return new_games.propose(context, replace(asked, words=text.message))


def _take(context: LetterContext, asked: cmd.Take, text: ParsedText, *_: object) -> Answer:
    return challenge_requests.take(context, asked.game, text.message)


def _rematch(
    context: LetterContext, asked: cmd.Rematch, text: ParsedText, at: Seated | None
) -> Answer:
    over = _which(context, asked.game, at)
    return new_games.rematch(context, over, text.message, dict(asked.terms))


def _branch(context: LetterContext, asked: cmd.Branch, at: Seated | None) -> Answer:
    return new_games.branch(context, _which(context, None, at).game, asked.move)


def _help(context: LetterContext, asked: cmd.Help, text: ParsedText, at: Seated | None) -> Answer:
    """All that can be written; or one topic, beside the game that the letter is about."""
    if at is None and asked.topic == "learn":
        return partial(lesson_requests.send, context, cmd.Learn())
    about: dict[str, object] = {"engines": context.games.engines.told}
    if asked.topic == "all" or topic_named(asked.topic) is not None:
        about |= {"topic": asked.topic}
    if at is not None:
        about |= held(text.held, at.game, context.now)
    return partial(context.owe, Kind.HELP, at, about=about)


def _sgf(context: LetterContext, asked: cmd.Sgf, at: Seated | None) -> Answer:
    return partial(context.owe, Kind.SGF, _which(context, asked.game, at))


def _kifu(context: LetterContext, asked: cmd.Kifu, at: Seated | None) -> Answer:
    """The record as a picture, or some of its moves."""
    shown = _which(context, asked.game, at)
    if not shown.game.move_number:
        raise Unknown(
            f"Nobody has moved in game {shown.game.id} yet, so there is nothing to draw."
            " Once there are moves, I will gladly send you the picture.",
            hints=() if at is None else ("show",),
        )
    if asked.moves:
        span(asked.moves, shown.game.move_number)
    about = {"moves": asked.moves} if asked.moves else {}
    return partial(context.owe, Kind.KIFU, shown, about=about)


def _estimate(context: LetterContext, _: cmd.Estimate, at: Seated | None) -> Answer:
    """An opinion on dead stones, which is formed when its letter is written."""
    asked = _which(context, None, at)
    check_counting(asked.game, asked.seat)
    return partial(context.owe, Kind.ESTIMATE, asked)


def _history(context: LetterContext, asked: cmd.History, at: Seated | None) -> Answer:
    """Moves and talk."""
    shown = _which(context, None, at)
    context.games.check_move(shown.game, 0)
    return partial(context.owe, Kind.HISTORY, shown, about={"page": asked.page})


def _try(context: LetterContext, asked: cmd.Try, at: Seated | None) -> Answer:
    """A dry run, which is looked at now."""
    shown = _which(context, None, at)
    context.games.check_move(shown.game, 0)
    position = shown.game.position
    mover = position.to_move
    after(position, mover, asked.line)
    about: dict[str, object] = {"line": list(asked.line), "mover": mover.word}
    return partial(context.owe, Kind.TRY, shown, about=about)


def _review(context: LetterContext, asked: cmd.Review, at: Seated | None) -> Answer:
    """A look back on a game that is over; while it lasts it would be advice."""
    found = _which(context, asked.game, at)
    number = found.game.id
    if not found.game.phase.over:
        raise WrongPhase(
            f"Game {number} is not over yet, and while it lasts I give no advice. When it is,"
            " I will gladly look back on it with you.",
            hints=("show",),
        )
    if not reviewable(found.game):
        raise WrongPhase(
            f"I cannot look back on game {number}: I know boards of 7 to 19 lines a side, and"
            " only games in which somebody has moved.",
            hints=("sgf",),
        )
    return partial(context.owe, Kind.REVIEW, found)


def _gui(context: LetterContext, asked: cmd.Gui, at: Seated | None) -> Answer:
    """The key to a seat goes only to who answers a letter of that game."""
    if at is None:
        raise Unreadable(
            "A Go program sits down in one game, and I cannot tell in which. Please answer an"
            " email of that game, on its first line, with: gui",
            hints=("games",),
        )
    check_issue(at.game, on=asked.on)
    return partial(_issue_key, context, at, on=asked.on)


def _issue_key(context: LetterContext, at: Seated, *, on: bool) -> None:
    generations = issue_keys(context.games, at.game, at.seat, on=on)
    context.owe(Kind.GUI, at, about={"on": on, "lent": generations if on else {}})


def _show(context: LetterContext, asked: cmd.Show, at: Seated | None) -> Answer:
    """The board; in a letter about no game, `show 34` means the game of that number."""
    number, move = asked.game, asked.move
    if at is None and number is None:
        number, move = move, None
    shown = _which(context, number, at)
    if move is None:
        return partial(context.owe, Kind.SHOW, shown)
    also = _is_a_game(context, asked, at)
    try:
        context.games.check_move(shown.game, move)
    except Unknown as fault:
        hints = (*([f"show game {move}"] if also else []), *fault.hints)
        raise Unknown(fault.public, hints=hints) from fault
    about: dict[str, object] = {"move": move, **({"game_too": True} if also else {})}
    return partial(_show_past, context, shown, move, about)


def _describe(context: LetterContext, asked: cmd.Describe, at: Seated | None) -> Answer:
    """The board in sentences, or a part of it that is on the board."""
    told = _which(context, asked.game, at)
    size = told.game.spec.size
    if asked.point is not None and not size.has(asked.point):
        raise Unreadable(f"A {size} board has no {asked.part}.", hints=("describe",))
    about: dict[str, object] = {"look": asked.look.value, "point": str(asked.point or "")}
    return partial(context.owe, Kind.DESCRIBE, told, about=about)


def _is_a_game(context: LetterContext, asked: cmd.Show, at: Seated | None) -> bool:
    """True where the number in `show 9` may have been meant as that of another game of theirs."""
    if at is None or asked.game is not None or asked.move is None or asked.move == at.game.id:
        return False
    try:
        other = context.games.readable(asked.move)
    except Unknown:
        return False
    return other is not None and bool(other.seats_of(context.sender))


def _show_past(context: LetterContext, shown: Seated, move: int, about: dict[str, object]) -> None:
    past = context.games.at_move(shown.game.id, move)
    context.owe(Kind.SHOW, Seated(past, shown.seat), about=about)


def _which(context: LetterContext, number: int | None, at: Seated | None) -> Seated:
    """The game meant, and the sender's seat in it; raises `Unknown` for games not theirs."""
    if at is not None and number in {None, at.game.id}:
        return at
    if number is None:
        raise no_game()
    unknown = Unknown(f"You have no game {number}.", hints=("games",))
    try:
        other = context.games.game(number)
    except Unknown as fault:
        raise unknown from fault
    seated = seated_in(other, context.sender)
    if seated is None:
        raise unknown
    return seated


_WITH_WORDS: dict[type, Callable[[LetterContext, Any, ParsedText, Seated | None], Answer]] = {
    cmd.Help: _help,
    cmd.Propose: _propose,
    cmd.Rematch: _rematch,
    cmd.Take: _take,
}
"""What prepares the answer to each query that goes with words of the letter ..."""
_ALONE: dict[type, Callable[[LetterContext, Any, Seated | None], Answer]] = {
    **dict.fromkeys(get_args(cmd.Setting), setting_requests.prepare),
    cmd.Block: account_requests.block,
    cmd.Branch: _branch,
    cmd.Challenges: lambda context, *_: challenge_requests.list_open(context),
    cmd.Describe: _describe,
    cmd.Estimate: _estimate,
    cmd.Export: _export,
    cmd.Forget: account_requests.forget,
    cmd.Games: lambda context, *_: partial(list_games, context),
    cmd.Gui: _gui,
    cmd.History: _history,
    cmd.Kifu: _kifu,
    cmd.Learn: lambda context, asked, _: partial(lesson_requests.send, context, asked),
    cmd.Players: lambda context, *_: partial(challenge_requests.list_players, context),
    cmd.Relocate: account_requests.relocate,
    cmd.Review: _review,
    cmd.Sgf: _sgf,
    cmd.Show: _show,
    cmd.Try: _try,
    cmd.Unblock: account_requests.block,
    cmd.Unwatch: watch_requests.prepare,
    cmd.Watch: watch_requests.prepare,
}
"""... and to each other one."""
