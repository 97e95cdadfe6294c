"""What players say of themselves, and who of them is on the list of players."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest

from godaemon.errors import Unreadable
from godaemon.games.model import Phase
from godaemon.games.notices import Kind
from godaemon.games.views import record
from godaemon.records import sgf
from mailgate.language.parser import parse_text
from tests.mailgate.handling.test_open_challenges import Lobby
from tests.support.gateway import Person
from tests.support.letters import part


def say(who: Person, line: str) -> str:
    """Answer one's first game; what comes back."""
    who.reply(line, to=who.letters(Kind.STARTED)[0])
    return part(who.read(), "plain")


def listed(who: Person) -> str:
    """The list of players, as somebody is sent it."""
    who.write("players")
    assert who.newest().notice.kind is Kind.PLAYERS
    return part(who.read(), "plain")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("i am 5 kyu, Berlin", "5 kyu, Berlin"),
        ("I'm a 2d", "2 dan"),
        ("I am 12k, New York", "12 kyu, New York"),
    ],
)
def test_what_one_says_of_oneself(line: str, told: str) -> None:
    """Is shown to those whom one plays from then on, and in the settings."""
    lobby = Lobby()
    assert f"read about you: {told}." in say(lobby.bob, line)
    assert told in say(lobby.bob, "settings")
    lobby.list(lobby.bob)
    lobby.bob.reply("take 2")
    assert f"Bob says: {told}." in part(lobby.alice.read(), "plain")


@pytest.mark.parametrize(
    "line",
    [
        *("I am 5 kyu, and you?", "i am 5 kyu, www.example.org", "i am 31 kyu", "I am happy"),
        *("i am 5 kyu, <b>Bob</b>", "i am 5 kyu, Buy Very Cheap White Stones", "I am 8 years old"),
        "i am 5 kyu, bob@example.org",
    ],
)
def test_talk_and_links_are_no_such_line(line: str) -> None:
    """Only a rank and a place, each word of it with a capital, and few of them."""
    with suppress(Unreadable):
        assert parse_text([line]).commands == ()


def test_it_is_taken_back() -> None:
    """By `i am nobody`."""
    lobby = Lobby()
    say(lobby.bob, "i am 5 kyu")
    assert "New opponents will read only your name" in say(lobby.bob, "I am nobody.")
    lobby.list(lobby.bob)
    lobby.bob.reply("take 2")
    assert "Bob says" not in part(lobby.alice.read(), "plain")


def test_who_is_invited_reads_a_rank_and_no_more() -> None:
    """A place could be anything; the record has the rank as it was when the game began."""
    lobby = Lobby()
    say(lobby.alice, "i am 5 kyu, Berlin")
    lobby.alice.reply("new 9x9 as black vs dave@players.example", to=lobby.alice.newest())
    lobby.alice.write("games")
    dave = lobby.gateway.person("Dave")
    if not dave.letters():
        lobby.alice.reply("yes", to=lobby.alice.newest(Kind.CONFIRM))
    invitation = part(dave.read(), "plain")
    assert "5 kyu" in invitation
    assert "Berlin" not in invitation
    dave.reply("accept")
    say(lobby.alice, "i am 1 dan")
    assert "BR[5k]" in sgf.write(record(lobby.gateway.game(3)))
    assert "WR[" not in sgf.write(record(lobby.gateway.game(3)))


def test_who_anybody_could_be_says_nothing() -> None:
    """A fresh letter changes nothing; a reply does."""
    lobby = Lobby()
    for line in ("i am 5 kyu", "players on"):
        lobby.bob.write(line)
        assert f"Did you mean: {line}? I've done nothing yet." in part(lobby.bob.read(), "plain")
    assert "Nobody is on the list" in listed(lobby.alice)


def test_the_list_is_of_those_who_chose_to_be_on_it() -> None:
    """By name and line, without any address; to a stranger without names."""
    lobby = Lobby()
    say(lobby.alice, "i am 5 kyu, Berlin")
    assert "Alice" not in listed(lobby.bob)
    assert "You're on the list" in say(lobby.alice, "players on")
    known = listed(lobby.bob)
    assert "Alice" in known
    assert "5 kyu, Berlin" in known
    assert "alice@" not in known.casefold()
    assert "alice" not in listed(lobby.carol).casefold()
    say(lobby.alice, "players off")
    assert "Alice" not in listed(lobby.bob)


