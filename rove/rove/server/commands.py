"""``POST /commands``: run a plugin's command in the worker that has the plugin loaded."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import click
from attrs import frozen

from rove.operation_call import typed_arguments
from rove.operation_command import command_of
from rove.printed_text import printed_text
from rove.usage_message import usage_message
from rove_core.errors import WrongCall
from rove_core.http.server.door import HttpRequest, HttpResponse, Route, json_body, json_reply
from rove_core.wire.structure import STRICT, WrongShape

if TYPE_CHECKING:
    from rove_core.operations import Operation, Operations
    from rove_core.project.project import Project
    from rove_core.wire.json_types import JSON

_BODY: Final = 'Send {"command": WORDS, "arguments": [...], "checkout": FOLDER, "stdin": TEXT}'


@frozen
class TypedCommand:
    """A command as it was typed.

    Attributes:
        command: Its words.
        arguments: What follows them.
        checkout: The checkout in which it was typed.
        stdin: What standard input held, if an argument is ``-``.
    """

    command: str
    arguments: tuple[str, ...] = ()
    checkout: str = ""
    stdin: str = ""


def commands_route(operations: "Operations") -> Route:
    """Return the route that does the commands that a server may do."""
    served = {each.command: each for each in operations if each.served}

    async def done(request: HttpRequest, rove: "Project") -> HttpResponse:
        try:
            typed = STRICT.structure(json_body(request), TypedCommand)
        except WrongShape as error:
            raise WrongCall(f"no command: {error}", hint=_BODY) from error
        operation = served.get(typed.command)
        if operation is None:
            raise WrongCall(f"no command {typed.command!r} that a server does", hint=_BODY)
        arguments, as_json = _parse(operation, typed.arguments)
        if operation.stdin and arguments.get(operation.stdin) == "-":
            arguments[operation.stdin] = typed.stdin
        if operation.here and typed.checkout:
            arguments.setdefault(operation.here, typed.checkout)
        operation.check(arguments)
        result = await operation.run(rove, arguments)
        text, verbatim = printed_text(operation, result, as_json=as_json)
        code = operation.exit_code(result, arguments)
        kinds = {"is_json": as_json, "verbatim": verbatim}
        return json_reply(200, {"text": text, "exit_code": code, **kinds})

    return Route("POST", "/commands", done, "Run a command, and return what it prints.")


def _parse(operation: "Operation", arguments: Sequence[str]) -> "tuple[dict[str, JSON], bool]":
    command = command_of(operation, bare=operation.bare)
    try:
        context = command.make_context(operation.command, list(arguments))
    except click.exceptions.Exit as left:
        raise WrongCall("help is printed by the command line") from left
    except click.UsageError as error:
        hint = f"See usage: rove {operation.command} --help"
        raise WrongCall(usage_message(error), hint=hint) from error
    values = dict(context.params)
    as_json = bool(values.pop("as_json"))
    return typed_arguments(values), as_json
