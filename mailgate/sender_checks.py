"""Judgements on who wrote a letter: a person or a program, for themselves or in another's name.

Pure, and imports nothing of ours. Automatic mail is never parsed and never answered (RFC 3834, 2);
list and bulk headers stop only letters without a good token, because a person may write by a list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_MACHINES = frozenset(
    [
        *("mailer-daemon", "mail-daemon", "postmaster", "autoreply", "auto-reply", "autoresponder"),
        *("noreply", "no-reply", "no_reply", "donotreply", "do-not-reply", "do_not_reply"),
    ]
)
_ROBOT_FIELDS = (
    *("x-autoreply", "x-auto-reply", "x-mail-autoreply", "x-autoreply-from", "x-autorespond"),
    *("x-autoresponder", "x-autoresponse", "x-vacation", "x-failed-recipients"),
)
_ROBOT_VALUES = {
    "precedence": ("auto_reply", "auto-reply"),
    "delivered-to": ("autoresponder",),
}
_LIST_FIELDS = (
    *("list-id", "list-post", "list-unsubscribe", "list-help", "list-owner", "list-subscribe"),
    *("list-archive", "mailing-list", "feedback-id"),
)
_ABSENT = re.compile(
    r"(?i)(?:(?:re|aw|sv|fw|wg|tr) ?: ?)?\[?(?:auto(?:matic|mated)?[- ]?(?:reply|response)"
    r"|(?:i am |i'm )?(?:currently )?out[- ]of[- ](?:the )?office|ooo ?:|away from (?:my|the) off"
    r"|(?:vacation|holiday) (?:reply|response|message|notice)|automatische (?:antwort|abwesenheit)"
    r"|abwesen(?:heit|d)|réponse automatique|message d['’]absence|absen(?:ce|t)e? du bureau"
    r"|automatisch antwoord|afwezig|niet aanwezig|respuesta automática|fuera de (?:la )?oficina"
    r"|resposta automática|fora do escritório|risposta automatica|fuori (?:sede|ufficio)"
    r"|autosvar|automatiskt? svar|frånvaro|fravær|automaattinen vastaus|poissaolo"
    r"|odpowiedź automatyczna|autoodpowiedź|nieobecność|automatická odpověď|mimo kancelář"
    r"|automatikus válasz|házon kívül|автоматический ответ|автоответ|автоматична відповідь"
    r"|otomatik (?:yanıt|cevap)|ofis dışında|自動応答|自動返信|不在(?:通知|連絡)|自动(?:回复|答复)"
    r"|自動(?:回覆|答覆)|자동 ?(?:회신|응답)|부재 ?중"
    r"|delivery status notification|delivery (?:has )?failed|failure notice|undeliver(?:able|ed)"
    r"|mail delivery (?:failed|failure|system)|returned mail|unzustellbar|message non remis)"
)
"""The beginnings of the subjects of answering machines and of bounces."""


def automatic(
    headers: Mapping[str, str], envelope_sender: str, author: str, our_address: str
) -> str | None:
    """The reason why no person wrote this letter, for the log; None where a person may have.

    `headers` by lower-case names; `author` is the address in From, or "". Follows RFC 3834, 2, and
    what Exchange, Discourse and Debbugs add.

    >>> bob, ours = "bob@example.org", "go@go.example"
    >>> automatic({"auto-submitted": "auto-replied"}, bob, bob, ours)
    'Auto-Submitted: auto-replied'
    >>> automatic({"subject": "Re: your turn"}, bob, bob, ours) is None
    True
    """
    if envelope_sender in ("", "<>") or headers.get("return-path", "x").strip() == "<>":
        return "null sender"
    for address in (author, envelope_sender):
        if untagged(address).casefold() == untagged(our_address).casefold():
            return "our own address"
        if untagged(address).casefold().rpartition("@")[0] in _MACHINES:
            return f"from {address.casefold()}"
    return _robot_header(headers)


def bulk(headers: Mapping[str, str]) -> bool:
    """True where it came by a list or in bulk: to be left alone unless its token is good.

    >>> bulk({"list-id": "<go.example>"}), bulk({"subject": "D4"})
    (True, False)
    """
    if headers.get("precedence", "").strip().lower() in ("bulk", "junk", "list"):
        return True
    return any(name in headers for name in _LIST_FIELDS)


def untagged(address: str) -> str:
    """An address without what stands between `+` and `@`.

    >>> untagged("go+34-b-57-2@example.org")
    'go@example.org'
    """
    local, at, domain = address.rpartition("@")
    return local.partition("+")[0] + at + domain


def vouched(results: Sequence[str], authserv_id: str, author: str) -> bool:
    """True where our own mail server says that a letter is from the domain of its From.

    `results` are its Authentication-Results (RFC 8601), the topmost first. The topmost that is of
    our server (`authserv_id`; "" for none) counts alone: it is the one that was added last, and
    what stands below it may have come with the letter.

    >>> results = ["mx.example; dmarc=pass header.from=example.org"]
    >>> vouched(results, "mx.example", "bob@example.org")
    True
    >>> vouched(results, "other.example", "bob@example.org")
    False
    """
    if not authserv_id:
        return False
    for field in results:
        first, *found = _comments_out(field).split(";")
        named = first.split()
        if named and named[0].strip('"').casefold() == authserv_id.casefold():
            return any(_dmarc_pass(result, author) for result in found)
    return False


def _dmarc_pass(result: str, author: str) -> bool:
    """True where one result is a DMARC pass, for the author's own domain where it names one."""
    method, *properties = re.sub(r"\s*([=/])\s*", r"\1", result.strip().casefold()).split()[
        :20
    ] or [""]
    if not re.fullmatch(r"dmarc(?:/1)?=pass", method):
        return False
    named = [one.partition("=")[2] for one in properties if one.startswith("header.from=")]
    domain = author.rpartition("@")[2].casefold()
    return all(one.strip('"').rpartition("@")[2] == domain for one in named)


