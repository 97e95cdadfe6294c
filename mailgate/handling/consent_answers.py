"""Answers to a question that awaits a yes or a no: an invitation, or a proposal to be confirmed.

Pure; raises `Unreadable` alone, with one-click replies: where no clear yes or no is found, and for
a yes with other terms than those of the game that is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.games.awaited import Awaited
from godaemon.games.model import Seat, Spec
from mailgate.address import clean_quote
from mailgate.handling.seated import Seated
from mailgate.language.arguments import counters
from mailgate.language.consent import (
    begins_with_yes,
    beside_consent,
    claims,
    grants,
    read_consent,
    taken_back,
)
from mailgate.language.new_game import read_terms
from mailgate.language.parser import ParsedCommand, ParsedText
from mailgate.language.reserved import Reservation
from mailgate.language.reserved_words import ADDRESS
from mailgate.language.talk import is_greeting
from mailgate.language.vacations import absence_in
from mailgate.language.wished_terms import wished_terms
from mailgate.language.written_moves import normalize
from mailgate.late_patterns import late
from mailgate.reading.reply_trimming import fold_space

UNSURE = "neither yes nor no"
"""The detail of a refusal that asks for a yes or a no once more."""
_CONSENT = {Awaited.CONFIRMATION: ("yes", "no"), Awaited.INVITATION: ("accept", "decline")}
"""What a yes or a no is asked for, and how each is written there."""


def consent_choices(at: Seated) -> tuple[str, str] | None:
    """The two answers of which a game awaits one from a seat; None where it awaits no yes or no."""
    return _CONSENT.get(at.awaits) if at.awaits is not None else None


def ask_consent(
    lines: Sequence[str], choices: tuple[str, str], others: tuple[str, ...] = ()
) -> Unreadable:
    """For words in which no clear yes or no is found, where one was asked for.

    `others` is what else may be meant.
    """
    said = [line for line in lines if fold_space(line)]
    quoted = clean_quote(next((line for line in said if not is_greeting(line)), "".join(said[:1])))
    first, second = choices
    invited = choices == _CONSENT[Awaited.INVITATION]
    hints = counters(" ".join(lines)[:1_000]) if invited else choices
    other = f", or for other terms: {hints[0]}" if hints[0] not in choices else "."
    other += " What you write below accept is passed on." if invited and hints == choices else ""
    away = absence_in(" ".join(lines)) if invited else ""
    stops = f" Once the game has begun, “{away}” stops your clock." if away else ""
    return Unreadable(
        f"I am not sure whether “{quoted}” is a yes or a no, so I have done nothing.{stops} Please"
        f" reply {first} or {second}{other}",
        hints=(*hints, *others),
        detail=UNSURE,
    )


def consent_asked(text: ParsedText | None, lines: Sequence[str]) -> bool | None:
    """True for a yes and False for a no where we asked for one: a command, or in people's words."""
    commands = [one.command for one in text.commands] if text else []
    if text and takes_back_answer(text, lines):
        return None
    if any(isinstance(one, cmd.No | cmd.Stop) for one in commands):
        return False
    if any(isinstance(one, cmd.Yes) for one in commands):
        return True
    return read_consent(lines)


def takes_back_answer(text: ParsedText, lines: Sequence[str]) -> bool:
    """True for a letter whose command is a yes or a no, and whose words take that back."""
    answers = any(isinstance(one.command, cmd.Yes | cmd.No) for one in text.commands)
    return answers and taken_back(lines)


