"""Composes letters: the bytes of an email from a notice and its game.

`Composer.compose` is pure and deterministic: the same data always gives the same bytes, so a letter
that is composed again after a crash is the same. It runs on any thread.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from itertools import starmap

from godaemon.diagrams.picture import BoardPicture, board_drawing
from godaemon.games.awaited_decisions import Awaited, awaited_decision
from godaemon.games.model import Game, Phase
from godaemon.games.notices import Kind
from godaemon.games.record_pictures import film_pictures, kifu_picture
from godaemon.games.seat_keys import sign_key
from godaemon.games.views import game_record
from godaemon.records import sgf
from godaemon.records.record import Record
from godaemon.rules.points import Color
from godaemon.texts.catalogue import ENGLISH, current_language, join_and, say, speaking
from mailgate.letters import (
    account,
    counting,
    engine_letters,
    games_list,
    guides,
    history_letter,
    invitations,
    playing,
    replies,
    settings_letter,
)
from mailgate.letters.blocks import Choices, Diagram, LetterBlocks, Words
from mailgate.letters.board_blocks import describe_boards
from mailgate.letters.calendar_entries import CALENDAR, calendar
from mailgate.letters.headers import (
    Attachment,
    SenderIdentity,
    build_message,
    game_subject,
    letter_subject,
    picture_id,
)
from mailgate.letters.html_page import html_of
from mailgate.letters.letter_data import OPINION_KINDS, LetterData, is_count_open, leaves_count_open
from mailgate.letters.letter_view import CLIENT, GtpAccess, LetterView
from mailgate.letters.plain_text import text_of
from mailgate.tokens import return_path


@dataclass(frozen=True, slots=True)
class Composed:
    """A letter as it goes out."""

    message_id: str
    """With its angle brackets, as in the header."""
    raw: bytes
    """The letter with lines that end in CR LF; ASCII, unless the recipient's address is not."""
    agreement: str = "done"
    """The lines that a yes to it stands for while a score is counted (`LetterBlocks`)."""


@dataclass(eq=False, repr=False)
class Composer:
    """Composes our letters.

    `key` signs the tokens and the keys to seats. Players write to `address`, which has the display
    name `name`. A proposal waits `invitation_days` for its answer. `gtp_access` is how Go programs
    connect. Without `plus_addressing` our addresses carry no tokens. `others` are more addresses of
    ours, with the name of each.
    """

    key: bytes
    address: str
    name: str
    _: KW_ONLY
    invitation_days: int
    gtp_access: GtpAccess = GtpAccess()
    plus_addressing: bool = True
    others: Mapping[str, str] = field(default_factory=dict)

    def sender_identity(self, ours: str | None = None) -> SenderIdentity:
        """Our identity for one of our addresses; the main one if that is no longer ours."""
        if ours is None or ours not in self.others:
            return SenderIdentity(self.key, self.address, self.name, self.plus_addressing)
        return SenderIdentity(self.key, ours, self.others[ours], self.plus_addressing)

    def return_path(self, uid: str, ours: str | None = None) -> str:
        """MAIL FROM of a letter; it identifies the letter if it bounces."""
        sender = self.sender_identity(ours)
        return return_path(sender.key, sender.address, uid) if sender.plus else sender.address

    def compose(self, data: LetterData) -> Composed:
        """The letter; raises `ConfigError` if our address is too long to carry a token."""
        with speaking(data.reader.language):
            return self._compose_in_language(data)

    def _compose_in_language(self, data: LetterData) -> Composed:
        letter, sender = self.blocks(data), self.sender_identity(data.notice.our_address)
        if letter.counted is not data.counted:
            data = replace(data, counted=letter.counted)
        title = letter_subject(data, sender)
        plain = data.reader.plain and not letter.picture
        drawn = [] if plain else _pictures(letter, data)
        pictures = {picture_id(data, sender.domain, at): one for at, one in enumerate(drawn, 1)}
        reply = sender.links(sender.token(data), title, data.after)
        message_id, raw = build_message(
            data,
            sender,
            title=title,
            text=text_of(letter, data.boards),
            html="" if plain else html_of(letter, title, reply, tuple(pictures), data.boards),
            attached=[*self._attachments(letter, data, sender.address)],
            pictures=pictures,
        )
        return Composed(message_id, raw, letter.agreement)

    def _attachments(
        self, letter: LetterBlocks, data: LetterData, address: str
    ) -> Iterator[Attachment]:
        if letter.record and (game := data.after) is not None:
            written = sgf.format_sgf(_record(game, data)).encode()
            yield Attachment(f"game-{game.id}.sgf", written, "application/x-go-sgf")
        if data.notice.kind is Kind.EXPORT:
            yield from starmap(Attachment, account.export_files(data))
        if letter.client and self.gtp_access.client:
            yield Attachment(CLIENT, self.gtp_access.client, "application/octet-stream")
        if data.reader.calendar and (entries := calendar(self._view(data), address)):
            yield Attachment("deadline.ics", entries, CALENDAR)

    def blocks(self, data: LetterData) -> LetterBlocks:
        """The letter's content, before it is written as text and as HTML."""
        letter = write_letter(self._view(data))
        in_words = data.boards.shown == "words" and not letter.picture
        return describe_boards(letter) if in_words else letter

    def _view(self, data: LetterData) -> LetterView:
        game, issued = data.after, data.notice.about.get("lent", {})
        access, key = self.gtp_access, self.key
        if game:
            keys = {one: sign_key(key, game, Color.named(one), issued[one]) for one in issued}
            access = replace(access, keys=keys)
        sender = self.sender_identity(data.notice.our_address)
        replies = {
            game.id: sender.links(sender.seat_token(game, seat), game_subject(game, seat), game)
            for game, seat in data.waiting
        }
        return LetterView(data, self.invitation_days, access, replies)


