"""``rove settings edit``: open a settings file in the user's editor, then check it."""

import sys
from pathlib import Path

import click

from rove.streams import print_line
from rove_core.errors import WrongCall
from rove_core.project.local import LocalProject
from rove_core.project.settings.loader import read_project_file
from rove_core.project.toml.reader import read_bytes
from rove_core.project.trust import is_trusted, record_trust
from rove_core.store.files import private_folder


@click.command("edit")
@click.option("--global", "everywhere", is_flag=True, help="Your own settings, for all projects.")
def command(*, everywhere: bool) -> None:
    """Edit the settings file of this project, or your own, in your editor."""
    project = LocalProject.unchecked()
    places = project.places
    path = places.user_settings_file if everywhere else places.settings_file
    if not sys.stdin.isatty():
        raise WrongCall("there is no terminal to edit in", hint=f"Edit the file: {path}")
    private_folder(path.parent)
    before = read_bytes(path, shown=str(path)) or b""
    trusted = not before or is_trusted(places, before)
    path.touch(mode=0o600)
    click.edit(filename=str(path))
    _check(path, before)
    now = read_bytes(path, shown=str(path)) or b""
    if not everywhere and trusted and now != before:
        record_trust(places, now)
    click.echo(str(path))


def _check(path: Path, before: bytes) -> None:
    """Refuse a file that cannot be read; the person's text stays beside it."""
    now = read_bytes(path, shown=str(path)) or b""
    try:
        read_project_file(now)
    except Exception:
        draft = path.with_suffix(".rejected.toml")
        draft.write_bytes(now)
        path.write_bytes(before)
        print_line(f"rove: settings unchanged; your text is in {draft}")
        raise
