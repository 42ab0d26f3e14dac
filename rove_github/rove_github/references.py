"""Ids, addresses and short references of GitHub items."""

import re
from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import urlsplit

from attrs import frozen

from rove_core import Account, ItemNotFound, ItemRef
from rove_github.settings import GitHubSettings

_REPOSITORY: Final = r"[A-Za-z0-9][A-Za-z0-9_-]*/[A-Za-z0-9._-]+"
_WHOLE_REPOSITORY: Final = re.compile(_REPOSITORY, re.ASCII)
#: Where the pages of each kind are.
_FOLDERS: Final = {"pr": "pull", "discussion": "discussions"}
#: How the words for the kinds begin.
_INITIALS: Final = {"p": "pr", "d": "discussion"}
_NUMBER: Final = r"([1-9][0-9]{0,8})"
_ID: Final = re.compile(rf"({_REPOSITORY})(?:#([0-9]+)|@([0-9a-f]{{7,40}}))", re.ASCII)
_PAGE: Final = re.compile(
    rf"https?://([\w.:-]+)/({_REPOSITORY})/"
    r"(?:(pull|issues|discussions)/([0-9]+)|commit/([0-9a-f]{7,40}))(?![\w-])",
    re.ASCII,
)
#: Links, with their texts: what a text that leads elsewhere numbers is counted there.
_LINK: Final = re.compile(
    r"\[[^\[\]\n]{0,300}\]\(https?://[^\s()<>]*\)"
    r"|<https?://[^\s<>|]+\|[^<>\n]{0,300}>"
    r"|https?://[^\s<>|\"]+"
)
#: An underscore that marks emphasis is no part of an id.
_STARTS: Final = r"(?<![A-Za-z0-9/.@#-])(?<![A-Za-z0-9]_)"
_FULL: Final = re.compile(
    rf"{_STARTS}(?<!\w__)({_REPOSITORY})#{_NUMBER}(?![A-Za-z0-9]|_+[A-Za-z0-9])", re.ASCII
)
#: What people write before a slash that is no owner: ``and/or#3``.
_NO_OWNERS: Final = frozenset(
    "and or either his her he she yes no on off in out if not with w n y true false".split()  # noqa: SIM905  # a list of quotes hides the words
)
_WORDED: Final = re.compile(
    rf"(?<![A-Za-z0-9])(?<![A-Za-z0-9]_)(?:(PRs?|pull requests?|issues?|discussions?) ?#|GH-)"
    rf"{_NUMBER}(?![A-Za-z0-9]|_+[A-Za-z0-9])",
    re.ASCII | re.IGNORECASE,
)
#: The end of an address, as people type it: ``/pull/847``, ``acme/api/issues/12``.
_SHORT_PAGE: Final = re.compile(
    rf"{_STARTS}(?<!\w__)(?:(?:([A-Za-z0-9][\w-]*(?:\.[\w-]+)+(?::[0-9]+)?)/)?({_REPOSITORY}))?/?"
    rf"\b(pull|issues|discussions)/{_NUMBER}(?![\w-])",
    re.ASCII,
)
#: A number behind a word alone; a single digit counts something more often.
_COUNTED: Final = re.compile(
    r"(?<![A-Za-z0-9])(?<![A-Za-z0-9]_)(PR|pull request|issue|bug) "
    r"([1-9][0-9]{1,8})(?![A-Za-z0-9%-]|_+[A-Za-z0-9]|[.,:][0-9])",
    re.ASCII | re.IGNORECASE,
)
_BARE: Final = re.compile(rf"{_STARTS}(?<!&)#{_NUMBER}(?![A-Za-z0-9-]|_+[A-Za-z0-9])", re.ASCII)


@frozen
class ParsedId:
    """A parsed id: the number of an issue, pull request or discussion, or a commit.

    Attributes:
        repository: Like ``acme/api``.
        number: Empty for a commit.
        sha: Empty for all else.
    """

    repository: str
    number: str
    sha: str


def parse_id(text: str) -> ParsedId:
    """Parse an id.

    Raises:
        ItemNotFound: It is none of GitHub's.
    """
    if not (found := _ID.fullmatch(text)):
        raise ItemNotFound(f"{text!r} names nothing on GitHub", hint="Write it like acme/api#847.")
    return ParsedId(found[1], found[2] or "", found[3] or "")


