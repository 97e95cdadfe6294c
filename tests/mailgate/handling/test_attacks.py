"""Attacks by letter: a class for each, and its outcome.

| attack                           | what it comes to                                            |
|----------------------------------|-------------------------------------------------------------|
| header injection                 | a name, a subject, a Message-ID or words stay what they are |
| HTML and CSS injection           | shown as the words they are, in both parts of the letter    |
| NUL, invalid UTF-8, turned text  | taken out or replaced; the move beside it is made           |
| bombs of MIME, HTML and zip      | the same few calls and bytes, however large they are        |
| a replayed letter                | known again, by whatever road it comes                      |
| an old token                     | nothing is done; `resign` is asked to be confirmed          |
| a guessed token                  | nothing, no word about any game, and silence after a while  |
| a forged quotation               | not read                                                    |
| a loop with ourselves            | none of our letters is ever answered                        |
| backscatter, answering machines  | neither read nor answered, in any language                  |
"""

import random
from dataclasses import replace

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from godaemon.errors import Unreadable
from godaemon.games.notices import DueNotice, Kind
from mailgate import tokens
from mailgate.handling.parsed_letter import parse_letter
from mailgate.letters.letter_data import load_letter_data
from mailgate.reading import mime
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.cost import calls, peak
from tests.support.gateway import ADDRESS, Gateway, Person, Table
from tests.support.letters import parsed, part


def written(gateway: Gateway, due: DueNotice) -> bytes:
    return gateway.composer.compose(load_letter_data(gateway.snapshot(), due)).raw


def page(gateway: Gateway, reader: Person) -> BeautifulSoup:
    return BeautifulSoup(part(parsed(written(gateway, reader.newest())), "html"), "html.parser")


def send(table: Table, person: Person, content: bytes) -> str:
    """Raw bytes below a From line, to the address of a person's newest letter."""
    whole = f"From: {person.address}\r\n".encode() + content
    return table.gateway.take(InboundLetter(table.seat(person), person.address, whole)).event


@pytest.fixture
def table() -> Table:
    """A game in which Alice is to make the first move."""
    return Table()


class TestHeaderInjection:
    """Whatever comes from a person stays within the header or the part it is put into."""

    def check(self, gateway: Gateway) -> None:
        """Every queued letter has our headers, each once, and no others."""
        for due in gateway.outbox:
            letter = parsed(written(gateway, due))
            names = [name.lower() for name in letter.keys()]  # noqa: SIM118 - repeated ones count
            assert len(names) == len(set(names))
            assert "bcc" not in names
            assert letter["X-Evil"] is None
            assert str(letter["To"]) == due.notice.to

    @pytest.mark.parametrize(
        "name",
        [
            "=?utf-8?q?Eve=0D=0ABcc:_victim=40x.example=0D=0AX-Evil:_1?=",
            '"Eve\\\r\n X-Evil: 1"',
            "=?utf-8?b?RXZlDQoNCjxiPmhpPC9iPg==?=",
            "Eve =?utf-8?q?=E2=80=A8X-Evil:_1?=",
            "\x0bX-Evil: 1\x0c",
        ],
    )
    def test_a_name_adds_no_header(self, name: str) -> None:
        """A display name with line ends, encoded or not."""
        gateway = Gateway()
        eve, bob = gateway.person("Eve"), gateway.person("Bob")
        raw = (
            f"From: {name} <{eve.address}>\r\nMessage-ID: <1@x>\r\n\r\nnew 9x9 vs {bob.address}\r\n"
        )
        assert gateway.take(InboundLetter(ADDRESS, eve.address, raw.encode())).event == "accepted"
        eve.reply("yes")
        bob.reply("accept")
        self.check(gateway)

    @pytest.mark.parametrize("header", ["subject", "message_id", "references", "in_reply_to"])
    def test_a_field_adds_no_header(self, table: Table, header: str) -> None:
        """A subject, Message-ID or references with line ends."""
        value = "<a@b>=?utf-8?q?=0D=0AX-Evil:_1?= \x0bX-Evil: 1 <c@d>"
        raw = f"{header.replace('_', '-')}: {value}\r\n\r\nD4\r\nhello\r\n".encode()
        assert send(table, table.alice, raw) == "accepted"
        self.check(table.gateway)

    def test_words_add_no_header(self, table: Table) -> None:
        """Nor do they end a part or the letter."""
        words = "hello\n\n--=_x_0\nContent-Type: text/html\nX-Evil: 1\n\n.\nQUIT\nBcc: x@y.example"
        table.alice.reply(f"D4\n{words}")
        self.check(table.gateway)


