"""A process whose logins are renewed, and the vendor that renews them, in memory."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

from attrs import define, field

from rove_core.auth.credentials import MemoryStore
from rove_core.auth.login_exchange import LoginExchange, first_record
from rove_core.auth.login_ledger import LoginLedger
from rove_core.auth.renewal import Renewals
from rove_core.errors import RoveError
from rove_core.login import Credential
from rove_core.safety.secret import Secret
from rove_core.testing.clock import VirtualClock

HOUR = timedelta(hours=1)


@define(eq=False)
class Bench:
    """One process with a login that lasts an hour, and a vendor that renews it."""

    folder: Path
    clock: VirtualClock = field(factory=VirtualClock)
    lasts: timedelta = HOUR
    store: MemoryStore = field(factory=MemoryStore)
    asked: list[str] = field(factory=list)
    told: list[str] = field(factory=list)
    answers: list[Callable[[], Awaitable[None]]] = field(factory=list)
    renewals: Renewals = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.renewals = self.process()

    @property
    def ledger(self) -> LoginLedger:
        """What is written down."""
        return LoginLedger(self.folder)

    def process(self, clock: VirtualClock | None = None) -> Renewals:
        """Return one more process of the same user."""
        clock = clock or self.clock
        exchange = LoginExchange(self._ask, self._chosen, self.ledger, clock, self._tell)
        return Renewals(exchange, clock)

    def login(self, number: int = 0) -> Credential:
        """Return the login of a number, made now."""
        return Credential(
            headers={"Authorization": Secret(f"Bearer access-{number}")},
            hosts=("vendor.example",),
            refresh=Secret(f"refresh-{number}"),
            expires_at=self.clock.now() + self.lasts,
        )

    async def logged_in(self) -> Credential:
        """Store a login."""
        credential = self.login()
        await self.store.set("acme", credential)
        self.ledger.write("acme", first_record("acme", credential, self.clock))
        return credential

    async def stored(self) -> str:
        """Return what the stored login is renewed with."""
        credential = await self.store.get("acme")
        return credential.refresh.reveal() if credential and credential.refresh else ""

    async def _ask(self, _: str, credential: Credential) -> Credential:
        assert credential.refresh is not None
        self.asked.append(credential.refresh.reveal())
        if self.answers:
            await self.answers.pop(0)()
        return self.login(len(self.asked))

    async def _chosen(self) -> MemoryStore:
        return self.store

    def _tell(self, _: str, note: str) -> None:
        self.told.append(note)


def failing(error: RoveError) -> Callable[[], Awaitable[None]]:
    """Return an answer that is an error."""

    async def answer() -> None:
        raise error

    return answer
