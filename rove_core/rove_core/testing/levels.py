"""The levels of the compliance suite, and the tests that each one requires."""

from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias, TypeVar

Level: TypeAlias = Literal["bronze", "silver", "gold"]
#: The levels, lowest first.
LEVELS: Final[tuple[Level, ...]] = ("bronze", "silver", "gold")
#: How the reason of a skipped test begins when a fact was not given: its level is not reached.
MISSING: Final = "not shown: "

AnyTest = TypeVar("AnyTest", bound=Callable[..., None])


def silver(test: AnyTest) -> AnyTest:
    """Mark a standard test as one of silver: faults, pages, order, renewal, neighbours."""
    return _at("silver", test)


def gold(test: AnyTest) -> AnyTest:
    """Mark a standard test as one of gold: known items, word for word."""
    return _at("gold", test)


def level_of(test: object) -> Level:
    """Return the level of a standard test."""
    level: Level = getattr(test, "rove_level", "bronze")
    return level


def reached(results: Mapping[str, tuple[Level, str, str]]) -> Level | None:
    """Return the highest level of which every test passed, or was rightly skipped.

    Args:
        results: The level, outcome and reason of each standard test, by its name.
    """
    best: Level | None = None
    for level in LEVELS:
        tests = [each for each in results.values() if each[0] == level]
        if not tests or not all(_holds(outcome, reason) for _, outcome, reason in tests):
            return best
        best = level
    return best


def _at(level: Level, test: AnyTest) -> AnyTest:
    vars(test)["rove_level"] = level
    return test


def _holds(outcome: str, reason: str) -> bool:
    return outcome == "passed" or (outcome == "skipped" and not reason.startswith(MISSING))
