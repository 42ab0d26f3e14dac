"""Turn an operation into a command: its parameters become arguments and options."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, redirect_stdout
from datetime import date, datetime
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, NoReturn, get_args, get_origin

import click

from rove.command_needs import disabled_for, may_wait
from rove.examples import epilog
from rove.metavars import complete, metavar
from rove.pager import page
from rove.plugin_output import PluginOutput
from rove.reports import printable, report
from rove.streams import print_line, print_sentence
from rove_core.errors import ConsentNeeded, FixSettings, NotFound, PluginFailed, RoveError
from rove_core.terminal.screen import PREFERENCES, has_color

if TYPE_CHECKING:
    from rove_core.events import Listener
    from rove_core.operations import Operation
    from rove_core.plugins.kept_off import AllKeptOff
    from rove_core.project.local import LocalProject
    from rove_core.wire.json_types import JSON
    from rove_core.wire.parameters import Parameter

_SEVERAL: Final = (list, tuple, Sequence)
#: Seconds that a command waits for another process that builds the same document.
_PATIENCE: Final = 600.0


def _day(text: str) -> str:
    """Check a date, which is text on the wire."""
    try:
        date.fromisoformat(text)
    except ValueError as error:
        raise click.BadParameter(f"{text!r} is not a date like 2024-12-15") from error
    return text


#: Click's types of scalars; a time or a path is text on the wire.
_SCALARS: Final[Mapping[Any, Callable[[str], Any]]] = {
    int: int,
    float: float,
    date: _day,
    **dict.fromkeys((str, datetime, Path), str),
}


#: Other names of an operation's options, where an argument cannot be called what people say.
_ALIASES: Final[Mapping[tuple[str, str], str]] = {
    ("settings_set", "everywhere"): "--global",
    ("settings_unset", "everywhere"): "--global",
}
_DETACH: Final = "Run it in the project's server: print the task ids and do not wait."
_WATCH: Final = "Show it again on every change, until Ctrl-C."


class Extra(NamedTuple):
    """An additional output format, for example names only.

    Attributes:
        flag: The option that asks for it.
        about: What it does.
        show: Prints the result that way.
        is_empty: Whether there is nothing to print, so that the command ends as if not found.
    """

    flag: str
    about: str
    show: Callable[[Any], str]
    is_empty: Callable[[Any], bool] = lambda _: False

    @property
    def name(self) -> str:
        """Click's name of the option's value."""
        return self.flag.replace("-", "_")


def command_of(
    operation: "Operation",
    *,
    extra: Extra | None = None,
    bare: str = "",
    owner: str = "",
    watched: bool = False,
) -> click.Command:
    """Return the command that calls an operation and prints its result.

    Args:
        operation: What it calls.
        extra: One more way to print the result.
        bare: A parameter that is given without an option though it may be left out.
        owner: The distribution of the plugin that brings it; empty for Rove's own.
        watched: Whether it can be called again and again while somebody looks.
    """

    def call(*, as_json: bool, **values: Any) -> int:  # noqa: ANN401  # whatever Click parsed
        from rove_core.operations import outcome_of  # noqa: PLC0415  # a help page needs none

        chosen = extra if extra and values.pop(extra.name) else None
        if operation.parts and values.pop("detach"):
            return _run_detached(operation, typed_arguments(values), as_json=as_json)
        if watched and values.pop("watch"):
            _show_repeatedly(operation, as_json=as_json)
        arguments = _with_stdin(operation, typed_arguments(values))
        result = _result(operation, arguments, owner=owner, quiet=as_json)
        outcome = outcome_of(result)
        text = (
            chosen.show(result)
            if chosen and not as_json
            else printed_text(operation, result, as_json=as_json)
        )
        if text:
            click.echo(text) if as_json else page(text)
        elif PREFERENCES.notes and (nothing := getattr(result, "nothing", "")):
            print_sentence(f"rove: {printable(nothing)}")
        if not as_json:
            if PREFERENCES.notes and (note := getattr(result, "note", "")):
                print_sentence(f"rove: {printable(note)}")
            for failure in dict.fromkeys(outcome.failures):
                report(failure)
        if chosen and chosen.is_empty(result):
            return NotFound.exit_code
        return operation.exit_code(result, arguments)

    return click.Command(
        operation.command.rpartition(" ")[2],
        callback=call,
        help=operation.description,
        epilog=epilog(operation.command),
        params=[
            *(
                _parameter(
                    each,
                    operation=operation.name,
                    is_bare=each.name == bare,
                    alias=_ALIASES.get((operation.name, each.name), ""),
                )
                for each in operation.parameters
            ),
            *([click.Option([f"--{extra.flag}"], is_flag=True, help=extra.about)] if extra else []),
            *([click.Option(["--detach"], is_flag=True, help=_DETACH)] if operation.parts else []),
            *([click.Option(["--watch"], is_flag=True, help=_WATCH)] if watched else []),
            click.Option(["--json", "as_json"], is_flag=True, help="Print JSON."),
        ],
    )


def printed_text(operation: "Operation", result: object, *, as_json: bool) -> str:
    """Return the text that a command prints for a result."""
    shown = None if as_json else _text_for_people(operation, result)
    return _as_json(result) if shown is None else shown


def _text_for_people(operation: "Operation", result: object) -> str | None:
    """Return a result for people; None if only JSON shows it."""
    from rove_core.operations import outcome_of  # noqa: PLC0415  # a help page needs none
    from rove_core.safety.active import harmless_output  # noqa: PLC0415  # the same

    shown = outcome_of(result).show()
    if shown is None and operation.show:
        shown = operation.show(result)
    return None if shown is None else harmless_output(shown, styled=has_color())


def _run_detached(operation: "Operation", arguments: "Mapping[str, JSON]", *, as_json: bool) -> int:
    """Run it in the project's server, and print the task ids."""
    from rove.server_tasks import handed_over  # noqa: PLC0415  # few commands need a server

    ids = handed_over(operation, arguments)
    from rove_core.wire.json_text import json_text  # noqa: PLC0415  # a help page needs none

    click.echo(json_text(ids) if as_json else "\n".join(ids))
    return 0


