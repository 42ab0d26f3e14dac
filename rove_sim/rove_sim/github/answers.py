"""GitHub's answers about a repository, its issues and pull requests."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar
from urllib.parse import urlencode

from rove_core import JSON
from rove_sim.company_github import CompanyRepository, PullRequest, RepositoryIssue
from rove_sim.github import refusals
from rove_sim.github.hub import (
    HubView,
    Item,
    changed,
    commits_of,
    every_commit,
    item_id,
    repository_id,
)
from rove_sim.github.issues import comment, issue
from rove_sim.github.pages import PagedList
from rove_sim.github.people import login_of
from rove_sim.github.pulls import changed_file, commit, pull, review, review_comment
from rove_sim.github.repositories import whole
from rove_sim.github.timeline import TimelineEntry, timeline
from rove_sim.parameters import MalformedError, Parameters, integer, one_of, taking, text, words
from rove_sim.routes import RefusedError, RoutedRequest, VendorRoute
from rove_sim.server import Response

if TYPE_CHECKING:
    from rove_sim.github.vendor import GitHub

_Thing = TypeVar("_Thing")
_Answer: TypeAlias = Callable[[HubView, CompanyRepository, RoutedRequest], Response]

PAGES: Final = {"page": integer, "per_page": integer}
_MOST_COMMITS: Final = 250
_MOST_FILES: Final = 3_000


def moment(value: JSON) -> str:
    """Read a time; without a zone it is UTC."""
    try:
        when = datetime.fromisoformat(text(value))
    except ValueError:
        raise MalformedError("expected a time like 2024-12-15T12:00:00Z") from None
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).isoformat()


class RepositoryAnswers:
    """Answers below ``/repos/{owner}/{repo}``, and below ``/repositories/{id}`` just so."""

    def __init__(self, vendor: "GitHub") -> None:
        self._vendor = vendor

    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be asked."""
        asks: Sequence[tuple[str, _Answer, Parameters]] = (
            ("", self._whole, taking()),
            ("/issues", self._issues, _LIST),
            ("/issues/{number}", self._issue, taking()),
            ("/issues/{number}/comments", self._comments, taking(since=moment, **PAGES)),
            ("/issues/{number}/timeline", self._timeline, taking(exclude=words, **PAGES)),
            ("/issues/{number}/sub_issues", self._sub_issues, taking(**PAGES)),
            ("/pulls/{number}", self._pull, taking()),
            ("/pulls/{number}/reviews", self._reviews, taking(**PAGES)),
            ("/pulls/{number}/comments", self._review_comments, _LINES),
            ("/pulls/{number}/commits", self._commits, taking(**PAGES)),
            ("/pulls/{number}/files", self._files, taking(**PAGES)),
            ("/commits", self._history, _HISTORY),
            ("/commits/{ref}", self._made, taking(**PAGES)),
        )
        return [
            VendorRoute(
                method="GET", path=place + path, answer=partial(self._in, answer), query=query
            )
            for place in ("/repos/{owner}/{repo}", "/repositories/{id}")
            for path, answer, query in asks
        ]

    def _in(self, answer: _Answer, call: RoutedRequest) -> Response:
        """Answer for the repository that the path names, if the token may read it."""
        view = HubView(self._vendor.hub, call.request.origin)
        name = f"{call.path.get('owner')}/{call.path.get('repo')}"
        by_id = call.path.get("id")
        hub = self._vendor.hub
        found = hub.repository_by_id(by_id) if by_id else hub.repository(name)
        if found is None or found.access in {"hidden", "lapsed"}:
            return refusals.not_found()
        if found.access == "sso":
            return refusals.sign_on(found.name.partition("/")[0])
        if found.access == "forbidden":
            return refusals.forbidden()
        if not by_id and found.name.lower() != name.lower():
            query = f"?{urlencode(call.request.query)}" if call.request.query else ""
            return refusals.moved(_place(view, found, call) + query)
        return answer(view, found, call)

    def _whole(self, view: HubView, repository: CompanyRepository, _: RoutedRequest) -> Response:
        return Response(whole(view, repository))

    def _issues(
        self, view: HubView, repository: CompanyRepository, call: RoutedRequest
    ) -> Response:
        found = [item for item in view.hub.items() if _listed(view, item, repository, call)]
        key = {"updated": changed, "comments": lambda item: len(item.comments)}.get(
            call.text("sort"), lambda item: item.created
        )
        found.sort(key=key, reverse=call.text("direction", "desc") == "desc")
        shelf = PagedList(
            found,
            partial(issue, view),
            _place(view, repository, call),
            key=lambda item: str(item_id(item)),
        )
        return self._page(call, shelf)

    def _issue(self, view: HubView, repository: CompanyRepository, call: RoutedRequest) -> Response:
        return Response(issue(view, _item(view, repository, call)))

    def _comments(
        self, view: HubView, repository: CompanyRepository, call: RoutedRequest
    ) -> Response:
        item = _item(view, repository, call)
        since = call.text("since")
        found = [
            remark
            for remark in sorted(item.comments, key=lambda said: said.at)
            if _not_before(remark.updated or remark.at, since)
        ]
        return self._shelf(view, repository, call, found, partial(comment, view, item))

    def _timeline(
        self, view: HubView, repository: CompanyRepository, call: RoutedRequest
    ) -> Response:
        item = _item(view, repository, call)
        found = timeline(view, item, call.words("exclude"))
        return self._shelf(view, repository, call, found, TimelineEntry.event)

    def _sub_issues(
        self, view: HubView, repository: CompanyRepository, call: RoutedRequest
    ) -> Response:
        item = _item(view, repository, call)
        numbers = item.sub_issues if isinstance(item, RepositoryIssue) else ()
        found = [view.hub.item(repository.name, number) for number in numbers]
        below = [each for each in found if each]
        return self._shelf(view, repository, call, below, partial(issue, view))

    def _pull(self, view: HubView, repository: CompanyRepository, call: RoutedRequest) -> Response:
        return Response(pull(view, _pull_request(view, repository, call)))

    def _reviews(
        self, view: HubView, repository: CompanyRepository, call: RoutedRequest
    ) -> Response:
        item = _pull_request(view, repository, call)
        found = sorted(item.reviews, key=lambda given: given.at)
        return self._shelf(view, repository, call, found, partial(review, view, item))

    def _review_comments(
        self, view: HubView, repository: CompanyRepository, call: RoutedRequest
    ) -> Response:
        item = _pull_request(view, repository, call)
        since = call.text("since")
        found = [
            remark
            for remark in item.review_comments
            if _not_before(remark.updated or remark.at, since)
        ]
        updated = call.text("sort") == "updated"
        found.sort(
            key=lambda said: (said.updated or said.at) if updated else said.at,
            reverse=call.text("sort") != "" and call.text("direction", "asc") == "desc",
        )
        return self._shelf(view, repository, call, found, partial(review_comment, view, item))

    def _commits(
        self, view: HubView, repository: CompanyRepository, call: RoutedRequest
    ) -> Response:
        item = _pull_request(view, repository, call)
        found = item.commits[:_MOST_COMMITS]
        return self._shelf(view, repository, call, found, partial(commit, view, item.repository))

    def _files(self, view: HubView, repository: CompanyRepository, call: RoutedRequest) -> Response:
        item = _pull_request(view, repository, call)
        found = item.files[:_MOST_FILES]
        return self._shelf(view, repository, call, found, partial(changed_file, view, item))

    def _made(self, view: HubView, repository: CompanyRepository, call: RoutedRequest) -> Response:
        """Answer with a commit, on whatever branch it is."""
        ref = call.path["ref"]
        found = [each for each in every_commit(view.hub, repository) if each.sha.startswith(ref)]
        if not found:
            return refusals.refusal(422, f"No commit found for SHA: {ref}")
        return Response(commit(view, repository.name, found[0]))

    def _history(
        self, view: HubView, repository: CompanyRepository, call: RoutedRequest
    ) -> Response:
        """Answer with the default branch's commits, or those up to one, newest first.

        Like GitHub, refuse the request for a repository without commits.
        """
        if "contents" in self._vendor.forbidden:
            return refusals.forbidden()
        found = sorted(commits_of(view.hub, repository), key=lambda each: each.at, reverse=True)
        if not found:
            return refusals.refusal(409, "Git Repository is empty.")
        if first := call.text("sha"):
            shas = [each.sha for each in found]
            if first not in shas:
                return refusals.not_found()
            found = found[shas.index(first) :]
        since, until = call.text("since"), call.text("until")
        found = [
            each
            for each in found
            if _not_before(each.at, since)
            and (not until or each.at <= datetime.fromisoformat(until))
        ]
        return self._shelf(view, repository, call, found, partial(commit, view, repository.name))

    def _shelf(  # what is asked, where, and of what
        self,
        view: HubView,
        repository: CompanyRepository,
        call: RoutedRequest,
        found: Sequence[_Thing],
        write: Callable[[_Thing], JSON],
    ) -> Response:
        return self._page(call, PagedList(found, write, _place(view, repository, call)))

    def _page(self, call: RoutedRequest, shelf: PagedList[_Thing]) -> Response:
        found, link = shelf.page(call, self._vendor.page)
        return Response(found, headers={"link": link} if link else {})


