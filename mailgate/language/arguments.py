"""Readers of the verbs' arguments: points, numbers, addresses, words.

Pure; raises only `Unreadable`. Each reader takes the words after its verb, and returns the command,
or None if they are not its arguments.
"""

import re
from collections.abc import Callable, Mapping

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.games.lessons import LESSONS
from godaemon.games.planned_moves import ANY, PASS
from godaemon.games.ratings import rank_text, read_rank
from godaemon.rules.points import parse_point
from godaemon.texts.catalogue import find_language, languages, own_name, sentence
from mailgate.address import parse_address
from mailgate.language.new_game import (
    looks_like_proposal,
    names_terms,
    read_proposal,
    read_terms,
    rewrite_hints,
)
from mailgate.language.written_moves import read_points, strip_decoration
from mailgate.tokens import clean_message
from mailgate.word_sets import words_of

Reader = Callable[[str], cmd.Command | None]

_POINT = re.compile(r"[a-z]{1,2}\d{1,2}")
_NAME = re.compile(r"[^\W\d_][^\W_]*(?:['’_-][^\W_]+)*")  # one word of a name


def normalize_arguments(rest: str) -> str:
    """Arguments in lower case, without brackets around them and stops at their end."""
    return strip_decoration(rest.casefold())


def read_marks(rest: str, *, dead: bool) -> cmd.Command | None:
    """The points of groups, and the extent of each."""
    rest = re.sub(r"^(?:the )?(?:stones?|groups?|chains?) (?:at )?", "", normalize_arguments(rest))
    head, _, last = rest.rpartition(" ")
    extent = _EXTENTS.get(last)
    verb = "dead" if dead else "alive"
    with rewrite_hints(lambda hint: f"{verb} {hint}"):  # a bare point would be a move
        points = read_points(head if extent else rest)
    return cmd.Mark(points, dead, extent or cmd.Extent.GROUP) if points else None


_EXTENTS = {extent.value: extent for extent in cmd.Extent if extent is not cmd.Extent.GROUP}


def read_place(rest: str) -> cmd.Command | None:
    """The points of all handicap stones; or the star points, by name."""
    before = r"^(?:my )?(?:handicap )?(?:stones? )?(?:(?:at|on) )?(?:the )?"
    rest = re.sub(before, "", normalize_arguments(rest))
    if re.fullmatch(r"stars?(?: points?)?|star-?points|hoshi|usual(?: points)?", rest):
        return cmd.Place()
    points = read_points(rest)
    return cmd.Place(points) if points else None


def read_try(rest: str) -> cmd.Command | None:
    """Moves of both players in turn."""
    line = _read_moves(rest, {PASS: PASS})
    return cmd.Try(line) if line else None


def read_if(rest: str) -> cmd.Command | None:
    """Moves of the opponent and the player in turn; or nothing, to list the plans."""
    line = _read_moves(rest, _NAMED_MOVES, _FILLERS_IN_PLANS)
    if line is not None and len(line) % 2:
        raise Unreadable(sentence("plan-pairs"), hints=("if D4 then E5",))
    return cmd.If(line) if line is not None else None


_NAMED_MOVES = {
    **dict.fromkeys(("any", "anything", "anywhere", "else", "otherwise"), ANY),
    **dict.fromkeys(("pass", "passes"), PASS),
}
_FILLERS_IN_PLANS = words_of(
    "if then and you i he she they play plays move answer i'll i’ll at on to the with it's is"
)


def _read_moves(
    rest: str, names: Mapping[str, str], fillers: frozenset[str] = frozenset()
) -> tuple[str, ...] | None:
    """Vertices and named moves; None if there are other words."""
    split = re.split(r"[\s,;:.]+|->", normalize_arguments(rest))
    words = [word for word in split if word and word not in fillers]
    if not all(word in names or _POINT.fullmatch(word) for word in words):
        return None
    return tuple(names.get(word) or str(parse_point(word)) for word in words)


def read_note(rest: str, *, hidden: bool) -> cmd.Command | None:
    """Any words after a colon; without a colon, words that do not address the opponent."""
    text = clean_message(rest.lstrip(": "))
    is_addressed = not rest.startswith(":") and _NOT_A_NOTE.search(rest)
    return cmd.Note(text, hidden) if text and not is_addressed else None


