"""Limits of plugins: time, memory, text, references, links, threads and sections.

Anything beyond is cut, with a note in the document; a call that takes longer is abandoned. All
limits are far above what sources of people's texts need, and above the largest recorded items;
what they allow is rendered in well under a second.
"""

import os
from typing import Final

from rove_core.errors import WrongSetting

#: Seconds a call may take, or block its thread, unless `ROVE_PLUGIN_SECONDS` is set.
_SECONDS: Final = 30.0
#: MiB of memory for a process that runs plugins, unless `ROVE_PLUGIN_MEMORY` is set.
_MEMORY: Final = 1024.0
_MIB: Final = 1 << 20

#: Seconds that a cancelled plugin has to stop; then it is left behind.
GRACE: Final = 2.0
#: Seconds that all calls of one plugin's synchronous hook may take together in one build.
MOST_SECONDS_RECOGNISING: Final = 5.0
MOST_SECONDS_FILTERING: Final = 30.0

#: Characters of one item, with its discussion. Nobody writes that much; a source that returns more
#: has read a file that is not text, or is in an endless loop.
MOST_TEXT: Final = 5_000_000
#: The same for a search hit, which can be read in full for more.
MOST_TEXT_OF_HIT: Final = 500_000
#: Comments, replies and reviews below one item, on all levels together.
MOST_PARTS: Final = 5_000
#: Levels of replies to replies.
MOST_DEPTH: Final = 8
#: Links of one item, and as many of each of its parts.
MOST_LINKS: Final = 200
#: Values in the metadata of one item, on all levels together.
MOST_VALUES: Final = 10_000

#: References that one account may find in one text, and in all texts of one build.
MOST_REFERENCES: Final = 100
MOST_REFERENCES_OF_BUILD: Final = 2_000
#: References in one text that people may have meant: if no text has more, there are too many texts.
MOST_REFERENCES_MEANT: Final = 10

#: Seconds a listing may take; what it gave by then is kept, and the next one continues.
LIST_DEADLINE: Final = 120.0
#: Maximum containers of an account: a large Slack workspace has more than 100,000 channels.
MOST_CONTAINERS: Final = 500_000
#: Characters of the cursor of a listing.
MOST_CURSOR: Final = 2_000_000

#: Sections of one plugin in one document.
MOST_SECTIONS: Final = 20
#: Kinds of source, operations or routes of one plugin.
MOST_BROUGHT: Final = 1_000


def plugin_seconds() -> float:
    """Return how many seconds one call of a plugin may take, or block its thread."""
    return _number("ROVE_PLUGIN_SECONDS", _SECONDS)


def plugin_memory() -> int:
    """Return how many bytes of memory a process that runs plugins may have."""
    return int(_number("ROVE_PLUGIN_MEMORY", _MEMORY) * _MIB)


def _number(variable: str, usual: float) -> float:
    text = os.environ.get(variable, "")
    try:
        number = float(text or usual)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise WrongSetting(f"{variable} must be a number above 0, not {text!r}")
    return number
