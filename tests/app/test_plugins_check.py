"""``rove plugins check``: what is right, what is wrong, and what nobody could tell."""

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.app.conftest import Rove, Tracker

TEXT = (Path(__file__).parent / "plugins" / "tracker.py").read_text("utf-8")

#: The suite of a tracker that nobody can talk to: most of it fails.
SUITE = """
from rove_core.testing import SourceTests

class TestTracker(SourceTests):
    kind = "tracker"
    known, known_kind, unknown = "TR-1", "ticket", "TR-2"
    query = "keys"
"""


@pytest.mark.usefixtures("tracker")
def test_what_needs_no_vendor_is_run(rove: "Rove") -> None:
    """Of a package without tests the standard tests are run that need none, the others named."""
    outcome = rove("plugins", "check", "tracker")

    assert outcome.code == 1  # The plugin's source lies beside its kind.
    assert "passed   tracker: its source follows the contract" in outcome.out
    assert "failed   tracker: test_kind_is_described_by_data_alone" in outcome.out
    assert re.search(r"not run  tracker: \d+ standard tests: it needs a fake vendor", outcome.out)
    assert "test_search_keeps_the_limit" in outcome.out


def test_a_good_plugin(rove: "Rove") -> None:
    """A package whose checks all hold ends with 0."""
    outcome = rove("plugins", "check", "rove_notes", "--json")

    checked = json.loads(outcome.out)

    assert (outcome.code, checked["distribution"]) == (0, "rove-notes")
    assert {check["outcome"] for check in checked["checks"]} == {"passed", "not run"}


def test_a_plugin_that_does_not_load(rove: "Rove", install_plugin: "Callable[..., None]") -> None:
    """A package that cannot be loaded is told with the reason."""
    install_plugin("hasty", text="import nothing_like_this")

    outcome = rove("plugins", "check", "hasty")

    assert outcome.code == 1
    assert "No module named 'nothing_like_this'" in outcome.out


def test_a_source_that_breaks_the_contract(
    rove: "Rove", install_plugin: "Callable[..., None]"
) -> None:
    """A source whose author forgot a marker is told, and its tests are not tried."""
    marked = "    @hookimpl\n    async def rove_identity"
    install_plugin("tracker", text=TEXT.replace(marked, "    async def rove_identity"))

    outcome = rove("plugins", "check", "tracker")

    assert outcome.code == 1
    assert "TrackerSource.rove_identity lacks @hookimpl" in outcome.out
    assert "standard test" not in outcome.out


TAKING = """
from rove_core import DatabaseFiles, LocalProject, Operation, TextExtractor, hookimpl

async def measure(rove: LocalProject) -> str:
    \"\"\"Measure.\"\"\"
    return "1013"

@hookimpl
def rove_operations():
    return [Operation(measure, command="find")]

@hookimpl
def rove_extractors():
    return [TextExtractor(name="gauge", suffixes=(".gauge",), function="nobody.has:this")]

@hookimpl
def rove_databases():
    return [DatabaseFiles(files="gauge.db", migrations="nobody.has:that")]
"""


def test_what_nobody_could_use(rove: "Rove", install_plugin: "Callable[..., None]") -> None:
    """A command of Rove's own, a missing reader and missing migrations are reported."""
    install_plugin("barometer", text=TAKING)

    outcome = rove("plugins", "check", "barometer")

    assert outcome.code == 1
    assert "'find' is one of Rove's own names: choose another" in outcome.out
    assert "nobody.has:this: ModuleNotFoundError" in outcome.out
    assert "nobody.has:that: ModuleNotFoundError" in outcome.out


@pytest.mark.usefixtures("tracker")
def test_its_own_tests_are_run(rove: "Rove", tmp_path: Path) -> None:
    """With ``--tests`` the compliance suite that lies there is run, whole, and no other test."""
    (tmp_path / "test_suite.py").write_text(SUITE, "utf-8")
    (tmp_path / "test_other.py").write_text("def test_wrong(): assert False", "utf-8")

    checked = json.loads(
        rove("plugins", "check", "tracker", "--tests", str(tmp_path), "--json").out
    )
    outcomes = {check["what"]: check["outcome"] for check in checked["checks"]}

    assert outcomes["test_login_gives_a_credential"] == "failed"
    assert outcomes["test_ids_match_their_pattern"] == "passed"
    assert outcomes["test_search_keeps_since"] == "skipped"
    assert "test_wrong" not in outcomes


@pytest.mark.usefixtures("tracker")
def test_tests_of_another_kind(rove: "Rove", tmp_path: Path) -> None:
    """Tests in which the kind has no suite prove nothing, and that is a failure."""
    (tmp_path / "test_suite.py").write_text(SUITE.replace('"tracker"', '"other"'), "utf-8")

    outcome = rove("plugins", "check", "tracker", "--tests", str(tmp_path))

    assert outcome.code == 1
    assert "no standard test of 'tracker' ran" in outcome.out


def test_the_worst_of_two_suites_counts(rove: "Rove", tracker: "Tracker", tmp_path: Path) -> None:
    """A test that fails in one class of the kind and passes in another has failed."""
    vendor = f"""
    import pytest
    from contextlib import nullcontext
    from rove_core.testing import Vendor

    @pytest.fixture
    def vendor(self):
        return nullcontext(Vendor(base_url={tracker.url!r}, answers={{"token": "CANARY-key"}}))
"""
    good = SUITE.replace("class TestTracker", "class TestZ") + vendor
    (tmp_path / "test_suite.py").write_text(SUITE + good, "utf-8")

    checked = json.loads(
        rove("plugins", "check", "tracker", "--tests", str(tmp_path), "--json").out
    )
    outcomes = {check["what"]: check["outcome"] for check in checked["checks"]}

    assert outcomes["test_login_gives_a_credential"] == "failed"
    assert outcomes["test_identity_names_somebody"] == "failed"


def test_no_such_package(rove: "Rove") -> None:
    """A package that brings no plugin is answered with those that do."""
    outcome = rove("plugins", "check", "pytest")

    assert outcome.code == 2
    assert "rove-notes" in outcome.err


def test_no_such_tests(rove: "Rove") -> None:
    """Tests that are not there are a wrong call."""
    assert rove("plugins", "check", "rove-notes", "--tests", "/nowhere").code == 2


def test_without_pytest(rove: "Rove", monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no pytest the suite is not run, and how to get it is said."""
    monkeypatch.setitem(sys.modules, "pytest", None)

    outcome = rove("plugins", "check", "rove-notes")

    assert outcome.code == 0
    assert "not run  notes: the suite: pytest is not installed" in outcome.out
    assert "pip install 'rove-core[testing]'" in outcome.out
