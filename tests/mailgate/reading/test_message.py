"""Letters as bytes: from real programs, and malformed ones; and their authors."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.errors import Unreadable
from mailgate.address import Address, parse_address
from mailgate.reading.message import Letter, find_author, read_letter
from mailgate.reading.mime import header_words
from mailgate.reading.reply_trimming import new_text
from mailgate.tokens import tokens_of
from tests.support import places
from tests.support.examples import examples
from tests.support.rows import each_row

LETTERS = places.DATA / "letters"
NICE = ("D4", "Nice game so far!")

NEW_TEXT = {
    "gmail": NICE,
    "gmail-html-only": NICE,
    "outlook-html-only": NICE,
    "outlook-web": NICE,
    "apple-mail": NICE,
    "iphone-html-only": NICE,
    "thunderbird-flowed": (
        "D4",
        "",
        "Nice game so far! I had not seen that this corner could still be saved, well done.",
    ),
    "delsp": NICE,
    "thunderbird-html-only": NICE,
    "yahoo-html-only": NICE,
    "proton-html-only": NICE,
    "neomutt": NICE,
    "answered-below": NICE,
    "latin1-undeclared": ("D4", "Das war schön!"),
    "charset-wrong": ("D4", "Das war schön!"),
    "charset-unknown": ("D4", "Das war schön!"),
    "iso-2022-jp": ("Ｄ４", "面白いですね"),
    "gb2312-base64": ("D4", "很好！"),
    "bare": (),
    "no-header": ("D4",),
    "signed": NICE,
    "forwarded": (),
    "attachment-first": NICE,
    "winmail": NICE,
    "empty-plain-part": NICE,
    "list": ("D4",),
}
"""The new text of each letter in tests/data/letters."""


def letter(name: str) -> Letter:
    """A letter of tests/data/letters, as it came to the game's address."""
    raw = (LETTERS / f"{name}.eml").read_bytes()
    return read_letter(raw, sender="bob@players.example", recipient="go@example.org")


def plain(header: str, body: str = "D4\n", recipient: str = "go@example.org") -> Letter:
    raw = f"{header}\n\n{body}".encode()
    return read_letter(raw, sender="bob@players.example", recipient=recipient)


@each_row("name", NEW_TEXT)
def test_the_new_text_is_found(name: str) -> None:
    """Exactly what its writer wrote, in each program's letter."""
    assert new_text(letter(name).text) == NEW_TEXT[name]


def test_every_letter_file_is_tested() -> None:
    """No letter lies among the data without being looked at."""
    others = {"vacation", "two-authors"}
    assert {path.stem for path in LETTERS.glob("*.eml")} == {*NEW_TEXT, *others}


def test_header_fields_are_read() -> None:
    """The envelope, From, the references from the newest on, and their tokens."""
    found = letter("gmail")
    assert found.sender == Address("bob@players.example", "Bob")
    assert found.recipient == "go@example.org"
    assert found.envelope_sender == "bob@players.example"
    assert found.message_id == "<reply-1@players.example>"
    assert found.references == (
        "<34-b-57-2-mfrggzdfmztwq2lk.9@example.org>",
        "<34-b-1-0-mfrggzdfmztwq2la.1@example.org>",
    )
    assert [token.fields[2] for token in tokens_of(found.references)] == [57, 1]
    assert found.subject == "Re: [godaemon 34] Alice - Bob"
    assert (found.automatic, found.bulk) == (None, False)


@pytest.mark.parametrize(
    ("encoded", "decoded"),
    [
        ("=?utf-8?q?Caf=C3=A9?=", "Café"),
        ("=?utf-8?b?Q2Fmw6k=?= au lait", "Café au lait"),
        ("=?utf-8?q?Caf=C3?= =?utf-8?q?=A9?=", "Café"),
        ("=?utf-8?q?a?=\n =?iso-8859-1?q?=E9?=", "aé"),
        ("=?no-such?q?a?=", "a"),
        ("=?utf-8?b?!!!?=", ""),
        ("plain =? text", "plain =? text"),
    ],
)
def test_encoded_words_are_decoded(encoded: str, decoded: str) -> None:
    """As programs really write them (RFC 2047), with broken characters and unknown charsets."""
    assert header_words(encoded) == decoded


