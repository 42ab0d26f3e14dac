"""Fixtures for tests against the simulators: import them in your conftest.

::

    from rove_sim.testing import rove_company, rove_world

Override ``rove_company`` for a company of your own, ``rove_conduct`` for vendors that behave
otherwise: by default a page holds two things, so that no test passes without paging.
"""

from collections.abc import AsyncIterator

import pytest

from rove_sim.company import Company, sample_company
from rove_sim.conduct import Conduct
from rove_sim.world import World, running

__all__ = ["rove_company", "rove_conduct", "rove_world"]


@pytest.fixture
def rove_company() -> Company:
    """Give the sample company."""
    return sample_company()


@pytest.fixture
def rove_conduct() -> Conduct:
    """Give vendors whose pages hold two things."""
    return Conduct(page_size=2)


@pytest.fixture
async def rove_world(rove_company: Company, rove_conduct: Conduct) -> AsyncIterator[World]:
    """Run the vendors of the company, and fail when one of them was asked in a wrong way."""
    async with running(rove_company, conduct=rove_conduct) as world:
        yield world
    assert world.refused == []  # noqa: S101  # this is how a fixture says that a test failed
