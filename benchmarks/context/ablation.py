"""What each part of Rove is good for: how much worse the answers are without it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Final

from attrs import frozen

from benchmarks.context import companies, sample
from benchmarks.context.answers import Scored
from benchmarks.context.outside import Outside
from benchmarks.context.patching import replaced
from benchmarks.context.report import JUDGED, MEASURES
from benchmarks.context.sample_truth import load
from benchmarks.context.scoring import paired
from benchmarks.context.tables import Cell, show
from rove_core.build.compose import composer, selection
from rove_core.build.extractive import Extractive
from rove_core.build.gather import gatherer
from rove_core.build.gather.candidates import RankedItem
from rove_core.build.rank import corpus, evidence, ranking

#: What is remembered of each text, though a part that makes it is off.
_REMEMBERED: Final = "single_words"
#: Without an end, so many things are still more than fit.
_ENDLESS: Final = 200


@frozen
class _Part:
    """A part of Rove, and what stands in its place when it is off."""

    name: str
    owner: object
    attribute: str
    off: object


async def _nothing_is_same(_: object, texts: Sequence[str]) -> Sequence[None]:
    return [None] * len(texts)


def _nothing(*_: object, **__: object) -> tuple[()]:
    return ()


def _all(ranked: Sequence[RankedItem]) -> int:
    return min(_ENDLESS, len(ranked))


_CHOOSING: Final = (
    _Part("the ticket's words", evidence, "_WORDS", 0.0),
    _Part("words fed back", ranking, "_FED_BACK", 0.0),
    _Part("pairs of words", corpus, "pairwise", _nothing),
    _Part("words in titles", corpus, "_IN_TITLE", 1.0),
    _Part("closeness in time", evidence, "_TIME", 0.0),
    _Part("the ticket's people", evidence, "_PEOPLE", 0.0),
    _Part("words or people rather than both", evidence, "_BOTH", 0.0),
    _Part("other tickets that explain it better", evidence, "_LEAD", 0.0),
    _Part("references of what is believed", evidence, "_REFERENCE", 0.0),
    _Part("less for what tickets name", ranking, "FROM_TICKETS", 1.0),
    _Part("doubt by how much there is", evidence, "_CHANCE", 0.0),
    _Part("enough", composer, "enough", _all),
    _Part("copies", Extractive, "same", _nothing_is_same),
    _Part("the best of each before all of one", selection, "_FURTHER", 0.0),
    _Part("short before long", selection, "_LENGTH", 0.0),
)
_GATHERING: Final = (
    _Part("search for the ticket's words", gatherer, "first_queries", _nothing),
    _Part("search for words fed back", gatherer, "fed_back_queries", _nothing),
    _Part("references followed", gatherer.Gatherer, "_named", _nothing),
    _Part("things read in full", gatherer.Gatherer, "_promising", _nothing),
)


def of_sample() -> None:
    """Print it for the sample company."""
    truth = load()
    documents = sample.build_all(truth)

    def chosen() -> Mapping[str, Scored]:
        return sample.scores(truth, sample.chosen(documents))

    def built() -> Mapping[str, Scored]:
        again = sample.build_all(truth)
        return sample.scores(truth, {key: each.answer for key, each in again.items()})

    _show("sample, of what was found", chosen, _CHOOSING)
    _show("sample", built, _GATHERING)


def of_companies(folders: Sequence[Path], variants: Sequence[str], serve: str) -> None:
    """Print it for companies: given everything, or over HTTP."""
    for variant in variants:
        read = [Outside.load(folder, variant) for folder in folders]

        def measure(known: Sequence[Outside] = read) -> Mapping[str, Scored]:
            return dict(chain.from_iterable(_scored(company, serve) for company in known))

        _show(variant, measure, (*_CHOOSING, *_GATHERING) if serve else _CHOOSING)


def _scored(company: Outside, serve: str) -> Iterator[tuple[str, Scored]]:
    answers = companies.built(company, serve) if serve else companies.chosen(company)
    for key, scored in companies.scored(company, answers).items():
        yield f"{company.name} {key}", scored


def _show(name: str, measure: Callable[[], Mapping[str, Scored]], parts: Sequence[_Part]) -> None:
    whole = measure()
    rows: list[list[Cell]] = []
    for part in parts:
        with replaced(part.owner, part.attribute, part.off):
            getattr(corpus, _REMEMBERED).cache_clear()
            without = measure()
        getattr(corpus, _REMEMBERED).cache_clear()
        rows.append([f"without {part.name}", *_differences(without, whole)])
    show([f"{name}, {len(whole)} tickets", *JUDGED, ""], rows)


def _differences(without: Mapping[str, Scored], whole: Mapping[str, Scored]) -> Iterator[str]:
    lost = False
    for name in JUDGED:
        read = MEASURES[name]
        difference = paired(
            {key: read(each) for key, each in without.items()},
            {key: read(each) for key, each in whole.items()},
        )
        lost = lost or difference.high < 0
        yield str(difference)
    yield "" if lost else "may be 0"
