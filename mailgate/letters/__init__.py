"""What each kind of letter says: `write` turns a `View` of the matter into a `Letter` of blocks.

Pure, and it cannot fail on any state a game can be in. How the blocks look, as text and as HTML, is
`mailgate.letters.rendering`'s business.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from godaemon.games.notices import Kind
from mailgate.letters import answers, counting, estimate, gui, mailboxes, playing, proposals
from mailgate.letters.blocks import Letter
from mailgate.letters.view import View

__all__ = ["WRITERS", "Letter", "View", "write"]

WRITERS: dict[Kind, Callable[[View], Letter]] = {
    Kind.CONFIRM: proposals.confirm,
    Kind.INVITED: proposals.invited,
    Kind.INVITATION: proposals.invitation,
    Kind.STARTED: playing.started,
    Kind.YOUR_TURN: playing.your_turn,
    Kind.MOVED: playing.moved,
    Kind.SCORING_STARTED: counting.scoring_started,
    Kind.MARKS_CHANGED: counting.marks_changed,
    Kind.DONE: counting.done,
    Kind.RESUMED: playing.resumed,
    Kind.VOID: playing.void,
    Kind.FINISHED: counting.finished,
    Kind.REFUSED: answers.refused,
    Kind.HELP: answers.help_letter,
    Kind.SHOW: answers.show,
    Kind.ESTIMATE: estimate.estimate,
    Kind.SGF: answers.sgf,
    Kind.KIFU: answers.kifu,
    Kind.GUI: gui.gui,
    Kind.GAMES: answers.games,
    Kind.CHAT: playing.chat,
    Kind.DECLINED: proposals.declined,
    Kind.WITHDRAWN: proposals.withdrawn,
    Kind.EXPIRED: proposals.expired,
    Kind.RECEIPTS: answers.receipts,
    Kind.UNREACHABLE: mailboxes.unreachable,
    Kind.BLOCKED: mailboxes.blocked,
    Kind.MOVING: mailboxes.moving,
    Kind.TROUBLE: answers.trouble,
}
"""Who writes which kind; every kind has one."""


def write(view: View) -> Letter:
    """The letter of a notice, with the lines it answers where it does not repeat them itself."""
    letter = WRITERS[view.notice.kind](view)
    if view.notice.kind in {Kind.REFUSED, Kind.CONFIRM}:
        return letter
    return replace(letter, blocks=(*letter.blocks, *answers.echo(view)))
