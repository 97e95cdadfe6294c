"""Texts for players are in the catalogue, not in the code."""

import ast
import re
from collections.abc import Iterator

import pytest

from mailgate.language.command_lines import is_command_line
from tests.support import places

ROOMS = ("mailgate", "godaemon/games", "godaemon/records", "godaemon/rules")
EXEMPT = {
    "mailgate/receiving": (".*", "answers mail servers, and tells the operator"),
    "mailgate/delivery": (".*", "tells the operator what a mail server has said"),
    "mailgate/reading": (".*", "knows the words of other programs"),
    "mailgate/language/train.py": (".*", "is run by who works on the program"),
    "mailgate/language": (r"[^.!?]+|vs vs\..*", "lists words that people write"),
    "mailgate/handling": (r"[a-z{][^.!?]+", "logs why an email was refused"),
    "mailgate/handling/dispatcher.py": ("I have answered many emails.*", "answers a mail server"),
    "mailgate/handling/intake.py": (".*", "answers a mail server, or the operator"),
    "mailgate/links.py": ("free win .*", "knows the words of advertisements"),
    "mailgate/tokens.py": ("The address.*", "tells the operator"),
    "godaemon/games/bouncing_addresses.py": ("somebody there.*", "tells the operator"),
    "godaemon/games/model.py": ("a former player", "is stored; emails say it from the catalogue"),
    "godaemon/games/service.py": ("Game .*|A result looks like.*", "tells the operator"),
    "godaemon/games/state.py": ("an estimate.*", "is told to Go programs"),
    "godaemon/games/stored_values.py": ("held by the operator", "tells the operator"),
    "godaemon/records/record.py": ("about the game", "names a field of SGF"),
    "godaemon/rules/kata_rules.py": (".*", "is told to Go programs"),
    "godaemon/rules/ruleset.py": ("all but one", "is a value of a term"),
    "godaemon/games/stranger_limits.py": (".*", "answers a mail server, and tells the operator"),
}
"""Allowed sentences in the code of a file or folder, and why."""
_SENTENCE = re.compile(r"[\w .,:;!?'“”…{}()%/@+-]+")
_WORD = re.compile(r"(?<!\S)[“(]?[A-Za-z]")
_NOT_SAID = {"detail", "hints"}
"""Arguments that are logged, or are lines to send."""
_LOGGED = {"LetterOutcome", "ValueError", "LookupError"}
"""What is made of words for the log, or for who reads the code."""


def sentences(node: ast.AST) -> Iterator[str]:
    """The sentences in the code, without docstrings, word lists and log texts."""
    match node:
        case ast.Expr(value=ast.Constant()):
            return
        case ast.Call(func=ast.Attribute(attr="split", value=ast.Constant())):
            return
        case ast.Call(func=ast.Name(id=name)) if name in _LOGGED:
            return
        case ast.keyword(arg=str(name)) if name in _NOT_SAID:
            return
        case ast.JoinedStr(values=parts):
            yield from _sentence(
                "".join(str(getattr(one, "value", "")) for one in map(_text_of, parts))
            )
        case ast.Constant(value=str(said)):
            yield from _sentence(said)
        case _:
            for one in ast.iter_child_nodes(node):
                yield from sentences(one)


def _text_of(part: ast.expr) -> ast.expr:
    return part if isinstance(part, ast.Constant) else ast.Constant("{}")


def _sentence(text: str) -> Iterator[str]:
    is_line = any(
        is_command_line(text.replace("{}", one)) for one in ("6.5", "bob@players.example")
    )
    if len(_WORD.findall(text)) > 2 and _SENTENCE.fullmatch(text) and not is_line:
        yield text


def sentences_in(name: str, code: str) -> list[str]:
    """The sentences in a file that are not exempt."""
    rows = [sentence for place, (sentence, _) in EXEMPT.items() if name.startswith(place)]
    allowed = re.compile("|".join(f"(?:{one})" for one in rows) or r"\Z(?!)")
    found = sentences(ast.parse(code))
    return [one for one in found if not allowed.fullmatch(one)]


def test_no_sentence_is_in_the_code() -> None:
    """Three words in a row are a message of the catalogue."""
    files = (one for room in ROOMS for one in (places.ROOT / room).rglob("*.py"))
    for file in files:
        name = str(file.relative_to(places.ROOT))
        assert sentences_in(name, file.read_text("utf-8")) == [], name


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('first = "It is your turn."', ["It is your turn."]),
        ('first = f"It is {who}\'s turn."', ["It is {}'s turn."]),
        ('raise NotAllowed("You may not do that.")', ["You may not do that."]),
        ('"""It is your turn."""', []),
        ('raise NotAllowed(sentence("not-your-turn"), hints=("new 9x9 open",), detail="a b")', []),
        ('line = f"new 9x9 vs {address}"', []),
        ('WORDS = "on at the".split()', []),
    ],
)
def test_sentences_are_found_in_code(code: str, found: list[str]) -> None:
    """Not docstrings, lines to send, word lists and log texts."""
    assert sentences_in("mailgate/letters/replies.py", code) == found
