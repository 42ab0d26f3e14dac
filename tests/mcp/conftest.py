"""What the tests of MCP share: the wiki's server, behind a token."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
from tests.mcp.servers import SETTINGS, TOKEN, app_of, behind_token, serving, wiki

from rove_core.testing import Vendor


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture
def wiki_vendor() -> AbstractAsyncContextManager[Vendor]:
    """Give the wiki, open as long as it is used."""

    @asynccontextmanager
    async def opened() -> AsyncIterator[Vendor]:
        async with serving(behind_token(app_of(wiki()))) as origin:
            yield Vendor(
                base_url=f"{origin}/mcp", settings=SETTINGS, answers={"token": TOKEN}, way="token"
            )

    return opened()
