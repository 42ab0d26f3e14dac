"""Each standard test of work items fails for the reference tracker with that flaw, and no other."""

from collections.abc import Collection, Mapping
from pathlib import Path

import pytest
from tests.core.suite_verdicts import mutated, verdicts_of

from rove_core.testing import reference_tracker

#: For each standard test the line of the reference tracker that is changed, and into what.
MUTANTS = {
    "test_work_item_is_the_one_asked_for": (
        "            created=_DAY,",
        "            created=_DAY.astimezone(timezone(timedelta(hours=9))),",
    ),
    "test_unknown_work_item_is_not_found": (
        '            raise ItemNotFound(f"there is no {ref.kind} {ref.id!r} on the board")',
        '            raise KeyError(f"there is no {ref.kind} {ref.id!r} on the board")',
    ),
    "test_change_is_kept": (
        "        return self._work(card)",
        "        return attrs.evolve(self._work(card), updated=_DAY)",
    ),
    "test_change_touches_nothing_else": (
        "        blank = ReferenceCard(card.id, card.title)",
        '        blank, card.iteration = ReferenceCard(card.id, card.title), "W9"',
    ),
    "test_each_change_has_its_revision": (
        "        card.revision += 1",
        "        card.revision = min(card.revision + 1, 3)",
    ),
    "test_overtaken_change_is_refused": (
        '        if change.if_revision not in ("", str(card.revision)):',
        "        if False:",
    ),
    "test_change_from_its_revision_is_made": (
        '        if change.if_revision not in ("", str(card.revision)):',
        "        if change.if_revision:",
    ),
    "test_offered_status_can_be_taken": (
        (
            "        return [StatusOption(status=STATUSES[name])"
            " for name in NEXT[self._card(ref).status]]"
        ),
        "        return [StatusOption(status=each) for each in STATUSES.values()]",
    ),
    "test_statuses_mean_what_they_do": (
        '    "Doing": ItemStatus(name="Doing", category="in_progress"),',
        '    "Doing": ItemStatus(name="Doing", category="todo"),',
    ),
    "test_other_status_is_refused": (
        (
            '            raise WrongCall(f"{card.id} cannot become {change.status!r} now,'
            ' only {possible}")'
        ),
        '            raise WrongCall("no")',
    ),
    "test_fields_change_together": (
        "        for name in change.fields:",
        "        for name in change.fields[:1] if change.status else change.fields:",
    ),
    "test_edited_work_item_keeps_its_key": (
        "            is_cleared = name in change.clear",
        '            is_cleared, card.key = name in change.clear, card.key * (name[:1] != "d")',
    ),
    "test_work_item_shows_no_key": (
        "            content=card.description,",
        '            content=f"{card.description} {card.key}",',
    ),
    "test_work_item_keeps_the_reply": (
        '            raw={"id": card.id, "status": card.status, "priority": card.priority},',
        "            raw={},",
    ),
    "test_comment_is_added_once": (
        "        if card.comments.get(comment.key) != comment.content:",
        "        if comment.key not in card.comments:",
    ),
    "test_comment_shows_no_key": (
        "            card.comments[comment.key] = comment.content",
        '            card.comments[comment.key] = f"{comment.content} ({comment.key})"',
    ),
    "test_work_item_is_created_once": (
        "        there = [card for card in self._board.cards.values() if card.key == new.key]",
        (
            "        there = [card for card in self._board.cards.values()"
            " if card.key == new.key and card.description != new.description]"
        ),
    ),
    "test_comment_is_listed": (
        "            if left and place.is_new(card.id, card.at):",
        "            if left and place.is_new(card.id, card.at) and not card.comments:",
    ),
    "test_edited_comment_has_its_time": (
        "        author, at = _ROBIN.name, card.at",
        "        author, at = _ROBIN.name, _DAY",
    ),
    "test_comment_has_its_author": (
        "        author, at = _ROBIN.name, card.at",
        "        author, at = card.assignee, card.at",
    ),
    "test_parent_and_part_name_each_other_rightly": (
        "        if card.parent:",
        (
            "        if card.parent and card.key:\n"
            '            yield Link(ref=self._ref(card.parent), relation="child")\n'
            "        elif card.parent:"
        ),
    ),
    "test_parent_can_be_taken_away": (
        "            value = getattr(blank if is_cleared else change, name)",
        (
            "            value = getattr(blank if is_cleared else change, name)\n"
            '            value = card.parent if name == "parent" else value'
        ),
    ),
    "test_other_file_of_the_same_name_is_attached": (
        "        if attachment.key not in card.files:",
        "        if attachment.name not in card.files.values():",
    ),
    "test_item_has_the_facts_of_its_work": (
        "                labels=card.labels,",
        "                labels=(),",
    ),
    "test_finished_work_can_be_taken_up_again": (
        "        blank = ReferenceCard(card.id, card.title)",
        (
            "        blank = ReferenceCard(card.id, card.title)\n"
            '        if card.status == "Done":\n'
            "            change = attrs.evolve(change, status=None)"
        ),
    ),
    "test_work_item_is_created_below_its_parent": (
        '            above = new.parent.id if new.parent else ""',
        '            above = ""',
    ),
    "test_iterations_begin_before_they_end": (
        '    id="W2", name="Week 2", state="active", starts=_DAY, ends=_DAY + timedelta(days=7)',
        '    id="W2", name="Week 2", state="active", starts=_DAY, ends=_DAY',
    ),
    "test_relations_agree_from_both_sides": (
        '                yield Link(ref=self._ref(below.id), relation="child")',
        '                yield Link(ref=self._ref(below.id), relation="parent")',
    ),
    "test_priorities_mean_what_they_are_called": (
        '_WORDS: Final = ("none", "low", "medium", "high", "urgent")',
        '_WORDS: Final = ("none", "urgent", "high", "medium", "low")',
    ),
    "test_file_is_attached_once": (
        "            card.files[attachment.key] = attachment.name",
        '            card.files[f"{attachment.key}{len(card.files)}"] = attachment.name',
    ),
    "test_attached_files_are_files": (
        '            role="file",',
        '            role="page",',
    ),
    "test_work_item_has_the_given_fields": (
        '            estimate_unit="points",',
        '            estimate_unit="hours",',
    ),
    "test_listing_tells_the_work": (
        (
            "                yield ListedChange(item=self._item(card), work=self._work(card),"
            " cursor=cursor)"
        ),
        "                yield ListedChange(item=self._item(card), cursor=cursor)",
    ),
    "test_iterations_are_in_order": (
        '        return [_WEEK] if container == "board" else []',
        "        return [_WEEK, _WEEK]",
    ),
    "test_fields_go_there_and_back": (
        "            is_cleared = name in change.clear",
        "            is_cleared = False",
    ),
    "test_reader_is_told_what_is_missing": (
        (
            '            raise ScopeMissing("this login may only read;'
            ' the board wants the scope board:write")'
        ),
        '            raise WrongCall("no")',
    ),
}

