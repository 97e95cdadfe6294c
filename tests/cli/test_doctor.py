"""`godaemon doctor` finds the faults of an installation, and nothing in a sound one."""

import asyncio
import json
import re
import sqlite3
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from godaemon.cli import run
from godaemon.config.loading import parse
from godaemon.config.mail_options import Mail
from godaemon.config.settings import Settings
from godaemon.daemon import doctor_checks as examiner
from godaemon.daemon import doctor_dns
from godaemon.daemon.doctor_checks import (
    certificate_troubles,
    log_in_troubles,
    machine_troubles,
    relay_troubles,
    way_out_troubles,
)
from godaemon.errors import Refusal
from godaemon.storage import identity
from godaemon.system import outages_and_pauses as outages
from godaemon.system.clock import Clock
from tests.support import dkim_keys, places, stores
from tests.support.blocks import read_lines
from tests.support.certificate import make_certificate
from tests.support.daemon import LiveDaemon, free_port
from tests.support.name_server import NameServerHere, Records
from tests.support.odd_smtp import OddSmtp
from tests.support.sink import Sink

NAMES = {
    ("go.example", "MX"): ["10 mail.go.example."],
    ("go.example", "TXT"): ['"other" "words"', '"v=spf1 mx " "-all"'],
    ("mail.go.example", "A"): ["192.0.2.1"],
    ("1.2.0.192.in-addr.arpa", "PTR"): ["mail.go.example."],
    ("_dmarc.go.example", "TXT"): ['"v=DMARC1; p=reject"'],
}
KEY = ("go._domainkey.go.example", "TXT")


def signed(name: str = "first") -> Records:
    """The records of our domain, with a DKIM key of that name."""
    record = dkim_keys.record(name).decode()
    return {**NAMES, KEY: [f'"{record[:200]}" "{record[200:]}"']}


class Installation(LiveDaemon):
    """A daemon with a certificate, a DKIM key and a mail server of its own."""

    def __init__(self, folder: Path, smarthost: int, days: int, more: str = "") -> None:
        certificate, key = make_certificate(folder, days=days)
        dkim = folder / "dkim.key"
        dkim.touch(mode=0o600)
        dkim.write_bytes(dkim_keys.private_key())
        pair = f'tls_certificate = {{ file = "{certificate}" }}\ntls_key = {{ file = "{key}" }}\n'
        super().__init__(
            folder,
            f'[mail]\naddress = "go@go.example"\n{more}',
            smarthost=f"smtp://127.0.0.1:{smarthost}",
            gtp=f'listen = "127.0.0.1:{free_port()}"\n{pair}',
            outgoing=f'dkim_key = {{ file = "{dkim}" }}\ndkim_selector = "go"\n',
        )


def examined(live: LiveDaemon, server: NameServerHere | None = None) -> tuple[int, Any]:
    """The exit status of `doctor`, and its answer."""
    options = ("--dns", server.place) if server else ()
    done = live.command("doctor", "--json", *options, check=False)
    return done.returncode, json.loads(done.stdout)


def names_in(answer: Any) -> list[str]:  # noqa: ANN401 - JSON
    return [one["name"] for one in answer["findings"]]


def settings(text: str) -> Settings:
    return parse(text, "test", {})


@pytest.fixture
def sink() -> Iterator[Sink]:
    """A mail server that accepts everything."""
    with Sink() as taking:
        yield taking


def test_a_sound_installation_has_no_findings(tmp_path: Path, sink: Sink) -> None:
    """The answer lists what was examined; the exit status tells whether a daemon runs."""
    live = Installation(tmp_path, sink.port, 30)
    looked = [
        *(f"the configuration {live.config}", f"the log-in at smtp://127.0.0.1:{sink.port}"),
        f"permissions, disk, database and clock ({tmp_path / 'state'})",
    ]
    live.start()
    try:
        live.command("send", "alice@localhost", "new 9x9 as black vs bob@localhost")
        with NameServerHere(signed()) as server:
            status, answer = examined(live, server)
            assert (status, answer["findings"], answer["unlooked"]) == (0, [], [])
            assert {*looked, "the running daemon, and every game"} <= {*answer["looked"]}
            live.stop()
            status, answer = examined(live, server)
            assert (status, answer["findings"]) == (69, [])
            assert {*looked, "DNS of go.example", "every game"} <= {*answer["looked"]}
            assert "start it by `godaemon serve`" in answer["unlooked"][-1]
    finally:
        live.stop()


