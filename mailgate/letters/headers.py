"""The headers of our letters, and how text, HTML and record are put into one MIME message.

The same letter is always the same bytes, boundaries and date too. Follows RFC 5322 (dates,
threading) and RFC 3834 (automatic letters). Short and plain headers are written as they are (RFC
5322, 2.1.1). The standard library folds and encodes all others (RFC 2047); they are cached, because
most recur. Text is 7bit if possible, else quoted-printable.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.headerregistry import Address
from email.policy import EmailPolicy
from email.utils import format_datetime
from functools import lru_cache
from itertools import chain

from godaemon.games.commands import EmailLevel
from godaemon.games.model import Game, Seat
from godaemon.games.notices import Kind
from godaemon.texts.catalogue import current_language, join_and, say
from mailgate import tokens
from mailgate.letters.blocks import MailtoReply
from mailgate.letters.letter_data import LetterData
from mailgate.letters.phrases import display_name

_ID = re.compile(r"<[!-;=?-~]{1,240}>")


@dataclass(frozen=True, slots=True)
class SenderIdentity:
    """Our identity as a sender: the key that signs, our address, and the name beside it.

    If our mail provider does not support `+` in addresses (`plus` False), tokens are in
    Message-IDs; for links, which start a new thread, they are in the subject.
    """

    key: bytes
    address: str
    name: str
    plus: bool = True

    @property
    def domain(self) -> str:
        return self.address.rpartition("@")[2]

    def token(self, data: LetterData) -> str:
        """The token that a reply to this letter carries."""
        notice, game, about = data.notice, data.after, data.notice.about
        if "held" in about:
            return tokens.sign(self.key, "held", about["held"], secrets=(about["nonce"],))
        if "moving" in about:
            fields, secrets = (about["moving"], about["end"]), (about["nonce"],)
            return tokens.sign(self.key, "moving", *fields, secrets=secrets)
        if game is None or notice.seat is None:
            return tokens.sign(self.key, "listed", data.uid)
        return self.seat_token(game, notice.seat, counted=data.counted)

    def seat_token(self, game: Game, seat: Seat, *, counted: bool = True) -> str:
        digest = game.digest if counted else tokens.uncounted_digest(game.digest)
        fields = (game.id, seat.value, *game.revisions)
        return tokens.sign(self.key, "seat", *fields, secrets=(game.spec.nonce, digest))

    def address_with(self, token: str) -> str:
        return tokens.reply_address(self.address, token) if self.plus else self.address

    def reply(self, token: str, title: str, short: str) -> MailtoReply:
        """The email that a link opens, with a token, and `title` or `short` as its subject."""
        tag = "" if self.plus else tokens.subject_tag(token)
        return MailtoReply(self.address_with(token), title, short, tag=tag)

    def links(self, token: str, title: str, game: Game | None) -> MailtoReply:
        """The email that the links of an email with this title open."""
        short = say("subject-game", game=game.id) if game else title
        return self.reply(token, f"Re: {title}", f"Re: {short}").fit_subject()


@dataclass(frozen=True, slots=True)
class Attachment:
    """An attached file; `kind` is its media type."""

    name: str
    content: bytes
    kind: str


def letter_subject(data: LetterData, sender: SenderIdentity) -> str:
    """The game's own subject, which never changes, so that a game is one conversation."""
    game = data.after
    if game is None:
        return say(f"subject-{data.notice.kind.value}", server=sender.name)
    if data.notice.kind is Kind.WATCH:
        players = join_and([display_name(one) for one in game.spec.names])
        return say("subject-watched", game=game.id, players=players)
    return game_subject(game, data.notice.seat or Seat.PROPOSER)


def game_subject(game: Game, seat: Seat) -> str:
    """The subject of all letters of a game to the player of one seat; it names the opponent.

    Until that player has said yes, it has no words of another person, not even a name.

    Gmail opens a new conversation when the subject changes, so the subject does not say whose move
    it is; the email's first line does. Only a reader who changes the language during a game gets a
    second conversation there; programs that use References keep one.
    """
    proposer, invited = game.spec.names
    is_proposer = game.side(seat) is Seat.PROPOSER
    has_accepted = game.confirmed if is_proposer else game.black is not None
    if game.spec.teaching:
        key = "subject-game"
    elif game.spec.open:
        key = "subject-open"
    elif has_accepted:
        key = "subject-with"
    else:
        key = "subject-confirm" if is_proposer else "subject-invitation"
    return say(key, game=game.id, who=display_name(invited if is_proposer else proposer))