SUITES = """
from datetime import UTC, datetime
from rove_core.facts import ItemStatus
import pytest
from contextlib import nullcontext
from rove_core.testing import SourceTests, Vendor

@pytest.fixture(scope="class", autouse=True)
def _alone(request):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROVE_LOAD_PLUGINS", request.cls.plugin)
        yield

class Facts(SourceTests):
    kind = "board"
    known, known_kind, unknown = "CARD-1", "card", "CARD-999"
    query = "login"
    work_container = "board"
    work_statuses = {"Open": "todo", "Doing": "in_progress", "Done": "done"}
    work_fields = {
        "type": "ticket",
        "type_name": "Card",
        "title": "Login with keys",
        "description": "Keys stay valid until June.",
        "status": ItemStatus(name="Open", category="todo"),
        "priority_name": "none",
        "estimate_unit": "points",
        "created": datetime(2026, 1, 5, 9, tzinfo=UTC),
        "updated": datetime(2026, 1, 5, 9, 1, tzinfo=UTC),
    }
    work_guard = True
    comment_edits = True

    @pytest.fixture
    def vendor(self):
        return nullcontext(Vendor(reader=Vendor(settings={"writes": False})))
"""


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Collection[str]]:
    """Give the tests of work items that fail for each mutant."""
    text = Path(reference_tracker.__file__).read_text("utf-8")
    aid = "from datetime import timezone\n"
    return verdicts_of(
        tmp_path_factory.mktemp("mutants"),
        [mutated(text, line, other) + aid for line, other in MUTANTS.values()],
        suites=SUITES,
        options=["-k", " or ".join(MUTANTS)],
    )


@pytest.mark.parametrize(("number", "test"), [*enumerate(MUTANTS)])
def test_mutant_fails_just_the_test_meant_for_it(
    verdicts: Mapping[str, Collection[str]], number: int, test: str
) -> None:
    """One line changed, one test failed, and at most one that compares times or relations."""
    failed = set(verdicts.get(f"Test{number}", ()))

    assert test in failed
    assert failed - {test} <= {
        "test_edited_comment_has_its_time",
        "test_parent_and_part_name_each_other_rightly",
        "test_planned_iteration_is_one_of_its_container",
        "test_work_and_item_agree",
        "test_comment_is_listed",
    }
