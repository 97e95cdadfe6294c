"""Yes and no in people's own words."""

import pytest

from mailgate.language.acting_statements import read_consent
from tests.support.rows import each_row

YES = """
Yes, it was me | Yes please! | yes :) | Hi,⏎⏎yes⏎⏎Alice | Sure, let's play | With pleasure
Yes, please do take it back! | Please do
I'd love to | of course | Hi Alice,⏎accept | Sounds good! | Why not | ok, let's go | Gerne!
Avec plaisir | Yes!! | Of course it was me. | I accept, thank you | Count me in!
Oui c est bien moi, vas-y ! | C est un oui ! :) | oui jaccepte | ja klar bin dabei | Ja, das war ich
si claro adelante | ouais vazy pas grave | tak pewnie | ja visst kör
¡Sí! | ¡Claro que sí! | はい〜 | 네~
"""
NO = """
No, thank you | Sorry, no | no | I don't want to play | Not now, thanks | It wasn't me
Leider keine Zeit | I'd rather not | decline, sorry
Sorry, I don't have the time | Je n'ai pas le temps, désolée | 不好意思，没空下棋 | 今は打てません
I have no time at the moment | Of course not | Certainly not | Absolutely not! | I do mind
I'd prefer you didn't | Please don't, Bob | please do not
"""
NEITHER = """
Maybe later | Who is this? | Yes, but not on 19x19 | Yes. No. | What is Go? | Hello
I'd like to resign | yes, if you take white | D4 | yes or no? | I am not sure | Thanks
Yes... I mean no! | yes, that's spam | ok, never mind
Yes? | Sure, once I learned the rules | No way I'd miss that!
pas mal | si no | ja nein | oui mais non
No no, please do take it back! | Of course! ... not. | Yes, that's not ok | Sure you can't
はい、でもまだ送らないで | 好的，但是先别发 | 네, 근데 아직 보내지 마세요
let me think | no idea what this is, sure | I'd like to play with carol@example.org
"""


def letters(table: str) -> list[str]:
    """The letters of a table, apart by bars; ⏎ ends a line."""
    rows = table.strip().split("\n")
    return [one for row in rows for one in row.replace("⏎", "\n").split(" | ") if one.strip()]


@each_row(
    ("consent", "text"),
    [
        (yes, one)
        for yes, table in ((True, YES), (False, NO), (None, NEITHER))
        for one in letters(table)
    ],
)
def test_consent_is_read(text: str, *, consent: bool | None) -> None:
    """In doubt it is neither, and both are offered."""
    assert read_consent(text.split("\n")) is consent


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        *((f"I would like {what}", None) for what in ("a lesson", "some information", "to watch")),
        *((f"I'd love to {what}", None) for what in ("know more", "learn the game", "see it")),
        *(
            (f"I'd love to{what}", True)
            for what in ("", "!", " play", " give it a try", ", thanks")
        ),
        *((f"I would like {what}", True) for what in ("that", "a game", "to, very much")),
    ],
)
def test_only_a_wish_to_play_is_consent(text: str, *, yes: bool | None) -> None:
    """Bug: a player who asked for a lesson got a game."""
    assert read_consent([text]) is yes
