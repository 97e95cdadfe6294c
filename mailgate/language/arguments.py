"""Arguments of the verbs, read into commands: points, numbers, addresses, words.

Pure; raises `Unreadable` alone. Each reader takes the words after its verb and gives None where
they are no argument of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.games.plans import ANY, PASS
from godaemon.games.ranks import in_words, read_rank
from godaemon.rules.points import parse_point
from mailgate.address import parse_address
from mailgate.language.new_game import looks_like_proposal, names_terms, read_proposal, read_terms
from mailgate.language.opponent_words import clean_message
from mailgate.language.wished_games import wished_game
from mailgate.language.wished_terms import left_out, wished_terms
from mailgate.language.written_moves import normalize, points, strip_decoration
from mailgate.late_patterns import late
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
    form = late(rf"{before}#?(\d{{1,{digits}}})?")

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


_TO_ANOTHER = late(
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
_POINT = late(r"[a-z]{1,2}\d{1,2}")


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
    """The number of a game, and what shall be different in the next; either, or nothing.

    Raises `Unreadable`, with the line filled in, for terms among words that are none.
    """
    found = _REMATCH.fullmatch(rest.strip(" .!?"))
    if found is None:
        return None
    number, terms = found["game"], found["terms"]
    try:
        named = read_terms(terms) if terms else ()
    except Unreadable as fault:
        if lines := rematches(terms, number or ""):
            raise Unreadable(UNSURE_TERMS, hints=lines) from fault
        return None
    return cmd.Rematch(int(number) if number else None, named)


def rematches(text: str, number: str = "") -> tuple[str, ...]:
    """What proposes another game on the terms that some words name; an example where they do not.

    >>> rematches("can we play again, but on 13x13 and I take white?")
    ('rematch 13x13 as white',)
    >>> rematches("on a bigger board"), rematches("some day?")
    (('rematch 13x13',), ())
    """
    terms = wished_terms(_OCCASION.sub(" ", text)) or (
        ("13x13",) if _TERM_WORDS.search(text) else ()
    )
    return tuple(" ".join(f"rematch {number} {one}".split()) for one in terms)


_REMATCH = late(
    r"(?i)(?:(?:of |in ){0,2}(?:game )?#?(?P<game>\d{1,9})(?![\w.]| ?[x×*]| (?:handicap )?stones?\b"
    r"| ?(?:day|hour|week|min|point)))?[ ,.;:-]{0,9}(?:(?:please|but|with|on|at|only|this time"
    r"|and)\b[ ,]{0,9}){0,6}(?P<terms>.{0,300}?)(?:[ ,]+please)?"
)
_OCCASION = late(
    r"(?i)\b(?:(?:this|next|last|first) time|(?:the )?same (?:board|size|stones|komi"
    r"|colou?rs?|rules))\b"
)
_TERM_WORDS = late(
    r"(?i)\b(?:board|size|stones?|handicap|komi|(?:un)?rated|white|black|colou?rs?|rules?)\b"
)


def read_watch(rest: str) -> cmd.Command | None:
    """The number of a game, and whether one email a day is enough; or nothing, for the list."""
    found = re.fullmatch(
        r"(?:(?:public )?games)?|(?:(?:the )?game )?#?(?P<game>\d{1,9})"
        r"(?: (?:(?P<daily>daily|once a day)|every move))?",
        strip_decoration(rest),
    )
    if found is None:
        return None
    if not found["game"]:
        return cmd.Watch()
    said = " " in strip_decoration(rest).removeprefix("the ").removeprefix("game ")
    return cmd.Watch(int(found["game"]), bool(found["daily"]) if said else None)


_I_WISH = (
    r"(?:(?:please|pls|kindly|hi|hello|hey|(?:can|could|would|will) you|(?:can|could|may) i|let me"
    r"|i (?:want|wish|would like|need) to|i'd (?:like|love) to)[ ,]+)*"
)
"""How somebody begins who asks for something: `hello, could you`, `please`."""


def read_watch_player(line: str) -> cmd.Command | None:
    """A wish to watch the game of somebody, by their name; None for any other line.

    >>> read_watch_player("I want to watch Sam's game").player, read_watch_player("watch out")
    ('Sam', None)
    """
    found = _WATCH_PLAYER.fullmatch(line[:200])
    named = found is not None and all(word[0].isupper() for word in found["name"].split())
    return cmd.Watch(player=found["name"]) if found is not None and named else None


_WATCH_PLAYER = late(
    rf"(?i:{_I_WISH}(?:watch|follow|observe|spectate))"
    r" (?P<name>[^\W\d_][\w-]*(?: [^\W\d_][\w-]*){0,2}?)"
    r"(?i:['’]s? (?:public )?games?| play(?:ing)?)?(?i:,? (?:please|now|too))*[ .?]*"
)


def read_watching(line: str) -> cmd.Command | None:
    """A wish to watch a game, by its number, or not to any more; None for any other line.

    >>> read_watching("i'd like to follow game 34"), read_watching("stop watching")
    (Watch(game=34, daily=None, player=''), Unwatch(game=None))
    >>> read_watching("i like to watch") is None
    True
    """
    found = _WATCHING.fullmatch(line[:200])
    if found is None:
        return None
    number = int(found["game"]) if found["game"] else None
    if found["stop"]:
        return cmd.Unwatch(number)
    return cmd.Watch(number) if number or found["any"] else None


_WATCHING = late(
    rf"{_I_WISH}"
    r"(?P<stop>un|(?:stop|no longer|no more|quit|end|i (?:don't|do not|no longer) want to) )?"
    r"(?:(?:watch|follow|observ|spectat)(?:e|ing)?|(?:add|count) me (?:in )?as an? (?:spectator"
    r"|observer|watcher)(?: (?:of|for|to|in))?)"
    r"(?P<any> (?:a |some |other )(?:public )?games?)?"
    r"(?: (?:this|that|it)(?: game)?| (?:the )?game(?: number| no\.?)?)?"
    r"(?: ?#?(?P<game>\d{1,9}))?(?: (?:any ?more|now|please|too))*[ ?]*"
)


def read_review(rest: str) -> cmd.Command | None:
    """The number of a game, or nothing; or what is written for `reviews`."""
    return _of_a_game(rest) or read_switch(cmd.Reviews)(rest)


_of_a_game = numbered(cmd.Review, GAME)


def read_kifu(rest: str) -> cmd.Command | None:
    """The moves that are wanted, `1-100`, and the number of a game, in either order; or nothing."""
    rest = strip_decoration(rest)
    found = _MOVES.search(rest)
    game = _GAME.fullmatch(" ".join(_MOVES.sub(" ", rest, count=1).split()))
    if game is None:
        return None
    moves = f"{found[1]}-{found[2] or ''}" if found else ""
    return cmd.Kifu(int(game[1]) if game[1] else None, moves)


_GAME = late(rf"(?:{GAME}#?(\d{{1,9}}))?")
_MOVES = late(
    r"(?:\bmoves? |\bfrom |\bof ){0,3}\b(\d{1,4}) ?(?:-|–|—|\.\.+|\bto\b|\buntil\b)"
    r" ?(?:move )?(?:(\d{1,4})\b|(?:the )?end\b)?"
)


def read_estimate(rest: str) -> cmd.Command | None:
    """Nothing more; or a game, by people who propose one in that word."""
    if not rest:
        return cmd.Estimate()
    return read_proposal(rest) if looks_like_proposal(rest) else None


def read_help(rest: str) -> cmd.Command | None:
    """Nothing more, or one word that help is wanted with."""
    word = re.sub(r"^(?:with|about|on|me with) ", "", strip_decoration(rest))
    return cmd.Help(word) if re.fullmatch(r"[a-z-]{0,20}", word) and word not in _IDLE else None


_IDLE = words_of("me please pls us needed wanted yourself")


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


def split_hour(words: str) -> tuple[str, int | None]:
    """What stands before an hour, and that in minutes after midnight; None where there is none.

    >>> split_hour("daily at 7"), split_hour("daily 7:30pm"), split_hour("daily 25")
    (('daily', 420), ('daily', 1170), ('daily 25', None))
    """
    found = _HOUR.fullmatch(words)
    if found is None:
        return words, None
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if found["half"] and 1 <= hour <= 12:
        hour = hour % 12 + 12 * (found["half"] == "p")
    valid = hour < 24 and minute < 60
    return (found["words"].strip(), hour * 60 + minute) if valid else (words, None)


_HOUR = late(
    r"(?P<words>(?:.*?[^ ,])??)[ ,]*+(?:\bat )?\b(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2}))?"
    r"(?: ?(?P<half>[ap])\.?m\.?| ?o'?clock| ?h| ?uhr)?"
)


def read_digest(rest: str) -> cmd.Command | None:
    """An hour, or nothing; or `off`, for what there is without: all emails."""
    words = re.sub(
        r" ?\b(?:on|daily|every ?day|a day|each day|everywhere)\b", "", strip_decoration(rest)
    )
    words, at = split_hour(words.strip())
    level = {"": cmd.EmailLevel.DAILY, "off": cmd.EmailLevel.ALL}.get(words)
    return None if level is None else cmd.Emails(level, everywhere=True, at=at)


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


def read_i_am(line: str) -> cmd.Command | None:
    """A rank, and where one is from, each word of it with a capital; or `nobody`.

    >>> read_i_am("i am 5k, Berlin"), read_i_am("I am nobody")
    (IAm(line='5 kyu, Berlin'), IAm(line=''))
    >>> read_i_am("I am 5 kyu, and you?") is None
    True
    """
    found = re.fullmatch(
        r"(?i)i(?: am|['’]m) (?:an? )?(?P<rank>[^,]{1,12})(?:, ?(?P<from>.{1,60}))?", line
    )
    if found is None:
        return None
    rank, words = found["rank"].strip(" .!").casefold(), (found["from"] or "").strip(" .!").split()
    if rank == "nobody" and not words:
        return cmd.IAm("")
    home = " ".join(words)
    named = all(word[0].isupper() for word in words) and re.fullmatch(
        r"[^\W\d_'’-][^\W\d_]*(?:[ '’-][^\W\d_]+)*|", home
    )
    if not read_rank(rank) or not named or len(words) > 4 or len(home) > 40:
        return None
    return cmd.IAm(", ".join(filter(None, (in_words(read_rank(rank)), home))))


def read_timezone(rest: str) -> cmd.Command | None:
    """The name of a zone; which there are is not known here."""
    zone = rest.strip(" .:=")
    return cmd.Timezone(zone) if re.fullmatch(r"[A-Za-z][\w+/ -]{1,60}", zone) else None


def read_plain(rest: str) -> cmd.Command | None:
    """`on` or `off`; `text` may stand before it."""
    word = re.sub(r"^(?:text|emails?)(?: only)?(?: |$)", "", strip_decoration(rest))
    wanted = {"": True, "on": True, "only": True, "off": False}.get(word)
    return None if wanted is None else cmd.Plain(wanted)


def read_boards(line: str) -> cmd.Boards | None:
    """`boards signs`, `coordinates off`, `boards with letters, no coordinates`; None for others.

    >>> read_boards("boards signs and no coordinates"), read_boards("board").__class__.__name__
    (Boards(signs=True, sides=0), 'NoneType')
    """
    found = _BOARDS.fullmatch(line[:120])
    if found is None or not (found["board"] or "coordinates" in line):
        return None
    style, sides = re.search(r"\b(signs|circles|letters)\b", line), None
    if "coordinates" in line:
        off = re.search(r"\b(?:no|off|without|hide)\b", line)
        sides = 0 if off else 2 if re.search(r"\b(?:two|2)\b", line) else 4
    return cmd.Boards(None if style is None else style[1] != "letters", sides)


_STYLE = (
    r"(?:with |as |in )?(?:signs|circles|letters)|(?:with |without |no |hide |show )?(?:the "
    r"|my )?coordinates(?:,? (?:on|off|all|(?:on )?(?:two|2|all)(?: sides)?))?"
)
_BOARDS = late(
    r"(?P<board>(?:show |draw )?(?:my |the )?boards? )?"
    rf"(?:{_STYLE})(?:(?:,| and|, and)? (?:{_STYLE}))?"
)


def _scope(rest: str) -> tuple[str, bool]:
    """What a setting shall be, and whether everywhere."""
    rest = strip_decoration(rest)
    every = r"everywhere|always|(?:in |for )?(?:all|every|any)(?: (?:my )?games?)?"
    found = re.fullmatch(rf"(.{{1,60}}?)[ ,]+(?:{every})", rest)
    return (found[1], True) if found else (re.sub(r" (?:here|in this game)$", "", rest), False)


_LEVELS = {
    "all|on|everything": cmd.EmailLevel.ALL,
    r"(?:only )?(?:on |when it(?:'s| is) )?my[- ]?turns?(?: only)?": cmd.EmailLevel.MY_TURN,
    "daily|(?:one|1|once|only one|one digest|a digest)(?: a| per| every| each)? ?day|digest": (
        cmd.EmailLevel.DAILY
    ),
    "none|off|nothing|never": cmd.EmailLevel.NONE,
}


def read_stop(line: str) -> cmd.Stop | None:
    """`stop`, `unsubscribe` and what else asks for no more letters; None for any other line.

    >>> read_stop("please stop sending me emails"), read_stop("stop all emails")
    (Stop(everywhere=False), Stop(everywhere=True))
    >>> read_stop("stop there") is None
    True
    """
    said = re.split(r"[.!?]+(?: |$)", line[:200])
    if any(_STOPS_ABROAD.fullmatch(one.strip(" ,")) for one in said):
        return cmd.Stop()
    found = _STOPS.fullmatch(line[:200])
    first = _STOPS.fullmatch(re.split(r"[.!]+ ", line[:200], maxsplit=1)[0])
    if first is not None and _LEAVES.match(first["verb"]):
        found = first
    if found is None:
        return None
    words = set(re.findall(r"[^ ,.!?]+", found["rest"]))
    wished = line[:1] == "i" and not words  # `I want to stop`
    if (words & {"game", "games"} or wished) and found["verb"] == "stop" and not words & _LETTERS:
        return None  # the game is to stop
    plainly = words - _LETTERS - _EVERYTHING <= _BESIDE_LETTERS
    return cmd.Stop(bool(words & _EVERYTHING)) if plainly else None


_STOPS = late(
    r"(?:(?:please|pls|kindly|hi|hello|hey|(?:can|could|would|will) you|i (?:want|wish|would like"
    r"|need) to|i'd like to)[ ,!]+)*(?P<verb>stop|unsubscribe|opt(?: me)? out|remove me|take"
    r" (?:me|my (?:e-?mail )?address) off|leave me (?:alone|in peace)"
    r"|never(?= (?:contact|(?:e-?)?mail|write to) me)|(?:(?:i )?(?:don't|do not"
    r"|no longer)(?: want)?|no(?: more)?|quit|cease|end|cancel|mute|(?:turn"
    r"|switch) off)(?= .*\b(?:(?:e-?)?mail|notif|subscription|me any"
    r"|contact(?:ing)? me)))(?![\w'-])(?P<rest>.*)"
)
_STOPS_ABROAD = late(
    r"(?:(?:bitte|s'il vous plaît|por favor|per favore|alsjeblieft|proszę) )*(?:ne m'(?:écrivez"
    r"|envoyez) plus|(?:schreib\w*|schick\w*|send\w*) (?:sie )?mir (?:bitte )?(?:nicht mehr"
    r"|nie (?:mehr|wieder)|keine (?:e-?)?mails)|keine (?:e-?)?mails mehr|no me (?:escrib|envíe"
    r"|mande)\w* más|non (?:scrivetemi|mandatemi) più|non mi scriv\w+ più|(?:mail|schrijf"
    r"|stuur) (?:me|mij) (?:niet|geen) (?:\w+ )?meer|não me (?:escrev|envie|mande)\w* mais"
    r"|skriv inte (?:till mig )?(?:mer|igen)|nie pisz\w* (?:do mnie )?(?:więcej|już)"
    r"|не пишите (?:мне )?(?:больше)?|もうメールを?送らないで|不要再(?:给我)?发邮件"
    r"|그만 보내\w*)(?: \w+){0,3}"
)
"""The same in other languages."""
_LEAVES = late("unsubscribe|opt|remove|take")
"""What asks for no more letters, whatever is said behind it."""
_EVERYTHING = words_of("all everything everywhere")
_LETTERS = words_of(
    "email emails e-mail e-mails mail mails letters messages list send sending mailing emailing"
    " e-mailing writing write notifications notify notifying contact contacting spamming"
    " subscription mailing-list"
)
_BESIDE_LETTERS = words_of(
    "me to of from any more the these those this your game games about now again anymore please"
    " thanks thank you my in for get getting receive receiving thing program server system"
    " anything else"
)
"""The words of a sentence that asks for no more letters, and of nothing else."""


def read_resume(line: str) -> cmd.Resume | None:
    """A wish to play on, in a sentence; None for any other line.

    >>> read_resume("let's continue the game"), read_resume("i want to continue my studies") is None
    (Resume(), True)
    """
    return cmd.Resume() if _RESUMES.fullmatch(line[:100]) else None


_RESUMES = late(
    r"(?:(?:please|let'?s|let us|i (?:want|wish|would like) to|i'd (?:rather|like to))"
    r"[ ,]+)*(?:(?:resume|continue)(?: (?:(?:the|this|our) game|playing|play))?|play (?:on|it out)"
    r"|(?:keep(?: on)?|go on|carry on) playing)(?: please)?"
)


def read_forget(line: str) -> cmd.Forget | None:
    """A wish that all be deleted that is known of its writer; None for any other line.

    >>> read_forget("please delete my data. I never played."), read_forget("forget my last move")
    (Forget(), None)
    """
    said = re.split(r"[.!?;]+(?: |$)", normalize(line[:300]))
    if any(map(_ERASURE.search, said)):
        return cmd.Forget()
    return cmd.Forget() if any(_FORGETS.fullmatch(one.strip(" ,")) for one in said) else None


_ERASURE = late(
    r"\bi (?:hereby |formally |must )*(?:request|demand|ask(?: you)? for|require|want) (?:the )?"
    r"(?:erasure|deletion|removal) of (?:all )?(?:of )?(?:my |the |any )?(?:personal )?(?:data"
    r"|information|records?)\b"
)
"""As lawyers have it (GDPR, 17)."""
_FORGETS = late(
    r"(?:(?:hi|hello|and|please|kindly|(?:can|could|would|will) you|i(?:'d| would) like you to"
    r"|i want you to)[ ,]+)*(?:delete|erase|remove|forget|wipe)[ ]"
    r"(?:(?:everything|anything|all|whatever)(?: (?:that|which|data|information|of it))*"
    r"(?: (?:you|they) (?:have|hold|keep|store|know|saved|stored))?(?: (?:about|of|on|from) me)"
    r"|(?:all )?(?:of )?my (?:personal )?(?:data|account|information|details)"
    r"|my (?:e?-?mail )?address(?: and (?:all )?(?:my |other )?data)?)"
    r"(?:[ ,]+(?:please|now|thanks|again|at once|completely|from your (?:server|system|database)))*"
)


def read_block(line: str) -> cmd.Block | cmd.Unblock | None:
    """A wish that somebody's invitations come no more, or again; None for any other line.

    Raises `Unreadable` where several are named.

    >>> read_block("please block bob@example.org, he is rude"), read_block("unblock all")
    (Block(everybody=False, whom='bob@example.org'), Unblock(everybody=True, whom=''))
    >>> read_block("i want to block him"), read_block("block there next time!") is None
    (Block(everybody=False, whom=''), True)
    """
    if several := _BLOCKS_SEVERAL.fullmatch(line[:300]):
        word = f"{several['un'] or ''}block"
        raise Unreadable(
            "That names several players, and one line is about one of them. Nothing was changed.",
            hints=tuple(f"{word} {one}" for one in re.split(_BLOCK_AND, several["names"])),
        )
    found = _BLOCKS.fullmatch(line[:300])
    if found is None:
        return None
    kind = cmd.Unblock if found["un"] else cmd.Block
    return kind(bool(found["all"]), found["address"] or found["name"] or "")


_WISH_TO_BLOCK = rf"{_I_WISH}(?:(?:and|then)[ ,]+{_I_WISH})*(?P<un>un)?block"
_BLOCK_ADDRESS = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*"
_BLOCK_WORD = (
    r"(?!(?:a|an|at|there|here|it|its|he|she|they|on|off|in|with|by|the|me|you|your|his|that|this"
    r"|these|those|my|white|black|if|when|so|and|or|first|again|now|from|of|is|was|for|to|not|no"
    r"|out|up|both|one|two|please|thanks?|ok|next|before|after|because|all|any|everybody|everyone"
    r"|them|him|her|[a-z]\d+)\b)[^\W\d_][\w'-]*"
)
"""A word of a name, and none of those that speak of a move."""
_BLOCK_NAME = rf"{_BLOCK_WORD}(?: {_BLOCK_WORD}){{0,3}}"
_BLOCK_AND = r"(?:,? and |, ?| ?& ?)"
_BLOCKS = late(
    rf"{_WISH_TO_BLOCK}(?: (?P<all>(?:all|everybody|everyone|anybody|anyone|any)(?: (?:other|new"
    r"|more|further))*(?: (?:invitations?|invites|players?|people|users|requests|proposals|games)"
    r")?|(?:new |further |more )?(?:invitations|invites))"
    r"| (?:them|him|her|(?:this|that|the|my) (?:person|player|guy|man|woman|user|opponent|sender"
    rf"|other player))| (?:player |user )?(?:<?(?P<address>{_BLOCK_ADDRESS})>?"
    rf"|(?P<name>{_BLOCK_NAME})))?"
    r"(?: from (?:inviting me|writing(?: to)? me|contacting me|my games|anybody|anyone|everybody"
    r"|everyone))?"
    r"(?:[ ,]+(?:please|now|for me|forever|for good|again|thanks|thank you))*(?:[.,;!:]+(?: .*)?)?"
)
_BLOCKS_SEVERAL = late(
    rf"{_WISH_TO_BLOCK} (?:players? |users? )?(?P<names>(?:{_BLOCK_ADDRESS}|{_BLOCK_NAME})"
    rf"(?:{_BLOCK_AND}(?:{_BLOCK_ADDRESS}|{_BLOCK_NAME}))+)(?:,? please)?[ .!]*"
)


def read_send(line: str) -> cmd.Send | None:
    """A yes to words that were held back; None for any other line.

    >>> read_send("yes please send it to him"), read_send("send me the record") is None
    (Send(), True)
    """
    return cmd.Send() if _SENT.fullmatch(line[:120]) else None


_SENT = late(
    r"(?:(?:yes|yeah|ok|okay|sure|please|do|just|you can|you may|go ahead and|then)[ ,]+)*"
    r"(?:send|pass|forward)(?: on)? (?:it|them|that|this|these|(?:my|the|these|those)"
    r" (?:words|message|text))(?: on)?(?: as (?:it is|they are|is))?(?: to (?!me\b)\w+)?"
    r"(?: (?:please|anyway|then|all the same))*"
)


def read_relocate(line: str) -> cmd.Relocate | None:
    """`move me to NEW-ADDRESS`, in one game or `everywhere`; None for any other line.

    Raises `Unreadable` where it is that, but for the address.
    """
    if "@" not in line:
        return None
    found = re.fullmatch(
        r"(?i)(?:please )?(?:move (?P<what>me|my game|my seat|all my games|me everywhere)|send"
        r" (?:all )?my (?:e?-?mails?|letters|messages)) to (?P<address>\S{1,320}?)"
        r"(?P<all> everywhere| in all games)?(?:,? (?:instead|please|from now on))*[.!]?",
        line.strip(),
    )
    if found is None or "@" not in found["address"]:
        return None
    what = (found["what"] or "me everywhere").casefold()  # who sends all emails elsewhere
    everything = bool(found["all"]) or what in {"all my games", "me everywhere"}
    address = re.sub(r"(?i)^<?(?:mailto:)?|>$", "", found["address"])
    return cmd.Relocate(parse_address(address).address, everything)


def read_counter(line: str) -> cmd.Command | None:
    """`counter komi 0.5`, `accept but komi 0.5`, `yes, but 13x13`; None for any other line.

    A sentence that only begins like one is none: which of its words are terms is not guessed.
    """
    found = _BUT.fullmatch(line.strip(" .!"))
    if found is None:
        return None
    try:
        return cmd.Counter(read_terms(found["terms"]))
    except Unreadable as fault:
        plainly = "but" in (found["plainly"] or "").casefold()
        if plainly or (found["plainly"] and names_terms(found["terms"])):
            raise Unreadable(fault.public, hints=counters(line), detail=TERMS) from fault
        return None


def counters(text: str) -> tuple[str, ...]:
    """What somebody may answer an invitation with: the terms that they name, a yes, or a no.

    >>> counters("Yes, but can I be black?")
    ('accept but as black', 'accept', 'decline')
    """
    return (*(f"accept but {terms}" for terms in wished_terms(text)), "accept", "decline")


TERMS = "no terms of a game"
"""The detail of a refusal of words that answer a proposal with other terms."""


_BUT = late(
    r"(?i)(?:(?P<plainly>counter(?:-?offer)?:?|(?:i )?accept,? but)|(?:(?:i )?accept|yes|yeah|yep"
    r"|sure|ok|okay|gladly|i(?:'d| would) (?:like|love) to)[ ,.;:-]*(?:but|only|if|with)|but)"
    r"(?: (?:please|only|if|with|on|at|let's|make it|it's|it is|can we|could we|play"
    r"|i'd like|rather))*"
    r",? (?P<terms>.{1,300}?)(?:,? please)?\??"
)


def read_new(rest: str) -> cmd.Command | None:
    """The terms of a game; a sentence that begins with `new` has none."""
    if not looks_like_proposal(rest.casefold()):
        return None
    try:
        return read_proposal(rest)
    except Unreadable as fault:
        said = _SENTENCE.intersection(rest.casefold().split())
        wished = wished_game(f"play {rest}")
        if not wished or (len(said) < _IN_A_SENTENCE and _says_as_much(fault.hints, wished)):
            raise
        why = UNSURE_TERMS if len(said) >= _IN_A_SENTENCE else fault.public
        raise Unreadable(why + left_out(rest, wished), hints=(wished,)) from fault


def _says_as_much(hints: Sequence[str], wished: str) -> bool:
    """True where the first of some proposals has all the terms of another one."""
    try:
        first, other = (
            asdict(read_proposal(line.partition(" ")[2])) for line in (hints[0], wished)
        )
    except (IndexError, Unreadable):
        return False
    usual = asdict(cmd.Propose(""))
    return all(first[term] == value or value == usual[term] for term, value in other.items())


_IN_A_SENTENCE = 2
UNSURE_TERMS = "I am not sure that I have understood all of these terms. Nothing was proposed."
_SENTENCE = words_of("i i'd we me my would like want wish please a the to on with for")
"""Two of these words are in a sentence; the terms of one are offered."""


def read_say(rest: str) -> cmd.Command | None:
    """Any words at all."""
    text = clean_message(rest.lstrip(": "))
    return cmd.Say(text) if text else None


def read_mark_sentence(line: str) -> cmd.Mark | None:
    """`q16 is dead`, `the group at q16 and c3 are not dead`, `mark q16 dead`, normalized.

    >>> read_mark_sentence("the group at c3 is not dead").dead
    False
    """
    found = _MARK_SENTENCE.fullmatch(line) if line.endswith(_STATUS) else None
    named = points(found["points"]) if found else None
    if found is None or named is None:
        return None
    dead = (found["status"] in _DEAD) != bool(found["no"])
    return cmd.Mark(named, dead)


_DEAD = ("dead", "captured", "gone")
_STATUS = (*_DEAD, "alive", "living")
_MARK_SENTENCE = late(
    r"(?:(?:i (?:think|believe|say)(?: that)?|mark|please mark|and|so|yes) ){0,4}(?:(?:the|my|your"
    r"|black|white|black's|white's|both|these|those|all) ){0,4}(?:(?:stones?|groups?|chains?"
    r"|ones?)(?: (?:at|on|of|around))? )?(?P<points>.{1,300}?)(?: (?:group|stones?"
    r"|chain)s?)?(?: (?:is|are|as|to be))?(?P<no> not)?(?: (?:also|all|both|really|certainly"
    rf"|clearly|definitely))? (?P<status>{'|'.join(_STATUS)})"
)
