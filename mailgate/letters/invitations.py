"""The letters of a game that has not started: asked for, invited to, declined ... Pure.

Nothing in an invitation is the proposer's own text but their name, made fit to print: nobody can
make us write what they like to strangers.
"""

from __future__ import annotations

from collections.abc import Iterator

from godaemon.games import events as ev
from godaemon.games.model import Seat
from mailgate.address import shown_address
from mailgate.letters.blocks import Block, Choices, LetterBlocks, Quote, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import ACCEPT, DECLINE, called, plural, shown_name
from mailgate.letters.shared_blocks import board, even_chances, introduced, terms

LINES = 20
"""How many lines of a held letter are repeated."""


def confirm(view: LetterView) -> LetterBlocks:
    """Whether the reader meant it: their own proposal, or a letter from an unknown address."""
    if "held" in view.about:
        return _held(view)
    spec = view.game.spec
    asked = "If you asked for it, reply with: `yes`"
    if spec.teaching:
        first = "Shall I start a game of Go for you to play both sides?"
        yes = "the game begins, and you play both colours"
    elif spec.invited.engine:
        first = (
            f"Shall I begin a game of Go between you and {called(spec.invited)}, a program that"
            " plays here?"
        )
        yes = "the game begins at once"
    elif spec.open:
        first = "Shall I offer a game of Go to anybody who plays here, as was asked in your name?"
        yes = "your challenge is open, and whoever takes it begins the game"
    else:
        first = "Shall I send the invitation to a game of Go that was asked for in your name?"
        invited_ = called(spec.invited) if spec.named else shown_address(spec.invited.address)
        yes = f"the invitation goes out to {invited_}"
    return LetterBlocks(
        f"{first} {asked}",
        (
            Choices((("yes", yes), ("no", "nothing happens, and I forget about it"))),
            *terms(view),
            *_greeting(view),
            Words(
                "If you did not ask for this, ignore this email: nothing happens, and nobody is"
                f" written to. Without an answer I forget about it after {_days(view)}."
            ),
        ),
    )


def _held(view: LetterView) -> LetterBlocks:
    written_from = view.about.get("sender", "an address that I do not know")
    sender = shown_address(written_from)
    lines = view.about.get("lines", ())[:LINES]
    quoted = (Quote("The email says:", tuple(lines)),) if lines else ()
    if view.about.get("why") == "off-turn":
        return _off_turn(view, quoted)
    if view.knows_other(written_from):
        return _held_from_opponent(view, quoted)
    if (why := view.about.get("why")) in _DOUBTS:
        return _held_in_doubt(view, _DOUBTS[why].format(sender=sender), quoted)
    answers = (
        ("yes", "do what that email says, and know that address as yours from now on"),
        _THROW_AWAY,
    )
    warning = (
        f"It came from {sender}, an address that I do not know as yours, and it holds the reply"
        f" address of your seat in game {view.game.id}. If it is not from you, ignore this email:"
        " nothing happens."
    )
    first = (
        f"Was it you who wrote about game {view.game.id} from {sender}? If so, reply with: `yes`"
    )
    return _asked(view, first, answers, quoted, warning)


_THROW_AWAY = ("no", "throw that email away")


def _asked(
    view: LetterView,
    first: str,
    answers: tuple[tuple[str, str], ...],
    quoted: tuple[Block, ...],
    words: str,
) -> LetterBlocks:
    """A question about a letter that waits, above the board that it would act on."""
    return LetterBlocks(
        first, (Choices(answers), *quoted, Words(words), *board(view, clicks=False))
    )


_DOUBTS = {
    "failed": (
        "It names {sender} as its writer, and the check of its sender (DMARC) has failed: it may be"
        " forged, or was forwarded or changed on its way."
    ),
    "old": (
        "It answers an older email of mine, which somebody else may have by now, and it asks for"
        " more than a move. What answers the newest email of a game needs no yes."
    ),
}
"""Why a letter from an address of the reader's own is asked about."""


