"""``rove plugins check``: check an installed plugin for its author or its user."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from textwrap import wrap
from typing import Final

import click

from rove.app_commands import APP
from rove.commands import GROUPS
from rove.operations import own_operations
from rove.pager import page
from rove.reports import printable
from rove_core.plugins.check import Check, PluginChecked, check_plugin
from rove_core.terminal.tables import counted
from rove_core.testing.levels import MISSING
from rove_core.wire.json_text import json_text
from rove_core.wire.structure import to_json

_ORDER: Final = ("passed", "failed", "skipped", "not run")
_NEXT: Final = {None: "bronze", "bronze": "silver", "silver": "gold"}
_INDENT: Final = " " * 11


@click.command("check")
@click.argument("package")
@click.option(
    "--tests", type=click.Path(path_type=Path), help="The folder of the plugin's own tests."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(*, package: str, tests: Path | None, as_json: bool) -> int:
    """Check an installed plugin: that it loads, keeps the contract, and which level it reaches.

    Runs the compliance suites among the plugin's own tests. Without any, only the standard tests
    that need no vendor are run; the others are listed as not run.
    """
    own = {name for each in own_operations() for name in (each.name, each.command)}
    checked = check_plugin(package, tests=tests, taken={*own, *APP, *GROUPS})
    if as_json:
        click.echo(json_text(to_json(checked), indent=2))
    else:
        page("\n".join(_lines(checked)))
    return 1 if checked.failed else 0


def _lines(checked: PluginChecked) -> Iterator[str]:
    yield f"{checked.distribution} {checked.version}"
    for check in checked.checks:
        if not _is_test(check):
            yield _line(check, check.what)
    tests = sorted(filter(_is_test, checked.checks), key=_group_key)
    for _, group in groupby(tests, key=_group_key):
        alike = list(group)
        if alike[0].outcome == "failed":
            yield from (_line(check, check.what) for check in alike)
            continue
        yield _line(alike[0], counted(len(alike), "standard test"))
        if alike[0].outcome in {"skipped", "not run"}:
            names = ", ".join(check.what for check in alike)
            yield from wrap(names, initial_indent=_INDENT, subsequent_indent=_INDENT, width=100)
    yield from _levels(checked)
    yield f"{len(checked.failed)} failed" if checked.failed else "nothing failed"


def _levels(checked: PluginChecked) -> Iterator[str]:
    """Yield the level of each kind of source, and what the next one still needs."""
    for kind in sorted({check.about for check in checked.checks if check.level}):
        level = checked.levels.get(kind)
        following = _NEXT.get(level)
        lacking = [
            check.what
            for check in checked.checks
            if check.about == kind and check.level == following and not _holds(check)
        ]
        more = f"; {following} needs {len(lacking)} more: {', '.join(lacking)}" if following else ""
        yield f"{kind} reaches {level or 'no level yet'}{printable(more)}"


def _holds(check: Check) -> bool:
    return check.outcome == "passed" or (
        check.outcome == "skipped" and not check.reason.startswith(MISSING)
    )


def _line(check: Check, what: str) -> str:
    why = f": {printable(check.reason)}" if check.reason else ""
    return f"  {check.outcome:8} {check.about}: {what}{why}"


def _is_test(check: Check) -> bool:
    return check.what.startswith("test_")


def _group_key(check: Check) -> tuple[str, int, str]:
    return check.about, _ORDER.index(check.outcome), check.reason
