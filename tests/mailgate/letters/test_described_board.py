"""The board in sentences, as the catalogue has them."""

from __future__ import annotations

from godaemon.diagrams import description
from godaemon.texts.catalogue import say, speaking


def test_go_programs_and_emails_say_the_board_in_the_same_english() -> None:
    """The catalogue has every sentence of the table that Go programs are answered by."""
    with speaking("en"):
        for key, forms in description.ENGLISH.items():
            one, many = (forms, forms) if isinstance(forms, str) else forms
            values = {name: f"{{{name}}}" for name in VARIABLES}
            counted = [say(key, **values, count=number) for number in (1, 2)]
            assert counted == [one.replace("{count}", "1"), many.replace("{count}", "2")], key


VARIABLES = (
    *("points", "point", "first", "last", "row", "stones", "column", "liberties", "stone"),
    *("chains", "seen", "steps", "lines"),
)
