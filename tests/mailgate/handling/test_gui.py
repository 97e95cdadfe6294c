"""The reply `gui`: the seat key, and the command line for a program."""

from dataclasses import replace

import pytest

from godaemon.games.notices import DueNotice, Kind
from godaemon.games.seat_keys import KEY_PATTERN, SeatKey, key_is_valid, parse_key, sign_key
from godaemon.rules.points import Color
from mailgate.letters.compose import Composer
from mailgate.letters.letter_data import load_letter_data
from mailgate.letters.letter_view import GtpAccess
from mailgate.tokens import clean_message
from tests.support.gateway import ADDRESS, KEY, Gateway, Person, started
from tests.support.letters import parsed, part

TCP = GtpAccess("go.example:7000")
PROGRAMS = ("python3 ", "godaemon gtp", "ssh ")


@pytest.fixture
def gateway() -> Gateway:
    """A game in which Alice has black and Bob has white."""
    return started()[0]


def text(gateway: Gateway, due: DueNotice, access: GtpAccess = TCP) -> str:
    composer = Composer(KEY, ADDRESS, "Go by mail", invitation_days=14, gtp_access=access)
    return part(parsed(composer.compose(load_letter_data(gateway.snapshot(), due)).raw), "plain")


def line(gateway: Gateway, person: Person, access: GtpAccess = TCP) -> str:
    """The line to paste from the newest letter."""
    lines = text(gateway, person.newest(Kind.GUI), access).splitlines()
    return next(one.strip() for one in lines if one.strip().startswith(PROGRAMS))


def key(gateway: Gateway, person: Person) -> SeatKey:
    found = parse_key(line(gateway, person).rpartition(" ")[2])
    assert found is not None
    return found


def opens(gateway: Gateway, shown: SeatKey) -> bool:
    """Whether a key opens its seat now."""
    return gateway.writer.run_sync(
        lambda unit: key_is_valid(unit, gateway.games(unit).game, KEY, shown)
    )


def test_each_player_gets_the_key_of_their_own_seat(gateway: Gateway) -> None:
    """A second request returns the same key."""
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    for person in (alice, bob):
        assert person.reply("gui").event == "accepted"
    assert (key(gateway, alice).color, key(gateway, bob).color) == (Color.BLACK, Color.WHITE)
    assert opens(gateway, key(gateway, alice))
    before = key(gateway, alice)
    alice.reply("gui")
    assert key(gateway, alice) == before
    assert gateway.game().move_number == 0


def test_a_key_opens_one_seat_only(gateway: Gateway) -> None:
    """No other colour, no other game."""
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    alice.reply("gui")
    bob.reply("gui")
    mine = key(gateway, alice)
    gateway.start(alice, bob)
    alice.reply("gui")
    assert not opens(gateway, SeatKey(1, Color.WHITE, mine.mac))
    assert not opens(gateway, SeatKey(2, Color.BLACK, mine.mac))
    assert not opens(gateway, SeatKey(99, Color.BLACK, mine.mac))
    assert not opens(gateway, SeatKey(1, Color.BLACK, mine.mac[:-1] + "2a"[mine.mac[-1] == "2"]))
    assert opens(gateway, mine)


def test_gui_off_revokes_a_key_for_good(gateway: Gateway) -> None:
    """A new key does not restore the old one."""
    alice = gateway.person("Alice")
    alice.reply("gui")
    old = key(gateway, alice)
    alice.reply("gui off")
    assert not opens(gateway, old)
    assert "can no longer play for you" in text(gateway, alice.newest())
    assert KEY_PATTERN[1:8] not in text(gateway, alice.newest())
    alice.reply("gui")
    assert key(gateway, alice) != old
    assert not opens(gateway, old)
    assert opens(gateway, key(gateway, alice))


def test_a_player_of_both_colours_gets_both_keys() -> None:
    """`gui off` revokes both."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    gateway.start(alice, alice)
    alice.reply("gui")
    words = text(gateway, alice.newest())
    keys = [parse_key(one.rpartition(" ")[2]) for one in words.splitlines() if "--key" in one]
    assert [one.color for one in keys if one] == [Color.BLACK, Color.WHITE]
    assert all(opens(gateway, one) for one in keys if one)
    alice.reply("gui off")
    assert not any(opens(gateway, one) for one in keys if one)


@pytest.mark.parametrize(
    ("access", "expected"),
    [
        (
            GtpAccess("go.example:7000"),
            "python3 Downloads/godaemon-gtp.txt --connect go.example:7000 --key KEY",
        ),
        (
            GtpAccess("go.example:7000", tls=False),
            "python3 Downloads/godaemon-gtp.txt --connect go.example:7000 --no-tls --key KEY",
        ),
        (
            GtpAccess("127.0.0.1:7000", tls=False),
            "python3 Downloads/godaemon-gtp.txt --connect 127.0.0.1:7000 --key KEY",
        ),
        (
            GtpAccess("localhost:7000"),
            "python3 Downloads/godaemon-gtp.txt --connect localhost:7000 --tls --key KEY",
        ),
        (GtpAccess(ssh="me@go.example"), "ssh me@go.example godaemon gtp --game 1 --as black"),
        (GtpAccess(), "godaemon gtp --game 1 --as black"),
    ],
)
def test_the_command_line_fits_the_access(
    gateway: Gateway, access: GtpAccess, expected: str
) -> None:
    """TCP if the server has it, else a shell on the server."""
    alice = gateway.person("Alice")
    alice.reply("gui")
    given = sign_key(KEY, gateway.game(), Color.BLACK, 1)
    assert line(gateway, alice, access) == expected.replace("KEY", given)


def test_the_email_attaches_record_and_client(gateway: Gateway) -> None:
    """The client is text, which mail providers let through."""
    alice = gateway.person("Alice")
    alice.reply("gui")
    access = replace(TCP, client=b"# the program")
    composer = Composer(KEY, ADDRESS, "Go by mail", invitation_days=14, gtp_access=access)
    letter = parsed(composer.compose(alice.data()).raw)
    attached = {one.get_filename(): one.get_content() for one in letter.iter_attachments()}
    assert [*attached] == ["game-1.sgf", "godaemon-gtp.txt"]
    assert attached["godaemon-gtp.txt"] == b"# the program"


def test_the_command_line_is_never_wrapped(gateway: Gateway) -> None:
    """It can be pasted from text and HTML."""
    alice = gateway.person("Alice")
    alice.reply("gui")
    host = "a-very-long-name-of-a-server-that-somebody-was-proud-of.players.example.org"
    assert host in line(gateway, alice, GtpAccess(f"{host}:7000"))
    assert line(gateway, alice, GtpAccess(f"{host}:7000")).count("--key") == 1


def test_keys_are_removed_from_chat(gateway: Gateway) -> None:
    """The rest of the words is passed on."""
    alice = gateway.person("Alice")
    alice.reply("gui")
    shown = str(key(gateway, alice))
    assert shown not in clean_message(f"I play by\ngodaemon gtp --key {shown.upper()} now")
    alice.reply(f"D4\nmine is {shown}!")
    assert gateway.game().chat[-1].text == "mine is !"


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
