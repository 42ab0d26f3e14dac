"""Evaluate JQL: matching tickets, in order."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, tzinfo
from operator import eq, ge, gt, le, lt, ne
from typing import TypeAlias

from attrs import frozen

from rove_sim.company import Company
from rove_sim.company_jira import Ticket
from rove_sim.jira.jql_dates import moment
from rove_sim.jira.jql_tokens import JqlError
from rove_sim.jira.jql_tree import Both, Call, Clause, Jql, NegatedClause, Node, Operand, parse
from rove_sim.jira.jql_values import HELD, NAMES, moment_of, order, place, rank
from rove_sim.jira.lucene import matching, words
from rove_sim.jira.store import TicketStore
from rove_sim.jira.vocabulary import site_values

Test: TypeAlias = Callable[[Ticket], bool]

_TEXTS = frozenset({"text", "summary", "description", "comment"})
_TIMES = frozenset({"updated", "created", "resolutiondate"})
_PEOPLE = {"assignee": "assignee", "reporter": "author", "creator": "author"}
_COMPARE: Mapping[str, Callable[[datetime, datetime], bool]] = {
    "=": eq,
    "!=": ne,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
}
_EQUAL = ("=", "!=", "in", "not in", "is", "is not")
_UNBOUNDED = (
    "Unbounded JQL queries are not allowed here. Please add a search restriction to your query."
)


@frozen
class JqlSearch:
    """Answers JQL for one reader.

    Attributes:
        tickets: Where it looks.
        now: The time, for what is relative to it.
        zone: The reader's own, in which dates are written.
    """

    company: Company
    tickets: TicketStore
    now: datetime
    zone: tzinfo

    def find(self, query: str, fresh: frozenset[str] = frozenset()) -> list[Ticket]:
        """Return the results of a query in order, or raise :class:`JqlError`."""
        parsed = parse(query)
        if parsed.where is None:
            raise JqlError(_UNBOUNDED)
        test = self._test(parsed.where)
        found = [ticket for ticket in self.tickets.searchable(fresh) if test(ticket)]
        return self._sorted(found, parsed)

    def _test(self, node: Node) -> Test:
        match node:
            case NegatedClause(part):
                inner = self._test(part)
                return lambda ticket: not inner(ticket)
            case Both(word, parts):
                tests = [self._test(part) for part in parts]
                every = all if word == "and" else any
                return lambda ticket: every(test(ticket) for test in tests)
            case Clause():
                return self._clause(node)

    def _clause(self, clause: Clause) -> Test:
        field = NAMES.get(clause.field.lower(), clause.field.lower())
        if field in _TEXTS:
            return self._text(clause, field)
        if field in _TIMES:
            return self._time(clause, field)
        if field in _PEOPLE or field in HELD or field == "project":
            return self._equal(clause, field)
        raise JqlError(
            f"Field '{clause.field}' does not exist or you do not have permission to view it."
        )

    def _text(self, clause: Clause, field: str) -> Test:
        if clause.operator in ("is", "is not") and field != "text":
            empty = clause.operator == "is"
            return lambda ticket: bool(self._text_of(ticket, field).strip()) != empty
        if clause.operator not in ("~", "!~"):
            raise _unsupported(clause)
        (value,) = clause.values
        if not isinstance(value, str):
            raise _unsupported(clause)
        test = matching(value, clause.field)
        expected = clause.operator == "~"
        return lambda ticket: test(words(self._text_of(ticket, field))) == expected

    def _text_of(self, ticket: Ticket, field: str) -> str:
        description = self.tickets.words(ticket.description, ticket.adf)
        comments = "\n".join(self.tickets.words(each.text, each.adf) for each in ticket.comments)
        parts = {"summary": ticket.title, "description": description, "comment": comments}
        return "\n".join(parts.values()) if field == "text" else parts[field]

    def _time(self, clause: Clause, field: str) -> Test:
        (value, *_) = clause.values
        if clause.operator in ("is", "is not"):
            empty = clause.operator == "is"
            return lambda ticket: (moment_of(ticket, field) is None) == empty
        compare = _COMPARE.get(clause.operator)
        if compare is None or value is None:
            raise _unsupported(clause)
        limit = moment(value, clause.field, self.now, self.zone)

        def test(ticket: Ticket) -> bool:
            time = moment_of(ticket, field)
            return time is not None and compare(time, limit)

        return test

    def _equal(self, clause: Clause, field: str) -> Test:
        ordered = clause.operator in _COMPARE and field in ("key", "priority")
        if clause.operator not in _EQUAL and not ordered:
            raise _unsupported(clause)
        if clause.operator in ("<", "<=", ">", ">="):
            return self._ordered(clause, field)
        values = {self._value(clause, field, value) for value in clause.values}
        negative = clause.operator in ("!=", "not in", "is not")

        def test(ticket: Ticket) -> bool:
            actual = self._values_of(ticket, field) or {None}
            # What is empty is not different from a value: it has to be asked for.
            if negative and actual == {None} and None not in values:
                return False
            return bool(actual & values) != negative

        return test

    def _ordered(self, clause: Clause, field: str) -> Test:
        (value,) = clause.values
        limit = self._value(clause, field, value)
        height = place if field == "key" else rank
        numbers = {"<": lt, "<=": le, ">": gt, ">=": ge}
        compare = numbers[clause.operator]
        return lambda ticket: any(
            compare(height(held), height(limit)) for held in self._values_of(ticket, field)
        )

    def _value(self, clause: Clause, field: str, value: Operand) -> str | None:
        """Return a value for comparison, or raise an error if it does not exist."""
        if value is None:
            return None
        if isinstance(value, Call):
            if field in _PEOPLE and value.name.lower() == "currentuser":
                return self.company.owner.jira
            raise JqlError(f"Unable to find JQL function '{value.name}()'.")
        match field:
            case "key" | "parent":
                return self._key(clause, value)
            case "assignee" | "reporter" | "creator":
                return self._account(clause, value)
            case "labels" | "sprint":
                return value.lower()
            case _:
                return self._checked_value(clause, field, value)

    def _key(self, clause: Clause, value: str) -> str:
        if ticket := self.tickets.find(value):
            return ticket.key
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*-\d+|\d+", value):
            raise JqlError(f"The issue key '{value}' for field '{clause.field}' is invalid.")
        raise JqlError(f"An issue with key '{value}' does not exist for field '{clause.field}'.")

    def _account(self, clause: Clause, value: str) -> str:
        accounts = (
            each.jira
            for each in self.company.people
            if value.lower() in (each.jira, each.email.lower(), each.name.lower())
        )
        if account := next(accounts, None):
            return account
        raise JqlError(f"The value '{value}' does not exist for the field '{clause.field}'.")

    def _checked_value(self, clause: Clause, field: str, value: str) -> str:
        if value.lower() in site_values(field, self.tickets):
            return value.lower()
        raise JqlError(f"The value '{value}' does not exist for the field '{clause.field}'.")

    def _values_of(self, ticket: Ticket, field: str) -> set[str | None]:
        if field in _PEOPLE:
            who = ticket.assignee if field == "assignee" else ticket.author
            return {self.company.person(who).jira} if who else set()
        if field == "project":
            project = self.tickets.project(ticket)
            return {project.key.lower(), project.name.lower()}
        return {value for value in HELD[field](ticket) if value}

    def _sorted(self, found: Sequence[Ticket], parsed: Jql) -> list[Ticket]:
        ordered = sorted(found, key=lambda ticket: place(ticket.key), reverse=True)
        for sort in reversed(parsed.sorts):
            ordered.sort(key=order(sort), reverse=sort.descending)
        return ordered


def _unsupported(clause: Clause) -> JqlError:
    return JqlError(
        f"The operator '{clause.operator}' is not supported by the '{clause.field}' field."
    )