def consented(
    text: ParsedText, lines: Sequence[str], choices: tuple[str, str], other: str
) -> ParsedText:
    """A letter as the yes or the no that it is; `other` is whom a proposal would be sent to."""
    confirming = choices == _CONSENT[Awaited.CONFIRMATION]
    if takes_back_answer(text, lines):
        raise ask_consent(lines, choices)
    if not confirming and _only_asks(text):  # `Count me in! How long do I have?`
        if read_consent(lines) is True:
            return replace(text, commands=(said_by(lines, cmd.Yes()), *text.commands))
        if begins_with_yes(lines):
            raise ask_consent(lines, choices)
    if not all(map(_consents, text.commands)):
        return _beside_yes(text, text.message.split("\n")) if confirming else text
    yes = (confirming and (_sends(text, other) or claims(lines))) or read_consent(lines)
    if yes is None:
        asked = ask_consent(lines, choices)
        if text.kept is None:
            raise asked
        said = f"{asked.public} {text.kept.answer}"
        if not grants(lines):
            said = f"{text.kept.answer.rstrip('.')}. Please reply {choices[0]} or {choices[1]}."
        raise Unreadable(said, hints=(*asked.hints, *text.kept.hints), detail=UNSURE)
    voted = replace(text, commands=(said_by(lines, vote(yes)),))
    return _beside_yes(voted, lines) if yes and confirming else voted


def _only_asks(text: ParsedText) -> bool:
    return bool(text.commands) and all(isinstance(one.command, cmd.Help) for one in text.commands)


def _beside_yes(text: ParsedText, lines: Sequence[str]) -> ParsedText:
    """The same, with words that no invitation takes along told of as such."""
    if not any(isinstance(one.command, cmd.Yes) for one in text.commands):
        return text
    said = next(filter(_GREETS.search, lines), "") or beside_consent(lines)
    said = "" if _THANKS_US.fullmatch(said) or _SENDS_IT.match(said) else said
    kept = Reservation(clean_quote(said), _AFTER_THAT) if said else text.kept
    return replace(text, message="", kept=kept)


def _consents(one: ParsedCommand) -> bool:
    """True for what is said of words or a score, and may be a yes to what is asked instead."""
    agrees = isinstance(one.command, cmd.Done) and "done" not in normalize(one.line)
    return agrees or isinstance(one.command, cmd.Send)


def _sends(text: ParsedText, other: str) -> bool:
    """True for `send it` to nobody but the other, where one is asked whether to send it."""
    said = [normalize(one.line) for one in text.commands if isinstance(one.command, cmd.Send)]
    to = {whom for line in said for whom in re.findall(r"\bto (\w+)", line)}
    return bool(said) and to <= {"him", "her", "them", *normalize(other).split()}


_GREETS = late(
    r"(?i)\b(?:(?:tell|greet) (?!me\b|you\b|us\b)\w|say (?:hi|hello)\b"
    r"|give (?:him|her|them|my)\b|(?:regards|greetings|love) to\b|let (?!me\b|us\b)\w+ know\b)"
)
"""How somebody is asked to be told something."""
_SENDS_IT = late(
    r"(?i)\W*(?:(?:please|do|just|now|and|would you|could you|kindly|bitte) )*(?:send|off|invite"
    r"|go ahead|skicka|schick\w*|envoie\w*|envía\w*)\b"
)
"""Says once more that the invitation shall go."""
_THANKS_US = late(r"(?i)(?:many )?thank(?:s| you)\b[^.!?]*[.!]?")
_AFTER_THAT = (
    "words go with an invitation only where they stand below the line that proposes the game. Once"
    " it has begun, what you write goes to them."
)
_INSTEAD = late(
    r"(?i)\b(?:but|instead|rather|prefer|only|would be|how about|what about|on|meant"
    r"|should (?:be|have been)|make (?:it|that)|or (?:nothing|not at all))\b"
)
"""How a no goes on that wishes for other terms."""


