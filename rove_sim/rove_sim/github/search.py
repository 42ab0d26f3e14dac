"""Search results for issues, pull requests and commits."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final, TypeAlias, TypeVar

from attrs import frozen

from rove_sim.company_github import (
    CompanyRepository,
    PullRequest,
    RepositoryCommit,
    RepositoryDiscussion,
)
from rove_sim.github import dates, query
from rove_sim.github.discussions import discussion_changed, remarks_of
from rove_sim.github.hub import Hub, Item, changed, closed, comments_of, commits_of, plain_words
from rove_sim.github.people import login_of
from rove_sim.github.query import (
    AllOf,
    AnyOf,
    Expression,
    Negation,
    Qualifier,
    SearchWords,
    WrongQueryError,
)

_Thing = TypeVar("_Thing")
#: Tells whether something is what a qualifier wants.
Check: TypeAlias = Callable[[_Thing, str], bool]

_UNREADABLE: Final = (
    "The listed users and repositories cannot be searched either because the resources do not "
    "exist or you do not have permission to view them."
)

#: What commits are searched in: GitHub's old language takes several of these for alternatives.
_ALTERNATIVES: Final = frozenset({"org", "repo", "user"})
_DATED: Final = frozenset(
    {"updated", "created", "closed", "merged", "author-date", "committer-date"}
)


@frozen
class LocatedCommit:
    """A commit, and where it is."""

    repository: CompanyRepository
    commit: RepositoryCommit


def find_items(
    hub: Hub, text: str, sort: str, *, descending: bool, lenient: bool = False
) -> list[Item]:
    """Return the issues and pull requests that a query finds, in its order.

    Args:
        hub: Where to look.
        text: The query.
        sort: What to order by.
        descending: Whether the greatest is first.
        lenient: Whether a place that cannot be searched is passed over, as GraphQL does.

    Raises:
        WrongQueryError: When it cannot be run.
    """
    checks = _item_checks(hub)
    expression = query.read(text, frozenset(checks) | {"in", "sort"})
    _must_be_possible(hub, expression, lenient=lenient)
    places = [
        place
        for each in query.qualifiers(expression)
        if each.name == "in"
        for place in each.value.split(",")
    ]

    def words_of(item: Item) -> str:
        return hub.words(item) if not places else plain_words("\n".join(_parts(item, places)))

    found = [
        item for item in hub.items() if _holds(expression, item, words_of, {**checks, **_PASSED})
    ]
    return sorted(found, key=_order(expression, sort), reverse=descending)


def find_commits(hub: Hub, text: str, sort: str, *, descending: bool) -> list[LocatedCommit]:
    """Return the commits of default branches that a query finds.

    Raises:
        WrongQueryError: When it cannot be run.
    """
    checks = _commit_checks(hub)
    expression = query.with_alternatives(query.read(text, frozenset(checks)), _ALTERNATIVES)
    _must_be_possible(hub, expression)
    everywhere = (
        LocatedCommit(repository, commit)
        for repository in hub.repositories()
        for commit in commits_of(hub, repository)
    )
    found = [
        made
        for made in everywhere
        if _holds(expression, made, lambda made: plain_words(made.commit.message), checks)
    ]
    return sorted(found, key=lambda made: made.commit.at, reverse=descending) if sort else found


def find_discussions(hub: Hub, text: str) -> list[RepositoryDiscussion]:
    """Return the discussions that a query in GitHub's old language finds, the newest first.

    Raises:
        WrongQueryError: When it cannot be run.
    """
    checks: dict[str, Check[RepositoryDiscussion]] = {
        "repo": lambda talk, value: talk.repository.lower() == value.lower(),
        "org": lambda talk, value: _owned(talk.repository, value),
        "user": lambda talk, value: _owned(talk.repository, value),
        "updated": _dated(discussion_changed),
        "created": _dated(lambda talk: talk.created),
        **_PASSED,
    }
    expression = query.with_alternatives(query.read(text, frozenset(checks)), _ALTERNATIVES)
    _must_be_possible(hub, expression, lenient=True)
    places = [
        place
        for each in query.qualifiers(expression)
        if each.name == "in"
        for place in each.value.split(",")
    ] or ["title", "body", "comments"]

    def words_of(talk: RepositoryDiscussion) -> str:
        parts = {"title": talk.title, "body": talk.body, "comments": remarks_of(talk)}
        return plain_words("\n".join(parts[each] for each in places if each in parts))

    found = [talk for talk in hub.discussions() if _holds(expression, talk, words_of, checks)]
    return sorted(found, key=discussion_changed, reverse=True)


def sorted_by(text: str) -> str:
    """Return the order in a query itself (``sort:updated-desc``)."""
    expression = query.read(text, frozenset({"sort"}))
    named = [each.value for each in query.qualifiers(expression)]
    return named[-1].removesuffix("-desc") if named else ""


def kinds(text: str) -> frozenset[str]:
    """Return the kinds of items that a query asks for."""
    expression = query.read(text, frozenset({"is", "type"}))
    return frozenset(each.value for each in query.qualifiers(expression))


def _holds(
    expression: Expression,
    thing: _Thing,
    text_of: Callable[[_Thing], str],
    checks: Mapping[str, Check[_Thing]],
) -> bool:
    match expression:
        case SearchWords(text=text):
            return text in text_of(thing)
        case Qualifier(name=name, value=value):
            return checks[name](thing, value)
        case Negation(of=inner):
            return not _holds(inner, thing, text_of, checks)
        case AllOf(of=several):
            return all(_holds(each, thing, text_of, checks) for each in several)
        case AnyOf(of=several):
            return any(_holds(each, thing, text_of, checks) for each in several)


def _parts(item: Item, places: Iterable[str]) -> list[str]:
    parts = {"title": item.title, "body": item.body, "comments": comments_of(item)}
    return [parts[place] for place in places if place in parts]


def _order(expression: Expression, sort: str) -> Callable[[Item], tuple[float, float]]:
    """Return what sorts; by default those first that have most words in the title."""
    words = list(query.words(expression))

    def key(item: Item) -> tuple[float, float]:
        when = changed(item).timestamp()
        match sort:
            case "created":
                return item.created.timestamp(), when
            case "updated":
                return when, when
            case "comments" | "interactions":
                return len(item.comments), when
            case "":
                title = plain_words(item.title)
                return sum(word in title for word in words), when
            case _:
                return 0, when

    return key


def _must_be_possible(hub: Hub, expression: Expression, *, lenient: bool = False) -> None:
    """Refuse a query with a value that could never hold, or for what may not be read."""
    names = {each.name.lower() for each in hub.repositories()}
    owners = {name.partition("/")[0] for name in names}
    for each in query.qualifiers(expression):
        if each.name == "repo" and each.value.lower() not in names and not lenient:
            raise WrongQueryError(_UNREADABLE)
        if not lenient and each.name in {"org", "user"} and each.value.lower() not in owners:
            raise WrongQueryError(_UNREADABLE)
        if each.name in {"is", "type"} and each.value not in _KINDS:
            raise WrongQueryError(f"{each.value!r} is not a value of {each.name}:.")
        if each.name in _DATED:
            dates.holds(each.value)


def _always(_: object, __: str) -> bool:
    return True


#: What says where to look, or in which order, and is no condition.
_PASSED: Final[Mapping[str, Check[object]]] = {"in": _always, "sort": _always}


def _owned(repository: str, login: str) -> bool:
    return repository.partition("/")[0].lower() == login.lower()


def _person(hub: Hub) -> Callable[[Sequence[str], str], bool]:
    """Return the test whether a login is among people; ``@me`` is the token's owner."""

    def among(people: Sequence[str], login: str) -> bool:
        me = login_of(hub.company.owner)
        target = (me if login == "@me" else login.removeprefix("@")).lower()
        return any(login_of(hub.company.person(who)).lower() == target for who in people if who)

    return among