_NOT_A_NOTE = re.compile(
    r"(?i)^(?:that|how|the fact|well|of|for|from|behind|in|inside|under|beneath|among|between|by"
    r"|to (?!self|myself|me\b).*)\b|\byou(?:r|rs|rself)?\b"
)
"""What follows `note` or `hidden` in talk: `note that I am away`."""


def read_say(rest: str) -> cmd.Command:
    """Any words at all; raises `Unreadable` if there are none."""
    text = clean_message(rest.lstrip(": "))
    if not text:
        raise Unreadable(sentence("say-what"), hints=("say good luck!",))
    return cmd.Say(text)


def read_show(rest: str) -> cmd.Command | None:
    """The number of a move, of a game, of both, or nothing."""
    text = " ".join(normalize_arguments(rest).replace("#", " ").split())
    numbers = [word for word in text.split() if word not in _FILLERS_IN_SHOW]
    if len(numbers) > 2 or not all(re.fullmatch(r"\d{1,9}", one) for one in numbers):
        return None
    game = re.search(r"\bgame (\d+)", text)
    number = game[1] if game else numbers[0] if len(numbers) == 2 else ""
    if number:
        numbers.remove(number)
    return cmd.Show(game=int(number) if number else None, move=int(numbers[0]) if numbers else None)


_FILLERS_IN_SHOW = words_of("me the board position game move after at as of from in")


def build_describe(game: int | None, look: str | None, place: str | int | None) -> cmd.Command:
    """The command for the whole board or a part; raises `Unreadable` for an unknown part."""
    if not look:
        return cmd.Describe(cmd.Look.BOARD, None, game)
    part, place = _LOOKS[look], "" if place is None else place
    vertex = {cmd.Look.ROW: f"a{place}", cmd.Look.COLUMN: f"{place}1"}.get(part, f"{place}")
    digits = -1 if part is cmd.Look.COLUMN else None
    with rewrite_hints(lambda hint: f"{part.value} {hint[:digits]}"):
        points = read_points(vertex)
    if points is None:
        phrase = f"{part.value} {place}"
        raise Unreadable(sentence("row-or-column", said=phrase), hints=("row 5", "column D"))
    return cmd.Describe(part, points[0], game)


DESCRIBE_PATTERN = (
    r"(?:(?:the )?(?:board|position))? ?(?:(?:of |in )?game #?(\d{1,9}))?"
    r" ?(?:(near|around|group|row|column) ([a-z]{0,2}-?\d{0,2}))?"
)
_LOOKS = {"around": cmd.Look.NEAR, **{look.value: look for look in cmd.Look}}


def read_kifu(rest: str) -> cmd.Command | None:
    """A range of moves, `1-100`, and the number of a game, in either order; each is optional."""
    rest = normalize_arguments(rest)
    found = _MOVES.search(rest)
    game = _OF.sub("", _MOVES.sub(" ", rest, count=1)).strip()
    moves = f"{found[1]}-{found[2] or ''}" if found else ""
    is_read = re.fullmatch(r"(?:\d{1,9})?", game)
    return cmd.Kifu(int(game) if game else None, moves) if is_read else None


_OF = re.compile(r"\b(?:of|in|from|the|my|game)\b|#")
_MOVES = re.compile(r"\b(?:moves? )?(\d{1,4}) ?(?:-|–|—|\bto\b) ?(?:(\d{1,4})\b|(?:the )?end\b)?")


def read_watch(rest: str) -> cmd.Command | None:
    """The number of a game, perhaps with `daily`; the name of a player; or nothing."""
    plain = rest.strip(" .!?")
    if _has_capitals(plain):
        return cmd.Watch(player=plain)
    found = _WATCH.fullmatch(plain)
    if found is None or not found["game"]:
        return cmd.Watch() if found else None
    return cmd.Watch(int(found["game"]), found["often"] == "daily" if found["often"] else None)


_WATCH = re.compile(
    r"(?:(?:public )?games)?|(?:game )?#?(?P<game>\d{1,9})(?: (?P<often>daily|every move))?"
)


