"""The words that tell a text from others."""

import re
from collections import Counter
from typing import Final

_WORD: Final = re.compile(r"[a-z][a-z0-9]{2,23}")
_COMMON: Final = frozenset(
    """
    about above added after again against all also and another any are around ask back because
    been before being below between both but call can cannot could did does doing done down each
    even every few find first for from get goes going good had has have here how instead into its
    just keep let like look made make makes many may might more most much must need needs new next
    not now off once one only open other our out over own please point same see seems should
    since some still such sure take than that the their them then there these they thing think
    this those through time too two under until use used uses using very want was way well were
    what when where which while who why will with within without would yes yet you your
    """.split()  # noqa: SIM905  # a list of quotes hides the words
)


def keywords(title: str, *texts: str, count: int = 5) -> tuple[str, ...]:
    """Return the most telling words, best first; a word of the title counts three times."""
    found: Counter[str] = Counter()
    for text, weight in ((title, 3), *((text, 1) for text in texts)):
        for word in _WORD.findall(text.lower()):
            if word not in _COMMON:
                found[word] += weight
    return tuple(word for word, _ in found.most_common(count))
