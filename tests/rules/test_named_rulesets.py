"""Rulesets as data: each rule in a position where it matters."""

import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.errors import IllegalMove, Reason, Unknown
from godaemon.rules import ruleset_terms, scoring
from godaemon.rules.handicap import fixed_points
from godaemon.rules.named_rulesets import RULESETS, format_ruleset, parse_ruleset, sgf_ruleset
from godaemon.rules.points import Color, Size, parse_point
from godaemon.rules.position import Position
from godaemon.rules.ruleset import Ko, Placing, Resumption, Ruleset, Scoring, Tax
from godaemon.rules.scoring import Score
from tests.support import places
from tests.support.blocks import read_lines
from tests.support.boards import TRIPLE_KO, TRIPLE_KO_CYCLE, board, count, position
from tests.support.rows import each_row

LINES = read_lines(places.DATA / "meanings.txt")

NATURAL, POSITIONAL, SIMPLE, SITUATIONAL = Ko.NATURAL, Ko.POSITIONAL, Ko.SIMPLE, Ko.SITUATIONAL
AREA, STONES, TERRITORY = Scoring.AREA, Scoring.STONES, Scoring.TERRITORY
FIXED, FREE = Placing.FIXED, Placing.FREE
OPPONENT, ALTERNATE = Resumption.OPPONENT, Resumption.ALTERNATE
BLACK, WHITE = Color.BLACK, Color.WHITE
EACH = pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))

# name: ko, suicide, scoring, tax in seki, komi, komi with a handicap, points for 3 handicap
# stones, their placing, who resumes, passes that end the game with all alive, no result after a
# long cycle, stones for passes
TABLE = {
    "japanese": (SIMPLE, False, TERRITORY, True, 6.5, 0.5, 0, FIXED, OPPONENT, None, True, False),
    "korean": (SIMPLE, False, TERRITORY, True, 6.5, 0.5, 0, FIXED, OPPONENT, None, True, False),
    "chinese": (SIMPLE, False, AREA, False, 7.5, 0.5, 3, FREE, ALTERNATE, None, True, False),
    "chinese-superko": (
        *(POSITIONAL, False, AREA, False, 7.5, 0.5, 3, FREE, ALTERNATE, None, False, False),
    ),
    "aga": (SITUATIONAL, False, AREA, False, 7.5, 0.5, 2, FIXED, ALTERNATE, 4, False, True),
    "bga": (NATURAL, False, AREA, False, 7.5, 0.5, 2, FIXED, ALTERNATE, 4, False, True),
    "new-zealand": (NATURAL, True, AREA, False, 7, 0, 0, FREE, ALTERNATE, None, False, False),
    "ing": (POSITIONAL, True, AREA, False, 7.5, 0.5, 0, FREE, ALTERNATE, 4, False, False),
    "tromp-taylor": (POSITIONAL, True, AREA, False, 7.5, 0.5, 0, FIXED, ALTERNATE, 2, False, False),
    "stone-scoring": (
        *(SIMPLE, False, STONES, False, 7.5, 0.5, 0, FIXED, ALTERNATE, None, True, False),
    ),
}


@pytest.mark.parametrize("name", RULESETS)
def test_rulesets_follow_their_publications(name: str) -> None:
    """The terms of each ruleset are those of its published rules."""
    rules = RULESETS[name]
    assert (
        *(rules.ko, rules.suicide, rules.scoring, rules.tax is Tax.SEKI),
        *(rules.komi_for(Size(19, 19)), rules.komi_for(Size(19, 19), 3), rules.handicap_points(3)),
        *(rules.placing, rules.resumption, rules.settles, rules.long_cycle, rules.pass_stones),
    ) == TABLE[name]
    assert rules.handicap_points(0) == 0
    assert rules.passes == 2
    assert rules.white_passes_last is rules.pass_stones


@EACH
def test_small_boards_have_a_small_komi(rules: Ruleset) -> None:
    """The full one from 5x6 up; with a handicap only the fraction of a point."""
    least = 0.0 if rules.name == "new-zealand" else 0.5
    for size in (Size(5, 6), Size(7, 7), Size(9, 9), Size(13, 19), Size(52, 52)):
        assert rules.komi_for(size) == rules.komi
        assert rules.komi_for(size, 2) == least
    for size in (Size(1, 1), Size(5, 5), Size(52, 4)):
        assert rules.komi_for(size) == least


