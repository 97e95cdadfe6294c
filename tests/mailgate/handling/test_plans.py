"""Plans (`if D4 then E5`) as letters: shown to their owner, used at once, and never seen before."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from godaemon.games import events as ev
from godaemon.games.calls import Caller
from godaemon.games.game_cache import GameCache
from godaemon.games.model import Seat
from godaemon.games.notices import Kind
from godaemon.games.plans import Line
from godaemon.games.views import record, snapshot
from godaemon.records import sgf
from godaemon.rules.points import Color
from tests.support.gateway import Gateway, Person

Three = tuple[Gateway, Person, Person]


@pytest.fixture
def played() -> Three:
    """Alice (Black) has just played E5; it is Bob's turn."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    gateway.play(alice, bob, "E5")
    return gateway, alice, bob


def said(person: Person) -> str:
    """The newest letter as plain words."""
    return " ".join(person.read().get_body(("plain",)).get_content().split())  # type: ignore[union-attr]


def moves(gateway: Gateway) -> str:
    """The moves of the game so far."""
    return " ".join(str(move.point or "pass") for move in gateway.game().position.moves)


def kept(gateway: Gateway, color: Color = Color.BLACK) -> tuple[Line, ...]:
    """What a colour has planned."""
    return gateway.game().plans.get(color, ())


def test_a_plan_is_shown_back_and_used_at_once(played: Three) -> None:
    """Two plies and two branches; the reply is played with the move, and both are told so."""
    gateway, alice, bob = played
    lines = "if C3 then G7, if G3 then C7\nif C3 G7, if any then D4\nif G7, then I play C3"
    assert alice.reply(lines).event == "accepted"
    letter = said(alice)
    assert letter.startswith("Your plans for game 1 are kept. Only you see them. Bob (White)")
    first = "> if C3 then G7 > – after that: if G3 then C7 > – after that: if any then D4"
    assert f"{first} > if G7 then C3" in letter
    assert "The board after C3, G7, G3, C7:" in letter
    assert bob.reply("C3\nHave a nice day!").event == "accepted"
    assert moves(gateway) == "E5 C3 G7"
    assert said(bob).startswith(
        "You played C3 (move 2). Alice had G7 ready in reply (move 3). Your move, White."
    )
    news = said(alice)
    assert news.startswith(
        "Bob played C3 (move 2). You had G7 ready in reply (move 3). Bob (White)"
    )
    assert "Have a nice day!" in news
    assert "> if G3 then C7 > if any then D4" in news
    bob.reply("H8")
    assert moves(gateway) == "E5 C3 G7 H8 D4"
    assert kept(gateway) == ()
    assert [one for one in gateway.told() if one[1] == "ifs"] == [("alice", "ifs")] * 3


def test_a_move_and_its_plan_in_one_letter(played: Three) -> None:
    """The plan stands below the move that it is for; the answer tells of both."""
    gateway, _, bob = played
    assert bob.reply("C3\nif C4 then D3").event == "accepted"
    assert kept(gateway, Color.WHITE) == (("C4", "D3"),)
    assert said(bob).startswith("You played C3 (move 2). Alice (Black) is to move.")
    assert "> if C4 then D3" in said(bob)


def test_what_the_game_leaves_is_forgotten(played: Three) -> None:
    """Its owner is told with the move, and the other hears nothing of it."""
    gateway, alice, bob = played
    alice.reply("if C3 then G7")
    bob.reply("C4")
    assert kept(gateway) == ()
    assert moves(gateway) == "E5 C4"
    assert "The game went another way, so your plans are dropped." in said(alice)
    assert "plan" not in said(bob)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("if E5 then G7", "I tried E5: There is already a stone on E5."),
        ("if C3 then C3", "I tried C3, C3: There is already a stone on C3."),
        ("if C3 then G7, if G7 then C7", "I tried C3, G7, G7: There"),
        ("if C3 then T19", "off the 9x9 board"),
        ("if C3 then G7\nif C3 then G3", "You have already planned: if C3 then G7."),
        ("if C3", "A plan goes by pairs"),
        ("if pass then pass, if C3 then D3", "I tried pass, pass: after those passes play stops"),
    ],
)
def test_plans_that_cannot_be(played: Three, lines: str, why: str) -> None:
    """Each is tried on the board when it is sent; none of the letter is done."""
    gateway, alice, bob = played
    told = len(bob.letters())
    assert alice.reply(lines).event == "refused"
    assert why in said(alice)
    assert kept(gateway) == ()
    assert len(bob.letters()) == told


def test_on_ones_own_turn_the_move_comes_first(played: Three) -> None:
    """There is nothing to wait for; and a teacher has nobody to wait for."""
    gateway, _, bob = played
    assert bob.reply("if C3 then G7").event == "refused"
    assert "It is your move: play it first" in said(bob)
    assert bob.reply("cancel ifs").event == "accepted"
    carol = gateway.person("Carol")
    gateway.start(carol, carol)
    carol.reply("E5")
    assert carol.reply("if C3 then G7").event == "refused"