@frozen
class GitHubNames:
    """The names of one account's things.

    Attributes:
        account: The account.
        host: Where its pages are.
        repositories: Those that it is for.
        remotes: Those of the project's own repository, which come second.
    """

    account: str
    host: str
    repositories: tuple[str, ...]
    remotes: tuple[str, ...] = ()

    @classmethod
    def of(cls, account: Account[GitHubSettings]) -> "GitHubNames":
        """Return the names of an account's things."""
        return cls(
            account.name, web_host(account), account.settings.repositories, remotes_of(account)
        )

    def numbered(self, repository: str, number: str | int, kind: str) -> ItemRef:
        """Return where an issue, a pull request or a discussion is."""
        folder = _FOLDERS.get(kind, "issues")
        url = f"https://{self.host}/{repository}/{folder}/{number}"
        return ItemRef(account=self.account, kind=kind, id=f"{repository}#{number}", url=url)

    def commit(self, repository: str, sha: str) -> ItemRef:
        """Return where a commit is."""
        url = f"https://{self.host}/{repository}/commit/{sha}"
        return ItemRef(account=self.account, kind="commit", id=f"{repository}@{sha}", url=url)

    def recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:
        """Return the items that a text names, without duplicates."""
        refs: dict[str, ItemRef] = {}
        for ref in self._named_items(
            text, self._near_repository(origin), inside=self._owns(origin)
        ):
            refs.setdefault(ref.id, ref)
        return list(refs.values())

    def _named_items(self, text: str, near: str, *, inside: bool) -> Iterator[ItemRef]:
        if "://" in text:
            for page in _PAGE.finditer(text):
                if page[1] == self.host:
                    yield self._item_of_page(page)
            text = _LINK.sub(" ", text)
        for repository, number in _FULL.findall(text):
            if repository.partition("/")[0].lower() not in _NO_OWNERS:
                yield self.numbered(repository, number, "issue")
        if "/" in text:
            yield from self._short_pages(text, near)
        if near:
            yield from self._numbers(text, near, inside=inside)

    def _numbers(self, text: str, near: str, *, inside: bool) -> Iterator[ItemRef]:
        """Yield the items of a repository that a text names by their numbers."""
        for word, number in _WORDED.findall(text):
            yield self.numbered(near, number, _INITIALS.get(word[:1].lower(), "issue"))
        for word, number in _COUNTED.findall(text):
            yield self.numbered(near, number, _INITIALS.get(word[:1].lower(), "issue"))
        for number in _BARE.findall(text):
            # Elsewhere than on GitHub "#1" is a rank more often than an issue.
            if inside or len(number) > 1:
                yield self.numbered(near, number, "issue")

    def _short_pages(self, text: str, near: str) -> Iterator[ItemRef]:
        """Yield the items that a text names by the end of their address.

        What stands before a folder of this name is a repository where the host says so, or where
        it is known as one; else it is a path.
        """
        repositories = {each.lower() for each in (*self.repositories, *self.remotes, near) if each}
        kinds = {name: kind for kind, name in _FOLDERS.items()}
        for host, repository, folder, number in _SHORT_PAGE.findall(text):
            if (
                repository
                and host != self.host
                and (host or repository.lower() not in repositories)
            ):
                continue
            if repository or near:
                yield self.numbered(repository or near, number, kinds.get(folder, "issue"))

    def _item_of_page(self, page: re.Match[str]) -> ItemRef:
        _, repository, folder, number, sha = page.groups()
        if sha:
            return self.commit(repository, sha)
        kinds = {name: kind for kind, name in _FOLDERS.items()}
        return self.numbered(repository, number, kinds.get(folder, "issue"))

    def _owns(self, origin: ItemRef | None) -> bool:
        return origin is not None and origin.account == self.account

    def _near_repository(self, origin: ItemRef | None) -> str:
        """Return the repository of a bare number in this place; empty if unknown."""
        if origin and self._owns(origin) and (found := _ID.match(origin.id)):
            return found[1]
        repositories = self.repositories or self.remotes[:1]
        return repositories[0] if len(repositories) == 1 else ""


def remotes_of(account: Account[GitHubSettings]) -> tuple[str, ...]:
    """Return the repositories of an account's GitHub that the project has as remotes."""
    found = (remote.partition("/") for remote in account.remotes)
    return tuple(
        name
        for host, _, name in found
        if host == web_host(account) and _WHOLE_REPOSITORY.fullmatch(name)
    )


def web_host(account: Account[GitHubSettings]) -> str:
    """Return the host of an account's pages, as reported by GitHub or derived from its API."""
    if account.hosts:
        return account.hosts[0]
    base = urlsplit(account.base_url)
    if base.path.rstrip("/") == "/api/v3":
        return base.netloc
    return base.netloc.removeprefix("api.") if base.netloc.startswith("api.") else "github.com"