@each_row("line", LINES["names of rulesets"])
def test_rulesets_are_known_by_many_names(line: str) -> None:
    """People, KataGo, KGS, OGS and records use them."""
    text, name = line.split(" => ")
    assert parse_ruleset(text) is RULESETS[name]


def test_each_name_has_one_ruleset() -> None:
    """Each synonym belongs to one row, and each expected row exists."""
    assert RULESETS.keys() == TABLE.keys()
    names = [word for rules in RULESETS.values() for word in {rules.name, *rules.synonyms}]
    assert len(names) == len(set(names))


@EACH
def test_written_rulesets_are_parsed(rules: Ruleset) -> None:
    """As RU property, and as text."""
    assert parse_ruleset(sgf_ruleset(rules)) is rules
    assert parse_ruleset(format_ruleset(rules)) is rules


# -- what the rows come to ---------------------------------------------------------------------


def scored(game: Position, ruleset: Ruleset, *, komi: float = 0, handicap: int = 0) -> Score:
    """The score of a game in which nothing is dead."""
    return scoring.count(game, (), komi, handicap, ruleset)


def passes(game: Position, times: int) -> Position:
    """The game after passes of the players to move."""
    for _ in range(times):
        game.pass_(game.to_move)
    return game


COUNTED = """
    . X O .
    . X O .
    O X O O
    """


@EACH
def test_each_ruleset_counts_its_points(rules: Ruleset) -> None:
    """Territory and prisoners, area, or live stones; the dead stone at A1 is removed."""
    gone = [parse_point("A1")] if rules.removal else []
    score = count(board(COUNTED), gone, rules, prisoners=(3, 1))
    totals = {
        **dict.fromkeys(("japanese", "korean"), (3 + 1 + 3, 2 + 1)),
        "tromp-taylor": (3, 4 + 1 + 2),  # nothing is taken off: the left side touches both
        "stone-scoring": (3, 4),
    }
    assert (score.black.total, score.white.total) == totals.get(rules.name, (3 + 3, 4 + 2))


@EACH
def test_two_passes_stop_play(rules: Ruleset) -> None:
    """Under every ruleset; a stone between passes restarts the count."""
    game = Position(Size(3, 3), rules)
    assert not game.is_stopped
    assert not passes(game, 1).is_stopped
    game.play(WHITE, parse_point("B2"))
    assert not passes(game, 1).is_stopped
    assert passes(game, 1).is_stopped


def test_three_pass_rules_stop_after_three() -> None:
    """Six settle the game."""
    game = Position(Size(3, 3), RULESETS["aga"].replace(passes=3))
    stops = [passes(game, 1).is_stopped for _ in range(6)]
    assert stops == [False, False, True, False, False, True]
    assert game.is_settled


@EACH
def test_each_ruleset_orders_a_resumption(rules: Ruleset) -> None:
    """Japanese and Korean: the opponent of the asker; others: the opponent of the last passer.

    Black passed first here, so White was the last.
    """
    game = passes(Position(Size(3, 3), rules), 2)
    found = {asker: game.first_after_stop(asker) for asker in Color}
    if rules.name in {"japanese", "korean"}:
        assert found == {BLACK: WHITE, WHITE: BLACK}
    else:
        assert found == {BLACK: BLACK, WHITE: BLACK}


@EACH
def test_four_passes_end_some_games(rules: Ruleset) -> None:
    """Two after a resumption, by AGA, BGA and Ing rules."""
    game = passes(Position(Size(3, 3), rules), 2)
    assert game.is_settled is (rules.name == "tromp-taylor")
    game.give_turn(game.first_after_stop(BLACK))
    passes(game, 2)
    assert game.is_settled is (rules.name in {"aga", "bga", "ing", "tromp-taylor"})
    assert game.is_stopped


