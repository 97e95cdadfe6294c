"""The training of the model: its data, and its reproducibility."""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import cast

import pytest

from mailgate.language import train
from mailgate.language.lexicon import lexicon
from mailgate.language.meaning_model import model
from mailgate.language.train import Phrase

FOLDER = Path(train.__file__).parent / "words"


@cache
def phrases() -> list[Phrase]:
    """What the model learns from."""
    return list(train.phrases(FOLDER))


def test_a_fifth_of_each_language_is_held_out() -> None:
    """For measurement."""
    written = Counter(one.language for one in phrases() if one.example)
    kept = Counter(one.language for one in phrases() if one.held)
    assert {*written} == {*lexicon().languages}
    assert {code for code in written if not 0.17 <= kept[code] / written[code] <= 0.23} == set()


def test_statements_that_act_are_training_data() -> None:
    """None is held out."""
    acts = [one for one in phrases() if not one.example]
    assert len(acts) >= 3_000
    assert not any(one.held for one in acts)


def test_the_meanings_of_the_model_are_those_of_the_phrases() -> None:
    """And no meaning is without them."""
    assert {*model().names} == {one.meaning for one in phrases()}


def test_phrases_of_a_folder(tmp_path: Path) -> None:
    """Examples with their meaning, statements with their verb, once each."""
    (tmp_path / "xx.toml").write_text(
        "[acts]\nsgf = 'give file'\nmove = 'unlearnt'\n"
        "[means]\nrecord = '''\nmay {name} have the file\nmay {name} have the file\n'''\n",
        encoding="utf-8",
    )
    found = list(train.phrases(tmp_path))
    assert [(one.meaning, one.marked, one.example) for one in found] == [
        ("record", "may B have the file", True),
        ("record", "give file", False),
    ]


@pytest.mark.slow
def test_the_model_is_up_to_date() -> None:
    """If not, run `python -m mailgate.language.train`; it may write the same model."""
    assert train.main(["--check"]) == 0


def few_phrases() -> list[Phrase]:
    """Phrases of three meanings in one language, for fast training."""
    wanted = ("undo", "vacation", "stop")
    return [one for one in phrases() if one.language == "en" and one.meaning in wanted]


@pytest.mark.slow
def test_training_is_reproducible() -> None:
    """Byte by byte; and the model knows its phrases."""
    learnt = few_phrases()
    made = train.train(learnt)
    assert made.pack() == train.train(learnt).pack()
    right = sum(made.read(one.marked).first == one.meaning for one in learnt)
    assert right >= 0.97 * len(learnt)
    assert made.names == ("stop", "undo", "vacation")


@dataclass(frozen=True)
class BarePhrase:
    """The fields of a phrase that training reads."""

    text: str
    meaning: str
    marked: str


BARE = (
    BarePhrase("take it back", "undo", "take it back"),
    BarePhrase("I am away", "vacation", "I am away"),
)


def digest(*corpus: BarePhrase, packed: bytes) -> str:
    return train.digest(cast(list[Phrase], corpus), packed)


@pytest.mark.parametrize(
    "changed",
    [
        (BARE[0], replace(BARE[1], text="I am off")),  # it decides the order
        (BARE[0], replace(BARE[1], meaning="stop")),
        (BARE[0], replace(BARE[1], marked="B am away")),
        BARE[:1],
        BARE[::-1],
    ],
)
def test_the_digest_covers_what_training_reads(changed: tuple[BarePhrase, ...]) -> None:
    """Training reads three properties of each phrase; others would raise `AttributeError`."""
    packed = train.train(cast(list[Phrase], BARE)).pack()
    assert digest(*changed, packed=packed) != digest(*BARE, packed=packed)


def test_the_digest_covers_the_program_and_the_model(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A changed program or weight needs training again."""
    packed = train.train(cast(list[Phrase], BARE)).pack()
    before = digest(*BARE, packed=packed)
    assert digest(*BARE, packed=packed[:-1] + bytes([packed[-1] ^ 1])) != before
    (changed := tmp_path / "train.py").write_text("ROUNDS = 17\n")
    monkeypatch.setattr(train, "__file__", str(changed))
    assert digest(*BARE, packed=packed) != before
