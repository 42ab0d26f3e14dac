"""Check an installed plugin: whether it loads and keeps the contract, and its level."""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal, TypeAlias
from urllib.parse import unquote, urlsplit

from attrs import field, frozen

from rove_core.errors import PluginFailed, WrongCall
from rove_core.plugins.installed_plugins import BrokenPlugin, Plugin
from rove_core.plugins.loader import inspect_kind, load_plugins
from rove_core.sources import AnySourceKind
from rove_core.testing.levels import Level, reached

Outcome: TypeAlias = Literal["passed", "failed", "skipped", "not run"]

_OUTCOMES: Final[dict[str, Outcome]] = {
    "passed": "passed",
    "failed": "failed",
    "skipped": "skipped",
}
_NO_PYTEST: Final = "pytest is not installed; try: pip install 'rove-core[testing]'"
_NO_VENDOR: Final = "it needs a fake vendor: name the plugin's own tests with --tests FOLDER"


@frozen(kw_only=True)
class Check:
    """The result of one check.

    Attributes:
        about: The plugin or kind of source.
        what: The requirement.
        outcome: Whether it is met.
        reason: Why it is not met, or was not checked.
        level: The level of the compliance suite it belongs to, if it is one of its tests.
    """

    about: str
    what: str
    outcome: Outcome
    reason: str = ""
    level: Literal["", "bronze", "silver", "gold"] = ""


@frozen(kw_only=True)
class PluginChecked:
    """The result of checking a package.

    Attributes:
        distribution: Its name.
        version: Its version.
        checks: All checks, including those that could not run.
        levels: The level that each kind of source reached, by name; none below bronze.
    """

    distribution: str
    version: str
    checks: tuple[Check, ...]
    levels: Mapping[str, Level] = field(factory=dict)

    @property
    def failed(self) -> tuple[Check, ...]:
        """The failed checks."""
        return tuple(check for check in self.checks if check.outcome == "failed")


def check_plugin(
    package: str, *, tests: Path | None = None, taken: Collection[str] = ()
) -> PluginChecked:
    """Check an installed plugin package.

    Args:
        package: The name of its distribution, its module, or the plugin itself.
        tests: The path of its tests, of which the compliance suites are run. By default they are
            looked for beside its code, if it is installed from there. Without any, only the
            standard tests that need no vendor are run.
        taken: The names of Rove's own operations and commands, which no plugin may use.

    Raises:
        WrongCall: No such package provides a plugin, or there is no such folder.
    """
    if tests and not tests.exists():
        raise WrongCall(f"{tests}: there are no tests")
    found = load_plugins()
    everyone: list[Plugin | BrokenPlugin] = [*found.working, *found.broken]
    ours = [each for each in everyone if _normalised_name(package) in _names(each)]
    if not ours:
        names = ", ".join(sorted({each.distribution for each in everyone})) or "none"
        raise WrongCall(
            f"no installed package {package!r} provides a Rove plugin; these do: {names}",
            hint="Install it here first: pip install -e FOLDER",
        )
    own = tests or _tests_beside(ours[0].distribution)
    checks = tuple(check for each in ours for check in _checks(each, own, taken))
    return PluginChecked(
        distribution=ours[0].distribution,
        version=ours[0].version,
        checks=checks,
        levels=_levels(checks),
    )


def _levels(checks: Sequence[Check]) -> Mapping[str, Level]:
    """Return the level that each kind of source reached."""
    levels: dict[str, Level] = {}
    for kind in {check.about for check in checks if check.level}:
        results = {
            check.what: (check.level, check.outcome, check.reason)
            for check in checks
            if check.about == kind and check.level
        }
        if (level := reached(results)) is not None:
            levels[kind] = level
    return levels


def _checks(
    plugin: Plugin | BrokenPlugin, tests: Path | None, taken: Collection[str]
) -> Iterator[Check]:
    what = "loads and describes its features"
    if isinstance(plugin, BrokenPlugin):
        yield Check(about=plugin.name, what=what, outcome="failed", reason=plugin.error)
        return
    yield Check(about=plugin.name, what=what, outcome="passed", reason="; ".join(plugin.notes))
    yield from _names_checked(plugin, taken)
    yield from _readers_checked(plugin)
    yield from _databases_checked(plugin)
    for kind in plugin.kinds:
        contract = _contract(kind)
        yield contract
        if contract.outcome == "passed":
            yield from _suite(kind.name, tests)


