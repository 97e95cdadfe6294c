"""The letters about mailboxes: out of reach, left in peace, moving elsewhere, forgotten. Pure."""

from __future__ import annotations

from godaemon.games.model import Phase
from mailgate.address import shown_address
from mailgate.letters.blocks import Choices, LetterBlocks, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import plural
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
    whom = about.get("whom", "")
    who = "anybody" if everybody else whom or view.other
    what = "all" if everybody else whom
    if about.get("on"):
        game = view.maybe_game
        declined = ""
        if game is not None and about.get("declined"):
            declined = (
                f"The invitation to game {game.id} is declined, and {view.other} is told so. "
            )
        told = "Nobody is told that." if everybody else f"{who} is not told that."
        return LetterBlocks(
            f"From now on I bring you no invitations from {who}.",
            (
                Words(f"{told} {declined}Games that have started go on."),
                Choices(((f"unblock {what}".strip(), "let invitations through again"),)),
            ),
        )
    return LetterBlocks(
        f"From now on {who} can invite you to games again.",
        (Choices(((f"block {what}".strip(), "no invitations after all"),)),),
    )


def moving(view: LetterView) -> LetterBlocks:
    """Whether a seat, or all of a player's, shall move to another address; or that it has."""
    about = view.about
    old, new = (shown_address(about.get(end, "")) for end in ("old", "new"))
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
    theirs = "all their games" if about.get("all") else what
    if about.get("kept"):
        whose = what if about.get("end") == "o" else theirs
        return LetterBlocks(f"Then all stays as it is: my emails about {whose} go to {old}.", ())
    yes = ("yes", f"my emails about {what} go to {new} once both addresses have said so")
    no = ("no", "everything stays as it is")
    ignore = Words(
        "If you did not ask for this, ignore this email or answer no: nothing happens without a"
        " yes from both addresses."
    )
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


def forget(view: LetterView) -> LetterBlocks:
    """Whether all that we have of the reader shall go, and what that comes to; or goodbye."""
    address, games = shown_address(view.about.get("address", "")), view.about.get("open", 0)
    count = plural(games, "open game")
    if view.about.get("kept"):
        return LetterBlocks("Then all stays as it is: I have forgotten nothing.", ())
    if view.about.get("done"):
        ended = f"Your {count} {'has' if games == 1 else 'have'} ended. " if games else ""
        return LetterBlocks(
            f"Goodbye: I am forgetting all that I have of you at {address}.",
            (
                Words(
                    f"{ended}As soon as this email has gone out, and those to your opponents,"
                    " nothing here names you any more. Thank you for having played! Whoever writes"
                    " to me from this address again is somebody new."
                ),
            ),
        )
    end = (
        f"Your {count} {'ends' if games == 1 else 'end'}: what is being played is resigned, and"
        " invitations are taken back or declined; your opponents are told, as ever. "
    )
    return LetterBlocks(
        f"Shall I forget all that I have of you at {address}? If you asked for it, reply with:"
        " `yes`",
        (
            Choices((("yes", "forget me; nobody can undo it"), ("no", "all stays as it is"))),
            Words(
                f"This happens with your yes. {end if games else ''}In the games that other people"
                " have played with you, your name becomes “a former player”; your address, your"
                " words and your notes go. Games that you have played alone or against a program"
                " are deleted, and so are your settings and all else that is yours."
            ),
            Words(
                "What others have is not mine to take: emails that they were sent, and what they"
                " wrote. Backups that were made before still hold you, for as long as the people"
                " who run this server keep them. If you would like to keep your games, answer"
                " with `export` first, and then with yes."
            ),
            Words(
                "If you did not ask for this, ignore this email or answer no: nothing happens"
                " without a yes from this address."
            ),
        ),
    )
