"""What a project's own links teach about what belongs to a ticket."""

import json
import random
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from attrs import evolve

from rove_core import ContextItem, ItemRef
from rove_core._item_words import Role
from rove_core.build.gather.candidates import Candidate, Trace
from rove_core.build.rank.lessons import FEWEST, LearnedLessons, Lesson, learn, score
from rove_core.build.rank.regression import Example, fit
from rove_core.build.rank.weights import DEFAULT, SIGNALS_VERSION, RankWeights
from rove_core.project.layout import ProjectPaths
from rove_core.project.lesson_weights import keep_weights, read_weights
from rove_core.project.weights_line import weights_line

_DAY = datetime(2025, 1, 7, tzinfo=UTC)
_NAMES = list(DEFAULT)
_NO_WEIGHTS = RankWeights((0.0,) * len(DEFAULT))


def _item(name: str, title: str, *, days: float, role: Role = "talk") -> ContextItem:
    return ContextItem(
        ref=ItemRef(account="slack", kind="thread", id=name),
        source="slack",
        role=role,
        title=title,
        content="",
        timestamp=_DAY + timedelta(days=days),
        author="ann" if role == "change" else "ben",
    )


def _lesson(number: int) -> Lesson:
    """Return a ticket of a project where changes belong to tickets, and talk never does."""
    chance = random.Random(number)  # noqa: S311  # no secret
    ticket = _item(f"TB-{number}", f"Rotate signing keys of vault{number}", days=number * 50)
    words = ["rotate", "signing", "keys", f"vault{number}"]
    found = []
    for at in range(24):
        belongs = at < 6
        title = " ".join([*chance.sample(words, 2), f"else{chance.randrange(50)}"])
        days = number * 50 + chance.uniform(-20, 20)
        role: Role = "change" if belongs else "talk"
        traces = (Trace("link", ticket.ref.id),) if belongs else (Trace("words", "keys"),)
        item = _item(f"{number}/{at}", title, days=days, role=role)
        found.append(Candidate(item=item, traces=traces))
    return Lesson(ticket=ticket, candidates=tuple(found))


@pytest.fixture(scope="module")
def learned() -> LearnedLessons:
    """Return what such a project teaches."""
    told = learn([_lesson(number) for number in range(12)], RankWeights())
    assert told is not None
    return told


def test_what_examples_show_moves_the_weights() -> None:
    """A signal that what belongs has, and nothing else, counts more afterwards."""
    change = _NAMES.index("change")

    def example(*, is_change: bool) -> Example:
        signals = [0.0] * len(_NAMES)
        signals[0], signals[change] = 1.0, float(is_change)
        return Example(signals, is_change)

    fitted = fit([example(is_change=n % 2 == 0) for n in range(100)], RankWeights(), strength=1.0)

    assert fitted.values[change] > RankWeights().values[change] + 1


def test_a_free_signal_follows_the_examples() -> None:
    """Few examples move a weight that the prior hardly holds, even if it counts for many."""
    signals = [1.0] * len(_NAMES)
    examples = [Example(signals, belongs=True)] * 10

    held = fit(examples, _NO_WEIGHTS, strength=1_000.0)
    free = fit(examples, _NO_WEIGHTS, strength=1_000.0, free={"people"})

    people = _NAMES.index("people")
    assert free.values[people] > 10 * held.values[people]


def test_without_examples_the_weights_stay() -> None:
    """What is known before is all there is."""
    assert fit([], RankWeights(), strength=1.0).values == pytest.approx(RankWeights().values)


def test_a_project_teaches_what_belongs_together_there(learned: LearnedLessons) -> None:
    """What its people name are changes: on tickets it was not learned from, that helps."""
    assert learned.tickets == 12
    assert learned.own.f1 > learned.general.f1
    other = _lesson(99)
    assert score(other, learned.weights).f1 > score(other, RankWeights()).f1


def test_the_same_is_learned_from_the_same() -> None:
    """Nothing of it depends on chance or on the order."""
    some = [_lesson(number) for number in range(FEWEST)]

    assert learn(some, RankWeights()) == learn(some[::-1], RankWeights())


