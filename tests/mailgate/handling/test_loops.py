"""Mail loops with other programs end."""

from collections.abc import Callable
from itertools import count

import pytest

from godaemon.games.notices import Kind
from mailgate.handling.answer_limits import MAX_ANSWERS, MAX_CHAT_LETTERS
from tests.support.exchange import Exchange, Mail, Robot, answer, without
from tests.support.gateway import ADDRESS, Gateway, started
from tests.support.letters import parsed, plain

ALICE, BOB = "alice@players.example", "bob@players.example"
OTHER = "go@elsewhere.example"
UNMARKED = without("auto-submitted", "x-", "list-", "precedence")
"""Servers that lose every field by which a program says that it is one."""


def vouched(raw: bytes) -> bytes:
    """Servers that remove those fields, and vouch for the sender."""
    return b"Authentication-Results: mx.example; dmarc=pass\r\n" + UNMARKED(raw)


class TestTwoOfUs:
    """Two godaemons, each taking the other for a player."""

    @pytest.mark.parametrize(
        ("transit", "most"),
        [
            pytest.param(lambda raw: raw, 0, id="as they are"),
            pytest.param(UNMARKED, 1, id="unmarked on their way"),
            pytest.param(vouched, 2, id="and vouched for"),
        ],
    )
    def test_an_invitation_to_another_godaemon_starts_no_loop(
        self, transit: Callable[[bytes], bytes], most: int
    ) -> None:
        """It is answered once at most."""
        here, there = (Gateway(address=one, trusted="mx.example") for one in (ADDRESS, OTHER))
        post = Exchange(here, there, transit=transit)
        alice = here.person("Alice")
        alice.write(f"new 9x9 vs {OTHER}")
        alice.reply("yes", to=alice.newest(Kind.CONFIRM))
        post.settle()
        assert here.notices().count(("go", "invitation")) == 1
        assert len(there.outbox) <= most
        assert here.notices().count(("go", "refused")) <= most

    @pytest.mark.parametrize("transit", [UNMARKED, vouched])
    def test_a_forged_letter_between_daemons_starts_no_loop(
        self, transit: Callable[[bytes], bytes]
    ) -> None:
        """Few letters follow."""
        here, there = (Gateway(address=one, trusted="mx.example") for one in (ADDRESS, OTHER))
        post = Exchange(here, there, transit=transit)
        texts = ("help", "games", "D4", "hello", "new 9x9 vs bob", f"new 9x9 vs {BOB}", "i4", "")
        for number, text in enumerate(texts):
            raw = f"From: {OTHER}\r\nMessage-ID: <{number}@x>\r\n\r\n{text}\r\n".encode()
            assert post.settle(Mail(OTHER, ADDRESS, raw)) <= 6
        assert len(there.outbox) <= 6


class Robots:
    """Alice and Bob play; robots answer for them, and leave their letters unmarked."""

    def __init__(
        self, alice: Robot, bob: Robot, transit: Callable[[bytes], bytes] = UNMARKED
    ) -> None:
        self.gateway = Gateway()
        self.alice, self.bob = self.gateway.person("Alice"), self.gateway.person("Bob")
        self.post = Exchange(self.gateway, robots={ALICE: alice, BOB: bob}, transit=transit)
        self.gateway.start(self.alice, self.bob, "9x9 as black")
        self.post.queued_mails(self.gateway)
        self.alice.reply("D4", to=self.alice.newest(Kind.STARTED))

    def moves(self) -> int:
        return self.gateway.game().move_number


def never_answer(_: Mail) -> list[Mail]:
    """A player who never answers."""
    return []


def vacation_program(mail: Mail) -> list[Mail]:
    """A vacation program that ignores headers, and answers each letter once."""
    return [answer(mail, "I am away until Monday and will read your mail then.")]


def quoting(mail: Mail) -> list[Mail]:
    """One that puts the letter it answers below, marked."""
    quoted = "".join(f"> {line}\n" for line in plain(mail.letter).splitlines())
    return [answer(mail, f"I am away.\n\nOn Monday, Go by mail wrote:\n{quoted}")]


def repeating(mail: Mail) -> list[Mail]:
    """A program that returns each letter's text unchanged below a line of its own."""
    return [answer(mail, f"Your letter has arrived here:\n\n{plain(mail.letter)}")]