def _show_repeatedly(operation: "Operation", *, as_json: bool) -> NoReturn:
    """Show an operation's result again and again."""
    from rove.watch import watch  # noqa: PLC0415  # few watch

    def text() -> str:
        result = _run_offline(operation, {}, {})
        shown = None if as_json else _text_for_people(operation, result)
        return _as_json(result, indent=None) if shown is None else shown

    watch(text)


def _result(
    operation: "Operation", arguments: "Mapping[str, JSON]", *, owner: str, quiet: bool
) -> object:
    """Call an operation, and call it again once the person at the terminal has agreed.

    Whatever a plugin's own raises is the plugin's.
    """
    try:
        if operation.parts:
            import asyncio  # noqa: PLC0415  # only a queued call needs it

            from rove import server_tasks  # noqa: PLC0415  # few commands need a server
            from rove_core.project.local import LocalProject  # noqa: PLC0415  # the same

            if server_tasks.prefers_server(arguments):
                project = LocalProject.at()
                ids = asyncio.run(server_tasks.submitted(project, operation, arguments))
                if ids is not None:
                    return _result_of_tasks(operation, project, ids, quiet=quiet)
        return _run_here(operation, arguments, quiet=quiet)
    except ConsentNeeded as consent:
        agreed = {**arguments, **consent.agreed}
        if quiet or agreed == arguments:
            raise
        print_line(consent.notice)
        if not sys.stdin.isatty() or not click.confirm(consent.question, err=True):
            raise
    except RoveError:
        raise
    except (Exception, SystemExit) as error:
        if not owner:
            raise
        message = f"{type(error).__name__}: {error}".removesuffix(": ")
        raise PluginFailed(f"{owner}: {operation.name} raises {message}") from error
    return _result(operation, agreed, owner=owner, quiet=quiet)