class TestInjectionIntoHtml:
    """What a person wrote is shown as the words it is."""

    WORDS = (
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        '</blockquote><a href="mailto:go@go.example?body=resign">D4</a>',
        "<style>.goban{display:none}</style>",
        "&lt;b&gt; &amp; {{ 7 * 7 }} {% raw %} <![CDATA[x]]> <!-- x -->",
        'style="background:url(https://evil.example/)" `resign`',
        "</title></head><body onload=x>",
        "expression(alert(1)); @import url(//evil.example)",
    )

    @pytest.mark.parametrize("words", WORDS)
    def test_words_are_shown_as_text(self, table: Table, words: str) -> None:
        """The HTML has the same tags as with harmless words."""
        table.alice.reply(f"D4\nhello {words}")
        evil = BeautifulSoup(
            part(parsed(written(table.gateway, table.bob.newest())), "html"), "html.parser"
        )
        other = Table()
        other.alice.reply("D4\nhello hello")
        plain = BeautifulSoup(
            part(parsed(written(other.gateway, other.bob.newest())), "html"), "html.parser"
        )
        assert shape(evil) == shape(plain)
        assert " ".join(words.split()) in " ".join(evil.get_text().split())

    @pytest.mark.parametrize("words", WORDS)
    def test_names_are_shown_as_text(self, words: str) -> None:
        """A display name adds no tag and no link."""
        gateway = Gateway()
        eve, bob = gateway.person("Eve"), gateway.person("Bob")
        name = words[:40].replace('"', '\\"')
        eve.write(f"new 9x9 vs {bob.address}", header={"from": f'"{name}" <{eve.address}>'})
        eve.reply("yes")
        soup = page(gateway, bob)
        assert not soup.find_all(["script", "img", "iframe", "object", "form", "base", "link"])
        assert "evil.example" not in str(soup)


def shape(soup: BeautifulSoup) -> list[tuple[str, tuple[str, ...]]]:
    """The tags of a page with the names of their attributes."""
    return [(tag.name, tuple(sorted(tag.attrs))) for tag in soup.find_all(name=True)]


class TestBytes:
    """What is no text does not keep a move from being made."""

    @pytest.mark.parametrize(
        "words",
        [
            b"D4\r\n\xff\xfe\x00 hello \xc3\x28",
            b"D\x004\r\nhello\x00",
            b"\xef\xbb\xbfD4\r\n\xed\xa0\x80 half a character",
            b"D4\r\n\x1b]0;title\x07\x1b[2J hello",
            "D4\r\nhello \u202eevil\u2066".encode(),
            b"D4\r\n\x80\x81\x8d",
            "\u2060D4\u200b\r\nhello\U000e0041".encode(),
        ],
        ids=repr,
    )
    def test_a_move_beside_invalid_bytes_is_made(self, table: Table, words: bytes) -> None:
        """The opponent's letter has no character that hides or turns text."""
        assert send(table, table.alice, b"\r\n" + words + b"\r\n") == "accepted"
        assert table.moves() == "D4"
        raw = written(table.gateway, table.bob.newest())
        text = part(parsed(raw), "plain") + part(parsed(raw), "html")
        assert not set(text) & set("\0\x1b\x07\u202e\u2066\ufffe\ud800")

    @pytest.mark.parametrize("charset", ["utf-8", "utf-16", "x-nonsense", "utf-7", "idna", "hex"])
    def test_a_false_charset_makes_no_move(self, table: Table, charset: str) -> None:
        """`+AEQANA-` is D4 in UTF-7 only."""
        head = f"Content-Type: text/plain; charset={charset}\r\n\r\n".encode()
        send(table, table.alice, head + b"+AEQANA-\r\nhello \xff\r\n")
        assert table.moves() == ""


