"""How often one has to log in again in 90 and in 400 days, at vendors of four kinds."""

import asyncio
import logging
import random
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Final

from attrs import define, field, frozen

from rove_core.auth.credentials import CredentialStore, MemoryStore
from rove_core.auth.login_exchange import LoginExchange, first_record
from rove_core.auth.memory_ledger import MemoryLedger
from rove_core.auth.renewal import Renewals
from rove_core.errors import LoginRefused, NotLoggedIn, RoveError, TimedOut, Unavailable
from rove_core.login import Credential
from rove_core.safety.secret import Secret
from rove_core.testing import VirtualClock

#: How many days each run lasts, unless the command line says otherwise.
DAYS: Final = (90, 400)

_ACCOUNT: Final = "acme"
_BUFFER: Final = 300.0
_MINUTE: Final = 60.0
_HOUR: Final = 3600.0
_DAY: Final = 24 * _HOUR
#: Of the exchanges, how many end with a kill, and how many with an answer that never comes.
_KILLED: Final = 0.003
_UNANSWERED: Final = 0.003


@frozen
class Rules:
    """When a vendor's logins end.

    Attributes:
        name: What is said of it.
        access: Seconds for which it lets one in; for ever if 0.
        grace: Seconds in which it still takes a refresh token that was used.
        idle: Days after which a login ends that nobody renews; never if 0.
        absolute: Days after which a login ends, whatever is done; never if 0.
    """

    name: str
    access: float = 0.0
    grace: float = 0.0
    idle: float = 0.0
    absolute: float = 0.0


RULES: Final = (
    Rules("rotates, 10 min leeway, 90 days idle, 365 in all", _HOUR, 600.0, 90, 365),
    Rules("rotates every 12 h, strict", 12 * _HOUR),
    Rules("rotates every 8 h, strict, 6 months idle", 8 * _HOUR, idle=182),
    Rules("never expires"),
)


class KilledError(BaseException):
    """The process ends here, and nothing after it is done."""


@define(eq=False)
class Vendor:
    """A vendor that keeps to its rules, over a connection that fails at times.

    Attributes:
        rules: When its logins end.
        clock: The seconds that have passed, which no setting of a clock changes.
        chance: What decides what goes wrong.
        is_down: Whether it fails now.
        renewals: How often it has renewed a login.
        unheard: How often it did and nobody heard it.
        unavoidable: How many logins ended by its rules, whatever anybody had done.
    """

    rules: Rules
    clock: VirtualClock
    chance: random.Random
    is_down: bool = False
    renewals: int = 0
    unheard: int = 0
    unavoidable: int = 0
    _last: int = 0
    _spent: int = -1
    _spent_at: float = 0.0
    _begun_at: float = 0.0
    _given_at: float = 0.0
    _is_living: bool = False
    _is_unheard: bool = False

    def log_in(self) -> Credential:
        """Return a new login."""
        self._begun_at, self._spent = self.clock.monotonic(), -1
        self._is_living, self._is_unheard = True, False
        return self._given()

    def takes(self, credential: Credential) -> bool:
        """Tell whether it lets a login in."""
        self._look_at_the_rules()
        is_young = not self.rules.access or self._since(self._given_at) < self.rules.access
        return self._is_living and is_young and _number(credential) == self._last

    def exchange(self, credential: Credential) -> Credential:
        """Return the successor of a login, if it arrives."""
        if self.is_down:
            raise Unavailable("503")
        self._look_at_the_rules()
        shown = _number(credential)
        is_forgiven = shown == self._spent and self._since(self._spent_at) < self.rules.grace
        if not self._is_living or not (shown == self._last or is_forgiven):
            self._is_living = False
            raise LoginRefused("invalid_grant")
        if shown == self._last:
            self._spent, self._spent_at = shown, self.clock.monotonic()
        self.renewals += 1
        self._is_unheard = False
        fresh, fate = self._given(), self.chance.random()
        if fate < _KILLED + _UNANSWERED:
            self._lose_answer()
            raise KilledError if fate < _KILLED else TimedOut("no answer")
        return fresh

    def is_reached(self) -> None:
        """Take note that somebody could ask now, and has heard what was not heard before."""
        if self._is_unheard and not self.is_down and self._since(self._spent_at) < self.rules.grace:
            self._is_unheard = False
            self.unavoidable -= 1

    def _lose_answer(self) -> None:
        """Count the login as lost, until somebody is there who can still ask again."""
        self.unheard += 1
        self.unavoidable += 1
        self._is_unheard = True

    def _look_at_the_rules(self) -> None:
        is_old = self._is_older(self._begun_at, self.rules.absolute)
        if self._is_living and (is_old or self._is_older(self._given_at, self.rules.idle)):
            self._is_living = False
            self.unavoidable += is_old

    def _is_older(self, moment: float, days: float) -> bool:
        return days > 0 and self._since(moment) >= days * _DAY

    def _since(self, moment: float) -> float:
        return self.clock.monotonic() - moment

    def _given(self) -> Credential:
        self._last += 1
        self._given_at = self.clock.monotonic()
        now, rules = self.clock.now(), self.rules
        left = timedelta(seconds=rules.absolute * _DAY - self._since(self._begun_at))
        return Credential(
            headers={},
            hosts=(),
            access=Secret(f"access-{self._last}"),
            refresh=Secret(f"refresh-{self._last}") if rules.access else None,
            expires_at=now + timedelta(seconds=rules.access) if rules.access else None,
            ends_at=now + left if rules.absolute else None,
        )


