"""Settings of our emails: the style of boards, and deadlines as calendar entries."""

import re
from datetime import datetime, timedelta
from email.message import EmailMessage
from random import Random
from zoneinfo import ZoneInfo

import icalendar
import pytest
from bs4 import BeautifulSoup

from godaemon.diagrams import raster
from godaemon.diagrams.picture import BoardPicture, board_drawing
from godaemon.games.notices import DueNotice, Kind
from godaemon.rules.points import Point
from mailgate.letters.phrases import display_name
from tests.support.gateway import Gateway, Person, started
from tests.support.letters import html, part, plain, sentence
from tests.support.mailto import board_clicks, button_clicks


def say(person: Person, line: str) -> str:
    """Answer one's game; returns the reply's text."""
    person.reply(line, to=person.newest(Kind.STARTED))
    return person.text()


def usual(settings: str) -> bool:
    """True where boards look as at the start."""
    text = " ".join(settings.split())
    clicks = "Boards: to click on boards picture, boards words " in text
    return clicks and "Coordinates: on all sides boards" in text


def test_a_style_holds_for_all_later_emails() -> None:
    """Also for the answer and the daily email, not for the opponent's."""
    _, alice, bob = started()
    text = say(alice, "boards coordinates two")
    assert text.startswith("Boards in my emails now look like this.")
    assert "5  . . X . + . .\n" in text
    alice.reply("E5", to=alice.newest(Kind.STARTED))
    assert "5  . . . .(X). . . .  5\n" in part(bob.read(bob.newest(Kind.YOUR_TURN)), "plain")
    bob.reply("C3", to=bob.newest(Kind.YOUR_TURN))
    mine = part(alice.read(alice.newest(Kind.YOUR_TURN)), "plain")
    assert "5  . . . . X . . . .\n" in mine
    alice.write("games")
    assert "5  . . . . X . . . .\n" in alice.text()


def test_points_have_names_without_coordinates() -> None:
    """Screen readers need them."""
    _, alice, _ = started()
    before = board_clicks(part(alice.read(alice.newest(Kind.STARTED)), "html"))
    say(alice, "boards coordinates off")
    after = board_clicks(part(alice.read(alice.newest(Kind.STARTED)), "html"))
    assert {one: found.title for one, found in after.items()} == {
        one: found.title for one, found in before.items()
    }


def test_settings_offer_all_other_styles() -> None:
    """Each click works."""
    _, alice, _ = started()
    for line, offers in (("settings", 3), ("boards table", 4), ("settings", 3)):
        say(alice, line)
        offered = [one for one in button_clicks(part(alice.read(), "html")) if "boards" in one]
        assert len(offered) == offers
        for offer in offered:
            assert "now look like this" in say(alice, offer)
    say(alice, "boards picture, coordinates on")
    assert not usual(say(alice, "settings"))
    say(alice, "boards table")
    assert usual(say(alice, "settings"))


def pictures_in(letter: EmailMessage) -> dict[str, bytes]:
    """The pictures of an email that its HTML shows, by their descriptions."""
    sources = BeautifulSoup(part(letter, "html"), "html.parser").find_all("img")
    parts = {one["Content-ID"]: one for one in letter.walk() if one["Content-ID"]}
    assert sorted(parts) == sorted(f"<{str(one['src']).removeprefix('cid:')}>" for one in sources)
    assert {one.get_content_disposition() for one in parts.values()} <= {"inline"}
    return {
        str(one["alt"]): parts[f"<{str(one['src']).removeprefix('cid:')}>"].get_content()
        for one in sources
    }


def test_a_picture_replaces_the_clickable_board() -> None:
    """With the board as alternative text; `boards letters` restores it."""
    _, alice, bob = started()
    assert pictures_in(alice.read(alice.newest(Kind.STARTED))) == {}
    say(alice, "boards picture")
    assert len(pictures_in(alice.read())) == 1
    letter = alice.read(alice.newest(Kind.STARTED))
    ((words, picture),) = pictures_in(letter).items()
    assert picture.startswith(b"\x89PNG")
    text = part(letter, "plain")
    board = [line for line in text.splitlines() if re.match(r" *[1-9]  ", line)]
    assert [line for line in words.splitlines() if line in board] == board
    page = BeautifulSoup(part(letter, "html"), "html.parser")
    assert [str(one["aria-label"])[:12] for one in page.find_all("img")] == ["Go board of "]
    assert "Reply with your move" in " ".join(page.get_text(" ").split())
    assert board_clicks(part(letter, "html")) == {}
    alice.reply("D4", to=alice.newest(Kind.STARTED))
    assert pictures_in(bob.read(bob.newest(Kind.YOUR_TURN))) == {}
    say(alice, "boards table")
    assert board_clicks(part(alice.read(alice.newest(Kind.STARTED)), "html"))


