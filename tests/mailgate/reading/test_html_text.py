"""HTML as mail programs write it, and what is quoted or hidden in it: letters that went wrong."""

from __future__ import annotations

from functools import partial

import pytest

from mailgate.reading.html_text import html_to_text
from mailgate.reading.reply_trimming import new_text
from tests.support.cost import calls

READ = {
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
    "a list": ("<ul><li>D4</li><li>Hi</li></ul>", ("Hi",)),
}


@pytest.mark.parametrize("name", READ)
def test_a_line_is_what_a_reader_sees_as_one(name: str) -> None:
    """Blocks, breaks and kept line ends separate lines; indenting is no quotation."""
    html, words = READ[name]
    lines = [line for line in new_text(html_to_text(html)) if line]
    assert lines == ["D4", *words]


QUOTED = [
    '<blockquote style="border:none;border-left:solid #CCC 1.0pt">resign</blockquote>',
    '<blockquote style="border-left:1px solid #ccc;border: none 0">resign</blockquote>',
    '<blockquote type="cite" style="border:none">resign</blockquote>',
    '<blockquote cite="mid:34@example.org">resign</blockquote>',
    '<blockquote class="webmail-quote">resign</blockquote>',
    '<blockquote itemtype="https://schemas.microsoft.com/QuotedText">resign</blockquote>',
    "<p>On Fri, Nov 20, 2026 at 10:00 AM Go wrote:</p><br><blockquote>resign</blockquote>",
    "<p>2026-11-20 10:00 Go &lt;go@example.org&gt;</p><blockquote>resign</blockquote>",
    "<blockquote>Am 20.11.2026 um 10:00 schrieb Go:<br>resign</blockquote>",
    "<blockquote>resign<br>Reply with: E5, or: pass</blockquote>",
    "<blockquote>Bob played D4 (move 3). Your move, White.<p>resign</blockquote>",
    "<blockquote><div class=gmail_quote>pass</div>resign</blockquote>",
    "<blockquote><blockquote cite=x>pass</blockquote>resign</blockquote>",
    "<blockquote>resign<div id=appendonsend></div>pass</blockquote>pass",
    "<blockquote>" * 9 + "resign",
    '<div style="border:none; border-top:1pt solid #E1E1E1">x</div>resign',
    '<div style="border-width:1pt medium medium; border-style:solid none none">x</div>resign',
    '<div style="border-right:none; border-left:none; border-top:1pt solid rgb(2,2,2)">x</div>pass',
    '<div style="border-top:1pt solid rgb(2,2,2); border-left: none">x</div>resign',
    '<div class="xm_compose_origin_mail_container">resign</div>',
    '<p style="display : none">resign</p>',
    '<p style="color:red;visibility:hidden">resign</p>',
    '<p style="font-size:0px;line-height:1">resign</p>',
    '<p style="max-height:0">resign</p>',
    '<p style="opacity: 0;">resign</p>',
]


@pytest.mark.parametrize("html", QUOTED)
def test_what_is_quoted_or_hidden_is_not_read(html: str) -> None:
    """However a program says so, or whatever stands in or above it."""
    assert new_text(html_to_text(f"<p>D4</p>{html}")) == ("D4",)


def test_blockquotes_within_each_other_take_no_longer() -> None:
    """However deep a hostile letter nests them, each line is looked at a few times."""
    lines = "On 20.11.2026 at 10:00 bob@example.org:<br>" * 2_000
    cost = [calls(partial(html_to_text, "<blockquote>x" * many + lines)) for many in (5, 2_000)]
    assert cost[1] < 3 * cost[0]


@pytest.mark.parametrize("style", ["font-size:0.9em", "opacity:0.8", "max-height:01px", "border:0"])
def test_what_is_only_small_is_read(style: str) -> None:
    """A style that begins like one that hides is none."""
    assert new_text(html_to_text(f'<p style="{style}">D4</p>')) == ("D4",)