def costly_letters(times: int) -> dict[str, bytes]:
    """Letters that are costly to read, `times` larger than needed for that."""
    typed = b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n"
    html = b"Content-Type: text/html\n\n"
    coded = b"Content-Transfer-Encoding: %s\n\n%s"
    zipped = b"Content-Type: application/zip; name=42.zip\n" + coded % (b"base64", b"UEsDBBQA\n")
    parts = b"Content-Type: multipart/mixed; boundary=b\n\n"
    return {
        "deep nesting": b"".join(typed % (i, i) for i in range(2_000 * times)),
        "NUL": b"\x00" * 1_000_000 * times,
        "ten thousand parts": parts + b"--b\nContent-Type: text/plain\n\n\n" * 10_000 * times,
        "parts without a header": parts + b"--b\n\n" * 200_000 * times,
        "letters in letters": b"Content-Type: message/rfc822\n\n" * 4_000 * times,
        "archives": parts + (b"--b\n" + zipped) * 20_000 * times,
        "long parameters": b"Content-Type: text/plain;" + b'a="b;\n ' * 300_000 * times + b"\n\nx",
        "long subject": b"Subject:" + b" =?utf-8?q?\n" * 200_000 * times + b"\n\nx",
        "long author": b"From: " + b'(<"\n ' * 400_000 * times + b"\n\nx",
        "many fields": b"X: y\n" * 400_000 * times + b"\nx",
        "references": b"References:" + b" <a@b>\n" * 300_000 * times + b"\nx",
        "flowed": b"Content-Type: text/plain; format=flowed\n\n" + b"a \n" * 700_000 * times,
        "base64": coded % (b"base64", b"AAAA\n" * 400_000 * times),
        "uuencoded": coded % (b"x-uuencode", b"begin 644 x\n" + b"M\n" * 1_000_000 * times),
        "quoted-printable": coded % (b"quoted-printable", b"=========\n" * 200_000 * times),
        "moves": b"From: a@b.c\n\n" + b"D4\n" * 700_000 * times,
        "attributions": b"From: a@b.c\n\n" + b"hello 20.11.2026 10:00 a@b:\n" * 80_000 * times,
        "HTML that never closes": html + b"<div>\n" * 350_000 * times,
        "HTML of brackets": html + b"<<<<<<<<<\n" * 210_000 * times,
        "HTML of moves": html + b"<p>D4</p>\n" * 210_000 * times,
    }