def test_faults_are_found_with_their_remedies(tmp_path: Path, sink: Sink) -> None:
    """Failures come first; doctor changes nothing."""
    live = Installation(tmp_path, sink.port, 30)
    live.start()
    try:
        for other in ("bob", "carol"):
            live.command("send", "alice@localhost", f"new 9x9 as black vs {other}@localhost")
    finally:
        live.stop()
    damage(live.folder / "state")
    password = tmp_path / "password"
    password.write_text("secret", encoding="utf-8")
    password.chmod(0o644)
    imap = (
        f'[mail.imap]\nhost = "127.0.0.1"\nport = {free_port()}\nsecurity = "none"\nuser = "go"\n'
    )
    imap += f'password = {{ file = "{password}" }}\n'
    ill = Installation(tmp_path, free_port(), 2, imap)
    right = {"go.example", "mail.go.example"}
    records = {key: found for key, found in NAMES.items() if key[0] in right and key[1] != "TXT"}
    with NameServerHere({**records, KEY: signed("second")[KEY]}) as server:
        status, answer = examined(ill, server)
        found = answer["findings"]
        named = {one["name"]: one["sentence"] for one in found}
        assert status == 2
        assert named.keys() == {
            *("configuration", "permissions", "clock-behind", "smarthost", "certificate-ends"),
            *("dns-spf", "dns-dkim", "dns-dmarc", "dns-ptr", "game-damaged", "game-stuck"),
        }
        assert [one["severity"] for one in found] == sorted(one["severity"] for one in found)
        assert "restore BACKUP --move-aside" in named["game-damaged"]
        assert "Game 2 is stuck" in named["game-stuck"]
        assert f"chmod 700 {live.folder / 'state'}" in named["permissions"]
        password.chmod(0o600)
        second = names_in(examined(ill, server)[1])
        assert {*second} == named.keys() - {"configuration"} | {"imap"}


def damage(state: Path) -> None:
    """Damage a game, drop a timer, open the folder and put the clock back."""
    stores.run_on(state, "UPDATE event SET payload = '{}' WHERE game = 1 AND number = 0")
    stores.run_on(state, "UPDATE game SET phase = 'playing', alarm = NULL WHERE id = 2")
    state.chmod(0o755)
    later = datetime.now(UTC) + timedelta(days=9)  # noqa: TID251 - of the machine's own clock
    outages._write_moments(state / outages.CLOCK_FILE, (), (), later, None)


def test_the_proposed_dkim_record_works(tmp_path: Path) -> None:
    """The command in the finding writes the text that DNS must have."""
    key = tmp_path / "dkim.key"
    key.write_bytes(dkim_keys.private_key())
    signs = f'dkim_selector = "go"\ndkim_key = {{ file = "{key}" }}\n'
    text = f'[mail]\naddress = "go@go.example"\n[mail.outgoing]\nsmarthost = "smtp://mx"\n{signs}'
    with NameServerHere(NAMES) as server:
        (finding,) = doctor_dns.doctor_dns(settings(text).mail, {}, server.place)
    command = finding.sentence.split("`")[1]
    made = subprocess.run(command, shell=True, check=True, capture_output=True, text=True).stdout
    record = finding.sentence.partition('TXT "')[2].partition('"')[0].replace("KEY", made)
    assert record == dkim_keys.record().decode()


@pytest.mark.parametrize(
    ("script", "remedy"),
    [
        ({"MAIL": "530 5.7.0 log in first"}, "It wants a user and a password"),
        ({"MAIL": "530 Must issue a STARTTLS command first"}, "write smtp+starttls:// in place"),
        ({"MAIL": "553 5.7.1 not yours"}, "are its options in [mail.outgoing] right"),
        ({"GREETING": "554 no"}, "are its options in [mail.outgoing] right"),
        ({}, ""),
    ],
)
async def test_a_mail_server_that_rejects_email_is_reported(
    script: dict[str, str | list[str]], remedy: str
) -> None:
    """The doctor sends only commands without effect, such as a sender's name."""
    async with OddSmtp(script) as server:
        text = f'[mail.outgoing]\nsmarthost = "smtp://127.0.0.1:{server.port}"'
        found = await log_in_troubles(settings(text).mail, {})
    assert [remedy in one.sentence for one in found] == [True] * bool(remedy)
    assert not server.letters


