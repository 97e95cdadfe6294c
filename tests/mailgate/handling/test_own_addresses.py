"""Several addresses of ours: data, envelopes, other programs; scenes have the rest."""

import pytest

from godaemon.games.notices import Kind
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.delivery_report import report
from tests.support.gateway import ADDRESS, Gateway

CLUB, LATE = "play@club.example", "late@club.example"


@pytest.fixture
def gateway() -> Gateway:
    """One with three addresses; Alice plays Bob at the club's."""
    gateway = Gateway(others={CLUB: "The Go Club", LATE: "Late"})
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    alice.write(f"new 9x9 as black vs {bob.address}", to=CLUB)
    alice.reply("yes")
    bob.reply("accept")
    return gateway


def test_the_export_has_the_address_we_answer_from(gateway: Gateway) -> None:
    """It is stored with the player."""
    alice = gateway.person("Alice")
    alice.reply("export")
    about = alice.newest(Kind.EXPORT).notice.about
    assert about["settings"]["answered_from"] == CLUB
    assert about["settings_by_game"]["1"]["answered_from"] == CLUB


def test_a_removed_address_falls_back_to_the_main_one(gateway: Gateway) -> None:
    """Also for letters already queued."""
    gateway.others, bob = {LATE: "Late"}, gateway.person("Bob")
    assert bob.read()["From"] == f"Go by mail <{ADDRESS}>"
    path = gateway.composer.return_path(bob.newest().uid, CLUB)
    assert path.startswith("go+bounce-")
    assert path.endswith("@go.example")


@pytest.mark.parametrize("ours", [ADDRESS, CLUB, LATE])
def test_our_own_addresses_get_no_answer(gateway: Gateway, ours: str) -> None:
    """Two of them would answer each other forever."""
    own = gateway.person("Go", ours)
    assert own.write("help", to=CLUB).event == "ignored"
    assert own.letters() == []


def test_a_bounce_to_another_of_our_addresses_counts(gateway: Gateway) -> None:
    """By the token of the return path."""
    gateway.person("Alice").reply("D4")
    gateway.send()
    path = gateway.composer.return_path(gateway.person("Bob").newest().uid, CLUB)
    assert path.startswith("play+bounce-")
    assert gateway.take(InboundLetter(path, "", report(to=path))).event == "bounced"
