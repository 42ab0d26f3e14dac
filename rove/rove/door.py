"""The command line's door to an operation: its parameters become arguments and options."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, get_args, get_origin

import click

from rove.reporting import report_failures, tell

if TYPE_CHECKING:
    from rove_core.operations import Operation
    from rove_core.parameters import Parameter
    from rove_core.plain import JSON

_SEVERAL: Final = (list, tuple)
_SCALARS: Final[Mapping[Any, type]] = {int: int, float: float, str: str}


def command_of(operation: "Operation", *, extra: "Extra | None" = None) -> click.Command:
    """Return the command that calls an operation and prints its result."""

    def call(*, as_json: bool, **values: Any) -> int:  # noqa: ANN401  # whatever Click parsed
        chosen = extra if extra and values.pop(extra.name) else None
        result = _run(operation, _arguments(values), quiet=as_json)
        if as_json:
            from rove_core.wire import to_json  # noqa: PLC0415  # loaded by the operation already

            click.echo(json.dumps(to_json(result), ensure_ascii=False, indent=2))
        elif text := _text(operation, result, chosen):
            click.echo(text)
        if not as_json:
            report_failures(result)
        empty = chosen is not None and chosen.is_empty(result)
        return 3 if empty else int(getattr(result, "exit_code", 0))

    return click.Command(
        operation.command.rpartition(" ")[2],
        callback=call,
        help=operation.description,
        params=[
            *map(_parameter, operation.parameters),
            *([click.Option([f"--{extra.flag}"], is_flag=True, help=extra.help)] if extra else []),
            click.Option(["--json", "as_json"], is_flag=True, help="Print JSON."),
        ],
    )


class Extra:
    """One more way to print a result, for whoever needs just the names.

    Attributes:
        flag: The option that asks for it.
        help: What it does.
        show: Prints the result that way.
        is_empty: Whether there is nothing to print, so that the command ends with 3.
    """

    def __init__(
        self,
        flag: str,
        help: str,  # noqa: A002  # Click's own word for it
        *,
        show: Callable[[Any], str],
        is_empty: Callable[[Any], bool] = lambda _: False,
    ) -> None:
        self.flag = flag
        self.help = help
        self.show = show
        self.is_empty = is_empty

    @property
    def name(self) -> str:
        """How Click names the option's value."""
        return self.flag.replace("-", "_")


def _run(operation: "Operation", arguments: "Mapping[str, JSON]", *, quiet: bool) -> object:
    if operation.offline:
        return _run_offline(operation, arguments)
    from rove_core.project import open_project, run  # noqa: PLC0415  # only this door needs asyncio

    async def connected() -> object:
        async with open_project(on_event=tell if not quiet else lambda _: None) as project:
            return await operation.run(project, arguments)

    return run(connected())


def _run_offline(operation: "Operation", arguments: "Mapping[str, JSON]") -> object:
    """Run what waits for nothing without an event loop: starting one takes longer than the rest."""
    from rove_core.local_project import LocalProject  # noqa: PLC0415  # only commands need it
    from rove_core.operations import finish  # noqa: PLC0415  # the same

    return finish(operation.run(LocalProject.at(Path.cwd()), arguments))


def _text(operation: "Operation", result: object, chosen: Extra | None) -> str:
    if chosen:
        return chosen.show(result)
    if operation.show:
        return operation.show(result)
    from rove_core.wire import to_json  # noqa: PLC0415  # loaded by the operation already

    return json.dumps(to_json(result), ensure_ascii=False, indent=2)


def _arguments(values: Mapping[str, Any]) -> "dict[str, JSON]":
    """Return what was given; what was not keeps the operation's own default."""
    given = {name: value for name, value in values.items() if value is not None and value != ()}
    return {n: list(value) if isinstance(value, tuple) else value for n, value in given.items()}


def _parameter(parameter: "Parameter") -> click.Parameter:
    kind = _without_none(parameter.type)
    several = get_origin(kind) in _SEVERAL
    of_one = get_args(kind)[0] if several else kind
    if parameter.required:
        name = parameter.name.removesuffix("s") if several else parameter.name
        return click.Argument(
            [parameter.name],
            type=_click_type(of_one),
            nargs=-1 if several else 1,
            required=True,
            metavar=f"{name.upper()}..." if several else name.upper(),
        )
    flag = parameter.name.replace("_", "-")
    spelled = f"--{flag}/--no-{flag}" if kind is bool else f"--{flag}"
    return click.Option(
        [spelled, parameter.name],
        type=None if kind is bool else _click_type(of_one),
        multiple=several,
        default=None,
        help=parameter.help,
    )


def _without_none(kind: Any) -> Any:  # noqa: ANN401  # a type, of any kind
    others = [each for each in get_args(kind) if each is not type(None)]
    is_optional = type(None) in get_args(kind) and len(others) == 1
    return others[0] if is_optional else kind


def _click_type(kind: Any) -> click.ParamType | type:  # noqa: ANN401  # the same
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind))
    return _SCALARS.get(kind) or _Json()


class _Json(click.ParamType):
    """A value that is written as JSON; text that needs no quotes may do without."""

    name = "JSON"

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:  # noqa: ANN401  # Click's own signature
        try:
            return json.loads(value) if isinstance(value, str) else value
        except ValueError:
            self.fail(f"{value!r} is not JSON", param, ctx)
