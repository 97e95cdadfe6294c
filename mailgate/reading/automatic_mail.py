"""Automatic mail: letters that no person wrote, by their headers, senders and words.

It is never parsed and never answered (RFC 3834, 2). A good token and a command outweigh signs that
a person's letter may have too, such as an odd subject or a forwarder's header. Only letters without
a good token are ignored because of list headers. A header against automatic answers is no sign.
Programs without any of these headers are recognised by phrases that players never use.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from mailgate.address import strip_tag
from mailgate.reading.program_phrases import phrases, topics
from mailgate.word_sets import words_of

_MACHINES = words_of("mailer-daemon mail-daemon postmaster autoreply auto-reply autoresponder")
_NO_REPLY_NAMES = words_of("noreply no-reply no_reply donotreply do-not-reply do_not_reply")
"""Local parts of addresses that take no answers; forwarders use them for people's letters, too."""
_ROBOT_FIELDS = (
    *("x-autoreply", "x-auto-reply", "x-mail-autoreply", "x-autoreply-from", "x-autorespond"),
    *("x-autoresponder", "x-autoresponse", "x-vacation", "x-failed-recipients"),
)
_ROBOT_VALUES = {"precedence": ("auto_reply", "auto-reply"), "delivered-to": ("autoresponder",)}
_LIST_FIELDS = (
    *("list-id", "list-post", "list-unsubscribe", "list-help", "list-owner", "list-subscribe"),
    *("list-archive", "mailing-list", "feedback-id"),
)
REACTION_PART = "text/vnd.google.email-reaction+json"  # the part that Gmail sends beside an emoji

_DOUBTFUL = ("null sender", "forwarded by ", "x-loop", "an automatic subject")
_MAX_SEARCHED = 2_000  # characters that are searched: programs say what they are at the top
_REACTION_LINES = 4
_MIN_WEIGHT = 3  # minimum total weight of phrases in a program's letter
_WEIGHTED_PHRASES = tuple(
    (topic["weight"], phrases(name, before=r"(?<!\w)"))
    for name, topic in topics().items()
    if "weight" in topic
)
"""Weights and phrases; a row counts once, even if several of its phrases occur."""
_PROMISES = phrases("desk", "later", before=r"(?<!\w)")
"""Phrases of programs and people that promise an answer for later."""
_REACTION = phrases("reaction")
_TAPBACK = phrases("tapback", after="$")
_TAGGED = re.compile(r"(?i)\[[^\[\]]{0,60}\] *|(?:re|aw|sv|fw|wg|tr) ?: ?")
_SUBJECT = phrases("automatic-subject")
"""Beginnings of subjects of autoresponders and bounces, and of some people's."""


def find_signs(
    headers: Mapping[str, str], envelope: str, author: str, ours: str, *, rewritten: bool = False
) -> Iterator[str]:
    """The signs that no person wrote a letter, for the log; see `are_doubtful`.

    `headers` are by lower-case name; `envelope` is the envelope's sender; `author` is the address
    in From, or "", and `rewritten` if it is a forwarder's. Follows RFC 3834, 2, with the headers of
    Exchange and Debbugs.

    >>> bob, ours = "bob@example.org", "go@go.example"
    >>> [*find_signs({"auto-submitted": "auto-replied"}, bob, bob, ours)]
    ['Auto-Submitted: auto-replied']
    >>> [*find_signs({"subject": "Re: Go", "x-auto-response-suppress": "All"}, bob, bob, ours)]
    []
    """
    if envelope in ("", "<>") or headers.get("return-path", "x").strip() == "<>":
        yield "null sender"
    for address, forwarded in ((author, rewritten), (envelope, True)):
        bare = strip_tag(address).casefold()
        if bare == strip_tag(ours).casefold():
            yield "our own address"
        elif bare.rpartition("@")[0] in _MACHINES:
            yield f"from {bare}"
        elif wants_no_answer(address):
            yield f"forwarded by {bare}" if forwarded else f"from {bare}"
    yield from _find_robot_headers(headers)


def are_doubtful(signs: Sequence[str]) -> bool:
    """True if a person's letter may have all of these signs."""
    return bool(signs) and all(one.startswith(_DOUBTFUL) for one in signs)


def wants_no_answer(address: str) -> bool:
    """True for an address that nobody reads: a program's or a forwarder's."""
    return strip_tag(address).casefold().rpartition("@")[0] in _NO_REPLY_NAMES


def is_bulk(headers: Mapping[str, str]) -> bool:
    """True if a letter came by a list or in bulk: without a good token it is not read.

    >>> is_bulk({"list-id": "<go.example>"}), is_bulk({"subject": "D4"})
    (True, False)
    """
    if headers.get("precedence", "").strip().lower() in ("bulk", "junk", "list"):
        return True
    return any(name in headers for name in _LIST_FIELDS)


def program_reason(subject: str, lines: Sequence[str]) -> str | None:
    """The reason why no person wrote a letter's new text, for the log; None if one may have.

    >>> program_reason("Re: Go", ["Ticket #5: we will answer soon."])
    'the words of a program'
    >>> program_reason("Re: Go", ["I am away until Monday, and will answer then."]) is None
    True
    """
    folded = [_fold_for_comparison(line) for line in lines if line]
    if _is_reaction(folded):
        return "a reaction"
    text = " ".join([_fold_for_comparison(subject), *folded])[:_MAX_SEARCHED]
    weight = sum(weight for weight, known in _WEIGHTED_PHRASES if any(known.find_all(text)))
    return "the words of a program" if weight >= _MIN_WEIGHT else None


def promises_answer(lines: Sequence[str]) -> bool:
    """True for a text that promises an answer for later, as autoresponders do."""
    return any(_PROMISES.find_all(" ".join(map(_fold_for_comparison, lines))[:_MAX_SEARCHED]))


def _fold_for_comparison(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().replace("’", "'")


def _is_reaction(lines: list[str]) -> bool:
    """True for an emoji that Gmail, Outlook or an iPhone sends as a reaction."""
    text = " ".join(lines)
    if _TAPBACK.match_at(text):
        return True
    if not 0 < len(lines) <= _REACTION_LINES:
        return False
    first = lines[0]
    if re.search(r"\w", first):
        return (first[0] == "[" or first[-1] == ":") and any(_REACTION.find_all(first))
    return any(_REACTION.find_all(text)) or re.search(r"(?<!@)gmail", text) is not None


def _find_robot_headers(headers: Mapping[str, str]) -> Iterator[str]:
    submitted = re.split(r"[;(\s]", headers.get("auto-submitted", "no").strip().lower())[0]
    if submitted != "no":
        yield f"Auto-Submitted: {submitted[:40]}"
    for name in (*_ROBOT_FIELDS, "x-loop", "x-godaemon-notice", "x-godaemon-game"):
        if name in headers and headers[name].strip().lower() != "no":
            yield name
    for name, values in _ROBOT_VALUES.items():
        if (value := headers.get(name, "").strip().lower()) in values:
            yield f"{name.title()}: {value}"
    if headers.get("content-type", "").strip().lower().startswith("multipart/report"):
        yield "multipart/report"
    if _is_automatic(headers.get("subject", "")[:_MAX_SEARCHED]):
        yield "an automatic subject"


def _is_automatic(subject: str) -> bool:
    """True for a subject that begins so, behind list tags and reply marks."""
    at = 0
    while not _SUBJECT.match_at(subject, at + subject.startswith("[", at)):
        tag = _TAGGED.match(subject, at)
        if tag is None:
            return False
        at = tag.end()
    return True
