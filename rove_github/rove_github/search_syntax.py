"""Build queries in GitHub's search syntax."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from attrs import evolve, frozen

from rove_core import Query, ticket_ids

#: Who answers a search of discussions: GraphQL, which has no path for each question.
DISCUSSIONS: Final = "discussions"
_TERM: Final = re.compile(r'"([^"]*)"|([^\s"]+)')
#: GitHub takes no more: characters, and in its new language words like OR between the scopes.
_LONGEST: Final = 256
_MOST_SCOPES: Final = 6

#: What stands before a ticket's id in the names of branches; GitHub finds how they begin.
_BRANCHES: Final = (
    *("", "feature/", "fix/"),
    *("bugfix/", "hotfix/", "feat/"),
    *("chore/", "bug/", "task/"),
)
#: So many of them are in one search, however many scopes it has.
_BRANCHES_AT_ONCE: Final = 3
#: For each kind of thing the places in which a field of ours looks.
_PLACES: Final[Mapping[str, Mapping[str, str]]] = {
    "pull-request": {"pr_title": "title", "pr_description": "body", "pr_comments": "comments"},
    "issue": {"issue_title": "title", "issue_body": "body"},
}


@frozen(kw_only=True)
class SearchRequest:
    """One question.

    Attributes:
        path: Who answers it.
        sort: What makes a thing new.
        words: What to look for, as GitHub wants it.
        scopes: Where to look, in any of them; everywhere if empty.
        branch: The id that the branch of what is found must have; GitHub looks for beginnings.
        is_extra: Whether to run it only where it takes no request of its own.
    """

    path: str
    sort: str
    words: str
    scopes: tuple[str, ...] = ()
    branch: str = ""
    is_extra: bool = False

    @property
    def params(self) -> dict[str, str]:
        """The parameters of the request."""
        is_new = self.path == "search/issues"
        # The old language has no brackets: it takes several scopes for alternatives by itself.
        where = (" OR " if is_new else " ").join(self.scopes)
        if is_new and len(self.scopes) > 1:
            where = f"({where})"
        parameters = {"q": f"{self.words} {where}".strip(), "sort": self.sort, "order": "desc"}
        # Where the old language still is the default, only the new one knows brackets.
        return {**parameters, "advanced_search": "true"} if is_new else parameters

    @property
    def words_for_graph(self) -> str:
        """The words as a question of GraphQL has them: the order is one of them."""
        return f"{self.params['q']}{' sort:updated-desc' * (self.path == 'search/issues')}"


def searches(query: Query, scopes: Sequence[str]) -> list[SearchRequest]:
    """Return the searches that together answer a query.

    Args:
        query: What is looked for.
        scopes: Where to look, in GitHub's words; everywhere if there are none.
    """
    requests = _requests_for(query, scopes)
    return [each for search in requests for each in _batches(search, scopes)]


def _requests_for(query: Query, scopes: Sequence[str]) -> Iterator[SearchRequest]:
    words = _quote(query.text)
    updated = _window_qualifier("updated", query)
    items = SearchRequest(path="search/issues", sort="updated", words="")
    for kind, places in _PLACES.items():
        named = [places[each] for each in query.fields if each in places]
        if named or not query.fields:
            inside = f"in:{','.join(named)}" if named else ""
            yield evolve(items, words=_join(words, f"is:{kind}", inside, updated))
        if kind == "pull-request" and not query.fields and _is_id(query.text):
            yield from _branch_requests(items, query.text.strip(), (kind, updated), scopes)
    if words and (not query.fields or "discussions" in query.fields):
        yield SearchRequest(path=DISCUSSIONS, sort="", words=_join(words, updated))
    if words and (not query.fields or "commit_messages" in query.fields):
        made = _join(words, _window_qualifier("committer-date", query))
        yield SearchRequest(path="search/commits", sort="committer-date", words=made)


def _branch_requests(
    items: SearchRequest, id_: str, conditions: tuple[str, str], scopes: Sequence[str]
) -> Iterator[SearchRequest]:
    """Yield the search for branches that begin with an id, and extra ones for rarer prefixes."""
    kind, updated = conditions

    def request(prefixes: Sequence[str]) -> SearchRequest:
        heads = " OR ".join(f"head:{prefix}{id_}" for prefix in prefixes)
        return evolve(items, words=_join(f"({heads})", f"is:{kind}", updated), branch=id_)

    # An operator that no scope needs is free for one more prefix, as long as it all fits.
    taken = max(_BRANCHES_AT_ONCE, _MOST_SCOPES + 1 - max(1, len(scopes)))
    if len(evolve(request(_BRANCHES[:taken]), scopes=tuple(scopes)).params["q"]) > _LONGEST:
        taken = _BRANCHES_AT_ONCE
    yield request(_BRANCHES[:taken])
    for start in range(taken, len(_BRANCHES), _BRANCHES_AT_ONCE):
        yield evolve(request(_BRANCHES[start : start + _BRANCHES_AT_ONCE]), is_extra=True)


def _batches(search: SearchRequest, scopes: Sequence[str]) -> Iterator[SearchRequest]:
    """Yield a question for as many scopes at a time as it may name."""
    # The old language, which commits and discussions are searched in, counts characters alone.
    is_new = search.path == "search/issues"
    most = _MOST_SCOPES - search.words.count(" OR ") if is_new else len(scopes)
    batch: tuple[str, ...] = ()
    for scope in scopes:
        longer = evolve(search, scopes=(*batch, scope))
        if batch and (len(batch) == most or len(longer.params["q"]) > _LONGEST):
            yield evolve(search, scopes=batch)
            batch = ()
        batch = (*batch, scope)
    yield evolve(search, scopes=batch)


def _quote(text: str) -> str:
    """Return the words and phrases of a text, none of which can be taken for a condition."""
    found = (" ".join((phrase or word).split()) for phrase, word in _TERM.findall(text))
    terms = [f'"{each}"' for each in (term.replace("\\", " ").strip() for term in found) if each]
    while terms and len(" ".join(terms)) > _LONGEST:
        terms.pop()
    return " ".join(terms)


def _is_id(text: str) -> bool:
    return [text.strip()] == list(ticket_ids(text))


def _window_qualifier(qualifier: str, query: Query) -> str:
    if not query.since and not query.until:
        return ""
    return f"{qualifier}:{_format_time(query.since)}..{_format_time(query.until)}"


def _format_time(when: datetime | None) -> str:
    return when.astimezone(UTC).isoformat(timespec="seconds") if when else "*"


def _join(*parts: str) -> str:
    return " ".join(filter(None, parts))
