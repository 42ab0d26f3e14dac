"""Words that announce a decision or its end; document pages mark them too."""

import re
from typing import Final


def any_of(phrases: str) -> re.Pattern[str]:
    """Return a pattern of whole words: phrases between free-standing bars, on any lines."""
    joined = " ".join(phrases.split()).replace(" | ", "|")
    return re.compile(rf"(?<!\w)(?:{joined})(?!\w)", re.IGNORECASE)


#: Somebody decided, or says what holds.
DECISION: Final = any_of(
    r"""
    decided | decisions? | agreed? | approved | settled | conclu\w+ | resolved | final(?:ly)?
    | we(?:'ll| will)? (?:use|take|go|keep|stay|drop|move|switch) | go(?:es)? (?:with|to|for)
    | stays? | becomes? | (?:is|in|out of) scope | (?:then|so) it is | signs? off | sign-off
    """
)
#: What was said before no longer holds.
REVERSAL: Final = any_of(
    r"""
    revert\w* | replac\w+ | revers\w+ | reopen\w* | back to | go(?:es|ing)? back
    | roll(?:ed|s|ing)? ?back | undo\w* | no longer | not any ?more | any ?more | instead
    | supersed\w+ | obsolet\w+ | deprecat\w+ | withdraw\w* | becomes?
    | (?<!sign )(?<!log )(?:on|off|in|out) again
    | out of scope .{0,20}again | after all | from now on | changed? (?:my|our) mind | scratch that
    | turned out | was wrong | correction | (?:is|are) (?:a must|off|on|out|in) now
    | moved (?:from|to)
    """
)
