"""Mail loops with other programs end."""

from collections.abc import Callable
from itertools import count

import pytest

from godaemon.games.notices import Kind
from mailgate.handling.answer_limits import MAX_ANSWERS, MAX_CHAT_LETTERS
from tests.support.exchange import Exchange, Mail, Robot, answer, without
from tests.support.gateway import ADDRESS, Gateway, Table
from tests.support.letters import parsed, plain

OTHER = "go@elsewhere.example"
UNMARKED = without("auto-submitted", "x-", "list-", "precedence")
"""Servers that lose every field by which a program says that it is one."""


def vouched(raw: bytes) -> bytes:
    """Servers that remove those fields, and vouch for the sender."""
    return b"Authentication-Results: mx.example; dmarc=pass\r\n" + UNMARKED(raw)


@pytest.mark.parametrize(
    ("transit", "most"),
    [
        pytest.param(lambda raw: raw, 0, id="as they are"),
        pytest.param(UNMARKED, 1, id="unmarked on their way"),
        pytest.param(vouched, 2, id="and vouched for"),
    ],
)
def test_an_invitation_to_another_godaemon_starts_no_loop(
    transit: Callable[[bytes], bytes], most: int
) -> None:
    """Each takes the other for a player, and it is answered once at most."""
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
def test_a_forged_letter_between_daemons_starts_no_loop(transit: Callable[[bytes], bytes]) -> None:
    """Few letters follow."""
    here, there = (Gateway(address=one, trusted="mx.example") for one in (ADDRESS, OTHER))
    post = Exchange(here, there, transit=transit)
    texts = ("help", "games", "D4", "hello", "new 9x9 vs bob", "new 9x9 vs bob@b.example", "i4", "")
    for number, text in enumerate(texts):
        raw = f"From: {OTHER}\r\nMessage-ID: <{number}@x>\r\n\r\n{text}\r\n".encode()
        assert post.settle(Mail(OTHER, ADDRESS, raw)) <= 6
    assert len(there.outbox) <= 6


def away(mail: Mail) -> list[Mail]:
    """A vacation program that ignores headers, and answers each letter."""
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


def varying() -> Robot:
    """A program whose text is never the same."""
    numbers = count(1)
    return lambda mail: [answer(mail, f"This is {'y' * next(numbers)} from Lagos, all is well.")]


def played_by(bob: Robot, alice: Robot | None) -> tuple[Table, Exchange]:
    """Alice has played D4 to Bob; robots answer for them, and leave their letters unmarked."""
    table = Table()
    robots = {table.bob.address: bob} | ({table.alice.address: alice} if alice else {})
    post = Exchange(table.gateway, robots=robots, transit=UNMARKED)
    post.queued_mails(table.gateway)
    table.alice.reply("D4", to=table.alice.newest(Kind.STARTED))
    return table, post


@pytest.mark.parametrize("robot", [away, quoting, repeating, forwarding])
@pytest.mark.parametrize("both", [False, True])
def test_a_constant_automatic_reply_starts_no_loop(robot: Robot, both: bool) -> None:
    """It is passed on once a day, and makes no move."""
    table, post = played_by(robot, robot if both else None)
    assert post.settle() <= 100
    assert table.moves() == "D4"
    assert len(table.alice.letters(Kind.CHAT)) <= 3
    table.gateway.wait(days=1, seconds=1)
    table.bob.reply("E5", to=table.bob.newest(Kind.YOUR_TURN))
    assert post.settle() <= 100
    assert table.moves() == "D4 E5"


@pytest.mark.parametrize("both", [False, True])
def test_a_varying_automatic_reply_is_limited(both: bool) -> None:
    """A number of letters a day, then none until tomorrow."""
    table, post = played_by(varying(), varying() if both else None)
    assert post.settle() <= 5 * MAX_ANSWERS
    assert table.moves() == "D4"
    for person in (table.alice, table.bob):
        assert len(person.letters(Kind.CHAT)) <= MAX_CHAT_LETTERS
        assert len(person.letters(Kind.REFUSED)) <= MAX_ANSWERS
        assert len(person.letters(Kind.SHOW)) <= MAX_ANSWERS


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
    """And answered a few times."""
    table = Table()
    answered = table.bob.newest()
    for number in range(1, 6):
        table.bob.reply(text.format(number), to=answered)
    assert len(table.alice.letters(Kind.CHAT)) <= 1
    assert len(table.bob.letters(Kind.REFUSED)) <= 5


LIST = "club@lists.example"


def once() -> Robot:
    """One that answers each sender once, as RFC 3834 would have it."""
    known: set[str] = set()

    def robot(mail: Mail) -> list[Mail]:
        fresh = mail.sender not in known
        known.add(mail.sender)
        return away(mail) if fresh else []

    return robot


def list_of(members: list[str], *, munging: bool) -> Robot:
    """A list that sends all it gets to its members, in its own name where it munges From."""

    def robot(mail: Mail) -> list[Mail]:
        letter = parsed(UNMARKED(mail.raw))
        if letter["List-Id"] or mail.sender == LIST:
            return []  # lists know their own
        del letter["Reply-To"]
        letter["List-Id"] = "<club.lists.example>"
        letter["Precedence"] = "list"
        if munging:
            letter.replace_header("From", LIST)
            letter["Reply-To"] = LIST
        raw = letter.as_bytes()
        return [Mail("club-bounces@lists.example", member, raw) for member in members]

    return robot


@pytest.mark.parametrize("munging", [False, True])
def test_an_invited_mailing_list_with_us_as_member_starts_no_loop(munging: bool) -> None:
    """If it rewrites From, the list is the player, and gets the answers."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    members = [ADDRESS, "carol@x.example", "go+x@go.example"]
    robots = {LIST: list_of(members, munging=munging), "carol@x.example": once()}
    post = Exchange(gateway, robots=robots)
    alice.write(f"new 9x9 vs {LIST}")
    alice.reply("yes", to=alice.newest(Kind.CONFIRM))
    assert post.settle() <= 24
    assert gateway.notices().count(("club", "invitation")) == 1
    assert gateway.notices().count(("club", "refused")) <= 2 * munging
    assert gateway.notices().count(("carol", "refused")) == 0
