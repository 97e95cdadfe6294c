"""The letters about mailboxes: out of reach, left in peace, moving elsewhere, forgotten. Pure."""

from __future__ import annotations

from godaemon.games.model import Phase
from godaemon.texts.catalogue import say
from mailgate.address import shown_address
from mailgate.letters.blocks import Choices, LetterBlocks, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.shared_blocks import board


def unreachable(view: LetterView) -> LetterBlocks:
    """Letters to the other player come back."""
    game = view.game
    if game.phase is Phase.PROPOSED:
        who = view.other if game.spec.named else shown_address(game.spec.invited.address)
        first = say("came-back", game=game.id, who=who)
        back = Choices((("withdraw", say("withdraw")),))
        return LetterBlocks(first, (Words(say("came-back-typo")), back))
    waits = Words(say("unreachable-waits", game=game.id, who=view.other))
    first = say("unreachable", who=view.other)
    return LetterBlocks(first, (waits, *board(view, clicks=False)))


def blocked(view: LetterView) -> LetterBlocks:
    """By whom the reader will not be invited, from now on."""
    about = view.about
    everybody, whom = bool(about.get("everybody")), about.get("whom", "")
    who, what = ("", "all") if everybody else (whom or view.other, whom)
    end = "all" if everybody else "one"
    if not about.get("on"):
        again = Choices(((f"block {what}".strip(), say("block-again")),))
        return LetterBlocks(say(f"unblocked-{end}", who=who), (again,))
    declined = view.maybe_game if about.get("declined") else None
    told = [say("blocked-declined", game=declined.id, who=view.other)] if declined else []
    words = Words(" ".join([*told, say("games-go-on")]))
    undo = Choices(((f"unblock {what}".strip(), say("unblock")),))
    return LetterBlocks(say(f"blocked-{end}", who=who), (words, undo))


def moving(view: LetterView) -> LetterBlocks:
    """Whether a seat, or all of a player's, shall move to another address; or that it has."""
    about = view.about
    old, new = (shown_address(about.get(end, "")) for end in ("old", "new"))
    many = "all" if about.get("all") else "one"
    values = {"game": about.get("number"), "old": old, "new": new}
    if about.get("done"):
        return LetterBlocks(say(f"moved-{many}", **values), (Words(say("moved-then")),))
    if about.get("kept"):
        return LetterBlocks(say(f"not-moved-{many}", **values), ())
    end, other = ("from", new) if about.get("end") == "o" else ("to", old)
    answers = Choices((("yes", say("yes-move")), ("no", say("no-change"))))
    both = Words(say("move-asked-both", other=other))
    return LetterBlocks(say(f"move-{end}-{many}", **values), (answers, both))


def forget(view: LetterView) -> LetterBlocks:
    """Whether all that we have of the reader shall go, and what that comes to; or goodbye."""
    address, games = shown_address(view.about.get("address", "")), view.about.get("open", 0)
    if view.about.get("kept"):
        return LetterBlocks(say("not-forgotten"), ())
    if view.about.get("done"):
        ended = [say("forget-ended", count=games)] if games else []
        goodbye = Words(" ".join([*ended, say("forget-goodbye")]))
        return LetterBlocks(say("forget-done", address=address), (goodbye,))
    answers = Choices((("yes", say("yes-forget")), ("no", say("no-change"))))
    ends = [say("forget-games", count=games)] if games else []
    goes = Words(" ".join([*ends, say("forget-what")]))
    stays = Words(f"{say('forget-not')} {say('not-you')}")
    return LetterBlocks(say("forget-ask", address=address), (answers, goes, stays))
