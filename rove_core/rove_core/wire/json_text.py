"""JSON text whose strings are inert for agents and terminals that show it."""

import json
import re
from typing import Final

from rove_core.safety.active import ACTIVE
from rove_core.safety.lazy_pattern import lazy_pattern
from rove_core.wire.json_types import JSON

#: What only strings have in them, beside what an agent acts on: controls, what turns the direction
#: of text, and halves of characters, which UTF-8 cannot write.
_ESCAPED: Final = lazy_pattern(rf"{ACTIVE}|[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def json_text(
    value: JSON, *, indent: int | None = None, ascii_only: bool = False, compact: bool = False
) -> str:
    """Return JSON that equals the value and has no tag and no mention of a file in it.

    Args:
        value: The value.
        indent: How deep a level is indented; all is on one line when None.
        ascii_only: Write all other characters as escapes.
        compact: Write no space between parts, for a reader who counts tokens.
    """
    separators = (",", ":") if compact else None
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent, separators=separators)
    return _ESCAPED.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
