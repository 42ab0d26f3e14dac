from contextlib import AbstractAsyncContextManager

import pytest

from rove_core.testing import SourceTests, Vendor


class TestLinear(SourceTests):
    kind = "linear"
    known, known_kind, unknown = "TB-2", "ticket", "TB-999"
    query = "TB"
    mentions = ("see TB-2", "https://linear.app/northwind/issue/TB-2/rotate-keys")

    @pytest.fixture
    def vendor(
        self, northwind: AbstractAsyncContextManager[Vendor]
    ) -> AbstractAsyncContextManager[Vendor]:
        """Give the simulator."""
        return northwind
