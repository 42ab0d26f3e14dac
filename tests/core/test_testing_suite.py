"""The suite lets nobody leave a test out in silence, and costs nothing where it is not used."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from rove_core.testing import SourceTests, Vendor, reference
from rove_core.testing.scene import on_stage
from rove_core.testing.source_under_test import PATIENCE, renew_at_each_call


def _watch(suite: type[SourceTests]) -> None:
    suite().test_nothing_is_left_out_silently()


def test_suite_left_as_it_is_passes() -> None:
    """Facts and fixtures of one's own are no change of the tests."""

    class Facts(SourceTests):
        kind = "notes"

    _watch(Facts)


def test_overridden_test_is_told() -> None:
    """A standard test with another body fails the watching one, by its name."""

    class Facts(SourceTests):
        def test_times_are_utc(self) -> None:
            """Say nothing."""

    with pytest.raises(AssertionError, match="test_times_are_utc"):
        _watch(Facts)


def test_deleted_test_is_told() -> None:
    """A standard test that was set to None is missed."""

    class Facts(SourceTests):
        test_times_are_utc = None  # type: ignore[assignment]  # what a cheat would do

    with pytest.raises(AssertionError, match="test_times_are_utc"):
        _watch(Facts)


def test_mark_without_reason_is_told() -> None:
    """A bare skip is no reason."""

    class Facts(SourceTests):
        @pytest.mark.skip
        def test_times_are_utc(self) -> None:
            """Say nothing."""

    with pytest.raises(AssertionError, match="test_times_are_utc"):
        _watch(Facts)


def test_mark_with_reason_is_accepted() -> None:
    """Who says why may leave a test out."""

    class Facts(SourceTests):
        @pytest.mark.xfail(reason="the vendor gives local times only")
        def test_times_are_utc(self) -> None:
            """Fail."""

    _watch(Facts)


def test_watching_test_cannot_be_overridden() -> None:
    """The one that watches is put back into every suite."""

    class Facts(SourceTests):
        test_times_are_utc = None  # type: ignore[assignment]  # what a cheat would do

        def test_nothing_is_left_out_silently(self) -> None:
            """Say nothing."""

    with pytest.raises(AssertionError, match="test_times_are_utc"):
        _watch(Facts)


def test_suite_skipped_as_a_whole_is_refused(tmp_path: Path) -> None:
    """A class that is skipped without a reason stops the run, with the name of a test."""
    (tmp_path / "test_cheat.py").write_text(
        "import pytest\nfrom rove_core.testing import SourceTests\n\n"
        "@pytest.mark.skip\nclass TestCheat(SourceTests):\n    kind = 'notes'\n"
    )

    done = _pytest(tmp_path)

    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "skip needs a reason=" in done.stderr


def test_plugin_is_light(tmp_path: Path) -> None:
    """A run in a project that has nothing to do with Rove loads no library of Rove's."""
    (tmp_path / "test_other.py").write_text(
        "import sys\n\ndef test_other():\n"
        "    heavy = {'httpx', 'cattrs', 'keyring', 'cryptography', 'aiosqlite', 'attrs'}\n"
        "    assert heavy & set(sys.modules) == set()\n"
        "    assert 'rove_core.testing.plugin' in sys.modules\n"
    )

    done = _pytest(tmp_path, "-p", "no:hypothesispytest", "-p", "no:anyio")

    assert done.returncode == 0, done.stdout


def _pytest(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    # A plugin of pytest that no suite needs takes longer to load than pytest itself.
    without = ("-p", "no:cacheprovider", "-p", "no:schemathesis")
    command = [sys.executable, "-m", "pytest", "-q", *without, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603  # our own words


def test_each_call_has_the_whole_time() -> None:
    """A slow machine fails no test that calls its source often: each call starts the time anew."""
    (kind,) = reference.rove_sources()

    async def deadlines() -> tuple[float | None, float | None]:
        async with on_stage(kind, Vendor()) as scene, asyncio.timeout(None) as patience:
            renew_at_each_call(patience, scene)
            before = patience.when()
            called = asyncio.get_running_loop().time()
            await scene.find("login")
            after = patience.when()
            return before, after and after - called

    before, left = asyncio.run(deadlines())

    assert before is None
    assert left is not None
    assert left >= PATIENCE
