"""Order tests at random, and stop when the time is over: a plugin of pytest for :mod:`busy`."""

import os
from random import Random

import pytest

from rove_core.clock import SYSTEM

_SECONDS = float(os.environ.get("BUSY_SECONDS", "inf"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Shuffle the tests; each worker has the same seed, and so the same order."""
    Random(int(os.environ.get("BUSY_SEED", "0"))).shuffle(items)  # noqa: S311  # an order, not a secret


class _Watch:
    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._began: float | None = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Print a failure at once, and stop after the time."""
        if report.failed:
            print(f"\nFAILED {report.nodeid} ({report.when})", flush=True)
        now = SYSTEM.monotonic()
        self._began = now if self._began is None else self._began
        if now - self._began > _SECONDS:
            session = self._config.pluginmanager.getplugin("dsession")
            if session:
                session.shouldstop = f"{_SECONDS:g} s are over"


def pytest_configure(config: pytest.Config) -> None:
    """Watch in the process that hears of all results."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Watch(config))