def read_new(rest: str) -> cmd.Command | None:
    """The terms of a game; a sentence that begins with `new` has none."""
    return read_proposal(rest) if looks_like_proposal(rest) else None


def read_estimate(rest: str) -> cmd.Command | None:
    """Nothing; or the terms of a game, as some people propose one with this verb."""
    return read_new(rest) if rest else cmd.Estimate()


def read_counter(rest: str) -> cmd.Command | None:
    """Other terms for a game that is proposed."""
    return cmd.Counter(read_terms(rest)) if names_terms(rest) else None


def read_rematch(rest: str) -> cmd.Command | None:
    """The number of a game, and other terms for the next one; each is optional."""
    found = _REMATCH.fullmatch(rest.strip(" .!?,"))
    if found is None or (found["terms"] and not names_terms(found["terms"])):
        return None
    terms = read_terms(found["terms"]) if found["terms"] else ()
    return cmd.Rematch(int(found["game"]) if found["game"] else None, terms)


_REMATCH = re.compile(
    r"(?:(?:of |in )?(?:game )?#?(?P<game>\d{1,9})(?![\w.]| ?[x×*]))?"
    r"[ ,:-]*(?:(?:with|on|but|and) )?(?P<terms>.{0,300})"
)


def read_help(rest: str) -> cmd.Command | None:
    """A topic in one or two words, or nothing."""
    word = re.sub(r"^(?:with|about|on) ", "", normalize_arguments(rest))
    return cmd.Help(word) if len(word) <= 20 and len(word.split()) < 3 else None


def build_learn(lesson: int | None, point: str | None) -> cmd.Learn:
    """The command for a lesson, or for an answer in it; raises `Unreadable`."""
    if lesson is not None and not 1 <= lesson <= LESSONS:
        hints = tuple(f"learn {one}" for one in range(1, LESSONS + 1))
        raise Unreadable(sentence("only-lessons", count=LESSONS), hints=hints)
    return cmd.Learn(lesson or 1, parse_point(point.replace("-", "")) if point else None)


def read_switch(rest: str, kind: type[cmd.Receipts | cmd.Reviews]) -> cmd.Command | None:
    """`on` or `off`, in this game or `everywhere`."""
    word, everywhere = _split_scope(rest)
    return kind(word == "on", everywhere) if word in ("on", "off") else None


def read_emails(rest: str) -> cmd.Command | None:
    """`all`, `my-turn`, `daily` or `none`, in this game or `everywhere`."""
    words, everywhere = _split_scope(rest)
    words, at = _split_hour(words)
    level = next((one for pattern, one in _LEVELS.items() if re.fullmatch(pattern, words)), None)
    if level is None or (at is not None and level is not cmd.EmailLevel.DAILY):
        return None
    return cmd.Emails(level, everywhere, at)


_LEVELS = {
    "all|on|everything": cmd.EmailLevel.ALL,
    r"(?:only )?(?:on )?my[- ]?turns?(?: only)?": cmd.EmailLevel.MY_TURN,
    "daily|once a day|one a day|digest": cmd.EmailLevel.DAILY,
    "none|off|nothing|never": cmd.EmailLevel.NONE,
}


def read_digest(rest: str) -> cmd.Command | None:
    """An hour, or nothing; `off` restores all emails."""
    rest = normalize_arguments(rest)
    at = re.sub(r"\b(?:on|daily|every day|a day|everywhere)\b", "", rest).strip()
    return read_emails("all everywhere" if at == "off" else f"daily {at} everywhere")


def _split_hour(words: str) -> tuple[str, int | None]:
    """The words before an hour (`7`, `7:30pm`), and its minutes after midnight, or None."""
    found = _HOUR.search(words)
    hour, minute = (int(found["hour"]), int(found["minute"] or 0)) if found else (24, 0)
    if found and found["half"] and 1 <= hour <= 12:
        hour = hour % 12 + (12 if found["half"] == "p" else 0)
    if found is None or hour >= 24 or minute >= 60:
        return words, None
    return words[: found.start()].strip(" ,"), hour * 60 + minute


_HOUR = re.compile(
    r"(?:\bat )?\b(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2}))?"
    r"(?: ?(?P<half>[ap])\.?m\.?| ?o'?clock| ?h| ?uhr)?$"
)


