"""Words that are no command: the meanings of their sentences, and the lines to offer for them."""

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import product

from godaemon.errors import Refusal, Unreadable, WrongPhase
from godaemon.games import commands as cmd
from godaemon.games.awaited_decisions import Awaited
from godaemon.games.model import Uncounted
from godaemon.games.special_moves import check_undo
from godaemon.texts.catalogue import join_sentences, mentioned_language, own_name, sentence
from mailgate.address import clean_quote
from mailgate.handling.decision_table import AWAITED, GameMoment, agreeing_line, awaited_lines, cell
from mailgate.handling.player_games import GameView
from mailgate.language.command_lines import whole_command
from mailgate.language.meaning_model import TALK, Meaning, meaning, meanings
from mailgate.language.statement_splitting import statements, vertices
from mailgate.language.terms import addresses_in, places_in, terms_in, with_named_time, with_size
from mailgate.language.verb_table import Topic, topic, word_of_go
from mailgate.letters.board_blocks import is_possible
from mailgate.letters.letter_data import MEANT_MOVE, WHICH_COUNT
from mailgate.word_sets import words_of

MAX_LINES = 3  # maximum lines that are offered, besides `send`
PRIVATE = 0.25  # minimum probability of a note or a plan to keep words from the opponent
_NOTES = ("note", "plan")
DRASTIC = ("block", "stop", "forget")  # offered only if they are `KNOWN`, and the likeliest
_CONFIDENTIAL = (*DRASTIC, "advice", "move_me", "name", "public", "score")
_MAX_TALK = 0.04  # probability of talk from which a sentence is not confidential
_ENDINGS = ("resign", "cancel")  # meanings that are offered only if they are the likeliest
_WISHES = words_of("""
    programs new rematch opponents emails stop plain boards vacation back timezone name language
    rating watch block forget export record review gui learn games settings
""")
"""Meanings of wishes: an email may have several, and each is answered with a line."""
_WISH = 0.6  # minimum probability of a wish beside others
_TALK = 0.5  # minimum probability of talk, which needs no answer
KNOWN, LIKELY = 0.4, 0.08  # minimum probability to explain a meaning's topic, to offer its lines


@dataclass(frozen=True, slots=True)
class PlainWords:
    """Words that are no command: their sentences, each with its likely meanings."""

    text: str
    read: Sequence[tuple[str, Meaning]]
    program: str | None = None  # the engine to offer as an opponent; "" if there is none

    @classmethod
    def from_text(cls, text: str, program: str | None = None) -> "PlainWords":
        """Classify each sentence of a text."""
        return cls(text, meanings(text), program)

    @property
    def talk(self) -> float:
        """The probability that all of it is for the opponent."""
        return min((one.talk for _, one in self.read), default=1.0)

    @property
    def private(self) -> bool:
        """True if a sentence may well be a plan or a note, which the opponent never reads."""
        shares = (one.likely for _, one in self.read)
        return any(sum(part for name, part in one if name in _NOTES) >= PRIVATE for one in shares)

    @property
    def confidential(self) -> bool:
        """True for words that may be private, concern only the writer, or name a point."""
        ours = (one.first in _CONFIDENTIAL and one.talk < _MAX_TALK for _, one in self.read)
        return self.private or any(ours) or bool(vertices(self.text))

    @property
    def asks_us(self) -> bool:
        """True for words with a question to us."""
        return any(has_question_mark(text) and one.talk < LIKELY for text, one in self.read)

    @property
    def ranked_meanings(self) -> list[tuple[str, float]]:
        """The meanings for us, each with its greatest share in a sentence, the likeliest first."""
        found: dict[str, float] = {}
        for _, one in self.read:
            for name, share in one.for_us:
                found[name] = max(share, found.get(name, 0.0))
        return sorted(found.items(), key=lambda one: -one[1])

    @property
    def likeliest_meaning(self) -> tuple[str, float]:
        """The likeliest meaning for us, and its share; ("", 0.0) for words that only greet."""
        return next(iter(self.ranked_meanings), ("", 0.0))

    def likeliest_sentence(self, name: str) -> str:
        found = max(self.read, key=lambda one: dict(one[1].likely).get(name, 0.0), default=("",))
        return found[0]

    @property
    def quotation(self) -> str:
        """The sentence that is most likely meant for us, as we quote it."""
        found = min(self.read, key=lambda one: one[1].talk, default=(self.text,))
        return clean_quote(found[0])


def has_question_mark(text: str) -> bool:
    return not {*"?？"}.isdisjoint(text)


def find_topic(words: PlainWords) -> Topic | None:
    """The topic that the words are about, if the model is fairly sure, or None."""
    name, share = words.likeliest_meaning
    if name in ("word", "rules") and (found := word_of_go(words.text)) is not None:
        return found
    if name == "programs" and words.program == "":
        name = "no_programs"
    return topic(name) if share >= KNOWN else None


