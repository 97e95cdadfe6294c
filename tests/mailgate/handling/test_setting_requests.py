"""Which letters a player gets, as they ask for it by reply: `emails`, `receipts`, `stop`."""

from __future__ import annotations

import pytest

from godaemon.games import commands as cmd
from godaemon.games.notices import Kind
from godaemon.texts.catalogue import retold
from mailgate.language.parser import parse_text
from mailgate.language.verb_table import verbs
from mailgate.letters.compose import Composer
from mailgate.letters.letter_data import load_letter_data
from tests.support.gateway import ADDRESS, KEY, Gateway, Person
from tests.support.letters import parsed, part
from tests.support.mailto import button_clicks

NAMES = ("Alice", "Bob")


class Pair:
    """Alice (Black) and Bob (White), and a game that they play."""

    def __init__(self, trusted: str = "") -> None:
        self.gateway = Gateway(trusted=trusted)
        self.alice, self.bob = (self.gateway.person(name) for name in NAMES)
        self.gateway.start(self.alice, self.bob)

    def told(self, person: Person, black: str, white: str = "") -> list[str]:
        """What a person is told of a move of Black's, and one of White's."""
        before = len(person.letters())
        self.gateway.play(self.alice, self.bob, f"{black} {white}".strip())
        return [due.notice.kind.value for due in person.letters()[before:]]


def text(person: Person) -> str:
    """The plain text of a person's newest letter."""
    due = person.newest()
    writer = person.gateway.writer
    data = writer.run_sync(lambda unit: load_letter_data(unit, due))
    composed = Composer(KEY, ADDRESS, "Go by mail", invitation_days=14).compose(data)
    return part(parsed(composed.raw), "plain")


@pytest.fixture
def pair() -> Pair:
    """A game in which Alice is to move."""
    return Pair()


SET = [
    example
    for entry in verbs().values()
    for example in entry.examples
    if isinstance(parse_text([example]).commands[0].command, cmd.Setting | cmd.Export)
    and example != "settings"
]


@pytest.mark.parametrize("line", [*SET, "digest at 21:30", "emails daily at 8"])
def test_whoever_anybody_could_be_needs_one_reply(line: str) -> None:
    """A newcomer's fresh letter is answered with the line to reply with, and that is all."""
    dora = Gateway().person("Dora")
    assert dora.write(line).event == "refused"
    assert f"`{line}`" in retold(dora.newest(Kind.GAMES).notice.about["news"])
    assert dora.reply(line).event == "accepted"
    assert dora.newest().notice.kind in (Kind.SETTINGS, Kind.EXPORT)


def test_what_settings_of_no_game_offer() -> None:
    """Each click in them works at once, however many games there are, and for nobody else."""
    pair = Pair()
    pair.gateway.start(pair.bob, pair.alice)
    pair.alice.write("games")
    pair.alice.reply("vacation 2 weeks")
    assert pair.alice.reply("back").event == "accepted"
    assert "Welcome back" in text(pair.alice)
    pair.alice.reply("settings", to=pair.alice.newest(Kind.GAMES))
    shown = pair.alice.newest(Kind.SETTINGS)
    for offer in button_clicks(part(pair.alice.read(), "html")):
        assert pair.alice.reply(offer, to=shown).event == "accepted", offer
    pair.gateway.send()
    assert pair.bob.reply("emails none everywhere", to=shown).event == "bad-token"