def test_who_is_on_it_is_invited_by_name() -> None:
    """And neither is told the other's address; who is not on it is not found."""
    lobby = Lobby()
    dave = lobby.gateway.person("Dave")
    lobby.gateway.start(dave, lobby.bob)
    since = len(lobby.gateway.outbox)
    say(dave, "new 9x9 vs Alice")
    assert "Alice" in part(dave.read(), "plain") or "alice" in part(dave.read(), "plain")
    say(lobby.alice, "players on")
    dave.reply("new 9x9 vs Alice", to=dave.newest(Kind.STARTED))
    if dave.newest().notice.kind is Kind.CONFIRM:
        dave.reply("yes")
    assert lobby.alice.newest().notice.kind is Kind.INVITATION
    assert "Dave, who plays here too, invites you to a game of Go" in part(
        lobby.alice.read(), "plain"
    )
    for due in lobby.gateway.outbox[since:]:
        other = {"alice": "dave@", "dave": "alice@"}.get(due.notice.to.partition("@")[0])
        if other is not None:
            who = lobby.alice if other == "dave@" else dave
            assert other not in str(who.read(due)).casefold()


def test_who_blocks_somebody_is_not_on_their_list() -> None:
    """Nor they on theirs."""
    lobby = Lobby()
    for who in (lobby.alice, lobby.bob):
        say(who, "players on")
    say(lobby.alice, "block")
    assert "Alice" not in listed(lobby.bob)
    assert "Bob" not in listed(lobby.alice)


@pytest.mark.parametrize(
    ("line", "rank", "played"),
    [
        ("new 13x13 open rank 5k-8k", "6 kyu", True),
        ("new 13x13 open rank 8 kyu to 1 dan", "1 dan", True),
        ("new 13x13 open rank 5k-8k", "1 dan", False),
        ("new 13x13 open rank 5k-8k", "", False),
        ("new 13x13 open rank 3d", "3d", True),
    ],
)
def test_a_challenge_for_some_ranks(line: str, rank: str, *, played: bool) -> None:
    """Is taken by who says to be of one of them; who does not is told what to say."""
    lobby = Lobby(line)
    if rank:
        say(lobby.bob, f"i am {rank}")
    assert f"for {lobby.gateway.game(2).spec.rank}" in lobby.list(lobby.bob)
    lobby.bob.reply("take 2")
    assert (lobby.gateway.game(2).phase is Phase.PLAYING) == played
    if not played:
        assert "is for the ranks 5k-8k, and you" in part(lobby.bob.read(), "plain")


@pytest.mark.parametrize(
    "line", ["new 9x9 rank 5k-8k vs bob@players.example", "new 9x9 open rank x"]
)
def test_a_rank_that_says_nothing(line: str) -> None:
    """Where somebody is named, and where it is none."""
    lobby = Lobby(line)
    assert "rank" in part(lobby.alice.read(), "plain")
    assert "Nothing was proposed" in " ".join(part(lobby.alice.read(), "plain").split())


def test_the_settings_go_along_with_what_one_has_here() -> None:
    """In the export, as all settings do."""
    lobby = Lobby()
    say(lobby.alice, "i am 5 kyu")
    say(lobby.alice, "export")
    (file,) = [
        one for one in lobby.alice.read().iter_attachments() if one.get_filename() == "games.json"
    ]
    assert json.loads(file.get_content())["settings"]["line"] == "5 kyu"


def test_nobody_is_found_by_a_part_of_their_address() -> None:
    """On the list there are names alone; who wants no invitations is not on anybody's."""
    lobby = Lobby()
    dave, erin = lobby.gateway.person("Queen", "dave@players.example"), lobby.gateway.person("Erin")
    lobby.gateway.start(dave, erin)
    say(dave, "players on")
    since = len(dave.letters())
    say(lobby.bob, "new 9x9 vs dave")
    assert len(dave.letters()) == since
    assert "Queen" in listed(lobby.bob)
    say(dave, "block all")
    assert "Queen" not in listed(lobby.bob)
