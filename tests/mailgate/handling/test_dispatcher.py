"""Letters from bytes to outcome: sender, action and answer."""

import pytest

from godaemon.games.notices import Kind
from mailgate import tokens
from tests.support.gateway import ADDRESS, KEY, Gateway, Table, started


def change_token(token: str, field: int, value: object) -> str:
    """A token with one of its fields changed: 0 game, 1 seat, 2 and 3 revisions, 4 MAC."""
    parts = token.split("-")
    parts[field] = str(value)
    return "-".join(parts)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param((0, 7), id="another game"),
        pytest.param((0, 2), id="a game there is, but not this one"),
        pytest.param((1, "w"), id="the other seat"),
        pytest.param((1, "p"), id="a side of the proposal"),
        pytest.param((2, 99), id="a revision to come"),
        pytest.param((2, 1), id="an older revision"),
        pytest.param((3, 5), id="other marks"),
        pytest.param((4, "a" * 16), id="a forged MAC"),
    ],
)
def test_a_changed_token_is_invalid(change: tuple[int, object]) -> None:
    """The answer mentions no game."""
    table = Table()
    table.gateway.start(table.alice, table.eve, "5x5 as black")
    mark = len(table.gateway.outbox)
    token = change_token(table.gateway.token(table.alice.letters(Kind.STARTED)[0]), *change)
    outcome = table.alice.write("D4", to=tokens.reply_address(ADDRESS, token))
    assert outcome.event == "bad-token"
    assert outcome.game is None
    assert table.gateway.notices(mark) == [("alice", "refused")]
    notice = table.alice.newest().notice
    assert (notice.game, notice.seat, notice.since, notice.until) == (None, None, 0, 0)
    assert set(notice.about) <= {"reason", "code", "hints", "lines", "results", "why", "at"}
    assert notice.about["hints"] == ["games"]
    assert table.moves() == ""


def test_a_reused_game_number_has_other_tokens() -> None:
    """Numbers repeat after a restored backup."""
    lost = Table()
    token = lost.gateway.token(lost.alice.newest())
    fresh = Gateway()
    alice, bob = fresh.person("Alice"), fresh.person("Bob")
    fresh.unique()
    fresh.start(alice, bob, "9x9 as black")
    outcome = alice.write("D4", to=tokens.reply_address(ADDRESS, token))
    assert outcome.event == "bad-token"


def test_the_newest_valid_reference_counts() -> None:
    """Forged ones are skipped."""
    table = Table()
    old = table.gateway.message_id(table.alice.newest())
    table.gateway.play(table.alice, table.bob, "D4 E5")
    good = table.gateway.message_id(table.alice.newest())
    forged = f"<{change_token(good[1:].partition('.')[0], 4, 'c' * 16)}.0@go.example>"
    table.alice.write("D5", in_reply_to="<x@y>", references=f"{old} {good} {forged}")
    assert table.moves() == "D4 E5 D5"


def test_words_to_a_return_path_are_ignored() -> None:
    """No person knows that address, but commands to it count."""
    table = Table()
    newest = table.alice.newest()
    to = tokens.return_path(KEY, ADDRESS, newest.uid)
    answered = table.gateway.message_id(newest)
    outcome = table.alice.write("It is a lovely day.", to=to, in_reply_to=answered)
    assert (outcome.event, outcome.detail) == ("ignored", "only words, to a return path")
    assert table.notices == []
    assert table.alice.write("D4", to=to, in_reply_to=answered).event == "accepted"
    assert table.moves() == "D4"


def test_tokens_are_removed_from_chat() -> None:
    """Quoting a reply address would give the seat away."""
    table = Table()
    token = table.gateway.token(table.alice.newest())
    table.alice.reply(f"say write to go+{token}@go.example")
    assert token not in table.gateway.game().chat[0].text


def test_the_key_is_in_no_repr() -> None:
    """Logs and tracebacks must not contain it."""
    assert repr(KEY) not in repr(Gateway().intake)


def test_tokens_of_a_replaced_key_count_until_it_is_removed() -> None:
    """Letters already sent can be answered."""
    gateway, alice, bob = started()
    token, address = gateway.token(alice.newest(Kind.STARTED)), ADDRESS.replace("@", "+{}@")
    gateway.keys = (b"n" * 32, *gateway.keys)
    assert alice.write("D4", to=address.format(token)).event == "accepted"
    assert bob.reply("E5").event == "accepted"
    gateway.keys = gateway.keys[:1]
    assert alice.write("C3", to=address.format(token)).event == "bad-token"
    assert alice.reply("C3", to=alice.newest(Kind.YOUR_TURN)).event == "accepted"


def listed() -> Gateway:
    """Alice plays Bob (1) and Carol (2), and has asked for the list."""
    gateway = Gateway()
    for name in ("Bob", "Carol"):
        gateway.start(gateway.person("Alice"), gateway.person(name), "9x9 as black")
    gateway.person("Alice").write("games")
    gateway.send()
    return gateway


def test_a_forged_token_of_a_list_is_invalid() -> None:
    """Whether that list was sent or not."""
    gateway = listed()
    alice = gateway.person("Alice")
    uid = alice.newest(Kind.GAMES).uid
    for key, letter in ((b"x" * 32, uid), (b"k" * 32, "0" * 16)):
        forged = tokens.sign(key, "listed", letter)
        outcome = alice.write("1: D4", to=tokens.reply_address(ADDRESS, forged))
        assert outcome.wrong_token
    assert [gateway.game(number).move_number for number in (1, 2)] == [0, 0]


def test_a_quoted_list_makes_no_move() -> None:
    """However it is quoted."""
    gateway = listed()
    alice = gateway.person("Alice")
    listing = alice.newest(Kind.GAMES)
    text = alice.text(listing)
    assert "1: C3" in text
    lines = text.splitlines()
    for quoted in (lines, map(str.strip, lines), (ln for ln in lines if "reply above" not in ln)):
        alice.reply("\n".join(quoted), to=listing)
    assert [gateway.game(number).move_number for number in (1, 2)] == [0, 0]
