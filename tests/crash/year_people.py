"""The players of a scripted year: their wishes, their letters, and their secrets.

`AWAITED` (answers to awaited decisions) and `WHIMS` (other letters) have rows of a weight and a
function from the `Scene` to the lines of a letter; None if it does not apply.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from godaemon.games.awaited_decisions import Awaited
from godaemon.games.model import Game, Phase, Seat
from godaemon.rules.points import Color, Point, column_name

ZONES = (
    *("Antarctica/Troll", "Pacific/Chatham", "Asia/Kathmandu", "America/St_Johns", "Asia/Tokyo"),
    *("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Nairobi", "Asia/Yangon"),
)
CLOCKS = (
    *("", "", "", "3 days per move", "36 hours per move", "4d+12h", "1d+6h max 3d", "5d+3x1d"),
    *("4d+5/3d", "20d each", "9d each", "2d+2x12h", "time none"),
)
SIZES = ("5x5", "7x7", "9x9", "9x9", "9x9", "7x9", "13x13", "19x19")
RULES = ("", "", "", "rules chinese", "rules aga", "rules new zealand", "rules tromp taylor")
SECRET = r"zq[a-z2-7]{8}"
_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


@dataclass(slots=True)
class Secrets:
    """Unique words that only their owners may read."""

    luck: random.Random
    owners: dict[str, frozenset[str]] = field(default_factory=dict)
    shown: dict[str, int] = field(default_factory=dict)
    """Secrets that both players may read once this game is over."""

    def make(self, *owners: str, after: int | None = None) -> str:
        """Make a new secret."""
        word = "zq" + "".join(self.luck.choices(_LETTERS, k=8))
        self.owners[word] = frozenset(owners)
        if after is not None:
            self.shown[word] = after
        return word


@dataclass(eq=False, slots=True)
class Player:
    """A player with a mail program."""

    name: str
    address: str
    emails: str
    """The command that selects the letters they want; "" for all."""
    zone: str
    plain: bool
    pace: timedelta
    """Mean time to answer."""
    faithless: float
    """Share of games in which they fall silent."""
    mail: dict[int, tuple[str, str]] = field(default_factory=dict)
    """The reply address and Message-ID of the newest letter of each game."""
    lists: tuple[str, str] | None = None
    """The reply address and Message-ID of the newest list of games."""
    silent: set[int] = field(default_factory=set)
    busy: set[int] = field(default_factory=set)
    """Games with a scheduled answer."""
    away: datetime | None = None
    has_settings: bool = False
    """True once they have sent their settings."""
    shut: tuple[datetime, datetime, str] | None = None
    """Begin, end and kind (gone, full, reports) of the time when their mailbox takes no letters."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The state in which a player writes about a game."""

    luck: random.Random
    me: Player
    other: str
    """The address of the other player."""
    game: Game
    seat: Seat
    secrets: Secrets
    people: Sequence[Player]

    @property
    def color(self) -> Color | None:
        return self.game.color_of(self.seat)

    def point(self) -> Point:
        """A random point of the board."""
        size = self.game.spec.size
        return Point(self.luck.randrange(size.width), self.luck.randrange(size.height))

    def stone(self) -> Point | None:
        board = self.game.position.board
        stones = [board.point(index) for index, cell in enumerate(board.cells) if cell]
        return self.luck.choice(stones) if stones else None


Verb = Callable[[Scene], str | None]


def terms(luck: random.Random, clocks: Sequence[str]) -> str:
    size, rules = luck.choice(SIZES), luck.choice(RULES)
    square = size in ("9x9", "13x13", "19x19")
    handicap = f"handicap {luck.randint(2, 4)}" if square and luck.random() < 0.15 else ""
    color = luck.choice(["", "", "as black", "as white"])
    rated = "rated" if size in ("9x9", "13x13", "19x19") and luck.random() < 0.3 else ""
    more = (word if luck.random() < 0.25 else "" for word in ("public", "estimates"))
    words = [size, rules, handicap, color, luck.choice(clocks), rated, *more]
    return " ".join(word for word in words if word)


def goal(game: Game) -> int:
    """Number of moves after which the players pass."""
    small = game.spec.size.points < 100
    return random.Random(game.id).choice([1, 3, 6, 10, 14, 20, 30 if small else 24])


def move(scene: Scene) -> str:
    """A random legal move, or a pass at the end."""
    game, color, luck = scene.game, scene.game.to_move, scene.luck
    if game.to_place:
        return "place stars"
    if color is None or (game.move_number >= goal(game) and luck.random() < 0.8):
        return "pass"
    points = (scene.point() for _ in range(40))
    found = next((one for one in points if game.position.is_legal(color, one)), None)
    return str(found) if found else "pass"


def plan(scene: Scene) -> str:
    """A conditional plan."""
    line = scene.luck.sample(range(scene.game.spec.size.points), k=4)
    board = scene.game.position.board
    names = [str(board.point(index)) for index in line]
    first = scene.luck.choice([names[0], names[0], "any"])
    more = f", if {names[2]} then {names[3]}" if scene.luck.random() < 0.5 else ""
    return f"if {first} then {names[1]}{more}"


def note(scene: Scene) -> str:
    """A private note with a secret."""
    return f"note remember {scene.secrets.make(scene.me.address)}"


def hidden(scene: Scene) -> str:
    """A comment, with a secret, that is shown after the game."""
    return f"hidden I think {scene.secrets.make(scene.me.address, after=scene.game.id)}"


