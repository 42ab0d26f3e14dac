from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from types import MappingProxyType

import pytest
from tests.mcp.authorization import Authorization
from tests.mcp.servers import SETTINGS, app_of, serving, wiki

from rove_core.sources import AnySourceKind
from rove_core.testing import ExpectedItem, SourceTests, Vendor
from rove_core.testing.account_tests import AccountTests
from rove_core.testing.item_tests import ItemTests
from rove_core.testing.login_tests import LoginTests
from rove_core.testing.renewal_tests import RenewalTests
from rove_core.testing.source_under_test import SourceUnderTest


class Wiki(SourceUnderTest):
    kind = "mcp"
    known, known_kind, unknown = "P-1", "item", "P-999"
    query = "token"
    user = "a client of wiki"
    mentions = ("see https://wiki.example/pages/P-1",)
    newest_first = False
    more_expected = (
        ExpectedItem(
            id="P-3",
            title="Colours",
            words=("The *button* is `<b>`: <https://wiki.example/blue>",),
        ),
    )
    expected = ExpectedItem(
        id="P-1",
        role="page",
        title="Tokens",
        author="Ann Lee",
        timestamp=datetime(2024, 12, 12, 9, tzinfo=UTC),
        url="https://wiki.example/pages/P-1",
        words=("Tokens last a **day**, not a week.",),
    )


class TestMcp(Wiki, SourceTests):
    narrowing = MappingProxyType({"environment": None, "search_with": None, "hosts": None})

    @pytest.fixture
    def vendor(
        self, wiki_vendor: AbstractAsyncContextManager[Vendor]
    ) -> AbstractAsyncContextManager[Vendor]:
        """Give a wiki's server."""
        return wiki_vendor

    @pytest.mark.skip(reason="a token is its owner's to revoke; a login of the browser is revoked")
    def test_disconnecting_ends_quietly(self) -> None:
        """A login can be revoked."""


class TestMcpInABrowser(Wiki, LoginTests, RenewalTests, ItemTests, AccountTests):
    """What depends on the login; how the server answers is the same behind any."""

    @pytest.fixture
    def vendor(self) -> AbstractAsyncContextManager[Vendor]:
        """Give a wiki's server that one enters with a browser."""
        return _behind_consent()

    @pytest.mark.skip(reason="a person agrees in a browser: there is no answer to be wrong")
    def test_wrong_login_is_refused(  # noqa: D102  # as its original says
        self, source_kind: AnySourceKind, vendor: AbstractAsyncContextManager[Vendor]
    ) -> None:
        super().test_wrong_login_is_refused(source_kind, vendor)


@asynccontextmanager
async def _behind_consent() -> AsyncIterator[Vendor]:
    async with serving(Authorization(app_of(wiki()))) as origin:
        yield Vendor(base_url=f"{origin}/mcp", settings=SETTINGS, way="oauth")
