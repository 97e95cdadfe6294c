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
from godaemon import errors
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

HOUSE = Path(godaemon.__file__).parents[1]
ROOMS = ("godaemon", "gtp", "mailgate")
TRANSLATED = [one for one in languages() if one != ENGLISH]


def messages(language: str) -> dict[str, tuple[str, ...]]:
    """The forms of each message, by key; those marked fuzzy are left out."""
    with (HOUSE / "godaemon" / "texts" / f"{language}.po").open("rb") as file:
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
    for file in (one for room in ROOMS for one in (HOUSE / room).rglob("*.py")):
        code = file.read_text("utf-8")
        if "say" in code or "sentence(" in code:
            yield from ast.walk(ast.parse(code))


def asked() -> tuple[set[str], list[re.Pattern[str]]]:
    """What may be a key in the code: the strings, and those with something filled in."""
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
    """A key without a message would be read by a player."""
    assert sorted(set(spoken_keys()) - set(messages(ENGLISH))) == []


def test_each_message_is_read() -> None:
    """As Babel reads it: two entries without an empty line between them would be none."""
    for language in languages():
        with speaking(language):
            for key, forms in messages(language).items():
                assert say(key, **{name: f"{{{name}}}" for name in variables(forms[0])}) == forms[0]


def test_every_message_is_used() -> None:
    """What nothing says any more is gone from the catalogue."""
    keys, patterns = asked()
    own = re.compile("(you|they|colour)-(.+)")
    for key in messages(ENGLISH):
        match = own.fullmatch(key)
        names = [key, match[2]] if match else [key]
        assert any(one in keys or any(p.fullmatch(one) for p in patterns) for one in names), key


def test_each_language_is_complete() -> None:
    """Each translation has the same keys, variables and lines to send; its own yes and no."""
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


def test_no_line_in_french_begins_with_a_mark() -> None:
    """The space before a mark, and those within quotation marks, are no-break spaces."""
    french = (form for forms in messages("fr").values() for form in forms)
    assert [form for form in french if re.search(r" [?!:;»]|« ", form)] == []


def test_numbers_and_lists_are_written_as_the_language_does() -> None:
    """English has a point and `and`."""
    with speaking("en"):
        assert say("with-komi", komi=6.5) == "komi 6.5"
        assert join_and(["A1", "B2", "C3"]) == "A1, B2 and C3"


def test_an_unknown_language_is_english_and_an_unknown_key_is_itself() -> None:
    """No letter fails for what is not there."""
    with speaking("tlh"):
        assert say("black") == "Black"
    assert say("no-such-key") == "no-such-key"


def test_a_sentence_is_stored_by_its_key() -> None:
    """In English it is text; what is stored of it can be said in any language, also within."""
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


def test_a_stored_sentence_of_an_older_version_is_a_general_one() -> None:
    """Its message is gone, or has other variables; the sentence around it stays."""
    for kept in (
        {"say": "no-such-key", "with": {}},
        {"say": "plan-illegal", "with": {}},
        {"say": "plan-illegal", "with": {"line": "D4"}},
    ):
        assert sentence_from_json(kept) == say("refused")
        around = {"say": "two-sentences", "with": {"first": kept, "second": "Hm."}}
        assert sentence_from_json(around) == f"{say('refused')} Hm."


def test_sentences_in_a_row_are_one() -> None:
    """It keeps the keys of all of them."""
    whole = join_sentences(
        sentence("rated"), sentence("handicap-stones", count=2), sentence("with-estimates")
    )
    assert whole == "rated 2 handicap stones with estimates"
    assert isinstance(whole, Sentence)
    assert sentence_from_json(json.loads(json.dumps(sentence_to_json(whole)))) == whole
    assert join_sentences("As it was.") == "As it was."


def test_a_sentence_goes_without_what_it_quotes() -> None:
    """Also one within it; what is quoted may be anybody's words, and all else is ours."""
    inner = sentence("no-such-program", name="visit evil")
    assert drop_quotes(sentence("plan-illegal", line="D4 E5", why=inner)) == (
        "I tried D4 E5: No program called “…” plays here, and you have not played anybody of that"
        " name. Please give your opponent's email address."
    )
    assert drop_quotes("What “evil” is?") == "What “…” is?"


REFUSALS = {
    name
    for name, one in vars(errors).items()
    if isinstance(one, type) and issubclass(one, errors.Refusal)
}
OPERATORS = {"adjudicate", "parse_result", "unrate"}
"""Functions whose refusals no player reads."""
TO_PROGRAMS = {"kata_rules.py"}
"""Files whose refusals only Go programs read."""


def written(tree: ast.AST) -> Iterator[str]:
    """Refusals whose sentence is in the code itself."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.FunctionDef(name=name) if name in OPERATORS:
                continue
            case ast.Call(func=ast.Name(id=name), args=[ast.Constant() | ast.JoinedStr(), *_]) if (
                name in REFUSALS
            ):
                yield ast.unparse(node)
        yield from written(node)


PLAYED = [
    *(HOUSE / "godaemon" / room for room in ("games", "records", "rules")),
    *(HOUSE / "mailgate" / room for room in ("handling", "language")),
]
"""The rooms whose refusals players read."""


def test_no_refusal_that_players_read_is_written_in_the_code() -> None:
    """Each is a message, so that a player can read it in their own language."""
    every = (one for room in PLAYED for one in room.rglob("*.py"))
    files = [one for one in every if one.name not in TO_PROGRAMS]
    for file in (*files, HOUSE / "mailgate" / "address.py"):
        assert [*written(ast.parse(file.read_text("utf-8")))] == [], file
