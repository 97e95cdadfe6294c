"""Every sentence of our emails is in the catalogue once, and each translation is complete."""

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

from babel.messages.pofile import read_po

import godaemon
from godaemon.texts.catalogue import (
    ENGLISH,
    Sentence,
    drop_quotes,
    join_and,
    join_sentences,
    languages,
    say,
    sentence,
    sentence_from_json,
    sentence_to_json,
    speaking,
)

ROOT = Path(godaemon.__file__).parents[1]
PACKAGES = ("godaemon", "gtp", "mailgate")
TRANSLATED = [one for one in languages() if one != ENGLISH]


def messages(language: str) -> dict[str, tuple[str, ...]]:
    """The forms of each message, by key; those marked fuzzy are left out."""
    with (ROOT / "godaemon" / "texts" / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, locale="zh_Hans_CN" if language == "zh" else language)
    found = {}
    for one in catalogue:
        if one.id and not one.fuzzy:
            key = one.id if isinstance(one.id, str) else one.id[0]
            found[key] = (one.string,) if isinstance(one.string, str) else tuple(one.string or ())
    return found


def variables(sentence: str) -> set[str]:
    """What is filled in: `{who}`, `{count}` ..."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def lines(sentence: str) -> set[str]:
    """Text between backticks, which is sent as it is."""
    return {found[0] for found in re.finditer(r"(`{1,2})[^`]*\1", sentence)}


def nodes() -> Iterator[ast.AST]:
    """All strings in the code that says sentences."""
    for file in (one for room in PACKAGES for one in (ROOT / room).rglob("*.py")):
        code = file.read_text("utf-8")
        if "say" in code or "sentence(" in code:
            yield from ast.walk(ast.parse(code))


def used_keys() -> tuple[set[str], list[re.Pattern[str]]]:
    """Strings in the code that may be keys, and patterns of those with something filled in."""
    keys, patterns = set[str](), list[re.Pattern[str]]()
    for node in nodes():
        match node:
            case ast.Constant(value=str(key)):
                keys.add(key)
            case ast.JoinedStr(values=parts):
                held = [
                    re.escape(str(one.value)) if isinstance(one, ast.Constant) else ".*"
                    for one in parts
                ]
                patterns += [re.compile("".join(held))] if set(held) != {".*"} else []
    return keys, patterns


def spoken_keys() -> Iterator[str]:
    """The literal keys in calls of `say` and `sentence`."""
    for node in nodes():
        match node:
            case ast.Call(
                func=ast.Name(id="say" | "sentence"), args=[ast.Constant(value=str(key)), *_]
            ):
                yield key


def test_every_used_key_has_a_message() -> None:
    """A player would read the key."""
    assert sorted(set(spoken_keys()) - set(messages(ENGLISH))) == []


def test_babel_reads_each_message() -> None:
    """It would lose two entries without an empty line between them."""
    for language in languages():
        with speaking(language):
            for key, forms in messages(language).items():
                assert say(key, **{name: f"{{{name}}}" for name in variables(forms[0])}) == forms[0]


def test_every_message_is_used() -> None:
    """What nothing says any more is gone from the catalogue."""
    keys, patterns = used_keys()
    own = re.compile("(you|they|colour)-(.+)")
    for key in messages(ENGLISH):
        match = own.fullmatch(key)
        names = [key, match[2]] if match else [key]
        assert any(one in keys or any(p.fullmatch(one) for p in patterns) for one in names), key


def test_each_translation_is_complete() -> None:
    """The same keys, variables and lines to send; its own yes and no."""
    english, faults = messages(ENGLISH), list[tuple[str, str]]()
    for language in TRANSLATED:
        other = messages(language)
        replies = {f"`{word}`": f"`{other[word][0]}`" for word in ("yes", "no")}
        faults += [(language, key) for key in sorted(english.keys() ^ other.keys())]
        for key in english.keys() & other.keys():
            wanted = variables(english[key][-1])
            sent = {replies.get(line, line) for line in lines(english[key][-1])}
            faults += [
                (language, f"{key}: {form!r}")
                for form in other[key]
                if not form
                or lines(form) != sent
                or not wanted - {"count"} <= variables(form) <= wanted
            ]
    lacking = Counter(language for language, _ in faults)
    assert faults == [], f"of {len(english)} messages these are missing or differ: {lacking}"


def test_french_punctuation_has_no_break_spaces() -> None:
    """Before marks, and within quotation marks."""
    french = (form for forms in messages("fr").values() for form in forms)
    assert [form for form in french if re.search(r" [?!:;»]|« ", form)] == []


def test_numbers_and_lists_follow_the_language() -> None:
    """English has a point and `and`."""
    with speaking("en"):
        assert say("with-komi", komi=6.5) == "komi 6.5"
        assert join_and(["A1", "B2", "C3"]) == "A1, B2 and C3"


def test_unknown_languages_and_keys_have_fallbacks() -> None:
    """No letter fails for a missing text."""
    with speaking("tlh"):
        assert say("black") == "Black"
    assert say("no-such-key") == "no-such-key"


def test_a_sentence_is_stored_by_its_key() -> None:
    """So it can be shown in any language, even within another sentence."""
    inner = sentence("handicap-stones", count=2)
    whole = sentence("rules-changed", rules=inner, changes="superko")
    assert whole == "2 handicap stones with superko"
    kept = json.loads(json.dumps(sentence_to_json(whole)))
    assert sentence_from_json(kept) == whole
    assert (
        sentence_from_json("Words as they were.")
        == sentence_to_json("Words as they were.")
        == "Words as they were."
    )


def test_an_outdated_stored_sentence_becomes_a_general_one() -> None:
    """If its message is gone, or has other variables."""
    for kept in (
        {"say": "no-such-key", "with": {}},
        {"say": "plan-illegal", "with": {}},
        {"say": "plan-illegal", "with": {"line": "D4"}},
    ):
        assert sentence_from_json(kept) == say("refused")
        around = {"say": "two-sentences", "with": {"first": kept, "second": "Hm."}}
        assert sentence_from_json(around) == f"{say('refused')} Hm."


def test_joined_sentences_keep_their_keys() -> None:
    """It keeps the keys of all of them."""
    whole = join_sentences(
        sentence("rated"), sentence("handicap-stones", count=2), sentence("with-estimates")
    )
    assert whole == "rated 2 handicap stones with estimates"
    assert isinstance(whole, Sentence)
    assert sentence_from_json(json.loads(json.dumps(sentence_to_json(whole)))) == whole
    assert join_sentences("As it was.") == "As it was."


def test_quotations_are_dropped_from_a_sentence() -> None:
    """They may be anybody's words."""
    inner = sentence("no-such-program", name="visit evil")
    assert drop_quotes(sentence("plan-illegal", line="D4 E5", why=inner)) == (
        "I tried D4 E5: No program called “…” plays here, and you have not played anybody of that"
        " name. Please give your opponent's email address."
    )
    assert drop_quotes("What “evil” is?") == "What “…” is?"
