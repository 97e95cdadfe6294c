"""Moves asked back in sentences, and answers to that which come when it is too late.

Pure; raises a `Refusal`. To ask is harmless, as the other player has to agree; so it is done where
a letter says nothing else, and offered otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence

from godaemon.errors import NotYourTurn, Refusal, Stale, Unreadable
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.events import LogEntry
from godaemon.games.model import Phase, Revisions
from godaemon.games.state import unseen
from godaemon.games.undo import check_undo
from mailgate.address import clean_quote
from mailgate.handling.consent_answers import ask_consent, said_by
from mailgate.handling.finished_games import when_over
from mailgate.handling.moment import undo_asked
from mailgate.handling.parsed_letter import ParsedLetter
from mailgate.handling.seated import Seated
from mailgate.language.closings import without_names
from mailgate.language.consent import read_consent
from mailgate.language.opponent_words import clean_message
from mailgate.language.parser import ParsedText
from mailgate.language.reserved_words import ASK_BACK
from mailgate.language.takebacks import allows_back, meant_instead, wishes_back


def wished_back(parsed: ParsedLetter, at: Seated) -> bool:
    """True where a letter asks for its writer's last move back, and somebody else is to agree.

    Raises `Unreadable` where that comes too late, and may say the next move.
    """
    game, color = at.game, at.color
    if color is None or game.phase is not Phase.PLAYING or game.spec.teaching:
        return False
    if any(not isinstance(one.command, cmd.Help) for one in parsed.commands):
        return False
    if not at.opponent.mailed or not game.move_number:
        return False
    lines = without_names(parsed.lines, game.player(at.seat).name)
    try:
        moves = check_undo(game, color)
    except NotYourTurn:
        _refuse_too_late(lines, at)
        return False
    except Refusal:
        return False
    return bool(moves) and (bool(meant_instead(lines, moves[0])) or wishes_back(lines, moves[0]))


def _refuse_too_late(lines: Sequence[str], at: Seated) -> None:
    """Raises for a move corrected after the other's answer, which may be the next one as well."""
    if meant := meant_instead(lines, ""):
        raise Unreadable(
            f"“{clean_quote(next(filter(str.strip, lines)))}” came after"
            f" {at.opponent.name} had moved, so your last move stands. To play"
            f" {meant} now, reply with it. Nothing was done.",
            hints=(meant,),
        )


def undo_answered(fault: Unreadable, lines: Sequence[str], at: Seated) -> ParsedText | None:
    """The answer to the other's wish for a move back; None where there is none, or other words are.

    Raises `Unreadable`, with both answers, for words about moves back in which neither is found.
    """
    again = any(hint.split()[0] in ("new", "rematch") for hint in fault.hints)  # `again?!`
    if not (ASK_BACK in fault.public or again) or not undo_asked(at):
        return None
    if again or not allows_back(lines):
        raise ask_consent(lines, ("yes", "no"))
    return ParsedText((said_by(lines, cmd.Yes()),), clean_message("\n".join(lines)))


def as_possible(fault: Unreadable, at: Seated) -> Unreadable:
    """What is answered to words that may wish for a move back; why, where none can be asked for."""
    game, color = at.game, at.color
    if game.phase is Phase.FINISHED:
        return when_over(fault)
    if ASK_BACK not in fault.public or color is None or game.phase.over:
        return fault
    try:
        check_undo(game, color)
    except Refusal as why:
        hints = (hint for hint in fault.hints if hint != "undo")
        said = fault.public.replace(ASK_BACK, why.public.partition(". ")[0])
        return Unreadable(said, hints=(*hints, *why.hints), detail=fault.detail)
    return fault


def answers_undo(parsed: ParsedLetter) -> bool:
    """True for a letter that is no more than a yes or a no."""
    said = [one.command for one in parsed.commands]
    return all(isinstance(one, cmd.Yes | cmd.No) for one in said) and (
        bool(said) or read_consent(parsed.lines) is not None
    )


def refuse_lapsed(
    parsed: ParsedLetter, log: Sequence[LogEntry], at: Seated, seen: Revisions
) -> None:
    """Raise `Stale` for a yes or a no to what is settled: a wish for a move back, an invitation."""
    game, color = at.game, at.color
    events = [entry.event for entry in log]
    since = unseen(events, seen)
    if color is None or game.spec.teaching or game.undo_asked is color.opponent:
        return
    bare = bool(parsed.commands) and parsed.text is not None and not parsed.text.message
    if bare and any(isinstance(event, ev.Started) for event in since):
        raise Stale(
            "The game has begun already, so there is nothing to accept or decline any more. I have"
            " done nothing, and told nobody."
        )
    mine = (
        bool(since) and isinstance(since[0], ev.Moved | ev.Passed) and since[0].color == color.word
    )
    if not mine:
        return
    before = events[: next(at for at, one in enumerate(events) if one is since[0])]
    for event in reversed(before):
        if isinstance(event, ev.Moved | ev.Passed | ev.Undone | ev.UndoRefused | ev.Placed):
            return
        if event == ev.UndoAsked(color.opponent.word):
            raise Stale(
                f"You have moved since {at.opponent.name} asked for a move back, so it"
                " stands: your answer comes too late. I have done nothing, and told nobody."
            )
