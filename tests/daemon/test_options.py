"""The daemon reads every option, some of them anew at a reload."""

import ast
import itertools
from collections.abc import Iterator
from typing import get_args

import pytest

from godaemon.config.loading import parse
from godaemon.config.section import Section
from godaemon.config.settings import Settings
from godaemon.daemon.reload import apply_reload, options_for_restart
from tests.support.product_code import expressions


def options(model: type[Section], section: str = "settings") -> Iterator[tuple[str, str]]:
    """Each option, with the name of its section."""
    for name, field in model.model_fields.items():
        kinds = (field.annotation, *get_args(field.annotation))
        within = [one for one in kinds if isinstance(one, type) and issubclass(one, Section)]
        yield from options(within[0], name) if within else [(section, name)]


BY_THE_CONFIGURATION = {
    *{("gtp", "public"), ("gtp", "without_tls"), ("mail", "hostname")},
    *{("outgoing", one) for one in ("dkim_domain", "dkim_selector")},
}
"""Options that it handles itself, or whose section is passed on as a whole."""


@pytest.mark.xdist_group("code")
def test_every_option_is_read() -> None:
    """The daemon reads each option by name, outside of the configuration."""
    read = {
        (getattr(node.value, "attr", getattr(node.value, "id", "")), node.attr)
        for file, node in expressions()
        if isinstance(node, ast.Attribute) and "godaemon/config" not in file.as_posix()
    }
    unread = {
        (section, name)
        for section, name in options(Settings)
        if section != "addresses" and name not in ("credential", "file")
    } - read
    assert unread == BY_THE_CONFIGURATION, "pass the option on, or list it there"


def test_further_addresses_are_reloaded() -> None:
    """The main address stays until a restart."""
    one = '[[mail.addresses]]\naddress = "{}"\ndkim_selector = "{}"\ndkim_key = {{ file = "/b" }}\n'
    texts = (
        "",
        one.format("a@a", "s"),
        one.format("a@a", "t"),
        one.format("a@a", "t") + '[[mail.addresses]]\naddress = "b@b"\n',
    )
    sites = [parse(text, "g.toml", {}) for text in texts]
    for old, new in itertools.permutations(sites, 2):
        assert apply_reload(old, new).mail.addresses == new.mail.addresses
        assert options_for_restart(old, new) == []
    swapped = parse(
        '[mail]\naddress = "b@b"\n[[mail.addresses]]\naddress = "Go@localhost"\n', "g.toml", {}
    )
    assert apply_reload(sites[0], swapped).mail.own == sites[0].mail.own
    assert options_for_restart(sites[0], swapped) == ["mail.address", "mail.addresses"]