_LIST: Final = taking(
    state=one_of("open", "closed", "all"),
    sort=one_of("created", "updated", "comments"),
    direction=one_of("asc", "desc"),
    since=moment,
    labels=words,
    creator=text,
    assignee=text,
    after=text,
    **PAGES,
)
_HISTORY: Final = taking(sha=text, since=moment, until=moment, **PAGES)
_LINES: Final = taking(
    sort=one_of("created", "updated"), direction=one_of("asc", "desc"), since=moment, **PAGES
)


def _place(view: HubView, repository: CompanyRepository, call: RoutedRequest) -> str:
    """Return where a repository's path is by its number, which no renaming changes."""
    skipped = 3 if "id" in call.path else 4
    rest = call.request.path.split("/")[skipped:]
    return "/".join([f"{view.api}/repositories/{repository_id(repository)}", *rest])


def _item(view: HubView, repository: CompanyRepository, call: RoutedRequest) -> Item:
    number = call.path["number"]
    item = view.hub.item(repository.name, int(number)) if number.isdecimal() else None
    if item is None:
        raise RefusedError(refusals.not_found())
    if isinstance(item, RepositoryIssue) and item.deleted:
        raise RefusedError(refusals.refusal(410, "This issue was deleted"))
    if isinstance(item, RepositoryIssue) and item.moved:
        name, _, new = item.moved.rpartition("#")
        rest = call.request.path.partition(f"/issues/{number}")[2]
        raise RefusedError(refusals.moved(f"{view.repository(name)}/issues/{new}{rest}"))
    return item


def _pull_request(view: HubView, repository: CompanyRepository, call: RoutedRequest) -> PullRequest:
    item = _item(view, repository, call)
    if not isinstance(item, PullRequest):
        raise RefusedError(refusals.not_found())
    return item


def _not_before(when: datetime, since: str) -> bool:
    return not since or when >= datetime.fromisoformat(since)


def _listed(view: HubView, item: Item, repository: CompanyRepository, call: RoutedRequest) -> bool:
    """Return whether an item belongs to the requested list."""
    state = call.text("state", "open")
    return (
        item.repository == repository.name
        and state in {"all", item.state}
        and set(call.words("labels")) <= set(item.labels)
        and _not_before(changed(item), call.text("since"))
        and _by(view, [item.author], call.text("creator"))
        and _by(view, item.assignees, call.text("assignee"))
    )


def _by(view: HubView, people: Sequence[str], login: str) -> bool:
    """Return whether a login is among the people; an empty one or ``*`` always is."""
    company = view.hub.company
    return login in {"", "*"} or any(login_of(company.person(who)) == login for who in people)
