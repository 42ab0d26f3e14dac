"""Evidence for each candidate, with a rule-of-thumb probability."""

from math import exp, log
from typing import Final

from attrs import define

# The evidence that an item belongs to a ticket is a sum, and the probability its logistic function.
# An item that is the only one named by something that belongs to the ticket belongs there as well
# more often than not. The weights were fitted on the trackers, talk and code of real projects and
# rounded. The kind of an item, what it names itself, its best passage alone and how many searches
# found it were tried as well, and gained nothing.
_WORDS: Final = 1.0
_TIME: Final = 0.5
_PEOPLE: Final = 1.5
_LEAD: Final = 0.6
_REFERENCE: Final = 0.6
_DOUBT: Final = 0.6
#: Deducted if words and people agree: together they say little more than the words alone.
_BOTH: Final = 0.3
#: Factor for what another ticket names: it is that ticket's matter, and in its own document.
FROM_TICKETS: Final = 0.3
#: Factor for posts by programs: they repeat what is said elsewhere, and link nothing.
_BY_ROBOTS: Final = 0.3
#: The more candidates there are, the more of them look alike by chance.
_CHANCE: Final = 0.5
#: Minimum score of linked items: they are certain, and come before all that are only likely.
LINKED: Final = 0.9


def doubt_of(count: int) -> float:
    """Return the prior odds against each of this many candidates."""
    return _DOUBT + _CHANCE * log(count or 1)


@define(kw_only=True)
class Credit:
    """A bonus or penalty besides a candidate's signals.

    Attributes:
        is_linked: Whether somebody linked it with the ticket.
        is_by_robots: Whether only programs wrote in it.
        reference: How strongly references from believed items speak for it.
    """

    is_linked: bool
    is_by_robots: bool
    reference: float = 0.0

    def joined(self, by_itself: float) -> float:
        """Return a probability adjusted for references to the item and for its authors."""
        likely = 1 - (1 - by_itself) * (1 - _REFERENCE * self.reference)
        return likely * _BY_ROBOTS if self.is_by_robots else likely

    def scored(self, likelihood: float) -> float:
        """Return the score for a likelihood; linked items come first."""
        if self.is_linked:
            return LINKED + (1 - LINKED) * likelihood
        return max(LINKED * likelihood, 1e-9)


@define(kw_only=True)
class CandidateEvidence(Credit):
    """The evidence for one candidate."""

    words: float
    time: float
    people: float
    doubt: float
    lead: float = 0.0

    @property
    def impression(self) -> float:
        """Rule-of-thumb probability that the candidate belongs to the ticket."""
        spoken = _WORDS * self.words + _TIME * self.time + _PEOPLE * self.people
        spoken += _LEAD * self.lead - _BOTH * self.words * self.people
        by_itself = 1 / (1 + exp(self.doubt - spoken))
        return self.joined(by_itself)

    @property
    def score(self) -> float:
        """Rule-of-thumb score; linked items come first."""
        return self.scored(self.impression)
