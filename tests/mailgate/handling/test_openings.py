"""Records as initial positions: when they are read; scenes have the rest."""

from email.message import EmailMessage

from godaemon.records.sgf import parse_sgf
from mailgate.handling.parsed_letter import parse_letter
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.gateway import Gateway, Person

CORNER = b"(;GM[1]SZ[5]KM[0.5]RU[Chinese]PL[W]AB[bb][cb][db]AW[bc][cc])"


def attached(person: Person, text: str, content: bytes, name: str = "game.sgf") -> EmailMessage:
    letter = person.letter(text)
    letter.add_attachment(content, "application", "octet-stream", filename=name)
    return letter


def test_a_record_is_parsed_before_the_transaction() -> None:
    """Only for a proposal."""
    alice = Gateway().person("Alice")
    for text, is_read in (("new vs bob@players.example", True), ("games", False)):
        letter = bytes(attached(alice, text, CORNER))
        parsed = parse_letter(InboundLetter("go@go.example", alice.address, letter))
        assert (parsed.record == parse_sgf(CORNER)) is is_read


def test_the_proposer_learns_what_was_not_read_of_a_record() -> None:
    """Before they confirm; the opponent does not."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    cut = "(;SZ[9]PB[古力]KM[3.75];B[ee](;W[cc];B[gg])(;W[gc];B[c".encode("utf-16")
    alice.post(attached(alice, f"new vs {bob.address}", cut))
    text = alice.words()
    assert "About the record you attached: The file has errors" in text
    assert "There are variations beside the main line" in text
    alice.reply("yes")
    bob.reply("accept")
    assert gateway.game().spec.komi == 7.5
    assert gateway.game().move_number == 3
    assert "attached: The file" not in bob.words()


def test_an_encoded_file_name_is_decoded() -> None:
    """As mail programs write other scripts."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    name = "=?utf-8?B?5qOL6LCxLnNnZg==?="
    alice.post(attached(alice, f"new vs {alice.address}", CORNER, name))
    alice.reply("yes")
    assert alice.reply("D3").event == "accepted"
