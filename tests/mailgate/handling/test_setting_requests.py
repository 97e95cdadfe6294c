"""Settings by reply: `emails`, `receipts`, `stop`."""

import pytest

from godaemon.games import commands as cmd
from godaemon.games.notices import Kind
from godaemon.texts.catalogue import sentence_from_json
from mailgate.language.parser import parse_text
from mailgate.language.verb_table import verbs
from tests.support.gateway import Gateway, started
from tests.support.letters import html
from tests.support.mailto import button_clicks

SET = [
    example
    for entry in verbs().values()
    for example in entry.examples
    if isinstance(parse_text([example]).commands[0].command, cmd.Setting | cmd.Export)
    and example != "settings"
]


@pytest.mark.parametrize("line", [*SET, "digest at 21:30", "emails daily at 8"])
def test_a_setting_in_a_new_email_needs_one_reply(line: str) -> None:
    """The answer has the line to reply with."""
    dora = Gateway().person("Dora")
    assert dora.write(line).event == "refused"
    assert f"`{line}`" in sentence_from_json(dora.newest(Kind.REFUSED).notice.about["reason"])
    assert dora.reply(line).event == "accepted"
    assert dora.newest().notice.kind in (Kind.SETTINGS, Kind.EXPORT)


def test_settings_outside_a_game_offer_working_clicks() -> None:
    """For their reader alone."""
    gateway, alice, bob = started()
    gateway.start(bob, alice)
    alice.write("games")
    alice.reply("vacation 2 weeks")
    assert alice.reply("back").event == "accepted"
    assert "Welcome back" in alice.text()
    alice.reply("settings", to=alice.newest(Kind.GAMES))
    shown = alice.newest(Kind.SETTINGS)
    for offer in button_clicks(html(alice.read())):
        assert alice.reply(offer, to=shown).event == "accepted", offer
    gateway.send()
    assert bob.reply("emails none everywhere", to=shown).event == "bad-token"
