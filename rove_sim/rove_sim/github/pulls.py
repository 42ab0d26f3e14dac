"""Pull requests in GitHub's REST API, with their parts."""

from hashlib import sha1

from rove_core import JSON
from rove_sim.company_github import (
    ChangedFile,
    PullRequest,
    PullRequestReview,
    RepositoryCommit,
    ReviewComment,
)
from rove_sim.company_people import Person
from rove_sim.github.hub import HTML, HubView, page_of, part_id, perhaps, written
from rove_sim.github.issues import issue, labels, reactions
from rove_sim.github.people import association, owner, user
from rove_sim.github.repositories import whole

_SHARED = (
    *("id", "node_id", "html_url", "number", "state", "locked", "title", "user", "body"),
    *("created_at", "updated_at", "closed_at", "assignee", "assignees", "milestone", "draft"),
    *("active_lock_reason", "author_association", "comments_url", "comments"),
)


def pull(view: HubView, item: PullRequest) -> JSON:
    """Return a pull request."""
    url, seen = view.pull(item), issue(view, item)
    return {
        **{name: seen[name] for name in _SHARED},
        "labels": labels(view, item),
        "url": url,
        "diff_url": f"{page_of(item)}.diff",
        "patch_url": f"{page_of(item)}.patch",
        "issue_url": view.issue(item),
        "commits_url": f"{url}/commits",
        "review_comments_url": f"{url}/comments",
        "review_comment_url": f"{view.repository(item.repository)}/pulls/comments{{/number}}",
        "statuses_url": f"{view.repository(item.repository)}/statuses/{_head(item)}",
        "merged": item.merged is not None,
        "merged_at": perhaps(item.merged),
        "merged_by": None,
        "merge_commit_sha": _digest(f"merge {item.number}") if item.merged else None,
        "requested_reviewers": [],
        "requested_teams": [],
        "head": _end(view, item, item.branch, _head(item)),
        "base": _end(view, item, item.base, _digest(item.base)),
        "_links": _links(view, item),
        "auto_merge": None,
        "mergeable": None if item.state == "closed" else True,
        "rebaseable": None,
        "mergeable_state": "unknown" if item.state == "closed" else "clean",
        "maintainer_can_modify": False,
        "review_comments": len(item.review_comments),
        "commits": len(item.commits),
        "additions": sum(file.additions for file in item.files),
        "deletions": sum(file.deletions for file in item.files),
        "changed_files": len(item.files),
    }


def review(view: HubView, item: PullRequest, entry: PullRequestReview) -> dict[str, JSON]:
    """Return a review."""
    id_ = part_id(item, entry.id, "review", entry.at, entry.author)
    page = f"{page_of(item)}#pullrequestreview-{id_}"
    return {
        "id": id_,
        "node_id": f"PRR_{id_}",
        "user": user(view, entry.author),
        "body": entry.text,
        "state": entry.verdict,
        "html_url": page,
        "pull_request_url": view.pull(item),
        "author_association": association(view, entry.author),
        "_links": {"html": {"href": page}, "pull_request": {"href": view.pull(item)}},
        "submitted_at": written(entry.at),
        "commit_id": _head(item),
    }


def review_comment(view: HubView, item: PullRequest, remark: ReviewComment) -> dict[str, JSON]:
    """Return a comment at a line."""
    id_ = review_comment_id(item, remark)
    url = f"{view.repository(item.repository)}/pulls/comments/{id_}"
    page = f"{page_of(item)}#discussion_r{id_}"
    answers: dict[str, JSON] = {"in_reply_to_id": int(remark.reply_to)} if remark.reply_to else {}
    return {
        "url": url,
        "pull_request_review_id": int(remark.review) if remark.review else None,
        "id": id_,
        "node_id": f"PRRC_{id_}",
        "diff_hunk": remark.hunk,
        "path": remark.path,
        "commit_id": _head(item),
        "original_commit_id": _head(item),
        "user": user(view, remark.author),
        "body": remark.text,
        "created_at": written(remark.at),
        "updated_at": written(remark.updated or remark.at),
        "html_url": page,
        "pull_request_url": view.pull(item),
        "author_association": association(view, remark.author),
        "_links": {
            "self": {"href": url},
            "html": {"href": page},
            "pull_request": {"href": view.pull(item)},
        },
        "reactions": reactions(url),
        "start_line": None,
        "original_start_line": None,
        "start_side": None,
        "line": None if remark.outdated else remark.line,
        "original_line": remark.line,
        "side": "RIGHT",
        "position": None if remark.outdated else 1,
        "original_position": 1,
        "subject_type": "line",
        **answers,
    }


