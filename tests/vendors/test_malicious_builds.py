"""A document whose ticket is honest, while all other vendors mean harm."""

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from tests.core.test_build_attacks import strange
from tests.vendors.malice import MODES
from tests.vendors.test_malicious import SOURCES, Malicious

from rove.operations.build import build
from rove_core import JSON, Account, MemoryStore, PreparedLogin, Project, Secret, open_project
from rove_core.testing import VirtualClock
from rove_sim import sample_company
from rove_sim.server import serve

pytestmark = pytest.mark.anyio

#: Every such mode is played; a campaign plays each of them.
_EVERY: Final = int(os.environ.get("ROVE_MODES_EVERY", "5"))
_OTHERS: Final = ("slack", "github", "enterprise", "linear", "asana", "azure")
#: No project here has remotes.
_SETTINGS: Final[Mapping[str, Mapping[str, JSON]]] = {"github": {"owners": ("northwind",)}}
_DECIDED: Final = "> Dec 18, 2024, Mike Torres: Decided to use python-jose for JWT handling"


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@asynccontextmanager
async def _opened(folder: Path) -> AsyncIterator[tuple[Project, Mapping[str, Malicious]]]:
    """Open a project with an account of each vendor; all of them are honest at first."""
    company, clock = sample_company(), VirtualClock()
    answers = {"email": Secret(company.owner.email), "token": Secret(company.token)}
    vendors = {name: Malicious(SOURCES[name].make(company)) for name in ("jira", *_OTHERS)}
    async with (
        AsyncExitStack() as stack,
        open_project(folder, accounts=(), credentials=MemoryStore(), clock=clock) as project,
    ):
        for name, vendor in vendors.items():
            url = await stack.enter_async_context(serve(vendor))
            (kind,) = SOURCES[name].package.rove_sources()
            account = Account(
                name=name,
                kind=kind.name,
                settings=kind.settings(
                    **({"owners": ("northwind",)} if "github" in kind.name else {})
                ),
                base_url=f"{url}{SOURCES[name].below}",
            )
            await project.log_in(account, partial(PreparedLogin, SOURCES[name].way, answers))
        yield project, vendors


@pytest.mark.parametrize("mode", [*MODES][::_EVERY])
async def test_no_document_is_lost(tmp_path: Path, mode: str) -> None:
    """The ticket's own words are written, and what others sent adds nothing but quotes."""
    async with _opened(tmp_path) as (project, vendors):
        for name in _OTHERS:
            vendors[name].bend = MODES[mode]
        results = await build(project, tickets=("TB-123",))

        assert not results.failed
        text = results.built[0].document.path.read_text("utf-8")
    assert _DECIDED in text
    assert [*strange(text, _Honest())] == []


class _Honest(frozenset[str]):
    """All hosts but those of the attacks."""

    def __contains__(self, host: object) -> bool:
        return "evil.example" not in str(host) and str(host) != "169.254.169.254"
