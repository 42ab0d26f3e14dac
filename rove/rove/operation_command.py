"""Turn an operation into a command: its parameters become arguments and options."""

from typing import TYPE_CHECKING, Any, Final

import click

from rove.examples import epilog
from rove.help_option import Command
from rove.metavars import complete, metavar
from rove.operation_call import Extra, call_operation
from rove.parameter_types import ALIASES, choices, day, json_value, reader, single_type

if TYPE_CHECKING:
    from rove_core.operations import Operation
    from rove_core.wire.parameters import Parameter

_DETACH: Final = "Run it in the project's server: print the task ids and do not wait."
_WATCH: Final = "Show it again on every change, until Ctrl-C."


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

    def call(**values: Any) -> int:  # noqa: ANN401  # whatever Click parsed
        return call_operation(operation, values, extra=extra, owner=owner)

    return Command(
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
                    alias=ALIASES.get((operation.name, each.name), ""),
                )
                for each in operation.parameters
            ),
            *([click.Option([f"--{extra.flag}"], is_flag=True, help=extra.about)] if extra else []),
            *([click.Option(["--detach"], is_flag=True, help=_DETACH)] if operation.parts else []),
            *([click.Option(["--watch"], is_flag=True, help=_WATCH)] if watched else []),
            click.Option(["--json", "as_json"], is_flag=True, help="Print JSON."),
        ],
    )


def _parameter(
    parameter: "Parameter", *, operation: str, is_bare: bool, alias: str
) -> click.Parameter:
    of_one, several = single_type(parameter.type)
    kind = None if several else of_one
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
    if click_type is json_value:
        return "JSON"
    named = {int: "NUMBER", float: "NUMBER", _day: "DATE"}
    return metavar(parameter.name, operation) or named.get(click_type)


def _click_type(kind: Any) -> Any:  # noqa: ANN401  # the same; Click takes types of many kinds
    if (allowed := choices(kind)) is not None:
        return click.Choice(allowed)
    found = reader(kind)
    return _day if found is day else found


def _day(text: str) -> str:
    try:
        return day(text)
    except ValueError as error:
        raise click.BadParameter(f"{text!r} is not a date like 2024-12-15") from error
