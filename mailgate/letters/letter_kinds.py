"""The kinds of letters, and the function that writes each: from a `LetterView` to `LetterBlocks`.

Pure, and it cannot fail on any state a game can be in. How the blocks look, as text and as HTML, is
the business of `plain_text` and `html_page`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from godaemon.games.awaited_decisions import Awaited, awaited
from godaemon.games.model import Phase
from godaemon.games.notices import Kind
from godaemon.texts.catalogue import listed, say
from mailgate.letters import (
    account,
    counting,
    dead_stones_opinion,
    described_board,
    engine_letters,
    games_list,
    gui,
    help_letter,
    history_letter,
    invitations,
    lesson_letters,
    playing,
    replies,
    settings_letter,
    watched_games,
)
from mailgate.letters.blocks import Block, Choices, LetterBlocks, Words
from mailgate.letters.letter_view import LetterView


def _asked_back(view: LetterView, letter: LetterBlocks) -> LetterBlocks:
    """A letter of the game with what its reader may have meant before it, one click each."""
    said = view.about["meant"]
    if not said:
        return replace(letter, blocks=(Words(say("not-a-reply")), *letter.blocks))
    choices = Choices(tuple((line, say("do-now")) for line in said))
    first = say("did-you-mean", lines=listed([f"`{line}`" for line in said]))
    why = Words(say("not-a-reply"), small=True)
    return replace(letter, first=first, blocks=(choices, Words(letter.first), *letter.blocks, why))


def _show(view: LetterView) -> LetterBlocks:
    game = view.maybe_game
    waits = awaited(game, view.seat) if game is not None else None
    if game is not None and game.counters and game.phase is Phase.PROPOSED:
        return invitations.countered(view)
    if waits is Awaited.CONFIRMATION:
        return invitations.confirm(view)
    return invitations.invitation(view) if waits is Awaited.INVITATION else replies.show(view)


WRITERS: dict[Kind, Callable[[LetterView], LetterBlocks]] = {
    Kind.CONFIRM: invitations.confirm,
    Kind.INVITED: invitations.invited,
    Kind.INVITATION: invitations.invitation,
    Kind.COUNTERED: invitations.countered,
    Kind.STARTED: playing.started,
    Kind.YOUR_TURN: playing.your_turn,
    Kind.MOVED: playing.moved,
    Kind.SCORING_STARTED: counting.scoring_started,
    Kind.MARKS_CHANGED: counting.marks_changed,
    Kind.DONE: counting.done,
    Kind.RESUMED: playing.resumed,
    Kind.UNDO: playing.undo,
    Kind.NOTE: history_letter.note,
    Kind.HISTORY: history_letter.history,
    Kind.TRY: history_letter.dry_run,
    Kind.IFS: history_letter.ifs,
    Kind.VOID: playing.void,
    Kind.PUBLIC: watched_games.public,
    Kind.REMINDER: playing.reminder,
    Kind.AWAY: playing.away,
    Kind.FINISHED: counting.finished,
    Kind.REFUSED: replies.refused,
    Kind.HELP: help_letter.help_letter,
    Kind.LEARN: lesson_letters.learn,
    Kind.SHOW: _show,
    Kind.DESCRIBE: described_board.describe,
    Kind.ESTIMATE: dead_stones_opinion.estimate,
    Kind.SCORE: engine_letters.score,
    Kind.REVIEW: engine_letters.review,
    Kind.SGF: replies.sgf,
    Kind.KIFU: replies.kifu,
    Kind.GIF: replies.film,
    Kind.GUI: gui.gui,
    Kind.GAMES: games_list.games_list,
    Kind.CHALLENGES: games_list.challenges,
    Kind.PLAYERS: games_list.players,
    Kind.WATCH: watched_games.watch,
    Kind.PUBLIC_GAMES: games_list.public_games,
    Kind.EXPORT: account.export,
    Kind.CHAT: playing.chat,
    Kind.DECLINED: invitations.declined,
    Kind.WITHDRAWN: invitations.withdrawn,
    Kind.EXPIRED: invitations.expired,
    Kind.SETTINGS: settings_letter.settings,
    Kind.UNREACHABLE: account.unreachable,
    Kind.BLOCKED: account.blocked,
    Kind.MOVING: account.moving,
    Kind.FORGET: account.forget,
    Kind.TROUBLE: replies.trouble,
}
"""The function that writes each kind; every kind has one."""


def write(view: LetterView) -> LetterBlocks:
    """The letter of a notice, with the lines it answers where it does not repeat them itself."""
    kind, letter = view.notice.kind, WRITERS[view.notice.kind](view)
    above = list[Block](replies.aside(view) if "aside" in view.about else ())
    if (lapsed := view.about.get("lapsed")) is not None:
        above.insert(0, playing.lapsed(view, lapsed))
    letter = replace(letter, blocks=(*above, *letter.blocks))
    if "meant" in view.about:
        letter = _asked_back(view, letter)
    if kind in {Kind.REFUSED, Kind.CONFIRM}:
        return letter
    lines = tuple(replies.echo(view))
    listed = kind in {Kind.GAMES, Kind.CHALLENGES}  # what came of each line is the news
    return replace(letter, blocks=(*lines, *letter.blocks) if listed else (*letter.blocks, *lines))
