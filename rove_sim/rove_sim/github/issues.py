"""Issues in GitHub's REST API, pull requests included."""

from rove_core import JSON
from rove_sim import ids
from rove_sim.company_github import PullRequest, RepositoryComment, RepositoryIssue
from rove_sim.github.hub import (
    HubView,
    Item,
    changed,
    closed,
    item_id,
    page_of,
    part_id,
    perhaps,
    written,
)
from rove_sim.github.people import association, user


def issue(view: HubView, item: Item) -> dict[str, JSON]:
    """Return an issue, or a pull request seen as one."""
    url, id_ = view.issue(item), item_id(item)
    people: list[JSON] = [user(view, who) for who in item.assignees]
    return {
        "url": url,
        "repository_url": view.repository(item.repository),
        "labels_url": f"{url}/labels{{/name}}",
        "comments_url": f"{url}/comments",
        "events_url": f"{url}/events",
        "timeline_url": f"{url}/timeline",
        "html_url": page_of(item),
        "id": id_,
        "node_id": f"{'PR' if isinstance(item, PullRequest) else 'I'}_{id_}",
        "number": item.number,
        "title": item.title,
        "user": user(view, item.author),
        "labels": labels(view, item),
        "state": item.state,
        "state_reason": None,
        "locked": False,
        "active_lock_reason": None,
        "assignee": people[0] if people else None,
        "assignees": people,
        "milestone": None,
        "comments": len(item.comments),
        "created_at": written(item.created),
        "updated_at": written(changed(item)),
        "closed_at": perhaps(closed(item)),
        "closed_by": None,
        "author_association": association(view, item.author),
        "body": item.body or None,
        "performed_via_github_app": None,
        "reactions": reactions(url),
        **(_as_pull(view, item) if isinstance(item, PullRequest) else _as_issue(view, item)),
    }


def labels(view: HubView, item: Item) -> list[JSON]:
    """Return an item's labels."""
    return [_label(view, item.repository, name) for name in item.labels]


def comment(view: HubView, item: Item, remark: RepositoryComment) -> dict[str, JSON]:
    """Return a comment below an issue or a pull request."""
    id_ = part_id(item, remark.id, "comment", remark.at, remark.author)
    url = f"{view.repository(item.repository)}/issues/comments/{id_}"
    return {
        "url": url,
        "html_url": f"{page_of(item)}#issuecomment-{id_}",
        "issue_url": view.issue(item),
        "id": id_,
        "node_id": f"IC_{id_}",
        "user": user(view, remark.author),
        "created_at": written(remark.at),
        "updated_at": written(remark.updated or remark.at),
        "author_association": association(view, remark.author),
        "body": remark.text,
        "performed_via_github_app": None,
        "reactions": reactions(url),
    }


def reactions(url: str) -> JSON:
    """Return an empty list of reactions."""
    kinds = ("+1", "-1", "laugh", "confused", "heart", "hooray", "eyes", "rocket")
    return {"url": f"{url}/reactions", "total_count": 0, **dict.fromkeys(kinds, 0)}


def _as_pull(view: HubView, item: PullRequest) -> dict[str, JSON]:
    page = page_of(item)
    return {
        "draft": item.draft,
        "pull_request": {
            "url": view.pull(item),
            "html_url": page,
            "diff_url": f"{page}.diff",
            "patch_url": f"{page}.patch",
            "merged_at": perhaps(item.merged),
        },
    }


def _as_issue(view: HubView, item: RepositoryIssue) -> dict[str, JSON]:
    below = [view.hub.item(item.repository, number) for number in item.sub_issues]
    done = sum(1 for each in below if each and each.state == "closed")
    percent = 100 * done // len(below) if below else 0
    reason = item.reason or ("completed" if item.state == "closed" else None)
    above = view.hub.parent(item)
    return {
        **({"parent_issue_url": view.issue(above)} if above else {}),
        "state_reason": reason,
        "sub_issues_summary": {
            "total": len(below),
            "completed": done,
            "percent_completed": percent,
        },
    }


def _label(view: HubView, repository: str, name: str) -> JSON:
    id_ = ids.number(f"github/label/{repository}/{name}", below=2**31)
    return {
        "id": id_,
        "node_id": f"LA_{id_}",
        "url": f"{view.repository(repository)}/labels/{name}",
        "name": name,
        "color": "ededed",
        "default": False,
        "description": None,
    }