def test_an_old_letter_cancels_no_plans(played: Three) -> None:
    """Others may have it by now."""
    gateway, alice, bob = played
    old = alice.newest()
    gateway.play(alice, bob, "C3 D4")
    alice.reply("if G3 then G4")
    assert alice.reply("cancel ifs", to=old).event == "refused"
    assert kept(gateway) != ()


def test_plans_are_looked_at_and_cancelled(played: Three) -> None:
    """`if` alone shows them; `cancel ifs` forgets them, also right above new ones."""
    gateway, alice, bob = played
    alice.reply("if C3 then G7")
    alice.reply("if")
    assert "> if C3 then G7" in said(alice)
    alice.reply("cancel ifs\nif C3 then G3")
    assert kept(gateway) == (("C3", "G3"),)
    alice.reply("cancel ifs")
    assert said(alice).startswith("You have no plans in game 1 any more.")
    bob.reply("C3")
    assert moves(gateway) == "E5 C3"


def test_any_is_a_stone_and_what_cannot_be_played_is_not(played: Three) -> None:
    """A branch that names the move goes first; where the point is taken by then, nothing is."""
    gateway, alice, bob = played
    alice.reply("if any then G7")
    bob.reply("G7")
    assert moves(gateway) == "E5 G7"
    assert "your plans are dropped" in said(alice)
    alice.reply("C3\nif any then C7\nif pass then G3")
    bob.reply("pass")
    assert moves(gateway) == "E5 G7 C3 pass G3"


@pytest.mark.parametrize(
    "asked",
    ["try G7", "show 3", "branch 3", "branch 2", "history\ntry D4 G7", "kifu 1-3", "propose"],
)
@pytest.mark.parametrize("plan", ["if C3 then G7", "if any then D4", "if C3 then pass"])
def test_what_is_asked_beside_a_move_tells_nothing_of_a_plan(asked: str, plan: str) -> None:
    """A letter that is refused has cost nothing: whether it is may not hang on what is planned."""
    outcomes = []
    for line in (plan, "note nothing"):
        gateway = Gateway()
        alice, bob = gateway.person("Alice"), gateway.person("Bob")
        gateway.start(alice, bob)
        gateway.play(alice, bob, "E5")
        alice.reply(line)
        outcome = bob.reply(f"C3\n{asked}", to=bob.newest(Kind.YOUR_TURN)).event
        outcomes.append((outcome, said(bob) if outcome == "refused" else ""))
    assert outcomes[0] == outcomes[1]


def test_the_answer_beside_a_move_shows_the_reply(played: Three) -> None:
    """The board that was asked for is the one on which it is the asker's turn again."""
    gateway, alice, bob = played
    alice.reply("if C3 then G7")
    bob.reply("C3\nshow", to=bob.newest(Kind.YOUR_TURN))
    shown = bob.newest(Kind.SHOW).notice
    assert shown.until == gateway.game().length


def test_what_any_has_made_impossible_is_forgotten(played: Three) -> None:
    """The stone of `any` may stand where a later move was meant to be; the rest of a line stays."""
    gateway, alice, bob = played
    alice.reply("if any then G7, if C3 then C7, if D6 then F6\nif any then G7, if G3 then C3")
    bob.reply("C3")
    assert moves(gateway) == "E5 C3 G7"
    assert kept(gateway) == ()
    assert said(alice).startswith("Bob played C3 (move 2). You had G7 ready in reply (move 3)")
    alice.reply("if any then G5, if D4 then D6, if F4 then D3")
    bob.reply("F4")
    assert kept(gateway) == (("D4", "D6"),)
    assert "> if D4 then D6" in said(alice)


@pytest.mark.parametrize(
    "sentence",
    [
        "If Bob plays C4, I want to play D5.",
        "I'll play D5 if you go C4",
        "Should you play C4, I answer at D5",
        "Wenn du C4 spielst, spiele ich D5",
    ],
)
def test_a_plan_in_words_is_kept_from_the_opponent(sentence: str) -> None:
    """Below a move too; and no move that it names is played."""
    for above in ("", "E5\n"):
        gateway = Gateway()
        alice, bob = gateway.person("Alice"), gateway.person("Bob")
        gateway.start(alice, bob)
        alice.reply(above + sentence)
        assert moves(gateway) in ("", "E5")
        assert re.search(r"\bsend\b", said(alice))
        assert gateway.game_now().chat == ()


@pytest.mark.parametrize(
    "sentence", ["If Bob plays C4, I want to play D5.", "Bob, if you play C4 I shall play D5!"]
)
def test_a_plan_in_words_is_offered_while_the_opponent_is_to_move(
    played: Three, sentence: str
) -> None:
    """As the line that plans it."""
    _, alice, _ = played
    alice.reply(sentence)
    assert alice.newest(Kind.REFUSED).notice.about["hints"][0] == "if C4 then D5"


