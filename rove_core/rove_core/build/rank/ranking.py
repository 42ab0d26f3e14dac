"""Rank the candidates of a ticket: by the formula in `signals`, with the numbers in `weights`."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import compress, islice
from typing import Final

from attrs import frozen

from rove_core.build.free_text import is_of_words
from rove_core.build.gather.candidates import Candidate, RankedItem
from rove_core.build.rank.closeness import closeness
from rove_core.build.rank.corpus import Bag, TicketCorpus
from rove_core.build.rank.evidence import FROM_TICKETS, CandidateEvidence, doubt_of
from rove_core.build.rank.people import own_share
from rove_core.build.rank.rivals import leads
from rove_core.build.rank.robots import is_all_by_robots, is_round
from rove_core.build.rank.signals import CandidateSignals, TicketSignals, signals_of
from rove_core.build.rank.standings import UNCOMPARED, standings
from rove_core.build.rank.weights import RankWeights
from rove_core.build.rank.word_frequencies import UNKNOWN_FREQUENCIES, WordFrequencies
from rove_core.build.rank.words import written
from rove_core.items import ContextItem

#: Maximum occurrences of a word that count, words of the ticket, words fed back from linked items,
#: their weight in proportion to the ticket's own, and the linked items used.
_OFTEN: Final = 4.0
_OWN_WORDS: Final = 32
_FED_BACK_WORDS: Final = 24
_FED_BACK: Final = 0.5
_MOST_FEEDING: Final = 12
#: How many of the best candidates are compared with other tickets.
_COMPARED: Final = 40
#: How many of the best candidates are scored by all signals; the others are as good as out.
_JUDGED: Final = 500
#: How many of the best of everything are found if most is not found, as in a mirror: the median of
#: 40 tickets each of two projects was 241 and 277.
_FOUND: Final = 250
_LEAST: Final = 1e-6
_SHOWN: Final = 3
_GENERAL: Final = RankWeights()


def rank(
    ticket: ContextItem,
    candidates: Sequence[Candidate],
    weights: RankWeights = _GENERAL,
    *,
    everywhere: WordFrequencies = UNKNOWN_FREQUENCIES,
    is_final: bool = True,
) -> tuple[RankedItem, ...]:
    """Return all candidates with their relevance, best first; ties keep their order.

    A score is the probability that the candidate belongs to the ticket; from ``LINKED`` up,
    somebody has said so.

    Args:
        ticket: The ticket.
        candidates: The candidates.
        weights: The weights of the signals.
        everywhere: Word frequencies across everything that could have been found.
        is_final: Whether this is the document's ranking: then each candidate gets a reason, and
            the ticket is compared with others. Choosing what to read next needs neither.
    """
    full = [each for each in candidates if not each.is_bare]
    bare = [each for each in candidates if each.is_bare]
    seen = _Sight.of(ticket, full, everywhere)
    why = _Reasons(ticket, seen.sure, seen.query).why if is_final else _no_reason
    ranked = (
        RankedItem(
            candidate=full[place],
            score=score,
            reason=why(full[place], seen.corpus.bags[place]),
        )
        for place, score in seen.signals(compares=is_final).ranked(weights)
    )
    return (*ranked, *map(_without_score, bare))


def _no_reason(_: Candidate, __: Bag) -> str:
    return ""


def _without_score(candidate: Candidate) -> RankedItem:
    """Return a candidate known only by its address, with the lowest score."""
    return RankedItem(candidate=candidate, score=_LEAST * _LEAST, reason="")


def ticket_signals(ticket: ContextItem, candidates: Sequence[Candidate]) -> TicketSignals:
    """Return the signals of all candidates; weights turn them into a ranking.

    Args:
        ticket: The ticket.
        candidates: The candidates, none of them known only by its address.
    """
    return _Sight.of(ticket, candidates).signals()


@frozen(kw_only=True)
class _Sight:
    """Signals of the candidates, before weighting."""

    candidates: Sequence[Candidate]
    corpus: TicketCorpus
    query: Bag
    sure: Sequence[ContextItem]
    evidence: Sequence[CandidateEvidence]
    ticket: ContextItem

    @classmethod
    def of(
        cls,
        ticket: ContextItem,
        candidates: Sequence[Candidate],
        everywhere: WordFrequencies = UNKNOWN_FREQUENCIES,
    ) -> "_Sight":
        corpus = TicketCorpus.of(ticket, candidates, everywhere)
        robots = [is_all_by_robots(candidate.item) for candidate in candidates]
        linked = [
            each.is_linked and not robot and not is_round(each.item)
            for each, robot in zip(candidates, robots, strict=True)
        ]
        query = _query(corpus, linked)
        return cls(
            candidates=candidates,
            corpus=corpus,
            query=query,
            sure=[each.item for each in compress(candidates, linked)],
            evidence=_evidence(
                ticket, corpus, candidates, list(zip(linked, robots, strict=True)), query
            ),
            ticket=ticket,
        )

    def signals(self, *, compares: bool = True) -> TicketSignals:
        """Return the signals; only the best by the rule of thumb may be believed.

        Args:
            compares: Whether to compare the ticket with the others that could explain each.
        """
        scores = [each.score for each in self.evidence]
        order = sorted(range(len(scores)), key=lambda at: -scores[at])
        best = order[:_JUDGED]
        evidence = [self.evidence[at] for at in best]
        standing = (
            standings(self.ticket, self.corpus, self.candidates, best)
            if compares
            else [UNCOMPARED for _ in best]
        )
        values = signals_of(
            [self.candidates[at] for at in best],
            evidence,
            standing,
            best=_best_of_everything(len(scores), self.corpus.everywhere.items),
        )
        return TicketSignals(
            best=[
                CandidateSignals(place=at, values=signals, credit=credit)
                for at, signals, credit in zip(best, values, evidence, strict=True)
            ],
            others=[(at, _LEAST * scores[at]) for at in order[_JUDGED:]],
        )


def _best_of_everything(found: int, everywhere: int) -> int:
    """Return how many of the items found would be judged if everything were found.

    Args:
        found: The number of items found.
        everywhere: The number of all items, as far as known.
    """
    too_many = max(found, everywhere) - _JUDGED
    return max(_FOUND, found - max(0, too_many))


def _evidence(
    ticket: ContextItem,
    corpus: TicketCorpus,
    candidates: Sequence[Candidate],
    flags: Sequence[tuple[bool, bool]],
    query: Bag,
) -> Sequence[CandidateEvidence]:
    """Return the evidence for each candidate.

    Args:
        ticket: The ticket.
        corpus: The words of the ticket and of the candidates.
        candidates: The candidates.
        flags: Whether each is linked, and whether only programs wrote in it.
        query: The words to look for, with their weights.
    """
    items = [candidate.item for candidate in candidates]
    sure = [item for item, (is_linked, _) in zip(items, flags, strict=True) if is_linked]
    times, people = closeness(ticket, sure, items), own_share(ticket, items)
    doubt = doubt_of(len(candidates))
    evidence = [
        CandidateEvidence(
            words=words,
            time=time,
            people=share,
            doubt=doubt,
            is_linked=is_linked,
            is_by_robots=is_by_robots,
        )
        for words, time, share, (is_linked, is_by_robots) in zip(
            corpus.answers(query), times, people, flags, strict=True
        )
    ]
    if not is_of_words(ticket.ref.id):  # if the subject is words, tickets are results, not rivals
        _compare_with_rivals(corpus, candidates, evidence, unfound=ticket.role == "ticket")
    _follow_references(candidates, evidence)
    return evidence


def _query(corpus: TicketCorpus, linked: Sequence[bool]) -> Bag:
    """Return the most informative words of the ticket and its links, with weights."""
    own = {word: min(times, _OFTEN) for word, times in corpus.own.items()}
    query = dict(_most_informative(corpus, own, _OWN_WORDS))
    feedback: dict[str, float] = {}
    for words in islice(compress(corpus.bags, linked), _MOST_FEEDING):
        for word, times in words.items():
            feedback[word] = feedback.get(word, 0.0) + min(times, _OFTEN)
    fed_back = _most_informative(corpus, feedback, _FED_BACK_WORDS)
    share = _FED_BACK * sum(query.values()) / (sum(fed_back.values()) or 1.0)
    for word, weight in fed_back.items():
        query[word] = query.get(word, 0.0) + share * weight
    return query


def _most_informative(corpus: TicketCorpus, words: Bag, count: int) -> Bag:
    worth = {word: times * corpus.rarity(word) for word, times in words.items()}
    best = sorted(worth, key=lambda word: (-worth[word], word))[:count]
    return {word: words[word] for word in best}


def _compare_with_rivals(
    corpus: TicketCorpus,
    candidates: Sequence[Candidate],
    evidence: Sequence[CandidateEvidence],
    *,
    unfound: bool,
) -> None:
    """Lower candidates that another ticket explains better.

    Only those that may be believed are compared; the rest count as no better than their worst.
    """
    order = sorted(range(len(evidence)), key=lambda at: (-evidence[at].score, candidates[at].key))
    rivals = [
        at for at in order if candidates[at].item.role == "ticket" and not evidence[at].is_linked
    ]
    found = leads(corpus, rivals, order[:_COMPARED], unfound=unfound)
    least = min(found.values(), default=0.0)
    for at, each in enumerate(evidence):
        each.lead = found.get(at, least)


def _follow_references(
    candidates: Sequence[Candidate], evidence: Sequence[CandidateEvidence]
) -> None:
    """Raise items referenced by believed ones; fewer references count more."""
    referring = [
        [trace.by for trace in candidate.traces if trace.way == "reference"]
        for candidate in candidates
    ]
    counts = Counter(by for names in referring for by in names)
    likely = {
        candidate.item.ref.id: (1.0 if each.is_linked else each.impression)
        * (FROM_TICKETS if candidate.item.role == "ticket" else 1.0)
        for candidate, each in zip(candidates, evidence, strict=True)
        if candidate.item.ref.id in counts
    }
    for each, names in zip(evidence, referring, strict=True):
        each.reference = max((likely.get(by, 0.0) / counts[by] for by in names), default=0.0)


class _Reasons:
    """Explains in a few words why a candidate is relevant."""

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
        terms = [self._written[word] for word in self._query if word in words]
        reasons = [f"named by {named[0]}"] if named else []
        if terms:
            reasons.append(f"says: {', '.join(terms[:_SHOWN])}")
        return "; ".join(reasons)

    def _how_linked(self, item: ContextItem) -> str:
        own = self._ticket.ref.id
        if any(own in f"{part.title} {part.content}" for part in (item, *item.thread)):
            return "names"
        return "linked to"
