"""Renew one login in many processes, and in processes that are killed: is it ever lost?"""

import argparse
import asyncio
import random
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from attrs import define, frozen

from benchmarks.campaign.rotating import GRACE, RotatingVendor, number_of
from benchmarks.campaign.run import Run
from benchmarks.campaign.scenarios import Scenario
from benchmarks.campaign.tally import Tally
from rove_core.auth.credentials import CredentialStore
from rove_core.auth.credentials.encrypted_file import EncryptedFileStore
from rove_core.auth.login_exchange import LoginExchange
from rove_core.auth.login_ledger import LoginLedger
from rove_core.auth.renewal import Renewals
from rove_core.clock import SYSTEM
from rove_core.errors import NotLoggedIn
from rove_core.http import Http
from rove_core.login import Credential
from rove_core.safety.secret import Secret

_ACCOUNT: Final = "acme"
_START: Final = datetime(2026, 1, 1, tzinfo=UTC)
_BEFORE: Final = _START - timedelta(minutes=1)
#: No process is let live longer than this before it is killed, in seconds.
_LONGEST: Final = 0.06
#: How many expiries one process may see before it is killed.
_MANY: Final = 100_000


@define
class MinuteClock:
    """A clock of which a minute passes whenever its process has had a login.

    Attributes:
        minute: How many have passed.
    """

    minute: int = 0

    def now(self) -> datetime:
        """Return the time of day."""
        return _START + timedelta(minutes=self.minute)

    def monotonic(self) -> float:
        """Return the seconds of the machine."""
        return SYSTEM.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait for real."""
        await SYSTEM.sleep(seconds)


class Client:
    """A process that uses the login.

    Args:
        url: Where the vendor answers.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._clock = MinuteClock()
        self._runner: asyncio.Runner | None = None
        self._held: Credential | None = None

    def need(self, folder: Path, minute: int) -> None:
        """Have a login that is valid in a minute; the one of the minute before has expired."""
        self._clock.minute = minute
        if self._runner is None:
            self._runner = asyncio.Runner()
            self._renewals = self._renewing(folder)
            self._held = self._runner.run(EncryptedFileStore(folder).get(_ACCOUNT))
        if self._held is None:
            raise NotLoggedIn("the login is gone")
        self._held = self._runner.run(self._renewals.usable(_ACCOUNT, self._held, 0))

    def warm_up(self, folder: Path) -> None:
        """Load all that is needed, so that the processes to come need no time for it."""
        self.need(folder, 0)
        if self._runner:
            self._runner.close()

    def _renewing(self, folder: Path) -> Renewals:
        store = EncryptedFileStore(folder)

        async def chosen() -> CredentialStore:
            return store

        exchange = LoginExchange(
            self._ask, chosen, LoginLedger(folder), self._clock, lambda *_: None
        )
        return Renewals(exchange, self._clock)

    async def _ask(self, _: str, credential: Credential) -> Credential:
        http = Http(account=_ACCOUNT, base_url=self._url)
        try:
            shown = credential.refresh.reveal() if credential.refresh else ""
            reply = await http.post("token", form={"refresh": shown})
            return login(reply.read(Token).refresh, self._clock.now())
        finally:
            await http.aclose()


@frozen
class Token:
    """What the vendor answers."""

    refresh: str


def login(refresh: str, now: datetime) -> Credential:
    """Return a login that is renewed with a token, and expires in a minute."""
    return Credential(
        headers={}, hosts=(), refresh=Secret(refresh), expires_at=now + timedelta(minutes=1)
    )


def stored_number(folder: Path) -> int:
    """Return the number of the token that is stored."""
    credential = asyncio.run(EncryptedFileStore(folder).get(_ACCOUNT))
    return number_of(credential.refresh.reveal()) if credential and credential.refresh else -1


