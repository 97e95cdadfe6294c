"""Offers to somebody whose words are no command: the lines that they may have meant. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.texts.catalogue import sentences, told
from mailgate.address import clean_quote
from mailgate.handling.decision_table import AWAITED, GameMoment, asked_of, cell
from mailgate.handling.seated import Seated
from mailgate.language.meanings import Meaning, meanings
from mailgate.language.parser import whole_command
from mailgate.language.statements import vertices
from mailgate.language.terms import addresses_in, terms_in
from mailgate.language.topics import Topic, topic, word_of_go
from mailgate.language.vacations import vacation_in
from mailgate.letters.possible_lines import is_possible

MOST = 3  # lines that are offered, `send` apart
PRIVATE = 0.25  # the share from which only their writer may read some words
_OWN = ("note", "plan")
KNOWN, LIKELY = 0.4, 0.08  # the shares from which a meaning is the topic, and is offered


@dataclass(frozen=True, slots=True)
class PlainWords:
    """Words that are no command, by sentence, each with what it may mean."""

    text: str
    read: Sequence[tuple[str, Meaning]]

    @classmethod
    def of(cls, text: str) -> PlainWords:
        """Words with what each of their sentences may mean."""
        return cls(text, meanings(text))

    @property
    def talk(self) -> float:
        """How likely it is that all of it is for the opponent."""
        return min((one.talk for _, one in self.read), default=1.0)

    @property
    def private(self) -> bool:
        """True where a sentence may well be a plan or a note, which the opponent never reads."""
        shares = (one.likely for _, one in self.read)
        return any(sum(part for name, part in one if name in _OWN) >= PRIVATE for one in shares)

    @property
    def ranked(self) -> list[tuple[str, float]]:
        """The meanings for us, each with its greatest share in a sentence, the likeliest first."""
        found: dict[str, float] = {}
        for _, one in self.read:
            for name, share in one.for_us:
                found[name] = max(share, found.get(name, 0.0))
        return sorted(found.items(), key=lambda one: -one[1])

    @property
    def likeliest(self) -> tuple[str, float]:
        """The likeliest meaning for us, and its share; ("", 0.0) for words that only greet."""
        return next(iter(self.ranked), ("", 0.0))

    def saying(self, name: str) -> str:
        """The sentence that is likeliest of that meaning."""
        found = max(self.read, key=lambda one: dict(one[1].likely).get(name, 0.0), default=("",))
        return found[0]

    @property
    def quoted(self) -> str:
        """The sentence that is likeliest for us, as we quote it."""
        found = min(self.read, key=lambda one: one[1].talk, default=(self.text,))
        return clean_quote(found[0])


def known_topic(words: PlainWords) -> Topic | None:
    """The topic that the words are about, if the model is fairly sure of one."""
    name, share = words.likeliest
    if name in ("word", "rules") and (found := word_of_go(words.text)) is not None:
        return found
    return topic(name) if share >= KNOWN else None


def offers(words: PlainWords, moment: GameMoment, at: Seated | None) -> tuple[str, ...]:
    """The lines that somebody may have meant, the likeliest first; at most `MOST`."""
    likely = [name for name, share in words.ranked[:MOST] if share >= LIKELY]
    if moment in (GameMoment.CONFIRM, GameMoment.INVITED) and terms_in(words.text):
        likely = ["counter", *likely]
    points = at.moves_named(words.text) if at is not None else ()
    plays = not likely or likely[0] not in ("dead", "alive", "try", "plan", "advice")
    found = [*points[:2]] if points and plays else []
    void = at is not None and moment is GameMoment.ASKED and asked_of(at) == "void"
    awaited = ("void",) if void else AWAITED.get(moment, ())
    for name in likely:
        found += _filled(cell(name, moment).lines, words, name, at)
    # A yes or a no is offered only in the words in which it is awaited.
    apart = {*awaited, "yes", "no"} if awaited else set()
    own = [line for line in dict.fromkeys(found) if line not in apart]
    own = [line for line in own if at is None or is_possible(at.game, at.seat, line)]
    return (*own[: max(MOST - len(awaited), 1)], *awaited)


def _filled(lines: Iterable[str], words: PlainWords, name: str, at: Seated | None) -> list[str]:
    said, text = words.saying(name), words.text
    points = at.moves_named(said) if at is not None else vertices(said)
    opponents = [*addresses_in(text), *([at.opponent.address] if at is not None else [])]
    slots = {
        "{point}": next(iter(points), ""),
        "{points}": " ".join(vertices(said)),
        "{terms}": " ".join(terms_in(text)),
        "{opponent}": next(iter(opponents), ""),
        "{words}": clean_quote(said, 200),
    }
    found = list[str]()
    for line in lines:
        needed = [slot for slot in slots if slot in line]
        if all(slots[slot] for slot in needed):
            whole = _SLOT.sub(lambda slot: slots[slot[0]], line)
            found.append(vacation_in(text) if line == "vacation 2 weeks" else whole)
    return [part for line in found for part in _parts(line)]


_SLOT = re.compile(r"\{\w+\}")


def _parts(line: str) -> list[str]:
    """A line as it is written best: a plan with all its words, a long list of stones in pieces."""
    words = line.split()
    if words[:1] == ["if"] and len(words) == 3:
        return [f"if {words[1]} then {words[2]}"]
    command = whole_command(line)
    return [str(part) for part in command.parts] if isinstance(command, cmd.Mark) else [line]


def asked_back(words: PlainWords, moment: GameMoment, at: Seated | None, detail: str) -> Unreadable:
    """What is answered to words that wait for their writer, who is offered what they may mean."""
    found = known_topic(words)
    name = found.name if found else ""
    if name in ("yes", "no", "agree") and AWAITED.get(moment) == ("done",):
        found = topic("done")
    said: str = told("unsure-what", said=words.quoted)
    if found is not None and found.key:
        said = found.sentence
    elif moment is GameMoment.PROPOSED and words.talk > KNOWN:
        said = told("once-begun")
    if at is not None and name == "who" and moment is GameMoment.INVITED:
        said = sentences(told("asked-to-invite", who=at.opponent.name), said)
    return Unreadable(said, hints=offers(words, moment, at), detail=detail)
