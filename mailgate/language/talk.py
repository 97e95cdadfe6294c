"""Commands within talk: `Nice move! D4.`, `Done, thanks for the game!`, `I think I'll play D4`.

Pure; raises `Unreadable` alone. A line is cut at its stops into statements. It holds a command
where exactly one statement is one, whole: a verb of the table, or a vertex among no other words
than those with which people say that they play. Whatever doubts it, in any other statement, makes
it talk.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile

from godaemon.errors import Refusal, Unreadable
from godaemon.games import commands as cmd
from godaemon.rules.points import Color
from mailgate.language.arguments import read_mark_sentence
from mailgate.language.near_moves import REFERENCE
from mailgate.language.verb_table import LINES, VERBS, Verb
from mailgate.language.written_moves import (
    SHAPES,
    compact,
    letters_first,
    named_color,
    normalize,
    point,
    strip_decoration,
)
from mailgate.late_patterns import late
from mailgate.word_sets import words_of

LONGEST = 300
"""How many characters of a line are read as talk; a longer one is a paragraph of it."""

_CUT = late(
    r"[.!?;,…–—()]{1,40}(?=[\s\"'”’)]|$)|(?<=\s)(?=\([^\W\d_]{2}[^()]*\)(?:[.!?]|$))|[。、，！？；]+"
    r"|(?<=[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af])[.!?;,]+|(?<!\b[a-zA-Z])\s-\s"
    r"|(?<=[^\W\d_])[!?]+|\s(?=(?:btw|by the way)\b)"
)
_STOPS = " \t.!?;,…–—()-。、，！？；"
_MARKED = late(r"\s*(?:[>＞|│┃]|[-•·*] )")
"""How quoted lines begin, and those of a list, such as our own emails have."""
_SMILE = late(r"(?<!\w)(?:[:;=8x]['-]?[)(dpo/|*3]+|<3|\^_?\^|[xo]{3,})(?!\w)", re.IGNORECASE)
_VERTEX = late(r"(?<![\w.-])(?:[a-z]-?\d{1,2}|a[a-z]\d{1,2}|b[ab]\d{1,2})(?![\w:]|\.\d)")
_SPLIT_SCRIPT = late(r"(?<=[^\x00-\u024f\s])(?=[a-z]\d)|(?<=\d)(?=[^\x00-\u024f\s])")
_PLAYING = words_of(
    """
    i i'll i'm i'd we we'll im ill lets here's heres mv will would should shall like to want
    wanna going gonna think guess believe have must play playing go going take taking put putting
    place placing move moving stone my next turn is it's it be the a an at on in to here then now
    well ok okay alright pls plz o.k so
    hmm um let me let's just choose pick this time please thanks thx and yes black white b w
    today tonight
    goes plays ich spiele setze nehme ziehe lege gehe auf nach mein zug ist der die schwarz
    weiss weiß dann also gut nun jetzt bitte danke mit je joue pose mets prends vais en sur
    mon coup est noir noirs blanc blancs alors bon bien merci yo juego pongo voy mi jugada
    movimiento es negro negras blanco blancas entonces bueno gracias pues y tb también va venga
    vale porfa jaja jajaja jajajaja jeje haha hahaha hehe hihi lol xd io gioco metto vado mossa
    mia la nero bianco allora grazie eu jogo ponho vou para em minha jogada lance preto branco
    então obrigado ik speel zet ga naar op mijn wit zwart dan dank gram ruch mój czarny biały
    na jag spelar mitt drag är svart vit я играю хожу ставлю мой ход в на чёрные черные белые
    """
)
"""Words that stand beside a vertex where somebody says that they play there, and never else."""
_PLAYING_MARKS = frozenset(
    "我下走落子在于於黑白黒选選點点打ちますつへに着手は은는에둡니다두겠습흑백で番お願いし"
)
"""The same in scripts that set no blanks between words."""
_FILLERS = words_of(
    """
    please pls thanks thx then now so therefore ok okay great gg bitte danke merci gracias grazie
    and all here it's too also dear
    """
)
"""Words that change nothing of the verb that they stand beside."""
_IDLE = words_of(
    """
    and please pls then now so ok o.k okay of course bitte too also dear hi hello my move friend sir
    here it's
    """
)
"""Words about a command that are worth no email to the opponent."""
_DOUBT = words_of(
    """
    not don't doesn't didn't won't can't cannot never but if or instead rather wait no unless
    maybe perhaps except until unsure nein nicht aber oder non pas mais ou pero
    """
)
"""Words by which another statement takes back, or makes depend, what one says."""
_PREFACE = 2
"""So many words may stand before a verb that ends something: `Great, done`."""
_PLAIN_TURNS = (cmd.Pass, cmd.Undo, cmd.Done, cmd.Resume, cmd.Void, cmd.Withdraw)
_SOFT = (
    cmd.ShowSettings,
    cmd.Show,
    cmd.Sgf,
    cmd.Kifu,
    cmd.Games,
    cmd.Gui,
    cmd.Estimate,
    cmd.Rematch,
    cmd.History,
    cmd.Learn,
    cmd.Players,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a line: its words normalized, where it stands, and whether it asks."""

    text: str
    start: int
    end: int
    asks: bool

    @property
    def words(self) -> list[str]:
        """Its words, each without the marks around it."""
        spaced = _SPLIT_SCRIPT.sub(" ", self.text.replace("thank you", "thanks"))
        return [word for word in (one.strip("\"'“”‘’*_~<>[]:") for one in spaced.split()) if word]


