"""Evaluate ranking on a project's own links, and learn from them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final

from attrs import frozen

from rove_core.build.rank.lessons import FEWEST, Score, mean, missed, score
from rove_core.build.rank.lessons import learn as lessons_learned
from rove_core.build.rank.weights import RankWeights
from rove_core.errors import DocumentNotFound
from rove_core.operations import Operation
from rove_core.project.lesson_weights import KeptWeights, keep_weights, lessons, read_weights
from rove_core.terminal.tables import columns, counted, page

if TYPE_CHECKING:
    from rove_core.build.rank.lessons import Lesson
    from rove_core.project.local import LocalProject

_WORST: Final = 5
_SHOWN: Final = 3
_TITLE: Final = 60
_BUILD: Final = (
    "Build the documents of some tickets that people have talked about: rove --ticket TB-1,TB-2"
)


@frozen(kw_only=True)
class MissedItem:
    """Something that names a ticket and was not believed once that was hidden.

    Attributes:
        id: Its id.
        account: The account that has it.
        title: One line about it.
        score: How much it was believed.
    """

    id: str
    account: str
    title: str
    score: float


@frozen(kw_only=True)
class TicketScore:
    """The score of one ticket.

    Attributes:
        ticket: The ticket's id.
        account: The account that has it.
        precision: How much of what was believed is known to belong to it.
        recall: How much of what is known to belong to it was believed.
        f1: Both in one.
        missed: What was not believed, the best first.
    """

    ticket: str
    account: str
    precision: float
    recall: float
    f1: float
    missed: tuple[MissedItem, ...]


@frozen(kw_only=True)
class Evaluation:
    """The evaluation of a project.

    Attributes:
        tickets: How many tickets could be looked at: something names them, or they name it.
        score: The mean over them, by the weights in use.
        learned: What was learned here, if anything.
        worst: The tickets with the lowest F1.
    """

    tickets: int
    score: Score
    learned: KeptWeights | None
    worst: tuple[TicketScore, ...]


async def evaluate(
    rove: "LocalProject",
    *,
    worst: Annotated[int, "How many of the worst tickets to show."] = _WORST,
) -> Evaluation:
    """Measure how well Rove judges what belongs to a ticket here.

    Rove hides half of the links to each ticket and tries to find them again. Nothing is
    fetched, and nothing leaves this machine.
    """
    with rove.reading() as db:
        examples = [each for each in lessons(db) if each.linked]
    if not examples:
        raise DocumentNotFound("no ticket here has a document and a link to go by", hint=_BUILD)
    record = read_weights(rove.places)
    weights = record.weights if record else RankWeights()
    scores = [(score(each, weights), each) for each in examples]
    ordered = sorted(scores, key=lambda pair: (pair[0].f1, pair[1].ticket.ref.id))
    return Evaluation(
        tickets=len(examples),
        score=mean([own for own, _ in scores]),
        learned=record,
        worst=tuple(_score_of(each, own, weights) for own, each in ordered[:worst]),
    )


async def learn(rove: "LocalProject") -> KeptWeights:
    """Learn from this project's own links what belongs to a ticket.

    The result is checked on other tickets. Nothing leaves this machine.
    """
    with rove.reading() as db:
        examples = lessons(db)
    learned = lessons_learned(examples, RankWeights())
    if learned is None:
        raise _no_lessons(sum(each.is_useful for each in examples))
    return keep_weights(rove.places, learned, rove.clock.now())


def _no_lessons(count: int) -> DocumentNotFound:
    return DocumentNotFound(
        f"tickets with a document and at least two links: {count}; learning needs {FEWEST}",
        hint=_BUILD,
    )


def _score_of(lesson: "Lesson", own: Score, weights: RankWeights) -> TicketScore:
    return TicketScore(
        ticket=lesson.ticket.ref.id,
        account=lesson.ticket.account,
        precision=own.precision,
        recall=own.recall,
        f1=own.f1,
        missed=tuple(
            MissedItem(
                id=each.candidate.item.ref.id,
                account=each.candidate.item.account,
                title=each.candidate.item.title,
                score=round(each.score, 3),
            )
            for each in missed(lesson, weights)
        ),
    )


def _show(found: Evaluation) -> str:
    own = found.score
    lines = [
        f"{counted(found.tickets, 'ticket')}, half of what names each hidden and looked for again",
        f"precision {own.precision:.2f}  of what Rove believes, the part that is linked",
        f"recall    {own.recall:.2f}  of what is linked, the part that Rove believes",
        f"F1        {own.f1:.2f}  both in one; judged by {_which(found.learned)}",
    ]
    if found.worst:
        rows = [row for each in found.worst for row in _rows(each)]
        lines += ["", "Lowest F1, and what was missed:", *columns(rows)]
    return page(lines)


def _rows(each: TicketScore) -> Iterator[tuple[str, ...]]:
    """Yield a ticket's rows: what was missed is known by its title, an id alone says little."""
    shown = [(item.title[:_TITLE], item.id) for item in each.missed[:_SHOWN]] or [("nothing", "")]
    if (more := len(each.missed) - _SHOWN) > 0:
        shown.append((f"and {more} more", ""))
    yield each.ticket, f"F1 {each.f1:.2f}", *shown[0]
    for title, name in shown[1:]:
        yield "", "", title, name


def _which(record: KeptWeights | None) -> str:
    if record is None or not record.tickets:
        return "general weights"
    return f"weights learned from {record.tickets} tickets of this project"


def _show_learned(record: KeptWeights) -> str:
    gain = record.gain
    lines = [
        f"general weights   F1 {record.general.f1:.2f}",
        f"learned here      F1 {record.own.f1:.2f}",
        f"                  {gain.mean:+.2f}, between {gain.low:+.2f} and {gain.high:+.2f}",
        "",
        f"in use from now on: {_which(record)}",
    ]
    return page(lines)


EVAL = Operation(evaluate, command="eval", project="closed", offline=True, show=_show)
LEARN = Operation(learn, changes=True, project="closed", offline=True, show=_show_learned)
