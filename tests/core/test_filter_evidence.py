"""Whether a plugin that cannot be loaded may have a filter."""

from collections.abc import Callable

import pytest

from rove_core.errors import PluginFailed
from rove_core.plugins.filter_evidence import may_filter
from rove_core.plugins.kept_off import KeptOff
from rove_core.plugins.loader import load_plugins
from rove_core.plugins.watchdog import ANONYMOUS, Board, note_without_filter, show_on, step

ENDS_AT_IMPORT = "import os\n\nos._exit(3)\n"
FILTER = "def rove_filter_item(account, item):\n    return item\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ENDS_AT_IMPORT, False),
        (ENDS_AT_IMPORT + FILTER, True),
        (ENDS_AT_IMPORT + "from company_rules import *\n", True),
    ],
    ids=["nothing names the hook", "a filter", "all names of another module"],
)
def test_the_files_of_a_plugin_say_it(
    install_plugin: Callable[..., None], text: str, *, expected: bool
) -> None:
    """A plugin has a filter only if a file of its own names the hook, and none is imported."""
    install_plugin("ending", text=text)

    assert may_filter("ending/ending") is expected


@pytest.mark.parametrize("text", ["raise ValueError('rules')\n", "print('hello')\n"])
def test_a_filter_that_is_not_imported(install_plugin: Callable[..., None], text: str) -> None:
    """A plugin that fails at import closes its filter, and costs nothing if it names none."""
    install_plugin("strict", text=text + FILTER)
    install_plugin("plain", text=text)

    closed = load_plugins().closed_filters()

    assert list(closed) == ["strict/strict"]
    assert "at import" in closed["strict/strict"]


def test_a_plugin_whose_module_is_missing(install_plugin: Callable[..., None]) -> None:
    """What cannot be read counts as having a filter."""
    install_plugin("ending", module="no_module_of_this_name")

    assert may_filter("ending/ending")


def test_a_plugin_that_is_not_installed() -> None:
    """It has none: whoever removed it has removed its filter."""
    assert not may_filter("rove-gone/gone")


def test_an_account_that_is_disabled(install_plugin: Callable[..., None]) -> None:
    """The filter of its plugin is still called."""
    install_plugin("ending", text=FILTER)
    failed = PluginFailed("ending: rove_search ended its process", account="ending")

    kept_off = KeptOff.after(failed, "rove_search", remark="left out", has_no_filter=False)

    assert not kept_off.filters


@pytest.mark.parametrize("has_no_filter", [False, True])
def test_a_loaded_plugin_is_known(
    install_plugin: Callable[..., None], *, has_no_filter: bool
) -> None:
    """Its files do not matter if its process had found that it has no filter."""
    install_plugin("ending", text=FILTER)
    failed = PluginFailed("ended", account="ending/ending")

    kept_off = KeptOff.after(failed, "rove_sections", remark="x", has_no_filter=has_no_filter)

    assert kept_off.filters is not has_no_filter


def test_a_board_shows_that_a_plugin_has_no_filter() -> None:
    """The process that watches sees it from the moment at which it is known."""
    board = Board(ANONYMOUS)
    show_on(board)
    try:
        with step("rove-a/a"):
            before = board.has_no_filter
            note_without_filter("rove-a/a")
            after = board.has_no_filter
        with step("rove-b/b", "rove_sections"):
            other = board.has_no_filter
    finally:
        show_on(None)

    assert (before, after, other) == (False, True, False)