@dataclass(frozen=True, slots=True)
class Told:
    """A command that was found in talk, the statement it is, and the words left around it."""

    said: str
    command: cmd.Command
    color: Color | None
    words: str


@lru_cache(maxsize=512)
def statements(line: str) -> tuple[Statement, ...]:
    """The statements of a line, cut at its stops, smileys and pictures, which are in none.

    >>> [one.text for one in statements("Nice move! D4 :-) btw Q16 was good")]
    ['nice move', 'd4', 'btw q16 was good']
    """
    plain = _SMILE.sub(lambda found: ".".ljust(len(found[0])), _without_pictures(line))
    found, start = list[Statement](), 0
    for cut in _CUT.finditer(plain):
        # A picture is said, too, with what comes next.
        end = cut.end() - len(line[cut.start() : cut.end()].lstrip(_STOPS))
        found.append(_statement(plain, slice(start, cut.start()), end, asks="?" in cut[0]))
        start = cut.end()
    found.append(_statement(plain, slice(start, None), len(plain)))
    said = list[Statement]()
    for one in found:
        if any(mark.isalnum() for mark in one.text):
            said.append(one)
        elif said and one.asks:  # `what now :-) ?`
            said[-1] = replace(said[-1], asks=True)
    return tuple(said)


def _statement(plain: str, said: slice, end: int, *, asks: bool = False) -> Statement:
    return Statement(strip_decoration(normalize(plain[said])), said.start, end, asks)


_MODIFIERS = str.maketrans("^`", "  ")


def _without_pictures(line: str) -> str:
    """A line with stops for pictures, so that places in it stay; stones are kept."""
    if line.isascii():  # `^` and the grave accent are modifiers
        return line.translate(_MODIFIERS)
    return "".join(
        mark if mark in "⚫⚪●○" else _IN_PLACE.get(unicodedata.category(mark), mark)
        for mark in unicodedata.normalize("NFKC", line)
    )


_IN_PLACE = {"So": ".", "Sk": " ", "Cf": " "}
"""What stands for a picture, and for what changes one, by its category."""


def vertices(text: str) -> list[str]:
    """The vertices that are named anywhere in some words, each once, as they are written.

    >>> vertices("D4 or Q16? In 2024 it was d4, at 5pm")
    ['d4', 'q16']
    """
    latin = _ALIKE.sub(lambda found: found[0].translate(_LATIN), text[:2_000])
    plain = _APART.sub(r"\1\2\3", normalize(latin))
    spaced = _SPLIT_SCRIPT.sub(" ", plain)
    return list(dict.fromkeys(word.replace("-", "") for word in _VERTEX.findall(spaced)))


