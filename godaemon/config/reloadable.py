"""The options that a running daemon takes from a changed file; others wait for a restart. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from godaemon.config.settings import Settings


def reloaded(old: Settings, new: Settings) -> Settings:
    """The settings that hold from now on: the new ones, but for what only a restart can change."""
    main = old.mail.address.casefold()
    addresses = [one for one in new.mail.addresses if one.address.casefold() != main]
    mail = old.mail.model_copy(
        update={
            "limits": new.mail.limits,
            "invitation_days": new.mail.invitation_days,
            "key_grace_days": new.mail.key_grace_days,
            "remember_days": new.mail.remember_days,
            "outgoing": old.mail.outgoing.model_copy(update=new.mail.outgoing.signature),
            "addresses": addresses,
        }
    )
    return old.model_copy(update={"mail": mail, "log": new.log})


def needs_restart(old: Settings, new: Settings) -> list[str]:
    """The options that differ and wait for a restart, by their dotted names."""
    running, wanted = flat(reloaded(old, new).model_dump()), flat(new.model_dump())
    return sorted(key for key in wanted if wanted[key] != running.get(key))


def flat(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """The values by their dotted names."""
    found: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, dict):
            found.update(flat(value, f"{prefix}{key}."))
        else:
            found[prefix + key] = value
    return found
