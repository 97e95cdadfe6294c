"""Notices: the letters that we owe, and as the outbox gives them out to be sent. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from godaemon.games.model import Seat

EXPORTED = 1000
"""How many games, the newest ones, an email with all that somebody has here takes along."""


class Kind(StrEnum):
    """The kind of a letter; stands in its X-Godaemon-Notice header."""

    CONFIRM = "confirm"
    INVITED = "invited"
    """The proposer learns that the invitation is on its way."""
    INVITATION = "invitation"
    COUNTERED = "countered"
    """One player answered a proposal with other terms, for the other to answer."""
    STARTED = "started"
    YOUR_TURN = "your-turn"
    MOVED = "moved"
    SCORING_STARTED = "scoring-started"
    MARKS_CHANGED = "marks-changed"
    DONE = "done"
    RESUMED = "resumed"
    UNDO = "undo"
    """One player would take a move back; or the other has answered that."""
    NOTE = "note"
    """What the reader has noted for themselves."""
    HISTORY = "history"
    TRY = "try"
    """The board as it would be."""
    IFS = "ifs"
    """What the reader has planned; or that a move of that was played."""
    VOID = "void"
    """One player would end the game without a result."""
    PUBLIC = "public"
    """One player would let others watch; or whether they may has changed."""
    REMINDER = "reminder"
    """The reader's time is running out."""
    AWAY = "away"
    """A player's time has run out, and a vacation of theirs has begun by itself."""
    FINISHED = "finished"
    REFUSED = "refused"
    HELP = "help"
    LEARN = "learn"
    """A lesson on the rules of Go."""
    SHOW = "show"
    DESCRIBE = "describe"
    """The board in sentences."""
    ESTIMATE = "estimate"
    """Our opinion on which stones are dead, for who asked for one."""
    SCORE = "score"
    """An estimate of how a game that is played stands, for who asked for one."""
    REVIEW = "review"
    """A look back on a game that is over, for who asked for one."""
    SGF = "sgf"
    KIFU = "kifu"
    GIF = "gif"
    GUI = "gui"
    """How a Go program sits down in the game, with the key to the seat."""
    GAMES = "games"
    CHALLENGES = "challenges"
    """The open challenges that the reader may take."""
    PLAYERS = "players"
    """Those who have chosen to be on the list of players."""
    WATCH = "watch"
    """A game of others, for who watches it."""
    PUBLIC_GAMES = "public-games"
    """The games that the reader may watch."""
    EXPORT = "export"
    """All that its reader has here, attached."""
    CHAT = "chat"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"
    SETTINGS = "settings"
    """Which letters the reader gets from now on, and the replies that change it."""
    UNREACHABLE = "unreachable"
    """Letters to the other player come back."""
    BLOCKED = "blocked"
    """By whom the reader will not be invited from now on."""
    MOVING = "moving"
    """Whether a seat shall move to another address; or that it has."""
    FORGET = "forget"
    """Whether its reader shall be forgotten; or that they are about to be."""
    TROUBLE = "trouble"
    """Our own trouble: the letter is kept and looked into."""


@dataclass(frozen=True, slots=True)
class Notice:
    """One letter that we owe: all that is needed to write it later, and nothing that can change.

    A letter about a game is written from the log: it tells what happened in the events from
    `since` up to (not including) `until`, and shows the game as it stood after them.
    """

    kind: Kind
    to: str
    """The address it goes to."""
    by: str = ""
    """The address of the person who has shown to have caused it, for the limits; "" for nobody."""
    game: int | None = None
    seat: Seat | None = None
    """For whom: whose view, and whose token."""
    since: int = 0
    until: int = 0
    answers: str = ""
    """The Message-ID of the letter that it answers."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """What only this kind needs (JSON values): a refusal's words, a move number ..."""
    ours: str | None = None
    """The address of ours that it is from, "" the main one; None for where its reader is answered
    from (`games.answer_addresses`), which is known from when it is owed."""


@dataclass(frozen=True, slots=True)
class DueNotice:
    """A notice that was claimed, to be sent now."""

    id: int
    uid: str
    notice: Notice
    attempts: int
    """How many tries were made before this one."""
    owed_at: datetime
    message_id: str | None
    letter: bytes | None
    """The letter as it was written for the first try."""
