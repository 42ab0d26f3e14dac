"""Standard tests fail for a shipped source with one line wrong: a mistake that authors make."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import pytest
from benchmarks import (
    mutants_authors,
    mutants_drawn,
    mutants_github,
    mutants_trackers,
    mutants_vendors,
)
from benchmarks.mutants import Fault
from benchmarks.mutants_authors import AZURE, LINEAR
from benchmarks.mutants_github import failure_in

_ROOT = Path(__file__).parents[2]

#: For each standard test the source, and the kind of fault.
SHOWN: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "test_account_reads_every_page": ("linear", "first page of teams alone"),
        "test_private_containers_are_called_so": ("linear", "private container as public"),
        "test_settings_narrow_what_is_read": ("azure", "set projects ignored"),
        "test_addresses_of_others_are_left_alone": ("linear", "pages of other workspaces"),
        "test_words_of_a_field_stand_anywhere_in_it": ("linear", "words only side by side"),
        "test_ids_are_found_in_any_case": ("linear", "id in another case not found"),
        "test_any_sign_can_be_searched_for": ("azure", "quote in words not escaped"),
        "test_discussion_reads_pages_of_any_size": ("azure", "comments of the first page alone"),
        "test_listing_reads_pages_of_any_size": ("azure", "comments of the first page alone"),
        "test_containers_come_in_pages_of_any_size": ("azure", "projects of the first page alone"),
        "test_limit_is_waited_for": ("linear", "limit as a broken reply"),
        "test_recent_changes_bring_nothing_that_is_gone": (
            "linear",
            "deleted item among recent changes",
        ),
        "test_planned_iteration_is_one_of_its_container": ("azure", "backlog as an iteration"),
        "test_iteration_is_not_over_before_its_end": ("azure", "last day of a sprint is over"),
        "test_failed_precondition_is_a_conflict": ("azure", "412 as a wrong call"),
        "test_described_items_read_pages_of_any_size": ("linear", "cut list of a page not noted"),
        "test_list_without_end_is_noted": ("linear", "cut of a later page not noted"),
        "test_each_described_kind_is_found": ("linear", "further kinds of hits dropped"),
        "test_branches_of_tickets_are_recognised": ("linear", "branch names in one case"),
        "test_refused_changes_have_their_errors": (
            "linear",
            "wrong value of a change as something lost",
        ),
        "test_nobody_is_not_taken_for_somebody": ("azure", "nobody as somebody"),
        "test_value_that_is_not_there_is_a_wrong_call": ("azure", "a lost parent is a lost item"),
    }
)
_FAULTS = {
    "linear": (
        *LINEAR,
        Fault(
            "limit as a broken reply",
            "errors.py",
            '"RATELIMITED": (RateLimited,',
            '"RATELIMITED": (MalformedReply,',
        ),
    ),
    "azure": (
        *AZURE,
        Fault(
            "412 as a wrong call",
            "errors.py",
            '            return Conflict(f"{reply.where}: changed since it was read")',
            '            return WrongCall(f"{reply.where}: changed since it was read")',
        ),
        Fault(
            "a lost parent is a lost item",
            "work.py",
            "            if not change.parent:",
            "            if True:",
        ),
    ),
}


@pytest.mark.parametrize(
    ("test", "source", "kind"), [(name, *each) for name, each in SHOWN.items()]
)
def test_a_fault_of_an_author_is_caught(tmp_path: Path, test: str, source: str, kind: str) -> None:
    """The source with the fault fails the test that is about it."""
    package = tmp_path / f"rove_{source}"
    shutil.copytree(_ROOT / package.name / package.name, package)
    (fault,) = (each for each in _FAULTS[source] if each.kind == kind)
    file = package / fault.file
    text = file.read_text("utf-8")
    assert fault.right in text
    file.write_text(text.replace(fault.right, fault.wrong, 1), "utf-8")

    assert failure_in(source, str(tmp_path), test) == test


@pytest.mark.parametrize(
    ("source", "faults"),
    [
        ("linear", mutants_authors.LINEAR),
        ("azure", mutants_authors.AZURE),
        ("github", mutants_github.FAULTS),
        *mutants_trackers.FAULTS.items(),
        *mutants_vendors.FAULTS.items(),
        *mutants_drawn.FAULTS.items(),
    ],
)
def test_each_fault_has_its_place(source: str, faults: Sequence[Fault]) -> None:
    """A source that is changed takes the faults of the benchmarks with it."""
    package = _ROOT / f"rove_{source}" / f"rove_{source}"

    lost = [each.kind for each in faults if each.right not in (package / each.file).read_text()]

    assert lost == []