_LATIN = str.maketrans("АВСЕНКМОРТавсенкморт", "ABCEHKMOPTabcehkmopt")
_ALIKE = late(r"(?<!\w)[АВСЕНКМОРТавсенкморт](?=\d{1,2}(?!\w))")
"""Cyrillic letters before a number that look like columns."""
_APART = late(
    r"((?:^(?=[b-t] \d+ [a-z]{2})|(?<=\w)[.!] |\b(?:at|on|in|is|to|with|takes?|plays?|go|point"
    r"|stone|um|er|uh|please|pl[sz]) ))(?:the point )?([b-hj-t])(?: - | ?)(\d{1,2})(?![\w:]|\.\d"
    r"| (?:days|hours|weeks|of)\b)"
)
"""A point with a blank in it, at the beginning or behind a word that says so."""


def plan_in(line: str) -> str:
    """The plan that a sentence is, as it is to be written; empty where it is none.

    >>> plan_in("If Tom plays C4, I want to play D5."), plan_in("I play d5 if he goes c4")
    ('if C4 then D5', 'if C4 then D5')
    """
    named, condition = vertices(line), _CONDITION.search(line)
    if condition is None or len(named) != 2:
        return ""
    theirs = next(iter(vertices(line[condition.end() :])), named[0])
    mine = named[1 - named.index(theirs)]
    return f"if {theirs.upper()} then {mine.upper()}"


def plans(sentence: str) -> bool:
    """True for one that says what its writer will answer to a move: no opponent is to read it.

    >>> plans("if Ana then goes E2, I would like to play D3"), plans("If D4 is dead, E5 is too")
    (True, False)
    """
    plain = normalize(sentence)
    return bool(plan_in(sentence) and _INTENDED.search(plain) and not _OVER.search(plain))


_INTENDED = late(r"\b(?:i|i'd|i'll|we|then|ich|dann|je|yo)\b")
_OVER = late(
    r"\b(?:had|have|was|were|wasn't|weren't|did|didn't|played|could|lost|won|dead|alive|is"
    r"|looks?)\b"
)
"""What has been, or what stands, is no plan."""
_CONDITION = late(
    r"(?i)\b(?:if|in case|should(?! (?:i|we)\b)|when(?:ever)?|falls|wenn|si|se|als)\b"
)


def trial_in(line: str) -> str:
    """The line that shows a board after moves that a sentence imagines; empty for all others.

    >>> trial_in("What happens if I play F5, he plays F6, I play G6 ?")
    'try F5 F6 G6'
    >>> trial_in("What if you had played D4?"), trial_in("Variation is fun")
    ('', '')
    """
    plain, named = normalize(line[:LONGEST]), vertices(line[:LONGEST])
    if not named or not _IMAGINED.search(plain) or _NOT_NOW.search(plain):
        return ""
    return " ".join(["try", *map(str.upper, named)])


_IMAGINED = late(
    r"^(?:(?:so|and|but|hm+|ok|okay|well|please|show me|let me see)[ ,]+)*(?:what if|suppose"
    r"|supposing|imagine|assume|assuming|variations?|analy[sz]e|simulate|explore|whatif)\b"
    r"|\bwhat(?:'ll| would| will| could| might| does| is likely to)? (?:happens?|follows?|comes?"
    r"|then)\b|\b(?:how|what) (?:would|will|does) (?:it|the board|that|this) (?:look|be|go)\b"
    r"|\bwas (?:passiert|wäre),? wenn\b"
)
"""How people imagine moves that they do not make."""
_NOT_NOW = late(r"\b(?:you|your|you'd|had|have|i'd have|instead of)\b")
"""Who else is spoken to, and what is over."""