async def test_a_mail_server_without_starttls_is_reported() -> None:
    """Bug: smtp+starttls:// was to be written, as it was."""
    async with OddSmtp({}) as server:
        text = f'[mail.outgoing]\nsmarthost = "smtp+starttls://127.0.0.1:{server.port}"'
        (found,) = await log_in_troubles(settings(text).mail, {})
    assert "write smtps:// in place of smtp+starttls://" in found.sentence


def test_delivery_to_a_folder_is_reported(tmp_path: Path) -> None:
    """Where others could write to us; within a house, and for a trial, that is well."""
    for address, reported in (("go@club.org", True), ("go@localhost", False), ("go@a.test", False)):
        text = f'state_directory = "{tmp_path}"\n[mail]\naddress = "{address}"'
        found = [*way_out_troubles(settings(text))]
        assert [one.name for one in found] == ["mail-kept-here"] * reported
    elsewhere = f'[mail.outgoing]\nmaildir = "{tmp_path}/mail"'
    text = f'state_directory = "{tmp_path}/state"\n[mail]\naddress = "go@club.org"\n{elsewhere}'
    assert not [*way_out_troubles(settings(text))], "another program reads it"


VOUCHED = '[mail]\ntrusted_authserv_id = "mx.x"\n'
BOTH = '[mail.smtp]\nlisten = "127.0.0.1:8025"\n[mail.lmtp]\nlisten = '
ALONE = f"{VOUCHED}[mail.smtp]\nrelays = []\n[mail.lmtp]\nlisten = "


@pytest.mark.parametrize(
    ("sections", "places"),
    [
        ("[mail.smtp]", []),
        (VOUCHED, ["127.0.0.1:8025"]),
        (f'{VOUCHED}[mail.lmtp]\nlisten = "[::1]:24"', ["[::1]:24"]),
        (f'{VOUCHED}{BOTH}"[::1]:24"', ["127.0.0.1:8025", "[::1]:24"]),
        (f'{VOUCHED}[mail.smtp]\nrelays = ["192.0.2.1"]', []),
        (f'{ALONE}"unix:{{folder}}/0666"', ["{folder}/0666"]),
        (f'{ALONE}"unix:{{folder}}/0660"', []),
    ],
)
def test_a_listener_that_lets_local_users_vouch_for_senders_is_reported(
    tmp_path: Path, sections: str, places: list[str]
) -> None:
    """The word of a mail server is trusted there."""
    for mode in (0o666, 0o660):
        (tmp_path / f"{mode:04o}").touch()
        (tmp_path / f"{mode:04o}").chmod(mode)
    mail = settings(sections.replace("{folder}", str(tmp_path))).mail
    found = [trouble.sentence for trouble in relay_troubles(mail)]
    assert [sentence.partition(" to ")[2].split()[0] for sentence in found] == [
        place.replace("{folder}", str(tmp_path)) for place in places
    ]


def test_an_unreachable_server_is_reported() -> None:
    """An unknown host, or a port at which nothing listens."""
    for place, words in (
        ("mx.go.invalid", "There is no such host: is it spelled right in [mail.outgoing]"),
        (f"127.0.0.1:{free_port()}", "Nothing listens there"),
    ):
        found = settings(f'[mail.outgoing]\nsmarthost = "smtp://{place}"').mail
        (finding,) = asyncio.run(log_in_troubles(found, {}))
        assert words in finding.sentence


def test_a_certificate_for_another_name_is_reported(tmp_path: Path) -> None:
    """Go programs expect our name, or that of `public`."""
    certificate, key = make_certificate(
        tmp_path, names="DNS:go.example,DNS:*.club.example", days=30
    )
    pair = f'tls_certificate = {{ file = "{certificate}" }}\ntls_key = {{ file = "{key}" }}\n'
    for public, good in (
        ("go.example:7000", True),
        ("a.club.example:1", True),
        ("b.example:1", False),
    ):
        text = f'[gtp]\nlisten = "0.0.0.0:7000"\npublic = "{public}"\n{pair}'
        found = list(certificate_troubles(settings(text), {}, Clock().now()))
        assert [one.name for one in found] == ["certificate-name"] * (not good)


