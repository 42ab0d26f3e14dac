"""One-line faults that nobody improved the suite by: ``python -m benchmarks mutants_drawn``.

Ten kinds of mistake were listed, and each was placed once in the code of two sources, before
anybody looked at which test might catch it. The list was kept before it was played for the first
time, so that the rate at first sight is a figure of its own.
"""

import sys
from collections.abc import Mapping, Sequence
from typing import Final

from benchmarks.mutants import Fault
from benchmarks.mutants_github import play_chosen

_JIRA: Final = (
    Fault(
        "a fallback forgotten: nobody reported what nobody created",
        "items.py",
        'author=creator or text(fields, "reporter", "displayName"),',
        "author=creator,",
    ),
    Fault(
        "another time: a page is as old as its first version",
        "confluence.py",
        'timestamp=moment(page, "version", "createdAt") or created or UNKNOWN_TIME,',
        "timestamp=created or UNKNOWN_TIME,",
    ),
    Fault(
        "another person: a page is by whoever began it",
        "confluence.py",
        'text(page, "version", "authorId") or text(page, "authorId")',
        'text(page, "authorId") or text(page, "version", "authorId")',
    ),
    Fault(
        "another relation: a link means the same from both ends",
        "related_tickets.py",
        "yield from _one(back, text(kind,",
        "yield from _one(out, text(kind,",
    ),
    Fault(
        "text dropped: the environment",
        "contents.py",
        '    yield "Environment", value_at(issue, "fields", "environment")\n',
        "",
    ),
    Fault(
        "part of a list: the sprints of the last board",
        "sprints.py",
        'found |= {text(each, "id"): each for each in listed.things}',
        'found = {text(each, "id"): each for each in listed.things}',
    ),
    Fault(
        "read too narrowly: one form of a page's address",
        "confluence.py",
        r"(?:spaces/[^/\s]+/pages/|pages/viewpage\.action\?pageId=)",
        r"(?:spaces/[^/\s]+/pages/)",
    ),
    Fault(
        "another error: a missing scope is a lost login",
        "errors.py",
        'case 401 if "scope" not in message:',
        "case 401:",
    ),
    Fault(
        "a filter lost: fields of programs are facts",
        "custom.py",
        "if not _type_of(issue, name).endswith(_OF_PROGRAMS):",
        "if True:",
    ),
    Fault(
        "another value of work: a sprint that is over counts as planned",
        "work_items.py",
        'planned = [each for each in found if text(each, "state") != "closed"]',
        "planned = found",
    ),
)

_GITHUB: Final = (
    Fault(
        "a fallback forgotten: a commit without an account is by nobody",
        "items.py",
        "author=_login(commit.author) or made.author.name or made.committer.name,",
        "author=_login(commit.author),",
    ),
    Fault(
        "another time: a review is as old as its pull request",
        "items.py",
        "at = first_moment(review.submitted_at) or below.timestamp",
        "at = below.timestamp",
    ),
    Fault(
        "another person: the first assignee alone",
        "items.py",
        "people = issue.assignees or (issue.assignee,)",
        "people = (issue.assignee,)",
    ),
    Fault(
        "another relation: what is closed is related",
        "detail.py",
        'Link(ref=ref, relation="implements")',
        'Link(ref=ref, relation="relates")',
    ),
    Fault(
        "text dropped: the verdict of a review without words",
        "items.py",
        'content=review.body or _VERDICTS.get(review.state, ""),',
        "content=review.body,",
    ),
    Fault(
        "part of a list: the first comments of a discussion",
        "discussions.py",
        "while info.hasNextPage and info.endCursor:",
        "while False:",
    ),
    Fault(
        "read too narrowly: one way to write a number",
        "references.py",
        "(PRs?|pull requests?|issues?|discussions?) ?#|GH-)",
        "(PRs?|pull requests?|issues?|discussions?) ?#)",
    ),
    Fault(
        "another error: what is deleted is out of order",
        "errors.py",
        "case 404 | 410 | 451:",
        "case 404 | 451:",
    ),
    Fault(
        "a filter lost: branches of longer ids",
        "search.py",
        "if not search.branch or search.branch.upper() in ticket_ids(each.headRefName.upper())",
        "if True",
    ),
    Fault(
        "another change: a second parent beside the first",
        "parents.py",
        '{**body, "replace_parent": True}',
        "{**body}",
    ),
)

FAULTS: Final[Mapping[str, Sequence[Fault]]] = {"jira": _JIRA, "github": _GITHUB}


if __name__ == "__main__":
    play_chosen(sys.argv[1:], FAULTS)
