"""Arguments of the verbs, read into commands: points, numbers, addresses, words.

Pure; raises `Unreadable` alone. Each reader takes the words after its verb and gives None where
they are no argument of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.games.lessons import LAST
from godaemon.games.plans import ANY, PASS
from godaemon.games.ranks import in_words, read_rank
from godaemon.rules.points import parse_point
from mailgate.address import parse_address
from mailgate.language.new_game import (
    looks_like_proposal,
    names_terms,
    read_proposal,
    read_terms,
)
from mailgate.language.opponent_words import clean_message
from mailgate.language.written_moves import points, strip_decoration
from mailgate.word_sets import words_of

Reader = Callable[[str], cmd.Command | None]


def alone(command: cmd.Command) -> Reader:
    """Reads nothing more: a verb that takes no arguments."""
    return lambda rest: None if rest else command


def choice(commands: Mapping[str, cmd.Command]) -> Reader:
    """Reads one of some words, each of which means a command."""
    return lambda rest: commands.get(strip_decoration(rest))


def numbered(
    kind: type[cmd.Branch | cmd.History | cmd.Take | cmd.Sgf | cmd.Review],
    before: str,
    *,
    digits: int = 9,
) -> Reader:
    """Reads a number of so many digits at most, or nothing; `before` is what may stand before it.

    >>> numbered(cmd.History, "(?:page )?")("page 2"), numbered(cmd.Sgf, GAME)("")
    (History(page=2), Sgf(game=None))
    """
    form = re.compile(rf"{before}#?(\d{{1,{digits}}})?")

    def _read_arguments(rest: str) -> cmd.Command | None:
        found = form.fullmatch(strip_decoration(rest))
        return None if found is None else kind(int(found[1]) if found[1] else None)

    return _read_arguments


GAME = r"(?:of |in )*(?:game )?"
"""What may stand before the number of a game."""


def read_marks(*, dead: bool) -> Reader:
    """Reads the points of groups, and how far each group goes."""
    extents = {extent.value: extent for extent in cmd.Extent if extent is not cmd.Extent.GROUP}

    def _read_arguments(rest: str) -> cmd.Command | None:
        rest = re.sub(r"^(?:the )?(?:stones?|groups?|chains?) (?:at )?", "", strip_decoration(rest))
        head, _, last = rest.rpartition(" ")
        extent = extents.get(last)
        try:
            named = points(head if extent else rest)
        except Unreadable as error:
            # A point alone would be a move.
            word = "dead" if dead else "alive"
            hints = tuple(f"{word} {hint}" for hint in error.hints)
            raise Unreadable(error.public, hints=hints) from error
        return cmd.Mark(named, dead, extent or cmd.Extent.GROUP) if named else None

    return _read_arguments


def read_place(rest: str) -> cmd.Command | None:
    """The points of all handicap stones; or the star points, by name."""
    rest = re.sub(
        r"^(?:my )?(?:handicap )?(?:stones? )?(?:(?:at|on) )?(?:the )?", "", strip_decoration(rest)
    )
    if re.fullmatch(r"stars?(?: points?)?|star-?points|hoshi|usual(?: points)?", rest):
        return cmd.Place()
    named = points(rest)
    return cmd.Place(named) if named else None


def read_try(rest: str) -> cmd.Command | None:
    """Moves by turns."""
    words = [word for word in re.split(r"[\s,;:.]+", strip_decoration(rest)) if word]
    if not words or not all(word == PASS or _POINT.fullmatch(word) for word in words):
        return None
    return cmd.Try(tuple(word if word == PASS else str(parse_point(word)) for word in words))


def read_note(*, hidden: bool) -> Reader:
    """Reads any words behind a colon; else what does not sound as if said to another person."""

    def _read_arguments(rest: str) -> cmd.Command | None:
        text = clean_message(rest.lstrip(": "))
        said = not rest.startswith(":") and _TO_ANOTHER.search(rest)
        return cmd.Note(text, hidden) if text and not said else None

    return _read_arguments


_TO_ANOTHER = re.compile(
    r"(?i)^(?:that|how|the fact|well|of|for|from|behind|in|inside|under|beneath|among|between|by"
    r"|to (?!self|myself|me\b).*)\b|\byou(?:r|rs|rself)?\b"
)
"""How `note that I am away` and `hidden talents you have` go on, which are no notes."""


def read_if(rest: str) -> cmd.Command | None:
    """The opponent's move and one's own by turns; nothing, to see what is planned.

    >>> read_if("you play d4 then i play q16, if r4, c3")
    If(line=('D4', 'Q16', 'R4', 'C3'))
    """
    words = [word for word in re.split(r"[\s,;:.]+|->", strip_decoration(rest)) if word]
    line = [_ANY.get(word, word) for word in words if word not in _BETWEEN]
    if not all(word in _ANY.values() or _POINT.fullmatch(word) for word in line):
        return None
    if len(line) % 2:
        raise Unreadable(
            "A plan goes by pairs: a move of your opponent's, and your answer to it, such as: if D4"
            " then E5. Nothing was planned."
        )
    named = (word if word in _ANY.values() else str(parse_point(word)) for word in line)
    return cmd.If(tuple(named))


_ANY = {
    **dict.fromkeys(("any", "anything", "anywhere", "else", "otherwise"), ANY),
    **dict.fromkeys(("pass", "passes"), PASS),
}
_BETWEEN = words_of(
    "if then and you i he she they play plays move answer i'll i’ll at on to the with it's is"
)
_POINT = re.compile(r"[a-z]{1,2}\d{1,2}")


def read_show(rest: str) -> cmd.Command | None:
    """The present board, one after a move, that of another game, or both."""
    found = re.fullmatch(
        r"(?:the |me |me the )?(?:board|position|game)?"
        r"|(?:me )?(?:the )?(?:(?:board|position) )?(?:(?:after|at|as of|from) )?(?:the )?"
        r"(?:move )?#?(?P<move>\d{1,4})|game #?(?P<game>\d{1,9})"
        r"|(?:game )?(?P<game2>\d{1,9}) ?#? ?(?:after )?(?:move )?(?<=[#e ])(?P<move2>\d{1,4})"
        r"|move (?P<move3>\d{1,4}) (?:of|in) game (?P<game3>\d{1,9})",
        strip_decoration(rest),
    )
    if found is None:
        return None
    game, move = _first(found, "game"), _first(found, "move")
    return cmd.Show(game=game, move=move)


def _first(found: re.Match[str], name: str) -> int | None:
    given = (text for key, text in found.groupdict().items() if key.startswith(name) and text)
    return next((int(text) for text in given), None)


def read_rematch(rest: str) -> cmd.Command | None:
    """The number of a game, and what shall be different in the next; either, or nothing."""
    found = _REMATCH.fullmatch(rest.strip(" .!?,"))
    if found is None:
        return None
    number, terms = found["game"], found["terms"]
    if terms and not names_terms(terms):
        return None
    return cmd.Rematch(int(number) if number else None, read_terms(terms) if terms else ())


_REMATCH = re.compile(
    r"(?:(?:of |in )?(?:game )?#?(?P<game>\d{1,9})(?![\w.]| ?[x×*]))?"
    r"[ ,:-]*(?:(?:with|on|but|and) )?(?P<terms>.{0,300})"
)


def read_watch(rest: str) -> cmd.Command | None:
    """The number of a game and whether one email a day is enough, a player, or nothing: the list.

    >>> read_watch("34 daily"), read_watch("Margaret").player, read_watch("out")
    (Watch(game=34, daily=True, player=''), 'Margaret', None)
    """
    found = _WATCH.fullmatch(rest.strip(" .!?"))
    if found is None:
        return None
    if found["player"]:
        return cmd.Watch(player=found["player"])
    often = found["daily"] or found["every"]
    return (
        cmd.Watch(int(found["game"]), bool(found["daily"]) if often else None)
        if (found["game"])
        else cmd.Watch()
    )


_WATCH = re.compile(
    r"(?:(?:public )?games)?|(?:game )?#?(?P<game>\d{1,9})(?: (?:(?P<daily>daily)|(?P<every>every"
    r" move)))?|(?P<player>(?![a-z])[^\W\d_][\w-]*(?: (?![a-z])[^\W\d_][\w-]*){0,2})"
)


def read_unwatch(rest: str) -> cmd.Command | None:
    """The number of a game, or nothing, for all of them."""
    found = re.fullmatch(r"(?:(?:game )?#?(\d{1,9}))?", strip_decoration(rest))
    return None if found is None else cmd.Unwatch(int(found[1]) if found[1] else None)


def read_review(rest: str) -> cmd.Command | None:
    """The number of a game, or nothing; or what is written for `reviews`."""
    return _of_a_game(rest) or read_switch(cmd.Reviews)(rest)


_of_a_game = numbered(cmd.Review, GAME)


def read_kifu(rest: str) -> cmd.Command | None:
    """The moves that are wanted, `1-100`, and the number of a game, in either order; or nothing."""
    rest = strip_decoration(rest)
    found = _MOVES.search(rest)
    game = _OF.sub("", _MOVES.sub(" ", rest, count=1)).strip()
    if game and not re.fullmatch(r"\d{1,9}", game):
        return None
    moves = f"{found[1]}-{found[2] or ''}" if found else ""
    return cmd.Kifu(int(game) if game else None, moves)


_OF = re.compile(r"\b(?:of|in|from|the|my|game)\b|#")
_MOVES = re.compile(r"\b(?:moves? )?(\d{1,4}) ?(?:-|–|—|\bto\b) ?(?:(\d{1,4})\b|(?:the )?end\b)?")


def read_estimate(rest: str) -> cmd.Command | None:
    """Nothing more; or a game, by people who propose one in that word."""
    if not rest:
        return cmd.Estimate()
    return read_proposal(rest) if looks_like_proposal(rest) else None


def read_help(rest: str) -> cmd.Command | None:
    """Nothing more, or what help is wanted with, in a word or two."""
    word = re.sub(r"^(?:with|about|on) ", "", strip_decoration(rest))
    return cmd.Help(word) if len(word) <= _TOPIC and len(word.split()) < 3 else None


_TOPIC = 20


def read_learn(rest: str) -> cmd.Command | None:
    """The number of a lesson, or nothing for the first, and a point; raises `Unreadable`.

    >>> read_learn("2").lesson, str(read_learn("1 d4").point)
    (2, 'D4')
    """
    found = _LESSON.fullmatch(strip_decoration(rest))
    if found is None:
        return None
    lesson = int(found[1] or 1)
    if not 1 <= lesson <= LAST:
        raise Unreadable(
            f"There are {LAST} emails on how to play. Nothing was done.",
            hints=tuple(f"learn {one}" for one in range(1, LAST + 1)),
        )
    return cmd.Learn(lesson, parse_point(found[2].replace("-", "")) if found[2] else None)


_LESSON = re.compile(r"(?:lesson )?(\d)?[ :,]*([a-z]-?\d{1,2})?")


def read_switch(kind: type[cmd.Receipts | cmd.Reviews]) -> Reader:
    """Reads `on` or `off`, in this game or `everywhere`."""

    def _read_arguments(rest: str) -> cmd.Command | None:
        word, everywhere = _scope(rest)
        wanted = {"on": True, "off": False}.get(word)
        return None if wanted is None else kind(wanted, everywhere)

    return _read_arguments


def read_weekends(rest: str) -> cmd.Command | None:
    """Whether the clock runs on weekends; by a synonym alone it does not."""
    wanted = {"": False, "off": False, "free": False, "on": True}.get(_scope(rest)[0])
    return None if wanted is None else cmd.Weekends(wanted)


def read_emails(rest: str) -> cmd.Command | None:
    """`all`, `my-turn`, `daily` or `none`, in this game or `everywhere`.

    >>> read_emails("only on my turn in all games")
    Emails(wanted=<EmailLevel.MY_TURN: 'my-turn'>, everywhere=True, at=None)
    """
    words, everywhere = _scope(rest)
    words, at = split_hour(words)
    for pattern, level in _LEVELS.items():
        if re.fullmatch(pattern, words) and (at is None or level is cmd.EmailLevel.DAILY):
            return cmd.Emails(level, everywhere, at)
    return None


_LEVELS = {
    "all|on|everything": cmd.EmailLevel.ALL,
    r"(?:only )?(?:on )?my[- ]?turns?(?: only)?": cmd.EmailLevel.MY_TURN,
    "daily|once a day|one a day|digest": cmd.EmailLevel.DAILY,
    "none|off|nothing|never": cmd.EmailLevel.NONE,
}


def split_hour(words: str) -> tuple[str, int | None]:
    """What stands before an hour, and that in minutes after midnight; None where there is none.

    >>> split_hour("daily at 7"), split_hour("daily 7:30pm"), split_hour("daily 25")
    (('daily', 420), ('daily', 1170), ('daily 25', None))
    """
    found = _HOUR.search(words)
    if found is None:
        return words, None
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if found["half"] and 1 <= hour <= 12:
        hour = hour % 12 + 12 * (found["half"] == "p")
    valid = hour < 24 and minute < 60
    return (words[: found.start()].strip(" ,"), hour * 60 + minute) if valid else (words, None)


_HOUR = re.compile(
    r"(?:\bat )?\b(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2}))?"
    r"(?: ?(?P<half>[ap])\.?m\.?| ?o'?clock| ?h| ?uhr)?$"
)


def read_digest(rest: str) -> cmd.Command | None:
    """An hour, or nothing; or `off`, for what there is without: all emails."""
    words = re.sub(r"\b(?:on|daily|every day|a day|everywhere)\b", "", strip_decoration(rest))
    words, at = split_hour(words.strip())
    level = {"": cmd.EmailLevel.DAILY, "off": cmd.EmailLevel.ALL}.get(words)
    return None if level is None else cmd.Emails(level, everywhere=True, at=at)


def read_words(rest: str) -> cmd.Command | None:
    """What becomes of words that are no command: the writer is asked, or they are passed on."""
    wanted = {"ask": True, "send": False}.get(strip_decoration(rest))
    return None if wanted is None else cmd.AskWords(wanted)


def read_name(rest: str) -> cmd.Command | None:
    """A name, each of its words with a capital; or `off`, for that of one's emails.

    >>> read_name("go_King9"), read_name("Jean-Luc O'Neil"), read_name("your price")
    (Name(name='go_King9'), Name(name="Jean-Luc O'Neil"), None)
    """
    words = rest.strip(" .:!").split()
    if words == ["off"]:
        return cmd.Name("")
    name = " ".join(words)
    named = 0 < len(words) <= 4 and len(name) <= 40 and all(map(_is_name, words))
    return cmd.Name(name) if named else None


def _is_name(word: str) -> bool:
    """True for a word of a name, a capital in it where its script has them, and for a nickname."""
    whole = re.fullmatch(r"[^\W\d_][^\W_]*(?:['’_-][^\W_]+)*", word)
    return whole is not None and bool(
        not word[0].islower() or re.search(r"[A-Z_]|[^\W\d_]{2}\d", word)
    )


def read_i_am(rest: str) -> cmd.Command | None:
    """A rank, and where one is from, each word of it with a capital; or `nobody`.

    >>> read_i_am("5k, Berlin"), read_i_am("nobody"), read_i_am("5 kyu, and you?")
    (IAm(line='5 kyu, Berlin'), IAm(line=''), None)
    """
    first, _, place = rest.partition(",")
    rank, words = first.strip(" .!").casefold().removeprefix("a "), place.strip(" .!").split()
    if rank == "nobody" and not words:
        return cmd.IAm("")
    home = " ".join(words)
    named = len(home) <= 40 and all(map(_is_place, words))
    if not read_rank(rank) or not named or len(words) > 4:
        return None
    return cmd.IAm(", ".join(filter(None, (in_words(read_rank(rank)), home))))


def _is_place(word: str) -> bool:
    return word[0].isupper() and re.fullmatch(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", word) is not None


def read_timezone(rest: str) -> cmd.Command | None:
    """The name of a zone; which there are is not known here."""
    zone = rest.strip(" .:=")
    return cmd.Timezone(zone) if re.fullmatch(r"[A-Za-z][\w+/ -]{1,60}", zone) else None


def read_plain(rest: str) -> cmd.Command | None:
    """`on` or `off`; on where nothing is said."""
    wanted = {"": True, "on": True, "off": False}.get(strip_decoration(rest))
    return None if wanted is None else cmd.Plain(wanted)


def read_boards(rest: str) -> cmd.Command | None:
    """`coordinates off`, `signs`, `letters, coordinates on two`; None for others.

    >>> read_boards("signs, coordinates off"), read_boards("are nice")
    (Boards(signs=True, sides=0), None)
    """
    found = _BOARDS.fullmatch(strip_decoration(rest))
    if found is None or not found[0]:
        return None
    sides = {"off": 0, "two": 2, "2": 2}.get(found["sides"], 4) if found["sides"] else None
    return cmd.Boards(None if not found["style"] else found["style"] != "letters", sides)


_BOARDS = re.compile(
    r"(?:with )?(?P<style>signs|letters)?(?:,? ?(?:and )?coordinates (?P<sides>on|two|2|off|all))?"
)


def _scope(rest: str) -> tuple[str, bool]:
    """What a setting shall be, and whether everywhere."""
    rest = strip_decoration(rest)
    found = re.fullmatch(r"(.{1,60}?)[ ,]+(?:everywhere|(?:in )?(?:all|every) games?)", rest)
    return (found[1], True) if found else (rest.removesuffix(" here"), False)


def read_stop(rest: str) -> cmd.Command | None:
    """`all`, or nothing: the emails about this game.

    >>> read_stop("all emails"), read_stop("there")
    (Stop(everywhere=True), None)
    """
    found = re.fullmatch(
        r"(all|everything|everywhere)?(?: ?(?:the )?e?-?mails?)?", rest.strip(" .")
    )
    return None if found is None else cmd.Stop(bool(found[1]))


def read_block(kind: type[cmd.Block | cmd.Unblock]) -> Reader:
    """Reads an address, a name, `all`, or nothing: the other player.

    >>> read_block(cmd.Block)("all"), read_block(cmd.Block)("Bob"), read_block(cmd.Block)("there")
    (Block(everybody=True, whom=''), Block(everybody=False, whom='Bob'), None)
    """

    def _read_arguments(rest: str) -> cmd.Command | None:
        whom = rest.strip(" .,!<>")
        if whom.casefold() in ("all", "everybody", "everyone", "anybody", "anyone"):
            return kind(everybody=True)
        if not whom or _ADDRESS.fullmatch(whom):
            return kind(whom=whom)
        return kind(whom=whom) if _NAMED.fullmatch(whom) else None

    return _read_arguments


_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*")
_NAMED = re.compile(r"(?![a-z])[^\W\d_][\w'-]*(?: (?![a-z])[^\W\d_][\w'-]*){0,3}")
"""One name of up to four words, each with a capital where its script has them."""


def read_relocate(rest: str) -> cmd.Command | None:
    """A new address, for one game or `everywhere`; raises `Unreadable` for what is no address."""
    found = re.fullmatch(r"(?P<address>\S{1,320}?)(?P<all> everywhere)?[.!]?", rest.strip())
    if found is None or "@" not in found["address"]:
        return None
    address = re.sub(r"(?i)^<?(?:mailto:)?|>$", "", found["address"])
    return cmd.Relocate(parse_address(address).address, bool(found["all"]))


TERMS = "no terms of a game"
"""The detail of a refusal of words that answer a proposal with other terms."""


def read_counter(rest: str) -> cmd.Command | None:
    """Other terms for a game that is proposed; raises `Unreadable`, with that detail."""
    if not names_terms(rest):
        return None
    try:
        return cmd.Counter(read_terms(rest))
    except Unreadable as fault:
        raise Unreadable(fault.public, hints=fault.hints, detail=TERMS) from fault


def read_new(rest: str) -> cmd.Command | None:
    """The terms of a game; a sentence that begins with `new` has none."""
    return read_proposal(rest) if looks_like_proposal(rest.casefold()) else None


def read_say(rest: str) -> cmd.Command:
    """Any words at all; raises `Unreadable` where there are none."""
    text = clean_message(rest.lstrip(": "))
    if not text:
        raise Unreadable("There are no words after “say”.", hints=("say good luck!",))
    return cmd.Say(text)
