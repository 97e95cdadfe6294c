"""The manual page of the GTP commands is built from their contracts, and up to date."""

from tests.support import places
from tests.support.gtp_page import page


def test_the_page_is_current() -> None:
    """It is what `python -m tests.support.gtp_page` prints."""
    assert (places.ROOT / "config/man/godaemon-gtp.7").read_text("utf-8") == page()