def test_a_socket_of_another_group_is_reported(tmp_path: Path) -> None:
    """Bug: members of the former group kept the rights of the operator."""
    socket = tmp_path / "control.sock"
    text = f'state_directory = "{tmp_path}"\n[control]\nsocket = "{socket}"\ngroup = "{{}}"\n'

    def found(group: str) -> list[str]:
        troubles = machine_troubles(settings(text.format(group)), None, Clock().now())
        return [one.sentence for one in troubles if one.name == "control-group"]

    assert found("games") == []
    socket.touch()
    assert found(socket.group()) == []
    (sentence,) = found("games")
    assert "install-units --sockets" in sentence


@pytest.mark.parametrize(
    ("output", "contained", "reported"),
    [("no", False, True), ("yes", False, False), ("no", True, False), ("", False, False)],
)
def test_an_unsynchronized_clock_is_reported(
    output: str, contained: bool, reported: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not in a container, nor without systemd."""
    program = tmp_path / "timedatectl"
    program.write_text(f'#!/bin/sh\n[ "$3" = --property=NTPSynchronized ] && echo "{output}"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(examiner, "SYSTEMD_FOLDER", tmp_path)
    monkeypatch.setattr(examiner, "BACKUPS", tmp_path / "none")
    monkeypatch.setattr(examiner, "CONTAINER_FILE", tmp_path if contained else tmp_path / "no")
    text = f'state_directory = "{tmp_path}"'
    found = machine_troubles(settings(text), None, Clock().now())
    assert [one.name for one in found] == ["clock-alone"] * reported


LOOKING = ["games"], ["players"], ["boards"], ["show", "1"], ["export", "site"]


@pytest.mark.sqlite("its file is compared")
def test_a_store_of_an_older_version_is_reported_and_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the daemon brings it up to date."""
    live = LiveDaemon(tmp_path)
    stores.create(tmp_path / "state")
    file = tmp_path / "state" / "godaemon.db"
    before = file.read_bytes()
    monkeypatch.setattr(identity, "SCHEMA", "9999")
    status = run(["doctor", "--json", "--config", str(live.config)])
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert (status, finding["name"]) == (1, "store-old")
    for words in LOOKING:
        with pytest.raises(Refusal, match="start the daemon, which brings them up to date"):
            run([*words, "--config", str(live.config)])
    assert file.read_bytes() == before


def test_a_readable_password_of_the_database_stops_the_daemon_alone(tmp_path: Path) -> None:
    """The daemon does not start, doctor finds it, and other commands work."""
    nowhere = f"postgresql://go:hush@127.0.0.1:{free_port()}/go"
    live = LiveDaemon(tmp_path, '[mail]\naddress = "go@go.example"\n', url=nowhere)
    live.config.chmod(0o644)
    refused = live.command("serve", check=False)
    _, answer = examined(live)
    sentences = [one["sentence"] for one in answer["findings"] if one["name"] == "configuration"]
    assert refused.returncode == 78
    assert len(sentences) == 1
    for text in (refused.stderr, sentences[0]):
        assert "Others on this machine can read this file" in text
    assert "mail.address" in live.command("config").stdout


def test_without_the_database_server_all_else_is_examined(tmp_path: Path) -> None:
    """The missing server is reported once."""
    nowhere = f"postgresql://go@127.0.0.1:{free_port()}/go"
    live = LiveDaemon(tmp_path, '[mail]\naddress = "go@go.example"\n', url=nowhere)
    with NameServerHere({**NAMES, ("go.example", "MX"): []}) as server:
        _, answer = examined(live, server)
    assert sorted(names_in(answer)) == ["dns-mx", "store-unusable"]


@pytest.mark.sqlite("bytes of its file")
def test_a_damaged_database_is_reported(tmp_path: Path) -> None:
    """With the command that saves the most of it. Bug: one that is no file ended the doctor."""
    live, file = LiveDaemon(tmp_path), tmp_path / "state" / "godaemon.db"
    stores.create(file.parent)
    with sqlite3.connect(file) as store:
        store.execute("PRAGMA writable_schema = ON")
        store.execute("UPDATE sqlite_master SET rootpage = 3 WHERE name = 'outbox'")
    done = live.command("doctor", check=False)
    assert (done.returncode, "godaemon backup NEW" in done.stdout) == (2, True)
    file.unlink()
    file.mkdir()
    done = live.command("doctor", check=False)
    assert (done.returncode, "failure: " in done.stdout, done.stderr) == (2, True, "")


def mail_of(address: str = "go@go.example") -> Mail:
    """The configuration of an address that sends through this machine."""
    text = f'[mail]\naddress = "{address}"\n[mail.outgoing]\nsmarthost = "smtp://localhost"'
    return settings(text).mail


@pytest.mark.parametrize(
    "line", read_lines(places.DATA / "meanings.txt")["records of DNS in place of right ones"]
)
def test_wrong_dns_records_are_reported(line: str) -> None:
    """And nothing else."""
    records, names = line.split(" => ")
    change = {
        (name, kind): list(filter(None, values.split(" & ")))
        for name, kind, values in re.findall(r"(\S+) ([A-Z]+):(?: ([^|]*[^| ]))?", records)
    }
    with NameServerHere({**NAMES, **change}) as server:
        found = list(doctor_dns.doctor_dns(mail_of(), {}, server.place))
    assert (" ".join(one.name for one in found) or "nothing") == names


def test_each_domain_is_examined_once() -> None:
    """That of another address of ours too, with the key that signs for it."""
    text = """[mail]
address = "go@go.example"
[mail.outgoing]
smarthost = "smtp://mx.example"
[[mail.addresses]]
address = "play@go.example"
[[mail.addresses]]
address = "go@club.example"
dkim_selector = "c"
dkim_key = { file = "/nowhere" }
"""
    with NameServerHere(NAMES) as server:
        found = list(doctor_dns.doctor_dns(settings(text).mail, {}, server.place))
    assert [one.name for one in found] == ["dns-mx", "dns-spf", "dns-dkim", "dns-dmarc"]
    assert all("club.example" in one.sentence for one in found)
    assert "c._domainkey.club.example" in found[2].sentence


def test_failing_dns_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is guessed."""
    monkeypatch.setattr(doctor_dns, "QUERY_TIMEOUT", 0.2)
    (finding,) = doctor_dns.doctor_dns(mail_of(), {}, f"127.0.0.1:{free_port()}")
    assert finding.name == "dns-unasked"
    assert "DNS cannot be queried here" in finding.sentence
    assert finding.sentence.count("timed out") == 1


@pytest.mark.parametrize(
    ("address", "queried"), [("go@localhost", False), ("go@go.example.org", True)]
)
def test_reserved_names_are_not_queried(
    address: str, queried: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An address of this machine alone needs no DNS."""
    monkeypatch.setattr(doctor_dns, "QUERY_TIMEOUT", 0.01)
    assert bool(list(doctor_dns.doctor_dns(mail_of(address), {}, None))) == queried


@pytest.mark.parametrize(
    ("active", "within", "words"),
    [
        ("failed", "failed", "systemd has given it up"),
        ("activating", "auto-restart", "systemd starts it over and over"),
        ("inactive", "dead", "does not run, or does not start with the machine"),
        ("activating", "start", ""),
        ("active", "running", ""),
    ],
)
def test_a_stopped_service_is_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, active: str, within: str, words: str
) -> None:
    """Also one that has failed, or is started over and over; not one that is just starting."""
    answers = {"is-active": active, "is-enabled": "enabled", "show": within}
    monkeypatch.setattr(examiner, "SERVICES", tmp_path)
    monkeypatch.setattr(examiner, "SYSTEMD_FOLDER", tmp_path)
    monkeypatch.setattr(examiner, "BACKUPS", tmp_path / "none")
    monkeypatch.setattr(examiner, "_run_tool", lambda _, question, *_words: answers[question])
    found = [*examiner.service_troubles(str(tmp_path / "godaemon.toml"), Clock().now())]
    assert [one.name for one in found] == (["service-off"] if words else [])
    assert all(words in one.sentence for one in found)


def test_an_empty_configuration_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody should take the defaults for their own choice."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    live = LiveDaemon(tmp_path)
    live.config.write_text("")
    output = live.command("doctor", check=False).stdout
    assert f"{live.config} has no options: the defaults apply" in output