def _split_scope(rest: str) -> tuple[str, bool]:
    """The value of a setting, and whether it is for all games."""
    rest = normalize_arguments(rest)
    found = re.fullmatch(r"(.{1,60}?)[ ,]+(?:everywhere|(?:in )?(?:all|every) games?)", rest)
    return (found[1], True) if found else (rest.removesuffix(" here"), False)


def build_boards(shown: str | None, sides: str | int | None) -> cmd.Command | None:
    """The command for the look of boards (`picture`, `table` or `words`) and their coordinates."""
    command = cmd.Boards({"off": 0, "two": 2, 2: 2}.get(sides, 4) if sides else None, shown)
    return None if command == cmd.Boards() else command


def read_name(rest: str) -> cmd.Command | None:
    """A name with capitals, or a nickname like `go_King9`; `off` for the name in one's emails."""
    name = " ".join(rest.strip(" .:!").split())
    if name == "off":
        return cmd.Set("name", None)
    is_name = _has_capitals(name) or (_NAME.fullmatch(name) and _NICKNAME.search(name))
    return cmd.Set("name", name) if is_name and len(name) <= 40 else None


_NICKNAME = re.compile(r"[A-Z_]|[^\W\d_]{2}\d")


def _has_capitals(words: str) -> bool:
    """True for up to four words, each with a capital if its script has them."""
    parts = words.split()
    has_capitals = all(_NAME.fullmatch(one) and not one[0].islower() for one in parts)
    return has_capitals and 0 < len(parts) <= 4


def read_i_am(rest: str) -> cmd.Command | None:
    """A rank, perhaps with a place that has capitals; or `nobody`."""
    first, _, place = rest.partition(",")
    level, home = first.strip(" .!").casefold().removeprefix("a "), place.strip(" .!")
    if level == "nobody" and not home:
        return cmd.Set("line", None)
    rank = read_rank(level)
    if not rank or len(home) > 40 or (home and not _has_capitals(home)):
        return None
    return cmd.Set("line", ", ".join(filter(None, (rank_text(rank), home))))


def read_timezone(rest: str) -> cmd.Command | None:
    """The name of a time zone; whether it exists is checked later."""
    found = re.fullmatch(r"[ .:=]*([A-Za-z][\w+/ -]{1,60})[ .:=]*", rest)
    return cmd.Set("zone", found[1].strip()) if found else None


def read_language(rest: str) -> cmd.Command | None:
    """A language of our emails, by code or name; raises `Unreadable` for any other."""
    name = rest.strip(" .:=")
    if not name:
        return None
    if code := find_language(name):
        return cmd.Set("language", code)
    hints = tuple(f"language {one}" for one in languages())
    names = tuple(map(own_name, languages()))
    raise Unreadable(sentence("no-such-language", languages=names), hints=hints)


def read_stop(rest: str) -> cmd.Command | None:
    """`all`, or nothing for the emails about this game; a shout like `stop!!` is talk."""
    found = _STOPPED.fullmatch(rest.casefold().strip(" ."))
    return cmd.Stop(bool(found[1])) if found else None


_STOPPED = re.compile(r"(all|everything|everywhere)?(?: ?(?:the )?e-?mails?)?")


def read_block(rest: str, kind: type[cmd.Block | cmd.Unblock]) -> cmd.Command | None:
    """An address, a name, `all`, or nothing for the opponent."""
    name = rest.strip(" .,!<>")
    if name.casefold() in ("all", "everybody", "everyone", "anybody", "anyone"):
        return kind(everybody=True)
    return kind(whom=name) if not name or _ADDRESS.fullmatch(name) or _has_capitals(name) else None


_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*")


def read_relocate(rest: str) -> cmd.Command | None:
    """A new address, for one game or `everywhere`; raises `Unreadable` for an invalid one."""
    found = re.fullmatch(r"(?P<address>\S{1,320}?)(?P<all> everywhere)?[.!]?", rest.strip())
    if found is None or "@" not in found["address"]:
        return None
    address = re.sub(r"(?i)^<?(?:mailto:)?|>$", "", found["address"])
    return cmd.Relocate(parse_address(address).address, bool(found["all"]))
