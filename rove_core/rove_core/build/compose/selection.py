"""Select the most relevant statements within a strict budget."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Final

from attrs import define, field, frozen

from rove_core.build.compose.changes import ends
from rove_core.build.compose.exchanges import answers_of, calls_of, questions_of
from rove_core.build.compose.outline import OpenQuestion, Statement
from rove_core.build.gather.candidates import Key, key_of
from rove_core.items import ContextItem

#: How much less each further statement of one item is worth.
_FURTHER: Final = 0.3
#: How much the length of a statement counts against it.
_LENGTH: Final = 0.5
#: A statement worth less than this share of its item's best is left out, whatever the room.
_LEAST: Final = 0.3
#: The share of the budget for the list of items that are only named.
_LISTED: Final = 0.1


@frozen
class Selection:
    """The statements to quote, and the items only named.

    Attributes:
        statements: The statements to quote, in the given order.
        listed: Relevant items without a statement that fits, best first.
        is_full: Whether something was left out for lack of room.
    """

    statements: tuple[Statement, ...]
    listed: tuple[ContextItem, ...]
    is_full: bool


def select(  # noqa: PLR0913  # each says how much there is of something else
    ticket: ContextItem,
    statements: Sequence[Statement],
    *,
    budget: int,
    cost: Callable[[Statement], int],
    line: Callable[[ContextItem], int],
    needs: Mapping[Key, Key] | None = None,
) -> Selection:
    """Choose the statements to quote: the best of every item before the rest of any.

    Args:
        ticket: The ticket: its own text comes first.
        statements: The quotable statements.
        budget: The token budget.
        cost: Returns the tokens of a statement, with everything written around it.
        line: Returns the tokens of a line that only names an item.
        needs: The statement that each may only be quoted together with, by key.
    """
    wholes = _by_worth(statements)
    by_key = {each.key: each for each in statements}
    own = by_key.get(key_of(ticket.ref))
    least = min(budget, cost(own)) if own else 0
    for room in (budget, max(int(budget * (1 - _LISTED)), least)):
        choice = _Selection(
            first=key_of(ticket.ref), by_key=by_key, needs=needs or {}, cost=cost, room=room
        )
        choice.fill(_worthwhile(ticket, statements))
        unsaid = [item for key, item in wholes.items() if not choice.per_item[key]]
        if not unsaid:
            break
    return Selection(
        statements=tuple(each for each in statements if each.key in choice.chosen),
        listed=tuple(_listable(unsaid, choice.room + budget - room, line)),
        is_full=choice.is_full,
    )


def needed(
    ticket: ContextItem, statements: Sequence[Statement], questions: Sequence[OpenQuestion]
) -> Mapping[Key, Key]:
    """Return statements that need each other: question and answer, old and new decision.

    Args:
        ticket: The ticket.
        statements: The quotable statements.
        questions: What is open, disputed or replaced.
    """
    replaced = {
        each.statements[0].key: each.statements[-1].key
        for each in questions
        if each.kind == "replaced"
    }
    return {
        **answers_of(statements),
        **calls_of(statements),
        **questions_of(statements),
        **ends(ticket, statements),
        **replaced,
    }


@define(eq=False, kw_only=True)
class _Selection:
    """The statements chosen so far, and the remaining budget."""

    first: Key
    by_key: Mapping[Key, Statement]
    needs: Mapping[Key, Key]
    cost: Callable[[Statement], int]
    room: int
    chosen: set[Key] = field(factory=set)
    per_item: Counter[Key] = field(factory=Counter)
    is_full: bool = False

    def fill(self, statements: Sequence[Statement]) -> None:
        """Add the best statement that fits, until none does."""
        heap = [(-self._value(each), at) for at, each in enumerate(statements)]
        heapify(heap)
        while heap:
            value, at = heappop(heap)
            statement = statements[at]
            now = -self._value(statement)
            if now > value:
                heappush(heap, (now, at))
            elif statement.key not in self.chosen:
                self._take(list(self._with_needs(statement)))

    def _value(self, statement: Statement) -> float:
        """Return the current value of a statement, which can only fall."""
        if statement.key == self.first:
            return math.inf
        whole = key_of(statement.whole.ref)
        further = 0.0 if whole == self.first else _FURTHER * self.per_item[whole]
        length = math.pow(max(1, self.cost(statement)), _LENGTH)
        return statement.score / (length * (1 + further))

    def _with_needs(self, statement: Statement) -> Iterator[Statement]:
        seen: set[Key] = set(self.chosen)
        key: Key | None = statement.key
        while key is not None and key in self.by_key and key not in seen:
            seen.add(key)
            yield self.by_key[key]
            key = self.needs.get(key)

    def _take(self, together: Sequence[Statement]) -> None:
        price = sum(map(self.cost, together))
        if price <= self.room:
            self.room -= price
            self.chosen |= {each.key for each in together}
            self.per_item.update(key_of(each.whole.ref) for each in together)
        else:
            self.is_full = True


def _worthwhile(ticket: ContextItem, statements: Sequence[Statement]) -> list[Statement]:
    """Return the statements worth quoting by themselves, among them all of the ticket's."""
    best: dict[Key, float] = {}
    for each in statements:
        whole = key_of(each.whole.ref)
        best[whole] = max(best.get(whole, 0.0), each.score)
    return [
        each
        for each in statements
        if each.whole.ref == ticket.ref or each.score >= _LEAST * best[key_of(each.whole.ref)]
    ]


def remembered(cost: Callable[[Statement], int]) -> Callable[[Statement], int]:
    """Return a cached cost function for statements."""
    costs: dict[Key, int] = {}

    def of(statement: Statement) -> int:
        if statement.key not in costs:
            costs[statement.key] = cost(statement)
        return costs[statement.key]

    return of


def _by_worth(statements: Sequence[Statement]) -> dict[Key, ContextItem]:
    """Return the items, the one with the best statement first."""
    best = sorted(statements, key=lambda each: -each.score)
    return {key_of(each.whole.ref): each.whole for each in best}


def _listable(
    items: Iterable[ContextItem], room: int, line: Callable[[ContextItem], int]
) -> Iterator[ContextItem]:
    """Yield items to name until a line does not fit."""
    for item in items:
        room -= line(item)
        if room < 0:
            return
        yield item
