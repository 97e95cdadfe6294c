"""The letter about its reader's settings: the change of one, or a table of all."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from godaemon.diagrams.board_style import FORMS, SIDES
from godaemon.games.model import Phase
from godaemon.games.player_calendar import DEFAULT_TIME
from godaemon.games.vacations import DAYS_PER_YEAR, planned_vacations, vacation_left
from godaemon.rules.points import Point
from godaemon.texts.catalogue import ENGLISH, own_name, say
from mailgate.letters.blocks import Diagram, LetterBlocks, Table, Words, join_sentences, words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import (
    about_games,
    display_name,
    introduction_in_words,
    rating_in_words,
)
from mailgate.letters.time_phrases import moment_in_words

_SAMPLE = (".......", "....w..", "..b....", ".......", "..w.b..", ".......", ".......")
_EMAILS = {
    "all": ("emails my-turn", "digest at 19", "stop"),
    "my-turn": ("emails all", "digest at 19", "stop"),
    "daily": ("emails all", "emails my-turn", "stop"),
    "none": ("emails my-turn", "emails all"),
}
"""The lines to offer for changing which emails come, by the current value."""
_PROFILE_SETTINGS = {
    "language": ("language", "language de", "language en"),
    "words": ("sends_words", "words send", "words ask"),
    "zone": ("zone", "timezone Europe/Berlin", "timezone Europe/Berlin"),
    "weekends": ("weekends_off", "weekends off", "weekends on"),
    "by_itself": ("away_by_itself", "vacation automatic", "vacation automatic off"),
    "calendar": ("calendar", "calendar on", "calendar off"),
    "plain": ("plain", "plain on", "plain off"),
    "name": ("name", "name Margaret", "name off"),
    "line": ("line", "i am 5 kyu, Berlin", "i am nobody"),
    "listed": ("listed", "players on", "players off"),
}
"""Settings for all games: its place in the profile, a line that changes it, one that resets it."""
_SETTING_OF_COMMAND = {
    "stop": "emails",
    "digest": "emails",
    "sends_words": "words",
    "weekends_off": "weekends",
    "by itself": "by_itself",
}
"""The settings that commands of another name change."""


def settings(view: LetterView) -> LetterBlocks:
    """A setting that was just changed and how to undo that; or a table of all settings."""
    command = view.about.get("asked", "")
    name = _SETTING_OF_COMMAND.get(command, command)
    if name in {"emails", "receipts", "reviews"}:
        return _emails_letter(view, name)
    if name == "vacation":
        return _vacation_letter(view)
    if name == "boards":
        change = _how_to_change(*_board_kind_lines(view), *_coordinate_lines(view))
        return LetterBlocks(say("now-boards"), (Diagram(_SAMPLE, Point(4, 2)), change))
    if name in _PROFILE_SETTINGS:
        change = _how_to_change(_line_to_change(view, name))
        return LetterBlocks(_setting_in_words(view, "now", name), (change,))
    return _all_settings(view)


def _how_to_change(*lines: str, everywhere: str = "") -> Words:
    """The lines that change the setting again, and one that sets it for all games."""
    key = "change-setting-here" if everywhere else "change-setting"
    return Words(say(key, lines=_quote_lines(lines), everywhere=everywhere))


def _quote_lines(lines: tuple[str, ...]) -> str:
    marks = ("``" if line in _EXAMPLES else "`" for line in lines)
    return say("comma").join(f"{mark}{line}{mark}" for mark, line in zip(marks, lines, strict=True))


_EXAMPLES = ("digest at 19", "timezone Europe/Berlin", "name Margaret", "i am 5 kyu, Berlin")
"""Example lines: the reader changes a part."""


# -- settings for all games --------------------------------------------------------------------
def _is_changed(view: LetterView, name: str) -> bool:
    value = getattr(view.data.reader, _PROFILE_SETTINGS[name][0])
    return bool(value) and value != ENGLISH


def _line_to_change(view: LetterView, name: str) -> str:
    return _PROFILE_SETTINGS[name][1 + _is_changed(view, name)]


def _coordinates(view: LetterView) -> str:
    return next(name for name, count in SIDES.items() if count == view.data.boards.sides)


def _board_kind_lines(view: LetterView) -> list[str]:
    return [f"boards {name}" for name in FORMS if name != view.data.boards.shown]


def _coordinate_lines(view: LetterView) -> list[str]:
    now = _coordinates(view)
    return [f"boards coordinates {name}" for name in SIDES if name != now]


def _setting_in_words(view: LetterView, key: str, name: str) -> str:
    """A setting in words: `now-KEY` in a sentence, `value-KEY` in a table."""
    profile, zone = view.data.reader, str(view.data.reader.local_zone)
    values = {
        "language": own_name(profile.language or ENGLISH),
        "zone": zone,
        "name": display_name(profile.name) if profile.name else "",
        "line": introduction_in_words(profile.line or ""),
    }
    value = values.get(name, "")
    if key == "value" and value:
        return value
    state = "-changed" if _is_changed(view, name) else "-usual"
    state = "" if name in {"zone", "language"} else state
    return say(f"{key}-{name}{state}", value=value, zone=zone)


# -- settings by game --------------------------------------------------------------------------
def _preferences_now(view: LetterView, scope: str = "here") -> dict[str, str]:
    """The settings in this game, or elsewhere, with defaults filled in."""
    chosen = dict(view.about.get(scope, {}))
    emails = chosen.get("emails") or "all"
    receipts = chosen.get("receipts") or ("first" if emails == "all" else "off")
    return {"emails": emails, "receipts": receipts, "reviews": chosen.get("reviews") or "off"}


def _preference_lines(name: str, now: str) -> tuple[str, ...]:
    return _EMAILS[now] if name == "emails" else (f"{name} {'on' if now == 'off' else 'off'}",)


def _digest_hour(view: LetterView) -> str:
    profile = view.data.reader
    at = DEFAULT_TIME if profile.digest_at is None else profile.digest_at
    return say("in-brackets", said=f"{at // 60}:{at % 60:02}", more=str(profile.local_zone))


def _emails_letter(view: LetterView, name: str) -> LetterBlocks:
    """The emails from now on, the line that undoes the change, and the line for all games."""
    now, game = _preferences_now(view)[name], view.maybe_game
    undo, *_ = _preference_lines(name, now)
    everywhere = game is None or bool(view.about.get("everywhere"))
    about = about_games(None if everywhere or game is None else game.id)
    first = say(f"now-{name}-{now}", about=about, hour=_digest_hour(view))
    change = _how_to_change(f"{undo} everywhere")
    if not everywhere:
        line = "stop all" if now == "none" else f"{name} {now} everywhere"
        change = _how_to_change(undo, everywhere=line)
    notes = words(*_emails_notes(view, f"{name} {now}", everywhere=everywhere))
    return LetterBlocks(first, (*notes, change))


def _emails_notes(view: LetterView, now: str, *, everywhere: bool) -> Iterator[str]:
    game = view.maybe_game
    if now == "receipts off":
        yield say("receipts-off-note")
    if now == "emails daily":
        yield say("daily-note")
        yield "" if view.about.get("asked") == "digest" else say("daily-hour")
    if now != "emails none":
        return
    yield say("none-note")
    if everywhere:
        yield say("none-everywhere-note")
    elif game is not None and game.phase in {Phase.PLAYING, Phase.SCORING} and not view.teaching:
        yield "" if game.clock is None else say("none-clock-note")
        yield view.say("none-game-note")


# -- vacations ---------------------------------------------------------------------------------
def _days_left(view: LetterView, key: str) -> str:
    left = vacation_left(view.data.reader, view.data.queued_at) // timedelta(days=1)
    return say(key, left=left, all=DAYS_PER_YEAR.days)


def _vacation_letter(view: LetterView) -> LetterBlocks:
    about, suffix = view.about, "" if view.about.get("games") else "-idle"
    left = _days_left(view, "break-days-left")
    if not about.get("until"):
        key = f"break-over{suffix}" if about.get("begun", True) else "break-none"
        return LetterBlocks(say(key), (Words(left),))
    since, until = (datetime.fromisoformat(about[one]) for one in ("since", "until"))
    key = "break-planned" if since > view.data.queued_at else f"break-begun{suffix}"
    least = datetime.fromisoformat(about.get("least") or about["until"])
    notes = words(
        say("no-clock-to-pause") if suffix else "",
        say("break-note"),
        say("break-least", moment=moment_in_words(view, least)) if least < until else "",
    )
    first = say(key, begin=moment_in_words(view, since), end=moment_in_words(view, until))
    return LetterBlocks(first, (*notes, Words(join_sentences(left, say("break-end")))))


# -- all settings ------------------------------------------------------------------------------
_Row = tuple[str, str, tuple[str, ...], bool]
"""A setting's name and value, the lines that change it, and whether the reader has chosen it."""


