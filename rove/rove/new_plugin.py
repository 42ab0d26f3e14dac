"""``rove plugins new``: a source plugin to start from, with tests that pass."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from rove_core.clock import SYSTEM
from rove_core.errors import WrongCall

_TEMPLATES: Final = Path(__file__).with_name("plugin_templates")
#: The folders that make up a plugin, by how its source is read.
_LAYERS: Final = {
    "file": ("common", "file"),
    "token": ("common", "http", "token"),
    "oauth": ("common", "http", "oauth"),
}
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
@click.option(
    "--folder", type=click.Path(path_type=Path), help="The folder to create; default: rove-NAME."
)
def command(*, name: str, kind: str, folder: Path | None) -> int:
    """Make a source plugin of your own, with a simulated vendor and tests that pass."""
    target = folder or Path(f"rove-{name}")
    files = make_plugin(name, kind=kind, target=target)
    click.echo(f"{len(files)} files in {target}", err=True)
    click.echo(target)
    click.echo(f"Next: cd {target} && pip install -e '.[test]' && pytest", err=True)
    return 0


def make_plugin(name: str, *, kind: str, target: Path) -> tuple[Path, ...]:
    """Write a plugin into a new or an empty folder and return its files.

    Args:
        name: What its source is called: lower-case letters and digits.
        kind: ``file``, ``token`` or ``oauth``.
        target: The folder.

    Raises:
        WrongCall: The name cannot be used, or the folder is not empty.
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
    return tuple(_written(name, kind, target))


def _written(name: str, kind: str, target: Path) -> Iterator[Path]:
    for layer in _LAYERS[kind]:
        for file in sorted((_TEMPLATES / layer).rglob("*")):
            place = file.relative_to(_TEMPLATES / layer)
            if not file.is_file() or any(part.startswith((".", "__p")) for part in place.parts):
                continue
            copy = target / _renamed(str(place), name)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(_renamed(file.read_text("utf-8"), name), "utf-8")
            yield copy


def _renamed(text: str, name: str) -> str:
    said = text.replace("acme", name).replace("Acme", name.capitalize())
    return said.replace("ACME", name.upper()).replace("YEAR", str(SYSTEM.now().year))
