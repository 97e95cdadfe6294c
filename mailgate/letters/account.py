"""The letters about mailboxes: out of reach, left in peace, or moving elsewhere. Pure."""

from __future__ import annotations

from godaemon.games.model import Phase
from mailgate.address import shown_address
from mailgate.letters.blocks import Choices, LetterBlocks, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.shared_blocks import board, terms


def unreachable(view: LetterView) -> LetterBlocks:
    """Letters to the other player come back."""
    game = view.game
    if game.phase is Phase.PROPOSED:
        invited = game.spec.invited
        who = view.other if game.spec.named else shown_address(invited.address)
        return LetterBlocks(
            f"Your invitation to game {game.id} could not be delivered to {who}: it came back.",
            (
                Words(
                    "Perhaps there is a typo in the address. You can take the invitation back, and"
                    " send another one."
                ),
                Choices((("withdraw", "take the invitation back"),)),
                *terms(view),
            ),
        )
    return LetterBlocks(
        f"{view.other} cannot be reached by mail at the moment: my emails come back.",
        (
            Words(
                f"Nothing of game {game.id} is lost, and you need not do anything. It goes on as"
                f" soon as {view.other} writes to me again. I tell you this once; if you know"
                " another way to reach them, a word from you may help."
            ),
            *board(view, clicks=False),
        ),
    )


def blocked(view: LetterView) -> LetterBlocks:
    """By whom the reader will not be invited, from now on."""
    about = view.about
    everybody = bool(about.get("everybody"))
    who = "anybody" if everybody else view.other
    if about.get("on"):
        game = view.maybe_game
        no = game is not None and game.phase is Phase.DECLINED
        other = f"and {view.other} is told so" if no else ""
        declined = f"The invitation to game {view.game.id} is declined, {other}. " if no else ""
        told = "Nobody is told that." if everybody else f"{who} is not told that."
        undo = "unblock all" if everybody else "unblock"
        return LetterBlocks(
            f"From now on I bring you no invitations from {who}.",
            (
                Words(f"{told} {declined}Games that have started go on."),
                Choices(((undo, "let invitations through again"),)),
            ),
        )
    return LetterBlocks(
        f"From now on {who} can invite you to games again.",
        (Choices((("block all" if everybody else "block", "no invitations after all"),)),),
    )


def moving(view: LetterView) -> LetterBlocks:
    """Whether a seat, or all of a player's, shall move to another address; or that it has."""
    about = view.about
    old, new = (shown_address(str(about.get(end, ""))) for end in ("old", "new"))
    what = "all your games" if about.get("all") else f"game {about.get('number')}"
    if about.get("done"):
        return LetterBlocks(
            f"From now on my emails about {what} go to {new}.",
            (
                Words(
                    "This address is no longer that of your seat, and your opponents are not told"
                    " of the change. To move back, write to me from the new address."
                ),
            ),
        )
    yes = ("yes", f"my emails about {what} go to {new} once both addresses have said so")
    no = ("no", "everything stays as it is")
    ignore = Words(
        "If you did not ask for this, ignore this email or answer no: nothing happens without a"
        " yes from both addresses."
    )
    theirs = "all their games" if about.get("all") else what
    if about.get("end") == "o":
        first = f"Shall {what} move from this address to {new}? If you asked for it, reply with:"
        also = Words(f"I have asked at {new} too, and need a yes from there as well.")
        return LetterBlocks(f"{first} `yes`", (Choices((yes, no)), also, ignore))
    return LetterBlocks(
        f"Shall the Go player at {old} get my emails about {theirs} here instead? If that is you,"
        " reply with: `yes`",
        (
            Choices((("yes", "they come here once both addresses have said so"), no)),
            Words(f"I have asked at {old} too, and need a yes from there as well."),
            ignore,
        ),
    )