def _result_of_tasks(
    operation: "Operation", project: "LocalProject", tasks: "Sequence[str]", *, quiet: bool
) -> object:
    """Wait for the tasks of a call that the project's server runs."""
    from rove.progress import shown_progress  # noqa: PLC0415  # few commands need a server
    from rove.server_tasks import waited_for  # noqa: PLC0415  # the same

    with shown_progress(quiet=quiet or not PREFERENCES.progress) as listener:
        result = waited_for(project, operation, tasks, listener)
    if not quiet:
        _report_ignored_settings(project, result)
    return result


def _run_here(operation: "Operation", arguments: "Mapping[str, JSON]", *, quiet: bool) -> object:
    """Run it in this process."""
    kept_off = disabled_for(operation)
    # Standard output is for the result: what a plugin prints on the way is none.
    with nullcontext() if operation.door else redirect_stdout(PluginOutput(sys.stderr)):
        if operation.offline:
            return _run_offline(operation, arguments, kept_off)
        if operation.project != "open":
            return _run_closed(operation, arguments, kept_off, quiet=quiet)
        return _run(operation, arguments, kept_off, quiet=quiet)


def _run_offline(
    operation: "Operation", arguments: "Mapping[str, JSON]", kept_off: "AllKeptOff"
) -> object:
    """Run what waits for nothing without an event loop: starting one takes longer than the rest."""
    from rove_core.operations import finish  # noqa: PLC0415  # the same
    from rove_core.project.local import LocalProject  # noqa: PLC0415  # a help page needs none

    return finish(operation.run(LocalProject.at(kept_off=kept_off), arguments))


def _run_closed(
    operation: "Operation",
    arguments: "Mapping[str, JSON]",
    kept_off: "AllKeptOff",
    *,
    quiet: bool,
) -> object:
    from rove_core.project.local import LocalProject  # noqa: PLC0415  # a help page needs none

    if operation.project == "broken":
        import asyncio  # noqa: PLC0415  # only what waits needs it

        return asyncio.run(operation.run(LocalProject.unchecked(kept_off=kept_off), arguments))
    project = LocalProject.at(kept_off=kept_off)
    result = _result_in(operation, project, arguments)
    if not quiet and project.has_read_settings:
        _report_ignored_settings(project, result)
    return result


def _result_in(
    operation: "Operation", project: "LocalProject", arguments: "Mapping[str, JSON]"
) -> object:
    """Run an operation in a closed project, in an event loop unless it has nothing to wait for."""
    if not may_wait(operation, project):
        from rove_core.operations import finish  # noqa: PLC0415  # few operations need not wait

        return finish(operation.run(project, arguments))
    import asyncio  # noqa: PLC0415  # only what waits needs it

    async def with_client() -> object:
        from rove.operation_clients import operation_client  # noqa: PLC0415  # few operations are doors

        async with operation_client(project) as project.client:
            return await operation.run(project, arguments)

    return asyncio.run(with_client() if operation.door else operation.run(project, arguments))


def _run(
    operation: "Operation",
    arguments: "Mapping[str, JSON]",
    kept_off: "AllKeptOff",
    *,
    quiet: bool,
) -> object:
    from rove.progress import shown_progress  # noqa: PLC0415  # most commands show none

    with shown_progress(quiet=quiet or not PREFERENCES.progress) as listener:
        return _run_open(operation, arguments, kept_off, listener, quiet=quiet)


def _run_open(
    operation: "Operation",
    arguments: "Mapping[str, JSON]",
    kept_off: "AllKeptOff",
    listener: "Listener",
    *,
    quiet: bool,
) -> object:
    """Run an operation in an open project; what this imports may take seconds on a busy machine."""
    from rove_core.plugins.watchdog import beating  # noqa: PLC0415  # only this door needs asyncio
    from rove_core.project.opener import open_project, run  # noqa: PLC0415  # the same

    async def connected() -> object:
        async with beating(), open_project(on_event=listener, kept_off=kept_off) as project:
            # Who waits at a terminal gets the document, whoever is building it just now.
            project.tasks.patience = _PATIENCE
            result = await operation.run(project, arguments)
            if not quiet:
                _report_ignored_settings(project, result)
            return result

    return run(connected())


