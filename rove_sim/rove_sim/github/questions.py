"""Endpoints outside repositories: the user, search, GraphQL."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from rove_core import JSON
from rove_sim.github import refusals
from rove_sim.github.allowances import LIMITS, overview
from rove_sim.github.answers import PAGES
from rove_sim.github.graph import HubGraph
from rove_sim.github.hub import HubView, written
from rove_sim.github.issues import issue
from rove_sim.github.pages import PagedList
from rove_sim.github.people import myself
from rove_sim.github.pulls import commit
from rove_sim.github.query import WrongQueryError
from rove_sim.github.repositories import minimal, whole
from rove_sim.github.search import LocatedCommit, find_commits, find_items, kinds
from rove_sim.graphql import InputError, VendorSchema
from rove_sim.parameters import one_of, taking, text
from rove_sim.routes import RefusedError, RoutedRequest, VendorRoute
from rove_sim.server import Response

if TYPE_CHECKING:
    from rove_sim.github.vendor import GitHub
    from rove_sim.graphql.engine import SelectedField

_Thing = TypeVar("_Thing")
_SCHEMA: Final = VendorSchema("github")
_MOST: Final = 1_000
_ORDER: Final = {"order": one_of("asc", "desc"), **PAGES}
_REACTIONS: Final = ("+1", "-1", "smile", "thinking_face", "heart", "tada")
_ITEMS: Final = taking(
    "q",
    q=text,
    sort=one_of(
        "comments",
        "reactions",
        *(f"reactions-{each}" for each in _REACTIONS),
        "interactions",
        "created",
        "updated",
    ),
    advanced_search=text,
    search_type=one_of("semantic", "hybrid"),
    **_ORDER,
)
_OWN: Final = taking(sort=one_of("created", "updated", "pushed", "full_name"), **PAGES)
_COMMITS: Final = taking("q", q=text, sort=one_of("author-date", "committer-date"), **_ORDER)


class Questions:
    """Answers that belong to no repository."""

    def __init__(self, vendor: "GitHub") -> None:
        self._vendor = vendor

    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be asked."""
        return [
            VendorRoute(method="GET", path="/user", answer=self._user),
            VendorRoute(method="GET", path="/user/repos", answer=self._repositories, query=_OWN),
            VendorRoute(method="GET", path="/rate_limit", answer=self._rate_limit),
            VendorRoute(method="GET", path="/search/issues", answer=self._items, query=_ITEMS),
            VendorRoute(method="GET", path="/search/commits", answer=self._commits, query=_COMMITS),
            VendorRoute(method="POST", path="/graphql", answer=self._graphql, body=_SCHEMA.body),
        ]

    def _view(self, call: RoutedRequest) -> HubView:
        return HubView(self._vendor.hub, call.request.origin)

    def _user(self, call: RoutedRequest) -> Response:
        return Response(myself(self._view(call)))

    def _repositories(self, call: RoutedRequest) -> Response:
        view = self._view(call)
        place = f"{call.request.origin}{call.request.path}"
        shelf = PagedList(view.hub.repositories(), partial(whole, view), place)
        found, link = shelf.page(call, self._vendor.page)
        return Response(found, headers={**({"link": link} if link else {}), **self._hidden()})

    def _rate_limit(self, _: RoutedRequest) -> Response:
        return Response(overview(self._vendor.limiter))

    def _items(self, call: RoutedRequest) -> Response:
        view = self._view(call)
        if self._vendor.company.token.startswith("ghu_"):
            _needs_kind(call.text("q"))
        find = partial(find_items, view.hub)
        found = self._found(call, find, lambda item: {**issue(view, item), "score": 1.0})
        fallback: dict[str, JSON] = {}
        if call.text("search_type"):
            fallback = {"lexical_fallback_reason": ["service_unavailable"]}
        value = found.value if isinstance(found.value, dict) else {}
        return Response({**value, "search_type": "lexical", **fallback}, headers=found.headers)

    def _commits(self, call: RoutedRequest) -> Response:
        view = self._view(call)

        def write(made: LocatedCommit) -> JSON:
            return {
                **commit(view, made.repository.name, made.commit),
                "repository": minimal(view, made.repository),
                "score": 1.0,
            }

        return self._found(call, partial(find_commits, view.hub), write)

    def _found(
        self,
        call: RoutedRequest,
        find: Callable[..., Sequence[_Thing]],
        write: Callable[[_Thing], JSON],
    ) -> Response:
        """Answer with a page of search results, at most a thousand in all."""
        descending = call.text("order", "desc") == "desc"
        try:
            found = find(call.text("q"), call.text("sort"), descending=descending)
        except WrongQueryError as error:
            raise RefusedError(refusals.wrong_query(str(error)), wrong=str(error)) from None
        length = self._vendor.page(max(1, call.number("per_page", 30)), 100)
        if (max(1, call.number("page", 1)) - 1) * length >= _MOST:
            message = "Only the first 1000 search results are available"
            raise RefusedError(refusals.refusal(422, message), wrong=message)
        place = f"{call.request.origin}{call.request.path}"
        page, link = PagedList(found[:_MOST], write, place).page(call, self._vendor.page)
        value: JSON = {
            "total_count": len(found),
            "incomplete_results": self._vendor.incomplete,
            "items": page,
        }
        return Response(value, headers={**({"link": link} if link else {}), **self._hidden()})

    def _hidden(self) -> dict[str, str]:
        """Return which organizations a search left out until their sign-on is done."""
        every = self._vendor.hub.every()
        if not any(each.access in {"sso", "lapsed"} for each in every):
            return {}
        return {"x-github-sso": f"partial-results; organizations={refusals.ORGANIZATION}"}

    def _graphql(self, call: RoutedRequest) -> Response:
        vendor = self._vendor
        left = vendor.limiter.peek(("graphql",), LIMITS["graphql"])
        allowance: dict[str, JSON] = {
            "cost": 1,
            "limit": left.limit.requests,
            "remaining": left.remaining,
            "resetAt": written(left.reset_at),
            "used": left.limit.requests - left.remaining,
        }
        graph = HubGraph(
            vendor.hub,
            vendor.page,
            allowance,
            starved=vendor.starved,
            forbidden=vendor.forbidden,
        )
        try:
            query = _SCHEMA.query(call, graph.root())
        except InputError as error:
            response = Response({"errors": [{"message": str(error)}]})
            raise RefusedError(response, wrong=str(error)) from None
        if refused := _refused(query.fields(), vendor.lacks, vendor.scopes):
            raise RefusedError(Response({"errors": refused}), wrong=f"{refused}")
        return Response(_graphql_json(query.answer()))


