"""Reloads the configuration of a running daemon, on `godaemon reload` and on SIGHUP.

A bad configuration raises `ConfigError`, and the old one stays.
"""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

import structlog

from godaemon.config.settings import Settings, flatten
from godaemon.daemon.mail import LetterSigner
from godaemon.daemon.status import DaemonStatus
from godaemon.errors import ConfigError
from godaemon.system import log_setup
from mailgate.letters.compose import Composer

_log = structlog.get_logger("godaemon")


def apply_reload(old: Settings, new: Settings) -> Settings:
    """The settings after a reload: the new ones, except those that need a restart."""
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


def options_for_restart(old: Settings, new: Settings) -> list[str]:
    """The changed options that need a restart, by their dotted names."""
    running, wanted = flatten(apply_reload(old, new).model_dump()), flatten(new.model_dump())
    return sorted(key for key in wanted if wanted[key] != running.get(key))


@dataclass(frozen=True, slots=True)
class Reload:
    """Reloads the configuration into the parts that use it."""

    status: DaemonStatus
    signer: LetterSigner
    composer: Composer
    _tasks: set[asyncio.Task[dict[str, Any]]] = field(default_factory=set)

    async def reload(self) -> dict[str, Any]:
        """Apply the configuration; the answer names the options that need a restart."""
        core = self.status.core
        listeners = (self.status.mail, self.status.gtp)
        core.notify(RELOADING=1, MONOTONIC_USEC=time.monotonic_ns() // 1000)
        try:
            fresh = await asyncio.to_thread(core.startup.reread)
            live = apply_reload(core.live, fresh)
            # On the event loop's thread, because a context must not change during a handshake.
            for certificate in filter(None, (one.certificate for one in listeners)):
                certificate.renew()
            await asyncio.to_thread(self.signer.renew, live.mail)
            later = options_for_restart(core.live, fresh)
            core.live, core.reload_refused = live, ""
            self.composer.others = live.mail.names
            self.composer.invitation_days = live.mail.invitation_days
            log_setup.configure(fresh.log.level, fresh.log.format, core.startup.environ)
            _log.info("daemon.reloaded", later=later)
        except Exception as fault:  # logged, and raised to the operator
            core.reload_refused = " ".join(str(fault).split())
            _log.error("daemon.not-reloaded", detail=str(fault))
            raise
        finally:
            core.notify(READY=1, STATUS=self.status.line)
        sentence = "The daemon has read its configuration again."
        if later:
            sentence += "\nThese options need a restart: " + ", ".join(later)
        try:
            core.startup.passed.require_wanted(fresh.listeners.values())
        except ConfigError as obstacle:  # to a restart
            sentence += f"\n{obstacle.public}"
        return {"sentence": sentence}

    def reload_soon(self) -> None:
        """Reload in a task, on SIGHUP; the log has the result."""
        task = asyncio.create_task(self.reload())
        self._tasks.add(task)
        task.add_done_callback(self._drop_task)

    def _drop_task(self, task: asyncio.Task[dict[str, Any]]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # already logged
