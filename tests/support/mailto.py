"""The mailto links of a letter's HTML, and the emails that they open."""

from dataclasses import dataclass
from urllib.parse import unquote

from bs4 import BeautifulSoup

__all__ = ["Click", "board_clicks", "button_clicks", "clicks"]


@dataclass(frozen=True, slots=True)
class Click:
    """The email that a link opens, decoded by RFC 6068; `+` stays `+`."""

    to: str
    subject: str
    body: str
    title: str
    words: str


def clicks(html: str) -> list[Click]:
    """All links in order; raises `AssertionError` unless all are mailto links."""
    return [_click(link) for link in BeautifulSoup(html, "html.parser").find_all("a")]


def board_clicks(html: str) -> dict[str, Click]:
    """The links on the board, by the body of their email."""
    table = BeautifulSoup(html, "html.parser").find("table", class_="gb")
    return {} if table is None else {found.body: found for found in clicks(str(table))}


def button_clicks(html: str) -> dict[str, Click]:
    """The links outside of the board, by the body of their email."""
    soup = BeautifulSoup(html, "html.parser")
    for table in soup.find_all("table", class_="gb"):
        table.decompose()
    return {found.body: found for found in clicks(str(soup))}


def _click(link: object) -> Click:
    href = str(link["href"])  # type: ignore[index]
    scheme, _, rest = href.partition(":")
    assert scheme == "mailto", href
    to, _, query = rest.partition("?")
    fields = dict(part.split("=", 1) for part in query.split("&"))
    assert set(fields) in ({"subject", "body"}, {"body"}), href
    assert "+" not in to, href  # some programs decode it as a space
    title = str(link.get("aria-label") or link.get("title") or "")  # type: ignore[attr-defined]
    words = str(link.get_text())  # type: ignore[attr-defined]
    return Click(
        unquote(to), unquote(fields.get("subject", "")), unquote(fields["body"]), title, words
    )
