"""The manual pages render without a warning, and mention everything they must."""

import re
import shutil
import subprocess
import tomllib
from enum import Enum
from pathlib import Path

import pytest

from godaemon import cli, errors
from godaemon.cli import gtp
from godaemon.cli.command_table import COMMANDS as TABLE
from godaemon.config.mistakes import option_names
from godaemon.config.settings import Settings
from godaemon.games import commands as cmd
from godaemon.games.notices import Kind, Notice
from godaemon.rules.named_rulesets import RULESETS, parse_ruleset
from godaemon.rules.points import Size
from godaemon.rules.ruleset_terms import KEYS
from gtp.client import program
from gtp.client.options import options_of
from mailgate.handling.decision_table import ROWS
from mailgate.language.verb_table import verbs
from tests.support import gtp_page, places
from tests.support.blocks import read_lines
from tests.support.options_page import FORMS, PAGE, page, paragraphs, type_words
from tests.support.played_games import PlayedGames

PAGES = sorted((places.ROOT / "config" / "man").iterdir())
COMMANDS = (places.ROOT / "config/man/godaemon.1").read_text("utf-8").replace(r"\-", "-")
MAIL = (places.ROOT / "config/man/godaemon-mail.7").read_text("utf-8").replace(r"\-", "-")
LANGUAGES = {
    path.stem: tomllib.loads(path.read_text("utf-8"))
    for path in sorted((places.ROOT / "mailgate/language/words").glob("*.toml"))
}
MOST_STATEMENTS = 6
"""Maximum number of whole statements on the page for each verb."""
RULES = (places.ROOT / "config/man/godaemon-rules.7").read_text("utf-8").replace(r"\-", "-")


def section(page: str, title: str) -> str:
    return re.split(r"(?m)^\.SH ", page.partition(f'.SH "{title}"\n')[2])[0]


