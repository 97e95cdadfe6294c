"""The headers of our letters, and how text, HTML and record are put into one MIME message.

Pure and deterministic: the same letter is always the same bytes, boundaries and date too. Follows
RFC 5322 (dates, threading), RFC 3834 (automatic letters) and RFC 2047 by the standard library.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime

from godaemon.games.model import Game
from godaemon.games.notices import Kind
from mailgate import identity
from mailgate.letters.phrases import shown_name
from mailgate.links import Reply
from mailgate.matter import Matter

_ID = re.compile(r"<[!-;=?-~]{1,240}>")
_IDS = {"message-id", "in-reply-to", "references", "list-unsubscribe"}


class _Policy(EmailPolicy):
    """Python's policy, but lists of Message-IDs are folded between them and never encoded."""

    def fold_binary(self, name: str, value: str) -> bytes:
        if name.lower() in _IDS:
            ids = f"{self.linesep} ".join(str(value).split())
            return f"{name}: {ids}{self.linesep}".encode("ascii")
        folded: bytes = super().fold_binary(name, value)
        return folded


_POLICY = _Policy(linesep="\r\n")


@dataclass(frozen=True, slots=True)
class Ours:
    """Who we are: the key that signs, our address, and the name beside it."""

    key: bytes
    address: str
    name: str

    @property
    def domain(self) -> str:
        """What stands behind the @ of our address."""
        return self.address.rpartition("@")[2]

    def token(self, matter: Matter) -> str | None:
        """The token that a reply to this letter comes back with; None for one about no game."""
        notice, game = matter.notice, matter.after
        if "held" in notice.about:
            return identity.sign_held(self.key, notice.about["held"], notice.about["nonce"])
        if "moving" in notice.about:
            moving, end, nonce = (notice.about[name] for name in ("moving", "end", "nonce"))
            return identity.sign_moving(self.key, moving, end, nonce)
        if game is None or notice.seat is None:
            return None
        return identity.sign(
            self.key,
            game=game.id,
            seat=notice.seat.value,
            position_rev=game.revisions.position,
            marks_rev=game.revisions.marks,
            nonce=game.spec.nonce,
            digest=game.digest,
        )

    def reply_address(self, matter: Matter) -> str:
        """Where answers to this letter go: our address, with its token if it has one."""
        token = self.token(matter)
        return identity.reply_address(self.address, token) if token else self.address


@dataclass(frozen=True, slots=True)
class Attached:
    """A file that goes along; `kind` is its media type."""

    name: str
    content: bytes
    kind: str


def subject(matter: Matter, ours: Ours) -> str:
    """The game's own subject, which never changes, so that a game is one conversation."""
    game, proposed = matter.after, matter.proposed
    if game is None:
        return f"{ours.name}: {_ABOUT.get(matter.notice.kind.value, matter.notice.kind.value)}"
    if proposed is None or game.spec.teaching:
        return f"Go game {game.id}"
    one = shown_name(proposed.proposer_name)
    return f"Go game {game.id}: {one} and {shown_name(proposed.invited_name)}"


_ABOUT = {
    "games": "your games",
    "refused": "your letter was not understood",
    "trouble": "your letter is kept",
    "moving": "your games and your address",
}


def root(game: Game, domain: str) -> str:
    """The Message-ID under which all letters of a game stand; no letter has it."""
    mark = hashlib.sha256(game.spec.nonce.encode()).hexdigest()[:12]
    return f"<game-{game.id}.{mark}@{domain}>"


