"""The reply `gui`: the seat key, and the command line for a program."""

from dataclasses import replace
from email.message import EmailMessage

import pytest

from godaemon.games.notices import Kind
from godaemon.games.seat_keys import SeatKey, key_is_valid, parse_key, sign_key
from godaemon.rules.points import Color
from mailgate.letters.compose import Composer
from mailgate.letters.letter_view import GtpAccess
from mailgate.tokens import clean_message
from tests.support.gateway import ADDRESS, KEY, Gateway, Person, started
from tests.support.letters import parsed, plain

TCP = GtpAccess("go.example:7000")
CLIENT = "python3 Downloads/godaemon-gtp.txt"


@pytest.fixture
def alice() -> Person:
    """She has black against Bob, and has asked for her key."""
    alice = started()[1]
    assert alice.reply("gui").event == "accepted"
    return alice


def letter(person: Person, access: GtpAccess = TCP) -> EmailMessage:
    """Somebody's newest letter with a key."""
    composer = Composer(KEY, ADDRESS, "Go by mail", invitation_days=14, gtp_access=access)
    return parsed(composer.compose(person.data(person.newest(Kind.GUI))).raw)


def line(person: Person, access: GtpAccess = TCP) -> str:
    """The line to paste from it."""
    lines = map(str.strip, plain(letter(person, access)).splitlines())
    return next(one for one in lines if one.startswith(("python3 ", "godaemon gtp", "ssh ")))


def key(person: Person) -> SeatKey:
    found = parse_key(line(person).rpartition(" ")[2])
    assert found is not None
    return found


def opens(gateway: Gateway, shown: SeatKey) -> bool:
    """Whether a key opens its seat now."""
    return gateway.writer.run_sync(
        lambda unit: key_is_valid(unit, gateway.games(unit).game, KEY, shown)
    )


def test_each_player_gets_the_key_of_their_own_seat(alice: Person) -> None:
    """A second request returns the same key."""
    bob, before = alice.gateway.person("Bob"), key(alice)
    for person in (alice, bob):
        person.reply("gui")
    assert (key(alice).color, key(bob).color) == (Color.BLACK, Color.WHITE)
    assert key(alice) == before
    assert alice.gateway.game().move_number == 0


def test_a_key_opens_one_seat_only(alice: Person) -> None:
    """No other colour, no other game."""
    gateway, mine = alice.gateway, key(alice)
    gateway.start(alice, gateway.person("Bob"))
    alice.reply("gui")
    assert not opens(gateway, SeatKey(1, Color.WHITE, mine.mac))
    assert not opens(gateway, SeatKey(2, Color.BLACK, mine.mac))
    assert not opens(gateway, SeatKey(99, Color.BLACK, mine.mac))
    assert not opens(gateway, SeatKey(1, Color.BLACK, mine.mac[:-1] + "2a"[mine.mac[-1] == "2"]))
    assert opens(gateway, mine)


def test_a_player_of_both_colours_gets_both_keys() -> None:
    """`gui off` revokes both."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    gateway.start(alice, alice)
    alice.reply("gui")
    lines = plain(letter(alice)).splitlines()
    keys = [parse_key(one.rpartition(" ")[2]) for one in lines if "--key" in one]
    assert [one.color for one in keys if one] == [Color.BLACK, Color.WHITE]
    assert all(opens(gateway, one) for one in keys if one)
    alice.reply("gui off")
    assert not any(opens(gateway, one) for one in keys if one)


@pytest.mark.parametrize(
    ("access", "expected"),
    [
        (TCP, f"{CLIENT} --connect go.example:7000 --key KEY"),
        (replace(TCP, tls=False), f"{CLIENT} --connect go.example:7000 --no-tls --key KEY"),
        (GtpAccess("127.0.0.1:7000", tls=False), f"{CLIENT} --connect 127.0.0.1:7000 --key KEY"),
        (GtpAccess("localhost:7000"), f"{CLIENT} --connect localhost:7000 --tls --key KEY"),
        (GtpAccess(ssh="me@go.example"), "ssh me@go.example godaemon gtp --game 1 --as black"),
        (GtpAccess(), "godaemon gtp --game 1 --as black"),
        (GtpAccess(f"{'a' * 60}.example:7"), f"{CLIENT} --connect {'a' * 60}.example:7 --key KEY"),
    ],
)
def test_the_command_line_fits_the_access(alice: Person, access: GtpAccess, expected: str) -> None:
    """TCP if the server has it, else a shell on the server; it is never wrapped."""
    given = sign_key(KEY, alice.gateway.game(), Color.BLACK, 1)
    assert line(alice, access) == expected.replace("KEY", given)


def test_the_email_attaches_record_and_client(alice: Person) -> None:
    """The client is text, which mail providers let through."""
    found = letter(alice, replace(TCP, client=b"# the program")).iter_attachments()
    attached = {one.get_filename(): one.get_content() for one in found}
    assert [*attached] == ["game-1.sgf", "godaemon-gtp.txt"]
    assert attached["godaemon-gtp.txt"] == b"# the program"


def test_keys_are_removed_from_chat(alice: Person) -> None:
    """The rest of the words is passed on."""
    shown = str(key(alice))
    assert shown not in clean_message(f"I play by\ngodaemon gtp --key {shown.upper()} now")
    alice.reply(f"D4\nmine is {shown}!")
    assert alice.gateway.game().chat[-1].text == "mine is !"


def test_only_a_whole_key_is_parsed() -> None:
    """In any case; a key has at least a hundred bits."""
    game = started()[0].game()
    made = sign_key(KEY, game, Color.WHITE, 3)
    assert parse_key(f" {made.upper()}\n") == parse_key(made)
    assert len(made.rpartition("-")[2]) * 5 >= 80
    for wrong in ("", "1-b-", made[:-1], made + "a", made.replace("w", "p"), "0" + made, "é" * 29):
        assert parse_key(wrong) is None
    assert sign_key(KEY, game, Color.WHITE, 4) != made
    assert sign_key(b"other" * 8, game, Color.WHITE, 3) != made