def entries(page: str, title: str) -> list[str]:
    """The bold words with which the paragraphs of a section begin."""
    heads = re.findall(r"(?m)^\.TP\n(.*)$", section(page, title))
    return [word for head in heads for word in re.findall(r"\\fB(.+?)\\fR", head)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_renders_without_a_warning(page: Path) -> None:
    """By groff, as in `man`; without groff only its lines are checked."""
    assert not re.search(r"(?m)^'|[ \t]$", page.read_text("utf-8"))
    if (groff := shutil.which("groff")) is not None:
        done = subprocess.run(
            [groff, "-man", "-ww", "-Kutf8", "-Tutf8", "-z", str(page)],
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stderr == ""


def test_the_page_of_gtp_commands_is_current() -> None:
    """It is what `python -m tests.support.gtp_page` prints from their contracts."""
    assert (places.ROOT / "config/man/godaemon-gtp.7").read_text("utf-8") == gtp_page.page()


def test_every_subcommand_has_an_entry() -> None:
    """The page has no others."""
    part = COMMANDS.partition(".SH COMMANDS")[2].partition(".SH")[0]
    named = re.findall(r"(?m)^\.TP\n\\fB([a-z -]+)\\fR", part)
    assert sorted(named) == sorted(TABLE)


def test_every_option_is_in_its_subcommands_entry() -> None:
    """Except `--config` and `--help`, which are described once for all."""
    for name in TABLE:
        read = {"gtp": gtp.HELP, "client": program.HELP}.get(name, "")
        wanted = {*re.findall(r"--[a-z-]+", TABLE[name].arguments), *options_of(read)}
        begun = re.escape(rf"\fB{name}\fR")
        entry, *_ = re.findall(rf"(?ms)^\.TP\n({begun}.*?)^\.(?:TP|S[HS])", COMMANDS)
        missing = wanted - {"--config", "--help"} - {*re.findall(r"--[a-z-]+", entry)}
        assert missing == set(), name


def test_every_error_code_is_named() -> None:
    """Of temporary errors only examples."""
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    kinds = [kind for kind in kinds if issubclass(kind, errors.Refusal | errors.Corrupt)]
    codes = {kind("").code for kind in (*kinds, errors.ConfigError) if kind != errors.IllegalMove}
    codes |= {errors.IllegalMove("", reason).code for reason in errors.Reason}
    part = COMMANDS.partition(".SH JSON")[2].partition(".SS")[0]
    assert [code for code in sorted(codes) if rf"\fB{code}\fR" not in part] == []


def test_every_exit_status_has_an_entry() -> None:
    """The exit statuses of the command line's table, plus 0, and 2 for status and doctor."""
    ours = {value for name, value in vars(cli).items() if name.startswith("EXIT_")}
    named = re.findall(r"(?m)^\.B (\d+)$", section(COMMANDS, "EXIT STATUS"))
    assert sorted(map(int, named)) == sorted({0, 2} | ours)


def test_every_kind_of_email_has_an_entry() -> None:
    """By the word in its header."""
    assert sorted(entries(MAIL, "KINDS OF EMAILS")) == sorted(kind.value for kind in Kind)


def test_every_verb_has_an_entry() -> None:
    """With the help email's text, when it fails, and examples."""
    part = " ".join(section(MAIL, "WHAT YOU CAN WRITE").split())
    for name in verbs():
        head, tail = entry(name)
        more = part.partition(head)[2].partition(" .RS ")
        assert more[2].startswith(tail), name
        assert ".TP" not in more[0]
    assert len(entries(MAIL, "WHAT YOU CAN WRITE")) == len(verbs())


def entry(name: str) -> tuple[str, str]:
    """The beginning and the end of a verb's paragraph."""
    verb = verbs()[name]
    does = re.sub(r"`(.+?)`", r"\\fB\1\\fR", verb.help)
    examples = ", ".join(rf"\fB{example}\fR" for example in verb.examples)
    also = ", ".join(synonyms(name))
    head = rf".TP \fB{verb.verb}\fR {verb.arguments} {does}"
    tail = f".IP Fails 10 {verb.fails}. .IP Example 10 {examples}"
    tail += (f" .IP Also 10 {also}" if also else "") + " .RE"
    return " ".join(head.split()), " ".join(tail.split())


def synonyms(verb: str) -> list[str]:
    """Each verb's other English words, and the first statements with the same effect."""
    words = LANGUAGES["en"]["verbs"].get(verb, "").split(", ")
    statements = LANGUAGES["en"]["acts"].get(verb, "").strip().split("\n")
    slots = (
        (one.replace("{points}", "POINT ...").replace("{point}", "POINT")) for one in statements
    )
    found = dict.fromkeys([*words, *[*slots][:MOST_STATEMENTS]])
    return [one for one in found if one and one != verb]


def test_every_ruleset_has_an_entry() -> None:
    """With its single rules and its other names."""
    heads = entries(RULES, "NAMED RULES")
    assert heads == list(RULESETS)
    part = section(RULES, "NAMED RULES")
    for name, entry in zip(heads, part.split(".TP\n")[1:], strict=True):
        rules, also = re.findall(r"(?s)\.IP (?:Rules|Also) 10\n(.*?)(?=\n\.)", entry)
        assert parse_ruleset(f"{name} {rules}") == RULESETS[name]
        assert rules.count("=") == len(KEYS)
        assert tuple(" ".join(also.split()).split(", ")) == RULESETS[name].synonyms


def test_every_single_rule_has_an_entry() -> None:
    """With its values, which work in a proposal."""
    assert sorted(entries(RULES, "SINGLE RULES")) == sorted(KEYS)
    for entry in section(RULES, "SINGLE RULES").split(".TP\n")[1:]:
        key, *values = re.findall(r"\\fB(.+?)\\fR", entry)
        values_named = {value for value in ruleset_values(key) if value not in values}
        assert not values_named, (key, values_named)
        for value in values:
            parse_ruleset(f"japanese {key}={value}")


def ruleset_values(key: str) -> list[str]:
    """The values that one of the terms can have, as players write them."""
    kind = KEYS[key]
    if issubclass(kind, Enum):
        return [str(member.value).replace(" ", "-") for member in kind]
    return {bool: ["yes", "no"], int: ["2", "3", "4"]}.get(kind, [])


def test_every_language_is_named() -> None:
    """With the verbs that have whole statements in all languages."""
    part = section(MAIL, "WHAT WORDS MEAN")
    for language in LANGUAGES.values():
        assert str(language["english"]) in part
    shared = set.intersection(*({*language["acts"]} for language in LANGUAGES.values()))
    assert [verb for verb in sorted(shared - {"agree", "send"}) if verb not in part] == []


def test_the_decision_table_has_every_row() -> None:
    """In words."""
    rows = re.findall(r"(?m)^(.+?)\t", section(MAIL, "WHAT WORDS MEAN"))
    named = {word for row in rows for word in row.split(", ")}
    assert [row for row in ROWS if row not in named] == []


def test_every_header_has_an_entry() -> None:
    """Those of invitations, turn letters and refusals that are not in every email."""
    games = PlayedGames()
    games.start(cmd.Propose("bob@players.example", Size(9, 9)))
    games.play("E5")
    games.queue(Notice(Kind.REFUSED, "bob@players.example", about={"reason": "", "code": "ko"}))
    found = {name for posted in games.letters() for name in posted.letter.keys()}  # noqa: SIM118
    usual = {"From", "To", "Date", "MIME-Version", "Content-Type", "Content-Transfer-Encoding"}
    assert sorted(entries(MAIL, "HEADERS OF OUR EMAILS")) == sorted(found - usual)


def test_the_page_is_current() -> None:
    """config/man/godaemon.toml.5 is what `python -m tests.support.options_page` prints now."""
    assert PAGE.read_text("utf-8") == page()


def test_every_option_is_described_once() -> None:
    """In its section."""
    described = [
        ".".join(filter(None, (section, name)))
        for section, words, names in paragraphs()
        for name in names
        if words
    ]
    assert sorted(described) == sorted(".".join(name) for name in option_names(Settings))


@pytest.mark.parametrize("line", read_lines(places.DATA / "meanings.txt")["options"])
def test_options_are_described_by_their_type(line: str) -> None:
    """With limits and default."""
    option, words = line.split(" => ")
    assert rf"\fB{option}\fR: {words}" in page().splitlines()


def test_types_without_checks_are_described_by_kind() -> None:
    assert type_words(int) == "a whole number"
    assert all(re.match(r"[a-zA-Z'(]", form) for form in FORMS.values())