@pytest.mark.parametrize("handicap", [0, 2, 5])
@pytest.mark.parametrize("name", ["aga", "bga"])
def test_pass_stones_make_area_and_territory_agree(name: str, handicap: int) -> None:
    """Whoever passes last: both counts give the same margin."""
    rules, size = RULESETS[name], Size(9, 9)
    rng = random.Random(f"{name}{handicap}")
    last = set()
    for _ in range(20):
        stones = fixed_points(size, handicap) if handicap else ()
        game = Position(size, rules, stones)
        while not game.is_stopped or game.move_number < 40:
            points = [game.board.point(rng.randrange(81)) for _ in range(3)]
            legal = [point for point in points if game.is_legal(game.to_move, point)]
            if legal and rng.random() < 0.8:
                game.play(game.to_move, legal[0])
            else:
                game.pass_(game.to_move)
        last.add(game.last.color if game.last else None)
        territory = rules.replace(scoring=TERRITORY)
        area = scored(game, rules, komi=7.5, handicap=handicap)
        assert area.margin == scored(game, territory, komi=7.5, handicap=handicap).margin
    assert last == {BLACK, WHITE}


@EACH
def test_a_triple_ko_repeats_or_is_refused(rules: Ruleset) -> None:
    """A superko refuses the last capture; a simple ko never ends.

    There the players may agree on no result from the third time on.
    """
    game = position(TRIPLE_KO, rules)
    *round_, last = zip((BLACK, WHITE) * 3, TRIPLE_KO_CYCLE.split(), strict=True)
    for color, point in round_:
        game.play(color, parse_point(point))
    if rules.ko is not SIMPLE:
        with pytest.raises(IllegalMove, match="as it stood before the first move") as refusal:
            game.play(WHITE, parse_point(last[1]))
        assert (refusal.value.reason, refusal.value.repeats) == (Reason.SUPERKO, 0)
        return
    game.play(WHITE, parse_point(last[1]))
    assert not game.is_long_cycle
    for color, point in [*round_, last]:
        game.play(color, parse_point(point))
    assert game.is_long_cycle
    assert not passes(game, 1).is_long_cycle


def test_some_rules_have_no_long_cycle() -> None:
    """However often a position is repeated."""
    game = position(TRIPLE_KO, RULESETS["japanese"].replace(long_cycle=False))
    for color, point in zip((BLACK, WHITE) * 6, TRIPLE_KO_CYCLE.split() * 2, strict=True):
        game.play(color, parse_point(point))
    assert not game.is_long_cycle


@pytest.mark.parametrize("text", ["x" + "," * 40_000, "japanese " + "ko=simple " * 4_000])
def test_very_long_texts_are_no_ruleset(text: str) -> None:
    """A record may have a megabyte there, and everybody waits while it is read."""
    with pytest.raises(Unknown):
        parse_ruleset(text)


@pytest.mark.parametrize("line", LINES["combinations of rules"])
def test_combinations_are_parsed(line: str) -> None:
    """A base ruleset and changes to it, as people and KataGo write them."""
    text, whole = line.split(" => ")
    assert format_ruleset(parse_ruleset(text)) == whole


@pytest.mark.parametrize("line", LINES["no rulesets"])
def test_invalid_combinations_are_refused(line: str) -> None:
    """With the possible values."""
    text, public, hint = line.split(" => ")
    with pytest.raises(Unknown, match=public) as refusal:
        parse_ruleset(text)
    assert hint in refusal.value.hints


def values(kind: type) -> st.SearchStrategy[object]:
    """Every value that a field of a ruleset can have."""
    if kind is int:
        return st.integers(2, ruleset_terms.MAX_PASSES)
    return st.integers(-20, 20).map(lambda half: half / 2) if kind is float else st.from_type(kind)


COMBINATIONS = st.builds(
    lambda base, changes: RULESETS[base].replace(**changes),
    st.sampled_from(sorted(RULESETS)),
    st.fixed_dictionaries(
        {},
        optional={key.replace("-", "_"): values(kind) for key, kind in ruleset_terms.KEYS.items()},
    ),
)


@given(COMBINATIONS)
def test_combinations_are_parsed_as_written(rules: Ruleset) -> None:
    """In text and in records."""
    assert parse_ruleset(format_ruleset(rules)) == rules
    assert parse_ruleset(sgf_ruleset(rules)) == rules


@given(st.text(max_size=60) | st.from_regex(r"\A[a-z]{2,9} [a-z-]{2,9}=[a-z0-9]{1,6}\Z"))
def test_any_text_is_a_ruleset_or_refused(text: str) -> None:
    """No text gets more than a refusal."""
    with suppress(Unknown):
        assert isinstance(parse_ruleset(text), Ruleset)
