"""The model of intents: its accuracy on unseen phrases."""

from array import array
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mailgate.language import train
from mailgate.language.meaning_model import (
    BITS,
    MAX_SENTENCES,
    NOTHING,
    TALK,
    Meaning,
    Model,
    hashes,
    meaning,
    meanings,
    model,
)
from mailgate.language.train import Phrase
from tests.support.examples import examples

pytestmark = pytest.mark.xdist_group("held_out phrases")
"""One process reads them, and no other."""
FOLDER = Path(train.__file__).parent / "words"
MANY = 3_000
"""The number of phrases with which a language is understood well."""
MOST_BYTES = 1_500_000


@cache
def held_out() -> Sequence[tuple[Phrase, Meaning]]:
    """The held_out-out phrases, each with the model's classification."""
    return [(one, model().read(one.marked)) for one in train.phrases(FOLDER) if one.held]


def accuracy(language: str = "") -> tuple[float, float]:
    """How often the likeliest meaning is right, and how often one of the likeliest three."""
    selected = [(one, found) for one, found in held_out() if language in ("", one.language)]
    first = sum(found.first == one.meaning for one, found in selected)
    three = sum(one.meaning in dict(found.likely[:3]) for one, found in selected)
    return first / len(selected), three / len(selected)


@pytest.mark.slow
def test_unseen_phrases_are_classified() -> None:
    """Most at once, and nearly all among three meanings."""
    first, three = accuracy()
    assert first >= 0.63
    assert three >= 0.82


@pytest.mark.slow
def test_every_language_is_classified() -> None:
    """If the model has enough phrases of it."""
    count = Counter(one.language for one in train.phrases(FOLDER))
    found = {language: accuracy(language) for language in count if count[language] >= MANY}
    assert len(found) > 5
    behind = {one for one, (first, three) in found.items() if first < 0.58 or three < 0.78}
    assert behind == set()


@pytest.mark.slow
def test_few_requests_are_classified_as_talk() -> None:
    """Talk goes to the opponent."""
    ours = [found for one, found in held_out() if one.meaning not in TALK]
    assert sum(found.talk >= 0.9 for found in ours) <= 0.02 * len(ours)


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("Me rindo, jugaste muy bien.", "resign"),
        ("Сдаюсь, отличная партия!", "resign"),
        ("I resign, what a game!", "resign"),
        ("I pass too, that's it I think", "pass"),
    ],
)
def test_a_pass_or_resignation_beside_talk_is_certain(text: str, intent: str) -> None:
    """Whatever is beside it."""
    assert meaning(text).likely == ((intent, 1.0),)


def test_the_model_is_small() -> None:
    """It is in every installation."""
    assert len(model().pack()) <= MOST_BYTES


@st.composite
def models(draw: st.DrawFn) -> Model:
    """Any model, of a few features."""
    names = draw(st.lists(st.text("abcdef_", min_size=1), min_size=1, max_size=5, unique=True))
    weight = st.tuples(st.integers(0, len(names) - 1), st.integers(-128, 127))
    rows = draw(st.dictionaries(st.integers(0, (1 << BITS) - 1), st.lists(weight, max_size=5)))
    starts = array("I", [0])
    for place in range(1 << BITS):
        starts.append(starts[-1] + len(rows.get(place, ())))
    kept = [one for place in sorted(rows) for one in rows[place]]
    unit = draw(st.integers(1, 1 << 20)) / 65536
    intents = bytes(intents for intents, _ in kept)
    return Model(tuple(names), unit, starts, intents, array("b", [size for _, size in kept]))


@settings(max_examples=examples(40))
@given(models())
def test_a_packed_model_is_unpacked(one: Model) -> None:
    """Byte by byte."""
    assert Model.unpack(one.pack()) == one


@given(st.text(max_size=200))
def test_features_are_reproducible(text: str) -> None:
    """Sorted, unique, and within the model."""
    found = hashes(text)
    assert found == hashes(text)
    assert found == sorted({*found})
    assert all(0 <= one < 1 << BITS for one in found)


@given(st.text(max_size=400))
def test_any_text_is_classified(text: str) -> None:
    """Probabilities add up to one, the largest first."""
    found = meaning(text)
    sizes = [share for _, share in found.likely]
    assert sizes == sorted(sizes, reverse=True)
    assert sum(sizes) == pytest.approx(1)
    assert 0 <= found.talk <= 1 + 1e-9
    assert found.first == found.likely[0][0]
    assert not {name for name, _ in found.for_us} & TALK


def test_greetings_have_no_meaning() -> None:
    """The model is not asked about them."""
    assert meaning("Hi there,") == meaning("Many thanks!") == meaning("") == NOTHING
    assert meaning("Hi Bob,", ("bob",)).talk > 0.99


def test_the_opponents_name_does_not_matter() -> None:
    """Whoever the opponent is, a sentence about them means one thing."""
    one = meaning("Is Zebulon still there?", ("zebulon",))
    assert one == meaning("Is Kim still there?", ("kim",))


def test_the_number_of_sentences_is_limited() -> None:
    """The number of classified sentences per email is limited."""
    assert len(meanings("It rains. " * 100)) == MAX_SENTENCES


@pytest.mark.parametrize(
    ("sentence", "intent"),
    [
        ("How do I resign?", "resign"),
        ("Whose turn is it?", "show"),
        ("Wo sehe ich meine Partien?", "games"),
        ("Je voudrais revenir en arrière d'un coup", "undo"),
        ("меня не будет две недели", "vacation"),
        ("もうメールは要りません", "stop"),
        ("How is your daughter?", "talk_ask"),
    ],
)
def test_plain_sentences(sentence: str, intent: str) -> None:
    """Meanings that no training may lose."""
    assert intent in dict(meaning(sentence).likely[:3])


@pytest.mark.parametrize("text", ["i pass", "wie steht es", "P you know", "難しい局面ですね", "x"])
def test_cached_features_give_the_same_result(text: str) -> None:
    """As sums of single weights."""
    one = model()
    scores = [0] * len(one.names)
    for feature in hashes(text):
        place = slice(one.starts[feature], one.starts[feature + 1])
        for intent, weight in zip(one.meanings[place], one.weights[place], strict=True):
            scores[intent] += weight
    first = one.read(text)
    assert first == one.read(text)
    ranked = [name for name, _ in first.likely]
    assert ranked == [
        one.names[at] for at in sorted(range(len(scores)), key=lambda at: -scores[at])
    ]