def _held_in_doubt(view: LetterView, doubt: str, quoted: tuple[Block, ...]) -> LetterBlocks:
    """A letter that seems to be the reader's own, and may not be."""
    first = f"Was it you who wrote to me about game {view.game.id}? If so, reply with: `yes`"
    answers = (("yes", "do what that email says"), _THROW_AWAY)
    warning = f"{doubt} If it is not from you, ignore this email: nothing happens."
    return _asked(view, first, answers, quoted, warning)


def _off_turn(view: LetterView, quoted: tuple[Block, ...]) -> LetterBlocks:
    """Whether the reader means to give a game up in which the other player is to move."""
    answers = (
        ("yes", f"resign game {view.game.id}: it is over, and {view.other} wins"),
        ("no", "play on"),
    )
    said = quoted if len(view.about.get("lines", ())) > 1 else ()
    words = (
        f"It is {view.other}'s turn, so I ask you once before I do it. So far nothing has changed."
    )
    first = f"Do you want to resign game {view.game.id}? If so, reply with: `yes`"
    return _asked(view, first, answers, said, words)


def _held_from_opponent(view: LetterView, quoted: tuple[Block, ...]) -> LetterBlocks:
    """The other player wrote with the reader's own reply address; which theirs is, is not told."""
    answers = (
        _THROW_AWAY,
        ("yes", f"do what it says, and let {view.other} play for you from now on"),
    )
    warning = (
        f"It came from your opponent's own address, and with the reply address of your seat in game"
        f" {view.game.id}, which only my emails to you have. Perhaps you forwarded or copied one:"
        " whoever has it can write as you, so please keep my emails about a running game to"
        " yourself. Nothing has been done."
    )
    first = (
        f"{view.other}, your opponent in game {view.game.id}, has written to me in your place. If"
        " you did not ask for that, reply with: `no`"
    )
    return _asked(view, first, answers, quoted, warning)


def invited(view: LetterView) -> LetterBlocks:
    """The proposer learns that the invitation is on its way."""
    spec = view.game.spec
    if spec.open:
        return _opened(view)
    return LetterBlocks(
        f"Your invitation to game {view.game.id} is on its way to {called(spec.invited)}.",
        (
            Words(f"I will write as soon as there is an answer; I will wait {_days(view)} for it."),
            *introduced(view),
            Choices((("withdraw", "take the invitation back"),)),
            *terms(view),
            *_even_chances(view),
            *_greeting(view),
        ),
    )


def _even_chances(view: LetterView) -> Iterator[Choices]:
    """The invitation that would be an even game, in place of this one."""
    spec = view.game.spec
    rated = " rated" if spec.rated else ""
    line = f"new {spec.size} {{}}{rated} vs {called(spec.invited)}"
    return even_chances(view, line, "; first take this invitation back")


def _opened(view: LetterView) -> LetterBlocks:
    return LetterBlocks(
        f"Your challenge {view.game.id} is open: the game begins as soon as somebody takes it.",
        (
            Words(
                f"It is on the list that `challenges` sends, with your name and no address, for"
                f" {_days(view)}. Whom you have blocked does not see it."
            ),
            Choices((("withdraw", "take the challenge back"),)),
            *terms(view),
            *_greeting(view),
        ),
    )


def _greeting(view: LetterView) -> Iterator[Words]:
    """When the proposer's words will be read; they are not repeated to whom a forger may name."""
    spec = view.game.spec
    if spec.words and not (spec.teaching or spec.invited.engine):
        they = f"{called(spec.invited)} as soon as they accept"
        yield Words(f"Your own words reach {'whoever takes it, at once' if spec.open else they}.")


def invitation(view: LetterView) -> LetterBlocks:
    """To somebody who may never have heard of us."""
    proposer = view.game.spec.proposer
    name, newcomer = shown_name(proposer.name, ""), bool(view.about.get("newcomer"))
    who = f"{name} ({proposer.address})" if name else proposer.address
    if view.game.spec.named:
        who = f"{called(proposer)}, a player here"
    return LetterBlocks(
        "You are invited to a game of Go by email.",
        (
            Words(
                f"The invitation is from {who}. I am a program that looks after games of Go: you"
                " play by answering my emails, with no account and no password."
            ),
            *introduced(view),
            Choices(
                (
                    ACCEPT,
                    DECLINE,
                    *((("learn", "the rules, if you do not know them"),) if newcomer else ()),
                )
            ),
            *terms(view),
            *even_chances(view, "accept but {}"),
            Words(
                f"{_pace(view)} To play on other terms, reply with, for example:"
                f" `{_otherwise(view)}`"
            ),
            Words(
                "If you would rather not, ignoring this email is enough. I write again only if the"
                f" invitation is taken back, or when it ends, after {_days(view)}."
            ),
            Choices(
                (
                    ("block", f"never again an invitation from {called(proposer)}"),
                    ("block all", "never again an invitation from anybody"),
                )
            ),
        ),
    )


