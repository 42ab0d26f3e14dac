"""How much each thing that was found matters for a ticket."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import compress, islice
from math import exp, log
from typing import Final

from attrs import define

from rove_core.build.free_text import is_of_words
from rove_core.build.gather.candidates import Candidate, RankedItem
from rove_core.build.rank.closeness import closeness
from rove_core.build.rank.corpus import Bag, TicketCorpus
from rove_core.build.rank.people import own_share
from rove_core.build.rank.rivals import leads
from rove_core.build.rank.robots import is_all_by_robots, is_round
from rove_core.build.rank.words import written
from rove_core.items import ContextItem

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
_FROM_TICKETS: Final = 0.3
#: What programs post is news of what is said elsewhere, and links nothing.
_BY_ROBOTS: Final = 0.3
#: The more there is, the more of it looks alike by chance.
_CHANCE: Final = 0.5
#: What is linked is certain, and comes before all that is only likely.
LINKED: Final = 0.9

#: How often a word counts at most, how many words of a ticket count, and those of how many linked
#: things count as well, in proportion to the ticket's own.
_OFTEN: Final = 4.0
_OWN_WORDS: Final = 32
_FED_BACK_WORDS: Final = 24
_FED_BACK: Final = 0.5
_MOST_FEEDING: Final = 12
#: How many of the best are compared with other tickets.
_COMPARED: Final = 40
_SHOWN: Final = 3


@define
class _Evidence:
    """What speaks for one candidate."""

    words: float
    time: float
    people: float
    doubt: float
    is_linked: bool
    is_by_robots: bool
    lead: float = 0.0
    reference: float = 0.0

    @property
    def likelihood(self) -> float:
        """How likely it is that the candidate belongs to the ticket, if nobody says so."""
        spoken = _WORDS * self.words + _TIME * self.time + _PEOPLE * self.people
        spoken += _LEAD * self.lead - _BOTH * self.words * self.people
        by_itself = 1 / (1 + exp(self.doubt - spoken))
        likely = 1 - (1 - by_itself) * (1 - _REFERENCE * self.reference)
        return likely * _BY_ROBOTS if self.is_by_robots else likely

    @property
    def score(self) -> float:
        """How much the candidate matters: what somebody linked comes before all else."""
        if self.is_linked:
            return LINKED + (1 - LINKED) * self.likelihood
        return max(LINKED * self.likelihood, 1e-9)


def rank(ticket: ContextItem, candidates: Sequence[Candidate]) -> tuple[RankedItem, ...]:
    """Return all candidates with how much each matters, best first; of equals, the first first.

    A score is how likely it is that the candidate belongs to the ticket; from ``LINKED`` on,
    somebody has said so.
    """
    corpus = TicketCorpus.of(ticket, candidates)
    robots = [is_all_by_robots(candidate.item) for candidate in candidates]
    linked = [
        each.is_linked and not robot and not is_round(each.item)
        for each, robot in zip(candidates, robots, strict=True)
    ]
    sure = [each.item for each, is_linked in zip(candidates, linked, strict=True) if is_linked]
    query = _query(corpus, linked)
    items = [candidate.item for candidate in candidates]
    times, people = closeness(ticket, sure, items), own_share(ticket, items)
    doubt = _DOUBT + _CHANCE * log(len(candidates) or 1)
    evidence = [
        _Evidence(words, time, said, doubt, *known)
        for words, time, said, *known in zip(
            corpus.answers(query), times, people, linked, robots, strict=True
        )
    ]
    if not is_of_words(ticket.ref.id):  # of mere words a ticket is no rival, but what is looked for
        _compare_with_rivals(corpus, candidates, evidence)
    _follow_references(candidates, evidence)
    reasons = _Reasons(ticket, sure, query)
    ranked = [
        RankedItem(
            candidate=candidate,
            score=each.score,
            reason=reasons.why(candidate, words),
        )
        for candidate, each, words in zip(candidates, evidence, corpus.bags, strict=True)
    ]
    return tuple(sorted(ranked, key=lambda each: -each.score))


def _query(corpus: TicketCorpus, linked: Sequence[bool]) -> Bag:
    """Return the ticket's most telling words, and those of what is linked, with their weights."""
    own = {word: min(times, _OFTEN) for word, times in corpus.own.items()}
    query = dict(_telling(corpus, own, _OWN_WORDS))
    said: dict[str, float] = {}
    for words in islice(compress(corpus.bags, linked), _MOST_FEEDING):
        for word, times in words.items():
            said[word] = said.get(word, 0.0) + min(times, _OFTEN)
    fed_back = _telling(corpus, said, _FED_BACK_WORDS)
    share = _FED_BACK * sum(query.values()) / (sum(fed_back.values()) or 1.0)
    for word, weight in fed_back.items():
        query[word] = query.get(word, 0.0) + share * weight
    return query