def wished_lines(words: PlainWords, moment: GameMoment, view: GameView | None) -> dict[str, str]:
    """The line of each wish that some clause or sentence surely has, by meaning, in their order."""
    found: dict[str, str] = {}
    for text, whole in words.read:
        clauses = [text[one.start : one.end] for one in statements(text)]
        for part, one in [*((part, meaning(part)) for part in clauses), (text, whole)]:
            name, share = one.likely[0]
            clause = PlainWords(words.text, [(part, one)], words.program)
            lines = fill_slots(cell(name, moment).lines, clause, name, view)
            if name in _WISHES and share >= _WISH and lines:
                found.setdefault(name, lines[0])
    return found


def leaves_rest(words: PlainWords, names: AbstractSet[str]) -> bool:
    """True if some sentence is neither talk nor likely to have one of these meanings."""
    rest = (one for _, one in words.read if one.talk < _TALK)
    return any(names.isdisjoint(name for name, p in one.likely if p >= LIKELY) for one in rest)


def lines_to_offer(words: PlainWords, moment: GameMoment, view: GameView | None) -> tuple[str, ...]:
    """Up to `MAX_LINES` lines that may be meant, the likeliest first, the awaited ones last."""
    wished = wished_lines(words, moment, view)
    if len(wished) > 1 and moment not in AWAITED:
        return (*wished.values(),)[:MAX_LINES]
    invitation = moment in (GameMoment.CONFIRM, GameMoment.INVITED)
    # Beside a sure meaning, no unlikely ones.
    least = max(KNOWN if invitation else LIKELY, words.likeliest_meaning[1] / 4)
    likeliest = words.likeliest_meaning[1]
    limits = dict.fromkeys(DRASTIC, max(KNOWN, likeliest)) | dict.fromkeys(_ENDINGS, likeliest)
    ranked = words.ranked_meanings[:MAX_LINES]
    likely = [name for name, share in ranked if share >= limits.get(name, least)]
    if (invitation or moment is GameMoment.OVER) and terms_in(words.text):
        likely = ["counter", *likely]
    text = f"{words.likeliest_sentence('move')} {words.text}"
    points = _free_points(words, text, view) if view is not None else ()
    offers_points = not likely or likely[0] not in ("dead", "alive", "try", "plan", "advice")
    found = [*points[:2]] if points and offers_points else []
    is_void = view is not None and moment is GameMoment.ASKED and agreeing_line(view) == "void"
    awaited = ("void", "no") if is_void else awaited_lines(moment, view)
    for name in likely:
        found += fill_slots(cell(name, moment).lines, words, name, view)
    # If an answer is awaited, a yes or a no is offered only as that answer.
    never = {*awaited, *AWAITED[moment], "yes", "no"} if moment in AWAITED else set()
    found = [line for at, line in enumerate(found) if _contrary(line) not in found[:at]]
    own = [line for line in dict.fromkeys(found) if line not in never]
    if view is not None:
        own = [_with_only(line, view) for line in own]
        own = [line for line in own if is_possible(view.game, view.seat, line)]
    most = max(MAX_LINES - len(awaited), len(counter_lines(own[:2])), 1)
    return (*own[:most], *awaited)


def _with_only(line: str, view: GameView) -> str:
    """`dead C3 only` for `dead C3` if nothing separates C3 from other chains."""
    is_mark = line.partition(" ")[0] in _CONTRARIES
    return f"{line} only" if is_mark and not is_possible(view.game, view.seat, line) else line


def counter_lines(lines: Iterable[str]) -> list[str]:
    """The lines that accept an invitation with other terms."""
    return [one for one in lines if one.startswith("accept but ")]


def _contrary(line: str) -> str:
    """`alive C3` for `dead C3`, and the reverse; "" for other lines."""
    verb, _, stones = line.partition(" ")
    return f"{_CONTRARIES[verb]} {stones}" if verb in _CONTRARIES else ""


_CONTRARIES = {"dead": "alive", "alive": "dead"}


def fill_slots(
    lines: Iterable[str], words: PlainWords, name: str, view: GameView | None
) -> list[str]:
    sentence, text = words.likeliest_sentence(name), words.text
    points = _free_points(words, sentence, view) if view is not None else vertices(sentence)
    opponents = [*addresses_in(text), *([view.opponent.address] if view is not None else [])]
    size = str(view.game.spec.size) if view else "9x9"
    slots = {
        "{point}": next(iter(points), ""),
        "{points}": " ".join(vertices(sentence)),
        "{opponent}": next(iter(opponents), ""),
        "{program}": words.program or "",
        "{language}": own_name(language) if (language := mentioned_language(text)) else "",
        "{words}": clean_quote(sentence, 200),
    }
    found = list[str]()
    for line, terms in product(lines, terms_in(text) or [""]):
        game = with_size(terms, size)
        filled = {**slots, "{terms}": terms, "{game}": game}
        filled["{changed_game}"] = game if terms else ""
        rematch = f"rematch {terms}".strip()
        filled["{rematch}"] = rematch if whole_command(rematch) else "rematch"
        parts = [filled.get(part, part) for part in _SLOT.split(line)]
        if all(parts[1::2]):
            found.append(with_named_time("".join(parts), text))
    return [part for line in dict.fromkeys(found) for part in _split_line(line)]