def _otherwise(view: LetterView) -> str:
    """An answer with other terms than these, which would be refused."""
    return f"accept but komi {6.5 if view.game.spec.komi == 0.5 else 0.5}"


def _pace(view: LetterView) -> str:
    """What becomes of who takes too long, in a sentence."""
    if view.game.spec.time is None:
        return "There is no hurry: nobody's time is limited."
    return "Each move is one short reply; who lets their time run out loses the game."


def countered(view: LetterView) -> LetterBlocks:
    """Other terms: on their way to the one, for the other to answer."""
    game, yours = view.game, view.game.side(view.seat) is not view.game.offered
    if yours:
        first = f"{view.other} would play game {game.id} with you, on other terms."
        answers: tuple[tuple[str, str], ...] = (
            ("accept", "the game starts on these terms"),
            DECLINE,
            (_otherwise(view), "answer with other terms in turn"),
        )
    else:
        first = f"Your terms for game {game.id} are on their way to {view.other}."
        answers = (("withdraw", "take them back: then there is no game"),)
    return LetterBlocks(first, (*view.words(), *introduced(view), Choices(answers), *terms(view)))


def declined(view: LetterView) -> LetterBlocks:
    """Who asked learns that the answer is no, and who gave it that it has arrived."""
    said_no = next((event.side for event in view.happened(ev.Declined)), "invited")
    what = "terms for" if view.game.counters else "invitation to"
    mine = view.game.side(view.seat).word == said_no
    if view.game.offered.word == said_no:
        back = "You have taken back your" if mine else f"{view.other} has taken back the"
        return LetterBlocks(f"{back} terms for game {view.game.id}.", (*view.words(), *terms(view)))
    if mine:
        return LetterBlocks(
            f"You have declined {view.other}'s {what} game {view.game.id}.",
            (*view.words(), Words(f"{view.other} is told. Nothing else happens.")),
        )
    return LetterBlocks(
        f"{view.other} has declined your {what} game {view.game.id}.",
        (*view.words(), Words("Nothing else happens; the game is closed."), *terms(view)),
    )


def withdrawn(view: LetterView) -> LetterBlocks:
    """A proposal was taken back."""
    if _mine(view):
        what = "open challenge" if view.game.spec.open else f"invitation to {view.other}"
        first = f"You have taken back your {what}, so game {view.game.id} is closed."
        if view.game.spec.open:
            return LetterBlocks(first, (Words("Nothing else happens."),))
        told = f" {view.other} is told." if view.game.confirmed else " Nobody was written to."
        return LetterBlocks(first, (Words(f"Nothing else happens.{told}"),))
    return LetterBlocks(
        f"The invitation to game {view.game.id} has been taken back.",
        (Words("You need not do anything."),),
    )


def expired(view: LetterView) -> LetterBlocks:
    """Nobody answered in time."""
    game = view.game
    if not _mine(view):
        return LetterBlocks(
            f"The invitation to game {game.id} has expired.", (Words("You need not do anything."),)
        )
    if game.spec.open:
        first = (
            f"Nobody has taken your open challenge within {_days(view)}: game {game.id} is closed."
        )
        return LetterBlocks(first, (Words("You can open another."), *terms(view)))
    return LetterBlocks(
        f"{view.other} has not answered within {_days(view)}: game {game.id} is closed.",
        (Words("You can send a new invitation, to them or to somebody else."), *terms(view)),
    )


def _mine(view: LetterView) -> bool:
    return view.game.side(view.seat) is Seat.PROPOSER


def _days(view: LetterView) -> str:
    return plural(view.days, "day")
