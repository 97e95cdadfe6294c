"""The language that players write to us in, as one table, and its reader.

Pure; raises `Unreadable` alone. Commands are whole lines at the top of the new text; the first line
that is not a command begins the message to the opponent. A line that looks like a command but is
none refuses the whole letter: else the opponent would read the move while the game stood still.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from godaemon.errors import Refusal, Unreadable
from godaemon.games import commands as cmd
from mailgate.address import clean_quote
from mailgate.identity import HELD_PATTERN, TOKEN_PATTERN
from mailgate.moves import POLITE, bare, points, read_move, refuse_near_move, settle
from mailgate.proposals import EXAMPLE, looks_like_proposal, read_proposal
from mailgate.reply import fold

__all__ = [
    "MAX_COMMANDS",
    "MAX_MESSAGE",
    "TABLE",
    "Entry",
    "Reading",
    "Spoken",
    "clean_message",
    "is_command_line",
    "misspelt",
    "read",
]

MAX_COMMANDS = 10
"""How many command lines a letter may hold."""
MAX_MESSAGE = 2_000
"""How many characters of a message are passed on."""

Reader = Callable[[str], cmd.Command | None]


@dataclass(frozen=True, slots=True)
class Entry:
    """One verb: how it is written, what it does, when it fails, how its arguments are read.

    `synonyms` are whole lines that mean the verb alone, `abroad` the same in other languages.
    `read` takes what follows the verb and gives None where that is no argument of it.
    """

    verb: str
    arguments: str
    help: str
    fails: str
    examples: tuple[str, ...]
    read: Reader
    synonyms: tuple[str, ...] = ()
    abroad: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    """Other words that may stand for the verb before its arguments."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A command, and the line that it was read from."""

    line: str
    command: cmd.Command


@dataclass(frozen=True, slots=True)
class Reading:
    """What a letter asks for, in order, and the words for the opponent, cleaned."""

    commands: tuple[Spoken, ...]
    message: str


def _alone(command: cmd.Command) -> Reader:
    return lambda rest: None if rest else command


def _read_marks(dead: bool) -> Reader:  # noqa: FBT001 (used in the table below, where it is plain)
    extents = {"only": cmd.Extent.CHAIN, "all": cmd.Extent.ALL}

    def read_arguments(rest: str) -> cmd.Command | None:
        rest = re.sub(r"^(?:the )?(?:stones?|groups?|chains?) (?:at )?", "", bare(rest))
        head, _, last = rest.rpartition(" ")
        extent = extents.get(last)
        named = points(head if extent else rest)
        return cmd.Mark(named, dead, extent or cmd.Extent.GROUP) if named else None

    return read_arguments


def _read_show(rest: str) -> cmd.Command | None:
    found = re.fullmatch(
        r"(?:the |me |me the )?(?:board|position|game)?"
        r"|(?:after |after move |move )?#?(?P<move>\d{1,4})"
        r"|game #?(?P<game>\d{1,9})"
        r"|(?:game )?(?P<game2>\d{1,9}) ?#? ?(?:after )?(?:move )?(?<=[#e ])(?P<move2>\d{1,4})"
        r"|move (?P<move3>\d{1,4}) (?:of|in) game (?P<game3>\d{1,9})",
        bare(rest),
    )
    if found is None:
        return None
    game, move = _first(found, "game"), _first(found, "move")
    return cmd.Show(game=game, move=move)


def _first(found: re.Match[str], name: str) -> int | None:
    given = (text for key, text in found.groupdict().items() if key.startswith(name) and text)
    return next((int(text) for text in given), None)


def _read_sgf(rest: str) -> cmd.Command | None:
    found = re.fullmatch(r"(?:(?:of )?(?:game )?#?(\d{1,9}))?", bare(rest))
    return None if found is None else cmd.Sgf(int(found[1]) if found[1] else None)


def _read_receipts(rest: str) -> cmd.Command | None:
    wanted = {"on": True, "off": False}.get(bare(rest))
    return None if wanted is None else cmd.Receipts(wanted)


def _read_new(rest: str) -> cmd.Command | None:
    return read_proposal(rest) if looks_like_proposal(rest.casefold()) else None


def _read_say(rest: str) -> cmd.Command | None:
    text = clean_message(rest.lstrip(": "))
    return cmd.Say(text) if text else None


