"""Every verb of the players' language as one table, from which the help letter is made too.

Pure; the readers of arguments raise `Unreadable` alone. How lines are found and told from words is
`language`'s business.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from mailgate.abroad import abroad
from mailgate.address import parse_address
from mailgate.moves import bare, points, read_move
from mailgate.proposals import EXAMPLE, looks_like_proposal, read_proposal
from mailgate.words import clean_message

__all__ = ["TABLE", "Entry", "read_relocate"]

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


def _alone(command: cmd.Command) -> Reader:
    return lambda rest: None if rest else command


def _read_marks(dead: bool) -> Reader:  # noqa: FBT001 (used in the table below, where it is plain)
    extents = {extent.value: extent for extent in cmd.Extent if extent is not cmd.Extent.GROUP}

    def read_arguments(rest: str) -> cmd.Command | None:
        rest = re.sub(r"^(?:the )?(?:stones?|groups?|chains?) (?:at )?", "", bare(rest))
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

    return read_arguments


def _read_place(rest: str) -> cmd.Command | None:
    """The points of all handicap stones; or the star points, by name."""
    rest = re.sub(r"^(?:my )?(?:handicap )?(?:stones? )?(?:(?:at|on) )?(?:the )?", "", bare(rest))
    if re.fullmatch(r"stars?(?: points?)?|star-?points|hoshi|usual(?: points)?", rest):
        return cmd.Place()
    named = points(rest)
    return cmd.Place(named) if named else None


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


def _read_record(kind: type[cmd.Sgf | cmd.Kifu]) -> Reader:
    def read_arguments(rest: str) -> cmd.Command | None:
        found = re.fullmatch(r"(?:(?:of )?(?:game )?#?(\d{1,9}))?", bare(rest))
        return None if found is None else kind(int(found[1]) if found[1] else None)

    return read_arguments


def _read_estimate(rest: str) -> cmd.Command | None:
    """Nothing more; or a game, by people who propose one in that word."""
    if not rest:
        return cmd.Estimate()
    return read_proposal(rest) if looks_like_proposal(rest) else None


def _read_gui(rest: str) -> cmd.Command | None:
    wanted = {"": True, "off": False}.get(bare(rest))
    return None if wanted is None else cmd.Gui(on=wanted)


def _read_receipts(rest: str) -> cmd.Command | None:
    wanted = {"on": True, "off": False}.get(bare(rest))
    return None if wanted is None else cmd.Receipts(wanted)


def _read_block(kind: type[cmd.Block | cmd.Unblock]) -> Reader:
    def read_arguments(rest: str) -> cmd.Command | None:
        wanted = {"": False, "them": False, "all": True, "everybody": True, "everyone": True}
        everybody = wanted.get(bare(rest))
        return None if everybody is None else kind(everybody)

    return read_arguments


def read_relocate(line: str) -> cmd.Relocate | None:
    """`move me to NEW-ADDRESS`, in one game or `everywhere`; None for any other line.

    Raises `Unreadable` where it is that, but for the address.
    """
    found = re.fullmatch(
        r"(?i)(?:please )?move (?P<what>me|my game|my seat|all my games|me everywhere)"
        r" to (?P<address>\S{1,320}?)(?P<all> everywhere| in all games)?[.!]?",
        line.strip(),
    )
    if found is None or "@" not in found["address"]:
        return None
    everything = bool(found["all"]) or found["what"].casefold() in {
        "all my games",
        "me everywhere",
    }
    address = re.sub(r"(?i)^<?(?:mailto:)?|>$", "", found["address"])
    return cmd.Relocate(parse_address(address).address, everything)


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
        "place",
        "POINT POINT ... | stars",
        "Places all of Black's handicap stones, by rules that let Black choose where.",
        "no handicap stones are due; there are more points, or fewer, than stones",
        ("place D4 Q16 C10", "place stars"),
        _read_place,
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
            "i'll pass",
            "i will pass",
            "play pass",
            "black pass",
            "white pass",
            "black passes",
            "white passes",
        ),
        abroad=abroad("pass"),
    ),
    Entry(
        "resign",
        "",
        "Gives the game up.",
        "the game is over",
        ("resign",),
        _alone(cmd.Resign()),
        synonyms=(
            *("i resign", "i give up", "give up", "gg, i resign", "gg i resign", "surrender"),
            *("i'm resigning", "i am resigning", "i'll resign", "i will resign"),
            *("black resigns", "white resigns", "black resign", "white resign"),
        ),
        abroad=abroad("resign"),
    ),
    Entry(
        "dead",
        "POINT ... [only | joined | all]",
        "Marks groups dead when play has stopped: one stone of each is enough.",
        "the game is not being counted; the point is empty; the stones can never be taken",
        ("dead Q16 C3", "dead C3 only"),
        _read_marks(dead=True),
    ),
    Entry(
        "alive",
        "POINT ... [only | joined | all]",
        "Marks groups alive again.",
        "the game is not being counted; the point is empty",
        ("alive Q16", "alive C3"),
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
        synonyms=(
            *("agree", "i agree", "agreed", "i'm done", "im done", "i am done", "all agreed"),
            *("all done", "we are done"),
        ),
        abroad=abroad("done"),
    ),
    Entry(
        "propose",
        "",
        "Sends my opinion on which stones are dead, with the lines to send; nothing is marked.",
        "the game is not being counted",
        ("propose",),
        _read_estimate,
        synonyms=(
            *("propose dead stones", "propose dead", "propose marks", "suggest", "estimate"),
            *("which stones are dead", "which stones are dead?", "what is dead?"),
        ),
    ),
    Entry(
        "resume",
        "",
        "Goes from the count back to playing.",
        "the game is not being counted",
        ("resume",),
        _alone(cmd.Resume()),
        synonyms=("continue", "play on", "keep playing", "resume play", "dispute", "disagree"),
        abroad=abroad("resume"),
    ),
    Entry(
        "void",
        "",
        "Ends the game without a result, if your opponent says so too.",
        "no position has come about for the third time, or the rules let none come about again",
        ("void",),
        _alone(cmd.Void()),
        synonyms=("no result", "no game"),
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
        _read_record(cmd.Sgf),
        synonyms=("record",),
    ),
    Entry(
        "kifu",
        "[GAME]",
        "Sends a picture of the whole game, its moves numbered.",
        "there is no such game of yours",
        ("kifu",),
        _read_record(cmd.Kifu),
        synonyms=("picture", "diagram"),
    ),
    Entry(
        "gui",
        "[off]",
        "Sends what a Go program needs to play for you; off has it let in no more.",
        "the game has not started, or is over",
        ("gui", "gui off"),
        _read_gui,
        synonyms=("gui on", "gtp"),
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
        "[WxH] [komi K] [handicap N] [rules NAME] [as black|white|nigiri] vs ADDRESS|PROGRAM",
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
        abroad=abroad("yes"),
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
        abroad=abroad("no"),
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
        "block",
        "[all]",
        "Brings you no invitation from that player again; all: from anybody.",
        "the letter belongs to no game with another person",
        ("block", "block all"),
        _read_block(cmd.Block),
        synonyms=("unsubscribe", "block them", "stop inviting me"),
    ),
    Entry(
        "unblock",
        "[all]",
        "Lets that player, or anybody, invite you again.",
        "the letter belongs to no game with another person",
        ("unblock", "unblock all"),
        _read_block(cmd.Unblock),
    ),
    Entry(
        "move me to",
        "ADDRESS [everywhere]",
        "Has my letters about the game (or all your games) go to another address of yours.",
        "the game is over; the address is your opponent's; one of the two does not say yes",
        ("move me to bob@example.org", "move me to bob@example.org everywhere"),
        lambda rest: read_relocate(f"move me to {rest}"),
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
        abroad=abroad("help"),
    ),
)
"""Every verb, in the order in which the help letter lists them."""
