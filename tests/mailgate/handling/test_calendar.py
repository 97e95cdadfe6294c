"""`calendar`: deadlines as calendar entries, which are cancelled when they change."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import icalendar
import pytest

from godaemon.games.notices import DueNotice, Kind
from mailgate.letters.phrases import display_name
from tests.support.gateway import Gateway, Person
from tests.support.letters import html, plain, sentence
from tests.support.mailto import button_clicks


def pair(time: str = "3 days per move", name: str = "Bob") -> tuple[Gateway, Person, Person]:
    """Alice, who wants a calendar and is to move, and Bob."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person(name, "bob@players.example")
    gateway.start(alice, bob, f"9x9 as black {time}")
    gateway.send()
    alice.reply("calendar on", to=alice.newest(Kind.STARTED))
    return gateway, alice, bob


def file(reader: Person, due: DueNotice | None = None) -> bytes:
    """The calendar attached to an email; empty if there is none."""
    found = [
        one
        for one in reader.read(due).iter_attachments()
        if one.get_content_type() == "text/calendar"
    ]
    assert len(found) <= 1
    content = found[0].get_payload(decode=True) if found else b""
    assert isinstance(content, bytes)
    return content


def entries(person: Person, due: DueNotice | None = None) -> list[icalendar.Event]:
    """What a calendar finds there; every line of it is one of RFC 5545."""
    if not (raw := file(person, due)):
        return []
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
