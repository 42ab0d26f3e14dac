"""Queries that Linear answers."""

from functools import partial

from rove_sim.graphql import Answer, Arguments, Node
from rove_sim.linear.directory import label, organization, team, user
from rove_sim.linear.faults import not_found
from rove_sim.linear.issues import attachment_nodes, comment_nodes, issue_node
from rove_sim.linear.wiki import wiki_root
from rove_sim.linear.workspace import Workspace, words


def root(workspace: Workspace) -> Node:
    """Return where all questions begin."""
    return {
        **wiki_root(workspace, partial(issue_node, workspace)),
        "viewer": lambda _: user(workspace, workspace.company.owner),
        "organization": lambda _: organization(workspace),
        "teams": workspace.several(lambda: [team(workspace, key) for key in workspace.teams()]),
        "issue": partial(_issue, workspace),
        "issues": workspace.several(partial(_issues, workspace)),
        "searchIssues": partial(_search, workspace),
        "issueLabels": workspace.several(
            lambda: [label(workspace, name) for name in workspace.labels()]
        ),
        "attachment": partial(_attachment, workspace),
        "attachmentsForURL": partial(_attached, workspace),
        "issueVcsBranchSearch": partial(_on_branch, workspace),
        "comment": partial(_comment, workspace),
        "comments": workspace.several(partial(_comments, workspace)),
    }


def _issue(workspace: Workspace, arguments: Arguments) -> Answer:
    issue = workspace.find(str(arguments["id"]))
    if issue is None:
        raise not_found("Issue")
    return issue_node(workspace, issue)


def _issues(workspace: Workspace) -> list[Node]:
    return [issue_node(workspace, issue) for issue in workspace.visible()]


def _search(workspace: Workspace, arguments: Arguments) -> Answer:
    """Answer with the issues that have all words, those first that have them in the title."""
    terms = words(str(arguments["term"]))
    comments = arguments.get("includeComments") is True
    found = [
        issue for issue in workspace.visible() if terms <= workspace.words(issue, comments=comments)
    ]
    found.sort(key=lambda issue: -len(terms & words(f"{issue.identifier} {issue.title}")))
    nodes = [issue_node(workspace, issue) for issue in found]
    if boosted := arguments.get("teamId"):
        nodes.sort(key=lambda node: _team_id(node) != boosted)
    return workspace.several(lambda: nodes, ordered=True)(arguments)


def _team_id(node: Node) -> object:
    of = node["team"]
    return of["id"] if isinstance(of, dict) else None


def _attached(workspace: Workspace, arguments: Arguments) -> Answer:
    nodes = [
        node
        for issue in workspace.visible()
        for node in attachment_nodes(workspace, issue)
        if node["url"] == arguments["url"]
    ]
    return workspace.several(lambda: nodes)(arguments)


def _attachment(workspace: Workspace, arguments: Arguments) -> Answer:
    for issue in workspace.visible():
        for node in attachment_nodes(workspace, issue):
            if node["id"] == arguments["id"]:
                return node
    raise not_found("Attachment")


def _on_branch(workspace: Workspace, arguments: Arguments) -> Answer:
    issue = workspace.on_branch(str(arguments["branchName"]))
    return issue_node(workspace, issue) if issue else None


def _comments(workspace: Workspace) -> list[Node]:
    return [node for issue in workspace.visible() for node in comment_nodes(workspace, issue)]


def _comment(workspace: Workspace, arguments: Arguments) -> Answer:
    """Return a comment by its id, or by the beginning of it in its URL."""
    id_, beginning = arguments.get("id"), arguments.get("hash")
    for node in _comments(workspace):
        if node["id"] == id_ or (beginning and str(node["id"])[:8] == beginning):
            return node
    raise not_found("Comment")