def test_few_tickets_teach_nothing() -> None:
    """What few tickets say may be chance."""
    assert learn([_lesson(number) for number in range(FEWEST - 1)], RankWeights()) is None


def test_tickets_with_one_link_teach_nothing() -> None:
    """Most of what belongs to them is not linked, and would be taken for what does not belong."""

    def with_one_link(lesson: Lesson) -> Lesson:
        first, *others = lesson.candidates
        return evolve(lesson, candidates=(first, *(evolve(each, traces=()) for each in others)))

    lessons = [_lesson(number) for number in range(FEWEST)]

    assert learn([*lessons[1:], *map(with_one_link, lessons)], RankWeights()) is None


def test_what_is_no_better_is_not_used(learned: LearnedLessons) -> None:
    """The same lessons teach nothing that the weights do not know already."""
    again = learn([_lesson(number) for number in range(12)], learned.weights)

    assert again is not None
    assert again.gain.low <= 0
    assert (again.tickets, again.weights) == (0, learned.weights)


def test_what_was_learned_is_kept(tmp_path: Path, learned: LearnedLessons) -> None:
    """The next build reads it."""
    places = ProjectPaths.at(tmp_path)
    places.prepare()
    keep_weights(places, learned, _DAY)

    kept = read_weights(places)

    assert kept is not None
    assert kept.weights.values == pytest.approx(learned.weights.values)
    assert (kept.tickets, kept.learned_at) == (12, _DAY)


def test_a_line_says_what_was_learned(tmp_path: Path, learned: LearnedLessons) -> None:
    """From how many tickets, when, and by how much it is better."""
    places = ProjectPaths.at(tmp_path)
    places.prepare()
    before = weights_line(places)
    keep_weights(places, learned, _DAY)
    gained = f"F1 {learned.own.f1:.2f}, before {learned.general.f1:.2f}"

    assert before == "general weights"
    assert weights_line(places) == f"weights learned from 12 tickets on 2025-01-07: {gained}"


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"version": 1}', '{"version": 99}', "null", "[" * 100_000, "9" * 5_000]
)
def test_a_damaged_file_is_as_good_as_none(tmp_path: Path, text: str) -> None:
    """Then the general weights are used."""
    places = ProjectPaths.at(tmp_path)
    places.prepare()
    places.weights_file.write_text(text)

    assert read_weights(places) is None
    assert weights_line(places) == "general weights"


@pytest.mark.parametrize(
    "changed", [{"version": SIGNALS_VERSION - 1}, {"version": SIGNALS_VERSION + 1}, {"values": {}}]
)
def test_weights_of_other_signals_are_left_alone(
    tmp_path: Path, learned: LearnedLessons, changed: Mapping[str, object]
) -> None:
    """Builds do without weights that another Rove learned, and their line says so."""
    places = ProjectPaths.at(tmp_path)
    places.prepare()
    keep_weights(places, learned, _DAY)
    told = json.loads(places.weights_file.read_text())
    places.weights_file.write_text(json.dumps({**told, **changed}))
    line = "general weights: those learned here are for another version of Rove"

    assert read_weights(places) is None
    assert weights_line(places) == line


def test_weights_that_are_far_off_are_mended() -> None:
    """However sure the weights before were, examples that show the opposite end at the same."""
    change = _NAMES.index("change")

    def example(*, is_change: bool, belongs: bool) -> Example:
        signals = [0.0] * len(_NAMES)
        signals[0], signals[change] = 1.0, float(is_change)
        return Example(signals, belongs)

    def sure(*, of_change: float) -> RankWeights:
        return RankWeights(
            tuple({"always": -9.0, "change": of_change}.get(name, 0.0) for name in _NAMES)
        )

    examples = [example(is_change=n % 2 == 0, belongs=n % 8 == 0) for n in range(400)]

    fitted = fit(examples, sure(of_change=18.0), strength=0.001)

    assert fitted.likelihood(examples[0].signals) == pytest.approx(0.25, abs=0.02)
    assert fitted.likelihood(examples[1].signals) < 0.02
