"""IMAP servers that fall silent, hang up or send nonsense: every wait ends."""

import asyncio

import pytest

from godaemon.errors import Temporary
from mailgate.receiving.imap_client import ImapConnection, ImapTimeouts
from tests.support.certificate import localhost
from tests.support.dovecot import PASSWORD, dovecot
from tests.support.fake_imap import LETTER, FakeImap, imap_account
from tests.support.next_hop import trusting_context
from tests.support.waiting import PATIENCE

BRIEF = ImapTimeouts(connect=0.1, command=0.1, fetch=0.1, farewell=0.05)
"""For servers that never answer; others may be slow, as this machine may be."""
STAGES = ["GREETING", "CAPABILITY", "LOGIN", "SELECT", "NOOP", "SEARCH", "FETCH", "FETCH_ALL"]
STAGES += ["STORE", "IDLE", "IDLING", "DONE"]


def mailbox_at(port: int, timeouts: ImapTimeouts | None = None) -> ImapConnection:
    place = imap_account("127.0.0.1", port, "none", "go", "secret")
    return ImapConnection(place, timeouts or ImapTimeouts())


async def use(mailbox: ImapConnection) -> bytes | None:
    """Call every method of a mailbox once."""
    await mailbox.connect()
    assert await mailbox.search() == [1]
    assert set(await mailbox.fetch_heads([1])) == {1}
    letter = await mailbox.fetch(1)
    await mailbox.mark_done(1)
    await mailbox.idle(0.05)
    return letter


async def test_a_correct_server() -> None:
    """The letter is fetched unchanged, and no task is left."""
    async with FakeImap() as server:
        mailbox = mailbox_at(server.port)
        assert await use(mailbox) == LETTER
        await mailbox.close()
        before = asyncio.all_tasks()
        assert not [task for task in before if "aioimaplib" in repr(task)]
    assert server.commands[-1] == "LOGOUT"


@pytest.mark.parametrize("twist", ["hang", "close", "bye", "quiet bye", "flood", "noise"])
@pytest.mark.parametrize("stage", STAGES)
async def test_any_failure_of_the_server_is_temporary(stage: str, twist: str) -> None:
    """At each stage, within the timeout; the connection can be closed."""
    async with FakeImap(**{stage: twist}) as server, asyncio.timeout(PATIENCE):
        if stage == "IDLING" and twist in {"hang", "noise"}:  # an idle server says this and that
            mailbox = mailbox_at(server.port)
            assert await use(mailbox) == LETTER
        else:
            mailbox = mailbox_at(server.port, BRIEF)
            with pytest.raises(Temporary, match=r"\.$"):
                await use(mailbox)
        await mailbox.close()


@pytest.mark.parametrize("refusal", ["no", "bad"])
async def test_refused_commands(refusal: str) -> None:
    """A refused login raises with the server's words; a refused flag is ignored."""
    async with FakeImap(LOGIN=refusal) as server:
        mailbox = mailbox_at(server.port)
        with pytest.raises(Temporary, match="does not let go in") as caught:
            await mailbox.connect()
        assert "not today" in caught.value.detail
        assert "secret" not in caught.value.detail
        await mailbox.close()
    async with FakeImap(STORE=refusal) as server:
        mailbox = mailbox_at(server.port)
        await mailbox.connect()
        assert not await mailbox.mark_done(1)
        await mailbox.close()


@pytest.mark.parametrize("refusal", ["no", "bad"])
async def test_a_server_that_refuses_idle_is_polled(refusal: str) -> None:
    """It is not asked again on this connection."""
    async with FakeImap(IDLE=refusal) as server:
        mailbox = mailbox_at(server.port)
        await mailbox.connect()
        await mailbox.search()
        assert mailbox.supports_idle
        await mailbox.idle(60)
        assert not mailbox.supports_idle
        await mailbox.close()


async def test_an_unreachable_server_is_explained() -> None:
    async with FakeImap() as server:
        mailbox = mailbox_at(server.port)
    with pytest.raises(Temporary, match="cannot be reached"):
        await mailbox.connect()
    await mailbox.close()


async def test_no_password_is_sent_without_starttls() -> None:
    """If it is required."""
    async with FakeImap(STARTTLS="no") as server:
        mailbox = ImapConnection(imap_account("127.0.0.1", server.port, "starttls", "go", "secret"))
        with pytest.raises(Temporary, match="STARTTLS"):
            await mailbox.connect()
        await mailbox.close()
    assert "LOGIN" not in server.commands


@pytest.mark.peer("dovecot", "openssl")
@pytest.mark.parametrize("security", ["tls", "starttls"])
async def test_tls_and_starttls_with_dovecot(security: str) -> None:
    """An untrusted certificate is refused."""
    with dovecot(tls=localhost()) as server:
        server.put(LETTER)
        port = server.tls_port if security == "tls" else server.port
        kind = "tls" if security == "tls" else "starttls"
        place = imap_account("localhost", port, kind, "go", PASSWORD)  # type: ignore[arg-type]
        mailbox = ImapConnection(place, trust=trusting_context())
        await mailbox.connect()
        assert await mailbox.search() == [1]
        assert await mailbox.fetch(1) == LETTER
        await mailbox.close()
        stranger = ImapConnection(place)
        with pytest.raises(Temporary, match="cannot be trusted"):
            await stranger.connect()
        await stranger.close()


@pytest.mark.peer("dovecot")
async def test_done_letters_are_moved() -> None:
    """Into a folder that is created; by COPY and a mark on a server without MOVE."""
    for extra in ("", "imap_capability = IMAP4rev1 IDLE UIDPLUS"):
        with dovecot(extra) as server:
            server.put(LETTER)
            place = imap_account(
                "127.0.0.1", server.port, "none", "go", PASSWORD, done_folder="Züge"
            )
            mailbox = ImapConnection(place)
            await mailbox.connect()
            assert await mailbox.mark_done(1)
            assert await mailbox.mark_done(1)  # once more changes nothing
            assert await mailbox.search() == []
            await mailbox.close()
            assert server.flags(folder="Z&APw-ge") == [""]
