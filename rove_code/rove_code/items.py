"""Code and commits as items of a source."""

from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from attrs import frozen

from rove_code.model import Place
from rove_code.repositories.repository import Commit
from rove_code.repository_facts import RepositoryFacts, Where, short
from rove_core import ContextItem, Facts, ItemRef, code_block, escape_markdown

#: So many files of a commit are named.
_FILES: Final = 50


@frozen
class CodeItems:
    """Makes the items of an account.

    Attributes:
        account: The account.
        folder: The repository's folder.
        facts: What is known of it; None if nobody has looked yet.
        hosts: Where the account's pages are.
    """

    account: str
    folder: Path
    facts: RepositoryFacts | None
    hosts: Collection[str]

    def code_ref(self, where: Where, first: int, last: int) -> ItemRef:
        """Return the reference to a place in a file, with the lines that its page shows."""
        facts, path = self.facts, where.path
        if facts and facts.pages and facts.commit and facts.pages.host in self.hosts:
            url = facts.pages.lines(facts.commit, path, first, last)
        else:
            url = (self.folder / path).as_uri() + (f"#L{first}-L{last}" if first else "")
        return ItemRef(account=self.account, kind="code", id=str(where), url=url)

    def commit_ref(self, name: str, *, called: str = "") -> ItemRef:
        """Return the reference to a commit.

        Args:
            name: Its whole name.
            called: How it was asked for.
        """
        pages = self.facts.pages if self.facts else None
        url = pages.commit(name) if pages and pages.host in self.hosts else ""
        return ItemRef(account=self.account, kind="commit", id=called or short(name), url=url)

    def code(self, where: Where, place: Place, text: str) -> ContextItem:
        """Return a part of a file as an item."""
        lines = Where(where.path, place.first, place.last)
        commit, at = self._changed(where.path)
        return ContextItem(
            ref=self.code_ref(where, place.first, place.last),
            source="code",
            role="code",
            title=f"{where.name} in {lines}" if where.name else str(lines),
            content=code_block(text),
            timestamp=at,
            facts=Facts(path=where.path, line=place.first, last_line=place.last),
            metadata={"commit": commit},
        )

    def commit(self, commit: Commit, author: str, *, called: str = "") -> ContextItem:
        """Return a commit as an item.

        Args:
            commit: The commit.
            author: Who wrote it.
            called: How it was asked for.
        """
        title, _, rest = commit.message.partition("\n")
        message = escape_markdown(rest.strip(), keep_code=True)
        files = [f"- {_name(path)}" for path in commit.paths[:_FILES]]
        if len(commit.paths) > _FILES:
            files.append(f"- and {len(commit.paths) - _FILES} more")
        return ContextItem(
            ref=self.commit_ref(commit.id, called=called),
            source="code",
            role="commit",
            title=title or short(commit.id),
            content="\n\n".join(filter(None, (message, "\n".join(files)))),
            timestamp=commit.at,
            author=author,
            facts=Facts(short_name=f"Commit {short(commit.id)}", files=tuple(commit.paths)),
            metadata={"commit": commit.id},
        )

    def _changed(self, path: str) -> tuple[str, datetime]:
        """Return the commit that changed a file last, and when that was."""
        if self.facts and path in self.facts.changed:
            return self.facts.changed[path]
        if self.facts and self.facts.latest:
            return self.facts.commit, self.facts.latest
        try:
            modified = (self.folder / path).stat().st_mtime
        except OSError:
            # It has gone since it was read.
            modified = 0.0
        return "", datetime.fromtimestamp(modified, UTC)


def _name(path: str) -> str:
    """Return a path as code, unless it would end that itself."""
    return escape_markdown(path) if "`" in path or "\n" in path else f"`{path}`"
