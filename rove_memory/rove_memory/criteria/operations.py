"""Operations on acceptance criteria: parse, add, verify."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final, Literal

from rove_core import Operation, WrongCall, checkout_of
from rove_memory import toolsets
from rove_memory.argument_help import TICKET
from rove_memory.criteria.evidence import EvidenceCheck
from rove_memory.criteria.model import AcceptanceCriterion, Evidence
from rove_memory.criteria.parsing import fetch_ticket, update_criteria
from rove_memory.criteria.rules import Markup, find_criteria, to_markdown
from rove_memory.criteria.status import CriterionStatus
from rove_memory.criteria.summary import short_criterion
from rove_memory.criteria.table import CriteriaTable
from rove_memory.criteria.terminal_text import (
    print_criteria,
    print_criterion,
)
from rove_memory.criteria_settings import CRITERIA, CriteriaSettings
from rove_memory.memory.redaction import clean_text
from rove_memory.plans.caller import caller
from rove_memory.store import ProjectStore, in_thread
from rove_memory.tickets.table import ensure_ticket, find_ticket, shown_id, store_ticket
from rove_memory.token_budget import fitting_list

if TYPE_CHECKING:
    from sqlite3 import Connection

    from rove_core import LocalProject, Project

_CRITERION: Final = "The criterion: its id, or TB-123#2."


async def ac_parse(
    rove: "Project",
    *,
    external_item_id: Annotated[str, TICKET],
    force_reparse: Annotated[bool, "Fetch the ticket's text again first."] = False,
    description: Annotated[str, "The text to read instead; - for standard input."] = "",
    markup: Annotated[Markup, "What that text is written in."] = "markdown",
) -> tuple[AcceptanceCriterion, ...]:
    """Read the acceptance criteria of a ticket from its text.

    Verified criteria stay verified when the ticket is edited: Rove recognises them by their words,
    and marks those that are new, changed or gone. An answer takes at most 8,000 tokens: long texts
    are cut, and ac_status shows what is left out.
    """
    store, headings = ProjectStore.of(rove), _settings(rove).patterns
    stored_text = await in_thread(lambda: _has_text(store, external_item_id))
    item = None
    if not description.strip() and (force_reparse or not stored_text):
        hint = f"Give its text: rove ac parse {shown_id(external_item_id)} --description -"
        item = await fetch_ticket(rove, external_item_id, hint=hint)

    def work() -> Sequence[AcceptanceCriterion]:
        with store.writing() as db:
            table = _table(db, store, rove)
            if item is not None:
                return update_criteria(table, store_ticket(db, store, item), headings=headings)
            ticket = ensure_ticket(db, store, external_item_id)
            if description.strip():
                text = to_markdown(description, markup)
                return table.merge(ticket, find_criteria(text, headings=headings), is_supplied=True)
            return update_criteria(table, ticket, headings=headings)

    return fitting_list(await in_thread(work), short_criterion)


async def ac_add(
    rove: "LocalProject",
    *,
    external_item_id: Annotated[str, TICKET],
    criterion_text: Annotated[str, "What must be true."],
    index: Annotated[int | None, "Its position, from 0; default: last."] = None,
) -> AcceptanceCriterion:
    """Add an acceptance criterion that the ticket does not mention."""
    store = ProjectStore.of(rove)

    def work() -> AcceptanceCriterion:
        with store.writing() as db:
            ticket = ensure_ticket(db, store, external_item_id)
            return _table(db, store, rove).add(ticket, criterion_text, index)

    return await in_thread(work)


async def ac_verify(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    criterion_id: Annotated[str, _CRITERION],
    status: Annotated[Literal["verified", "failed"], "Whether it is met."],
    evidence: Annotated[Evidence | None, "All evidence as one object."] = None,
    notes: Annotated[str | None, "Notes; for a failure, the reason."] = None,
    files: Annotated[tuple[str, ...], "A file that implements it; may be given again."] = (),
    tests: Annotated[tuple[str, ...], "A test that verifies it; may be given again."] = (),
    commits: Annotated[tuple[str, ...], "A commit about it; may be given again."] = (),
    screenshots: Annotated[tuple[str, ...], "A screenshot that shows it; may be given again."] = (),
) -> AcceptanceCriterion:
    """Mark a criterion as verified or failed, with evidence.

    Evidence is checked: a file, test, commit or picture that is not in this checkout is refused.
    """
    base = evidence or Evidence()
    full_evidence = Evidence(
        files=(*base.files, *files),
        tests=(*base.tests, *tests),
        commits=(*base.commits, *commits),
        screenshots=(*base.screenshots, *screenshots),
        notes="\n".join(filter(None, (base.notes, notes))),
    )
    if (
        status == "verified"
        and full_evidence.is_empty
        and _settings(rove).require_evidence_for_verification
    ):
        raise WrongCall(
            f"{criterion_id} needs evidence before it can be verified in this project",
            hint=f"For example: rove ac verify {criterion_id} verified --tests NAME",
        )
    store = ProjectStore.of(rove)

    def work() -> AcceptanceCriterion:
        # git may take its time: no transaction waits for it.
        checked = EvidenceCheck(checkout_of(rove.places.root)).checked(full_evidence)
        with store.writing() as db:
            table = _table(db, store, rove)
            criterion = _current(table, criterion_id)
            return table.verify(criterion, verified=status == "verified", evidence=checked)

    return await in_thread(work)


async def ac_update(
    rove: "LocalProject",
    *,
    criterion_id: Annotated[str, _CRITERION],
    criterion_text: Annotated[str | None, "The new text."] = None,
    status: Annotated[CriterionStatus | None, "Its status."] = None,
) -> AcceptanceCriterion:
    """Change the text or the state of an acceptance criterion."""
    text = None if criterion_text is None else clean_text(criterion_text, "the criterion")
    store = ProjectStore.of(rove)

    def work() -> AcceptanceCriterion:
        with store.writing() as db:
            table = _table(db, store, rove)
            criterion = _current(table, criterion_id)
            if status == "verified" and criterion.evidence.is_empty:
                _refuse_without_evidence(rove, criterion_id)
            return table.change(criterion, text, status)

    return await in_thread(work)


def _settings(rove: "LocalProject") -> CriteriaSettings:
    return rove.settings.section(CRITERIA)


def _refuse_without_evidence(rove: "LocalProject", criterion: str) -> None:
    if _settings(rove).require_evidence_for_verification:
        raise WrongCall(
            f"{criterion} needs evidence before it can be verified in this project",
            hint=f"For example: rove ac verify {criterion} verified --tests NAME",
        )


def _table(db: "Connection", store: ProjectStore, rove: "LocalProject") -> CriteriaTable:
    return CriteriaTable(db, store, caller(db, rove).session)


def _has_text(store: ProjectStore, text: str) -> bool:
    """Return whether the project knows the ticket's text."""
    with store.reading() as db:
        ticket = find_ticket(db, text)
        return ticket is not None and bool(ticket.description)


def _current(table: CriteriaTable, text: str) -> AcceptanceCriterion:
    """Return a criterion that its ticket still has."""
    found = table.require(text)
    if found.gone_at:
        raise WrongCall(
            f"{found.external_item_id}#{found.number} is no longer in the ticket",
            hint=f"See the current ones: rove ac status {found.external_item_id}",
        )
    return found


CRITERIA_OPERATIONS: Final = (
    Operation(
        ac_parse,
        changes=True,
        command="ac parse",
        toolset=toolsets.CRITERIA,
        stdin="description",
        show=print_criteria,
    ),
    Operation(
        ac_add,
        changes=True,
        command="ac add",
        group="Track the acceptance criteria of tickets.",
        toolset=toolsets.CRITERIA,
        offline=True,
        show=print_criterion,
    ),
    Operation(
        ac_verify,
        changes=True,
        command="ac verify",
        toolset=toolsets.CRITERIA,
        offline=True,
        show=print_criterion,
    ),
    Operation(
        ac_update,
        changes=True,
        command="ac update",
        toolset=toolsets.CRITERIA,
        offline=True,
        show=print_criterion,
    ),
)