def told(line: str) -> Told | None:
    """The one command that a line of talk holds beyond doubt; None for all other talk.

    >>> found = told("Sorry for the delay. D4")
    >>> str(found.command.point), found.words
    ('D4', 'Sorry for the delay.')
    >>> told("I was afraid of D4") is None, told("D4? Really?") is None
    (True, True)
    """
    if len(line) > LONGEST or _MARKED.match(line):
        return None
    line = unicodedata.normalize("NFKC", line)  # as its statements are counted in it
    said = statements(line)
    found = [(one, command) for one in said if (command := _command(one.text)) is not None]
    if len({command for _, command in found}) != 1:
        return None
    statement, command = found[0]
    others = [one for one in said if one is not statement and _command(one.text) is None]
    doubting = [one for one in others if not plans(one.text)]
    if statement.asks or _doubted(said, statement, doubting, command):
        return None
    rest = " ".join((line[: statement.start] + " " + line[_end(said, statement) :]).split())
    if isinstance(command, cmd.Play | cmd.Pass) and _belongs(line, statement):
        rest = line.strip()  # what would be left of the sentence says nothing to anybody
    idle = not _goes_on(statement) and {word for one in others for word in one.words} <= _IDLE
    left = "" if idle or not any(mark.isalnum() for mark in rest) else _AND.sub("", rest)
    color = named_color(statement.words) if isinstance(command, cmd.Play) else None
    return Told(statement.text, command, color, left)


def _end(said: Sequence[Statement], statement: Statement) -> int:
    """Where a statement ends, with what belongs to it and says nothing: `D4, please, ...`."""
    behind = said[said.index(statement) + 1 :]
    idle = takewhile(lambda one: {*one.words} <= _IDLE, behind)
    return max((one.end for one in idle), default=statement.end)


def _goes_on(statement: Statement) -> bool:
    """True where more stands behind a move than `D4 of course` or `D4 for me`."""
    text = _MY_MOVE.sub("", statement.text)
    return _BY_THE_WAY.match(text) is not None and len(text.split()) > _SHORT_REASON


_SHORT_REASON = 3
_AND = late(r"(?i)^(?:(?:and|und|et|y|e|en)\b|[-–—,;]) *")
"""How words go on after a move."""


def _belongs(line: str, statement: Statement) -> bool:
    """True for a move that a sentence goes on from, or goes on with: `E4 then, to save it`."""
    above, below = line[: statement.start].rstrip(), line[statement.end :].strip()
    begun = above.endswith(",") and len(above.split()) > _PREFACE
    cut = line[: statement.end].rstrip().endswith(",")
    return begun or _goes_on(statement) or bool(cut and _REASON.match(below))


_REASON = late(r"(?i)(?:to|so|because|as|since|for|before|the|an?|just|only)\b")


@lru_cache(maxsize=2048)  # people say the same, and so do our own letters, which are looked at too
def _command(statement: str) -> cmd.Command | None:
    """The command that a whole statement is: a verb alone, a mark, or a move."""
    text = _AGAIN.sub(r"\1", _without_fillers(_MY_MOVE.sub("", statement)))
    for whole in (statement, text):
        command = _alone(LINES.get(whole) or VERBS.get(whole))
        if isinstance(command, (*_PLAIN_TURNS, *_SOFT)) or (
            isinstance(command, cmd.Resign) and whole in ("resign", "i resign")
        ):
            return command
    verb, _, stones = text.partition(" ")
    if verb in ("dead", "alive"):
        with suppress(Refusal):
            return VERBS[verb].read(stones)
    return read_mark_sentence(statement) or statement_move(_MY_MOVE.sub("", statement))


def _alone(entry: Verb | None) -> cmd.Command | None:
    """The command of a verb with nothing after it; None where it needs more."""
    try:
        return entry.read("") if entry is not None else None
    except Refusal:
        return None


