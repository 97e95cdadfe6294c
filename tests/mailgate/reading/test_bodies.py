"""The text of a letter: the part that is read, its charset, and its HTML; regressions."""

import base64
from functools import partial

import pytest

from mailgate.reading.html_text import html_to_text
from mailgate.reading.message import Letter, read_letter
from mailgate.reading.reply_trimming import new_text
from tests.support import places
from tests.support.blocks import read_lines
from tests.support.cost import calls
from tests.support.rows import each_row

PLAIN = "text/plain; charset=utf-8"
FORWARDED = b"From: x@y.example\nSubject: resign\n\nresign\n"


def read_body(content: bytes) -> Letter:
    head = b"From: Bob <bob@players.example>\nSubject: Re: Go game 34\nMIME-Version: 1.0\n"
    return read_letter(head + content, sender="bob@players.example", recipient="go@example.org")


def lines(content: bytes) -> tuple[str, ...]:
    return new_text(read_body(content).text)


def part(kind: str, content: str | bytes, *fields: str) -> bytes:
    """A part of a letter, or all of it."""
    body = content if isinstance(content, bytes) else content.encode()
    return "\n".join([f"Content-Type: {kind}", *fields, "", ""]).encode() + body


def multi(kind: str, *parts: bytes) -> bytes:
    """Parts as one."""
    inner = b"".join(b"--b\n" + one + b"\n" for one in parts)
    return part(f"multipart/{kind}; boundary=b", inner + b"--b--\n")


HTML = part("text/html", "<p>D4</p>")
LETTERS = {
    "a name makes a file": multi(
        "mixed", part("text/plain; name=game.txt", "resign\n"), part(PLAIN, "D4\n")
    ),
    "a file shown inline": multi(
        "mixed",
        part(PLAIN, "resign\n", "Content-Disposition: inline; filename*0*=utf-8''a.txt"),
        part(PLAIN, "D4\n"),
    ),
    "a named part alone": multi("mixed", part(f"{PLAIN}; name=body", "D4\n")),
    "invisible marks beside HTML": multi("alternative", part(PLAIN, "\u00a0\n\u200b\n"), HTML),
    "a word for readers without HTML": multi(
        "alternative",
        part(PLAIN, "This message is in HTML.\nPlease use a program that shows HTML.\n"),
        HTML,
    ),
    "HTML sent as plain text": part(PLAIN, "<html><body><p>D4</p></body></html>"),
    "HTML without a head sent as plain text": part(PLAIN, '<div dir="ltr">D4</div>'),
    "markdown": part("text/markdown", "D4"),
    "parts without a boundary": part("multipart/mixed", "D4\n"),
    "a vertical tab ends a line": part(PLAIN, "D4\x0bHello"),
    "U+2028 ends a line": part(PLAIN, "D4\u2028Hello\u2029resign"),
    "a space behind a move, flowed": part(f"{PLAIN}; format=flowed", "D4 \nHello there"),
    "base64 in capitals": part(PLAIN, "RDQ=\n", "Content-Transfer-Encoding: BASE64 "),
    "base64 and a list's footer": part(
        PLAIN,
        base64.encodebytes(b"D4\n\nHello") + b"_______\nGo players' list\n",
        "Content-Transfer-Encoding: base64",
    ),
    "base64 broken": part(PLAIN, "RDQK!!!!\n", "Content-Transfer-Encoding: base64"),
    "base64 that is none": part(PLAIN, "D4", "Content-Transfer-Encoding: base64"),
    "base64 that is none, with words": part(
        PLAIN,
        "D4\n\nThank you, and good luck!\n" + "So long! " * 20,
        "Content-Transfer-Encoding: base64",
    ),
    "base64 that is HTML": part(
        "text/html", "<p>D4</p><p>Grüße</p>", "Content-Transfer-Encoding: base64"
    ),
    "base64 of two bytes a letter": part(
        "text/plain; charset=utf-16",
        base64.encodebytes("D4\n手".encode("utf-16")),
        "Content-Transfer-Encoding: base64",
    ),
    "another amp part": multi(
        "alternative", part(PLAIN, "D4"), part("text/x-amp-html", "<p>resign</p>")
    ),
}


@each_row("name", LETTERS)
def test_the_text_is_found_in_any_structure(name: str) -> None:
    """The first line that the person wrote, whatever attachments and wrappings there are."""
    assert lines(LETTERS[name])[0] == "D4"


@pytest.mark.parametrize("word", ["D4", "Q16", "pass", "undo", "done", "show", "resign", "accept"])
@each_row("more", ["", "\n", "\n\nGood luck, and bye!\n", "\n\nGrüße\n"])
def test_plain_text_labelled_base64_is_read(word: str, more: str) -> None:
    """It does not decode to text."""
    plain = part(PLAIN, word + more, "Content-Transfer-Encoding: base64")
    assert "\n".join(lines(plain)) == f"{word}{more}".strip()


