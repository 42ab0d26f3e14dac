"""A change in what a source asks or returns fails the recording that shows it."""

from pathlib import Path

import pytest
from benchmarks.mutants import announced, first_failure

from rove_core.testing import recording_tests

#: For each standard test: a file of a plugin that the template makes, a passage, and another one.
CHANGES = {
    "test_reading_is_as_recorded": (
        "tracker.py",
        'title=f"Comment on {ticket.id}"',
        'title=f"Comment to {ticket.id}"',
    ),
    "test_history_is_as_recorded": ("tracker.py", "title=ticket.title,", 'title="A ticket",'),
    "test_failures_are_as_recorded": ("tracker.py", "title=ticket.title,", "title=ticket.nothing,"),
    "test_changes_are_as_recorded": ("work_items.py", "creates no ticket", "makes no ticket"),
}
#: What the author of the plugin adds to its test class.
RECORDED = """\
    recordings = Path(__file__).with_name("recordings")
    vendor_failures = {"gone": FAULTS["500"]}
"""


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a plugin made by the template, with its recordings."""
    plugin = announced(tmp_path_factory.mktemp("new") / "plugin", kind="token", writes=True)
    suite = plugin / "tests" / "test_compliance.py"
    text = suite.read_text("utf-8").replace("    query =", f"{RECORDED}    query =", 1)
    suite.write_text(
        f"from pathlib import Path\nfrom rove_core.testing import FAULTS\n{text}", "utf-8"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(recording_tests.RECORD, "1")
        assert first_failure(plugin, only="recorded") == ""
    return plugin


def test_unchanged_plugin_is_as_recorded(plugin: Path) -> None:
    """A second run asks and returns the same."""
    assert len([*(plugin / "tests" / "recordings").iterdir()]) == len(CHANGES)
    assert first_failure(plugin, only="recorded") == ""


@pytest.mark.parametrize(("test", "change"), CHANGES.items())
def test_changed_plugin_is_not(plugin: Path, test: str, change: tuple[str, str, str]) -> None:
    """Each standard test fails for a change in what it records."""
    name, right, wrong = change
    file = plugin / "rove_wiki" / name
    text = file.read_text("utf-8")
    assert right in text
    file.write_text(text.replace(right, wrong, 1), "utf-8")
    failed = first_failure(plugin, only=test)
    file.write_text(text, "utf-8")

    assert failed == test