def _names_checked(plugin: Plugin, taken: Collection[str]) -> Iterator[Check]:
    what = "operation names are unique"
    for operation in plugin.operations:
        if names := {operation.name, operation.command}.intersection(taken):
            reason = f"{min(names)!r} is one of Rove's own names: choose another"
            yield Check(about=plugin.name, what=what, outcome="failed", reason=reason)


def _readers_checked(plugin: Plugin) -> Iterator[Check]:
    what = "its file extractors can be imported"
    for extractor in plugin.extractors:
        place, _, name = extractor.function.partition(":")
        try:
            getattr(import_module(place), name)
        except Exception as error:  # noqa: BLE001  # whatever a module does when it is imported
            reason = f"{extractor.function}: {type(error).__name__}: {error}"
            yield Check(about=plugin.name, what=what, outcome="failed", reason=reason)


def _databases_checked(plugin: Plugin) -> Iterator[Check]:
    what = "the migrations of its databases can be imported"
    for database in plugin.databases:
        try:
            database.version()
        except Exception as error:  # noqa: BLE001  # whatever a module does when it is imported
            reason = f"{database.migrations}: {type(error).__name__}: {error}"
            yield Check(about=plugin.name, what=what, outcome="failed", reason=reason)


def _contract(kind: AnySourceKind) -> Check:
    what = "its source follows the contract"
    try:
        inspect_kind(kind)
    except PluginFailed as error:
        return Check(about=kind.name, what=what, outcome="failed", reason=error.message)
    return Check(about=kind.name, what=what, outcome="passed")


def _suite(kind: str, tests: Path | None) -> Iterator[Check]:
    """Yield the results of the standard tests, run by pytest in a child process."""
    if find_spec("pytest") is None:
        yield Check(about=kind, what="the suite", outcome="not run", reason=_NO_PYTEST)
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "results.json")
        chosen = [str(tests.absolute())] if tests else _write_bare_test(kind, Path(folder))
        command = [sys.executable, "-m", "pytest", "-p", "rove_core.testing.suite_runner", "-q"]
        command += ["-p", "no:cacheprovider", "--rove-kind", kind, "--rove-results", str(file)]
        output = _last_line([*command, *chosen], (tests or Path(folder)).absolute())
        results = json.loads(file.read_text("utf-8")) if file.exists() else {}
    ran = [name for name, (_, outcome, _) in results.items() if outcome != "not run"]
    if not ran:
        reason = f"no standard test of {kind!r} ran in {tests}: {output}"
        yield Check(about=kind, what="the suite", outcome="failed", reason=reason)
    for name, (level, outcome, reason) in results.items():
        yield Check(
            about=kind,
            what=name,
            outcome=_OUTCOMES.get(outcome, "not run"),
            reason=reason if outcome != "not run" else "" if tests else _NO_VENDOR,
            level=level,
        )


def _write_bare_test(kind: str, folder: Path) -> Sequence[str]:
    """Write a test file for a plugin without tests, and return pytest's arguments."""
    from rove_core.testing.suite_runner import BARE  # noqa: PLC0415  # pytest need not be installed

    test, settings = folder / "test_bare.py", folder / "pytest.ini"
    test.write_text(BARE.format(kind=kind), "utf-8")
    settings.write_text("[pytest]\n", "utf-8")
    return ["--rove-alone", "-c", str(settings), f"--rootdir={folder}", str(test)]


def _last_line(command: Sequence[str], place: Path) -> str:
    """Run pytest and return its last line."""
    path = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(  # noqa: S603  # our own words, and the user's own folder
        command,
        cwd=place if place.is_dir() else place.parent,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = (done.stdout + done.stderr).strip().splitlines()
    return lines[-1] if lines else ""


def _tests_beside(distribution: str) -> Path | None:
    """Return the tests of a package that is installed from its folder, if they lie there."""
    from importlib_metadata import distribution as installed  # noqa: PLC0415  # 40 ms

    text = installed(distribution).read_text("direct_url.json")
    url = urlsplit(json.loads(text)["url"] if text else "")
    tests = Path(unquote(url.path), "tests")
    return tests if url.scheme == "file" and tests.is_dir() else None


def _names(plugin: Plugin | BrokenPlugin) -> set[str]:
    return {_normalised_name(plugin.distribution), _normalised_name(plugin.name)}


def _normalised_name(name: str) -> str:
    """Return a package's name as indexes write it."""
    return re.sub(r"[-_.]+", "-", name).lower()