_MY_MOVE = late(
    r"^my (?:(?:next|own|final) )?(?:move|turn|answer|reply|response|choice)(?: is| will be|'s)?"
    r" ?[:=]? (?!to\b)"
)
_AGAIN = late(
    r"^((?:\w+ )?(?:pas\w*|пас\w*)) (?:again|as well|once more|auch|aussi|également|también|anche"
    r"|ook|também|też|också|тоже)$"
)
"""A pass after the other player's."""


def _without_fillers(text: str) -> str:
    words = text.split()
    while words and words[0] in _FILLERS:
        words.pop(0)
    while words and words[-1] in _FILLERS:
        words.pop()
    return " ".join(words)


def statement_move(text: str) -> cmd.Play | None:
    """The move that a statement says its writer plays; None where it may only speak of a point.

    >>> str(statement_move("i think i'll play d4").point), statement_move("d4 is big")
    ('D4', None)
    """
    plain = _SHAPED.sub(r"\1 ", _APART.sub(r"\1\2\3", text))
    words = Statement(_BY_THE_WAY.sub(r"\1\2\3", plain), 0, 0, asks=False).words
    named = [word for word in words if compact(word)] if len(words) <= 9 else []
    others = [word for word in words if word not in named]
    shaped = _SHAPES & {*others} and not REFERENCE.search(plain)
    about = _SHAPES | _BESIDE_SHAPES if shaped else frozenset[str]()
    if len(named) != 1 or not all(_plays(word) or word in about for word in others):
        return None
    if {"would", "i'd", "should"} & set(others) and "like" not in others:
        return None
    try:
        return cmd.Play(point(letters_first(named[0])))
    except Unreadable:
        return None


_SHAPES = words_of(
    """
    hane nobi kosumi keima kogeima ogeima ikken niken tobi tsuke shimari kakari hiraki san-san
    sansan 3-3 komoku hoshi tengen invasion invade approach enclosure extension extend jump attach
    peep wedge
    """
)
_BESIDE_SHAPES = words_of(
    """
    small large high low one two space knight knight's top bottom upper lower left right side corner
    from with under over point
    """
)
"""Words beside what a move is called by who makes it: `shimari at the bottom right: R6`."""
_BY_THE_WAY = late(
    r"^((?:i|i'll) (?:play|take|go|move|put)(?: (?:to|at|on|for))? [a-z]-?\d{1,2}) but\b(?!.*(?:n't"
    r"|\b(?:not|never|if|or|maybe|perhaps|instead|rather|wait|better|sure|think|[a-z]\d{1,2})\b)).*"
    r"|^([a-z]-?\d{1,2}) (?:for|to|and|then|because|since|with|this time|of course|at last|it is"
    r"|atari|my (?:dear )?friend$)\b(?!.*\b(?:is|was|are|were|be|looks?|seems?|would|could|might"
    r"|may|should|can|if|or|not|but|instead|you|your|[a-z]\d{1,2})\b).*|^([a-z]-?\d{1,2})"
    r" (?:thanks?|thank you|thx|sorry for|cheers|greetings|regards|your turn|good luck|quick(?:ly)?"
    r"|fast|finally|before|after all|as (?:always|usual|planned|promised)|ha|aha|take that|gl|hf"
    r"|glhf|gg|lol|haha\w*|hehe|have (?:fun|a (?:nice|good|great))|hope|how (?:are|is)|see you"
    r"|enjoy|all the best)\b(?!.*\b(?:if|or|not|but|instead|rather|maybe|[a-z]\d{1,2})\b).*"
)
"""A point, and then why it is played, or what for."""
_SHAPED = late(
    r"^((?:(?:and|so|ok|well|yes|now) )?(?:i|i'll|ill|i will|i've|i'm|im|i am|let me|let'?s)"
    rf"(?: (?:now|just|then))?) (?:{SHAPES}|try|decided (?:on|for)|go(?:ing)? (?:with|for)"
    rf"|(?:answer|reply|respond|follow)(?: with)?(?! to\b))"
    r"(?: (?=(?:at|on|to|in) [a-z]-?\d)| ?: | (?=[a-z]-?\d))"
)
"""What somebody says that they make of a point of theirs."""