@pytest.mark.parametrize(
    "sentence", ["I lost D5 when you played C4", "I think D5 was better when you had C4"]
)
def test_what_has_happened_is_no_plan(sentence: str) -> None:
    """It is told to the opponent."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    alice.reply(f"E5\n{sentence}")
    assert [one.text for one in gateway.game_now().chat] == [sentence]


def test_both_may_have_planned(played: Three) -> None:
    """One move sets off all that fits, and each is told once."""
    gateway, alice, bob = played
    alice.reply("if C3 then G7, if C7 then G3")
    told = len(gateway.outbox)
    assert bob.reply("C3\nif D4 then D6").event == "accepted"
    assert moves(gateway) == "E5 C3 G7"
    assert kept(gateway, Color.WHITE) == ()
    assert sorted(gateway.told(told)) == [("alice", "ifs"), ("bob", "your-turn")]
    bob.reply("C7")
    assert moves(gateway) == "E5 C3 G7 C7 G3"


def test_what_was_held_back_is_sent_also_after_moves(played: Three) -> None:
    """Plans play several at once; an old email does not send it, and says what does."""
    gateway, alice, bob = played
    alice.reply("if C3 then G7, if C7 then G3")
    alice.reply("Bob, if you play C4 I shall play D5!")
    held = alice.newest(Kind.REFUSED)
    bob.reply("C3")
    bob.reply("C7")
    assert moves(gateway) == "E5 C3 G7 C7 G3"
    alice.reply("send", to=held)
    assert "answer this one" in said(alice)
    assert gateway.game_now().chat == ()
    assert alice.reply("send", to=alice.newest(Kind.REFUSED)).event == "accepted"
    assert [one.text for one in gateway.game_now().chat] == ["Bob, if you play C4 I shall play D5!"]


def test_a_planned_pass_that_stops_play_is_its_planner_s(played: Three) -> None:
    """Who passed last is told right to both, though one email tells of both passes."""
    _, alice, bob = played
    alice.reply("if pass then pass")
    bob.reply("pass")
    assert "Alice passed (move 3)" in said(bob)
    assert "You passed (move 3)" in said(alice)


def test_undo_counting_and_the_end_forget_plans(played: Three) -> None:
    """Only moves lead on to what was planned."""
    gateway, alice, bob = played
    alice.reply("if C3 then G7")
    alice.reply("undo")
    bob.reply("yes")
    assert kept(gateway) == ()
    alice.reply("E5\nif C3 then G7")
    bob.reply("resign")
    assert kept(gateway) == ()


def test_a_restart_keeps_plans(played: Three) -> None:
    """They are in the log."""
    gateway, alice, bob = played
    alice.reply("if C3 then G7")
    gateway.cache = GameCache()
    bob.reply("C3")
    assert moves(gateway) == "E5 C3 G7"


def game_told(planning: bool) -> Iterator[bytes]:
    """Everything that Bob can get at, with Alice planning or only looking at the board."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    gateway.play(alice, bob, "E5")
    gateway.wait(minutes=1)
    turn = bob.newest()
    seeds = ("if J9 then A1, if A9 then J1", "if H9 then A2", "cancel ifs\nif J9 then A1", "if")
    for line in seeds:
        gateway.wait(minutes=1)
        assert alice.reply(line if planning else "show").event == "accepted"
        yield (
            str(sorted(map(str, gateway.game().revisions))).encode() + gateway.token(turn).encode()
        )
        for asked in ("show", "sgf", "kifu", "describe", "games", "settings", "show 0", "if", "hm"):
            told = len(bob.letters())
            bob.reply(asked, to=turn)
            for due in bob.letters()[told:]:
                yield gateway.token(due).encode()
                yield bob.read().as_bytes()
    game = gateway.game()
    yield str(snapshot(game)).encode() + sgf.write(record(game)).encode()
    bob.reply("C4", to=turn)  # written against the letter from before all of that
    yield moves(gateway).encode()
    yield bob.read().as_bytes()


def test_nobody_else_can_tell_that_there_are_plans() -> None:
    """Whatever Bob asks for, he gets the same, to the byte, whether Alice plans or not."""
    with_plans, without = list(game_told(planning=True)), list(game_told(planning=False))
    assert len(with_plans) > 30
    assert with_plans == without


@pytest.mark.parametrize("line", ["if any then any", "if C3 then any", "if C3 then G7, if G3 any"])
def test_any_is_no_answer_of_ones_own(played: Three, line: str) -> None:
    """Else every move of the opponent that it answers would be refused, and the game at an end."""
    gateway, alice, bob = played
    assert alice.reply(line).event == "refused"
    assert "your own answer is a point, or “pass”. Nothing was planned." in said(alice)
    assert kept(gateway) == ()
    assert bob.reply("C3").event == "accepted"


def test_a_plan_without_an_answer_out_of_an_older_log_stops_no_move(played: Three) -> None:
    """It is forgotten once it comes to it."""
    gateway, _, bob = played
    planned = ev.Planned("black", (("any", "any"),))
    gateway.writer.run_sync(
        lambda unit: gateway.games(unit).happened(
            gateway.games(unit).game(1), planned, Seat.BLACK, Caller("letter:old")
        )
    )
    assert bob.reply("C3").event == "accepted"
    assert moves(gateway) == "E5 C3"
    assert kept(gateway) == ()