def review_comment_id(item: PullRequest, comment: ReviewComment) -> int:
    """Return the id of a comment at a line."""
    return part_id(item, comment.id, "line", comment.path, comment.line, comment.at, comment.author)


def commit(view: HubView, repository: str, entry: RepositoryCommit) -> dict[str, JSON]:
    """Return a commit."""
    url = f"{view.repository(repository)}/commits/{entry.sha}"
    person = view.hub.company.person(entry.author)
    tree = _digest(f"tree {entry.sha}")
    return {
        "sha": entry.sha,
        "node_id": f"C_{entry.sha}",
        "url": url,
        "html_url": f"{HTML}/{repository}/commit/{entry.sha}",
        "comments_url": f"{url}/comments",
        "commit": {
            "author": signature(person, entry),
            "committer": signature(person, entry),
            "message": entry.message,
            "tree": {"sha": tree, "url": f"{view.repository(repository)}/git/trees/{tree}"},
            "url": f"{view.repository(repository)}/git/commits/{entry.sha}",
            "comment_count": 0,
        },
        "author": user(view, entry.author),
        "committer": user(view, entry.author),
        "parents": [],
    }


def signature(person: Person, commit: RepositoryCommit) -> JSON:
    """Return who made a commit and when, as Git has it."""
    return {"name": person.name, "email": person.email, "date": written(commit.at)}


def changed_file(view: HubView, item: PullRequest, file: ChangedFile) -> JSON:
    """Return a file that a pull request changes."""
    place = f"{HTML}/{item.repository}"
    contents = f"{view.repository(item.repository)}/contents/{file.path}?ref={_head(item)}"
    return {
        "sha": _digest(file.path),
        "filename": file.path,
        "status": file.status,
        "additions": file.additions,
        "deletions": file.deletions,
        "changes": file.additions + file.deletions,
        "blob_url": f"{place}/blob/{_head(item)}/{file.path}",
        "raw_url": f"{place}/raw/{_head(item)}/{file.path}",
        "contents_url": contents,
        **({"patch": file.patch} if file.patch else {}),
    }


def _end(view: HubView, item: PullRequest, branch: str, sha: str) -> JSON:
    login = item.repository.partition("/")[0]
    repository = view.hub.repository(item.repository)
    return {
        "label": f"{login}:{branch}",
        "ref": branch,
        "sha": sha,
        "user": owner(view, login),
        "repo": whole(view, repository) if repository else None,
    }


def _links(view: HubView, item: PullRequest) -> JSON:
    url, there = view.pull(item), view.repository(item.repository)
    places = {
        "self": url,
        "html": page_of(item),
        "issue": view.issue(item),
        "comments": f"{view.issue(item)}/comments",
        "review_comments": f"{url}/comments",
        "review_comment": f"{there}/pulls/comments{{/number}}",
        "commits": f"{url}/commits",
        "statuses": f"{there}/statuses/{_head(item)}",
    }
    return {name: {"href": place} for name, place in places.items()}


def _head(item: PullRequest) -> str:
    return item.commits[-1].sha if item.commits else _digest(f"{item.repository} {item.branch}")


def _digest(text: str) -> str:
    return sha1(text.encode(), usedforsecurity=False).hexdigest()