class TestBombs:
    """Reading costs the same calls and bytes, however large a letter is."""

    CALLS = 4_000_000
    BYTES = 40_000_000

    @pytest.mark.slow
    @pytest.mark.parametrize("name", costly_letters(0))
    def test_a_bomb_of_twice_the_size_costs_no_more(self, name: str) -> None:
        """Parsing stops at limits of size and depth."""
        read_or_refuse(InboundLetter(ADDRESS, "a@b.c", b"\nD4"))  # what is loaded once
        one, two = (
            InboundLetter(ADDRESS, "a@b.c", costly_letters(times)[name]) for times in (1, 2)
        )
        first, second = calls(lambda: read_or_refuse(one)), calls(lambda: read_or_refuse(two))
        assert second <= first * 1.05 + 1_000
        assert first <= self.CALLS

    @pytest.mark.parametrize("name", ["deep nesting", "archives", "HTML that never closes"])
    def test_a_bomb_of_60_mb_takes_no_more_memory(self, name: str) -> None:
        """A letter of 2 MB needs as much."""
        raw = costly_letters(1)[name]
        large = InboundLetter(ADDRESS, "a@b.c", raw * (60_000_000 // len(raw)))
        assert peak(lambda: read_or_refuse(large)) <= self.BYTES

    def test_attachments_are_not_read(self, table: Table) -> None:
        """Whatever they are called."""
        attached = (
            b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"
            b"Content-Type: application/zip; name=resign.txt\r\n\r\nresign\r\n--b\r\n"
            b"Content-Type: text/plain; name=resign.txt\r\n"
            b"Content-Disposition: attachment\r\n\r\nresign\r\n--b\r\n"
            b"Content-Type: text/plain\r\n\r\nD4\r\n--b--\r\n"
        )
        assert send(table, table.alice, attached) == "accepted"
        assert table.moves() == "D4"

    @given(
        st.lists(st.sampled_from([b"\n", b"\r", b"\r\n", b"a", b"bb"]), max_size=30).map(b"".join),
        st.integers(1, 7),
    )
    def test_the_hash_of_a_body_does_not_depend_on_its_pieces(self, raw: bytes, piece: int) -> None:
        """Wherever the pieces end."""
        lines = raw.replace(b"\r\n", b"\n")
        body = lines if lines.startswith(b"\n") else lines.partition(b"\n\n")[2]
        before, mime._PIECE = mime._PIECE, piece
        try:
            assert b"".join(mime.body_pieces(raw)) == body.strip(b"\n")
        finally:
            mime._PIECE = before


def read_or_refuse(inbound: InboundLetter) -> None:
    """Read a letter; an unreadable one is only refused."""
    try:
        parse_letter(inbound)
    except Unreadable:
        return


class TestReplay:
    """A letter that was taken once is never taken again."""

    @pytest.mark.parametrize(
        "change",
        [
            lambda raw: raw,
            lambda raw: b"Received: from x\nX-Spam: no\n" + raw,
            lambda raw: raw.replace(b"\n", b"\r\n"),
            lambda raw: raw + b"\n\n",
        ],
        ids=["as it was", "by another road", "other line ends", "blank lines below"],
    )
    def test_a_replayed_letter_has_no_effect(self, table: Table, change: object) -> None:
        """By whatever route it comes, also later in the game."""
        assert callable(change)
        table.alice.reply("D4")
        first = table.alice.posted[-1]
        table.bob.reply("E5")
        mark = len(table.gateway.outbox)
        changed = replace(first, raw=change(first.raw))
        assert table.gateway.take(changed).event == "repeated"
        assert table.moves() == "D4 E5"
        assert table.gateway.notices(mark) == []


class TestTokens:
    """Only a fresh token of ours moves a stone."""

    @pytest.mark.slow
    def test_guessed_tokens_have_one_answer(self, table: Table) -> None:
        """They change and reveal nothing."""
        good = table.gateway.token(table.alice.newest())
        chance = random.Random(34)
        letters = "abcdefghijklmnopqrstuvwxyz234567"
        for _ in range(200):
            mac = "".join(chance.choices(letters, k=16))
            to = tokens.reply_address(ADDRESS, f"{good.rpartition('-')[0]}-{mac}")
            table.eve.write("resign", to=to)
        assert table.gateway.game().result is None
        assert table.notices == [("eve", "refused")]
        assert table.eve.newest().notice.game is None

    def test_a_token_with_a_changed_character_is_invalid(self, table: Table) -> None:
        """Whichever character it is."""
        good = table.gateway.token(table.alice.newest())
        for at in range(len(good)):
            other = "b" if good[at] != "b" else "c"
            to = tokens.reply_address(ADDRESS, good[:at] + other + good[at + 1 :])
            table.alice.write("D4", to=to)
            assert table.moves() == ""
        table.alice.write("D4", to=tokens.reply_address(ADDRESS, good))
        assert table.moves() == "D4"


class TestLoops:
    """We never answer ourselves."""

    def test_our_own_letters_are_not_answered(self, table: Table) -> None:
        """Whichever kind, and whoever returns them."""
        start = table.alice.newest()
        for text in ("show", "help", "games", "sgf", "kifu", "receipts on", "i4", "hello", "D4"):
            table.alice.reply(text, to=start)
        table.bob.reply("pass")
        table.alice.reply("pass", to=table.alice.letters(Kind.YOUR_TURN)[-1])
        letters = table.gateway.outbox
        assert len({due.notice.kind for due in letters}) > 12
        for due in letters:
            raw = written(table.gateway, due)
            for to in (
                ADDRESS,
                str(parsed(raw)["Reply-To"] or ADDRESS).rpartition("<")[2].strip(">"),
            ):
                for sender in (due.notice.to, ADDRESS, "", "list@x.example"):
                    assert table.gateway.take(InboundLetter(to, sender, raw)).event in (
                        "ignored",
                        "repeated",
                    )
        assert table.gateway.outbox == letters

    def test_letters_of_another_godaemon_are_not_answered(self, table: Table) -> None:
        """Its headers identify them."""
        for due in table.gateway.outbox:
            raw = written(table.gateway, due).replace(b"go@go.example", b"go@elsewhere.example")
            assert table.gateway.take(InboundLetter(ADDRESS, "x@y.example", raw)).event == "ignored"


class TestAnsweringMachines:
    """What no person wrote is neither read nor answered, even with a good token."""

    @pytest.mark.parametrize(
        "field",
        [
            "Auto-Submitted: auto-generated (vacation)",
            "Auto-Submitted: auto-notified; owner-email=x",
            "Content-Type: multipart/report; report-type=delivery-status; boundary=x",
            "Subject: =?iso-8859-1?q?Respuesta_autom=E1tica=3A?= Go game 1",
            "Subject: =?koi8-r?b?4dfUz8/U18XU?=",
        ],
    )
    def test_automatic_mail_is_ignored(self, table: Table, field: str) -> None:
        """By its raw header fields; scenes have other cases."""
        text = "I may have to resign next week." if "Subject" in field else "resign"
        raw = f"From: {table.alice.address}\r\n{field}\r\nMessage-ID: <1@x>\r\n\r\n{text}\r\n"
        inbound = InboundLetter(table.seat(table.alice), table.alice.address, raw.encode())
        assert table.gateway.take(inbound).event == "ignored"
        assert table.notices == []

    @pytest.mark.slow
    def test_a_flood_in_a_stranger_s_name_causes_one_letter(self, table: Table) -> None:
        """They have never written to us."""
        texts = ("D4", "Buy now!", "", "yes", "i4", "resing", "show 1", "hello\n\nD4", "new ideas")
        for number in range(60):
            sender = ("spammer@s.example", "victim@v.example", "bounce@mail.v.example")[number % 3]
            for text in (
                (*texts, "new 9x9 vs bob", "I need help with my shop") if number % 3 == 0 else texts
            ):
                head = f"From: victim@v.example\r\nMessage-ID: <{number}.{len(text)}@x>\r\n"
                raw = f"{head}\r\n{text}\r\n".encode()
                table.gateway.take(InboundLetter(ADDRESS, sender, raw))
        assert table.notices == [("victim", "refused")]
