"""Requests about an address: no invitations, letters to another one, or to be forgotten."""

from __future__ import annotations

from typing import Any

from godaemon.errors import NotAllowed, Unreadable
from godaemon.games import commands as cmd
from godaemon.games import people
from godaemon.games.forgetting import forgotten_today
from godaemon.games.model import GOING, Phase, Player
from godaemon.games.notices import Kind
from godaemon.games.people import acquaintances, called, knows_address, name_told, person
from godaemon.games.transfers import check_transfer
from godaemon.texts.catalogue import told
from mailgate.address import clean_quote, parse_address
from mailgate.handling.context import Answer, LetterContext
from mailgate.handling.seated import Seated
from mailgate.handling.sureness import Sure, reply_wanted

MOVES_A_DAY = 3  # so often in a day one address can be asked whether games shall come there


def block(context: LetterContext, command: cmd.Block | cmd.Unblock, at: Seated | None) -> Answer:
    """Block or unblock invitations from the other player, from somebody named, or from anybody."""
    whom = _blocked(context, command, at)
    on = isinstance(command, cmd.Block)

    def _set() -> None:
        change = people.block if on else people.unblock
        for address in {context.whose(at), context.sender}:
            change(context.unit, address, whom.address if whom else None)
        about: dict[str, Any] = {"whom": whom.name} if whom and whom.name else {}
        if at is not None and at.game.phase is Phase.DECLINED:
            *_, last = context.unit.games.log(at.game.id)
            about |= {"declined": True} if last.cause == context.caller.cause else {}
        context.owe(Kind.BLOCKED, at, on=on, everybody=whom is None, **about)

    return _set


def _blocked(
    context: LetterContext, command: cmd.Block | cmd.Unblock, at: Seated | None
) -> Player | None:
    """Who is meant, with the name of an absent one; None for anybody."""
    word = "block" if isinstance(command, cmd.Block) else "unblock"
    sure = context.sure >= Sure.VOUCHED
    # Whether an address is the opponent's nobody learns by asking.
    theirs = command.whom and at is not None and called(command.whom, (), [at.opponent])
    if command.whom and not theirs:
        if not sure:
            raise reply_wanted(f"{word} {command.whom}")
        return _named(context, command.whom, word)
    if command.everybody and (at is not None or sure):
        return None
    if at is None:
        raise Unreadable(
            told("block-whom", line=word),
            hints=(f"{word} all",) if sure else ("games",),
        )
    if at.game.spec.teaching or not at.opponent.mailed:
        raise Unreadable(told("block-nobody"), hints=("block all", "unblock all"))
    return Player(at.opponent.address, "")


def _named(context: LetterContext, whom: str, word: str) -> Player:
    if "@" in whom:
        return Player(parse_address(whom).address, whom)
    found = called(whom, (), acquaintances(context.unit, context.sender))
    if len(found) != 1:
        key = "met-several" if found else "met-nobody"
        raise Unreadable(told(key, name=clean_quote(whom), line=word), hints=("games",))
    return found[0]


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
        raise Unreadable(told("move-which", address=command.address), hints=("games",))
    if context.is_ours(command.address):
        raise Unreadable(told("move-to-me"))
    known = knows_address(context.unit.games.log(at.game.id))
    check_transfer(at.game, at.seat, command.address, told=known)
    if context.limits.too_many(command.address, (Kind.MOVING,), most=MOVES_A_DAY):
        raise NotAllowed(told("asked-there", address=command.address))
    everything = command.everything

    def _ask_both() -> None:
        old, new = at.holder, command.address
        about = _begin(context, None if everything else at.game.id, old, new)
        about |= {"old": old, "new": new, "all": everything, "number": at.game.id}
        context.owe(Kind.MOVING, at, to=old, answers=_answers(context, old), **about, end="o")
        # At the new address may be a stranger still: nothing of the game is shown there.
        context.owe(Kind.MOVING, to=new, answers="", **about, end="n")

    return _ask_both


def forget(context: LetterContext, _: cmd.Forget, at: Seated | None) -> Answer:
    """Ask at the address itself, which alone can say yes; so it need not be sure who asked."""
    address = context.whose(at)
    if forgotten_today(context.games, address):
        raise NotAllowed(told("forgotten-today"))
    if context.limits.too_many(address, (Kind.FORGET,), most=MOVES_A_DAY):
        raise NotAllowed(told("forget-asked", address=address))

    def _ask_whether() -> None:
        games = context.unit.games.summaries(address, GOING)
        about = _begin(context, None, address, "") | {"address": address, "open": len(games)}
        context.owe(Kind.FORGET, to=address, answers=_answers(context, address), **about, end="o")

    return _ask_whether


def _begin(context: LetterContext, game: int | None, old: str, new: str) -> dict[str, Any]:
    nonce = context.games.chance.nonce()
    number = context.unit.players.begin_transfer(game, old, new, nonce, context.now)
    return {"moving": number, "nonce": nonce}


def _answers(context: LetterContext, address: str) -> str | None:
    """To its sender our letter is an answer; to another address of theirs it is none."""
    return None if address.casefold() == context.sender.casefold() else ""
