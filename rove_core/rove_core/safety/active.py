"""Neutralise what agent programs act on: protocol tags, file mentions, shell commands."""

import re
from collections.abc import Iterable
from typing import Final

#: What stands behind the angle bracket in chat templates: ``<|im_start|>``; one has wide ones.
BARS: Final = "|\uff5c"
#: Tags of chat templates, in square brackets.
SQUARE_TAG: Final = (
    r"\[(?=/?(?:INST|SYS|SYSTEM_PROMPT|TOOL_(?:CALLS|RESULTS|CONTENT)|AVAILABLE_TOOLS|THINK)\])"
)
_PROTOCOL_TAGS: Final = (
    *("antml:", "system-reminder", "function_calls", "function_results", "tool_use", "tool_result"),
    *("tool_call", "tool_response", "user-prompt-", "command-name", "command-message"),
    *("command-args", "local-command-", "bash-input", "bash-stdout", "bash-stderr"),
    *("task-notification", "ide_selection", "ide_opened_file", "user_instructions"),
    *("environment_context", "start_of_turn", "end_of_turn"),
)


def _cut_tags(names: Iterable[str]) -> str:
    """Return a pattern of the beginnings of names, up to their separator at least.

    Whoever shows a text may have cut it within a tag, and something else may follow it there.
    """
    ends = {name[:end] for name in names for end in range(_separator(name) + 1, len(name))}
    return rf"(?:{'|'.join(sorted(ends, key=len, reverse=True))})(?![\w>-])"


def _separator(name: str) -> int:
    return next(place for place, letter in enumerate(name) if letter in "-_:")


#: Tags of agents' protocols, which no program has in its code for another reason, whole or cut.
#: Compiled when it is first needed, like those below: the output of most commands needs none.
_OWN_TAG: Final = (
    rf"<(?=(?i:/?(?:{'|'.join(_PROTOCOL_TAGS)}|{_cut_tags(_PROTOCOL_TAGS)}"
    r"|invoke(?:\s|\x1b\[[0-9;]*m)+name\b))"
    rf"|\uff5c|[{BARS}][\w\u2581]+(?:[{BARS}]>|…|\Z))|{SQUARE_TAG}"
)
#: A path behind an at sign: programs put the file in its place.
FILE_MENTION: Final = r"@(?<![\w\\/.~-]@)(?=[\w~./\\-]*[./~\\][\w~./\\-])"
#: What an agent acts on wherever it stands: a mention, a tag in angle brackets, like ``<system>``
#: and ``<|im_start|>``, or in square ones, like ``[INST]``, and a command in backticks.
ACTIVE: Final = rf"<(?=[A-Za-z/!?{BARS}<]|\[)|{SQUARE_TAG}|{FILE_MENTION}|(?<!\\)!(?=`)"
#: A line that begins with an exclamation mark is a command.
_ACTIVE: Final = rf"{ACTIVE}|!(?<![^\n]!)"
#: With one of these begins what takes effect; most texts have none.
_MARKS: Final = "<[@!"
_OBEYED: Final = r"[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]"
#: What controls a terminal or turns the direction of words; without styles and links.
_CONTROLS: Final = rf"\x1b(?!\[[0-9;]*m|\]8;;|\\)|{_OBEYED}"
_CONTROLS_AND_STYLES: Final = rf"\x1b(?:\[[0-9;]*m)?|{_OBEYED}"
#: What no backslash takes the effect from.
_ENTITIES: Final = {"<": "&lt;", "[": "&#91;"}


def inactive(text: str) -> str:
    """Return plain text in which no tag, mention of a file or command takes effect."""
    return re.sub(_ACTIVE, _escape, text) if any(mark in text for mark in _MARKS) else text


def inactive_code(line: str) -> str:
    """Return a line of code without tags of agents' protocols."""
    return re.sub(_OWN_TAG, _escape, line) if "<" in line or "[" in line else line


def harmless_output(text: str, *, styled: bool) -> str:
    """Return a command's output without terminal controls and agents' protocol tags.

    Code stays readable.

    Args:
        text: What a command prints.
        styled: Whether styles and links, which Rove writes for terminals, stay.
    """
    if not text.replace("\n", "").isprintable():  # Nothing that is printable is obeyed.
        text = re.sub(_CONTROLS if styled else _CONTROLS_AND_STYLES, "", text)
    return inactive_code(text)


def _escape(found: re.Match[str]) -> str:
    return _ENTITIES.get(found[0], f"\\{found[0]}")