def _report_ignored_settings(project: "LocalProject", result: object) -> None:
    """Report settings of the project's file that are ignored."""
    from rove_core.operations import outcome_of  # noqa: PLC0415  # a help page needs none

    if outcome_of(result).exit_code == FixSettings.exit_code:
        return
    from rove_core.project.settings.untrusted_settings import ignored_note  # noqa: PLC0415  # a help page needs none

    if note := ignored_note(project.places, project.settings.ignored):
        print_sentence(f"rove: {note}")


def _as_json(result: object, *, indent: int | None = 2) -> str:
    from rove_core.wire.json_text import json_text  # noqa: PLC0415  # what people read needs none
    from rove_core.wire.structure import to_json  # noqa: PLC0415  # the same

    return json_text(to_json(result), indent=indent)


def _with_stdin(operation: "Operation", arguments: "dict[str, JSON]") -> "dict[str, JSON]":
    """Return the arguments, with ``-`` replaced by standard input."""
    if operation.stdin and arguments.get(operation.stdin) == "-":
        return {**arguments, operation.stdin: sys.stdin.read()}
    return arguments


def typed_arguments(values: Mapping[str, Any]) -> "dict[str, JSON]":
    """Return the given arguments; the operation's defaults apply to the others."""
    arguments = {name: value for name, value in values.items() if value is not None and value != ()}
    return {n: list(value) if isinstance(value, tuple) else value for n, value in arguments.items()}


def _parameter(
    parameter: "Parameter", *, operation: str, is_bare: bool, alias: str
) -> click.Parameter:
    kind = _without_none(parameter.type)
    several = get_origin(kind) in _SEVERAL
    of_one = get_args(kind)[0] if several else kind
    if parameter.required or is_bare:
        label = metavar(parameter.name, operation)
        name = label or parameter.name.removesuffix("s" if several else "").upper()
        shown = f"{name}..." if several else name
        return click.Argument(
            [parameter.name],
            type=_click_type(of_one),
            nargs=-1 if several else 1,
            required=parameter.required,
            metavar=shown if parameter.required else f"[{shown}]",
            shell_complete=complete if label else None,
        )
    flag, click_type = parameter.name.replace("_", "-"), _click_type(of_one)
    if kind is bool and parameter.default is False:
        return click.Option(
            [alias or f"--{flag}", parameter.name], is_flag=True, help=parameter.help
        )
    spelled = f"--{flag}/--no-{flag}" if kind is bool else f"--{flag}"
    return click.Option(
        [spelled, parameter.name],
        type=None if kind is bool else click_type,
        is_flag=kind is bool or None,
        metavar=_metavar_of(parameter, kind, click_type, operation),
        # Click knows the values of a choice itself.
        shell_complete=complete if _metavar_of(parameter, kind, click_type, operation) else None,
        multiple=several,
        default=None,
        help=parameter.help,
    )


def _metavar_of(parameter: "Parameter", kind: Any, click_type: Any, operation: str) -> str | None:  # noqa: ANN401  # types, of any kind
    """Return the display name of an option's value; None to leave it to Click."""
    if kind is bool or isinstance(click_type, click.Choice):
        return None
    if click_type is _json:
        return "JSON"
    named = {int: "NUMBER", float: "NUMBER", _day: "DATE"}
    return metavar(parameter.name, operation) or named.get(click_type)


def _without_none(kind: Any) -> Any:  # noqa: ANN401  # a type, of any kind
    others = [each for each in get_args(kind) if each is not type(None)]
    is_optional = type(None) in get_args(kind) and len(others) == 1
    return others[0] if is_optional else kind


def _click_type(kind: Any) -> Any:  # noqa: ANN401  # the same; Click takes types of many kinds
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return click.Choice([member.value for member in kind])
    return _SCALARS.get(kind, _json)


def _json(text: str) -> object:
    """Read a value that is written as JSON; text needs no quotes.

    Whether it is what the operation takes is the operation's to say.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
