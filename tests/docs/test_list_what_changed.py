"""The listings that the page shows keep the contract, whatever changes at their vendor."""

from contextlib import AbstractAsyncContextManager

import pytest
from docs_src.list_what_changed import rove_cards
from docs_src.list_what_changed.cards_vendor import cards_vendor

from rove_core import CommonSettings, SourceKind
from rove_core.sources import AnySourceKind
from rove_core.testing import Vendor
from rove_core.testing.list_tests import ListTests


class TestOneBoard(ListTests):
    """The loop with its limit."""

    kind, known, known_kind, unknown = "cards", "A/1", "card", "A/999"

    @pytest.fixture
    def source_kind(self) -> AnySourceKind:
        """Return the kind with one board."""
        return SourceKind(
            name="cards",
            title="Cards",
            settings=CommonSettings,
            connect=rove_cards.BoardSource,
        )

    @pytest.fixture
    def vendor(self) -> AbstractAsyncContextManager[Vendor]:
        """Give one board."""
        return cards_vendor("A")


class TestSeveralBoards(ListTests):
    """The listings of two boards as one."""

    kind, known, known_kind, unknown = "cards", "A/1", "card", "A/999"

    @pytest.fixture
    def source_kind(self) -> AnySourceKind:
        """Return the kind with several boards."""
        return SourceKind(
            name="cards",
            title="Cards",
            settings=CommonSettings,
            connect=rove_cards.BoardsSource,
        )

    @pytest.fixture
    def vendor(self) -> AbstractAsyncContextManager[Vendor]:
        """Give two boards."""
        return cards_vendor()
