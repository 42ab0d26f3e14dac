"""A Linear to talk to: the simulator, with a workspace of its own and two things on a page."""

import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

import rove_linear
from rove_core import Account, Clock, Credential, Http, Identity, authorization
from rove_core.clock import SYSTEM
from rove_core.http import Caps
from rove_core.testing import Scene, Vendor
from rove_core.testing.scene import on_stage
from rove_linear.settings import LinearSettings
from rove_linear.source import LinearSource
from rove_sim import Company, Conduct
from rove_sim.company_linear import (
    LinearAttachment,
    LinearChange,
    LinearComment,
    LinearCycle,
    LinearDocument,
    LinearInitiative,
    LinearIssue,
    LinearProject,
    LinearRelation,
    LinearUpdate,
)
from rove_sim.company_people import Person
from rove_sim.linear import Linear
from rove_sim.server import serve
from rove_sim.specification_checks_graphql import query_problems

KEY: Final = "lin_api_of_northwind"
DAY: Final = datetime(2024, 12, 1, 9, tzinfo=UTC)


def _day(days: int) -> datetime:
    return DAY + timedelta(days=days)


def _issues() -> Iterator[LinearIssue]:
    """Yield a workspace in which one issue has all that an issue can have."""
    yield LinearIssue(
        identifier="TB-1",
        title="Sign in",
        author="ann",
        created=DAY,
        updated=_day(1),
        state="Backlog",
        relations=(LinearRelation(kind="blocks", issue="TB-2"),),
    )
    yield LinearIssue(
        identifier="TB-2",
        title="Rotate keys",
        description="Once a **day**.",
        author="ann",
        assignee="ben",
        created=DAY,
        updated=datetime(2024, 12, 12, 9, tzinfo=UTC),
        state="In Progress",
        parent="TB-1",
        project="Pilot",
        cycle=7,
        priority=2,
        old_identifiers=("OLD-9",),
        labels=("auth", "pilot", "keys"),
        attachments=(
            LinearAttachment(title="PR 847", url="https://github.com/acme/api/pull/847"),
            LinearAttachment(
                title="The  vault",
                subtitle="OPS",
                url="https://linear.app/northwind/issue/OPS-4/vault",
            ),
            LinearAttachment(title="Thread", url="https://northwind.slack.com/archives/C1/p1"),
        ),
        comments=(
            LinearComment(id="c2", author="ben", at=_day(10), text="And who?"),
            LinearComment(id="c1", author="ann", at=_day(9), text="How often?"),
            LinearComment(
                id="c3", author="Ada of Globex", at=_day(11), text="One hour", reply_to="c1"
            ),
            LinearComment(id="c4", author="robot", at=_day(12), text="Linked a branch"),
        ),
        relations=(
            LinearRelation(kind="related", issue="OPS-3"),
            LinearRelation(kind="duplicate", issue="OPS-5"),
        ),
        history=(
            LinearChange(
                author="ben", at=_day(2), what="state", before="Todo", after="In Progress"
            ),
            LinearChange(
                author="ben", at=_day(3), what="title", before="Keys", after="Rotate keys"
            ),
            LinearChange(author="ann", at=_day(4), what="assignee", before="", after="ben"),
            LinearChange(author="ann", at=_day(5), what="priority", before="0", after="2"),
        ),
    )
    for number in (3, 4, 5):
        yield LinearIssue(
            identifier=f"OPS-{number}",
            title=f"Vault {number}",
            description="For keys." if number == 5 else "",
            author="ben",
            created=_day(number),
            archived=_day(20) if number == 3 else None,
            parent="TB-2",
        )


def _company() -> Company:
    return Company(
        name="Northwind",
        token=KEY,
        people=(
            Person(key="ann", name="Ann Lee"),
            Person(key="ben", name="Ben Fox"),
            Person(key="robot", name="Robot", bot=True),
        ),
        issues=tuple(_issues()),
        linear_projects=(
            LinearProject(name="Pilot", lead="ann"),
            LinearProject(
                name="Glacier",
                description="Move the cold data.",
                content="Nothing older than a year stays on fast disks.",
                lead="ben",
                initiative="Thaw",
                updates=(
                    LinearUpdate(
                        author="ben", at=_day(8), text="Two months late.", health="atRisk"
                    ),
                    LinearUpdate(author="ben", at=_day(6), text="We have begun."),
                ),
            ),
        ),
        linear_initiatives=(
            LinearInitiative(name="Thaw", content="Spend half on storage.", owner="ann"),
        ),
        linear_documents=(
            LinearDocument(
                title="Which data is cold",
                content="See TB-1: glacier ice is what nobody reads for a year.",
                author="ann",
                created=_day(3),
                project="Glacier",
                issue="OPS-4",
                comments=(LinearComment(id="d1", author="ben", at=_day(5), text="Logs, too?"),),
            ),
        ),
        cycles=(LinearCycle(team="TB", number=7, name="Keys", starts=DAY, ends=_day(14)),),
        linear_labels=("suite",),
    )


def checked(linear: Linear) -> Iterator[Linear]:
    """Give a workspace, and see afterwards that all that it was asked is right."""
    yield linear
    assert linear.refused == []
    if folder := os.environ.get("ROVE_SPECS"):
        asked = [query_problems(Path(folder), "linear", each) for each in linear.exchanges]
        assert not any(asked), asked


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture
def workspace() -> Iterator[Linear]:
    """Give the workspace; whatever it is asked suits its schema and the vendor's own."""
    yield from checked(Linear(_company(), conduct=Conduct(page_size=2)))


@pytest.fixture
def northwind(workspace: Linear) -> AbstractAsyncContextManager[Vendor]:
    """Give the workspace, open as long as it is used."""

    @asynccontextmanager
    async def opened() -> AsyncIterator[Vendor]:
        async with serve(workspace) as base_url:
            yield Vendor(base_url=base_url, answers={"token": KEY})

    return opened()


@pytest.fixture
async def stranger(northwind: AbstractAsyncContextManager[Vendor]) -> AsyncIterator[Scene]:
    """Give an account that nobody has logged in to."""
    (kind,) = rove_linear.rove_sources()
    async with northwind as vendor, on_stage(kind, vendor, name="linear") as scene:
        yield scene


@pytest.fixture
async def linear(stranger: Scene) -> Scene:
    """Give an account that is logged in."""
    await stranger.enter()
    return stranger


@pytest.fixture
async def connect() -> AsyncIterator[Callable[..., LinearSource]]:
    """Return what makes a source of an account, with its own clock and its own limits."""
    opened: list[Http] = []

    def connect(
        base_url: str, *, clock: Clock = SYSTEM, caps: Caps | None = None, page_size: int = 50
    ) -> LinearSource:
        account = Account(
            name="linear",
            kind="linear",
            settings=LinearSettings(page_size=page_size),
            base_url=base_url,
            identity=Identity(name="Ann Lee", prefixes=("TB", "OPS"), workspace="northwind"),
        )

        async def credential() -> Credential:
            return authorization(account, KEY)

        http = Http(
            account="linear",
            base_url=base_url,
            credential=credential,
            clock=clock,
            caps=caps or Caps(rate_limit=account.settings.rate_limit),
        )
        opened.append(http)
        return LinearSource(account, http)

    yield connect
    for http in opened:
        await http.aclose()
