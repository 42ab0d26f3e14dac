"""Run a command whose arguments fit exactly, without Click.

To load Click takes as long as most commands. This may only say yes: whatever is not exactly one
call, such as a request for help, a mistake or a command that no operation is, is left to Click.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from rove.app_commands import APP
from rove.operation_call import call_operation
from rove.operations import OWN
from rove.parameter_types import ALIASES, BARE, choices, reader, single_type
from rove.streams import print_line

if TYPE_CHECKING:
    from rove_core.operations import Operation
    from rove_core.wire.parameters import Parameter

#: How many words name a command at most.
_WORDS: Final = 4
#: The exit code where nobody reads the output any more.
_UNREAD: Final = 1


class InexactCall(Exception):  # noqa: N818  # it is no error: Click takes over
    """The arguments are not exactly one call."""


def run_exactly(arguments: Sequence[str]) -> int | None:
    """Run a command and return its exit code; None to leave it to Click."""
    if "_ROVE_COMPLETE" in os.environ:
        return None
    try:
        operation, owner, bare, given = _command(arguments)
        values = values_of(operation, given, bare=bare)
    except InexactCall:
        return None
    try:
        return call_operation(operation, values, owner=owner)
    except BrokenPipeError:
        return _UNREAD
    except (EOFError, KeyboardInterrupt) as error:
        print_line("")
        raise KeyboardInterrupt from error


def values_of(operation: "Operation", given: Sequence[str], *, bare: str = "") -> dict[str, Any]:
    """Return what arguments say, by the names of the parameters, as Click would.

    Args:
        operation: The operation that they are for.
        given: The arguments behind the command's words.
        bare: The parameter that needs no option though it may be left out.

    Raises:
        InexactCall: They do not fit, or not in the simplest way.
    """
    unmarked = [each for each in operation.parameters if each.required or each.name == bare]
    marked = [each for each in operation.parameters if each not in unmarked]
    options, flags = dict(_options(marked)), dict(_flags(operation.name, marked))
    can_deny = {name for name, value in flags.values() if not value}
    values: dict[str, Any] = {name: False for name, _ in flags.values() if name not in can_deny}
    texts: dict[str, list[str]] = {}
    others: list[str] = []
    rest = iter(given)
    for argument in rest:
        flag, equals, behind = argument.partition("=")
        if not argument.startswith("-") or argument == "-":
            others.append(argument)
        elif argument in flags:
            values |= [flags[argument]]
        elif flag in options:
            texts.setdefault(options[flag], []).append(behind if equals else next(rest, ""))
        else:
            raise InexactCall
    texts |= _unmarked_texts(unmarked, others)
    given_parameters = (each for each in operation.parameters if each.name in texts)
    return values | {each.name: _value(each, texts[each.name]) for each in given_parameters}


def _command(arguments: Sequence[str]) -> "tuple[Operation, str, str, Sequence[str]]":
    """Return an operation, its plugin's distribution, its bare parameter, and its arguments."""
    from rove.manifest import is_served, plugin_commands, plugin_operation  # noqa: PLC0415  # a wrong option needs none

    words = next((n for n, each in enumerate(arguments) if each.startswith("-")), len(arguments))
    for count in range(min(words, _WORDS), 0, -1):
        command, rest = " ".join(arguments[:count]), arguments[count:]
        if command in APP:
            break
        if command in OWN:
            return OWN[command].load(), "", BARE.get(command, ""), rest
        if command in plugin_commands():
            if is_served(command) or (found := plugin_operation(command)) is None:
                break
            operation, owner = found
            return operation, owner, operation.bare, rest
    raise InexactCall


def _options(parameters: Sequence["Parameter"]) -> Iterator[tuple[str, str]]:
    """Yield each option that takes a text, with the name of its parameter."""
    for each in parameters:
        if not _is_flag(each):
            yield _spelled(each), each.name


def _flags(
    operation: str, parameters: Sequence["Parameter"]
) -> Iterator[tuple[str, tuple[str, bool]]]:
    """Yield each flag, with the name and the value that it gives."""
    yield "--json", ("as_json", True)
    for each in filter(_is_flag, parameters):
        flag = _spelled(each)
        yield ALIASES.get((operation, each.name), flag), (each.name, True)
        if each.default is not False:
            yield f"--no-{flag.removeprefix('--')}", (each.name, False)


def _spelled(parameter: "Parameter") -> str:
    return f"--{parameter.name.replace('_', '-')}"


def _is_flag(parameter: "Parameter") -> bool:
    return single_type(parameter.type) == (bool, False)


def _unmarked_texts(
    parameters: Sequence["Parameter"], texts: Sequence[str]
) -> Mapping[str, list[str]]:
    """Return the texts of the parameters that need no option."""
    taken: dict[str, list[str]] = {}
    left = list(texts)
    for each in parameters:
        _, several = single_type(each.type)
        if several and each is not parameters[-1]:
            raise InexactCall
        own, left = (left, []) if several else (left[:1], left[1:])
        if own:
            taken[each.name] = own
        elif each.required:
            raise InexactCall
    if left:
        raise InexactCall
    return taken


def _value(parameter: "Parameter", texts: Sequence[str]) -> object:
    kind, several = single_type(parameter.type)
    if not several and len(texts) > 1:
        raise InexactCall
    read = tuple(_single(kind, text) for text in texts)
    return read if several else read[0]


def _single(kind: Any, text: str) -> object:  # noqa: ANN401  # a type, of any kind
    if not text or (text.startswith("-") and text != "-"):
        raise InexactCall
    if (allowed := choices(kind)) is not None:
        if text not in allowed:
            raise InexactCall
        return text
    try:
        return reader(kind)(text)
    except ValueError as error:
        raise InexactCall from error