def move_within(lines: Sequence[str]) -> cmd.Play | None:
    """The one move that a whole sentence among some lines says, where they name no other point.

    >>> str(move_within(["It is raining.", "I think I shall put my stone on E7, please."]).point)
    'E7'
    >>> move_within(["I was told that, were the corner open and Black on sente,", "I play E7."])
    """
    text = list[str]()
    for line in lines[:_LETTER]:
        if _MARKED.match(line):
            return None
        wrapped = text and len(text[-1]) > _WRAPPED and text[-1].rstrip()[-1:] not in ".!?"
        text = [*text[:-1], f"{text[-1]} {line}"] if wrapped else [*text, line]
    if len(vertices("\n".join(lines[:_LETTER]))) != 1:
        return None
    for above, line in zip(["", *text], text, strict=False):
        said = statements(line)
        for at, one in enumerate(said):
            move = None if one.asks else statement_move(one.text)
            if move is not None:
                others = [*said[:at], *said[at + 1 :]]
                if _DOUBT & set(normalize(above).split()):
                    return None
                if not (others or one.words[1:]) and not _ended(text[: text.index(line)]):
                    return None
                begun = line[: one.start].rstrip().endswith(",") and len(said[at - 1].words) > _FEW
                doubt = begun or any(one.asks or _DOUBT & set(one.words) for one in others)
                return None if doubt or _doubted(said, one, others, move) else move
    return None


def _ended(above: Sequence[str]) -> bool:
    """True where the words above a point on a line of its own are done, and ask nothing."""
    said = [line.rstrip() for line in above if line.strip()]
    asked = any(one.asks or _DOUBT & {*one.words} for line in said[-2:] for one in statements(line))
    return bool(said) and not asked and re.search(r"[.!…)]$", said[-1]) is not None


_LETTER = 20
_WRAPPED = 45
"""Lines of a letter in which a move is looked for; from so many characters on one goes on below."""


def _plays(word: str) -> bool:
    return word in _PLAYING or all(mark in _PLAYING_MARKS for mark in word)


def _doubted(
    said: Sequence[Statement],
    statement: Statement,
    others: Sequence[Statement],
    command: cmd.Command,
) -> bool:
    """True where another statement of the line doubts, takes back or qualifies the command."""
    said_first = statement.start == 0 and isinstance(command, cmd.Play)
    if any(vertices(one.text) for one in others) and not said_first:
        return True
    if any(statement_move(one.text) for one in others):
        return True
    after = [one for one in others if one.start > statement.start]
    if any(_TAKEN_BACK.fullmatch(one.text) or _corrects(one, command) for one in after):
        return True
    if isinstance(command, cmd.Play):  # `you always start there, don't you. D4`
        others = [one for one in others if not _asks_assent(one.words)]
    if isinstance(command, cmd.Mark) and any(one.asks for one in others):
        return True
    if isinstance(command, (cmd.Play, cmd.Mark, *_SOFT)):
        return any(_doubts(one.words) for one in others)
    # These end something: one doubting word anywhere is too many, and so is a long preface.
    above = said[: said.index(statement)]
    most = 1 if isinstance(command, cmd.Resign) else _PREFACE
    concludes = isinstance(command, cmd.Pass) and _THEREFORE.match(statement.text)
    reasoned = concludes and not any({"pass", "you", "your"} & {*one.words} for one in above)
    preface = not reasoned and any(len(one.words) > most for one in above)
    praised = bool(above) and above[-1].words[-1:] in (["well"], ["not"], ["almost"], ["nearly"])
    return preface or praised or any(one.asks or _DOUBT & set(one.words) for one in others)


_THEREFORE = late(r"(?:and )?(?:so|then|therefore|hence)\b")
"""How one ends what begins with a reason."""