def _comments_out(field: str) -> str:
    """A field without its comments, which may nest, and without what is within quotes."""
    kept, depth, quoted, escaped = [], 0, False, False
    for mark in field:
        if escaped:
            escaped = False
        elif mark == "\\" and (depth or quoted):
            escaped = True
        elif mark == '"' and not depth:
            quoted = not quoted
        elif quoted:
            kept.append(mark if mark not in "; \t\r\n=" else "_")
        elif mark == "(":
            depth += 1
        elif mark == ")" and depth:
            depth -= 1
            kept.append(" ")
        elif not depth:
            kept.append(mark)
    return "".join(kept)


def aligned(author: str, envelope_sender: str) -> bool:
    """True where From and envelope are, or may be, of one organisation (RFC 7489, 3.1: relaxed).

    >>> aligned("bob@example.org", "bounces@mail.example.org")
    True
    >>> aligned("bob@example.org", "eve@example.com")
    False
    """
    one, other = (address.rpartition("@")[2].casefold() for address in (author, envelope_sender))
    return bool(one and other) and (
        one == other or one.endswith(f".{other}") or other.endswith(f".{one}")
    )


def _robot_header(headers: Mapping[str, str]) -> str | None:
    submitted = re.split(r"[;(\s]", headers.get("auto-submitted", "no").strip().lower())[0]
    if submitted != "no":
        return f"Auto-Submitted: {submitted[:40]}"
    if headers.get("x-auto-response-suppress", "none").strip().lower() != "none":
        return "X-Auto-Response-Suppress"
    for name in (*_ROBOT_FIELDS, "x-loop", "x-godaemon-notice", "x-godaemon-game"):
        if name in headers and headers[name].strip().lower() != "no":
            return name
    for name, values in _ROBOT_VALUES.items():
        if (value := headers.get(name, "").strip().lower()) in values:
            return f"{name.title()}: {value}"
    if headers.get("content-type", "").strip().lower().startswith("multipart/report"):
        return "multipart/report"
    return "automatic subject" if _ABSENT.match(headers.get("subject", "")) else None
