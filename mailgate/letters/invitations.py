"""The letters of a game that has not started: asked for, invited to, declined ... Pure.

Nothing in an invitation is the proposer's own text but their name, made fit to print: nobody can
make us write what they like to strangers.
"""

from __future__ import annotations

from collections.abc import Iterator

from godaemon.games import events as ev
from godaemon.games.model import Seat
from godaemon.texts.catalogue import ENGLISH, retold, say
from mailgate.address import shown_address
from mailgate.letters.blocks import Choices, LetterBlocks, Quote, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import accept, called, decline, shown_name
from mailgate.letters.shared_blocks import board, even_chances, introduced, terms

LINES = 20
"""How many lines of a held letter are repeated."""


def confirm(view: LetterView) -> LetterBlocks:
    """Whether the reader meant it: their own proposal, or a letter from an unknown address.

    Anybody may have written it: the first line has no word of theirs but a name that we know.
    """
    if "held" in view.about:
        return _held(view)
    spec = view.game.spec
    whom = called(spec.invited) if spec.named else shown_address(spec.invited.address)
    if spec.teaching or spec.invited.engine:
        asked, yes = "teaching" if spec.teaching else "program", accept()[1]
    elif spec.open:
        asked, yes = "open", say("yes-open")
    else:
        asked, yes = "named" if spec.named else "someone", say("yes-invite", who=whom)
    answers = Choices((("yes", yes), ("no", say("no-nothing"))))
    ignored = Words(f"{say('not-you')} {say('offer-expires', count=view.days)}")
    first = say(f"asked-{asked}", who=called(spec.invited))
    return LetterBlocks(first, (answers, *terms(view), *_greeting(view), ignored))


_HELD = {
    "unknown": "unknown",
    "failed": "doubt",
    "old": "doubt",
    "off-turn": "off-turn",
    "opponent": "opponent",
}
"""What is asked about a letter, by why it waits."""


def _held(view: LetterView) -> LetterBlocks:
    """Whether a letter that waits is the reader's, above the board that it would act on."""
    sender, lines = view.about.get("sender", ""), view.about.get("lines", ())[:LINES]
    why = view.about.get("why", "")
    if why != "off-turn" and view.knows_other(sender):
        why = "opponent"
    why = why if why in _HELD else "unknown"
    asked = _HELD[why]
    values = {"game": view.game.id, "who": view.other, "sender": shown_address(sender)}
    no = say("no-off-turn" if why == "off-turn" else "no-held")
    answers = (("yes", say(f"yes-{asked}", **values)), ("no", no))
    many = len(lines) > (why == "off-turn")
    quoted = [Quote(say("email-says"), tuple(map(retold, lines)))] if many else []
    doubt = [say(f"doubt-{why}", **values)]
    doubt += [] if why in {"off-turn", "opponent"} else [say("not-you")]
    choices = Choices(answers[::-1] if why == "opponent" else answers)
    blocks = (choices, *quoted, Words(" ".join(doubt)), *board(view, clicks=False))
    return LetterBlocks(say(f"held-{asked}", **values), blocks)


def invited(view: LetterView) -> LetterBlocks:
    """The proposer learns that the invitation is on its way, or that the challenge is open."""
    spec = view.game.spec
    first, waits, back = "you-invited", "invitation-waits", "withdraw"
    if spec.open:
        first, waits, back = "you-opened", "challenge-waits", "withdraw-open"
    rated = " rated" if spec.rated else ""
    even = even_chances(view, f"new {spec.size} {{}}{rated} vs {called(spec.invited)}")
    blocks = (
        *(Words(say(waits, count=view.days)), *introduced(view)),
        *(Choices((("withdraw", say(back)),)), *terms(view)),
        *(() if spec.open else even),
        *_greeting(view),
    )
    return LetterBlocks(say(first, who=called(spec.invited), game=view.game.id), blocks)


def _greeting(view: LetterView) -> Iterator[Words]:
    """When the proposer's words will be read; they are not repeated to whom a forger may name."""
    spec = view.game.spec
    if spec.words and not (spec.teaching or spec.invited.engine):
        yield Words(say("words-wait-open" if spec.open else "words-wait", who=called(spec.invited)))


def invitation(view: LetterView) -> LetterBlocks:
    """To somebody who may never have heard of us."""
    spec = view.game.spec
    proposer, address = spec.proposer, shown_address(spec.proposer.address)
    name = shown_name(proposer.name) if proposer.name else ""
    who = say("name-and-address", name=name, address=address) if name else address
    first = say("invites-you", who=who)
    if spec.named:
        first = say("invites-you-known", who=called(proposer))
    learn = [("learn", say("learn-first"))] if view.about.get("newcomer") else []
    ignored = Words(say("can-ignore", line=_otherwise(view), count=view.days))
    spoken = () if view.data.reader.language in ("", ENGLISH) else (Words(say("in-english")),)
    blocks = (
        *(Words(say("go-by-email")), *introduced(view)),
        *(Choices((accept(), decline(), *learn)), *terms(view)),
        *even_chances(view, "accept but {}"),
        *(ignored, *spoken, Words(say("can-block", who=called(proposer)), small=True)),
    )
    return LetterBlocks(first, blocks)


def _otherwise(view: LetterView) -> str:
    """An answer with other terms than these, which would be refused."""
    return f"accept but komi {6.5 if view.game.spec.komi == 0.5 else 0.5}"


def countered(view: LetterView) -> LetterBlocks:
    """Other terms: on their way to the one, for the other to answer."""
    game = view.game
    mine = game.side(view.seat) is game.offered
    answers = [accept(), decline(), (_otherwise(view), say("counter-again"))]
    if mine:
        answers = [("withdraw", say("withdraw-terms"))]
    first = say("you-counter" if mine else "they-counter", game=game.id, who=view.other)
    choices = Choices(tuple(answers))
    return LetterBlocks(first, (*view.words(), *introduced(view), choices, *terms(view)))


def declined(view: LetterView) -> LetterBlocks:
    """Who asked learns that the answer is no, and who gave it that it has arrived."""
    said_no = next((event.side for event in view.happened(ev.Declined)), "invited")
    what = "declined-terms" if view.game.counters else "declined-invitation"
    if view.game.offered.word == said_no:
        what = "took-back-terms"
    side = "you" if view.game.side(view.seat).word == said_no else "they"
    first = say(f"{side}-{what}", who=view.other, game=view.game.id)
    return LetterBlocks(first, view.words())


def withdrawn(view: LetterView) -> LetterBlocks:
    """A proposal was taken back."""
    if not _mine(view):
        return _gone(view, "invitation-withdrawn")
    sent = "told" if view.game.confirmed else "unsent"
    key = "you-withdrew-open" if view.game.spec.open else f"you-withdrew-{sent}"
    return LetterBlocks(say(key, who=view.other, game=view.game.id), ())


def _gone(view: LetterView, key: str) -> LetterBlocks:
    """What became of an invitation that the reader need not answer any more."""
    return LetterBlocks(f"{say(key, game=view.game.id)} {say('no-answer-needed')}", ())


def expired(view: LetterView) -> LetterBlocks:
    """Nobody answered in time."""
    if not _mine(view):
        return _gone(view, "invitation-expired")
    key = "not-taken" if view.game.spec.open else "not-answered"
    return LetterBlocks(say(key, who=view.other, game=view.game.id, count=view.days), ())


def _mine(view: LetterView) -> bool:
    return view.game.side(view.seat) is Seat.PROPOSER
