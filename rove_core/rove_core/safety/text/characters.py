"""Invisible characters, and texts with two spellings."""

import unicodedata
from typing import Final

from rove_core.safety.lazy_pattern import lazy_pattern

#: Sequences that steer a terminal, taken out whole: colours, cursors, links, titles.
_TERMINAL: Final = lazy_pattern(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]"
    "|(?:\x1b[\\]P_^X]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x80-\x9f\n]*(?:\x07|\x1b\\\\|\x9c)"
)
_LINE_ENDS: Final = lazy_pattern("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
#: Controls, bidirectional overrides, fillers, zero-width, annotation and tag characters, and the
#: selectors of variants that no emoji has: none of them says anything.
INVISIBLE: Final = lazy_pattern(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ufdd0-\ufdef"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
#: How an emoji is shown: said once, behind what can be one. More would be a hidden message.
_SELECTORS: Final = lazy_pattern(
    "(?<![#*0-9\xa9\xae\u203c-\u3299\U0001f000-\U0001faff])[\ufe0e\ufe0f]+|(?<=[\ufe0e\ufe0f])[\ufe0e\ufe0f]+"
)
_HALVES: Final = lazy_pattern("[\ud800-\udfff]")
#: One look is enough for most texts: none of these, and only the form is left to see to.
_SUSPECT: Final = lazy_pattern(f"{INVISIBLE.pattern[:-1]}\u2028\u2029\ufe0e\ufe0f]")
_CONTROL: Final = lazy_pattern("[\x00-\x08\x0b-\x1f\x7f]")


def clean(text: str) -> str:
    """Return the text without characters that cannot be seen, in Unicode's form NFC."""
    if text.isascii() and not _CONTROL.search(text):
        return text
    if _HALVES.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if not _SUSPECT.search(text):
        return unicodedata.normalize("NFC", text)
    text = _LINE_ENDS.sub("\n", _TERMINAL.sub("", text))
    return unicodedata.normalize("NFC", _SELECTORS.sub("", INVISIBLE.sub("", text)))
