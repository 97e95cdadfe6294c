"""The phrases of automatic letters, as data."""

import re
import tomllib

from mailgate.reading.program_phrases import phrases, phrases_of, topics
from tests.support import places

LINES = [(topic, *line) for topic in topics() for line in phrases_of(topic)]


def test_phrases_are_unique_lower_case_lines() -> None:
    """Alternatives are in brackets, and edges are no spaces."""
    plain = [re.sub(r"\\.", "x", line) for *_, line in LINES]
    assert [line for line in plain if line != line.lower().strip()] == []
    brackets = re.compile(r"\\.|\[[^\]]*\]|\([^()]*\)")
    for topic, language, line in LINES:
        bare, whole = "", line
        while bare != whole:
            bare, whole = whole, brackets.sub("", whole)
        assert "|" not in bare, (topic, language, line)
    assert len({*LINES}) == len(LINES)


def test_each_topic_is_in_one_file() -> None:
    """Else one would replace the other."""
    files = (places.ROOT / "mailgate/reading/words").glob("*.toml")
    names = [name for file in files for name in tomllib.loads(file.read_text("utf-8"))]
    assert sorted(names) == sorted(topics())


def test_patterns_have_at_most_200_characters() -> None:
    """With their edges."""
    for topic in topics():
        made = phrases(topic, before=r"(?<!\w)", after=r"\b")
        patterns = [one.pattern for ones in made.values() for one in ones]
        assert [pattern for pattern in patterns if len(pattern) > 200] == [], topic


def test_phrases_match_whole_words() -> None:
    """Except in languages without spaces."""
    wrote = phrases("wrote", before=r"\b", after=r"\b")
    assert [*map(bool, map(list, map(wrote.find_all, ("Bob wrote", "Bob outwrote"))))] == [
        True,
        False,
    ]
    assert any(wrote.find_all("王さんは書きました"))