def _free_points(words: PlainWords, text: str, view: GameView) -> tuple[str, ...]:
    """The free points that a text names, also by their place if it means a move."""
    is_move = words.likeliest_meaning[0] == "move" and not vertices(text)
    places = places_in(text, view.game.spec.size) if is_move else ""
    return view.named_moves(places or text)


_SLOT = re.compile(r"(\{\w+\})")


def _split_line(line: str) -> list[str]:
    """A line in its best form: `if A then B` in full, a long list of stones in pieces."""
    words = line.split()
    if words[0] == "if" and words[1:] and "then" not in words:
        return [f"if {words[1]} then {words[2]}"] if len(words) == 3 else []
    command = whole_command(line)
    return [str(part) for part in command.parts] if isinstance(command, cmd.Mark) else [line]


def meaning_question(
    words: PlainWords, moment: GameMoment, view: GameView | None, case: str
) -> Unreadable:
    """The question about held words, with lines that they may mean."""
    found = find_topic(words)
    name = found.name if found else ""
    if found is not None and AWAITED.get(moment) == ("done",):
        found = _topic_in_count(found, moment)
    reason: str = sentence("unsure-what", said=words.quotation)
    if view is not None and (obstacle := _obstacle(name, view)):
        return Unreadable(obstacle.public, hints=obstacle.hints, case=case)
    if view is not None and (move := _meant_move(words, view)):
        return Unreadable(sentence(MEANT_MOVE, point=move), hints=(move,), case=case)
    if name in ("yes", "agree", "done") and view is not None and isinstance(view.seen, Uncounted):
        reason = sentence(WHICH_COUNT)  # they answer the marks that our email proposed
    elif len(wished_lines(words, moment, view)) > 1 and moment not in AWAITED:
        reason = sentence("several-wishes")
    elif view is not None and moment is GameMoment.THEIRS and _may_be_turn(name, words):
        reason = sentence("not-your-turn", who=view.opponent.name)
    elif found is not None and found.key and not cell(name, moment).passes:
        reason = found.sentence
    elif moment is GameMoment.PROPOSED and words.talk > KNOWN:
        reason = sentence("once-begun")
    if view is not None and name == "who" and moment is GameMoment.INVITED:
        reason = join_sentences(sentence("asked-to-invite", who=view.opponent.name), reason)
    lines = lines_to_offer(words, moment, view)
    reason = sentence("terms-meant") if counter_lines(lines) else reason
    return Unreadable(reason, hints=lines, case=case)


def _topic_in_count(found: Topic, moment: GameMoment) -> Topic:
    """The topic that explains words in a count: to agree, or to play on."""
    if found.name in ("yes", "no", "agree", "resign", "score"):
        return topic("done")
    return topic("resume") if cell(found.name, moment).lines == ("resume",) else found


def _may_be_turn(name: str, words: PlainWords) -> bool:
    """True for words about a move or a pass, and for a point without a topic."""
    return name in ("move", "pass") or (not name and bool(vertices(words.text)))


def _obstacle(name: str, view: GameView) -> Refusal | None:
    """Why a topic is none of this game's: no move to take back, or no clock; else None."""
    game, color = view.game, view.color
    try:
        if name == "undo" and color is not None:
            check_undo(game, color)
        if name == "time" and color is not None and game.clock is None:
            raise WrongPhase(sentence("no-time-limit"))
    except Refusal as obstacle:
        return obstacle
    return None


def _meant_move(words: PlainWords, view: GameView) -> str:
    """The move that the words may be: the one free point that they name, or a pass; else ""."""
    if view.awaits is not Awaited.TURN or words.private:
        return ""
    free = [*_free_points(words, words.text, view)]
    named = vertices(words.text) or free
    name, share = words.likeliest_meaning
    if named:
        likely = dict(words.ranked_meanings).get("move", 0.0) >= LIKELY
        likely = likely or name == "move" or share < KNOWN
        return named[0] if likely and free == named and len(named) == 1 else ""
    others = {one.first for _, one in words.read} - TALK - {name}
    is_question = has_question_mark(words.likeliest_sentence("pass"))
    is_pass = name in ("pass", "done") and share >= KNOWN and not others
    return "pass" if is_pass and not is_question else ""