def thread_root(game: Game, domain: str) -> str:
    """The Message-ID of a game's thread: all its letters refer to it, and no letter has it."""
    mark = hashlib.sha256(game.spec.nonce.encode()).hexdigest()[:12]
    return f"<game-{game.id}.{mark}@{domain}>"


def thread_index(game: Game) -> str:
    """Outlook's Thread-Index, the same in all letters of a game (MS-OXOMSG, 2.2.1.3).

    It must begin with a time; ours is a constant in January 2024.
    """
    mark = hashlib.sha256(f"{game.id} {game.spec.nonce}".encode()).digest()[:16]
    return base64.b64encode(bytes.fromhex("01da3c460000") + mark).decode("ascii")


def build_message(
    data: LetterData,
    sender: SenderIdentity,
    *,
    title: str,
    text: str,
    html: str,
    attached: Sequence[Attachment],
    pictures: Mapping[str, Attachment],
) -> tuple[str, bytes]:
    """The Message-ID and the bytes of a letter; the HTML shows `pictures`, by their Content-IDs."""
    token = sender.token(data)
    message_id = tokens.message_id(token, data.uid, sender.domain)
    headers = Headers(utf8=not data.notice.to.isascii())
    headers.add_address("From", sender.name, sender.address)
    headers.add_address("To", "", data.notice.to)
    headers.add("Subject", title)
    headers.add("Date", format_datetime(data.queued_at))
    headers.add_ids("Message-ID", message_id)
    headers.add_address("Reply-To", sender.name, sender.address_with(token))
    # Some servers replace our Message-IDs, but keep our references, which replies then repeat.
    repeated_id = "" if sender.plus else tokens.message_id(token, f"{data.uid}.r", sender.domain)
    _add_thread(headers, data, sender.domain, repeated_id)
    _add_labels(headers, data, sender, token)
    return message_id, headers.pack(_build_parts(data.uid, text, html, attached, pictures))


def _add_thread(headers: "Headers", data: LetterData, domain: str, repeated_id: str) -> None:
    """In-Reply-To and References (RFC 5322, 3.6.4): the letter answered, and the game's root.

    There are never more, however long the game. `repeated_id` has the token in a Message-ID that no
    letter has; "" if that is not needed.
    """
    answered = data.notice.answers if _ID.fullmatch(data.notice.answers) else ""
    root = thread_root(data.after, domain) if data.after else ""
    references = [*dict.fromkeys(filter(None, (root, answered)))]
    if references:
        headers.add_ids("In-Reply-To", references[-1])
    if references or repeated_id:
        headers.add_ids("References", " ".join([repeated_id, *references]))
    if data.after:
        headers.add("Thread-Index", thread_index(data.after))


def _add_labels(headers: "Headers", data: LetterData, sender: SenderIdentity, token: str) -> None:
    """Add headers for other programs: that a program wrote this letter, and what it is about.

    List-Id (RFC 2919) lets people filter our letters, and stops vacation programs from answering.
    """
    notice, (local, _, domain) = data.notice, sender.address.rpartition("@")
    headers.add("List-Id", f"<{local}.{domain}>")
    headers.add("Auto-Submitted", "auto-replied" if notice.answers else "auto-generated")
    headers.add("X-Auto-Response-Suppress", "All")
    headers.add("Content-Language", current_language())
    if _can_stop(data):
        # The mail program shows a button for it (RFC 2369, 3.2). RFC 8058 allows only https.
        line = "block all" if notice.kind is Kind.INVITATION else "stop"
        headers.add_ids("List-Unsubscribe", f"<{sender.reply(token, line, line).href(line)}>")
    if notice.game is not None:
        headers.add("X-Godaemon-Game", str(notice.game))
    headers.add("X-Godaemon-Notice", notice.kind.value)
    if code := notice.about.get("code"):
        headers.add("X-Godaemon-Code", str(code))


def _can_stop(data: LetterData) -> bool:
    """True if a reply to the letter speaks for a seat whose emails have not stopped.

    Otherwise a program that always unsubscribes would answer our answers for ever.
    """
    about = data.notice.about
    stopped = about.get("here", {}).get("emails") == EmailLevel.NONE
    return data.after is not None and not (stopped or "held" in about or "moving" in about)


def picture_id(data: LetterData, domain: str, number: int) -> str:
    """The Content-ID by which the HTML shows a picture (RFC 2392), without angle brackets."""
    return f"board-{number}.{data.uid}@{domain}"


