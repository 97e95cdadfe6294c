"""Open challenges: a game that anybody may take; who sees which, and how it begins or ends."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from godaemon.errors import Corrupt
from godaemon.games.events import LogEntry
from godaemon.games.model import Phase
from godaemon.games.notices import Kind
from tests.support.gateway import Gateway, Person
from tests.support.letters import part
from tests.support.limits import Limits
from tests.support.memory_store import MemoryGames


class Lobby:
    """Alice has played Bob, and has opened a challenge as game 2; Carol has played Bob too."""

    def __init__(self, line: str = "new 13x13 open", **limits: int) -> None:
        self.gateway = Gateway(limits=Limits(**limits))
        self.alice, self.bob, self.carol = map(self.gateway.person, ("Alice", "Bob", "Carol"))
        self.gateway.start(self.alice, self.bob)
        self.alice.reply(line)

    def list(self, who: Person) -> str:
        """The list that somebody is sent."""
        who.write("challenges")
        assert who.newest().notice.kind is Kind.CHALLENGES
        return part(who.read(), "plain")


def test_whoever_takes_it_plays() -> None:
    """A reply to the list begins the game, with the words of both for each other."""
    lobby = Lobby("new 13x13 open\n\nAnybody slow?")
    assert "Your challenge 2 is open" in part(lobby.alice.read(), "plain")
    listed = lobby.list(lobby.bob)
    assert "1 open challenge is waiting for a player." in listed
    assert "take 2" in listed
    assert "Alice: 13x13, komi 6.5, Japanese rules" in listed
    lobby.bob.reply("take 2\n\nVery slow!")
    game = lobby.gateway.game(2)
    assert game.phase is Phase.PLAYING
    assert {game.black.name, game.white.name} == {"Alice", "Bob"}  # type: ignore[union-attr]
    assert [who.newest().notice.kind for who in (lobby.alice, lobby.bob)] == [Kind.STARTED] * 2
    assert "> Very slow!" in part(lobby.alice.read(), "plain")
    assert "> Anybody slow?" in part(lobby.bob.read(), "plain")
    assert "There's no open challenge for you" in lobby.list(lobby.carol)


def test_who_says_no_name_is_asked_for_it() -> None:
    """Others are told names, and no part of an address; so there must be one."""
    lobby = Lobby()
    dora = lobby.gateway.person("", "dora.example@four.example")
    lobby.gateway.start(dora, lobby.bob)
    for line in ("new 9x9 open", "take 2", "players on"):
        dora.reply(line)
        assert dora.newest(Kind.REFUSED).notice.about["hints"] == ["name Margaret"], line
    dora.reply("name Dora")
    dora.reply("new 9x9 open")
    assert "Dora: 9x9" in lobby.list(lobby.alice)


@pytest.mark.parametrize(
    "line",
    [
        *("take", "2: take", "I'll take it", "2", "#2", "game 2: take", "2 please"),
        *("yes", "Sure, I'd love to play!", "I'll play 2.", "join", "Ja, gerne", "me, please"),
        *("Sounds good, I'm in!", "Let's go!"),
    ],
)
def test_a_list_of_one_is_taken_in_any_words(line: str) -> None:
    """As people say it; what stands below goes to the other player."""
    lobby = Lobby()
    lobby.list(lobby.bob)
    lobby.bob.reply(f"Hi!\n\n{line}\n\nI like to play slowly.")
    assert lobby.gateway.game(2).phase is Phase.PLAYING
    assert "> I like to play slowly." in part(lobby.alice.read(), "plain")


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        *[(line, 3) for line in ("3: take", "Number 3 please", "take 3!", "3")],
        *[(line, 0) for line in ("take", "I'll take it", "yes please", "Who is Alice?", "2 or 3")],
        *[(line, 0) for line in ("2: how strong are you?", "I would like the 9x9", "no thanks")],
    ],
)
def test_which_of_several_must_be_said(line: str, taken: int) -> None:
    """Else the list comes once more, with its clicks; nobody is told a word, and nothing ends."""
    lobby = Lobby()
    lobby.alice.reply("new 9x9 open", to=lobby.alice.letters(Kind.STARTED)[0])
    lobby.bob.reply("new 5x5 open", to=lobby.bob.letters(Kind.STARTED)[0])
    lobby.list(lobby.bob)
    told = len(lobby.alice.letters())
    lobby.bob.reply(line)
    phases = [lobby.gateway.game(number).phase for number in (2, 3, 4)]
    assert phases == [Phase.PLAYING if taken == at else Phase.PROPOSED for at in (2, 3, 4)]
    if not taken:
        assert len(lobby.alice.letters()) == told
        assert lobby.bob.newest().notice.kind is Kind.CHALLENGES
        assert "body=take%202" in part(lobby.bob.read(), "html")
        assert "say " not in part(lobby.bob.read(), "plain")


def test_a_click_takes_it() -> None:
    """Each challenge is a link of the list's HTML."""
    lobby = Lobby()
    lobby.list(lobby.bob)
    assert "body=take%202" in part(lobby.bob.read(), "html")


