"""A pytest plugin that runs the standard tests of one kind and writes their results.

``python -m pytest -p rove_core.testing.suite_runner --rove-kind wiki --rove-results FILE TESTS``.
With ``--rove-alone`` only the tests that need no vendor run, on a generated class.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

#: The standard tests that need no vendor, and no fact that only the author knows.
NEED_NOTHING: Final = frozenset(
    {
        "test_connecting_needs_no_login",
        "test_connecting_touches_nothing",
        "test_hooks_keep_the_contract",
        "test_kind_is_described_by_data_alone",
        "test_kind_is_found_by_its_entry_point",
        "test_settings_have_defaults",
    }
)

#: What a test comes to, the better before the worse; a run says more than none.
_WORSE: Final = ("", "skipped", "passed", "failed")

#: The tests of a plugin of which no other tests are at hand.
BARE: Final = """
from rove_core.testing import SourceTests

class TestBare(SourceTests):
    kind = {kind!r}
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("rove", "checking a plugin of Rove")
    group.addoption("--rove-kind", help="the kind of source whose standard tests are run")
    group.addoption("--rove-results", type=Path, help="where to write what came of them, as JSON")
    group.addoption("--rove-alone", action="store_true", help="only those that need no vendor")


def pytest_configure(config: pytest.Config) -> None:
    """Watch the run."""
    option = config.option
    if option.rove_results:
        only = NEED_NOTHING if option.rove_alone else frozenset[str]()
        config.pluginmanager.register(_Results(option.rove_kind, only, option.rove_results))


class _Results:
    """Selects the standard tests of one kind, and collects their results."""

    def __init__(self, kind: str, only: frozenset[str], file: Path) -> None:
        self._kind = kind
        self._only = only
        self._file = file
        self._outcomes: dict[str, tuple[str, str]] = {}

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Leave out every other test."""
        others = [item for item in items if not self._is_selected(item)]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if self._is_selected(item)]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note how a test ended; the worst counts, of its parts and of several runs of it."""
        name = report.nodeid.rpartition("::")[2]
        outcome = self._outcomes.get(name, ("", ""))[0]
        is_told = report.when == "call" or report.outcome != "passed"
        if is_told and _WORSE.index(report.outcome) >= _WORSE.index(outcome):
            self._outcomes[name] = (report.outcome, _reason(report))

    def pytest_sessionfinish(self) -> None:
        """Write each standard test's level, outcome and reason; one without outcome was not run."""
        results = {
            name: (level, *self._outcomes.get(name, ("not run", "")))
            for name, level in _standard_tests()
        }
        self._file.write_text(json.dumps(results), "utf-8")

    def _is_selected(self, item: pytest.Item) -> bool:
        cls = getattr(item, "cls", None)
        is_standard = getattr(cls, "rove_suite", False) and getattr(cls, "kind", "") == self._kind
        return bool(is_standard) and (not self._only or item.name in self._only)


def _standard_tests() -> Iterator[tuple[str, str]]:
    from rove_core.testing.levels import level_of  # noqa: PLC0415  # as below
    from rove_core.testing.suite import (  # noqa: PLC0415  # pytest rewrites it first
        SourceTests,
        standard_tests,
    )

    return ((name, level_of(getattr(SourceTests, name))) for name in standard_tests())


def _reason(report: pytest.TestReport) -> str:
    match report.longrepr:
        case (_, _, str(reason)):
            return reason.removeprefix("Skipped: ")
        case None:
            return ""
        case long:
            crash = getattr(long, "reprcrash", None)
            return str(getattr(crash, "message", long)).partition("\n")[0]