def renew_together(folder: Path, *, processes: int, expiries: int) -> Tally:
    """Let many processes need the same login, at once, until it has expired so often."""
    tally = Tally(f"{processes} processes with one login")
    with RotatingVendor(0) as vendor:
        _prepare(vendor, folder)
        runs = [Run(_scenario(vendor), folder, range(1, expiries + 1)) for _ in range(processes)]
        for run in runs:
            run.release()
        for outcome in [run.outcome() for run in runs]:
            tally.add("logins needed", len(outcome.acknowledged))
            if len(outcome.acknowledged) != expiries:
                tally.violations.append(f"{outcome.refusal}{outcome.complaint}")
        family = vendor.family()
    tally.add("expiries", expiries)
    tally.add("grants", family["grants"])
    tally.add("families revoked", int(family["revoked"]))
    if (family["grants"], family["revoked"]) != (expiries, False):
        tally.violations.append(f"{family}")
    return tally


def kill_renewals(folder: Path, chance: random.Random, *, kills: int, grace: float) -> Tally:
    """Kill a process that renews its login, again and again; see whether the login is lost."""
    tally = Tally(f"kills, {'a vendor that forgives' if grace else 'a strict vendor'}")
    with RotatingVendor(grace) as vendor:
        _prepare(vendor, folder)
        for kill in range(1, kills + 1):
            _kill(vendor, folder, kill, chance.uniform(0, _LONGEST))
            tally.add("kills")
            before, answered = stored_number(folder), vendor.family()["last"]
            tally.add("answers not stored", int(answered != before))
            if not _lives_on(vendor, folder, kill):
                tally.add("lost")
                if grace or answered == before:
                    tally.violations.append(f"kill {kill}: {before} is stored, {answered} given")
                _log_in(vendor, folder)
    tally.counts.setdefault("lost", 0)
    return tally


def _kill(vendor: RotatingVendor, folder: Path, kill: int, seconds: float) -> None:
    run = Run(_scenario(vendor), folder, count(kill * _MANY))
    run.release()
    run.kill_after(seconds)
    run.outcome()


def _lives_on(vendor: RotatingVendor, folder: Path, kill: int) -> bool:
    """Tell whether the next process has a login, some minutes later."""
    run = Run(_scenario(vendor), folder, [(kill + 1) * _MANY - 1])
    run.release()
    return bool(run.outcome().acknowledged)


def _prepare(vendor: RotatingVendor, folder: Path) -> None:
    _log_in(vendor, folder)
    Client(vendor.url).warm_up(folder)
    _log_in(vendor, folder)


def _log_in(vendor: RotatingVendor, folder: Path) -> None:
    asyncio.run(EncryptedFileStore(folder).set(_ACCOUNT, login(vendor.log_in(), _BEFORE)))


def _scenario(vendor: RotatingVendor) -> Scenario:
    return Scenario("renewals", Client(vendor.url).need, stored_number, ())


def renewals(
    root: Path, chance: random.Random, *, processes: int = 16, expiries: int, kills: int
) -> Iterator[Tally]:
    """Do all of it, and yield what was counted."""
    folders = [root / name for name in ("together", "forgiving", "strict")]
    yield renew_together(folders[0], processes=processes, expiries=expiries)
    yield kill_renewals(folders[1], chance, kills=kills, grace=GRACE)
    yield kill_renewals(folders[2], chance, kills=kills, grace=0)


def main() -> int:
    """Print what was counted; return 1 if a login was lost that need not have been."""
    parser = argparse.ArgumentParser(description="Renew a login, and see whether it is lost.")
    parser.add_argument("--processes", type=int, default=16)
    parser.add_argument("--expiries", type=int, default=1000, help="of the login that all share")
    parser.add_argument("--kills", type=int, default=500, help="at each of two vendors")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance, failed = random.Random(options.seed), 0  # noqa: S311  # no secret
    with TemporaryDirectory(prefix="renewals-") as root:
        for tally in renewals(
            Path(root),
            chance,
            processes=options.processes,
            expiries=options.expiries,
            kills=options.kills,
        ):
            print(tally, *(f"VIOLATION {each}" for each in tally.violations), sep="\n", flush=True)
            failed |= bool(tally.violations)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
