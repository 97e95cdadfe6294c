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


async def file(root: Path, uid: str = "u1", to: str = BOB, raw: bytes = RAW) -> None:
    await MaildirDelivery(root).deliver(to, "", raw, uid)


async def test_reads_back_as_a_maildir(tmp_path: Path) -> None:
    """Any program that knows Maildirs finds the letter, whole and new."""
    await file(tmp_path)
    box = mailbox.Maildir(tmp_path / BOB, create=False)
    (letter,) = box
    assert letter["Subject"] == "Go game 1"
    assert letter.get_payload() == "Your move.\n"
    assert letter.get_subdir() == "new"
    assert not list((tmp_path / BOB / "tmp").iterdir())


async def test_the_same_letter_again_is_one_file(tmp_path: Path) -> None:
    """A repeated delivery after a crash replaces the first."""
    await file(tmp_path)
    await file(tmp_path)
    await file(tmp_path, "u2")
    assert len(mailbox.Maildir(tmp_path / BOB)) == 2


async def test_a_letter_that_was_read_stays_read(tmp_path: Path) -> None:
    """A mail program moved it to cur: delivering it again does not make it new."""
    await file(tmp_path)
    (fresh,) = (tmp_path / BOB / "new").iterdir()
    fresh.rename(tmp_path / BOB / "cur" / f"{fresh.name}:2,S")
    await file(tmp_path)
    assert not list((tmp_path / BOB / "new").iterdir())
    assert len(mailbox.Maildir(tmp_path / BOB)) == 1


async def test_one_persons_two_spellings_share_a_box(tmp_path: Path) -> None:
    """Addresses that differ only in case share a mailbox."""
    await file(tmp_path, "u1", "Bob@Players.Example")
    await file(tmp_path, "u2")
    assert len(mailbox.Maildir(tmp_path / BOB)) == 2


async def test_letters_are_for_their_owners_eyes(tmp_path: Path) -> None:
    """Nobody else on the machine may read them."""
    await file(tmp_path)
    assert (tmp_path / BOB / "new").stat().st_mode & 0o077 == 0


async def test_trouble_with_the_disk_passes(tmp_path: Path) -> None:
    """A root that is no folder is the world's trouble, and the letter is tried again."""
    (tmp_path / "root").write_text("")
    with pytest.raises(Temporary):
        await file(tmp_path / "root")


HOSTILE = ["../../etc/passwd", "..", ".", "", "/", "a/../b@x", "\x00@x", ".hidden@x", "\ud800@x"]


@pytest.mark.parametrize("address", [*HOSTILE, "x" * 1000, "ü" * 300])
def test_no_address_leaves_the_root(tmp_path: Path, address: str) -> None:
    """Every letter lies in a folder right under the root."""
    root = tmp_path / "mail"
    asyncio.run(file(root, to=address))
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
    """No address is spelt so that it lands in somebody else's box."""
    assert (folder_name(one) == folder_name(other)) == (one.lower() == other.lower())


async def test_a_hostile_id_stays_in_new(tmp_path: Path) -> None:
    """The file's name comes from our own ids, and could do no harm if it did not."""
    await file(tmp_path, "../../x")
    assert len(list((tmp_path / BOB / "new").iterdir())) == 1


async def test_a_full_disk_leaves_no_half_letter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not safe on the disk is never seen in `new`; the next try writes it whole."""

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        with pytest.raises(Temporary, match="could not be stored") as caught:
            await file(tmp_path)
    assert "No space left" in caught.value.detail
    new = tmp_path / BOB / "new"
    assert not new.exists() or not list(new.iterdir())
    await file(tmp_path)
    assert len(mailbox.Maildir(tmp_path / BOB)) == 1


async def test_a_folder_that_we_may_not_write_to(tmp_path: Path) -> None:
    """A name that is taken by a file, or a link to nowhere, is trouble that can be mended."""
    (tmp_path / BOB).symlink_to(tmp_path / "nowhere" / "else")
    (tmp_path / "nowhere").write_text("")
    with pytest.raises(Temporary):
        await file(tmp_path)
    (tmp_path / BOB).unlink()
    await file(tmp_path)
    assert len(mailbox.Maildir(tmp_path / BOB)) == 1


async def test_nobody_else_sees_whose_boxes_there_are(tmp_path: Path) -> None:
    """Parent folders are as private as the mailbox."""
    await file(tmp_path / "root")
    for path in (tmp_path / "root", tmp_path / "root" / BOB):
        assert path.stat().st_mode & 0o077 == 0