TABLE: tuple[Entry, ...] = (
    Entry(
        "move",
        "POINT",
        "Plays a stone; the point alone on a line is enough.",
        "not your turn; the point is taken, off the board, suicide or ko",
        ("D4", "play Q16"),
        read_move,
        verbs=("play",),
    ),
    Entry(
        "pass",
        "",
        "Plays no stone; passes in a row stop play, and the game is counted.",
        "not your turn",
        ("pass",),
        _alone(cmd.Pass()),
        synonyms=(
            "i pass",
            "play pass",
            "black pass",
            "white pass",
            "black passes",
            "white passes",
        ),
        abroad=(
            *("passe", "paß", "ich passe", "je passe", "pas", "ik pas", "paso", "yo paso", "passo"),
            *("pasuję", "пас", "パス", "パスします", "停一手", "虚手", "pass一手", "パスです"),
            *("패스", "한수쉼", "한 수 쉼"),
        ),
    ),
    Entry(
        "resign",
        "",
        "Gives the game up.",
        "the game is over",
        ("resign",),
        _alone(cmd.Resign()),
        synonyms=("i resign", "i give up", "give up", "gg, i resign", "gg i resign", "surrender"),
        abroad=(
            *("aufgeben", "ich gebe auf", "gebe auf", "aufgegeben", "j'abandonne", "abandonne"),
            *("abandon", "opgeven", "ik geef op", "abandono", "me rindo", "abbandono", "desisto"),
            *(
                "poddaję się",
                "сдаюсь",
                "投了",
                "投了します",
                "負けました",
                "认输",
                "認輸",
                "我认输",
            ),
            *("기권", "불계", "항복", "졌습니다"),
        ),
    ),
    Entry(
        "dead",
        "POINT ... [only | all]",
        "Marks groups dead when play has stopped: one stone of each is enough.",
        "the game is not being counted; the point is empty",
        ("dead Q16 C3", "dead Q16 only"),
        _read_marks(dead=True),
    ),
    Entry(
        "alive",
        "POINT ... [only | all]",
        "Marks groups alive again.",
        "the game is not being counted; the point is empty",
        ("alive Q16",),
        _read_marks(dead=False),
        verbs=("live",),
    ),
    Entry(
        "done",
        "",
        "Agrees to the count as the last letter showed it; the game ends when both have.",
        "the game is not being counted; a mark has changed since",
        ("done",),
        _alone(cmd.Done()),
        synonyms=("agree", "i agree", "agreed", "i'm done", "i am done", "all agreed"),
    ),
    Entry(
        "resume",
        "",
        "Goes from the count back to playing.",
        "the game is not being counted",
        ("resume",),
        _alone(cmd.Resume()),
        synonyms=("continue", "play on", "keep playing", "resume play", "dispute", "disagree"),
    ),
    Entry(
        "say",
        "WORDS",
        "Passes the words on to your opponent, even where they look like a command.",
        "there are no words",
        ("say good luck!",),
        _read_say,
    ),
    Entry(
        "show",
        "[MOVE | game GAME]",
        "Sends the board, as it is or as it stood after a move.",
        "there is no such game of yours, or no such move",
        ("show", "show 34", "show game 12"),
        _read_show,
        synonyms=("board", "status", "score", "position"),
    ),
    Entry(
        "sgf",
        "[GAME]",
        "Sends the record, as SGF.",
        "there is no such game of yours",
        ("sgf",),
        _read_sgf,
        synonyms=("record", "kifu"),
    ),
    Entry(
        "games",
        "",
        "Lists your games.",
        "never",
        ("games",),
        _alone(cmd.Games()),
        synonyms=("list", "my games", "list games", "show games"),
    ),
    Entry(
        "new",
        "[WxH] [komi K] [handicap N] [rules NAME] [as black|white|nigiri] vs ADDRESS",
        "Proposes a game, in words of any order.",
        "a word is not understood; you have sent too many invitations",
        ("new 19x19 vs bob@example.org", EXAMPLE),
        _read_new,
        verbs=("challenge", "invite"),
    ),
    Entry(
        "yes",
        "",
        "Says yes to what the letter asked: confirms a letter, accepts an invitation.",
        "nothing was asked",
        ("yes", "accept"),
        _alone(cmd.Yes()),
        synonyms=(
            *("accept", "i accept", "accepted", "ok", "okay", "sure", "confirm", "confirmed"),
            *(
                "yes please",
                "yes, please",
                "yes thanks",
                "yes, thanks",
                "yes thank you",
                "ok thanks",
            ),
            *("i confirm", "yep", "yeah"),
        ),
        abroad=(
            *("ja", "ja bitte", "annehmen", "ich nehme an", "akzeptieren", "einverstanden", "oui"),
            *(
                "j'accepte",
                "accepte",
                "accepter",
                "d'accord",
                "accepteren",
                "akkoord",
                "ik accepteer",
            ),
            *("sí", "si", "acepto", "aceptar", "sim", "aceito", "accetto", "tak", "да", "принимаю"),
            *("はい", "承諾", "承諾します", "受けます", "接受", "同意", "是", "好", "好的"),
            *("예", "네", "수락", "좋아요"),
        ),
    ),
    Entry(
        "no",
        "",
        "Says no to what the letter asked: declines an invitation.",
        "nothing was asked",
        ("no", "decline"),
        _alone(cmd.No()),
        synonyms=(
            *("decline", "i decline", "no thanks", "no, thanks", "no thank you", "reject", "nope"),
        ),
        abroad=(
            *("nein", "nein danke", "ablehnen", "ich lehne ab", "non", "non merci", "je refuse"),
            *("refuser", "nee", "nee bedankt", "weigeren", "rechazar", "no gracias", "rifiuto"),
            *("não", "nie", "нет", "отказ", "いいえ", "辞退します", "拒绝", "拒絕", "不", "不要"),
            *("아니요", "아니오", "거절"),
        ),
    ),
    Entry(
        "withdraw",
        "",
        "Takes your own invitation back before it is accepted.",
        "it was accepted already; it is not yours",
        ("withdraw",),
        _alone(cmd.Withdraw()),
        synonyms=("i withdraw", "withdraw invitation", "cancel", "cancel invitation"),
    ),
    Entry(
        "receipts",
        "on | off",
        "Whether each of your accepted moves is acknowledged by a letter.",
        "never",
        ("receipts off", "receipts on"),
        _read_receipts,
    ),
    Entry(
        "help",
        "",
        "Sends this list.",
        "never",
        ("help",),
        _alone(cmd.Help()),
        synonyms=("?", "commands", "help me", "info"),
        abroad=(
            *("hilfe", "aide", "à l'aide", "hulp", "ayuda", "ajuda", "aiuto", "pomoc", "помощь"),
            *("ヘルプ", "帮助", "幫助", "说明", "도움말", "도움"),
        ),
    ),
)
"""Every verb, in the order in which the help letter lists them."""