def test_automatic_and_bulk_letters_are_distinguished() -> None:
    """A vacation reply is automatic; a letter by a list is bulk."""
    assert letter("vacation").automatic == "Auto-Submitted: auto-replied"
    assert (letter("list").automatic, letter("list").bulk) == (None, True)


@pytest.mark.parametrize(("hops", "sign"), [(100, None), (101, "too many hops")])
def test_a_looping_email_is_automatic(hops: int, sign: str | None) -> None:
    """With more than a hundred Received fields (RFC 5321, 6.3)."""
    raw = b"Received: by a.example\r\n" * hops + b"From: bob@b.example\r\n\r\nhelp\r\n"
    assert read_letter(raw, sender="bob@b.example", recipient="go@go.example").automatic == sign


def test_the_fingerprint_ignores_transport() -> None:
    """Trace headers and line ends may change; the recipient, Message-ID and text may not."""
    header = "From: bob@x.org\nMessage-ID: <1@x.org>"
    same_letter = plain(f"Received: by y\nReturn-Path: <bob@x.org>\n{header}")
    base = plain(header)
    assert same_letter.fingerprint == base.fingerprint
    raw = f"{header}\n\nD4\n\n\n".replace("\n", "\r\n").encode()
    crlf = read_letter(raw, sender="bob@players.example", recipient="go@example.org")
    assert crlf.fingerprint == base.fingerprint
    assert plain(header, "D5\n").fingerprint != base.fingerprint
    assert plain(header, recipient="go+x@example.org").fingerprint != base.fingerprint
    other = plain("From: bob@x.org\nMessage-ID: <2@x.org>")
    assert other.fingerprint != base.fingerprint


@pytest.mark.parametrize(
    ("text", "address", "name"),
    [
        ("bob@example.org", "bob@example.org", ""),
        ("  Bob@EXAMPLE.Org ", "Bob@example.org", ""),
        ("<bob@example.org>", "bob@example.org", ""),
        ("Bob <bob@example.org>", "bob@example.org", "Bob"),
        ('"Doe, Bob" <bob@example.org>', "bob@example.org", "Doe, Bob"),
        ("Doe, Bob <bob@example.org>", "bob@example.org", "Doe, Bob"),
        ("bob@example.org (Bob)", "bob@example.org", ""),
        ("bob@bücher.example", "bob@xn--bcher-kva.example", ""),
        ("bob+go@localhost", "bob+go@localhost", ""),
        ("bob@example.org.", "bob@example.org", ""),
        ("bøb@example.org", "bøb@example.org", ""),
        ("B\tob\x1b\u202e <bob@example.org>", "bob@example.org", "B ob"),
        ("müller@players.example", "müller@players.example", ""),
        *(
            (f'"{name}" <a@b.example>', "a@b.example", name)
            for name in (
                "J. R. Smith",
                "St.John",
                "Dr.Who",
                "Anna-Lena v.d.Berg",
                "Ms. O'Neil, Ph.D.",
            )
        ),
    ],
)
def test_addresses_are_normalised(text: str, address: str, name: str) -> None:
    """One spelling for each mailbox, and a name that is safe to show."""
    assert parse_address(text) == Address(address, name)


@each_row(
    "text",
    [
        *("", "bob", "@", "bob@", "@example.org", "a@b@c", "a b@example.org", "bob@exa mple.org"),
        *("bob@[127.0.0.1]", '"b ob"@example.org', "a@x.org, b@x.org", "<a@x.org> b@x.org"),
        *("bob@-x.org", "bob@x..org", "bob@x.org\nBcc: eve@x.org", "a@x.org)b@y.org"),
        "a" * 65 + "@x.org",
        # What folds into another address, and marks that nobody sees.
        *(f"{one}@players.example" for one in ("straße", "\u017fam", "\ufb01sh", "o\u017fcar")),
        *(f"al{mark}ice@players.example" for mark in "\u200b\u200d\u2060\ufeff\u00ad\u202e"),
        *("bob@" + "a" * 300, "bob@x.org>", "bob.@x.org", "b\x00b@x.org", "bob@xn--\u20ac.org"),
    ],
)
def test_malformed_addresses_are_refused(text: str) -> None:
    """They are never guessed."""
    with pytest.raises(Unreadable):
        parse_address(text)


