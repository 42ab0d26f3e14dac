"""The text that a command prints for the result of its operation."""

from typing import TYPE_CHECKING, NamedTuple

from rove_core.terminal.screen import has_color

if TYPE_CHECKING:
    from rove_core.operations import Operation


class PrintedText(NamedTuple):
    """What a command prints.

    Attributes:
        text: The text.
        verbatim: Whether its lines stay as they are, however narrow the terminal.
    """

    text: str
    verbatim: bool = False


def printed_text(
    operation: "Operation", result: object, *, as_json: bool, indent: int | None = 2
) -> PrintedText:
    """Return the text that a command prints for a result.

    Args:
        operation: The operation that it calls.
        result: What that gave.
        as_json: Whether JSON was asked for; a result that only JSON shows needs no asking.
        indent: How far JSON is indented; it is one line if None.
    """
    shown = None if as_json else _text_for_people(operation, result)
    if shown is None:
        return PrintedText(_as_json(result, indent=indent), verbatim=True)
    return PrintedText(shown, verbatim=operation.verbatim)


def _text_for_people(operation: "Operation", result: object) -> str | None:
    """Return a result for people; None if only JSON shows it."""
    from rove_core.operations import outcome_of  # noqa: PLC0415  # a help page needs none
    from rove_core.safety.active import harmless_output  # noqa: PLC0415  # the same

    shown = outcome_of(result).show()
    if shown is None and operation.show:
        shown = operation.show(result)
    return None if shown is None else harmless_output(shown, styled=has_color())


def _as_json(result: object, *, indent: int | None) -> str:
    from rove_core.wire.json_text import json_text  # noqa: PLC0415  # what people read needs none
    from rove_core.wire.structure import to_json  # noqa: PLC0415  # the same

    return json_text(to_json(result), indent=indent)
