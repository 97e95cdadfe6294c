"""The kinds of letters, and the function that writes each: from a `LetterView` to `LetterBlocks`.

Pure, and it cannot fail on any state a game can be in. How the blocks look, as text and as HTML, is
the business of `plain_text` and `html_page`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from godaemon.games.awaited import Awaited, awaited
from godaemon.games.model import Phase
from godaemon.games.notices import Kind
from mailgate.letters import (
    account,
    challenges_list,
    counting,
    dead_stones_opinion,
    described_board,
    did_you_mean,
    game_review,
    games_list,
    gui,
    history_letter,
    invitations,
    lesson_letters,
    own_data,
    plans_letter,
    playing,
    replies,
    score_letter,
    settings_letter,
    undo_letter,
    watched_games,
)
from mailgate.letters.blocks import LetterBlocks
from mailgate.letters.letter_view import LetterView


def _show(view: LetterView) -> LetterBlocks:
    """A game as it is; one that waits for the reader's yes, with what they were asked."""
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
    Kind.UNDO: undo_letter.undo,
    Kind.NOTE: history_letter.note,
    Kind.HISTORY: history_letter.history,
    Kind.TRY: history_letter.dry_run,
    Kind.IFS: plans_letter.ifs,
    Kind.VOID: playing.void,
    Kind.PUBLIC: watched_games.public,
    Kind.REMINDER: playing.reminder,
    Kind.AWAY: playing.away,
    Kind.FINISHED: counting.finished,
    Kind.REFUSED: replies.refused,
    Kind.HELP: replies.help_letter,
    Kind.LEARN: lesson_letters.learn,
    Kind.SHOW: _show,
    Kind.DESCRIBE: described_board.describe,
    Kind.ESTIMATE: dead_stones_opinion.estimate,
    Kind.SCORE: score_letter.score,
    Kind.REVIEW: game_review.review,
    Kind.SGF: replies.sgf,
    Kind.KIFU: replies.kifu,
    Kind.GIF: replies.film,
    Kind.GUI: gui.gui,
    Kind.GAMES: games_list.games_list,
    Kind.CHALLENGES: challenges_list.challenges,
    Kind.PLAYERS: challenges_list.players,
    Kind.WATCH: watched_games.watch,
    Kind.PUBLIC_GAMES: watched_games.public_games,
    Kind.EXPORT: own_data.export,
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
    letter = WRITERS[view.notice.kind](view)
    if "aside" in view.about:
        letter = replace(letter, blocks=(*replies.aside(view), *letter.blocks))
    if (lapsed := view.about.get("lapsed")) is not None:
        letter = replace(letter, blocks=(undo_letter.lapsed(view, lapsed), *letter.blocks))
    if "meant" in view.about:
        letter = did_you_mean.asked(view, letter)
    if view.notice.kind in {Kind.REFUSED, Kind.CONFIRM}:
        return letter
    if view.notice.kind in {Kind.GAMES, Kind.CHALLENGES}:  # what came of each line is the news
        return replace(letter, blocks=(*replies.echo(view), *letter.blocks))
    return replace(letter, blocks=(*letter.blocks, *replies.echo(view)))
