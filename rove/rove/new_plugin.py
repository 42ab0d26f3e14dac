"""``rove plugins new``: generate a source plugin whose tests pass."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from rove.streams import print_sentence
from rove_core.clock import SYSTEM
from rove_core.errors import WrongCall
from rove_core.terminal.tables import counted

_TEMPLATES: Final = Path(__file__).with_name("plugin_templates")
#: The folders that make up a plugin, by how its source is read.
_LAYERS: Final = {
    "file": ("common", "file"),
    "token": ("common", "http", "token"),
    "oauth": ("common", "http", "oauth"),
}
#: The end of a line that only a plugin has which writes, or only one which does not.
_MARK: Final = re.compile(r" *# (reads|writes)$")
_NAME: Final = re.compile(r"[a-z][a-z0-9]*")
#: Names of packages that Rove itself has, or will have.
_TAKEN: Final = frozenset(
    {"asana", "azure", "code", "core", "crew", "folder", "github", "hub", "jira", "linear", "mcp"}
    | {"memory", "notes", "openai", "sim", "slack", "web"}
)


@click.command("new")
@click.argument("name")
@click.option(
    "--kind",
    type=click.Choice(list(_LAYERS)),
    default="token",
    show_default=True,
    help="What it reads: a file, a site with a token, or a site with an OAuth login.",
)
@click.option("--writes", is_flag=True, help="It also lists what changed and changes work items.")
@click.option(
    "--folder", type=click.Path(path_type=Path), help="The folder to create; default: rove-NAME."
)
def command(*, name: str, kind: str, writes: bool, folder: Path | None) -> int:
    """Make a source plugin of your own, with a simulated vendor and tests that pass."""
    target = folder or Path(f"rove-{name}")
    files = make_plugin(name, kind=kind, target=target, writes=writes)
    click.echo(f"{counted(len(files), 'file')} in {target}", err=True)
    click.echo(target)
    print_sentence(f"Next: cd {target} && pip install -e '.[test]' && pytest")
    return 0


def make_plugin(name: str, *, kind: str, target: Path, writes: bool = False) -> tuple[Path, ...]:
    """Write a plugin into a new or an empty folder and return its files.

    Args:
        name: What its source is called: lower-case letters and digits.
        kind: ``file``, ``token`` or ``oauth``.
        target: The folder.
        writes: Whether it also lists what changed and changes work items.

    Raises:
        WrongCall: The name cannot be used, the folder is not empty, or the kind cannot write.
    """
    if not _NAME.fullmatch(name):
        raise WrongCall(
            f"not a plugin name: {name!r}",
            hint="Use lower-case letters and digits, a letter first: rove plugins new wiki",
        )
    if name in _TAKEN:
        raise WrongCall(f"rove_{name} is a package of Rove itself", hint="Choose another name.")
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise WrongCall(f"{target} exists and is not empty", hint="Choose another --folder.")
    if writes and "http" not in _LAYERS[kind]:
        raise WrongCall(
            f"a plugin that reads a {kind} has no work items to change",
            hint=f"Choose a site: rove plugins new {name} --kind token --writes",
        )
    return tuple(_write_files(name, kind, target, writes=writes))


def _write_files(name: str, kind: str, target: Path, *, writes: bool) -> Iterator[Path]:
    for layer in (*_LAYERS[kind], "writes") if writes else _LAYERS[kind]:
        for file in sorted((_TEMPLATES / layer).rglob("*")):
            place = file.relative_to(_TEMPLATES / layer)
            if not file.is_file() or any(part.startswith((".", "__p")) for part in place.parts):
                continue
            copy = target / _rename(str(place), name)
            copy.parent.mkdir(parents=True, exist_ok=True)
            text = _lines_for(file.read_text("utf-8"), "writes" if writes else "reads")
            copy.write_text(_rename(text, name), "utf-8")
            yield copy


def _lines_for(text: str, does: str) -> str:
    """Return a text without the lines that are for plugins of the other sort."""
    lines = [(line, _MARK.search(line)) for line in text.splitlines()]
    own_lines = (
        line[: mark.start()] if mark else line for line, mark in lines if _is_for(mark, does)
    )
    return "".join(f"{line}\n" for line in own_lines)


def _is_for(mark: re.Match[str] | None, does: str) -> bool:
    return mark is None or mark[1] == does


def _rename(text: str, name: str) -> str:
    result = text.replace("acme", name).replace("Acme", name.capitalize())
    return result.replace("ACME", name.upper()).replace("YEAR", str(SYSTEM.now().year))