def _build_parts(
    uid: str,
    text: str,
    html: str,
    attached: Sequence[Attachment],
    pictures: Mapping[str, Attachment],
) -> "Part":
    """Text, alternatively HTML with inline pictures (RFC 2387), and the attachments."""
    mark = hashlib.sha256(uid.encode()).hexdigest()[:24]
    mixed, alternative, related = (f"=_{mark}_{at}" for at in range(3))  # in no encoded text
    body, html_body = text_part(text, "plain"), text_part(html, "html")
    inline = [_file_part(one, "inline", f"Content-ID: <{cid}>") for cid, one in pictures.items()]
    files = [_file_part(one, "attachment") for one in attached]
    if inline:
        html_body = multipart('related; type="text/html"', related, (html_body, *inline))
    if html:
        body = multipart("alternative", alternative, [body, html_body])
    return multipart("mixed", mixed, (body, *files)) if files else body


def _file_part(file: Attachment, disposition: str, *more: str) -> "Part":
    """A file in base64, with its disposition and other headers."""
    lines = [f"Content-Type: {file.kind}", "Content-Transfer-Encoding: base64"]
    lines += [f'Content-Disposition: {disposition}; filename="{file.name}"', *more, "", ""]
    body = base64.encodebytes(file.content).replace(b"\n", b"\r\n")
    return "\r\n".join(lines).encode("ascii"), body


# -- the bytes -------------------------------------------------------------------------------------
Part = Sequence[bytes]
"""A part of a letter in pieces, which are joined once: most letters are large."""

_WIDTH = 78
_MAX_LINE = 900
"""Maximum characters of a line that is sent as it is; 998 is the limit (RFC 5322, 2.1.1)."""
_PLAIN = re.compile(r"[!-~](?:[ -~]*[!-~])?")
_POLICIES = {utf8: EmailPolicy(linesep="\r\n", utf8=utf8) for utf8 in (False, True)}


class Headers:
    """The headers of a letter, in their order; with `utf8` those of RFC 6532."""

    def __init__(self, *, utf8: bool) -> None:
        self._utf8 = utf8
        self._lines: list[bytes] = []

    def add(self, name: str, value: str) -> None:
        whole = f"{name}: {value}"
        if len(whole) <= _WIDTH and _PLAIN.fullmatch(value) and "=?" not in value:
            self._lines.append(f"{whole}\r\n".encode("ascii"))
        else:
            self._lines.append(_fold(name, value, utf8=self._utf8))

    def add_ids(self, name: str, value: str) -> None:
        """Add a header of Message-IDs or addresses in angle brackets, folded but never encoded."""
        ids = "\r\n ".join(value.split())
        self._lines.append(f"{name}: {ids}\r\n".encode("ascii"))

    def add_address(self, name: str, person: str, address: str) -> None:
        """Add a header of one address, with a name or without."""
        local, _, domain = address.rpartition("@")
        # `addr_spec` would have to be ASCII.
        self.add(name, str(Address(person, username=local, domain=domain)))

    def pack(self, part: Part) -> bytes:
        return b"".join((*self._lines, b"MIME-Version: 1.0\r\n", *part))


@lru_cache(maxsize=1024)
def _fold(name: str, value: str, *, utf8: bool) -> bytes:
    policy = _POLICIES[utf8]
    folded: bytes = policy.fold_binary(*policy.header_store_parse(name, value))
    return folded


def text_part(words: str, subtype: str) -> Part:
    """Text with lines that end in LF, as a part: 7bit if possible."""
    lines = words.encode("utf-8")
    plain = words.isascii() and max(map(len, lines.split(b"\n"))) <= _MAX_LINE
    body = lines if plain else binascii.b2a_qp(lines)
    head = (
        f'Content-Type: text/{subtype}; charset="utf-8"\r\n'
        f"Content-Transfer-Encoding: {'7bit' if plain else 'quoted-printable'}\r\n\r\n"
    )
    return head.encode("ascii"), body.replace(b"\n", b"\r\n")


def multipart(kind: str, boundary: str, parts: Sequence[Part]) -> Part:
    """Parts as one of a multipart `kind`; `boundary` must be in none of them."""
    head = f'Content-Type: multipart/{kind};\r\n boundary="{boundary}"\r\n\r\n'.encode("ascii")
    mark = f"--{boundary}".encode("ascii")
    pieces = chain.from_iterable((mark, b"\r\n", *part, b"\r\n") for part in parts)
    return head, *pieces, mark, b"--\r\n"
