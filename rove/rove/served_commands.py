"""Plugin commands that a running server executes, with plugins already loaded.

The server parses the arguments and returns what is to be printed, so that nothing of a plugin is
loaded here. Without a server the command is done here, as any other.
"""

import os
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import click

from rove.pager import page
from rove_core.errors import EXPECTED, ServerTrouble

if TYPE_CHECKING:
    from rove_core.wire.json_types import JSON

_ERRORS: Final = 400
_NOT_FOUND: Final = 404
#: What names a folder from where the person is, or wants the plugin's own help, is done here.
_LOCAL: Final = ("--help", "-h", "--repo", "--worktree")


class ServedCommand(click.Command):
    """A command that the project's server does, if one runs.

    Attributes:
        load: Returns the command with its help and its options.
    """

    def __init__(self, command: str, load: Callable[[], click.Command]) -> None:
        super().__init__(command.rpartition(" ")[2])
        self._command = command
        self.load = load

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # noqa: ANN401  # Click's own
    ) -> click.Context:
        """Ask the server; if it does not answer, parse the arguments here."""
        is_asked = not extra.get("resilient_parsing") and _is_for_server(args)
        answer = _ask_server(self._command, args) if is_asked else None
        if answer is None:
            return self.load().make_context(info_name, args, parent, **extra)
        return click.Context(self, parent, info_name, obj=answer)

    def invoke(self, ctx: click.Context) -> int:
        """Print the server's answer."""
        text = str(ctx.obj.get("text", ""))
        if text:
            is_json, verbatim = ctx.obj.get("is_json"), bool(ctx.obj.get("verbatim"))
            click.echo(text) if is_json else page(text, verbatim=verbatim)
        return int(ctx.obj.get("exit_code", 0))


def whole_command(command: click.Command) -> click.Command:
    """Return a command with its help and its options, which a served one leaves to the server."""
    return command.load() if isinstance(command, ServedCommand) else command


def _is_for_server(args: list[str]) -> bool:
    is_local = any(arg.partition("=")[0] in _LOCAL for arg in args)
    return not is_local and os.environ.get("ROVE_DAEMON") != "0"


def _ask_server(command: str, args: list[str]) -> "Mapping[str, JSON] | None":
    """Return the server's answer; None without a server, or if it refuses this caller."""
    from rove.server.client import call  # noqa: PLC0415  # a help page needs none
    from rove.server.environment import HEADER, environment_digest  # noqa: PLC0415  # the same
    from rove_core.project.checkouts import checkout_of  # noqa: PLC0415  # the same
    from rove_core.project.local import LocalProject  # noqa: PLC0415  # the same

    places = LocalProject.at().places
    if not places.socket.exists():
        return None
    body: JSON = {
        "command": command,
        "arguments": list(args),
        "checkout": str(checkout_of(places.root)),
        "stdin": sys.stdin.read() if "-" in args else "",
    }
    try:
        digest = {HEADER: environment_digest()}
        status, reply = call(places, "POST", "/commands", body, headers=digest)
    except OSError:
        return None
    if status < _ERRORS and isinstance(reply, Mapping):
        return reply
    from rove.server_tasks import failure_of  # noqa: PLC0415  # only an error needs it

    refusal = failure_of(reply).as_error()
    if status == _NOT_FOUND and refusal.code == "ROVE-USE-001":
        return None  # A server of an older version knows no commands.
    if isinstance(refusal, ServerTrouble):
        return None
    if refusal.hint.startswith(EXPECTED):  # The server names what programs read.
        refusal.hint = f"{EXPECTED}rove {command} --help"
    raise refusal