_HEADERS = st.sampled_from(
    [
        *("Content-Type: text/plain; charset=", "Content-Type: multipart/mixed; boundary=b"),
        *("Content-Type: text/html", "Content-Transfer-Encoding: base64", "From: =?utf-8?b?"),
        *("Content-Type: text/plain; charset*0*=''%", "Content-Transfer-Encoding: x-uuencode"),
        *("Content-Type: message/rfc822", "Subject: =?x?q?=?=", "References: <<<>>", "--b", "", ""),
        *("Content-Type: text/plain; format=flowed; delsp=yes", "From: a@[", "begin 644 x"),
        "--b--",
        *("Content-Type:", 'Content-Disposition: ;;="', "<blockquote", "</div>", "=FF=\xff", " x"),
    ]
)


@given(st.binary(max_size=2_000))
def test_any_bytes_are_read_or_unreadable(raw: bytes) -> None:
    """Nothing but `Unreadable` is raised."""
    try:
        found = read_letter(raw, sender="a@b.c", recipient="go@example.org")
    except Unreadable:
        return
    assert found.message_id.isascii()


@settings(max_examples=examples(300))
@given(st.lists(_HEADERS | st.text(max_size=20), max_size=20), st.sampled_from(["\n", "\r\n"]))
def test_any_mime_structure_is_read_or_unreadable(lines: list[str], end: str) -> None:
    """Pieces of real letters in any order."""
    raw = end.join(lines).encode("utf-8", "replace")
    try:
        read_letter(raw, sender="a@b.c", recipient="go@example.org")
    except Unreadable:
        return


@given(st.text())
def test_any_text_is_an_address_or_unreadable(text: str) -> None:
    """The address of one is parsed to itself."""
    try:
        found = parse_address(text)
    except Unreadable:
        return
    assert parse_address(found.address).address.casefold() == found.address.casefold()


HOSTILE_HTML = [
    *("<div>", "<![", "<!--", "<a ", "</b", "<b></i>", "&", "<a b='", "<!DOCTYPE [", "<![CDATA["),
    *("<script>", "<script></", "</", "<?", "<div class=", "<table><td>", "<p><b>", "&#", "<b/"),
    *("<td>", "<td> ", "<div>x", "<table><tr><td>&nbsp;&amp;D4<br>\n", "<pre> "),
    "<div><p>x<b>D4</b>\n",
    *("<blockquote>", "<a ''", '<a "<a"" ', "<textarea></", "</p>", "<p></b>"),
]


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_many_lines_below_nested_parts_take_bounded_time() -> None:
    """`test_reading_time` has other hostile letters."""
    typed = b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n"
    raw = b"".join(typed % (one, one) for one in range(60)) + b"x\n" * 800_000
    assert len(read_letter(raw, sender="a@b.c", recipient="go@example.org").text) <= 64 * 1024


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("piece", HOSTILE_HTML)
def test_hostile_html_takes_bounded_time(piece: str) -> None:
    """Unclosed tags could make Python's HTML parser quadratic."""
    raw = b"Content-Type: text/html\n\n" + (piece * (400_000 // len(piece))).encode()
    read_letter(raw, sender="a@b.c", recipient="go@example.org")


BOB = "bob@players.example"


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (f"Bob Okafor <{BOB}>", "Bob Okafor"),
        (f"{BOB} (Bob Okafor)", "Bob Okafor"),
        (f"(at home) Bob Okafor <{BOB}>", "Bob Okafor"),
        (f"Bob Okafor (at (his) home) <{BOB}> (again)", "Bob Okafor"),
        (f'Bob "Bobby" Okafor <{BOB}>', "Bob Bobby Okafor"),
        (f'"Bob" Okafor <{BOB}>', "Bob Okafor"),
        (f'"Okafor, Bob" <{BOB}>', "Okafor, Bob"),
        (f"Okafor, Bob <{BOB}>", "Okafor, Bob"),
        (f'"Bob Okafor (Acme, Inc.)" <{BOB}>', "Bob Okafor"),
        (f'"Bob Okafor [EXT]" <{BOB}>', "Bob Okafor"),
        (f"'Bob Okafor' <{BOB}>", "Bob Okafor"),
        (f"“Bob Okafor” <{BOB}>", "Bob Okafor"),
        (f'"Bob \\"Bobby\\" Okafor" <{BOB}>', 'Bob "Bobby" Okafor'),
        (f"=?utf-8?q?Bob_=C3=98kafor?= <{BOB}>", "Bob Økafor"),
        (f"=?utf-8?q?=C3=98kafor,_Bob?= (=?utf-8?q?=C3=A9?=) <{BOB}>", "Økafor, Bob"),
        (f"=?utf-8?q?Bob_(work)?= <{BOB}>", "Bob"),
        (f'"{BOB}" <{BOB}>', ""),
        (f"Bob <{BOB}>,", "Bob"),
        (f"<{BOB}>", ""),
        ('Bob <"bob"@players.example>', "Bob"),
        ('"bob"@players.example (Bob)', "Bob"),
        ("bob (mine) @ (work) players.example", "mine work"),
        ("Bob <bob @ players.example>", "Bob"),
    ],
)
def test_the_author_is_read_from_any_form(written: str, name: str) -> None:
    """Name and address in any order; a name is never an address."""
    assert find_author(written, "eve@players.example") == (Address(BOB, name), False)


