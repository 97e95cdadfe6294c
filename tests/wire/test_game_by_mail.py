"""Whole games through a real daemon, by letters alone."""

from __future__ import annotations

import pytest

from godaemon.records.sgf import read
from tests.support.daemon import LiveDaemon
from tests.support.letters import html, plain
from tests.support.mailgame import begin, dead_stones, play, recorded, word
from tests.support.players import MailPlayer

KO_TAKEN, KO_POINT = 57, "J2"


@pytest.mark.parametrize(
    ("rules", "result"), [("japanese", "W+3.5"), ("chinese", "W+3.5"), ("aga", "W+3.5")]
)
def test_a_game_with_a_ko_fight_is_played_and_counted_by_letters_alone(
    daemon: LiveDaemon, alice: MailPlayer, bob: MailPlayer, rules: str, result: str
) -> None:
    """76 moves, captures, a ko refused, a stale done bounced with the new board, both done."""
    record = recorded("nine-lines-ko")
    number = begin(alice, bob, f"9x9 komi 6.5 rules {rules}")

    def take_the_ko_back_too_soon(move: int, mover: MailPlayer) -> None:
        if move != KO_TAKEN + 1:
            return
        turn = mover.newest
        before = daemon.unclocked(number)
        mover.reply(KO_POINT, turn)
        refused = mover.expect("refused")
        assert "ko" in plain(refused)
        assert daemon.unclocked(number) == before
        mover.newest = refused  # a refusal can be answered like the letter it answers

    play(alice, bob, record.moves, take_the_ko_back_too_soon)
    shown = daemon.game(number)
    assert shown["phase"] == "scoring"
    assert shown["move_number"] == len(record.moves)
    assert shown["prisoners"] == {"black": 6, "white": 5}

    bob_before_the_marks = bob.newest
    assert record.rows is not None
    for stone in dead_stones(record.rows):
        alice.reply(f"dead {stone} only")
        alice.expect("marks-changed")
        bob.expect("marks-changed")
    assert tuple(daemon.game(number)["board"]) == record.rows

    bob.reply("done", bob_before_the_marks)
    bounced = bob.expect("refused")
    assert daemon.game(number)["done"] == []
    assert "done" in plain(bounced)
    bob.reply("done", bounced)
    alice.expect("done")
    alice.reply("done")
    for player in (alice, bob):
        end = player.expect("finished")
        assert result in plain(end)
        attached = next(end.iter_attachments())
        kept = read(attached.get_content())
        assert (kept.moves, kept.result, kept.rows) == (record.moves, result, record.rows)
    assert daemon.game(number)["result"] == result
    assert daemon.game(number)["phase"] == "finished"


def test_a_real_game_on_nineteen_lines_is_replayed_by_letters(
    daemon: LiveDaemon, alice: MailPlayer, bob: MailPlayer
) -> None:
    """228 moves and passes; every board is the record's, and the count its result."""
    record = recorded("nineteen-lines")
    number = begin(alice, bob, f"19x19 komi {record.komi:g}")
    play(alice, bob, record.moves)
    assert record.rows is not None
    stones = " ".join(map(str, dead_stones(record.rows)))
    alice.reply(f"dead {stones} only\ndone")
    bob.expect("done")
    bob.reply("done")
    assert record.result is not None
    assert record.result in plain(alice.expect("finished"))
    assert tuple(daemon.game(number)["board"]) == record.rows


def test_a_turn_letter_shows_the_board_in_text_and_html_and_threads(
    alice: MailPlayer, bob: MailPlayer
) -> None:
    """Subject, threading headers, a token to answer to, and the same board in both parts."""
    begin(alice, bob, "9x9")
    alice.reply("E5\n\nGood luck, Bob!")
    letter = bob.expect("your-turn")
    assert "E5" in plain(letter).splitlines()[0]
    assert "Good luck, Bob!" in plain(letter)
    assert "Good luck, Bob!" in html(letter)
    assert "go+" in str(letter["Reply-To"])
    first = bob.letters()[next(iter(bob.letters()))]
    assert str(letter["References"]).split()[0] == str(first["References"]).split()[0]
    assert first["Subject"] == "Go game 1: an invitation"
    assert letter["Subject"] == "Go game 1 with Alice"
    for row in "123456789":
        assert row in plain(letter)


