"""The letter about which letters its reader gets: what they have changed, or what holds. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from godaemon.diagrams.board_style import SIDES, BoardStyle
from godaemon.games.model import Phase
from godaemon.games.player_calendar import BUDGET
from godaemon.rules.points import Point
from godaemon.texts.catalogue import ENGLISH, own_name, say
from mailgate.letters.blocks import Diagram, LetterBlocks, Table, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import rating_in_words, shown_name
from mailgate.letters.time_phrases import moment

_SAMPLE = (".......", "....w..", "..b....", ".......", "..w.b..", ".......", ".......")
_EMAILS = {
    "all": ("emails my-turn", "digest at 19", "stop"),
    "my-turn": ("emails all", "digest at 19", "stop"),
    "daily": ("emails all", "emails my-turn", "stop"),
    "none": ("emails all", "emails my-turn"),
}
"""The lines that change which emails come, by what holds."""
_OWN = {
    "words": ("ask", "words send", "words ask"),
    "zone": ("UTC", "timezone Europe/Berlin", "timezone Europe/Berlin"),
    "language": (ENGLISH, "language de", "language en"),
    "weekends": ("on", "weekends off", "weekends on"),
    "by_itself": ("off", "vacation automatic", "vacation automatic off"),
    "calendar": ("off", "calendar on", "calendar off"),
    "plain": ("off", "plain on", "plain off"),
    "name": ("", "name Margaret", "name off"),
    "line": ("", "i am 5 kyu, Berlin", "i am nobody"),
    "listed": ("off", "players on", "players off"),
}
"""What holds in all games: the usual value, a line that changes it, one that changes it back."""
_TOLD = {"zone", "language", "name", "line"}
"""Those whose value is told as it is."""
_ROWS = {"sends_words": "words", "weekends_off": "weekends", "by itself": "by_itself"}
"""The settings whose names here are others."""


def settings(view: LetterView) -> LetterBlocks:
    """What a player has changed, and how to take it back; or what holds, and how to change it."""
    asked = view.about.get("asked", "")
    if asked in {"stop", "digest", "emails", "receipts", "reviews"}:
        return _emails(view, "emails" if asked in {"stop", "digest"} else asked)
    if asked == "vacation":
        return _vacation(view)
    if asked == "boards":
        return LetterBlocks(
            say("now-boards"), (Diagram(_SAMPLE, Point(4, 2)), _change(*_looks(view)))
        )
    name = _ROWS.get(asked, asked)
    return _own(view, name) if name in _OWN else _all(view)


def _change(*lines: str, everywhere: str = "") -> Words:
    """The lines that change what was just set, and one that sets the same for all games."""
    key = "change-setting-here" if everywhere else "change-setting"
    return Words(say(key, lines=_sent(lines), everywhere=everywhere))


def _sent(lines: tuple[str, ...]) -> str:
    return say("comma").join(f"`{line}`" for line in lines)


def _own(view: LetterView, name: str) -> LetterBlocks:
    """What holds in all games, and has been changed."""
    return LetterBlocks(_told(view, "now", name), (_change(_line(view, name)),))


def _told(view: LetterView, key: str, name: str) -> str:
    """A setting in words: `now-KEY` in a sentence, `value-KEY` in a table."""
    profile = _profile(view)
    value = own_name(profile[name]) if name == "language" else profile[name]
    if key == "value" and name in _TOLD and value:
        return value
    state = (
        "" if name in {"zone", "language"} else "-changed" if _is_changed(view, name) else "-usual"
    )
    return say(f"{key}-{name}{state}", value=value, zone=profile["zone"])


def _line(view: LetterView, name: str) -> str:
    return _OWN[name][1 + _is_changed(view, name)]


def _is_changed(view: LetterView, name: str) -> bool:
    return _profile(view)[name] != _OWN[name][0]


def _profile(view: LetterView) -> dict[str, str]:
    usual = {"digest": "7:00", "vacations": "", "days_left": f"{BUDGET.days}", "boards": ""}
    usual |= {name: at_first for name, (at_first, *_) in _OWN.items()}
    usual |= view.about.get("profile", {})
    return {**usual, "name": shown_name(usual["name"]) if usual["name"] else ""}


# -- what holds by game ------------------------------------------------------------------------
def _now(view: LetterView, scope: str = "here") -> dict[str, str]:
    """What holds in this game, or elsewhere; the usual where nothing was said."""
    said = dict(view.about.get(scope, {}))
    emails = said.get("emails") or "all"
    receipts = said.get("receipts") or ("first" if emails == "all" else "off")
    return {"emails": emails, "receipts": receipts, "reviews": said.get("reviews") or "off"}


def _lines(name: str, now: str) -> tuple[str, ...]:
    """The lines that change one of these."""
    if name == "emails":
        return _EMAILS[now]
    return (f"{name} {'on' if now == 'off' else 'off'}",)


def _hour(view: LetterView) -> str:
    return say("hour-in-zone", hour=_profile(view)["digest"], zone=_profile(view)["zone"])


def _emails(view: LetterView, name: str) -> LetterBlocks:
    """Which emails come from now on; the way back, and the same for all games."""
    now, game = _now(view)[name], view.maybe_game
    everywhere = bool(view.about.get("everywhere")) or game is None
    number, scope = game.id if game is not None else 0, "everywhere" if everywhere else "here"
    first = say(f"now-{name}-{now}-{scope}", game=number, hour=_hour(view))
    notes = tuple(map(Words, filter(None, [" ".join(_notes(view, name, everywhere=everywhere))])))
    back = _lines(name, now)[0]
    if everywhere:
        return LetterBlocks(first, (*notes, _change(f"{back} everywhere")))
    same = "stop all" if now == "none" else f"{name} {now} everywhere"
    return LetterBlocks(first, (*notes, _change(back, everywhere=same)))


def _notes(view: LetterView, name: str, *, everywhere: bool) -> Iterator[str]:
    """What to know where emails end."""
    now, game = _now(view)[name], view.maybe_game
    if (name, now) == ("receipts", "off"):
        yield say("receipts-off-note")
    if (name, now) == ("emails", "daily"):
        yield say("daily-note")
        if view.about.get("asked") != "digest":
            yield say("daily-hour")
    if (name, now) != ("emails", "none"):
        return
    yield say("none-note")
    if everywhere:
        yield say("none-everywhere-note")
    elif game is not None and game.phase in {Phase.PLAYING, Phase.SCORING} and not view.teaching:
        if game.clock is not None:
            yield say("none-clock-note")
        yield say("none-game-note", who=view.other)


# -- vacations ---------------------------------------------------------------------------------
def _vacation(view: LetterView) -> LetterBlocks:
    """From when until when the reader's clock is paused; or that it runs again."""
    about, clocks = view.about, bool(view.about.get("games"))
    left = say("break-days-left", left=_profile(view)["days_left"], all=BUDGET.days)
    if not about.get("until"):
        over = "break-over" if clocks else "break-over-idle"
        return LetterBlocks(say(over if about.get("begun", True) else "break-none"), (Words(left),))
    since, until = (datetime.fromisoformat(about[one]) for one in ("since", "until"))
    key = "break-begun" if clocks else "break-begun-idle"
    key = "break-planned" if since > view.data.owed_at else key
    notes = [] if clocks else [say("no-clock-to-pause")]
    notes += [say("break-note")]
    if (least := about.get("least", "")) and datetime.fromisoformat(least) < until:
        notes.append(say("break-least", moment=moment(view, datetime.fromisoformat(least))))
    first = say(key, begin=moment(view, since), end=moment(view, until))
    return LetterBlocks(first, (Words(" ".join(notes)), Words(f"{left} {say('break-end')}")))


