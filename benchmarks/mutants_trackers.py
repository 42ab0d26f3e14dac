"""One-line faults of Linear's and Asana's sources: ``python -m benchmarks mutants_trackers``.

As for GitHub's, the kinds of mistake were listed first, and then placed in the code: what an
author forgets in the second page, in the other direction, in the repeated try or in the edited
thing.
"""

import sys
from collections.abc import Mapping, Sequence
from typing import Final

from benchmarks.mutants import Fault
from benchmarks.mutants_github import play_chosen

_ITEMS: Final = "items.py"
_FACTS: Final = "facts.py"
_LIST: Final = "listing.py"
_WORK: Final = "work.py"
_FIELDS: Final = "work_items.py"

_LINEAR: Final = (
    # What is read
    Fault(
        "comments of the first page alone",
        _ITEMS,
        "comments = [each for page in pages for each in present(page.comments.nodes)]",
        "comments = [each for page in pages[:1] for each in present(page.comments.nodes)]",
    ),
    Fault(
        "labels of the first page alone",
        _FACTS,
        "for page in pages for each in present(page.labels.nodes)",
        "for page in pages[:1] for each in present(page.labels.nodes)",
    ),
    Fault(
        "a reply answers nobody",
        _ITEMS,
        'links=(Link(ref=to, relation="replies_to"),) if to else ()',
        "links=()",
    ),
    Fault(
        "an edited comment keeps its first time",
        _ITEMS,
        "comment.updatedAt or comment.createdAt or unknown",
        "comment.createdAt or unknown",
    ),
    Fault("blocks turned around", _FACTS, '"blocks": "blocks",', '"blocks": "blocked_by",'),
    Fault("canceled counts as done", _FACTS, '"canceled": "canceled",', '"canceled": "done",'),
    # What is found and listed
    Fault(
        "one of several words is enough",
        "search.py",
        "for word in query.text.split()\n",
        "for word in query.text.split()[:1]\n",
    ),
    Fault(
        "a comment changes no listing",
        _LIST,
        'ways += [{"archivedAt": since}, {"comments": {"some": {"updatedAt": since}}}]',
        'ways += [{"archivedAt": since}]',
    ),
    Fault(
        "deleted and listed",
        _LIST,
        "if issue.trashed or not place.is_new(issue):",
        "if not place.is_new(issue):",
    ),
    # What is changed
    Fault(
        "a revision for a whole minute",
        _FIELDS,
        "revision=at.isoformat()",
        'revision=at.isoformat(timespec="minutes")',
    ),
    Fault(
        "the vendor's own order of priorities",
        _FIELDS,
        "return _LOWEST + 1 - int(priority) if priority else 0",
        "return int(priority)",
    ),
    Fault(
        "created by title",
        _WORK,
        'id_of("issue", found.organization.id, new.key)',
        'id_of("issue", found.organization.id, new.title)',
    ),
    Fault(
        "a comment is never changed",
        _WORK,
        "if existing.body != comment.content:",
        "if False:",
    ),
    Fault("created without its parent", _WORK, "if new.parent:", "if False:"),
    Fault("begins when it ends", _WORK, "starts=cycle.startsAt", "starts=cycle.endsAt"),
)

_ASANA: Final = (
    # What is read
    Fault("history as if somebody said it", _ITEMS, "history=not is_comment", "history=False"),
    Fault(
        "the assignee said it",
        _ITEMS,
        "author=name(story.created_by)",
        "author=name(whole.task.assignee)",
    ),
    Fault(
        "no subtasks",
        _FACTS,
        'yield from (("child", "has the subtask", each) for each in whole.subtasks)',
        "yield from ()",
    ),
    Fault(
        "no files",
        _FACTS,
        'each.name for each in whole.attachments if each.resource_subtype != "external"',
        "each.name for each in whole.attachments[:0]",
    ),
    Fault(
        "completed is under way",
        "statuses.py",
        'ItemStatus(name="Completed", category="done")',
        'ItemStatus(name="Completed", category="in_progress")',
    ),
    Fault(
        "a lost login is a lost right", "errors.py", "401: (LoginRefused,", "401: (ScopeMissing,"
    ),
    # What is found and listed
    Fault(
        "any word in any field",
        "search.py",
        "return all(any(_places(",
        "return any(any(_places(",
    ),
    Fault(
        "the window is ignored",
        "search.py",
        "if task.gid in seen or not query.covers(item.timestamp):",
        "if task.gid in seen:",
    ),
    Fault(
        "gone is not told",
        _LIST,
        "                yield ListingStep(self._deletion_of(gid), place.mark(done=False))",
        "                pass",
    ),
    # What is changed
    Fault("a guard for nothing", _FIELDS, "revision=_revision(task)", "revision=task.gid"),
    Fault(
        "labels are only added",
        _WORK,
        '("removeTag", own - {*tags.values()})',
        '("removeTag", own - own)',
    ),
    Fault(
        "an edit loses the key",
        _FIELDS,
        "return with_mark(html, mark) if mark else html",
        "return html",
    ),
    Fault(
        "reopened and still completed",
        _WORK,
        'section_status(each.name)), {"completed": False}, each.gid',
        "section_status(each.name)), {}, each.gid",
    ),
    Fault(
        "commented again by each try",
        _WORK,
        "find_hidden_mark(story.html_text) == mark",
        "find_hidden_mark(story.html_text) is None",
    ),
    Fault(
        "own fields of the vendor not sent",
        _FIELDS,
        '({"custom_fields": fields} if fields else {})',
        "{}",
    ),
)

FAULTS: Final[Mapping[str, Sequence[Fault]]] = {"linear": _LINEAR, "asana": _ASANA}


def main(arguments: Sequence[str]) -> None:
    """Play each fault, and print what was caught and what was not."""
    play_chosen(arguments, FAULTS)


if __name__ == "__main__":
    main(sys.argv[1:])