def test_a_stale_move_changes_nothing_and_brings_the_present_board(
    daemon: LiveDaemon, alice: MailPlayer, bob: MailPlayer
) -> None:
    """A move in answer to an old letter is not played, even where it would be legal now."""
    number = begin(alice, bob, "9x9")
    started = alice.newest
    alice.reply("E5")
    bob.expect("your-turn")
    bob.reply("C3")
    alice.expect("your-turn")
    alice.reply("G7", started)
    refused = alice.expect("refused")
    assert daemon.game(number)["move_number"] == 2
    assert "C3" in plain(refused) or "X" in plain(refused)
    alice.reply("G7", refused)
    bob.expect("your-turn")
    assert daemon.game(number)["move_number"] == 3


def test_a_reply_with_a_forged_token_learns_nothing(
    daemon: LiveDaemon, alice: MailPlayer, bob: MailPlayer
) -> None:
    """No board, no number and no name in the answer to a token that we did not sign."""
    number = begin(alice, bob, "9x9")
    mallory = daemon.person("Mallory")
    mallory.write("E5", to=f"go+{number}-b-3-0-aaaaaaaaaaaaaaaa@localhost")
    refused = mallory.expect("refused")
    assert refused["X-Godaemon-Game"] is None
    assert "Alice" not in plain(refused)
    assert "Bob" not in plain(refused)
    assert daemon.game(number)["move_number"] == 0


def test_nobody_is_written_to_before_the_proposer_has_confirmed(
    daemon: LiveDaemon, alice: MailPlayer, bob: MailPlayer
) -> None:
    """A forged proposal ends at the address it claims to come from."""
    alice.write("new 9x9 vs bob@players.example")
    alice.expect("confirm")
    assert bob.letters() == {}
    alice.reply("withdraw")
    alice.expect("withdrawn")
    assert bob.letters() == {}


def test_queries_are_answered_within_the_game(
    daemon: LiveDaemon, alice: MailPlayer, bob: MailPlayer
) -> None:
    """show, show N, sgf, games, help and say, all by reply."""
    record = recorded("nine-lines-ko")
    begin(alice, bob, "9x9")
    for move in record.moves[:6]:
        mover, other = (alice, bob) if move.color > 0 else (bob, alice)
        mover.reply(word(move))
        other.expect("your-turn")
    turn = alice.newest
    for text, kind in (
        ("show", "show"),
        ("show 3", "show"),
        ("near D4", "describe"),
        ("sgf", "sgf"),
        ("games", "games"),
        ("help", "help"),
    ):
        alice.reply(text, turn)
        answer = alice.expect(kind)
        assert plain(answer).strip()
    alice.reply("say Interesting move!", turn)
    assert "Interesting move!" in plain(bob.expect("chat"))
    assert alice.kinds().count("refused") == 0


def test_receipts_come_for_the_first_three_moves_only(alice: MailPlayer, bob: MailPlayer) -> None:
    """The third says how to keep them."""
    begin(alice, bob, "9x9")
    for mine, theirs in (("C3", "G7"), ("C7", "G3"), ("E5", "E7"), ("E3", "C5")):
        alice.reply(mine)
        bob.expect("your-turn")
        bob.reply(theirs)
        alice.expect("your-turn")
    assert alice.kinds().count("moved") == 3
    third = [
        letter for letter in alice.letters().values() if letter["X-Godaemon-Notice"] == "moved"
    ]
    assert "receipts" in plain(third[-1])


def test_what_is_offered_is_taken_by_a_yes_through_a_real_daemon(
    daemon: LiveDaemon, alice: MailPlayer, bob: MailPlayer
) -> None:
    """A friend, a move and words held back: each is asked back, and done for a word of assent."""
    alice.write(f"I'd like to play Go with my friend {bob.address} on the small board.")
    assert f"vs {bob.address}" in plain(alice.expect("refused"))
    alice.write(f"new 9x9 vs {bob.address}")
    alice.expect("confirm")
    alice.reply("Yes, that was me!")
    bob.expect("invitation")
    bob.reply("With pleasure")
    for player in (alice, bob):
        player.expect("started")
    (row,) = daemon.ask("games")
    black = daemon.game(row["id"])["black"]
    mover = next(one for one in (alice, bob) if one.address == black)
    mover.reply("Perhaps E5.")
    assert "Reply with: E5" in plain(mover.expect("refused"))
    mover.reply("genau")
    mover.expect("moved")
    assert daemon.game(row["id"])["move_number"] == 1
