"""Garbage collection in Rove's own processes."""

import gc
from collections.abc import Iterator

import pytest

from rove import collector


@pytest.fixture(autouse=True)
def _usual_threshold() -> Iterator[None]:
    """Let the other tests collect garbage as usual."""
    usual = gc.get_threshold()
    yield
    gc.set_threshold(*usual)


def test_a_process_of_rove_collects_garbage_rarely() -> None:
    """A build's objects live to its end: to look through them again and again finds nothing."""
    collector.spare_the_collector()

    assert gc.get_threshold()[0] == 50_000