_LINES = {settle(line): entry for entry in TABLE for line in (*entry.synonyms, *entry.abroad)}
_VERBS = {verb: entry for entry in TABLE for verb in (entry.verb, *entry.verbs)}
_SPELT = tuple({*_VERBS, "accept", "decline"})
_GRAVE = frozenset(
    [
        "pass",
        "resign",
        "dead",
        "alive",
        "resume",
        "accept",
        "decline",
        "withdraw",
        "receipts",
        "sgf",
    ]
)
"""Verbs that few sentences of three words begin with."""
_CHAT = frozenset(
    [
        *("eyes", "now", "one", "ones", "known", "gone", "past", "last", "says", "saying"),
        *("shown", "shoe", "snow", "knew", "news", "newer", "lived", "dear", "deal", "deep"),
        *("gamer", "whelp", "nope", "noon", "movie", "moved", "moves", "moving", "passed"),
        *("passing", "playing", "played", "plays", "player", "plan", "game", "message"),
        *("messages", "tall", "teal", "tale", "resigned"),
    ]
)
"""Words near a verb that people begin a message with."""
_NOT_OFFERED = {
    "undo": "A move that was played stands: there is no undo by letter",
    "take back": "A move that was played stands: there is no undo by letter",
    "takeback": "A move that was played stands: there is no undo by letter",
    "p": "One letter is too little to act on",
    "r": "One letter is too little to act on",
    "y": "One letter is too little to act on",
    "n": "One letter is too little to act on",
}
_HINTS = {"p": "pass", "r": "resign", "y": "yes", "n": "no"}