def _item_checks(hub: Hub) -> dict[str, Check[Item]]:
    among = _person(hub)
    dated: dict[str, Callable[[Item], datetime | None]] = {
        "updated": changed,
        "created": lambda item: item.created,
        "closed": closed,
        "merged": lambda item: item.merged if isinstance(item, PullRequest) else None,
    }
    return {
        "repo": lambda item, value: item.repository.lower() == value.lower(),
        "org": lambda item, value: _owned(item.repository, value),
        "user": lambda item, value: _owned(item.repository, value),
        "is": lambda item, value: _KINDS[value](hub, item),
        "type": lambda item, value: _KINDS[value](hub, item),
        "state": lambda item, value: item.state == value,
        "head": lambda item, value: isinstance(item, PullRequest) and item.branch.startswith(value),
        "base": lambda item, value: isinstance(item, PullRequest) and item.base.startswith(value),
        "author": lambda item, value: among([item.author], value),
        "assignee": lambda item, value: among(item.assignees, value),
        "commenter": lambda item, value: among(_commenters(item), value),
        "involves": lambda item, value: among(
            [item.author, *item.assignees, *_commenters(item)], value
        ),
        "label": lambda item, value: bool(
            {each.lower() for each in item.labels} & set(value.lower().split(","))
        ),
        **{name: _dated(when) for name, when in dated.items()},
    }


def _dated(when: Callable[[_Thing], datetime | None]) -> Check[_Thing]:
    def check(thing: _Thing, limit: str) -> bool:
        holds, at = dates.holds(limit), when(thing)
        return at is not None and holds(at)

    return check


def _merged(item: Item) -> bool:
    return isinstance(item, PullRequest) and item.merged is not None


def _private(hub: Hub, item: Item) -> bool:
    repository = hub.repository(item.repository)
    return repository is not None and repository.private


#: What a thing can be, by what it is called.
_KINDS: Final[Mapping[str, Callable[[Hub, Item], bool]]] = {
    "issue": lambda _, item: not isinstance(item, PullRequest),
    "pr": lambda _, item: isinstance(item, PullRequest),
    "pull-request": lambda _, item: isinstance(item, PullRequest),
    "open": lambda _, item: item.state == "open",
    "closed": lambda _, item: item.state == "closed",
    "merged": lambda _, item: _merged(item),
    "unmerged": lambda _, item: isinstance(item, PullRequest) and not _merged(item),
    "draft": lambda _, item: isinstance(item, PullRequest) and item.draft,
    "private": _private,
    "public": lambda hub, item: not _private(hub, item),
}


def _commenters(item: Item) -> list[str]:
    authors = [each.author for each in item.comments]
    if isinstance(item, PullRequest):
        authors += [each.author for each in item.reviews]
        authors += [each.author for each in item.review_comments]
    return authors


def _commit_checks(hub: Hub) -> dict[str, Check[LocatedCommit]]:
    among = _person(hub)
    when: Check[LocatedCommit] = _dated(lambda made: made.commit.at)
    return {
        "repo": lambda made, value: made.repository.name.lower() == value.lower(),
        "org": lambda made, value: _owned(made.repository.name, value),
        "user": lambda made, value: _owned(made.repository.name, value),
        "author": lambda made, value: among([made.commit.author], value),
        "committer": lambda made, value: among([made.commit.author], value),
        "hash": lambda made, value: made.commit.sha.startswith(value.lower()),
        "author-date": when,
        "committer-date": when,
    }
