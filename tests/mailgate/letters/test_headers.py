"""Header fields of letters: each game is one conversation in every mail program."""

import base64
from dataclasses import replace
from email.utils import parsedate_to_datetime

import pytest

from godaemon.config.checks import MAX_LOCAL_PART
from godaemon.games import commands as cmd
from godaemon.games.model import Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.player_settings import Profile
from godaemon.rules.points import Size
from godaemon.texts.catalogue import say, speaking
from mailgate import tokens
from mailgate.address import display_address, parse_address
from mailgate.letters import headers
from mailgate.letters.compose import Composer
from tests.support.letters import parsed
from tests.support.mailto import clicks
from tests.support.played_games import KEY, PlayedGames, PostedLetter

MOVES = "E5 C3 G7 G3 C7 D3 E3 E4 D4 F4 F5 E2 G4 F3 C4 B4 B5 F2 pass pass"
GAME = cmd.Propose("bob@players.example", Size(9, 9))


@pytest.fixture(scope="module")
def letters() -> list[PostedLetter]:
    """All letters of a game, to its end."""
    games = PlayedGames()
    games.start(GAME)
    games.play(MOVES)
    games.act(Seat.BLACK, cmd.Done())
    games.act(Seat.WHITE, cmd.Done())
    return games.letters()


# -- conversations -----------------------------------------------------------------------------
def test_two_games_are_two_threads() -> None:
    """Of one pair of players, at one time."""
    games = PlayedGames()
    for number in (1, 2):
        games.propose("alice", GAME)
        games.act(Seat.PROPOSER, cmd.Yes(), game=number)
    both = [one.letter for one in games.letters() if one.kind == "invitation"]
    assert len({str(one["Thread-Index"]) for one in both}) == 2
    assert len({str(one["References"]).split()[0] for one in both}) == 2


def test_all_letters_of_a_game_have_one_subject(letters: list[PostedLetter]) -> None:
    """Gmail requires it. The proposal may differ, as it may not know the name yet."""
    proposed = {"confirm", "invited", "invitation"}
    for name, other in (("alice", "Bob"), ("bob", "Alice")):
        mine = [one for one in letters if name in str(one.letter["To"])]
        played = [one for one in mine if one.kind not in proposed]
        subjects = {str(one.letter["Subject"]) for one in played}
        subjects |= {click.subject for one in played for click in clicks(one.html)}
        assert {one.removeprefix("Re: ") for one in subjects} == {f"Go game 1 with {other}"}


@pytest.mark.parametrize("language", ["de", "ja"])
def test_the_subject_is_translated_and_the_thread_is_kept(
    letters: list[PostedLetter], language: str
) -> None:
    """Also in clicks; References do not change."""
    games, played = PlayedGames(), {"your-turn", "moved", "refused", "finished"}
    subjects = set[str]()
    for one in letters:
        if one.data.notice.to == "alice@players.example" and one.kind in played:
            there = PostedLetter(
                replace(one.data, reader=Profile(language=language)), games.composer
            )
            assert there.letter["References"] == one.letter["References"]
            subjects |= {str(there.letter["Subject"])}
            subjects |= {click.subject.removeprefix("Re: ") for click in clicks(there.html)}
    with speaking(language):
        assert subjects == {say("subject-with", game=1, who="Bob")}


def test_a_game_has_one_thread_index_and_root(letters: list[PostedLetter]) -> None:
    """Outlook reads Thread-Index; others read the first reference."""
    (index,) = {str(one.letter["Thread-Index"]) for one in letters}
    raw = base64.b64decode(index, validate=True)
    assert (len(raw), raw[0]) == (22, 1)
    assert {str(one.letter["References"]).split()[0] for one in letters} == {
        str(letters[0].letter["References"]).split()[0]
    }


def test_references_stay_short_and_keep_the_root() -> None:
    """After hundreds of letters there are two: the game, and the letter that is answered."""
    games = PlayedGames()
    now = games.start(GAME).length
    first = games.letters()[0].letter
    root = str(first["References"]).split()[0]
    for number in range(3):
        parent = f"<{'x' * 200}{number}@players.example>"
        to, white = "bob@players.example", Seat.WHITE
        games.queue(Notice(Kind.SHOW, to, game=1, seat=white, since=now, until=now, answers=parent))
        (letter,) = games.letters()
        assert str(letter.letter["References"]).split() == [root, parent]
        assert str(letter.letter["In-Reply-To"]) == parent


# -- every letter ------------------------------------------------------------------------------
def test_every_letter_has_its_headers_once(letters: list[PostedLetter]) -> None:
    """With its own date, in the reader's language, and short enough for any server."""
    once = ["From", "To", "Subject", "Date", "Message-ID", "Reply-To", "In-Reply-To", "References"]
    once += ["List-Id", "Auto-Submitted", "Content-Language", "MIME-Version", "Content-Type"]
    for one in letters:
        assert [name for name in once if len(one.letter.get_all(name, [])) != 1] == []
        assert one.letter["Content-Language"] == "en"
        assert one.letter["X-Auto-Response-Suppress"] == "All"
        assert one.letter["List-Id"] == "<go.go.example>"
        about_a_game = one.letter["X-Godaemon-Game"] is not None
        assert (one.letter["List-Unsubscribe"] is not None) == about_a_game
        moment = parsedate_to_datetime(str(one.letter["Date"]))
        assert moment == one.data.queued_at.replace(microsecond=0)
        head = one.composed.raw.partition(b"\r\n\r\n")[0].split(b"\r\n")
        assert max(map(len, head)) <= 120
    ids = [one.composed.message_id for one in letters]
    assert len(set(ids)) == len(ids)