@pytest.mark.parametrize(
    ("sender", "author"),
    [
        (f"Bob <{BOB}>", BOB),
        ("office@players.example", "office@players.example"),
        (f"{BOB}, al@players.example", None),
        ("", None),
    ],
)
def test_sender_decides_between_several_authors(sender: str, author: str | None) -> None:
    """RFC 5322, 3.6.2: it must name one of them."""
    for several in (f"al@players.example, {BOB}", f'"Al, A." <al@players.example>, Bob <{BOB}>'):
        found, many = find_author(several, sender)
        assert (found.address if found else None, many) == (author, True)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "undisclosed",
        "<a@x.example> <b@x.example>",
        "<a@x.example> b@x.example",
        "Friends: a@x.example;",
        '"Al <a@x.example>"',
        '"a b"@x.example',
        '"b@y.example"@x.example',
        "b@y.example a @ x.example",
        "a @ x.example @ y.example",
        "=?utf-8?q?Al_=3Ca=40x.example=3E?=",
    ],
)
def test_an_ambiguous_author_is_none(written: str) -> None:
    """Programs could differ about who wrote such a letter."""
    assert find_author(written, "")[0] is None


@given(st.text(max_size=200), st.text(st.sampled_from('"<>(),@ab.\\ =?'), max_size=60))
def test_any_field_is_read(one: str, other: str) -> None:
    """No field breaks the parser, and an author has one address."""
    for written in (one, other):
        found, _ = find_author(written, other)
        assert found is None or found.address.count("@") == 1


@pytest.mark.parametrize(
    ("fields", "enclosed"),
    [
        ("image/jpeg; name=cat.jpg\nContent-Disposition: inline; filename=cat.jpg", True),
        ("application/pdf\nContent-Disposition: attachment; filename=club.pdf", True),
        ("image/png\nContent-Disposition: attachment; filename=a.png\nContent-ID: <f_1>", True),
        ("image/png; name=logo.png\nContent-ID: <1>\nContent-Disposition: inline", False),
        ("application/pgp-signature; name=signature.asc", False),
        ("application/pkcs7-signature; name=smime.p7s", False),
        ("application/ms-tnef; name=winmail.dat", False),
        ("text/vcard; name=bob.vcf\nContent-Disposition: attachment", False),
        ("text/calendar; name=invite.ics", False),
        ("image/png", False),
    ],
)
def test_enclosed_files_are_no_signatures(fields: str, enclosed: bool) -> None:
    """Nor logos, visiting cards and calendars."""
    header = (
        "From: bob@players.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b"
    )
    body = f"--b\nContent-Type: text/plain\n\nD4\n--b\nContent-Type: {fields}\n\nx\n--b--\n"
    found = plain(header, body)
    assert (found.text.strip(), found.has_files) == ("D4", enclosed)