def _doubts(words: Sequence[str]) -> bool:
    """True for a doubt in a word or two; `no hurry` is none."""
    short = words[1:] if words[:1] == ["no"] and len(words) > 1 else words
    return len(words) <= 2 and bool(_DOUBT & set(short))


def _asks_assent(words: Sequence[str]) -> bool:
    """True for `don't you`, behind what somebody says."""
    return len(words) == 2 and words[0].endswith("n't") and words[1] in _ASKED


_ASKED = words_of("you he she it they we i")


# -- what stands above and below ---------------------------------------------------------------
_HELLO = late(
    r"(?:hi|hello|hey|hiya|howdy|greetings|dear|hallo|hola|salut|bonjour|bonsoir|ciao|olá|oi|hej"
    r"|moin|servus|grüezi|grüß dich|good (?:morning|day|afternoon|evening)|guten (?:tag|morgen"
    r"|abend)|buenos días|buenas|buongiorno|goedemorgen|goedendag|liebe[rs]?|beste|chère?"
    r"|querid[oa]|car[oa]|cześć|привет|здравствуйте?|добрый день|こんにちは|こんばんは"
    r"|to whom it may concern|お世話になります|你好|您好|안녕하세요?)(?: there| all| again)?"
    r"(?:,? (?!(?:from|happy|merry|how|hope|nice|greetings|congratulations|aus|von|de|du|desde|da"
    r"|uit|and|in|at|it|we|i|here|to)\b)[^\W\d_][\w'.-]*){0,3}"
)
"""A greeting, and perhaps to whom; what says more than that is worth being passed on."""
_ADDRESSED = late(r"[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*)?")


def is_greeting(line: str) -> bool:
    """True for a line that only greets: `Hi Bo,`, `Dear Alice`, `Bo,`.

    >>> is_greeting("Hi Bo,"), is_greeting("Bo,"), is_greeting("Hi, D4")
    (True, True, False)
    """
    plain = normalize(line[:200])
    bare = strip_decoration(plain).rstrip(":~")
    if bare in LINES or bare in VERBS or vertices(plain):
        return False
    named = plain.endswith(",") and _ADDRESSED.fullmatch(bare)
    hello = _HELLO.fullmatch(bare) and not _SENDS_LOVE.search(bare)
    return bool(hello or named)


_SENDS_LOVE = late(r"\b(?:gr(?:ü|ue?)(?:ß|ss)e?n?|regards|wishes|saluti|saludos|groet(?:en|jes))\b")
"""Says something to somebody at the end of a letter, as `Liebe Grüße an alle` does."""


def opens_kindly(line: str) -> bool:
    """True for a whole sentence that begins with a greeting and puts nothing below in doubt.

    >>> opens_kindly("Hi Bo, hope you are well."), opens_kindly("Hi Bo, you should not play")
    (True, False)
    """
    said = statements(line)
    if not said or len(line) > LONGEST or not _HELLO.fullmatch(said[0].text):
        return False
    doubted = any(one.asks or _DOUBT & set(one.words) or _command(one.text) for one in said)
    return said[-1].end == len(line.rstrip()) > len(line.rstrip(".!,)… ")) and not (
        doubted or vertices(line)
    )


def takes_back(lines: Sequence[str], command: cmd.Command) -> str:
    """The line below a command, among the first few, that takes it back or says another move.

    >>> takes_back(["no, sorry, E5"], cmd.Pass()), takes_back(["no hurry!"], cmd.Pass())
    ('no, sorry, E5', '')
    """
    played = vertices(str(command.point)) if isinstance(command, cmd.Play) else []
    for line in [line for line in lines if line.strip()][:_NEAR]:
        if plan_in(line) and not set(vertices(line)) & set(played):
            continue
        said = statements(line[:LONGEST])
        moves = [statement_move(one.text) for one in said if not one.asks]
        others = [vertex for vertex in vertices(line) if vertex not in played]
        if len(others) > _FEW:
            continue
        named = bool(others) and any(_CORRECTING.match(one.text) for one in said)
        corrected = named or any(_corrects(one, command) for one in said)
        if corrected or any(move not in (None, command) for move in moves):
            return line
        if len(said) <= 2 and any(_TAKEN_ALL_BACK.fullmatch(one.text) for one in said):
            return line
    return ""