def _all_settings(view: LetterView) -> LetterBlocks:
    game, rows = view.maybe_game, [*_preference_rows(view), *_profile_rows(view)]
    head = (say("setting-head"), say("setting-now"), say("setting-reply"))
    shown = list[tuple[str, ...]]()
    for name, now, lines, chosen in rows:
        value = say("changed-value", value=now) if chosen else now
        shown.append((say(f"setting-{name}"), value, _quote_lines(lines)))
    everywhere = words(view.say("change-everywhere") if game is not None else "")
    changed = words(say("changed-by-you") if any(chosen for *_, chosen in rows) else "")
    below = (*everywhere, Words(say("explain-settings")), *changed)
    first = view.say("settings-here") if game is not None else say("settings-everywhere")
    return LetterBlocks(first, (Table(head, tuple(shown), figures=False), *below))


def _preference_rows(view: LetterView) -> Iterator[_Row]:
    others, hour = _preferences_now(view, "elsewhere"), _digest_hour(view)
    chosen = {**view.about.get("elsewhere", {}), **view.about.get("here", {})}
    for name, now in _preferences_now(view).items():
        value = _value(name, now, hour)
        if view.maybe_game is not None and now != others[name]:
            value = say("value-here", here=value, others=_value(name, others[name], hour))
        yield name, value, _preference_lines(name, now), chosen.get(name, "") not in ("", "all")