@define(eq=False)
class Life:
    """A person with a laptop: commands by day, a server while it is open, and what goes wrong.

    Attributes:
        vendor: Where there is a login.
        clock: The laptop's; at times it is wrong.
        chance: What decides what goes wrong.
        commands: How many commands needed the login.
        failed: How many of them failed because the vendor did.
        asked: How often the person was asked to log in again.
        foretold: How many of these ends were shown 14 days before.
    """

    vendor: Vendor
    clock: VirtualClock
    chance: random.Random
    commands: int = 0
    failed: int = 0
    asked: int = 0
    foretold: int = 0
    _store: CredentialStore = field(factory=MemoryStore)
    _ledger: MemoryLedger = field(factory=MemoryLedger)
    _wrong: timedelta = timedelta()
    _is_foretold: bool = False

    async def live(self, days: int) -> None:
        """Live for some days, and a little longer."""
        await self._log_in()
        for day in range(days):
            morning = day * _DAY + 8 * _HOUR
            self.clock.advance(morning - self.clock.monotonic())
            if day % 7 < 5 and day % 100 < 80:  # weekends, and long holidays
                await self._work(morning + 10 * _HOUR)

    async def _work(self, evening: float) -> None:
        outage = self.clock.monotonic() + self.chance.uniform(0, 40) * _HOUR
        lasting = self.chance.uniform(0, 5) * _HOUR
        while self.clock.monotonic() < evening:
            self.clock.advance(5 * _MINUTE)
            self.vendor.is_down = outage < self.clock.monotonic() < outage + lasting
            self._set_clock()
            self.vendor.is_reached()
            await self._server()
            if self.chance.random() < 0.1:
                await self._command()
        self.vendor.is_down = False

    def _set_clock(self) -> None:
        """Let the clock jump now and then, and be right again some time later."""
        if self.chance.random() < 0.01:
            before = self._wrong
            self._wrong = timedelta(hours=self.chance.choice([-3, -1, 0, 0, 2, 5]))
            self.clock.put(self.clock.now() - before + self._wrong)

    async def _server(self) -> None:
        record = self._ledger.read(_ACCOUNT)
        if record is None:
            return
        self._is_foretold |= record.is_ending(self.clock.now()) and not record.lost_at
        if record.is_due(self.clock.now()):
            with suppress(RoveError, KilledError):
                await self._process().if_due(_ACCOUNT)

    async def _command(self) -> None:
        """Need the login; whoever is killed is started again with the next command."""
        self.commands += 1
        stored, process = await self._store.get(_ACCOUNT), self._process()
        is_let_in = False
        try:
            is_let_in = stored is not None and self.vendor.takes(
                await self._usable(process, stored)
            )
        except NotLoggedIn:
            pass
        except (RoveError, KilledError):
            self.failed += 1
            return
        if not is_let_in:
            self.asked += 1
            self.foretold += self._is_foretold
            await self._log_in()

    async def _usable(self, process: Renewals, stored: Credential) -> Credential:
        usable = await process.usable(_ACCOUNT, stored, _BUFFER)
        if self.vendor.takes(usable) or not usable.refresh:
            return usable
        return await process.after_refusal(_ACCOUNT, usable) or usable

    async def _log_in(self) -> None:
        self._is_foretold = False
        credential = self.vendor.log_in()
        await self._store.set(_ACCOUNT, credential)
        self._ledger.write(_ACCOUNT, first_record(_ACCOUNT, credential, self.clock))

    def _process(self) -> Renewals:
        async def chosen() -> CredentialStore:
            return self._store

        async def ask(_: str, credential: Credential) -> Credential:
            return self.vendor.exchange(credential)

        exchange = LoginExchange(ask, chosen, self._ledger, self.clock, lambda *_: None)
        return Renewals(exchange, self.clock)


def lived(rules: Rules, days: int, seed: int) -> Life:
    """Return what happened in some days at a vendor of some rules."""
    clock, chance = VirtualClock(), random.Random(f"{rules.name} {seed}")  # noqa: S311  # no secret
    life = Life(Vendor(rules, clock, chance), clock, chance)
    asyncio.run(life.live(days))
    return life


def main(arguments: Sequence[str]) -> int:
    """Print a table; return 1 when somebody had to log in who need not have."""
    print(
        f"{'days':>4}  {'a vendor that':52}{'commands':>9}{'failed':>8}{'renewals':>10}"
        f"{'unheard':>9}{'asked':>7}{'unavoidable':>13}{'foretold':>10}"
    )
    # What the vendor refuses is counted; it need not be told as well.
    logging.getLogger("rove.logins").setLevel(logging.ERROR)
    worse = 0
    for days in map(int, arguments or map(str, DAYS)):
        for rules in RULES:
            life = lived(rules, days, seed=1)
            vendor = life.vendor
            print(
                f"{days:4}  {rules.name:52}{life.commands:9}{life.failed:8}{vendor.renewals:10}"
                f"{vendor.unheard:9}{life.asked:7}{vendor.unavoidable:13}{life.foretold:10}",
                flush=True,
            )
            worse += life.asked > vendor.unavoidable
    return int(worse > 0)


def _number(credential: Credential) -> int:
    return int(credential.access.reveal().rpartition("-")[2]) if credential.access else -1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
