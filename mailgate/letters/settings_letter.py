"""The letter about which letters its reader gets: what holds now, and how to change it. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from godaemon.games.model import Phase
from mailgate.letters.blocks import Block, Choices, LetterBlocks, Table, Words
from mailgate.letters.letter_view import LetterView

_NAMES = {"emails": "Emails you get", "receipts": "Receipts of your moves"}
_EMAILS = {
    "all": "all emails",
    "my-turn": "only what awaits you, and how it ends",
    "none": "none but answers to what you write",
}
_RECEIPTS = {
    "on": "an email for each move of yours",
    "off": "no email means that your move stands",
}


def settings(view: LetterView) -> LetterBlocks:
    """What a player has asked for, or what holds, and the replies that change it."""
    asked, everywhere = str(view.about.get("asked", "")), bool(view.about.get("everywhere"))
    first = _first(view, asked, "all your games" if everywhere else _game(view))
    return LetterBlocks(first, (*_note(view, asked), _table(view), *_replies(view)))


def _game(view: LetterView) -> str:
    return f"game {view.game.id}" if view.maybe_game else "all your games"


def _now(view: LetterView, scope: str = "here") -> dict[str, str]:
    """What holds in this game, or elsewhere; the usual where nothing was said."""
    said = dict(view.about.get(scope, {}))
    emails = said.get("emails", "all")
    unsaid = "the first three" if emails == "all" else "off"
    return {"emails": emails, "receipts": said.get("receipts") or unsaid}


def _first(view: LetterView, asked: str, where: str) -> str:
    now = _now(view)
    if asked in {"emails", "stop"}:
        return {
            "all": f"From now on you get all my emails about {where}.",
            "my-turn": f"From now on I write to you about {where} only when something awaits you,"
            " and when it is over.",
        }.get(now["emails"], f"From now on you get no more emails about {where}.")
    if asked == "receipts" and now["receipts"] == "on":
        return f"From now on you get an email for each of your moves in {where}."
    if asked == "receipts":
        return f"From now on you get no email for your own moves in {where}: your move stands."
    return f"These are your settings for {where}."


def _note(view: LetterView, asked: str) -> Iterator[Block]:
    """What to know where no more letters come."""
    if asked not in {"emails", "stop"} or _now(view)["emails"] != "none":
        return
    yield Words("What you write to me is still answered, and nobody is told of this.")
    game = view.maybe_game
    if game and game.phase in {Phase.PLAYING, Phase.SCORING} and not view.teaching:
        yield Words("The game goes on. If you would rather give it up, reply with: `resign`")


def _table(view: LetterView) -> Table:
    """What holds in this game, and in the others."""
    here, elsewhere = _now(view), _now(view, "elsewhere")
    if view.maybe_game is None:
        rows = tuple((_NAMES[name], elsewhere[name]) for name in here)
        return Table(("", "In all games"), rows, figures=False)
    both = tuple((_NAMES[name], here[name], elsewhere[name]) for name in here)
    return Table(("", f"In game {view.game.id}", "In other games"), both, figures=False)


def _replies(view: LetterView) -> Iterator[Block]:
    """The replies that change something: in this game, and everywhere."""
    here, elsewhere = _now(view), _now(view, "elsewhere")
    if view.maybe_game:
        yield Words(f"For game {view.game.id}:")
        yield Choices(tuple(_changes(here, "")))
    yield Words("For all games:")
    same = view.maybe_game is None or here == elsewhere
    yield Choices(tuple(_changes(elsewhere if same else {}, " everywhere")))


def _changes(now: dict[str, str], scope: str) -> Iterator[tuple[str, str]]:
    for name, values in (("emails", _EMAILS), ("receipts", _RECEIPTS)):
        for value, meaning in values.items():
            if now.get(name) != value:
                yield f"{name} {value}{scope}", meaning
