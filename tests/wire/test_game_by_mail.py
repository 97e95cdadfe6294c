"""A whole game by letter through a real daemon."""

from godaemon.records.sgf import parse_sgf
from tests.support.daemon import LiveDaemon
from tests.support.letters import plain
from tests.support.mailgame import begin, dead_stones, play, recorded
from tests.support.players import MailPlayer

KO_TAKEN, KO_POINT = 57, "J2"


def test_a_ko_fight_is_played_by_mail(
    daemon: LiveDaemon, alice: MailPlayer, bob: MailPlayer
) -> None:
    """76 moves with captures; an illegal ko and an outdated done are refused."""
    record = recorded("nine-lines-ko")
    number = begin(alice, bob, "9x9 komi 6.5")

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
        assert "by 3.5 points" in plain(end)
        attached = next(end.iter_attachments())
        kept = parse_sgf(attached.get_content())
        assert (kept.moves, kept.result, kept.rows) == (record.moves, "W+3.5", record.rows)
    assert daemon.game(number)["result"] == "W+3.5"
    assert daemon.game(number)["phase"] == "finished"
