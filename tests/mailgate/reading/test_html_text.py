"""HTML of mail programs with quoted and hidden text: regressions."""

from functools import partial

import pytest

from mailgate.reading.html_text import html_to_text
from mailgate.reading.reply_trimming import new_text
from tests.support import places
from tests.support.blocks import read_lines
from tests.support.cost import calls

LINES = read_lines(places.DATA / "read_lines.txt")

LAYOUTS = {
    "Outlook": ("<p class=MsoNormal>D4<o:p></o:p></p><p><o:p>&nbsp;</o:p></p><p>Hi</p>", ("Hi",)),
    "Gmail": ('<div dir="ltr">D4<div><br></div><div>Hi</div></div>', ("Hi",)),
    "Apple": ('D4<br class="Apple-interchange-newline"><div>Hi</div>', ("Hi",)),
    "kept line ends": ('<div style="white-space:pre-wrap">D4\nHi</div>', ("Hi",)),
    "kept line ends, inherited": (
        '<div style="color:red; white-space : pre-line"><span>D4\nHi</span></div>',
        ("Hi",),
    ),
    "spaces of every kind": ("&nbsp;D<wbr>4&nbsp;&#8203;<p>Hi", ("Hi",)),
    "an indented paragraph": (
        'D4<blockquote style="margin:0 0 0 40px;border:none;padding:0px"><p>Hi</p></blockquote>',
        ("Hi",),
    ),
    "all of it indented": (
        '<blockquote style="margin: 0 0 0 40px; border: none;"><div>D4</div>Hi</blockquote>',
        ("Hi",),
    ),
    "indented by an older program": (
        "<p>D4</p><blockquote style=margin-left:40px>Hi</blockquote>",
        ("Hi",),
    ),
    "indented by Thunderbird": ("<p>D4</p><blockquote>Hi</blockquote>", ("Hi",)),
    "indented twice": (
        "<div>D4</div><blockquote dir=ltr><blockquote class=x>Hi</blockquote>Bob</blockquote>",
        ("Hi", "Bob"),
    ),
    "a table": ("<table><tr><td>D4</td></tr><tr><td>Hi</td><td>Bob</td></tr></table>", ("Hi Bob",)),
    "styles and scripts": (
        "<style>x{}</style><p>D4<br>Hi   <b>Bo</b>\n b</p><script>resign</script><pre>x\ny</pre>",
        ("Hi Bo b", "x", "y"),
    ),
    "a list": ("<ul><li>D4</li><li>Hi</li></ul>", ("Hi",)),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_html_lines_are_the_visible_ones(name: str) -> None:
    """Blocks, breaks and preserved line ends; indentation is no quotation."""
    html, words = LAYOUTS[name]
    lines = [line for line in new_text(html_to_text(html)) if line]
    assert lines == ["D4", *words]


@pytest.mark.parametrize("html", LINES["quoted or hidden HTML"])
def test_quoted_and_hidden_html_is_not_read(html: str) -> None:
    """In any form, and with anything in or above it."""
    assert new_text(html_to_text(f"<p>D4</p>{html}")) == ("D4",)


def test_nested_blockquotes_take_linear_time() -> None:
    """Each line is examined a few times, however deep they are."""
    lines = "On 20.11.2026 at 10:00 bob@example.org:<br>" * 2_000
    cost = [calls(partial(html_to_text, "<blockquote>x" * many + lines)) for many in (5, 2_000)]
    assert cost[1] < 3 * cost[0]


@pytest.mark.parametrize("style", ["font-size:0.9em", "opacity:0.8", "max-height:01px", "border:0"])
def test_small_text_is_read(style: str) -> None:
    """A style that resembles a hiding one does not hide."""
    assert new_text(html_to_text(f'<p style="{style}">D4</p>')) == ("D4",)