def test_each_board_is_its_own_picture() -> None:
    """A lesson has several; plain text has none."""
    _, alice, _ = started()
    say(alice, "boards picture")
    alice.reply("learn", to=alice.newest(Kind.STARTED))
    lesson = alice.read(alice.newest(Kind.LEARN))
    assert len(pictures_in(lesson)) == part(lesson, "html").count("<img") > 0
    alice.reply("E5", to=alice.newest(Kind.STARTED))
    say(alice, "kifu")
    (drawn,) = (one for one in alice.read().walk() if one.get_content_type() == "image/png")
    assert drawn.get_filename() == "game-1.png"
    say(alice, "plain on")
    assert alice.read(alice.newest(Kind.STARTED)).get_content_type() == "text/plain"


@pytest.mark.parametrize("states", ["bw.", "bwcxBW."], ids=["playing", "counting"])
def test_a_picture_has_at_most_20_kb(states: str) -> None:
    """19x19, even with random stones."""
    rows = tuple("".join(Random(row).choices(states, k=19)) for row in range(19))
    assert len(raster.png(board_drawing(BoardPicture(rows, Point(9, 9))))) <= 20_000


def pair(time: str = "3 days per move", name: str = "Bob") -> tuple[Gateway, Person, Person]:
    """Alice, who wants a calendar and is to move, and Bob."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person(name, "bob@players.example")
    gateway.start(alice, bob, f"9x9 as black {time}")
    gateway.send()
    alice.reply("calendar on", to=alice.newest(Kind.STARTED))
    return gateway, alice, bob


def entries(person: Person, due: DueNotice | None = None) -> list[icalendar.Event]:
    """What a calendar finds in an email; every line of it is one of RFC 5545."""
    attached = {one.get_content_type(): one for one in person.read(due).iter_attachments()}
    if "text/calendar" not in attached:
        return []
    raw = attached["text/calendar"].get_payload(decode=True)
    assert isinstance(raw, bytes)
    lines = raw.split(b"\r\n")
    assert all(len(line) <= 75 and b"\n" not in line for line in lines), lines
    assert lines.pop() == b""
    read = icalendar.Calendar.from_ical(raw)
    assert isinstance(read, icalendar.Calendar)
    assert (read["method"], read["version"], read.errors) == ("PUBLISH", "2.0", [])
    assert all(not event.errors for event in read.events)
    return read.events


def entry(person: Person, due: DueNotice | None = None) -> icalendar.Event:
    """The only one."""
    (found,) = entries(person, due)
    return found


def test_calendars_are_off_by_default() -> None:
    """`settings` offers to turn them on and off."""
    gateway, alice, bob = pair()
    alice.reply("D4", to=alice.newest(Kind.STARTED))
    assert entries(bob) == []
    assert plain(alice.read(alice.newest(Kind.SETTINGS))).startswith("When you have to move by")
    for offer in ("calendar off", "calendar on"):
        alice.reply("settings", to=alice.newest(Kind.STARTED))
        assert offer in button_clicks(html(alice.read())) or offer in alice.text()
        alice.reply(offer, to=alice.newest(Kind.STARTED))
        text = alice.words()
        changed = "changed" if offer.endswith("on") else "usual"
        assert text.startswith(sentence(f"now-calendar-{changed}"))
    alice.write("calendar off")  # anybody could have written it
    assert alice.newest().notice.kind is not Kind.SETTINGS
    assert gateway.writer.run_sync(lambda unit: unit.players.profile(alice.address)).calendar


def test_one_entry_follows_a_deadline() -> None:
    """Its updates and cancellations have one UID and a growing SEQUENCE."""
    gateway, alice, bob = pair()
    seen = [entry(alice, alice.newest(Kind.STARTED))]
    alice.reply("D4", to=alice.newest(Kind.STARTED))
    seen.append(entry(alice, alice.newest(Kind.MOVED)))
    gateway.send()
    gateway.wait(hours=5)
    bob.reply("E5", to=bob.newest(Kind.YOUR_TURN))
    seen.append(entry(alice, alice.newest(Kind.YOUR_TURN)))
    gateway.send()
    bob.reply("resign", to=bob.newest(Kind.MOVED))
    bob.reply("yes")
    seen.append(entry(alice, alice.newest(Kind.FINISHED)))
    assert [str(one["status"]) for one in seen] == ["CONFIRMED", "CANCELLED"] * 2
    assert len({str(one["uid"]) for one in seen}) == 1
    numbers = [one.sequence for one in seen]
    assert numbers == sorted(set(numbers))
    assert seen[0].start == gateway.now - timedelta(hours=5) + timedelta(days=3)
    assert seen[2].start == gateway.now + timedelta(days=3)
    assert seen[0].end - seen[0].start <= timedelta(minutes=30)
    assert [str(one["summary"]) for one in seen] == ["Go game 1 with Bob: deadline"] * 4
    assert [len(one.alarms.times) for one in seen] == [1, 0, 1, 0]


@pytest.mark.parametrize(
    ("time", "before"),
    [("3 days per move", timedelta(days=1)), ("10 hours per move", timedelta(hours=5))],
)
def test_the_alarm_is_a_day_before_or_at_half_the_time(time: str, before: timedelta) -> None:
    """With short clocks, a day before would be at once."""
    _, alice, _ = pair(time)
    found = entry(alice, alice.newest(Kind.STARTED))
    (alarm,) = found.alarms.times
    assert alarm.trigger == found.start - before


def test_emails_without_a_deadline_have_no_calendar() -> None:
    """Chat, and games without clocks."""
    gateway, alice, bob = pair()
    alice.reply("D4", to=alice.newest(Kind.STARTED))
    gateway.send()
    bob.reply("say well played", to=bob.newest(Kind.YOUR_TURN))
    assert entries(alice, alice.newest(Kind.CHAT)) == []
    _, alice, _ = pair("no clock")
    assert entries(alice, alice.newest(Kind.STARTED)) == []


def test_the_list_of_games_has_all_deadlines() -> None:
    """Players with one email a day get them from it."""
    gateway, alice, bob = pair()
    gateway.start(alice, bob, "7x7 as black 2 days per move")
    gateway.send()
    alice.reply("games", to=alice.newest(Kind.STARTED))
    found = entries(alice, alice.newest(Kind.GAMES))
    assert sorted(one.start - gateway.now for one in found) == [
        *(timedelta(days=2), timedelta(days=3))
    ]
    assert len({str(one["uid"]) for one in found}) == 2


def test_the_entry_has_the_deadline_of_the_text() -> None:
    """In UTC; weekends are left out."""
    gateway, alice, _ = pair("10 days per move")
    alice.reply("timezone Asia/Tokyo", to=alice.newest(Kind.STARTED))
    alice.reply("weekends off", to=alice.newest(Kind.STARTED))
    alice.reply("show", to=alice.newest(Kind.STARTED))
    found, text = entry(alice), alice.text()
    assert isinstance(found.start, datetime)
    assert found.start.tzname() == "UTC"
    assert found.start > gateway.now + timedelta(days=12)
    there = found.start.astimezone(ZoneInfo("Asia/Tokyo"))
    assert f"{there.day} {there:%b, %H:%M}" in " ".join(text.split())


def test_names_are_escaped() -> None:
    """A name in the summary adds no line."""
    gateway, alice, _ = pair(name="Łukasz; Bob, \\n BEGIN:VALARM 名前名前名前名前名前名前")
    alice.reply("language ru", to=alice.newest(Kind.STARTED))
    found = entry(alice, alice.newest(Kind.STARTED))
    name = display_name(gateway.game().spec.names[1])
    assert str(found["summary"]) == f"Го, партия 1, {name}: срок ответа"
    assert len(found.alarms.times) == 1
