"""Web addresses of files and commits on known hosts."""

import re
from typing import Final, Self
from urllib.parse import quote, urlsplit

from attrs import frozen

#: The pages of a file's lines and of a commit, by what the host runs.
_FORMS: Final = {
    "github": ("/blob/{commit}/{path}#L{first}-L{last}", "/commit/{commit}"),
    "gitlab": ("/-/blob/{commit}/{path}#L{first}-{last}", "/-/commit/{commit}"),
    "bitbucket": ("/src/{commit}/{path}#lines-{first}:{last}", "/commits/{commit}"),
}
_HOST: Final = re.compile(r"(github|gitlab|bitbucket)(?:\.[a-z0-9-]+)+")
_SHORT: Final = re.compile(r"(?:[^@/:]+@)?([^@/:]+):(?!/)(.+)")
_PATH: Final = re.compile(r"/?([\w.-]+(?:/[\w.-]+)+)/?")


@frozen
class Pages:
    """The pages of a repository.

    Attributes:
        host: Where they are.
        base: The address of the repository's own page.
    """

    host: str
    base: str

    @classmethod
    def of(cls, origin: str) -> Self | None:
        """Return the pages of a clone's origin; None for unknown hosts."""
        try:
            host, path = _parts(origin)
        except ValueError:
            return None
        named = _PATH.fullmatch(path)
        if not named or not _HOST.fullmatch(host):
            return None
        return cls(host, f"https://{host}/{named[1].removesuffix('.git')}")

    def lines(self, commit: str, path: str, first: int, last: int) -> str:
        """Return the page of some lines of a file, or of all of it if the first is 0."""
        form = self._forms[0] if first else self._forms[0].partition("#")[0]
        return self.base + form.format(commit=commit, path=quote(path), first=first, last=last)

    def commit(self, commit: str) -> str:
        """Return the page of a commit."""
        return self.base + self._forms[1].format(commit=commit)

    @property
    def _forms(self) -> tuple[str, str]:
        return _FORMS[self.host.partition(".")[0]]


def _parts(origin: str) -> tuple[str, str]:
    """Return the host and the path of an address, without who logs in and at which port."""
    if "://" not in origin:
        found = _SHORT.fullmatch(origin)
        return (found[1].lower(), found[2]) if found else ("", "")
    parts = urlsplit(origin)
    return (parts.hostname or "").lower(), parts.path
