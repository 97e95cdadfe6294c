"""Requests about a player's address: no invitations, letters to another one, or to be forgotten.

Each function looks at what is asked, raises a `Refusal`, or gives back what writes it down.
"""

from __future__ import annotations

from functools import partial

from godaemon.errors import NotAllowed, Unreadable
from godaemon.games import commands as cmd
from godaemon.games import invitation_blocks
from godaemon.games.acquaintances import acquaintances, called, knows_address, name_told
from godaemon.games.forgetting import forgotten_today
from godaemon.games.model import GOING, Phase, Player
from godaemon.games.notices import Kind
from godaemon.games.people import person
from godaemon.games.transfers import check_transfer
from mailgate.address import clean_quote, parse_address
from mailgate.handling.context import Answer, LetterContext
from mailgate.handling.seated import Seated
from mailgate.handling.sureness import Sure, reply_wanted

MOVES_A_DAY = 3
"""So often in a day one address can be asked whether games shall come there."""


def block(context: LetterContext, command: cmd.Block | cmd.Unblock, at: Seated | None) -> Answer:
    """Block or unblock invitations from the other player of the game, or from anybody.

    Only a letter that is its sender's own can ask for it: one that answers the newest of ours, or
    one that the mail server vouches for.
    """
    other, whom = _blocked(context, command, at)
    on = isinstance(command, cmd.Block)
    return partial(_set_block, context, on, other, at, whom=whom)


def _blocked(
    context: LetterContext, command: cmd.Block | cmd.Unblock, at: Seated | None
) -> tuple[str | None, str]:
    """The address of who is meant, None for anybody; and how an absent one is called."""
    word = "block" if isinstance(command, cmd.Block) else "unblock"
    if command.whom and not _is_opponent(command.whom, at):
        if context.sure < Sure.VOUCHED:
            raise reply_wanted(f"{word} {command.whom}")
        named = _named(context, command.whom, word)
        return named.address, named.name
    if command.everybody and (at is not None or context.sure >= Sure.VOUCHED):
        return None, ""
    if at is None:
        raise Unreadable(
            f"I cannot tell whom you mean. Please answer an email of a game with that player,"
            f" on its first line, with: {word}",
            hints=(f"{word} all",) if context.sure >= Sure.VOUCHED else ("games",),
        )
    return _other_player(at), ""


def _is_opponent(whom: str, at: Seated | None) -> bool:
    """True for the other player by name. Whether an address is theirs nobody learns by asking."""
    return at is not None and bool(called(whom, (), [at.opponent]))


def _named(context: LetterContext, whom: str, word: str) -> Player:
    """Somebody who is named by their address, or by a name that the sender knows."""
    if "@" in whom:
        return Player(parse_address(whom).address, whom)
    found = called(whom, (), acquaintances(context.unit, context.sender))
    if len(found) != 1:
        raise Unreadable(
            f"You have met {'several people' if found else 'nobody'} called “{clean_quote(whom)}”"
            f" here. Nothing was changed. Please write {word} with the address, or answer an email"
            f" of a game with that player with: {word}",
            hints=("games",),
        )
    return found[0]


def _other_player(at: Seated) -> str:
    if at.game.spec.teaching or not at.opponent.mailed:
        raise Unreadable(
            "There is no other person in this game whose invitations I could keep from you.",
            hints=("block all", "unblock all"),
        )
    return at.opponent.address


def _set_block(
    context: LetterContext,
    on: bool,  # noqa: FBT001 - bound above by its name
    other: str | None,
    at: Seated | None,
    *,
    whom: str,
) -> None:
    change = invitation_blocks.block if on else invitation_blocks.unblock
    for address in {context.whose(at), context.sender}:
        change(context.unit, address, other)
    about: dict[str, object] = {"on": on, "everybody": other is None}
    about |= {"whom": whom} if whom else {}
    if at is not None and at.game.phase is Phase.DECLINED:
        *_, last = context.unit.games.log(at.game.id)
        about |= {"declined": True} if last.cause == context.caller.cause else {}
    context.owe(Kind.BLOCKED, at, about=about)


def blocked(context: LetterContext) -> list[str]:
    """By whom the sender will not be invited: by name where they were told the address as well."""
    unit, sender = context.unit, context.sender
    others = unit.players.blocks(person(sender))
    return sorted(
        (name_told(unit, sender, one) or "somebody else") if one else "anybody" for one in others
    )


def relocate(context: LetterContext, command: cmd.Relocate, at: Seated | None) -> Answer:
    """Ask both addresses whether a seat, or all of the sender's, shall move."""
    if at is None:
        raise Unreadable(
            "I cannot tell which game shall move. Please answer an email of that game, on its first"
            f" line, with: move me to {command.address}",
            hints=("games",),
        )
    if context.is_ours(command.address):
        raise Unreadable("That is my own address. Nothing was changed.")
    told = knows_address(context.unit.games.log(at.game.id))
    check_transfer(at.game, at.seat, command.address, told=told)
    if context.limits.too_many(command.address, (Kind.MOVING,), most=MOVES_A_DAY):
        raise NotAllowed(
            f"I have asked at {command.address} often enough today; please try again tomorrow."
        )
    return partial(_ask_both, context, command, at)


def _ask_both(context: LetterContext, command: cmd.Relocate, at: Seated) -> None:
    old, new = at.holder, command.address
    about = _begin(context, None if command.everything else at.game.id, old, new)
    about |= {"old": old, "new": new, "all": command.everything, "number": at.game.id}
    there = {**about, "end": "o"}
    context.owe(Kind.MOVING, at, to=old, about=there, answers=_answers(context, old))
    # Who is asked at the new address may be a stranger still: nothing of the game is shown there.
    context.owe(Kind.MOVING, to=new, about={**about, "end": "n"}, answers="")


def forget(context: LetterContext, _: cmd.Forget, at: Seated | None) -> Answer:
    """Ask at the address itself, which alone can say yes; so it need not be sure who asked."""
    address = context.whose(at)
    if forgotten_today(context.games, address):
        raise NotAllowed(
            "I have forgotten you within a day already, and do so once a day. Please write again"
            " tomorrow."
        )
    if context.limits.too_many(address, (Kind.FORGET,), most=MOVES_A_DAY):
        raise NotAllowed(
            f"I have asked at {address} often enough today whether I shall forget you; please"
            " answer one of these emails with yes, or try again tomorrow."
        )
    return partial(_ask_whether, context, address)


def _ask_whether(context: LetterContext, address: str) -> None:
    games = context.unit.games.summaries(address, GOING)
    about = _begin(context, None, address, "")
    about |= {"end": "o", "address": address, "open": len(games)}
    context.owe(Kind.FORGET, to=address, about=about, answers=_answers(context, address))


def _begin(context: LetterContext, game: int | None, old: str, new: str) -> dict[str, object]:
    """Write down what is asked, and what the letters that ask it carry for their answers."""
    nonce = context.games.chance.nonce()
    number = context.unit.players.begin_transfer(game, old, new, nonce, context.now)
    return {"moving": number, "nonce": nonce}


def _answers(context: LetterContext, address: str) -> str | None:
    """To its sender our letter is an answer; to another address of theirs it is none."""
    return None if address.casefold() == context.sender.casefold() else ""
