"""What a letter is written from: a notice and the part of its game's log that it tells of.

`gather` reads it in one transaction; `compose` makes the letter of it later, on any thread.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from godaemon.games.events import Event, Proposed
from godaemon.games.game import replay
from godaemon.games.model import Game, Phase
from godaemon.games.notices import Kind, Notice
from godaemon.games.store import Due, Headline, Unit
from godaemon.rules.points import Point

Opinion = Callable[[Game], Awaitable[tuple[str, frozenset[Point]] | None]]
"""An engine's name, and the stones it takes for dead in a game; None where no engine is asked."""


@dataclass(frozen=True, slots=True)
class Matter:
    """All that is needed to write one letter, as it was when the notice came to be owed."""

    uid: str
    owed_at: datetime
    notice: Notice
    proposed: Proposed | None = None
    """The game's first event: it names the players as the subject always will."""
    before: Game | None = None
    """The game before what the letter tells of; None where it begins with the proposal."""
    after: Game | None = None
    """The game as the letter shows it."""
    events: tuple[Event, ...] = ()
    """What happened between the two."""
    games: Sequence[Headline] = ()
    """For the list of games: the recipient's."""


def gather(unit: Unit, due: Due) -> Matter:
    """Read what the letter of a claimed notice is written from."""
    notice = due.notice
    games = unit.headlines(notice.to) if notice.kind is Kind.GAMES else ()
    if notice.game is None:
        return Matter(due.uid, due.owed_at, notice, games=games)
    log = [entry.event for entry in unit.log(notice.game)[: notice.until]]
    first = log[0]
    return Matter(
        due.uid,
        due.owed_at,
        notice,
        proposed=first if isinstance(first, Proposed) else None,
        before=replay(notice.game, log[: notice.since]) if notice.since else None,
        after=replay(notice.game, log),
        events=tuple(log[notice.since :]),
        games=games,
    )


async def advised(matter: Matter, opinion: Opinion) -> Matter:
    """The matter with an engine's opinion in it, where its letter tells one (`about`)."""
    game, notice = matter.after, matter.notice
    if notice.kind is not Kind.ESTIMATE or game is None or game.phase is not Phase.SCORING:
        return matter
    said = await opinion(game)
    if said is None:
        return matter
    about = {**notice.about, "engine": said[0], "dead": sorted(map(str, said[1]))}
    return replace(matter, notice=replace(notice, about=about))
