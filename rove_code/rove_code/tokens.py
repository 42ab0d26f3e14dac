"""The tokens of other people, and what each of them may read.

A file in the project's ``.rove`` has them: their digests, never the tokens. It is read anew for
each request, so that a token that is replaced or revoked stops working at once.
"""

import json
import secrets
from collections.abc import Mapping
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from typing import Final

from attrs import asdict, frozen

from rove_core import FileLock, FixSettings, Secret, private_folder, read_file, write_atomic

_NAME: Final = "code-tokens.json"
_TOKEN_BYTES: Final = 32


@frozen
class CodeToken:
    """A token of the code server.

    Attributes:
        name: Who has it.
        repositories: The repositories that they may ask: absolute folders; all that the server
            may read if there are none.
        folders: The folders in them that they may see (``src/``); everything if there are none.
        digest: By which the token is recognised.
    """

    name: str
    repositories: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    digest: str = ""


@frozen
class CodeTokens:
    """The tokens in a project's ``.rove``."""

    path: Path

    @classmethod
    def of(cls, rove: Path) -> "CodeTokens":
        """Return the tokens that a ``.rove`` folder holds."""
        return cls(rove / _NAME)

    def all(self) -> Mapping[str, CodeToken]:
        """Return the tokens by name.

        Raises:
            FixSettings: The file is damaged: nobody but the owner gets in.
        """
        try:
            rows = json.loads(read_file(self.path))
            found = [CodeToken(**{**row, **_tuples(row)}) for row in rows]
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
            raise FixSettings(
                f"{self.path} cannot be read: {error}", hint=f"Remove it: rm {self.path}"
            ) from error
        return {each.name: each for each in found}

    def find(self, token: str) -> CodeToken | None:
        """Return what a token stands for; None if it is nobody's."""
        digest = _digest(token)
        return next(
            (each for each in self.all().values() if compare_digest(each.digest, digest)), None
        )

    def give(self, granted: CodeToken) -> Secret:
        """Make a new token for a name; the one before stops working."""
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        made = CodeToken(granted.name, granted.repositories, granted.folders, _digest(token))
        private_folder(self.path.parent)
        with self._lock():
            self._write({**self.all(), granted.name: made})
        return Secret(token)

    def revoke(self, name: str) -> bool:
        """Remove a token; return whether there was one."""
        private_folder(self.path.parent)
        with self._lock():
            left = dict(self.all())
            removed = left.pop(name, None)
            if removed:
                self._write(left)
        return removed is not None

    def _lock(self) -> FileLock:
        return FileLock(self.path.with_name(f"{_NAME}.lock"))

    def _write(self, tokens: Mapping[str, CodeToken]) -> None:
        rows = [asdict(each) for _, each in sorted(tokens.items())]
        write_atomic(self.path, json.dumps(rows, indent=1).encode())


def _tuples(row: Mapping[str, object]) -> Mapping[str, tuple[str, ...]]:
    """Return the lists of a row, which must be texts."""
    found: dict[str, tuple[str, ...]] = {}
    for key in ("repositories", "folders"):
        values = row[key]
        if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
            raise ValueError(f"{key} is no list of texts")
        found[key] = tuple(values)
    if not all(isinstance(row[key], str) and row[key] for key in ("name", "digest")):
        raise ValueError("a token has no name")
    return found


def _digest(token: str) -> str:
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
