"""Repositories in GitHub's REST API."""

from typing import Final

from rove_core import JSON
from rove_sim.company_github import CompanyRepository
from rove_sim.github.hub import HTML, HubView, repository_id
from rove_sim.github.people import owner

#: What a repository's record links to, below the repository itself.
_FOLDERS: Final = {
    "archive_url": "/{archive_format}{/ref}",
    "assignees_url": "/assignees{/user}",
    "blobs_url": "/git/blobs{/sha}",
    "branches_url": "/branches{/branch}",
    "collaborators_url": "/collaborators{/collaborator}",
    "comments_url": "/comments{/number}",
    "commits_url": "/commits{/sha}",
    "compare_url": "/compare/{base}...{head}",
    "contents_url": "/contents/{+path}",
    "contributors_url": "/contributors",
    "deployments_url": "/deployments",
    "downloads_url": "/downloads",
    "events_url": "/events",
    "forks_url": "/forks",
    "git_commits_url": "/git/commits{/sha}",
    "git_refs_url": "/git/refs{/sha}",
    "git_tags_url": "/git/tags{/sha}",
    "hooks_url": "/hooks",
    "issue_comment_url": "/issues/comments{/number}",
    "issue_events_url": "/issues/events{/number}",
    "issues_url": "/issues{/number}",
    "keys_url": "/keys{/key_id}",
    "labels_url": "/labels{/name}",
    "languages_url": "/languages",
    "merges_url": "/merges",
    "milestones_url": "/milestones{/number}",
    "notifications_url": "/notifications{?since,all,participating}",
    "pulls_url": "/pulls{/number}",
    "releases_url": "/releases{/id}",
    "stargazers_url": "/stargazers",
    "statuses_url": "/statuses/{sha}",
    "subscribers_url": "/subscribers",
    "subscription_url": "/subscription",
    "tags_url": "/tags",
    "teams_url": "/teams",
    "trees_url": "/git/trees{/sha}",
}
_COUNTS: Final = ("forks", "forks_count", "stargazers_count", "watchers", "watchers_count", "size")
_TIMES: Final = ("created_at", "updated_at", "pushed_at")


def minimal(view: HubView, repository: CompanyRepository) -> dict[str, JSON]:
    """Return what other records hold of a repository."""
    name = repository.name
    url, id_ = view.repository(name), repository_id(repository)
    return {
        "id": id_,
        "node_id": f"R_{id_}",
        "name": name.rpartition("/")[2],
        "full_name": name,
        "owner": owner(view, name.partition("/")[0]),
        "private": repository.private,
        "html_url": f"{HTML}/{name}",
        "description": repository.description or None,
        "fork": False,
        "url": url,
        **{key: url + rest for key, rest in _FOLDERS.items()},
    }


def whole(view: HubView, repository: CompanyRepository) -> dict[str, JSON]:
    """Return a repository with all its fields."""
    name = repository.name
    unresolved = [
        item for item in view.hub.items() if item.repository == name and item.state == "open"
    ]
    return {
        **minimal(view, repository),
        "clone_url": f"{HTML}/{name}.git",
        "git_url": f"git://github.com/{name}.git",
        "ssh_url": f"git@github.com:{name}.git",
        "svn_url": f"{HTML}/{name}",
        "mirror_url": None,
        "homepage": None,
        "language": None,
        "license": None,
        "default_branch": "main",
        **dict.fromkeys(_COUNTS, 0),
        "open_issues": len(unresolved),
        "open_issues_count": len(unresolved),
        "network_count": 0,
        "subscribers_count": 0,
        **dict.fromkeys(("has_issues", "has_downloads"), True),
        **dict.fromkeys(("has_projects", "has_wiki", "has_pages", "has_discussions"), False),
        "archived": False,
        "disabled": False,
        "visibility": "private" if repository.private else "public",
        **dict.fromkeys(_TIMES, "2024-01-01T00:00:00Z"),
    }