@pytest.mark.parametrize(
    "line",
    [
        *("new 9x9 open", "new game open", "new open 9x9", "new 9x9 vs anybody", "new vs anyone"),
        "challenge 9x9 vs anybody",
    ],
)
def test_how_one_is_opened(line: str) -> None:
    """As people write it."""
    lobby = Lobby(line)
    assert lobby.gateway.game(2).spec.open


def test_nobody_s_address_is_told() -> None:
    """Neither in the list, nor before or after it is taken; to a stranger no name either."""
    lobby = Lobby()
    assert "alice@" not in lobby.list(lobby.bob)
    listed = lobby.list(lobby.carol)
    assert "alice" not in listed.casefold()
    assert "somebody: 13x13" in listed
    lobby.carol.reply("take 2")
    for who, other in ((lobby.alice, "carol@"), (lobby.carol, "alice@")):
        assert who.newest().notice.kind is Kind.STARTED
        assert other not in str(who.read()).casefold()


@pytest.mark.parametrize("line", ["rematch", "new 9x9 vs Carol"])
@pytest.mark.parametrize("old", [False, True])
def test_nor_when_they_play_again(line: str, *, old: bool) -> None:
    """Who met by a challenge know each other by name, in all letters."""
    lobby = Lobby()
    lobby.carol.write("challenges")
    lobby.carol.reply("take 2")
    started = lobby.alice.newest(Kind.STARTED)
    lobby.carol.resign(to=lobby.carol.newest(Kind.STARTED))
    since = len(lobby.gateway.outbox)
    lobby.alice.reply(line, to=started if old else lobby.alice.newest(Kind.FINISHED))
    if old:  # an old letter of theirs, which others may have
        lobby.alice.reply("yes", to=lobby.alice.newest(Kind.CONFIRM))
    assert lobby.carol.newest().notice.kind is Kind.INVITATION
    lobby.alice.reply("new 9x9 vs", to=started)
    for who, other in ((lobby.alice, "carol@"), (lobby.carol, "alice@")):
        for due in lobby.gateway.outbox[since:]:
            if due.notice.to == who.address:
                assert other not in str(who.read(due)).casefold()


def test_who_only_says_who_they_are_takes_nothing() -> None:
    """They are sent the list; the reply to it is what shows that it is theirs."""
    lobby = Lobby()
    lobby.carol.write("take 2")
    assert lobby.gateway.game(2).phase is Phase.PROPOSED
    assert "reply to this email: take 2" in part(lobby.carol.read(), "plain")
    lobby.carol.reply("take 2")
    assert lobby.gateway.game(2).phase is Phase.PLAYING


def test_opening_waits_for_a_yes() -> None:
    """Where anybody could have written it; until then nobody sees it."""
    gateway = Gateway()
    dave, erin = gateway.person("Dave"), gateway.person("Erin")
    dave.write("new 9x9 open")
    assert "to anybody who plays here" in part(dave.read(), "plain")
    erin.write("challenges")
    assert "There's no open challenge" in part(erin.read(), "plain")
    dave.reply("yes")
    assert dave.newest().notice.kind is Kind.INVITED
    erin.write("challenges")
    assert "take 1" in part(erin.read(), "plain")


def refused(who: Person) -> str:
    """Why somebody was refused last, in a list or in a letter of its own."""
    return part(who.read(), "plain")


def test_what_cannot_be_taken() -> None:
    """What was taken, one's own, or what never was; of any other game nothing is told."""
    lobby = Lobby()
    lobby.list(lobby.alice)
    lobby.alice.reply("take 2")
    assert "Challenge 2 is your own" in refused(lobby.alice)
    lobby.list(lobby.bob)
    mine = lobby.bob.newest()
    lobby.bob.reply("take 2")
    for number in (1, 2, 99):
        lobby.bob.reply(f"take {number}", to=mine)
        assert f"There is no open challenge {number}" in refused(lobby.bob)