def _refused(
    fields: "Sequence[SelectedField]", lacks: frozenset[str], scopes: Sequence[str] | None
) -> list[JSON]:
    """Return why a query is refused whole: for fields that are not there, or for scopes."""
    names = [each.name for each in _every_field(fields)]
    errors: list[JSON] = [
        {"message": f"Field '{name}' doesn't exist on this type", "path": ["query"]}
        for name in dict.fromkeys(names)
        if name in lacks
    ]
    if (
        scopes is not None
        and "projectItems" in names
        and not {"project", "read:project"} & {*scopes}
    ):
        message = (
            "Your token has not been granted the required scopes to execute this query. "
            "The 'title' field requires one of the following scopes: ['read:project']"
        )
        errors.append({"type": "INSUFFICIENT_SCOPES", "message": message})
    return errors


def _every_field(fields: "Sequence[SelectedField]") -> "Iterator[SelectedField]":
    for each in fields:
        yield each
        yield from _every_field(each.fields)


def _needs_kind(query: str) -> None:
    """Refuse a search by an app's user that says neither issue nor pull request."""
    if not kinds(query) & {"issue", "pull-request"}:
        message = "Query must include 'is:issue' or 'is:pull-request'"
        raise RefusedError(refusals.wrong_query(message), wrong=message)


def _graphql_json(reply: dict[str, JSON]) -> JSON:
    """Return a reply as GitHub writes it, with the type of an error beside its message."""
    errors = reply.get("errors")
    if not isinstance(errors, list):
        return reply
    return {**reply, "errors": [_beside(error) for error in errors]}


def _beside(error: JSON) -> JSON:
    fields = dict(error) if isinstance(error, dict) else {}
    kind = fields.pop("extensions", {})
    return {**(kind if isinstance(kind, dict) else {}), **fields}
