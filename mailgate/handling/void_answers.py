"""A yes or a no to the offer to end a game without a result, in whatever words.

Pure; raises nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.events import LogEntry
from godaemon.games.model import Phase
from mailgate.handling.consent_answers import said_by, takes_back_answer
from mailgate.handling.seated import Seated
from mailgate.language.consent import read_consent
from mailgate.language.parser import ParsedText
from mailgate.reading.automatic_mail import promises_answer


def void_asked(at: Seated) -> bool:
    """True where the other player would end the game without a result, and waits for an answer."""
    game, color = at.game, at.color
    if color is None or game.phase is not Phase.PLAYING or game.spec.teaching:
        return False
    return game.voiding == {color.opponent}


def with_void(
    text: ParsedText, lines: Sequence[str], at: Seated, log: Callable[[], Sequence[LogEntry]]
) -> ParsedText:
    """A letter with a yes as the agreement that it is; unless it may answer other words.

    `log` is the game's, which is looked at for a yes alone.
    """
    if not void_asked(at) or any(not isinstance(one.command, cmd.Yes) for one in text.commands):
        return text
    later = takes_back_answer(text, lines) or promises_answer(lines)
    if not read_consent(lines) or later or _asks_more(at, log()):
        return text
    return replace(text, commands=(said_by(lines, cmd.Void()),))


def declines(text: ParsedText, lines: Sequence[str]) -> bool:
    """True for a no, which may have words beside it."""
    no = all(isinstance(one.command, cmd.No) for one in text.commands)
    return no and (bool(text.commands) or read_consent(lines) is False)


def _asks_more(at: Seated, log: Sequence[LogEntry]) -> bool:
    """True where a yes may be to other words: a question with the wish, or what came since."""
    other = at.color.opponent.word if at.color else ""
    asked = next(entry for entry in reversed(log) if entry.event == ev.Voided(other))
    return any(
        isinstance(entry.event, ev.Said)
        and entry.event.color == other
        and (entry.cause != asked.cause or "?" in entry.event.text)
        for entry in log[log.index(asked) :]
    )