@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "", "gb2312", "iso-2022-jp"])
@each_row("text", ["D4", "pass\n", "D4\n\nschön!", "D4\n好棋"])
def test_base64_is_decoded(charset: str, text: str) -> None:
    """However short, in any charset."""
    try:
        content = base64.encodebytes(text.encode(charset or "latin-1"))
    except UnicodeError:
        return
    kind = f"text/plain; charset={charset}" if charset else "text/plain"
    found = lines(part(kind, content, "Content-Transfer-Encoding: base64"))
    assert "\n".join(found) == text.strip()


def test_flowed_lines_are_joined() -> None:
    """If they break at the margin; a short line was ended by hand."""
    long = "This is a line that a mail program has wrapped at its margin, softly, \nhere."
    assert lines(part(f"{PLAIN}; format=flowed", f"D4 \n{long}")) == ("D4", long.replace("\n", ""))


WRAPPED = "B5. I write this on the train to Leeds, Margaret, which leaves from my\nplatform A1!"
WHOLE = WRAPPED.replace("\n", " ")


@pytest.mark.parametrize(
    ("html", "found"),
    [
        (f"<div dir=ltr>{WHOLE}<div><br></div><div>Bye</div></div>", (WHOLE, "", "Bye")),
        (f"<p>{WRAPPED.replace(chr(10), '<br>')}</p><p>Bye</p>", (*WRAPPED.split("\n"), "", "Bye")),
        ("", (*WRAPPED.split("\n"), "", "Bye")),
    ],
)
def test_wrapped_lines_are_joined_as_the_html_has_them(html: str, found: tuple[str, ...]) -> None:
    """Gmail wraps the plain part; in a letter without HTML a person may have ended each line."""
    plain = part(PLAIN, f"{WRAPPED}\n\nBye\n\n> resign\n")
    letter = multi("alternative", plain, part("text/html", html)) if html else plain
    assert lines(letter) == found


@pytest.mark.parametrize(
    "top", [f"{'_' * 52}\nDear all", f"{'-' * 12} Original Message {'-' * 12}"]
)
def test_no_line_is_joined_below_a_rule_or_a_title(top: str) -> None:
    """A command that was quoted there stays below it."""
    html = f"<div>{top.replace(chr(10), ' ')} resign</div>"
    letter = multi("alternative", part(PLAIN, f"{top}\nresign\n"), part("text/html", html))
    assert lines(letter) == ()


@pytest.mark.parametrize(
    ("charset", "content"),
    [
        ("iso-2022-jp", b"\x1b$B%Q%9\x1b(B\n\x1b$B-!\x1b(B\n"),
        ("shift_jis", "パス\n".encode("shift_jis") + b"\xfd\xfe\n"),
        ("gb2312", "パス\n".encode("gb2312") + b"\xff\n"),
        ("euc-kr", "パス\n".encode("cp949") + b"\xff\n"),
        ("big5", "パス\n".encode("cp950") + b"\xff\n"),
    ],
)
def test_a_broken_character_spoils_no_others(charset: str, content: bytes) -> None:
    """Nor does one of a vendor's variant of the charset."""
    assert lines(part(f"text/plain; charset={charset}", content))[0] == "パス"


def test_damaged_quoted_printable_is_read() -> None:
    """Invalid codes stay; spaces before a soft line break are removed."""
    text = b"D4\n= 3=dcber=  \nall=\t\r\n =zz =4 a=b==20x=\n"
    field, latin = "Content-Transfer-Encoding: quoted-printable", "text/plain; charset=iso-8859-1"
    assert lines(part(latin, text, field)) == ("D4", "= 3Überall =zz =4 a=b=20x")
    assert lines(part(latin, b"D4\n\xfcber=dc =E4 \xa4", field)) == ("D4", "überÜ ä ¤")


@pytest.mark.parametrize(
    "charset",
    [
        *("utf-7", "zlib_codec", "rot13", "unicode_escape", "raw_unicode_escape", "idna", "hex"),
        *("punycode", "base64", "undefined", "bz2", "uu", "quopri", "mbcs", "../x", "x" * 900),
    ],
)
def test_codecs_that_are_no_charsets_are_not_used(charset: str) -> None:
    """Python's other codecs, and UTF-7, would show hidden text."""
    text = r"D4 +AHI-esign erfvta \x72esign"
    for kind in (f'text/plain; charset="{charset}"', f"text/plain; charset={charset}"):
        assert lines(part(kind, text)) == (text,)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (multi("digest", part(PLAIN, "resign\n")), "forwarded whole"),
        (multi("digest", b"\n" + FORWARDED), "forwarded whole"),
        (multi("mixed", part(PLAIN, "\n"), part("message/rfc822", FORWARDED)), "forwarded whole"),
        (part("message/partial; id=x; number=1; total=2", FORWARDED), "into pieces"),
        (part("text/rtf", r"{\rtf1 resign}"), "Rich Text"),
    ],
)
def test_forwarded_and_partial_letters_are_refused(content: bytes, message: str) -> None:
    """None of their text is executed; the refusal says why."""
    letter = read_body(content)
    assert letter.text.strip() == ""
    assert message in letter.obstacle


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


@each_row("html", LINES["quoted or hidden HTML"])
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