def forwarding(mail: Mail) -> list[Mail]:
    """One that sends back nothing else."""
    return [answer(mail, plain(mail.letter))]


def counting() -> Robot:
    """A program whose text is never the same."""
    numbers = count(1)
    return lambda mail: [answer(mail, f"This is {'y' * next(numbers)} from Lagos, all is well.")]


def once() -> Robot:
    """One that answers each sender once, as RFC 3834 would have it."""
    known: set[str] = set()

    def robot(mail: Mail) -> list[Mail]:
        fresh = mail.sender not in known
        known.add(mail.sender)
        return vacation_program(mail) if fresh else []

    return robot


class TestVacations:
    """Answering machines that ignore every header, at one end or at both."""

    @pytest.mark.parametrize("robot", [vacation_program, quoting, repeating, forwarding])
    @pytest.mark.parametrize("both", [False, True])
    def test_a_constant_automatic_reply_starts_no_loop(self, robot: Robot, both: bool) -> None:
        """It is passed on once a day, and makes no move."""
        made = Robots(robot if both else never_answer, robot)
        assert made.post.settle() <= 100
        assert made.moves() == 1
        assert len(made.alice.letters(Kind.CHAT)) <= 3
        made.gateway.wait(days=1, seconds=1)
        made.bob.reply("E5", to=made.bob.newest(Kind.YOUR_TURN))
        assert made.post.settle() <= 100
        assert made.moves() == 2

    @pytest.mark.parametrize("both", [False, True])
    def test_a_varying_automatic_reply_is_limited(self, both: bool) -> None:
        """A number of letters a day, then none until tomorrow."""
        made = Robots(counting() if both else never_answer, counting())
        assert made.post.settle() <= 7 * MAX_CHAT_LETTERS
        assert made.moves() == 1
        for person in (made.alice, made.bob):
            assert len(person.letters(Kind.CHAT)) <= MAX_CHAT_LETTERS
            assert len(person.letters(Kind.REFUSED)) <= 6
            assert len(person.letters(Kind.SHOW)) <= MAX_ANSWERS


class TestLists:
    """A mailing list that got one of our letters, or our address."""

    LIST = "club@lists.example"

    def distributing(self, members: list[str], *, munging: bool) -> Robot:
        """A list that sends all it gets to its members, in its own name where it munges From."""

        def robot(mail: Mail) -> list[Mail]:
            letter = parsed(UNMARKED(mail.raw))
            if letter["List-Id"] or mail.sender == self.LIST:
                return []  # lists know their own
            del letter["Reply-To"]
            letter["List-Id"] = "<club.lists.example>"
            letter["Precedence"] = "list"
            if munging:
                letter.replace_header("From", self.LIST)
                letter["Reply-To"] = self.LIST
            raw = letter.as_bytes()
            return [Mail("club-bounces@lists.example", member, raw) for member in members]

        return robot

    @pytest.mark.parametrize("munging", [False, True])
    def test_an_invited_mailing_list_with_us_as_member_starts_no_loop(self, munging: bool) -> None:
        """If it rewrites From, the list is the player, and gets the answers."""
        gateway = Gateway()
        alice = gateway.person("Alice")
        members = [ADDRESS, "carol@x.example", "go+x@go.example"]
        robots = {self.LIST: self.distributing(members, munging=munging), "carol@x.example": once()}
        post = Exchange(gateway, robots=robots)
        alice.write(f"new 9x9 vs {self.LIST}")
        alice.reply("yes", to=alice.newest(Kind.CONFIRM))
        assert post.settle() <= 24
        assert gateway.notices().count(("club", "invitation")) == 1
        assert gateway.notices().count(("club", "refused")) <= 2 * munging
        assert gateway.notices().count(("carol", "refused")) == 0


@pytest.mark.parametrize(
    "text",
    [
        "We got your message at 9:5{} today. It waits for the next free person.",
        "We got your message at 9:5{}am.",
        "Thanks a lot, you are number {} in the line.",
        "Message {0} of 20 has come in, on the {0}/11.",
    ],
)
def test_a_numbered_automatic_reply_is_passed_on_once(text: str) -> None:
    """And answered once."""
    _, alice, bob = started()
    answered = bob.newest()
    for number in range(1, 6):
        bob.reply(text.format(number), to=answered)
    assert len(alice.letters(Kind.CHAT)) <= 1
    assert len(bob.letters(Kind.REFUSED)) <= 1