def _value(name: str, now: str, hour: str = "") -> str:
    return say("off" if now == "off" else f"value-{name}-{now}", hour=hour)


def _profile_rows(view: LetterView) -> Iterator[_Row]:
    rating, shown, sides = view.about.get("rating"), view.data.boards.shown, _coordinates(view)
    yield from _own_rows(view, "language", "words", "zone", "weekends")
    yield from _vacation_rows(view)
    yield from _own_rows(view, "calendar", "plain")
    yield "pictures", _value("pictures", shown), (*_board_kind_lines(view),), shown != FORMS[0]
    yield "coordinates", _value("coordinates", sides), (_coordinate_lines(view)[-1],), sides != "on"
    yield from _own_rows(view, "name", "line")
    yield "rating", rating_in_words(rating) if rating else say("value-rating-none"), (), False
    yield from _own_rows(view, "listed")


def _own_rows(view: LetterView, *names: str) -> Iterator[_Row]:
    for name in names:
        lines = (_line_to_change(view, name),)
        yield name, _setting_in_words(view, "value", name), lines, _is_changed(view, name)


def _vacation_rows(view: LetterView) -> Iterator[_Row]:
    automatic, change = _is_changed(view, "by_itself"), _line_to_change(view, "by_itself")
    key = "value-vacation-changed" if automatic else "value-vacation-usual"
    lines = (change,) if automatic else ("vacation 1 week", change)
    yield "vacation", _days_left(view, key), lines, automatic
    for span in planned_vacations(view.data.reader, view.data.queued_at):
        begin, end = (moment_in_words(view, one) for one in span)
        yield "away", say("from-until", begin=begin, end=end), ("back",), True