def message(
    matter: Matter,
    ours: Ours,
    *,
    title: str,
    text: str,
    html: str,
    attached: Attached | None = None,
    picture: bytes | None = None,
) -> tuple[str, bytes]:
    """The Message-ID and the bytes of a letter; `picture` is a PNG that the HTML shows."""
    token = ours.token(matter)
    message_id = identity.message_id(token, matter.uid, ours.domain)
    post = EmailMessage(policy=_POLICY.clone(utf8=not matter.notice.to.isascii()))
    post["From"] = Address(ours.name, addr_spec=ours.address)
    local, _, domain = matter.notice.to.rpartition("@")
    post["To"] = Address(username=local, domain=domain)  # as addr_spec it would have to be ASCII
    post["Subject"] = title
    post["Date"] = _date(matter.owed_at)
    post["Message-ID"] = message_id
    if token:
        post["Reply-To"] = Address(ours.name, addr_spec=identity.reply_address(ours.address, token))
    _thread(post, matter, ours.domain)
    _label(post, matter, ours)
    _fill(post, text, html)
    if picture is not None:
        _illustrate(post, picture, picture_id(matter, ours.domain))
    if attached is not None:
        _attach(post, attached)
    _fix_boundaries(post, matter.uid)
    return message_id, post.as_bytes()


def _date(moment: datetime) -> str:
    return format_datetime(moment)


def _thread(post: EmailMessage, matter: Matter, domain: str) -> None:
    """In-Reply-To and References (RFC 5322, 3.6.4): the letter answered, and the game's root."""
    answered = matter.notice.answers if _ID.fullmatch(matter.notice.answers) else ""
    roots = [root(matter.after, domain)] if matter.after else []
    references = list(dict.fromkeys([*roots, *([answered] if answered else [])]))
    if references:
        post["In-Reply-To"] = references[-1]
        post["References"] = " ".join(references)


def _label(post: EmailMessage, matter: Matter, ours: Ours) -> None:
    """What tells programs that a program wrote this, and what about.

    List-Id (RFC 2919) is there for people's filters, and keeps vacation programs from answering.
    """
    local, _, domain = ours.address.rpartition("@")
    post["List-Id"] = f"<{local}.{domain}>"
    post["Auto-Submitted"] = "auto-replied" if matter.notice.answers else "auto-generated"
    post["X-Auto-Response-Suppress"] = "All"
    if matter.notice.kind is Kind.INVITATION:
        post["List-Unsubscribe"] = f"<{_unsubscribe(matter, ours)}>"
    if matter.notice.game is not None:
        post["X-Godaemon-Game"] = str(matter.notice.game)
    post["X-Godaemon-Notice"] = matter.notice.kind.value


def _unsubscribe(matter: Matter, ours: Ours) -> str:
    """The letter that a button of the mail program sends (RFC 2369, 3.2): no invitation again."""
    return Reply(ours.reply_address(matter), "block all", "block all").href("block all")


def _fill(post: EmailMessage, text: str, html: str) -> None:
    post.set_content(text, cte=_encoding(text))
    post.add_alternative(html, subtype="html", cte=_encoding(html))


def picture_id(matter: Matter, domain: str) -> str:
    """By what name the HTML shows the letter's picture (RFC 2392), without angle brackets."""
    return f"board.{matter.uid}@{domain}"


def _illustrate(post: EmailMessage, picture: bytes, name: str) -> None:
    """Beside the HTML and inline, so that it is shown in its place and not listed (RFC 2387)."""
    html = post.get_body(("html",))
    if html is None:
        raise LookupError("a picture in a letter without HTML")
    html.add_related(
        picture,
        maintype="image",
        subtype="png",
        cid=f"<{name}>",
        disposition="inline",
        filename="board.png",
    )
    html.set_param("type", "text/html")


def _attach(post: EmailMessage, attached: Attached) -> None:
    maintype, _, subtype = attached.kind.partition("/")
    post.add_attachment(
        attached.content, maintype=maintype, subtype=subtype, filename=attached.name
    )


def _encoding(text: str) -> str:
    """7bit where the text is ASCII in short lines, as it mostly is; else quoted-printable."""
    plain = text.isascii() and all(len(line) <= 900 for line in text.split("\n"))
    return "7bit" if plain else "quoted-printable"


def _fix_boundaries(post: EmailMessage, uid: str) -> None:
    """Boundaries of the letter's own, instead of random ones; `=_` is in no encoded text."""
    mark = hashlib.sha256(uid.encode()).hexdigest()[:24]
    for number, part in enumerate(post.walk()):
        if part.is_multipart():
            part.set_boundary(f"=_{mark}_{number}")