# -- all that can be set -----------------------------------------------------------------------
def _all(view: LetterView) -> LetterBlocks:
    """A table of what holds, with the lines that change it."""
    game, rows = view.maybe_game, [*_by_game(view), *_by_reader(view)]
    notes = [say("change-everywhere", game=game.id)] if game is not None else []
    notes += [say("changed-by-you")] if any(changed for *_, changed in rows) else []
    head = (say("setting-head"), say("setting-now"), say("setting-reply"))
    shown = tuple(
        (say(f"setting-{name}"), say("changed-value", value=now) if changed else now, _sent(lines))
        for name, now, lines, changed in rows
    )
    first = say("settings-here", game=game.id) if game is not None else say("settings-everywhere")
    return LetterBlocks(first, (Table(head, shown, figures=False), *map(Words, notes)))


_Row = tuple[str, str, tuple[str, ...], bool]
"""A setting's name and value, the lines that change it, and whether the reader has chosen it."""


def _by_game(view: LetterView) -> Iterator[_Row]:
    """What may differ between games."""
    here, others, hour = _now(view), _now(view, "elsewhere"), _hour(view)
    chosen = {**view.about.get("elsewhere", {}), **view.about.get("here", {})}
    for name, now in here.items():
        value = say(f"value-{name}-{now}", hour=hour)
        if view.maybe_game is not None and now != others[name]:
            other = say(f"value-{name}-{others[name]}", hour=hour)
            value = say("value-here", here=value, others=other)
        yield name, value, _lines(name, now), chosen.get(name, "") not in ("", "all")


def _by_reader(view: LetterView) -> Iterator[_Row]:
    """What holds in all games."""
    profile, rating = _profile(view), view.about.get("rating")
    yield from (_own_row(view, name) for name in ("language", "words", "zone", "weekends"))
    automatic = _is_changed(view, "by_itself")
    key = "value-vacation-changed" if automatic else "value-vacation-usual"
    left = say(key, left=profile["days_left"], all=BUDGET.days)
    lines = () if automatic else ("vacation 1 week",)
    yield "vacation", left, (*lines, _line(view, "by_itself")), automatic
    for span in profile["vacations"].split():
        begin, end = (moment(view, datetime.fromisoformat(one)) for one in span.split("/"))
        yield "away", say("from-until", begin=begin, end=end), ("back",), True
    yield from (_own_row(view, name) for name in ("calendar", "plain"))
    yield from _boards(view)
    yield from (_own_row(view, name) for name in ("name", "line"))
    yield "rating", rating_in_words(rating) if rating else say("value-rating-none"), (), False
    yield _own_row(view, "listed")


def _own_row(view: LetterView, name: str) -> _Row:
    return name, _told(view, "value", name), (_line(view, name),), _is_changed(view, name)


def _boards(view: LetterView) -> Iterator[_Row]:
    style, (shown, signs, *sides) = BoardStyle.of(_profile(view)["boards"]), _looks(view)
    pictures = "on" if style.pictures else "off"
    yield "pictures", say(f"value-pictures-{pictures}"), (shown,), style.pictures
    drawn = "signs" if style.signs else "letters"
    yield "boards", say(f"value-boards-{drawn}"), (signs,), style.signs
    where = next(name for name, count in SIDES.items() if count == style.sides)
    yield "coordinates", say(f"value-coordinates-{where}"), (sides[-1],), where != "on"


def _looks(view: LetterView) -> tuple[str, ...]:
    """The lines that change how boards look: in HTML, in text, and then the coordinates."""
    style = BoardStyle.of(_profile(view)["boards"])
    others = (name for name, sides in SIDES.items() if sides != style.sides)
    first = ("table" if style.pictures else "picture", "letters" if style.signs else "signs")
    return tuple(f"boards {name}" for name in (*first, *(f"coordinates {one}" for one in others)))
