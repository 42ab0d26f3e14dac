"""Evidence for each candidate, with a rule-of-thumb probability."""

from math import exp, log
from typing import Final

from attrs import define

# The evidence that something belongs to a ticket is a sum, and the logistic curve of that its
# probability. What is named by something that belongs there, and nothing else is, belongs there as
# well more often than not. The weights were fitted on the trackers, talk and code of real projects
# and rounded. The kind of a thing, what it names itself, its best passage alone and how many
# searches found it were tried as well, and left out: nothing was gained.
_WORDS: Final = 1.0
_TIME: Final = 0.5
_PEOPLE: Final = 1.5
_LEAD: Final = 0.6
_REFERENCE: Final = 0.6
_DOUBT: Final = 0.6
#: The people of a ticket who speak of it say little more than its words do alone.
_BOTH: Final = 0.3
#: What a ticket names beside this one is its own matter, and has a document of its own.
FROM_TICKETS: Final = 0.3
#: What programs post is news of what is said elsewhere, and links nothing.
_BY_ROBOTS: Final = 0.3
#: The more there is, the more of it looks alike by chance.
_CHANCE: Final = 0.5
#: What is linked is certain, and comes before all that is only likely.
LINKED: Final = 0.9


def doubt_of(count: int) -> float:
    """Return the prior odds against each of this many candidates."""
    return _DOUBT + _CHANCE * log(count or 1)


@define(kw_only=True)
class Credit:
    """A bonus or penalty besides a candidate's signals.

    Attributes:
        is_linked: Whether somebody linked it and the ticket.
        is_by_robots: Whether nobody but programs had a word in it.
        reference: How loudly what is believed speaks for it.
    """

    is_linked: bool
    is_by_robots: bool
    reference: float = 0.0

    def joined(self, by_itself: float) -> float:
        """Return how likely it is with what names it, and with who says it."""
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
