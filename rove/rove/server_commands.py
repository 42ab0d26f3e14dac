"""``rove server``: start, stop and inspect the project's server."""

import click
from attrs import frozen

from rove.pager import page
from rove.server.start import ensure_server, running, stop
from rove_core.errors import ServerTrouble
from rove_core.project.layout import ProjectPaths
from rove_core.project.local import LocalProject

_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@frozen(kw_only=True)
class ServerState:
    """State of a project's server.

    Attributes:
        running: Whether it answers.
        pid: Its process; None if none answers.
        version: Of which Rove it is; None if none answers.
        socket: Where it answers.
    """

    running: bool
    pid: int | None
    version: str | None
    socket: str


@click.command("start")
@_json
def start_command(*, as_json: bool) -> None:
    """Start this project's server if it is not running.

    It builds and refreshes documents in the background, and answers at .rove/api.sock. A server
    of an older version is stopped and replaced.
    """
    places = LocalProject.at().places
    started = ensure_server(places)
    _print("started" if started.is_new else "already running", places, as_json=as_json)


@click.command("stop")
@_json
def stop_command(*, as_json: bool) -> None:
    """Stop this project's server; unfinished tasks continue with the next one."""
    places = LocalProject.at().places
    _print("stopped" if stop(places) else "not running", places, as_json=as_json)


@click.command("status")
@_json
def status_command(*, as_json: bool) -> int:
    """Show whether this project's server is running (exit code 6 if not)."""
    places = LocalProject.at().places
    return 0 if _print("running", places, as_json=as_json) else ServerTrouble.exit_code


def _print(what: str, places: ProjectPaths, *, as_json: bool) -> bool:
    """Print how things are now, and return whether the server runs."""
    server = running(places)
    if as_json:
        from rove_core.wire.json_text import json_text  # noqa: PLC0415  # what people read needs none
        from rove_core.wire.structure import to_json  # noqa: PLC0415  # the same

        state = ServerState(
            running=server is not None,
            pid=server.pid if server else None,
            version=server.version if server else None,
            socket=str(places.socket),
        )
        click.echo(json_text(to_json(state), indent=2))
    elif server:
        page(f"{what}: process {server.pid}, version {server.version}, {places.socket}")
    else:
        click.echo(what if what == "stopped" else "not running")
    return server is not None
