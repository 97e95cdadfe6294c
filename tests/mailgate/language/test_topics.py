"""Topics: our answers to each intent, verb and Go term."""

import tomllib
from pathlib import Path

import pytest

from godaemon.texts.catalogue import ENGLISH
from mailgate import language
from mailgate.language.verb_table import topic, topic_named, verbs, word_of_go
from tests.support.rows import each_row
from tests.texts.test_catalogue import messages

KNOWN = tomllib.loads((Path(language.__file__).parent / "topics.toml").read_text(encoding="utf-8"))
GO = KNOWN.pop("go")


def test_topics_are_short() -> None:
    """A few sentences on what to reply."""
    for name in KNOWN:
        found = topic(name)
        assert found.text[0].isupper() or found.text[0] == "`", name
        assert found.text.endswith((".", ":")), name
        assert len(found.text) <= 260, name
        assert topic_named(name) is not None, name


@each_row("name", GO)
def test_a_go_term_is_found_by_all_its_names(name: str) -> None:
    """By `help` and in a question."""
    for called in GO[name]["names"]:
        found = topic_named(called)
        assert found is not None
        assert found.text
        topic = word_of_go(f"what does {called} mean?")
        assert topic is not None
        assert called in {*GO[topic.name]["names"], topic.name}


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("What is komi?", "komi"),
        ("コミって何ですか", "komi"),
        ("what is a capturing race?", "semeai"),
        ("Was bedeutet Sente?", "sente"),
        ("how is your daughter?", None),
        ("", None),
    ],
)
def test_the_go_term_of_a_question(sentence: str, name: str | None) -> None:
    """The longest one in it."""
    found = word_of_go(sentence)
    assert (found.name if found else None) == name


def test_every_help_text_has_a_topic() -> None:
    """Or a verb."""
    used = {one.get("says", name) for name, one in (*KNOWN.items(), *GO.items())}
    named = {f"topic-{name.replace(' ', '-')}" for name in used}
    named |= {verb.key for verb in verbs().values()}
    assert {key for key in messages(ENGLISH) if key.startswith(("topic-", "help-"))} == named


def test_every_verb_has_help() -> None:
    """Talk and unknown words have none."""
    assert [verb for verb in verbs() if (one := topic_named(verb)) is None or not one.text] == []
    assert topic("talk").text == ""
    assert topic_named("quantum chess") is None
