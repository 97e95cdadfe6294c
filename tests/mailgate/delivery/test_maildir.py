"""Delivery to Maildirs: any address, any state of the folder."""

import asyncio
import errno
import mailbox
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.errors import Temporary
from mailgate.delivery.maildir import MaildirDelivery, folder_name

BOB = "bob@players.example"
RAW = b"Subject: Go game 1\r\nMessage-ID: <u1@go.example>\r\n\r\nYour move.\r\n"


async def store(root: Path, uid: str = "u1", to: str = BOB, raw: bytes = RAW) -> None:
    await MaildirDelivery(root).deliver(to, "", raw, uid)


async def test_the_letter_is_read_by_any_maildir_program(tmp_path: Path) -> None:
    """Whole, and as new."""
    await store(tmp_path)
    box = mailbox.Maildir(tmp_path / BOB, create=False)
    (letter,) = box
    assert letter["Subject"] == "Go game 1"
    assert letter.get_payload() == "Your move.\n"
    assert letter.get_subdir() == "new"
    assert not list((tmp_path / BOB / "tmp").iterdir())


async def test_a_repeated_delivery_replaces_the_file(tmp_path: Path) -> None:
    """As after a crash."""
    await store(tmp_path)
    await store(tmp_path)
    await store(tmp_path, "u2")
    assert len(mailbox.Maildir(tmp_path / BOB)) == 2


async def test_a_repeated_delivery_keeps_a_read_letter_read(tmp_path: Path) -> None:
    """A mail program moved it to `cur`."""
    await store(tmp_path)
    (fresh,) = (tmp_path / BOB / "new").iterdir()
    fresh.rename(tmp_path / BOB / "cur" / f"{fresh.name}:2,S")
    await store(tmp_path)
    assert not list((tmp_path / BOB / "new").iterdir())
    assert len(mailbox.Maildir(tmp_path / BOB)) == 1


HOSTILE = ["../../etc/passwd", "..", ".", "", "/", "a/../b@x", "\x00@x", ".hidden@x", "\ud800@x"]


@pytest.mark.parametrize("address", [*HOSTILE, "x" * 1000, "ü" * 300])
def test_no_address_escapes_the_root(tmp_path: Path, address: str) -> None:
    """Every letter is in a folder directly below it."""
    root = tmp_path / "mail"
    asyncio.run(store(root, to=address))
    assert [path.name for path in tmp_path.iterdir()] == ["mail"]
    (folder,) = root.iterdir()
    assert len(list((folder / "new").iterdir())) == 1


@given(st.text(max_size=300))
def test_folder_names_are_safe(address: str) -> None:
    """One ordinary, short name, whatever the address."""
    name = folder_name(address)
    assert 0 < len(name.encode()) <= 200
    assert "/" not in name
    assert "\0" not in name
    assert not name.startswith(".")


@given(st.text(max_size=30), st.text(max_size=30))
def test_two_people_have_two_folders(one: str, other: str) -> None:
    """No spelling leads to another mailbox."""
    assert (folder_name(one) == folder_name(other)) == (one.lower() == other.lower())


async def test_a_hostile_id_stays_in_new(tmp_path: Path) -> None:
    """Although IDs are our own."""
    await store(tmp_path, "../../x")
    assert len(list((tmp_path / BOB / "new").iterdir())) == 1


async def test_a_full_disk_leaves_no_partial_letter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A letter is moved to `new` only after fsync; the next try stores it."""

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        with pytest.raises(Temporary, match="could not be stored") as caught:
            await store(tmp_path)
    assert "No space left" in caught.value.detail
    new = tmp_path / BOB / "new"
    assert not new.exists() or not list(new.iterdir())
    await store(tmp_path)
    assert len(mailbox.Maildir(tmp_path / BOB)) == 1


async def test_an_unusable_folder_is_a_temporary_error(tmp_path: Path) -> None:
    """The operator can repair a link to nowhere, or a file in its place."""
    (tmp_path / BOB).symlink_to(tmp_path / "nowhere" / "else")
    (tmp_path / "nowhere").write_text("")
    with pytest.raises(Temporary):
        await store(tmp_path)
    (tmp_path / BOB).unlink()
    await store(tmp_path)
    assert len(mailbox.Maildir(tmp_path / BOB)) == 1


async def test_mailboxes_and_their_parents_are_private(tmp_path: Path) -> None:
    """Nobody else on the machine may list or read them."""
    await store(tmp_path / "root")
    for path in (tmp_path / "root", tmp_path / "root" / BOB, tmp_path / "root" / BOB / "new"):
        assert path.stat().st_mode & 0o077 == 0