def _corrects(statement: Statement, command: cmd.Command) -> bool:
    """True for a statement that is nothing but another move in the place of one above it.

    `oops, D16`, `should be D16`, `actually pass`; and so is `not D15`, of that move itself.
    """
    words, own = set(statement.words), _in_a_word(command)
    named = {word for word in words if compact(word) or word in _WITHOUT_POINT}
    if statement.text in _WITHOUT_POINT - {own}:
        return True
    meant = bool(named - {own} and words & _INSTEAD) or bool(named and "not" in words)
    first = _MEANT.match(statement.text)
    plainly = first is not None and first[1] != own
    return plainly or (meant and words - named <= _INSTEAD | _BESIDE_INSTEAD)


def _in_a_word(command: cmd.Command) -> str:
    """A move, a pass or giving up as it is named in a sentence; "" for all else."""
    if isinstance(command, cmd.Play):
        return str(command.point).lower()
    return {cmd.Pass: "pass", cmd.Resign: "resign"}.get(type(command), "")


_MEANT = late(
    r"(?:i (?:really |actually )?(?:meant|wanted|intended)|(?:it )?should (?:be|have been))"
    r" (?:to (?:play|write|say|type|click|go) )?(?:at |on )?([a-z]-?\d{1,2})\b"
)
_WITHOUT_POINT = words_of("pass resign")
_INSTEAD = words_of(
    """
    no nope oops ups typo meant mean sorry pardon correction corrected edit actually instead change
    make rather should wanted wait better argh ah ach d'oh
    """
)
"""What names a move in the place of another."""
_BESIDE_INSTEAD = words_of(
    """
    i i'd it that this is was be been have had to the my a at on of in for and please course not uh
    um er oh hm hmm move play go put stone point say write type thanks then it's that's
    would like want will let's me now final on second thought thoughts
    """
)
"""What may stand beside one."""

_NEAR = 6
"""Among how many lines below a command one that takes it back is looked for."""
_FEW = 3
"""A line with more points than that describes a board."""
_SIGHS = r"(?:(?:no|oh|oops|sorry|wait|hmm|ah|ach|nein|non)\b[ ,]*)*"
_CORRECTING = late(
    rf"{_SIGHS}(?:no|nein|non|oops|wait|hold on|i mean|i meant|i wanted|make (?:that|it)|rather"
    r"|correction|instead|better|actually|on second thoughts?|sorry|doch lieber|lieber|plutôt|mejor"
    r"|ich mein(?:t)?e|ich wollte|je voulais|quería|quise|volevo|ik bedoel(?:de)?|ik wilde|queria"
    r"|quis|chciał[ae]m|jag men(?:ar|ade)|я имела? в виду|я хотела?|perdón|pardon|scusa"
    r"|entschuldigung|oeps|ops|ojej|ой)"
    r"(?! (?:about|for|that|matter|problem|worr(?:y|ies)|hurry|rush|need|doubt|wonder)\b)\b"
)
"""How a statement begins that names another point than the one above it, and means that."""
_TAKEN_ALL_BACK = late(
    rf"{_SIGHS}(?:wait|hold on|never ?mind|correction|just kidding"
    r"|(?:ignore|cancel|forget|scratch|strike|delete) (?:that|this)|ignore the above"
    r"|i take (?:that|it) back|i changed my mind|or (?:not|maybe))"
    r"(?: please| a (?:moment|second|minute))?"
)
"""A statement that takes back what stands above it."""
_TAKEN_BACK = late(
    rf"{_TAKEN_ALL_BACK.pattern}|no|not|nein|(?:or|if|unless|i mean|instead of) (?!you ).*"
)
"""The same behind a command, or one that makes it depend."""
