"""From the text of an SGF file to its nodes, and back. Pure.

Reads FF[4] and common deviations: truncated files, nodes after variations, a first node without its
“;”, names in lower case or in full (`AddBlack`). One pass without recursion, so that deep trees are
safe. Raises `Unreadable` if there is no game.
"""

import re
from collections.abc import Iterator, Sequence

from godaemon.errors import Unreadable
from godaemon.records.printable import printable
from godaemon.records.record import Node, TreeNode
from godaemon.texts.catalogue import sentence

MAX_NODES = 200_000
"""The limit on nodes; each takes half a kilobyte of memory."""

_BEGIN = re.compile(r"\(\s*+(?:;|(?=[A-Z]{1,2}\s*+\[))")
_TOKEN = re.compile(
    r"\[(?P<value>[^\\\]]*+(?:\\.[^\\\]]*+)*+)(?P<end>\]?)|(?P<name>[A-Za-z]++)|(?P<sign>[;()])",
    re.DOTALL,
)
_MOVE = re.compile(r";\s*+[BW]\s*+\[")
_MOVERS = {"B", "W"}
_TEXTS = {"C", "GC"}
"""Properties that are kept even if the file ends inside them."""

_LOWER_CASE = re.compile("[a-z]+")


class Tree:
    """The games of a file; `faulty` if it is not valid SGF."""

    def __init__(self, text: str, limit: int = MAX_NODES) -> None:
        self._limit = limit
        self.nodes: list[TreeNode] = []
        self.faulty = False
        start = _BEGIN.search(text)
        while start is not None:
            count = len(self.nodes)
            end = self._read_game(text, start.end())
            if not any(node.properties for node in self.nodes[count:]):
                del self.nodes[count:]  # `for (;;)` is no game
            start = _BEGIN.search(text, end)
            if _MOVE.search(text, end, start.start() if start else len(text)):
                self.faulty = True
        if not self.nodes:
            raise Unreadable(sentence("not-sgf"))

    def _read_game(self, text: str, start: int) -> int:
        """Read one game; returns the index of its end."""
        self._current, self._open, self._after_variation = -1, False, False
        self._begin_node()
        parents, name = [-1], ""
        for token in _TOKEN.finditer(text, start):
            sign = token["sign"]
            if token["name"]:
                name = _identifier(token["name"])
                continue
            if sign is None:
                if name and (token["end"] or name in _TEXTS):
                    self._add_value(name, token["value"])
                continue
            name, self._open = "", False
            if sign == ";":
                self._begin_node()
            elif sign == "(":
                parents.append(self._current)
                self._after_variation = False
            else:
                self._current, self._after_variation = parents.pop(), True
                if not parents:
                    return token.end()
        self.faulty = True
        last = self.nodes[-1]
        if last.parent >= 0 and not last.properties:
            self.nodes.pop()
        return len(text)

    def _begin_node(self) -> None:
        if self._after_variation:
            self.faulty = True
        if len(self.nodes) == self._limit:
            raise Unreadable(sentence("record-too-large"))
        self.nodes.append(TreeNode(self._current, {}))
        self._current, self._open, self._after_variation = len(self.nodes) - 1, True, False

    def _add_value(self, name: str, value: str) -> None:
        """Add a value to the open node, or to a new one."""
        if not self._open:
            self._begin_node()
        node = self.nodes[self._current].properties
        if name in _MOVERS and not _MOVERS.isdisjoint(node):
            self.faulty = True
            self._begin_node()
            node = self.nodes[self._current].properties
        node.setdefault(name, []).append(value)


def _identifier(word: str) -> str:
    """The name of a property: in FF[3] lower-case letters do not count (`AddBlack` is AB)."""
    return word.upper() if len(word) <= 2 or word.islower() else _LOWER_CASE.sub("", word)


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
    first = next((root for root in roots if _is_go(nodes[root].properties)), None)
    if first is None:
        raise Unreadable(sentence("not-sgf"))
    children_of, line = children(nodes), [first]
    while children_of[line[-1]]:
        line.append(children_of[line[-1]][0])
    return line


def _is_go(root: Node) -> bool:
    return simple_text(root, "GM") in {"", "1"}


def serialise(nodes: Sequence[TreeNode]) -> str:
    """The nodes as a file, in lines of about 79 characters."""
    children_of = children(nodes)
    lines = []
    line = ""
    for piece in _serialised_pieces(nodes, children_of):
        if len(line) + len(piece) > 79:
            lines.append(line)
            line = ""
        line += piece
    return "\n".join([*lines, line])


def _serialised_pieces(nodes: Sequence[TreeNode], children_of: list[list[int]]) -> Iterator[str]:
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
            for name, values in sorted(nodes[item].properties.items(), key=_property_order):
                yield name + "".join(f"[{value}]" for value in values)
            kids = children_of[item]
            if len(kids) == 1:
                stack.append(kids[0])
            else:
                for number in reversed(kids):
                    stack += (")", number, "(")
        yield "\n"


def _property_order(item: tuple[str, list[str]]) -> tuple[bool, bool, str]:
    """A sort key: FF first, for old programs; then CA, before any text that could look like it."""
    return item[0] != "FF", item[0] != "CA", item[0]


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