def _pictures(letter: LetterBlocks, data: LetterData) -> list[Attachment]:
    """The pictures for HTML: of the whole game, or of each board if the reader prefers pictures."""
    if data.after is not None and letter.picture:
        return [_game_picture(letter, data.after, data)]
    boards = [block for block in letter.blocks if isinstance(block, Diagram)]
    if not boards or data.boards.shown != "picture":
        return []
    from godaemon.diagrams import raster  # noqa: PLC0415 - few letters need Pillow

    drawn = (raster.png(board_drawing(BoardPicture(one.rows, one.last))) for one in boards)
    return [Attachment(f"board-{at}.png", one, "image/png") for at, one in enumerate(drawn, 1)]


def _game_picture(letter: LetterBlocks, game: Game, data: LetterData) -> Attachment:
    """The game as a film, or its moves on one picture, dated as its record is."""
    from godaemon.diagrams import fonts, raster  # noqa: PLC0415 - the same
    from godaemon.diagrams.film import film  # noqa: PLC0415

    played = _record(game, data)
    if letter.picture == "film":
        return Attachment(f"game-{game.id}.gif", film(film_pictures(played)), "image/gif")
    moves = str(data.notice.about.get("moves", ""))
    # Use English words if no font here has the characters of the reader's language.
    with speaking(current_language() if fonts.can_write(say("pass")) else ENGLISH):
        drawn = raster.png(kifu_picture(played, moves, shows=fonts.can_write))
    return Attachment(f"game-{game.id}.png", drawn, "image/png")


def _record(game: Game, data: LetterData) -> Record:
    """The game's record, dated by the day on which the notice was queued."""
    seat = data.notice.seat
    reader = None if seat is None else game.color_of(seat)
    return game_record(game, date=f"{data.queued_at:%Y-%m-%d}", reader=reader)


# -- the kinds of letters --------------------------------------------------------------------------
def _offer_meant_lines(view: LetterView, letter: LetterBlocks) -> LetterBlocks:
    """A letter of the game below lines that its reader may have meant, one click each."""
    lines = view.about["meant"]
    if not lines:
        return replace(letter, blocks=(Words(say("not-a-reply")), *letter.blocks))
    choices = Choices(tuple((line, say("do-now")) for line in lines))
    first = say("did-you-mean", lines=join_and([f"`{line}`" for line in lines]))
    why = Words(say("not-a-reply"), small=True)
    return replace(letter, first=first, blocks=(choices, Words(letter.first), *letter.blocks, why))


def _write_show(view: LetterView) -> LetterBlocks:
    if view.game.counters and view.game.phase is Phase.PROPOSED:
        return invitations.countered(view)
    waits = awaited_decision(view.game, view.seat)
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
    Kind.PUBLIC: playing.public,
    Kind.REMINDER: playing.reminder,
    Kind.AWAY: playing.away,
    Kind.FINISHED: playing.finished,
    Kind.REFUSED: replies.refused,
    Kind.HELP: guides.help_letter,
    Kind.LEARN: guides.learn,
    Kind.SHOW: _write_show,
    Kind.DESCRIBE: replies.describe,
    Kind.ESTIMATE: counting.estimate,
    Kind.SCORE: engine_letters.score,
    Kind.REVIEW: engine_letters.review,
    Kind.SGF: replies.sgf,
    Kind.KIFU: replies.kifu,
    Kind.GIF: replies.film,
    Kind.GUI: guides.gui,
    Kind.GAMES: games_list.games_list,
    Kind.CHALLENGES: games_list.challenges,
    Kind.PLAYERS: games_list.players,
    Kind.WATCH: playing.watch,
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


def write_letter(view: LetterView) -> LetterBlocks:
    """The letter of a notice, with the lines it answers unless it repeats them itself."""
    kind, letter = view.notice.kind, WRITERS[view.notice.kind](view)
    above = replies.aside_blocks(view) if "aside" in view.about else ()
    letter = replace(letter, blocks=(*playing.lapsed_undo(view), *above, *letter.blocks))
    if "meant" in view.about:
        letter = _offer_meant_lines(view, letter)
    if is_count_open(view.maybe_game) and kind not in OPINION_KINDS:
        counted = letter.counted and not leaves_count_open(view.data)
        letter = replace(letter, counted=counted, agreement="")
    if kind in {Kind.REFUSED, Kind.CONFIRM}:
        return letter
    lines = tuple(replies.echo_lines(view))
    listed = kind in {Kind.GAMES, Kind.CHALLENGES}  # the result of each line is the news
    return replace(letter, blocks=(*lines, *letter.blocks) if listed else (*letter.blocks, *lines))
