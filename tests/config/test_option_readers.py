"""The modules that read each option."""

import ast
from collections import defaultdict
from collections.abc import Mapping

from godaemon.config.mistakes import option_names
from godaemon.config.settings import Settings
from tests.support import places

READERS = """
backlog_limit: daemon/app
command_seconds: daemon/mail
confirmations_per_sender: games/invitation_limits
connections_per_source: daemon/app daemon/mail
database_url: cli/check_config cli/common cli/doctor cli/storing
    daemon/core daemon/doctor_checks daemon/metrics
disk_mib: gtp/engines/engine_program
dkim_domain: -
dkim_key: cli/check_config daemon/doctor_dns daemon/mail
dkim_selector: daemon/doctor_dns daemon/mail
done_folder: daemon/mail mailgate/receiving/imap_client
games_per_player: daemon/engine_roster games/service
give_up_days: daemon/app mailgate/delivery/outbox_worker
idle_seconds: gtp/engines/controller
invitation_days: daemon/app daemon/reload mailgate/letters/compose
invitations_per_address: games/invitation_limits
invitations_per_sender: games/invitation_limits
key_grace_days: cli/storing daemon/core daemon/reload
letters_per_minute: daemon/mail
letters_per_stranger: games/stranger_limits
memory_mib: gtp/engines/engine_process gtp/engines/engine_program
open_challenges: games/invitation_limits mailgate/handling/queries
plus_addressing: cli/check_config daemon/app
quiet_seconds: daemon/app gtp/server/connection
remember_days: cli/storing daemon/app daemon/reload
retry_first: daemon/app mailgate/delivery/outbox_worker
retry_limit: daemon/app mailgate/delivery/outbox_worker
size_limit: daemon/mail mailgate/receiving/imap_fetcher mailgate/receiving/smtp_session
smarthost_password: cli/check_config daemon/mail
smarthost_user: daemon/mail
start_seconds: gtp/engines/controller
state_directory: cli/check_config cli/common cli/doctor cli/storing
    daemon/core daemon/doctor_checks daemon/mail daemon/main daemon/status
strangers_in_all: daemon/app games/stranger_limits
strangers_per_domain: games/stranger_limits
strangers_per_network: games/stranger_limits
strangers_per_sender: daemon/app mailgate/handling/dispatcher
tls_certificate: cli/check_config daemon/doctor_checks daemon/gtp_listener daemon/mail
tls_key: cli/check_config daemon/doctor_checks daemon/gtp_listener daemon/mail
token_key: cli/check_config daemon/core
trusted_authserv_id: daemon/app daemon/doctor_checks mailgate/handling/dispatcher
without_tls: -
"""
"""The modules that read an option of this name, outside of godaemon/config; - for none.

Only names of several words: others are names of much else too.
"""


def readers() -> Mapping[str, list[str]]:
    """The modules with an attribute of an option's name."""
    names = {path[-1] for path in option_names(Settings) if "_" in path[-1]}
    found = defaultdict[str, set[str]](set, {name: set() for name in names})
    for room in ("godaemon", "gtp", "mailgate"):
        for file in (places.ROOT / room).rglob("*.py"):
            if file.parent.name == "config":
                continue
            module = str(file.relative_to(places.ROOT).with_suffix("")).removeprefix("godaemon/")
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Attribute) and node.attr in names:
                    found[node.attr].add(module)
    return {name: sorted(modules) for name, modules in found.items()}


def test_each_option_is_read_where_it_is_meant_to_be() -> None:
    """What two commands do by one option, both do by it."""
    found = {name: " ".join(modules) or "-" for name, modules in sorted(readers().items())}
    wanted = READERS.strip().replace("\n    ", " ").split("\n")
    assert [f"{name}: {modules}" for name, modules in found.items()] == wanted