def _telling(corpus: TicketCorpus, words: Bag, count: int) -> Bag:
    worth = {word: times * corpus.rarity(word) for word, times in words.items()}
    best = sorted(worth, key=lambda word: (-worth[word], word))[:count]
    return {word: words[word] for word in best}


def _compare_with_rivals(
    corpus: TicketCorpus, candidates: Sequence[Candidate], evidence: Sequence[_Evidence]
) -> None:
    """Let another ticket that explains something better speak against it.

    Only what may be believed is looked at; the rest is taken for no better than the worst of it.
    """
    order = sorted(range(len(evidence)), key=lambda at: (-evidence[at].score, candidates[at].key))
    rivals = [
        at for at in order if candidates[at].item.role == "ticket" and not evidence[at].is_linked
    ]
    found = leads(corpus, rivals, order[:_COMPARED])
    least = min(found.values(), default=0.0)
    for at, each in enumerate(evidence):
        each.lead = found.get(at, least)


def _follow_references(candidates: Sequence[Candidate], evidence: Sequence[_Evidence]) -> None:
    """Let what is believed speak for what it refers to, the louder the fewer those are."""
    referring = [
        [trace.by for trace in candidate.traces if trace.way == "reference"]
        for candidate in candidates
    ]
    counts = Counter(by for names in referring for by in names)
    likely = {
        candidate.item.ref.id: (1.0 if each.is_linked else each.likelihood)
        * (_FROM_TICKETS if candidate.item.role == "ticket" else 1.0)
        for candidate, each in zip(candidates, evidence, strict=True)
        if candidate.item.ref.id in counts
    }
    for each, names in zip(evidence, referring, strict=True):
        each.reference = max((likely.get(by, 0.0) / counts[by] for by in names), default=0.0)


class _Reasons:
    """Says in a few words why something matters."""

    def __init__(self, ticket: ContextItem, sure: Sequence[ContextItem], query: Bag) -> None:
        self._ticket = ticket
        self._written: dict[str, str] = {}
        for item in (ticket, *sure[:_MOST_FEEDING]):
            for part in (item, *item.thread):
                for word in written(f"{part.title} {part.content}"):
                    self._written.setdefault(word.stem, word.text)
        self._query = [
            word
            for word in sorted(query, key=lambda word: (-query[word], word))
            if word in self._written
        ]

    def why(self, candidate: Candidate, words: Mapping[str, float]) -> str:
        if candidate.is_linked:
            return f"{self._how_linked(candidate.item)} {self._ticket.ref.id}"
        named = [trace.by for trace in candidate.traces if trace.way == "reference"]
        said = [self._written[word] for word in self._query if word in words]
        told = [f"named by {named[0]}"] if named else []
        if said:
            told.append(f"says: {', '.join(said[:_SHOWN])}")
        return "; ".join(told)

    def _how_linked(self, item: ContextItem) -> str:
        own = self._ticket.ref.id
        if any(own in f"{part.title} {part.content}" for part in (item, *item.thread)):
            return "names"
        return "linked to"
