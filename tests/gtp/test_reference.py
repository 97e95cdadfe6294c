"""The manual page of the GTP commands is built from their contracts, and up to date."""

import re

from gtp.board.commands import FREE
from gtp.every_session import ANY, LOOKS
from gtp.seat.commands import SEAT
from tests.support import places
from tests.support.gtp_page import page

PAGE = places.ROOT / "config" / "man" / "godaemon-gtp.7"


def test_the_page_is_current() -> None:
    """config/man/godaemon-gtp.7 is what `python -m tests.support.gtp_page` prints now."""
    assert PAGE.read_text("utf-8") == page()


def test_every_command_has_its_entry() -> None:
    """Each command is on the page once for each table that has it."""
    bold = re.findall(r"\\fB([^ ]+?)\\fR", page().replace(r"\-", "-"))
    assert {*ANY, *LOOKS, *FREE, *SEAT} <= {*bold}


def test_nothing_is_taken_for_an_order() -> None:
    """Every line that begins with a dot is one of the orders that the page uses."""
    orders = {line.split()[0] for line in page().splitlines() if line.startswith((".", "'"))}
    lists = {".TP", ".RS", ".RE", ".IP"}
    assert orders == {r".\"", ".TH", ".SH", ".SS", ".PP", ".B", ".BR", ".br"} | lists