def test_tokens_fit_the_longest_configured_address() -> None:
    """A local part has at most 64 characters."""
    ours = "g" * MAX_LOCAL_PART + "@go.example"
    token = tokens.sign(KEY, "seat", 999_999_999, "b", 99_999, 99_999)
    addresses = [
        tokens.reply_address(ours, token),
        tokens.reply_address(ours, tokens.sign(KEY, "held", 999_999_999)),
        tokens.reply_address(ours, tokens.sign(KEY, "moving", 999_999_999, "n")),
        tokens.return_path(KEY, ours, "0" * 16),
    ]
    assert max(len(one.partition("@")[0]) for one in addresses) <= 64
    assert all(tokens.token_of(one, ours) for one in addresses)


# -- names and addresses of all the world ------------------------------------------------------
@pytest.mark.parametrize("name", ["Ægir Ödegård-Müller", "李世乭", "شيرين"])
def test_names_in_other_scripts_are_encoded(name: str) -> None:
    """As encoded words (RFC 2047) in the subject, as they are in the text."""
    games = PlayedGames()
    games.propose("alice", GAME, name=name)
    games.act(Seat.PROPOSER, cmd.Yes())
    games.act(Seat.INVITED, cmd.Yes())
    (posted,) = (
        one
        for one in games.letters()
        if one.letter["To"] == "bob@players.example" and one.kind == "started"
    )
    assert posted.composed.raw.isascii()
    assert str(posted.letter["Subject"]) == f"Go game 1 with {name}"
    assert name in posted.text
    head = posted.composed.raw.partition(b"\r\n\r\n")[0].split(b"\r\n")
    assert all(len(line) <= 76 for line in head if b"=?" in line)


def test_the_operators_display_name_is_encoded() -> None:
    """In From and Reply-To."""
    games = PlayedGames()
    games.composer = Composer(KEY, "go@go.example", "Go per E-Mail, für alle", invitation_days=14)
    games.propose("alice", GAME)
    letter = games.letters()[0].letter
    assert str(letter["From"]) == '"Go per E-Mail, für alle" <go@go.example>'
    assert str(letter["Reply-To"]).startswith('"Go per E-Mail, für alle" <go+')


IDN = ["bob@münchen.example", "bob@MÜNCHEN.example", "Bob@xn--mnchen-3ya.example"]


@pytest.mark.parametrize("written", IDN)
def test_an_international_domain_has_one_spelling(written: str) -> None:
    """Letters use its form in DNS; people see the other."""
    games = PlayedGames()
    bob = parse_address(written)
    assert bob.address.casefold() == "bob@xn--mnchen-3ya.example"
    games.propose("alice", cmd.Propose(bob.address, Size(9, 9)))
    games.act(Seat.PROPOSER, cmd.Yes())
    letters = {one.kind: one for one in games.letters()}
    confirm, invitation = letters["confirm"], letters["invitation"]
    assert invitation.composed.raw.isascii()
    assert str(invitation.letter["To"]).lower() == "bob@xn--mnchen-3ya.example"
    assert "@münchen.example" in confirm.text


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("bob@xn--mnchen-3ya.example", "bob@münchen.example"),
        ("bob@xn--wgv71a119e.example", "bob@日本語.example"),
        ("bob@players.example", "bob@players.example"),
        ("bob@xn--pypal-4ve.example", "bob@xn--pypal-4ve.example"),  # a Cyrillic a
        ("bob@xn--e1afmkfd.example", "bob@xn--e1afmkfd.example"),  # Cyrillic throughout
        ("bob@xn--zzzzzzzz99999.example", "bob@xn--zzzzzzzz99999.example"),
        ("bob@xn--.example", "bob@xn--.example"),
    ],
)
def test_a_lookalike_domain_is_shown_in_ascii(address: str, shown: str) -> None:
    """Players are asked whether a letter from there was theirs."""
    assert display_address(address) == shown


def test_a_letter_to_a_utf8_address_has_utf8_headers() -> None:
    """Only such recipients can receive them (RFC 6532)."""
    games = PlayedGames()
    games.queue(Notice(Kind.HELP, "bøb@players.example"))
    (posted,) = games.letters()
    assert "To: bøb@players.example\r\n".encode() in posted.composed.raw
    assert parsed(posted.composed.raw)["To"] == "bøb@players.example"


@pytest.mark.parametrize(
    ("lines", "plain"),
    [
        (("x" * 900, "", "x" * 900), True),
        (("x" * 901,), False),
        (("x", "x" * 901, "x"), False),
        (("x" * 900, "x" * 901), False),
        (("", "x" * 950), False),
    ],
)
def test_only_parts_with_long_lines_are_encoded(lines: tuple[str, ...], plain: bool) -> None:
    part = b"".join(headers.text_part("\n".join(lines), "plain"))
    assert (b"7bit" in part) is plain
    assert max(map(len, part.split(b"\r\n"))) <= 998