@pytest.mark.parametrize("blocker", ["alice", "bob"])
def test_who_blocks_somebody_meets_them_nowhere(blocker: str) -> None:
    """Neither sees, nor takes, the other's."""
    lobby = Lobby()
    one = lobby.alice if blocker == "alice" else lobby.bob
    one.reply("block", to=one.letters(Kind.STARTED)[0])
    assert "take 2" not in lobby.list(lobby.bob)
    lobby.bob.reply("take 2")
    assert "There is no open challenge 2" in refused(lobby.bob)
    assert "take 2" in lobby.list(lobby.carol)


def test_it_is_taken_back() -> None:
    """By a reply to its own letter, or in the list."""
    for where in (Kind.INVITED, Kind.CHALLENGES):
        lobby = Lobby()
        lobby.list(lobby.alice)
        own = lobby.alice.newest(where)
        lobby.alice.reply("withdraw" if where is Kind.INVITED else "2: withdraw", to=own)
        assert lobby.gateway.game(2).phase is Phase.WITHDRAWN
        assert "There's no open challenge" in lobby.list(lobby.bob)


def test_it_ends_by_itself() -> None:
    """As an invitation does; whoever opened it is told, and nobody else."""
    lobby = Lobby()
    before = len(lobby.gateway.outbox)
    lobby.gateway.wait(days=15)
    lobby.gateway.expire(days=14)
    assert lobby.gateway.told(before) == [("alice", "expired")]
    assert "Nobody took your open challenge" in part(lobby.alice.read(), "plain")


def test_how_many_wait_at_a_time() -> None:
    """So many of one person; a tag at the address makes no other one."""
    lobby = Lobby(open_challenges=2)
    lobby.alice.reply("new 9x9 open", to=lobby.alice.letters(Kind.STARTED)[0])
    lobby.alice.reply("new 9x9 open", to=lobby.alice.letters(Kind.STARTED)[0])
    assert "You already have 2 open challenges waiting" in refused(lobby.alice)


def test_how_many_in_a_day() -> None:
    """Opening and taking are bounded as invitations are."""
    lobby = Lobby(invitations_per_sender=2)
    lobby.alice.reply("withdraw")
    for _ in range(2):
        lobby.alice.reply("new 9x9 open", to=lobby.alice.letters(Kind.STARTED)[0])
    assert "You have begun many games today" in refused(lobby.alice)
    lobby.gateway.wait(days=2)
    lobby.alice.reply("new 9x9 open", to=lobby.alice.letters(Kind.STARTED)[0])
    assert lobby.alice.newest().notice.kind is Kind.INVITED


def test_a_server_without_them() -> None:
    """Where the operator wants none: neither opened, listed nor taken."""
    lobby = Lobby(open_challenges=0)
    assert "There are no open challenges here" in refused(lobby.alice)
    for line in ("challenges", "take 2"):
        lobby.bob.reply(line, to=lobby.bob.letters(Kind.STARTED)[0])
        assert "There are no open challenges here" in refused(lobby.bob)


def test_who_wants_no_letters_is_not_played() -> None:
    """Their challenge is out of sight until they do."""
    lobby = Lobby()
    lobby.alice.reply("stop all", to=lobby.alice.letters(Kind.STARTED)[0])
    assert "There's no open challenge" in lobby.list(lobby.bob)


def test_there_is_nobody_to_block_yet() -> None:
    """In answer to the letter of one's own challenge."""
    lobby = Lobby()
    lobby.alice.reply("block")
    assert "There is no other person in this game" in refused(lobby.alice)


def test_the_list_is_there_for_who_has_begun_many() -> None:
    """They take none today, and may look."""
    lobby = Lobby(invitations_per_sender=1)
    lobby.alice.reply("withdraw")
    assert "There's no open challenge" in lobby.list(lobby.alice)


def test_a_newcomer_is_told_of_them() -> None:
    """Who has no games reads where to find one, but on a server without challenges."""
    for most, told in ((5, True), (0, False)):
        gateway = Gateway(limits=Limits(open_challenges=most))
        dave = gateway.person("Dave")
        dave.write("games")
        assert ("Reply with: challenges" in part(dave.read(), "plain")) == told


def test_bug_a_challenge_that_this_program_cannot_read_hides_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One of a newer version, while several daemons are upgraded, put every list in quarantine."""
    lobby = Lobby()
    lobby.carol.write("new 9x9 open")
    lobby.carol.reply("yes")
    log = MemoryGames.log

    def newer(self: MemoryGames, number: int, after: int = 0) -> Sequence[LogEntry]:
        if number == 2:
            raise Corrupt("a newer record")
        return log(self, number, after)

    monkeypatch.setattr(MemoryGames, "log", newer)
    lobby.gateway.cache.clear()
    listed = lobby.list(lobby.bob)
    assert "take 3" in listed
    assert "take 2" not in listed
