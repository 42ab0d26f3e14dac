"""Linear in a box shows what is below an issue and what relates to it, as it is now."""

from datetime import UTC, datetime

from rove_sim.company_linear import LinearIssue, LinearRelation
from rove_sim.linear.issue_index import IssueIndex

DAY = datetime(2024, 12, 1, 9, tzinfo=UTC)


def _issue(name: str, *, parent: str = "", blocks: str = "") -> LinearIssue:
    relations = (LinearRelation(kind="blocks", issue=blocks),) if blocks else ()
    return LinearIssue(
        identifier=name, title=name, author="ann", created=DAY, parent=parent, relations=relations
    )


def _names(issues: IssueIndex) -> tuple[list[str], list[str]]:
    """Return what is below TB-1, and what relates to it."""
    relating = issues.relating(["TB-1", "OLD-1"])
    return [each.identifier for each in issues.below("TB-1")], [
        each.identifier for each in relating
    ]


def test_an_issue_is_found_by_its_parent_and_its_relations() -> None:
    """By any name of the other issue, in any case, and once."""
    issues = IssueIndex(
        [
            _issue("TB-1"),
            _issue("TB-2", parent="TB-1"),
            _issue("TB-3", blocks="old-1"),
            _issue("TB-4", parent="TB-2", blocks="TB-2"),
        ]
    )
    assert _names(issues) == (["TB-2"], ["TB-3"])


def test_a_changed_issue_is_found_by_its_new_parent_and_relations_alone() -> None:
    """An issue that moves below another one leaves no trace at the former one."""
    issues = IssueIndex([_issue("TB-1"), _issue("TB-2", parent="TB-1", blocks="TB-1")])
    issues["TB-2"] = _issue("TB-2", parent="TB-9", blocks="TB-1")
    assert _names(issues) == ([], ["TB-2"])

    issues["TB-2"] = _issue("TB-2", parent="TB-1")
    assert _names(issues) == (["TB-2"], [])


def test_a_removed_issue_is_not_found_any_more() -> None:
    """Neither below its parent nor by its relations."""
    issues = IssueIndex([_issue("TB-1"), _issue("TB-2", parent="TB-1", blocks="TB-1")])
    del issues["TB-2"]
    assert _names(issues) == ([], [])
