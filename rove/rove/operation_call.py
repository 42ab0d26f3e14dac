"""Call an operation from the command line, and print its result."""

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, redirect_stdout
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from rove.command_needs import disabled_for, may_wait
from rove.pager import page
from rove.plugin_output import PluginOutput
from rove.printed_text import PrintedText, printed_text
from rove.reports import printable, report
from rove.streams import print_line, print_result, print_sentence
from rove_core.errors import ConsentNeeded, FixSettings, NotFound, PluginFailed, RoveError
from rove_core.terminal.screen import PREFERENCES

if TYPE_CHECKING:
    from rove_core.events import Listener
    from rove_core.operations import Operation
    from rove_core.plugins.kept_off import AllKeptOff
    from rove_core.project.local import LocalProject
    from rove_core.wire.json_types import JSON

#: Seconds that a command waits for another process that builds the same document.
_PATIENCE: Final = 600.0


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


def call_operation(
    operation: "Operation",
    values: Mapping[str, Any],
    *,
    extra: Extra | None = None,
    owner: str = "",
) -> int:
    """Call an operation, print its result, and return the exit code of the command.

    Args:
        operation: The operation.
        values: What the command line says, by the names of the parameters; beside them
            ``as_json``, ``detach``, ``watch``, and the name of the additional format.
        extra: One more way to print the result.
        owner: The distribution of the plugin that brings it; empty for Rove's own.
    """
    from rove_core.operations import outcome_of  # noqa: PLC0415  # a help page needs none

    as_json, given = bool(values.get("as_json")), _parameters_in(operation, values)
    chosen = extra if extra and values.get(extra.name) else None
    if operation.parts and values.get("detach"):
        return _run_detached(operation, given, as_json=as_json)
    if values.get("watch"):
        _show_repeatedly(operation, as_json=as_json)
    arguments = _with_stdin(operation, given)
    result = _result(operation, arguments, owner=owner, quiet=as_json)
    outcome = outcome_of(result)
    printed = (
        PrintedText(chosen.show(result))
        if chosen and not as_json
        else printed_text(operation, result, as_json=as_json)
    )
    if printed.text:
        print_result(printed.text) if as_json else page(printed.text, verbatim=printed.verbatim)
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


def _run_detached(operation: "Operation", arguments: "Mapping[str, JSON]", *, as_json: bool) -> int:
    """Run it in the project's server, and print the task ids."""
    from rove.server_tasks import handed_over  # noqa: PLC0415  # few commands need a server

    ids = handed_over(operation, arguments)
    from rove_core.wire.json_text import json_text  # noqa: PLC0415  # a help page needs none

    print_result(json_text(ids) if as_json else "\n".join(ids))
    return 0


def _show_repeatedly(operation: "Operation", *, as_json: bool) -> NoReturn:
    """Show an operation's result again and again."""
    from rove.watch import watch  # noqa: PLC0415  # few watch

    def text() -> str:
        result = _run_offline(operation, {}, {})
        return printed_text(operation, result, as_json=as_json, indent=None).text

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
        if agreed == arguments or not _is_given(consent, quiet=quiet):
            raise
    except RoveError:
        raise
    except (Exception, SystemExit) as error:
        if not owner:
            raise
        message = f"{type(error).__name__}: {error}".removesuffix(": ")
        raise PluginFailed(f"{owner}: {operation.name} raises {message}") from error
    return _result(operation, agreed, owner=owner, quiet=quiet)


def _is_given(consent: ConsentNeeded, *, quiet: bool) -> bool:
    """Show what a person is asked to agree to; return whether somebody there does."""
    if quiet:  # Whoever reads the JSON finds it in the message.
        consent.message = " ".join([consent.message, *consent.notice.split()])
        return False
    print_line(consent.notice)
    if not sys.stdin.isatty():
        return False
    from click import confirm  # noqa: PLC0415  # few commands ask anything

    return confirm(consent.question, err=True)


def _result_of_tasks(
    operation: "Operation", project: "LocalProject", tasks: "Sequence[str]", *, quiet: bool
) -> object:
    """Wait for the tasks of a call that the project's server runs."""
    from rove.progress import shown_progress  # noqa: PLC0415  # few commands need a server
    from rove.server_tasks import waited_for  # noqa: PLC0415  # the same

    is_quiet = quiet or not PREFERENCES.progress
    with shown_progress(quiet=is_quiet, expected=len(tasks)) as listener:
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

    note = ignored_note(project.places, project.settings.ignored)
    if note and note not in getattr(result, "notes", ()):
        print_sentence(f"rove: {note}")


def _with_stdin(operation: "Operation", arguments: "dict[str, JSON]") -> "dict[str, JSON]":
    """Return the arguments, with ``-`` replaced by standard input."""
    if operation.stdin and arguments.get(operation.stdin) == "-":
        return {**arguments, operation.stdin: sys.stdin.read()}
    return arguments


def typed_arguments(values: Mapping[str, Any]) -> "dict[str, JSON]":
    """Return the given arguments; the operation's defaults apply to the others."""
    arguments = {name: value for name, value in values.items() if value is not None and value != ()}
    return {n: list(value) if isinstance(value, tuple) else value for n, value in arguments.items()}


def _parameters_in(operation: "Operation", values: Mapping[str, Any]) -> "dict[str, JSON]":
    """Return what is given for the parameters of an operation."""
    names = {parameter.name for parameter in operation.parameters}
    return typed_arguments({name: value for name, value in values.items() if name in names})