def talk(scene: Scene) -> str:
    """A message, with a secret, to the other player."""
    return f"say well, {scene.secrets.make(scene.me.address, scene.other)}"


def with_more(verb: Verb) -> Verb:
    """A verb that sometimes adds a second line."""

    def _write(scene: Scene) -> str | None:
        line = verb(scene)
        if line is None or scene.luck.random() < 0.7:
            return line
        return f"{line}\n{scene.luck.choice([plan, note, hidden, talk])(scene)}"

    return _write


def mark(scene: Scene) -> str | None:
    """Mark a random stone as dead or alive."""
    stone = scene.stone()
    if stone is None or len(scene.game.dead) > 20:
        return None
    word = "alive" if stone in scene.game.dead else "dead"
    return f"{word} {stone} {scene.luck.choice(['', 'only', 'all'])}".strip()


def counter(scene: Scene) -> str:
    """A counter-proposal."""
    term = scene.luck.choice(["komi 0.5", "7x7", "as black", "3 days per move", "13x13", "unrated"])
    return f"accept but {term}"


def vacation(scene: Scene) -> str:
    """A vacation."""
    return f"vacation {scene.luck.choice([3, 8, 14, 40])} days"


def rematch(scene: Scene) -> str | None:
    """A rematch, only after every fifth game, so that the year ends."""
    return "rematch" if scene.game.phase is Phase.FINISHED and scene.game.id % 5 == 0 else None


def _says(*lines: str) -> Verb:
    return lambda scene: scene.luck.choice(lines)


def _while(phase: Phase, verb: Verb) -> Verb:
    return lambda scene: verb(scene) if scene.game.phase is phase else None


AWAITED: Mapping[Awaited, Sequence[tuple[float, Verb]]] = {
    Awaited.CONFIRMATION: ((30, _says("yes")), (1, _says("no", "withdraw"))),
    Awaited.INVITATION: (
        (40, _says("yes", "accept", "OK")),
        (5, counter),
        (2, lambda scene: f"no\nNot now, {scene.secrets.make(scene.me.address, scene.other)}"),
        (1, _says("stop")),
    ),
    Awaited.TURN: (
        (90, with_more(move)),
        (2, _says("resign")),
        (1, _says("void", "cancel")),
        (1, _says("yes", "no")),
        (1, _says("i4", "resing", "what do I do?")),
    ),
    Awaited.COUNT: ((60, _says("done")), (18, mark), (4, _says("resume")), (2, _says("propose"))),
    Awaited.VOID: ((1, _says("void")), (1, _says("no"))),
}
WHIMS: Sequence[tuple[float, Verb]] = (
    (3, _while(Phase.PLAYING, _says("undo"))),
    (3, _while(Phase.PLAYING, plan)),
    (1, _says("cancel ifs", "if")),
    (2, note),
    (2, hidden),
    (2, talk),
    (2, vacation),
    (1, _says("back", "vacation from 3 December for 2 weeks", "vacation automatic")),
    (1, _says("weekends off", "weekends on")),
    (1, _says("cancel", "void", "resign", "withdraw")),
    (2, _says("show", "history", "sgf", "games", "help", "settings", "describe", "export")),
    (0.5, _says("rating", "players", "i am 5 kyu", "i am 2 dan, and slow", "players on")),
    (1, lambda scene: f"try {scene.point()} {scene.point()}"),
    (0.3, _says("branch")),
    (0.5, _says("public", "public", "private")),
    (1, _says("score")),
    (1, _says("emails my-turn", "emails all", "digest at 5", "digest off", "emails none")),
    (0.5, _says("receipts off", "receipts on", "plain on", "plain off", "block", "unblock")),
    (0.5, lambda scene: f"name {scene.me.name}"),
    (4, rematch),
)


def chosen(rows: Sequence[tuple[float, Verb]], scene: Scene) -> str | None:
    """A random row's lines, by weight."""
    verbs = [verb for _, verb in rows]
    return scene.luck.choices(verbs, [weight for weight, _ in rows])[0](scene)


def watching(luck: random.Random, me: Player, secrets: Secrets) -> str:
    """A spectator's letter; its secret is for nobody."""
    lines = ("show", "unwatch", "emails daily", "watch", "D4", "resign", "history", "say", "note")
    line = luck.choice(lines)
    return f"{line} {secrets.make(me.address)}" if line in {"say", "note"} else line


def settings(me: Player) -> str:
    """A player's settings as commands."""
    lines = [me.emails, f"timezone {me.zone}", "plain on" if me.plain else ""]
    return "\n".join(line for line in lines if line)


def population(luck: random.Random, size: int) -> list[Player]:
    """`size` players of different kinds."""
    wishes = ("", "", *(f"emails {one} everywhere" for one in ("my-turn", "daily at {}", "none")))
    found = []
    for number in range(size):
        name = f"Pat{column_name(number % 25)}{number}"
        emails = wishes[number % len(wishes)].format(luck.randrange(24))
        pace = timedelta(hours=luck.choice([0.2, 1, 4, 10, 24, 40]))
        found.append(
            Player(
                name,
                f"p{number}@players.example",
                emails,
                ZONES[number % len(ZONES)],
                number % 7 == 0,
                pace,
                luck.choice([0.02, 0.05, 0.3]),
            )
        )
    return found
