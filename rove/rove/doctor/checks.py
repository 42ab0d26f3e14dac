"""The checks of ``rove doctor``, one after another: none can hide or block the others."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from inspect import iscoroutinefunction
from typing import Final, TypeAlias, cast

from attrs import frozen

from rove.doctor.accounts import check_accounts, check_clock
from rove.doctor.findings import Finding, failed, problem
from rove.doctor.folders import check_home, check_leftovers, check_project
from rove.doctor.index import check_index
from rove.doctor.installation import (
    check_command,
    check_disk,
    check_packages,
    check_python,
)
from rove.doctor.logins import check_logins
from rove.doctor.model import check_model
from rove.doctor.plugins import check_plugins
from rove.doctor.settings import check_settings, check_trust
from rove.doctor.socket_file import check_socket
from rove.doctor.stores import check_stores
from rove.doctor.subject import Subject
from rove_core.errors import RoveError
from rove_core.tasks.threads import in_daemon_thread

Waiting: TypeAlias = Callable[[Subject], Awaitable[Iterable[Finding]]]
Blocking: TypeAlias = Callable[[Subject], Iterable[Finding]]


@frozen
class _TimedCheck:
    """A check with a time limit.

    Attributes:
        name: What is checked.
        check: The function; unless it is a coroutine function it may block, and runs in a thread.
        seconds: How long it may take.
    """

    name: str
    check: Waiting | Blocking
    seconds: float = 5.0

    async def run(self, subject: Subject) -> list[Finding]:
        """Return the findings; a check that fails is itself a finding."""
        seconds = self.seconds * subject.patience
        try:
            async with asyncio.timeout(seconds):
                return list(await self._findings(subject))
        except TimeoutError:
            return [problem(self.name, f"this check did not finish within {seconds:g} s")]
        except RoveError as error:
            return [failed(self.name, error)]
        except (Exception, SystemExit) as error:  # noqa: BLE001  # one broken check hides no other
            return [problem(self.name, f"{type(error).__name__}: {error}")]

    async def _findings(self, subject: Subject) -> Iterable[Finding]:
        if iscoroutinefunction(self.check):
            return await cast("Waiting", self.check)(subject)
        check = cast("Blocking", self.check)
        return await asyncio.wrap_future(in_daemon_thread(lambda: list(check(subject))))


#: In this order: plugins before the accounts that need them, folders before the files in them.
_CHECKS: Final = (
    _TimedCheck("python", check_python),
    _TimedCheck("packages", check_packages),
    _TimedCheck("command", check_command),
    _TimedCheck("plugins", check_plugins, 15.0),
    _TimedCheck("project", check_project),
    _TimedCheck("your folders", check_home),
    _TimedCheck("leftovers", check_leftovers),
    _TimedCheck("disk", check_disk),
    _TimedCheck("settings", check_settings),
    _TimedCheck("trust", check_trust),
    _TimedCheck("index", check_index, 20.0),
    _TimedCheck("stores", check_stores, 20.0),
    _TimedCheck("socket", check_socket),
    _TimedCheck("logins", check_logins, 10.0),
    _TimedCheck("accounts", check_accounts, 60.0),
    _TimedCheck("clock", check_clock),
    _TimedCheck("model", check_model, 15.0),
)


async def run_checks(subject: Subject) -> AsyncIterator[Finding]:
    """Yield the findings of all checks, without secrets."""
    for check in _CHECKS:
        for finding in await check.run(subject):
            yield finding.redacted()
