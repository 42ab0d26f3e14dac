"""Run checks one after another: none can hide or block the others."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from inspect import iscoroutinefunction
from typing import Final, TypeAlias, cast

from attrs import frozen

from rove.doctor.accounts import look_at_accounts, look_at_the_clock
from rove.doctor.findings import Finding, failed, problem
from rove.doctor.folders import look_at_leftovers, look_at_the_home, look_at_the_project
from rove.doctor.index import look_at_the_index
from rove.doctor.logins import look_at_the_logins
from rove.doctor.machine import (
    look_at_packages,
    look_at_python,
    look_at_the_command,
    look_at_the_disk,
)
from rove.doctor.model import look_at_the_model
from rove.doctor.plugins import look_at_plugins
from rove.doctor.settings import look_at_settings, look_at_trust
from rove.doctor.socket_file import look_at_the_socket
from rove.doctor.stores import look_at_stores
from rove.doctor.subject import Subject
from rove_core.errors import RoveError
from rove_core.tasks.threads import in_daemon_thread

Waiting: TypeAlias = Callable[[Subject], Awaitable[Iterable[Finding]]]
Blocking: TypeAlias = Callable[[Subject], Iterable[Finding]]


@frozen
class _TimedCheck:
    """A look at one thing.

    Attributes:
        name: What is looked at.
        look: The look; one that is no coroutine may block, and is given a thread of its own.
        seconds: How long it may take.
    """

    name: str
    look: Waiting | Blocking
    seconds: float = 5.0

    async def taken(self, subject: Subject) -> list[Finding]:
        """Return the findings, or the reason why the check failed."""
        seconds = self.seconds * subject.patience
        try:
            async with asyncio.timeout(seconds):
                return list(await self._findings(subject))
        except TimeoutError:
            return [problem(self.name, f"this check did not finish within {seconds:g} s")]
        except RoveError as error:
            return [failed(self.name, error)]
        except (Exception, SystemExit) as error:  # noqa: BLE001  # one broken look hides no other
            return [problem(self.name, f"{type(error).__name__}: {error}")]

    async def _findings(self, subject: Subject) -> Iterable[Finding]:
        if iscoroutinefunction(self.look):
            return await cast("Waiting", self.look)(subject)
        look = cast("Blocking", self.look)
        return await asyncio.wrap_future(in_daemon_thread(lambda: list(look(subject))))


#: In this order: plugins before the accounts that need them, folders before what lies in them.
_LOOKS: Final = (
    _TimedCheck("python", look_at_python),
    _TimedCheck("packages", look_at_packages),
    _TimedCheck("command", look_at_the_command),
    _TimedCheck("plugins", look_at_plugins, 15.0),
    _TimedCheck("project", look_at_the_project),
    _TimedCheck("your folders", look_at_the_home),
    _TimedCheck("leftovers", look_at_leftovers),
    _TimedCheck("disk", look_at_the_disk),
    _TimedCheck("settings", look_at_settings),
    _TimedCheck("trust", look_at_trust),
    _TimedCheck("index", look_at_the_index, 20.0),
    _TimedCheck("stores", look_at_stores, 20.0),
    _TimedCheck("socket", look_at_the_socket),
    _TimedCheck("logins", look_at_the_logins, 10.0),
    _TimedCheck("accounts", look_at_accounts, 60.0),
    _TimedCheck("clock", look_at_the_clock),
    _TimedCheck("model", look_at_the_model, 15.0),
)


async def examine(subject: Subject) -> AsyncIterator[Finding]:
    """Yield the findings of all checks, without secrets."""
    for look in _LOOKS:
        for finding in await look.taken(subject):
            yield finding.redacted()
