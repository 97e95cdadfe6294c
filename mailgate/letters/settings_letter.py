"""The letter about which letters its reader gets: what they have changed, or what holds. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from godaemon.diagrams.board_style import SIDES, BoardStyle
from godaemon.games.model import Phase
from godaemon.games.vacation_days import BUDGET
from godaemon.rules.points import Point
from mailgate.letters.blocks import Block, Choices, Diagram, LetterBlocks, Table, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import plural, rating_in_words, shown_name
from mailgate.letters.time_phrases import moment

_NAMES = ("emails", "receipts", "reviews")
_VALUES = {"my-turn": "on your turn only", "daily": "one a day, the digest", "off": "none"}
"""What holds, in words that say it."""
_MEANINGS = {
    "emails": {
        "all": "all that happens",
        "my-turn": "only what awaits you, and how it ends",
        "daily": "what awaits you in one email a day, the digest",
        "none": "none but answers to what you write",
    },
    "receipts": {
        "on": "an email for each move of yours",
        "off": "none: no email means that your move stands",
    },
    "reviews": {
        "on": "a look back on each game when it is over",
        "off": "none, unless you ask for one by review",
    },
}
_SIGNS = {True: "round signs", False: "letters"}
_OTHERWISE = {True: "letters", False: "signs"}
_COORDINATES = {
    4: "coordinates all around",
    2: "coordinates above and left",
    0: "no coordinates at all",
}
_SAMPLE = (".......", "....w..", "..b....", ".......", "..w.b..", ".......", ".......")
_PLAIN = {"on": "emails without boards to click on", "off": "boards in pictures, to click on"}
_PLAINLY = {
    "on": "My emails to you are plain text from now on.",
    "off": "My emails to you have boards to click on from now on.",
}
_CLOCKS = {"on": "your clocks run", "off": "your clocks stand"}
_WEEKENDS = {
    "on": "Your clocks run on weekends, too, from now on.",
    "off": "Your clocks stand on Saturdays and Sundays ({}) from now on, in all games.",
}
_BY_ITSELF = {
    "on": "When your time runs out in a game, a vacation begins by itself from now on, for up to a"
    " week, while you have days left.",
    "off": "No vacation begins by itself: when your time runs out, a game is over.",
}
_ON_LIST = {
    "on": "You are on the list of players: who reads it sees your name and may invite you.",
    "off": "You are not on the list of players.",
}
_WORDS = {
    "ask": "If your words may be meant for me, I ask you before I pass them on.",
    "send": "Words that are no command are passed on to your opponent at once.",
}
_LISTED = {"on": "be on the list of players", "off": "leave the list of players"}
_SWITCHES = {
    "plain": ("plain", _PLAIN),
    "weekends": ("weekends", _CLOCKS),
    "listed": ("players", _LISTED),
}
"""What is on or off: the verb that says so, and what either means."""
_DIGEST = ("digest at 19", "one email a day at that hour, answered by one reply")
_ALL = ("settings", "all that you can choose")
_VACATIONS = {
    "on": (("vacation automatic off", "no vacation begins by itself"),),
    "off": (
        ("vacation 1 week", "your clocks stand while you are away"),
        ("vacation automatic", "one begins by itself when your time runs out"),
    ),
}

Replies = tuple[tuple[str, str], ...]


def settings(view: LetterView) -> LetterBlocks:
    """What a player has changed, and how to take it back; or what holds, and how to change it."""
    asked = view.about.get("asked", "")
    if asked in {"stop", "digest", *_NAMES}:
        name = "emails" if asked in {"stop", "digest"} else asked
        return LetterBlocks(_changed(view, name), (*_note(view, name), _choices(view, name)))
    if asked == "vacation":
        return _vacation(view)
    if asked == "boards":
        return LetterBlocks(
            f"This is how boards look in my emails from now on: {_boards(view)}.",
            (Diagram(_SAMPLE, Point(4, 2)), Choices((*_board_changes(view), _ALL))),
        )
    if (own := _own(view).get(asked)) is not None:
        first, back = own
        return LetterBlocks(first, (Choices((*back, _ALL)),))
    first = f"These are your settings for {_where(view)}."
    return LetterBlocks(first, tuple(_groups(view)))


def _vacation(view: LetterView) -> LetterBlocks:
    """From when until when which clocks stand; or that they go on."""
    many = view.about.get("games", 0)
    clocks = f": your clocks {{}} in {plural(many, 'game')}" if many else ""
    if not view.about.get("until"):
        if not view.about.get("begun", True):
            first = "You were not away: your clocks go on, and no vacation is planned any more."
            return LetterBlocks(first, (_days_left(view),))
        return LetterBlocks(f"Welcome back{clocks.format('go on,')}.", (_days_left(view),))
    since, until = (datetime.fromisoformat(view.about[one]) for one in ("since", "until"))
    first = f"You are away until {moment(view, until)}{clocks.format('stand')}."
    if since > view.data.owed_at:
        when = f"from {moment(view, since)} until {moment(view, until)}"
        first = f"You will be away {when}: your clocks stand then."
    words = "" if view.about.get("games") else "No game of yours has a clock, or days off left. "
    words += (
        "Games that begin meanwhile wait, too. You may play all the same. Who plays with you reads"
        " in each email that you are away."
    )
    least = view.about.get("least", "")
    if least and datetime.fromisoformat(least) < until:
        words += (
            " A game gives each player 30 days off in all: the first of your clocks goes on"
            f" {moment(view, datetime.fromisoformat(least))}."
        )
    choice = Choices((("back", "your clocks go on at once"),))
    return LetterBlocks(first, (Words(words), _days_left(view), choice))


def _days_left(view: LetterView) -> Words:
    days = plural(int(_profile(view)["days_left"]), "day")
    return Words(
        f"{BUDGET.days} days of vacation are yours each year; of this one, {days} are left."
    )


def _vacations(view: LetterView) -> str:
    """What is planned, and what is left."""
    profile = _profile(view)
    spans = (map(datetime.fromisoformat, one.split("/")) for one in profile["vacations"].split())
    planned = [f"{moment(view, begin)} to {moment(view, end)}" for begin, end in spans]
    left = f"{profile['days_left']} of {BUDGET.days} days left this year"
    by_itself = ["begins by itself when your time runs out"] if profile["by_itself"] == "on" else []
    return "; ".join([*planned, left, *by_itself])


def _profile(view: LetterView) -> dict[str, str]:
    usual = {"digest": "7:00", "zone": "UTC", "plain": "off", "name": "", "weekends": "on"}
    usual |= {"vacations": "", "days_left": f"{BUDGET.days}", "by_itself": "off"}
    usual |= {"line": "", "listed": "off", "boards": "", "words": "ask"}
    return {**usual, **view.about.get("profile", {})}


def _hour(view: LetterView) -> str:
    return "{digest} ({zone})".format_map(_profile(view))


def _own(view: LetterView) -> dict[str, tuple[str, Replies]]:
    """What holds whatever the game, once it has been changed, and the reply that takes it back."""
    now = _profile(view)
    name, line = now["name"], now["line"]
    called = shown_name(name or "by the name in your emails")
    return {
        "timezone": (f"Your time zone is {now['zone']} from now on.", ()),
        "plain": (_PLAINLY[now["plain"]], (_switch(now, "plain"),)),
        "name": (
            f"You are called {called} in games that begin from now on.",
            (("name off", "be called as in your emails"),) if name else (),
        ),
        "weekends": (
            _WEEKENDS[now["weekends"]].format(now["zone"]),
            (_switch(now, "weekends"),),
        ),
        "by itself": (_BY_ITSELF[now["by_itself"]], _VACATIONS[now["by_itself"]][-1:]),
        "iam": (
            f"Those whom you play from now on read of you: {line or 'nothing but your name'}.",
            (("i am nobody", "say nothing of yourself"),) if line else (),
        ),
        "askwords": (_WORDS[now["words"]], (_word_change(now),)),
        "listed": (_ON_LIST[now["listed"]], (_switch(now, "listed"),)),
    }


def _word_change(profile: dict[str, str]) -> tuple[str, str]:
    """The reply that changes what becomes of words that are no command."""
    if profile["words"] == "ask":
        return "words send", "pass on my words without asking me"
    return "words ask", "ask me first if my words may be meant for you"


def _switch(profile: dict[str, str], name: str) -> tuple[str, str]:
    """The reply that turns something on or off which is off or on, and what it means."""
    verb, meanings = _SWITCHES[name]
    other = "off" if profile[name] == "on" else "on"
    return f"{verb} {other}", meanings[other]


def _boards(view: LetterView) -> str:
    """How boards look, in words."""
    style = BoardStyle.of(_profile(view)["boards"])
    return f"{_SIGNS[style.signs]} in text, {_COORDINATES[style.sides]}"


def _board_changes(view: LetterView) -> Iterator[tuple[str, str]]:
    """What can be chosen instead, each with its reply."""
    style = BoardStyle.of(_profile(view)["boards"])
    yield f"boards {_OTHERWISE[style.signs]}", f"{_SIGNS[not style.signs]} in text"
    for name, sides in SIDES.items():
        if sides != style.sides:
            yield f"boards coordinates {name}", _COORDINATES[sides]


def _where(view: LetterView) -> str:
    return f"game {view.game.id}" if view.maybe_game else "all your games"


def _now(view: LetterView, scope: str = "here") -> dict[str, str]:
    """What holds in this game, or elsewhere; the usual where nothing was said."""
    said = dict(view.about.get(scope, {}))
    emails = said.get("emails", "all")
    unsaid = "the first three" if emails == "all" else "off"
    receipts, reviews = said.get("receipts") or unsaid, said.get("reviews") or "off"
    return {"emails": emails, "receipts": receipts, "reviews": reviews}


def _changed(view: LetterView, name: str) -> str:
    now = _now(view)[name]
    where = "all your games" if view.about.get("everywhere") else _where(view)
    if name == "receipts" and now == "on":
        return f"From now on you get an email for each of your moves in {where}."
    if name == "receipts":
        return f"From now on you get no email for your own moves in {where}."
    if name == "reviews":
        when = "when it is over" if now == "on" else "only if you ask for it: `review`"
        what = where.replace("all your", "each of your")
        return f"From now on you get a look back on {what} {when}."
    return {
        "all": f"From now on you get all emails about {where}.",
        "daily": f"From now on you get one email a day about {where}, at {_hour(view)}, if anything"
        " awaits you.",
        "my-turn": f"From now on you get emails about {where} only when something awaits you, and"
        " with the result.",
    }.get(now, f"From now on you get no emails about {where.replace('all', 'any of')}.")


def _note(view: LetterView, name: str) -> Iterator[Block]:
    """What to know where letters end."""
    if name == "receipts" and _now(view)[name] == "off":
        yield Words(
            "No answer means that your move stands. You always hear of what could not be done."
        )
    if name == "emails" and _now(view)[name] == "daily":
        yield Words("Invitations, questions and results still come at once.")
        if view.about.get("asked") != "digest":
            yield Choices(((_DIGEST[0], "at another hour, about all your games"),))
    if name != "emails" or _now(view)[name] != "none":
        return
    yield Words("What you write to me is still answered. Nobody is told of this.")
    game = view.maybe_game
    playing = game is not None and game.phase in {Phase.PLAYING, Phase.SCORING}
    if view.about.get("everywhere"):
        yield Words(
            "Nor do you get invitations, reminders or results. Your games go on, clocks included,"
            " and others may wait for you."
        )
    elif playing and not view.teaching:
        words = f"The game goes on, and {view.other} may wait for you. To give it up, reply with:"
        yield Words(f"{words} `resign`")
        if game is not None and game.clock is not None:
            yield Words("Your clock runs all the same: no reminder comes, and no result.")


def _choices(view: LetterView, name: str) -> Choices:
    """The way back, the same for all games, and the rest."""
    now, everywhere = _now(view)[name], bool(view.about.get("everywhere"))
    back = {"all": "my-turn", "on": "off", "off": "on"}.get(now, "all")
    meaning = {**_MEANINGS[name], "all": "have all of them again"}[back]
    rows = [(f"{name} {back}{' everywhere' if everywhere else ''}", meaning)]
    if not everywhere:
        same = "stop all" if now == "none" else f"{name} {now} everywhere"
        rows.append((same, "the same in all your games"))
    return Choices((*rows, _ALL))


def _groups(view: LetterView) -> Iterator[Block]:
    """What the reader has chosen; then, by what it is about, all that can be."""
    groups = {
        "Emails": (_of_emails(view), _email_changes(view)),
        "Time": (_of_time(view), _time_changes(view)),
        "How emails look": (_of_looks(view), _look_changes(view)),
        "You": (_of_reader(view), _reader_changes(view)),
    }
    own = [row for rows, _ in groups.values() for row, changed in rows.items() if changed]
    if own:
        yield Words("What you have chosen:")
        yield Table((), tuple((f"{label}:", value) for label, value in own), figures=False)
    for name, (rows, changes) in groups.items():
        usual = [f"{row[0].lower()} {row[1]}" for row, changed in rows.items() if not changed]
        yield Words(f"{name}. As at the start: {'; '.join(usual)}." if usual else f"{name}.")
        yield Choices(tuple(changes))


Rows = dict[tuple[str, str], bool]
"""Names and values of what holds, and whether the reader has chosen it."""


def _of_emails(view: LetterView) -> Rows:
    here, elsewhere = _now(view), _now(view, "elsewhere")
    chosen = {**view.about.get("elsewhere", {}), **view.about.get("here", {})}
    rows: Rows = {}
    for name in here:
        held = _VALUES.get(here[name], here[name])
        if view.maybe_game is not None and here[name] != elsewhere[name]:
            others = _VALUES.get(elsewhere[name], elsewhere[name])
            held = f"{held} in game {view.game.id}, {others} in others"
        rows[f"{name.capitalize()} you get", held] = chosen.get(name, "") not in ("", "all")
    words = _profile(view)["words"]
    said = "are passed on" if words == "send" else "may wait until you say so"
    rows["Words that are no command", said] = words == "send"
    if "daily" in (here["emails"], elsewhere["emails"]):
        rows["Digest", f"at {_hour(view)}"] = True
    return rows


def _email_changes(view: LetterView) -> Iterator[tuple[str, str]]:
    """The replies about emails: in a game about those of this one."""
    now, scope = _now(view), "" if view.maybe_game else " everywhere"
    for name in ("all", "my-turn", "none"):
        if now["emails"] != name:
            yield f"emails {name}{scope}", _MEANINGS["emails"][name]
    yield _DIGEST
    for name in ("receipts", "reviews"):
        other = "off" if now[name] != "off" else "on"
        yield f"{name} {other}{scope}", _MEANINGS[name][other]
    yield _word_change(_profile(view))
    if view.maybe_game:
        yield "emails my-turn everywhere", "everywhere: so in all your games"


def _of_time(view: LetterView) -> Rows:
    profile = _profile(view)
    planned = bool(profile["vacations"]) or profile["by_itself"] == "on"
    return {
        ("Time zone", profile["zone"]): profile["zone"] != "UTC",
        ("Weekends", _CLOCKS[profile["weekends"]]): profile["weekends"] == "off",
        ("Vacation", _vacations(view)): planned,
    }


def _time_changes(view: LetterView) -> Iterator[tuple[str, str]]:
    yield "timezone Europe/Berlin", "name your own region and city"
    days = "on" if _profile(view)["weekends"] == "off" else "off"
    yield f"weekends {days}", f"{_CLOCKS[days]} on Saturdays and Sundays"
    yield from _VACATIONS[_profile(view)["by_itself"]]


def _of_looks(view: LetterView) -> Rows:
    plain, boards = _profile(view)["plain"], _profile(view)["boards"]
    return {("Plain text only", plain): plain == "on", ("Boards", _boards(view)): bool(boards)}


def _look_changes(view: LetterView) -> Iterator[tuple[str, str]]:
    yield _switch(_profile(view), "plain")
    yield from _board_changes(view)


def _of_reader(view: LetterView) -> Rows:
    profile, rating = _profile(view), view.about.get("rating")
    return {
        ("Your name", shown_name(profile["name"], "that in your emails")): bool(profile["name"]),
        ("About you", profile["line"] or "nothing"): bool(profile["line"]),
        ("Rating", rating_in_words(rating) if rating else "none yet"): bool(rating),
        ("On the list of players", profile["listed"]): profile["listed"] == "on",
    }


def _reader_changes(view: LetterView) -> Iterator[tuple[str, str]]:
    yield "name Margaret", "what you are called in new games"
    yield "i am 5 kyu, Berlin", "what new opponents read of you"
    yield _switch(_profile(view), "listed")
