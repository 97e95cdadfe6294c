"""From the text of an SGF file to its nodes, and back.

Reads FF[4] and common deviations: truncated files, nodes after variations, a first node without its
“;”, names in lower case or in full (`AddBlack`). Values keep their backslashes, but not their
brackets. One pass without recursion, so that deep trees are safe. Raises `Unreadable` if there is
no game.
"""

import re
from collections.abc import Iterator, Sequence

from godaemon.errors import Unreadable
from godaemon.records.printable import printable
from godaemon.records.record import Node, TreeNode
from godaemon.texts.catalogue import sentence

MAX_NODES = 200_000
"""The limit on nodes; each takes half a kilobyte of memory."""

_BEGIN = re.compile(r"\(\s*+(?=;|[A-Z]{1,2}\s*+\[)")
_TOKEN = re.compile(
    r"\[(?P<value>[^\\\]]*+(?:\\.[^\\\]]*+)*+)(?P<end>\]?)|(?P<name>[A-Za-z]++)|(?P<sign>[;()])",
    re.DOTALL,
)
_MOVE = re.compile(r";\s*+[BW]\s*+\[")
_MOVERS = {"B", "W"}
_TEXTS = {"C", "GC"}
"""Properties that are kept even if the file ends within their value."""


def parse_tree(text: str, limit: int = MAX_NODES) -> tuple[list[TreeNode], bool]:
    """The games in a text, as far as they can be read, with at most `limit` nodes.

    Also returns whether the text is faulty SGF. Raises `Unreadable` for more nodes, and if there
    is no game.
    """
    nodes: list[TreeNode] = []
    faulty = False
    start = _BEGIN.search(text)
    while start is not None:
        count = len(nodes)
        end, is_broken = _read_game(text, start.end(), nodes, limit)
        if not any(node.properties for node in nodes[count:]):
            del nodes[count:]  # `for (;;)` is no game
        start = _BEGIN.search(text, end)
        stray_move = _MOVE.search(text, end, start.start() if start else len(text))
        faulty = faulty or is_broken or stray_move is not None
    if not nodes:
        raise Unreadable(sentence("not-sgf"))
    return nodes, faulty


def _read_game(text: str, start: int, nodes: list[TreeNode], limit: int) -> tuple[int, bool]:
    """Add the nodes of a game; returns the index of its end, and whether it is faulty.

    A property without `;` opens a node. A second move in a node opens another one, and a node may
    follow variations; both mark the game as faulty.
    """
    branches, current, count = [-1], -1, len(nodes)
    is_open = after_variation = faulty = False
    for word, value, end in _tokens(text, start):
        if word == "(":
            branches.append(current)
            is_open = after_variation = False
        elif word == ")":
            current, is_open, after_variation = branches.pop(), False, True
            if not branches:
                return end, faulty
        else:
            is_move = is_open and word in _MOVERS
            second_move = is_move and not _MOVERS.isdisjoint(nodes[current].properties)
            if word == ";" or not is_open or second_move:
                if len(nodes) == limit:
                    raise Unreadable(sentence("record-too-large"))
                faulty = faulty or after_variation or second_move
                nodes.append(TreeNode(current, {}))
                current, is_open, after_variation = len(nodes) - 1, True, False
            if word != ";":
                nodes[current].properties.setdefault(word, []).append(value)
    if len(nodes) > count and nodes[-1].parent >= 0 and not nodes[-1].properties:
        nodes.pop()  # the file ends within its first value
    return len(text), True


def _tokens(text: str, start: int) -> Iterator[tuple[str, str, int]]:
    """Each sign (`;`, `(` or `)`), and each property with a value; with the index behind it."""
    name = ""
    for token in _TOKEN.finditer(text, start):
        if token["sign"]:
            name = ""
            yield token["sign"], "", token.end()
        elif word := token["name"]:  # in FF[3] lower-case letters do not count: `AddBlack` is AB
            short = len(word) <= 2 or word.islower()
            name = word.upper() if short else re.sub("[a-z]+", "", word)
        elif name and (token["end"] or name in _TEXTS):
            yield name, token["value"], token.end()


def children(nodes: Sequence[TreeNode]) -> list[list[int]]:
    """The numbers of each node's children; the first child is the main line's."""
    result: list[list[int]] = [[] for _ in nodes]
    for number, (parent, _) in enumerate(nodes):
        if parent >= 0:
            result[parent].append(number)
    return result


def main_line(nodes: Sequence[TreeNode]) -> list[int]:
    """The numbers of the nodes in the main line of the first game of Go; raises `Unreadable`."""
    roots = (number for number, node in enumerate(nodes) if node.parent < 0)
    games = (root for root in roots if simple_text(nodes[root].properties, "GM") in {"", "1"})
    first = next(games, None)
    if first is None:
        raise Unreadable(sentence("not-sgf"))
    children_of, line = children(nodes), [first]
    while children_of[line[-1]]:
        line.append(children_of[line[-1]][0])
    return line


def serialise(nodes: Sequence[TreeNode]) -> str:
    """The nodes as a file, in lines of about 79 characters."""
    lines = []
    line = ""
    for piece in _serialised_pieces(nodes):
        if len(line) + len(piece) > 79:
            lines.append(line)
            line = ""
        line += piece
    return "\n".join([*lines, line])


def _serialised_pieces(nodes: Sequence[TreeNode]) -> Iterator[str]:
    children_of = children(nodes)
    for root, (parent, _) in enumerate(nodes):
        if parent >= 0:
            continue
        stack: list[int | str] = [")", root, "("]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                yield item
                continue
            yield ";"
            properties = nodes[item].properties
            # FF first, for old programs; then CA, before any text that could look like it.
            for name in sorted(properties, key=lambda name: (name != "FF", name != "CA", name)):
                yield name + "".join(f"[{value}]" for value in properties[name])
            kids = children_of[item]
            if len(kids) == 1:
                stack.append(kids[0])
            else:
                for number in reversed(kids):
                    stack += (")", number, "(")
        yield "\n"


def simple_text(node: Node, name: str) -> str:
    """The text of a property on one line, or ""."""
    return one_line(_unescape(node[name][0])) if name in node else ""


def long_text(node: Node, name: str) -> str:
    """The text of a property with its line ends, or ""."""
    return "\n\n".join(clean_text(_unescape(value)) for value in node.get(name, ()))


def _unescape(value: str) -> str:
    """A text without its backslashes, and without line ends after one (FF[4])."""
    lines = value.replace("\r\n", "\n").replace("\n\r", "\n").replace("\r", "\n")
    return re.sub(r"\\(?:\n|(.)|$)", r"\1", lines)


def escape(words: str) -> str:
    """A text as the value of a property."""
    return clean_text(words).replace("\\", "\\\\").replace("]", "\\]")


def clean_text(words: str) -> str:
    """A text with Unix line ends, blanks for tabs, and no other control characters."""
    return printable(words.replace("\r\n", "\n").replace("\r", "\n"))


def one_line(words: str) -> str:
    """A text of one line, with single blanks between its words."""
    return " ".join(clean_text(words).split())