def read(lines: Sequence[str], subject: str = "") -> Reading:
    """What the new text of a letter asks for; the subject is read where there is no text.

    Raises `Unreadable`, with exact replies as hints, where a line looks like a command but is none,
    where commands contradict each other, and beyond `MAX_COMMANDS` of them.
    """
    if not any(fold(line) for line in lines):
        return _read_subject(subject)
    spoken: list[Spoken] = []
    for index, line in enumerate(lines):
        if not fold(line):
            continue
        moved = any(isinstance(one.command, cmd.Turn | cmd.Mark) for one in spoken)
        command = _command(line, moved=moved)
        # Nothing is asked in a letter to which one answers with a move: this is talk.
        if command is None or (moved and isinstance(command, cmd.Yes | cmd.No)):
            return _reading(spoken, lines[index:])
        spoken.append(Spoken(clean_quote(line, 200), command))
        if len(spoken) > MAX_COMMANDS:
            message = f"A letter may hold at most {MAX_COMMANDS} commands. Nothing was done."
            raise Unreadable(message)
    return _reading(spoken, ())


def is_command_line(line: str) -> bool:
    """Whether a line, on its own, would be obeyed: none of our own letters' may."""
    try:
        return _parsed(line) is not None
    except Refusal:
        return False


def misspelt(line: str) -> str | None:
    """The verb that a line of one or two words nearly is; None for prose and for real commands."""
    words = bare(settle(line)).split()
    if not 1 <= len(words) <= 2 or words[0] in _VERBS or words[0] in _CHAT or len(words[0]) < 3:
        return None
    near = get_close_matches(words[0], _SPELT, n=1, cutoff=0.8)
    turned = [verb for verb in _SPELT if len(verb) > 3 and sorted(verb) == sorted(words[0])]
    return next(iter(near or turned), None)


def clean_message(text: str, *, addresses: Iterable[str] = ()) -> str:
    """Words as they are passed on: without control marks, tokens and the `addresses` given.

    At most `MAX_MESSAGE` characters and one blank line between paragraphs. Signatures and quotes
    are gone already (`reply.new_text`). A token of ours would let its reader move for the sender.
    """
    text = re.sub(rf"(?i)(?:\+|<)?(?:{TOKEN_PATTERN}|{HELD_PATTERN})", "", text[: 4 * MAX_MESSAGE])
    for address in addresses:
        text = re.sub(re.escape(address), "", text, flags=re.IGNORECASE)
    kept = "".join(mark for mark in text if mark == "\n" or _is_shown(mark))
    lines = "\n".join(line.rstrip() for line in kept.split("\n"))
    tidy = re.sub(r"\n{3,}", "\n\n", lines).strip()
    return tidy if len(tidy) <= MAX_MESSAGE else tidy[: MAX_MESSAGE - 1].rstrip() + "…"


def _is_shown(mark: str) -> bool:
    """Not so for controls, halves of characters, and marks that turn the text's direction."""
    turning = "\u202a" <= mark <= "\u202e" or "\u2066" <= mark <= "\u2069"
    return not turning and unicodedata.category(mark) not in ("Cc", "Cs")


def _read_subject(subject: str) -> Reading:
    """The subject of a letter without text, where it is a whole command; else nothing."""
    tags = r"(?:\[[^\[\]]{0,80}\]\s*)*"
    answers = "re|aw|sv|vs|antw|antwort|fwd?|wg|tr|rv|r|ref|odp|回复|答复|回覆|转发|返信|답장"
    plain = re.sub(
        rf"(?i)^{tags}(?:(?:{answers})\s*(?:\[\d+\])?\s*[:：]\s*{tags})*", "", fold(subject[:300])
    )
    try:
        command = _parsed(plain)
    except Unreadable:
        command = None
    return Reading((Spoken(clean_quote(plain, 200), command),) if command else (), "")


def _reading(spoken: list[Spoken], rest: Sequence[str]) -> Reading:
    if not spoken:
        _refuse_command_below(rest)
    _refuse_contradiction(spoken)
    unique = {one.command: one for one in reversed(spoken)}
    commands = tuple(one for one in spoken if unique[one.command] is one)
    return Reading(commands, clean_message("\n".join(rest)))


