"""Made-up logins stand in tests alone."""

from collections.abc import Callable
from pathlib import Path

_CHECKOUT = Path(__file__).parents[2]
_OUTSIDE_TESTS = ("benchmarks", "docs_src", "rove*/rove*")


def test_no_module_holds_a_made_up_login(leaks: Callable[[str | bytes], bool]) -> None:
    """Outside the tests no module spells one: Hypothesis would draw it as a file's name."""
    modules = [
        module
        for pattern in _OUTSIDE_TESTS
        for folder in _CHECKOUT.glob(pattern)
        for module in folder.rglob("*.py")
    ]

    assert len(modules) > 500
    assert [str(each) for each in modules if leaks(each.read_bytes())] == []
