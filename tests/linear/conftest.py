"""A Linear to talk to: the simulator, with a workspace of its own."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import attrs
import pytest

import rove_linear
from rove_core.testing import Scene, Vendor
from rove_core.testing.scene import on_stage
from rove_sim.company import Attachment, Comment, Company, Issue, sample_company
from rove_sim.linear import Linear
from rove_sim.server import serve

KEY = "lin_api_of_northwind"


def _company() -> Company:
    """Return a workspace in which one issue has all that an issue can have."""
    parent = Issue(
        identifier="TB-1",
        title="Sign in",
        description="",
        author="Ann",
        created="2024-12-01T09:00:00.000Z",
        updated="2024-12-02T09:00:00.000Z",
        state="Backlog",
    )
    issue = attrs.evolve(
        parent,
        identifier="TB-2",
        title="Rotate keys",
        description="Once a **day**.",
        updated="2024-12-12T09:00:00.000Z",
        state="In Progress",
        parent="TB-1",
        labels=("auth",),
        attachments=(Attachment(title="PR 847", url="https://github.com/acme/api/pull/847"),),
        comments=(
            Comment(
                id="c2", author="Ben", at="2024-12-11T00:00:00.000Z", text="One hour is enough."
            ),
            Comment(id="c1", author="Ann", at="2024-12-10T00:00:00.000Z", text="How often?"),
        ),
    )
    child = attrs.evolve(parent, identifier="OPS-3", title="Order a vault", parent="TB-2")
    return attrs.evolve(sample_company(), token=KEY, issues=(parent, issue, child))


@asynccontextmanager
async def _northwind() -> AsyncIterator[Vendor]:
    async with serve(Linear(_company())) as base_url:
        yield Vendor(base_url=base_url, answers={"token": KEY})


@pytest.fixture
def northwind() -> AbstractAsyncContextManager[Vendor]:
    """Give the workspace, open as long as it is used."""
    return _northwind()


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


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