def check_terms(
    text: ParsedText, lines: Sequence[str], choices: tuple[str, str], at: Seated
) -> None:
    """Raises for a yes with terms in it that are not those of the game that is asked about."""
    said = " ".join(line for line in lines if fold_space(line))[:1_000]
    if read_consent(lines) is False and not _INSTEAD.search(said):
        return
    invited = choices == _CONSENT[Awaited.INVITATION]
    vague = cmd.Yes | cmd.Help if invited else cmd.Yes | cmd.No | cmd.Help | cmd.Counter
    named = all(isinstance(one.command, vague) for one in text.commands)
    wished = wished_terms(said) if named else ()
    if not wished or all(map(partial(_as_offered, at), read_terms(wished[0]))):
        return
    if not invited:
        said = f"The invitation does not say “{wished[0]}”"
        raise _not_sent(said, "ask for the other game", _anew(at.game.spec, wished[0]))
    raise Unreadable(
        "The game that you are asked to is on other terms than you say, so I have done nothing. To"
        f" offer yours, reply: accept but {wished[0]}",
        hints=counters(said),
        detail=UNSURE,
    )


_NAMED = 3
"""So few words may be a name with an address."""
_MORE = late(r"(?i)\b(?:also|too|as well|another|second)\b")
"""What is said of one more, and not of another."""


def check_address(lines: Sequence[str], at: Seated) -> None:
    """Raises for an answer that names another address than the one that is to be invited."""
    spec = at.game.spec
    # An address alone, or behind a name, is that of whoever closes the letter with it.
    words = " ".join(line for line in lines if len(line.split()) > _NAMED)[:1_000]
    said = [] if _MORE.search(words) else ADDRESS.findall(words)
    named = [one for one in said if one.casefold() not in (spec.invited.address, at.holder)]
    if named and not spec.open and at.awaits is Awaited.CONFIRMATION:
        whom = f"The invitation would go to {spec.invited.address}, and you write of {named[0]}"
        raise _not_sent(whom, "invite the other", _anew(spec, "", named[0]))


def _not_sent(why: str, otherwise: str, anew: str) -> Unreadable:
    """For a yes to another game than the proposed one, which the line `anew` proposes, if any."""
    return Unreadable(
        f"{why}, so I have not sent it. To send it as it is, reply yes; to forget it, no; to"
        f" {otherwise}, {f'`{anew}`' if anew else 'propose it anew'}",
        hints=(*_CONSENT[Awaited.CONFIRMATION], *filter(None, [anew])),
        detail=UNSURE,
    )


def _anew(spec: Spec, wished: str, other: str = "") -> str:
    """The line that proposes a game again, on some terms in place of its own; "" where none can.

    It is for `other` where that address is given.
    """
    if spec.opening is not None:
        return ""
    changed = {term for term, _ in read_terms(wished)} if wished else set[str]()
    own = {
        "size": str(spec.size),
        "handicap": f"handicap {spec.handicap}" if spec.handicap else "",
        "komi": f"komi {spec.komi:g}" if not changed & {"size", "rules", "handicap"} else "",
        "rules": f"rules {spec.rules}",
        "color": f"as {spec.color.word}" if spec.color else "",
        "rated": "rated" if spec.rated else "",
        "time": str(spec.time or "untimed"),
        "estimates": "estimates" if spec.estimates else "",
        "public": "public" if spec.public else "",
        "rank": f"rank {spec.rank}" if spec.rank else "",
    }
    first, *kept = ["" if term in changed else line for term, line in own.items()]
    name = other or (spec.invited.name if spec.named else spec.invited.address)
    return " ".join(f"new {first} {wished} {' '.join(kept)} vs {name}".split())


def _as_offered(at: Seated, term: tuple[str, object]) -> bool:
    """True where a term is the game's, for whoever has that seat."""
    spec, (name, value) = at.game.spec, term
    if name == "color":
        mine = spec.color if at.seat is Seat.PROPOSER or spec.color is None else spec.color.opponent
        return mine is value
    return value == (str(spec.time or "") if name == "time" else getattr(spec, name))


def vote(yes: bool) -> cmd.Yes | cmd.No:  # noqa: FBT001 - the answer itself
    """The command that a yes or a no is."""
    return cmd.Yes() if yes else cmd.No()


def said_by(lines: Sequence[str], command: cmd.Command) -> ParsedCommand:
    """A command that a letter gives in other words, of which the first line stands for it."""
    return ParsedCommand(clean_quote(next(filter(fold_space, lines), ""), 200), command)