def _refuse_command_below(rest: Sequence[str]) -> None:
    """Raises where a letter's only command stands below its first words, and so is not read."""
    for line in rest[1:]:
        try:
            command = _parsed(line)
        except Refusal:
            continue
        if isinstance(command, cmd.Play | cmd.Pass | cmd.Resign | cmd.Mark):
            quoted = clean_quote(line)
            message = f"“{quoted}” stands below other words; commands come first. Nothing was done."
            raise Unreadable(message, hints=(quoted,))


def _refuse_contradiction(spoken: list[Spoken]) -> None:
    """Raises for two things of which a letter may ask only one."""
    turns = {one.command: one.line for one in spoken if isinstance(one.command, cmd.Turn)}
    marks = {one.command: one.line for one in spoken if isinstance(one.command, cmd.Mark)}
    if len(turns) > 1:
        first, second = list(turns.values())[:2]
        message = f"Your letter says both “{first}” and “{second}”. Nothing was done: send one."
        raise Unreadable(message, hints=(first, second))
    for turn, line in turns.items():
        if marks and not isinstance(turn, cmd.Done):
            mark = next(iter(marks.values()))
            message = f"“{line}” and “{mark}” cannot stand in one letter. Nothing was done."
            raise Unreadable(message, hints=(line, mark))


def _command(line: str, *, moved: bool) -> cmd.Command | None:
    """The command that a line is, None for words; raises `Unreadable` for what is in between."""
    command = _parsed(line)
    if command is None:
        refuse_near_move(line, moved=moved)
        _refuse_near_command(line)
    return command


def _parsed(line: str) -> cmd.Command | None:
    """The command that a whole line is; raises `Unreadable` where only its arguments are wrong."""
    folded = " ".join(fold(unicodedata.normalize("NFKC", line[:3_000])).split())
    settled = folded.casefold()
    whole = bare(settled) or settled
    if whole in _LINES:
        return _LINES[whole].read("")
    if (move := read_move(settled)) is not None:
        return move
    if (mark := _parsed_mark(whole)) is not None:
        return mark
    verb, _, rest = folded.partition(" ")
    entry = _VERBS.get(verb.casefold().strip(".!:,"))
    if entry is None:
        entry = _VERBS.get(whole)
        return entry.read("") if entry else None
    if entry.verb == "move" and "@" in rest:
        return read_proposal(rest)
    return entry.read(rest if entry.verb in ("say", "new") else rest.casefold())


def _parsed_mark(line: str) -> cmd.Command | None:
    """`q16 is dead`, `q16 and c3 are alive`, `mark q16 dead`."""
    found = re.fullmatch(r"(?:mark )?(.{1,300}?)(?: is| are| as)? (dead|alive)", line)
    named = points(found[1]) if found else None
    return cmd.Mark(named, found[2] == "dead") if found and named else None


def _refuse_near_command(line: str) -> None:
    """Raises for a verb with company, a verb with a question mark, or one that is misspelt."""
    plain = bare(settle(line[:500]))
    words = [word.strip(".,!?;:") for word in plain.split()]
    if plain in _NOT_OFFERED:
        hints = (_HINTS[plain],) if plain in _HINTS else ()
        raise Unreadable(f"{_NOT_OFFERED[plain]}. Nothing was done.", hints=hints)
    meaning = [word for word in words if word not in POLITE]
    verb = words[0] if words else ""
    known = verb in _VERBS or verb in _LINES
    if len(meaning) == 1 and (meaning[0] in _VERBS or meaning[0] in _LINES) and len(words) <= 4:
        raise _near(line, meaning[0])
    if known and verb in _GRAVE and len(words) <= 3:
        raise _near(line, verb)
    if verb in ("dead", "alive") and re.search(r"\b[a-z]\d{1,2}\b", plain):
        raise _near(line, verb)
    meant = misspelt(line)
    if meant is not None:
        raise _near(line, meant)


def _near(line: str, verb: str) -> Unreadable:
    entry = _VERBS.get(verb) or _LINES[verb]
    hints = entry.examples if entry.arguments or verb not in _VERBS else (verb,)
    message = f"“{clean_quote(line)}” is nearly a command, but not quite. Nothing was done."
    return Unreadable(message, hints=(verb,) if verb in entry.synonyms else hints)
