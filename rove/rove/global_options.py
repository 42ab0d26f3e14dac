"""Options that every command takes, anywhere among its arguments."""

from collections.abc import Mapping, Sequence
from typing import Final

from rove_core.errors import WrongCall
from rove_core.terminal.screen import PREFERENCES

#: Each option with its help.
GLOBAL_OPTIONS: Final[Mapping[str, str]] = {
    "-h, --help": "Show the help of a command.",
    "-q, --quiet": "Print results and errors alone: no progress, no notes.",
    "-v, --verbose": "Print the log on standard error.",
    "--no-progress": "Print no progress.",
    "--color WHEN": "Use colour: auto, always or never.",
}
_COLOR: Final = "--color"
_WHEN: Final = ("auto", "always", "never")


def take_preferences(arguments: Sequence[str]) -> list[str]:
    """Remove the global options from the arguments and remember them.

    Raises:
        WrongCall: ``--color`` has no value, or another one.
    """
    PREFERENCES.color, PREFERENCES.progress = "auto", True
    PREFERENCES.notes, PREFERENCES.verbose = True, False
    end = arguments.index("--") if "--" in arguments else len(arguments)
    left: list[str] = []
    options = iter(arguments[:end])
    for argument in options:
        if argument in {"-q", "--quiet"}:
            PREFERENCES.progress = PREFERENCES.notes = False
        elif argument in {"-v", "--verbose"}:
            PREFERENCES.verbose = True
        elif argument == "--no-progress":
            PREFERENCES.progress = False
        elif argument == _COLOR:
            PREFERENCES.color = _check_color(next(options, ""))
        elif argument.startswith(f"{_COLOR}="):
            PREFERENCES.color = _check_color(argument.partition("=")[2])
        else:
            left.append(argument)
    return [*left, *arguments[end:]]


def _check_color(when: str) -> str:
    if when not in _WHEN:
        raise WrongCall(
            f"--color {when or 'without a value'}: expected {', '.join(_WHEN[:-1])} or {_WHEN[-1]}",
            hint="For example: rove --color=never status",
        )
    return when
