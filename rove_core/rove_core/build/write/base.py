"""The saved base of a document, which distinguishes Rove's text from people's edits."""

import hashlib
import hmac
import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

from attrs import field, frozen

from rove_core.build.compose.outline import Outline
from rove_core.build.gather.candidates import Key
from rove_core.build.write.citations import Citation
from rove_core.build.write.merge import BlockRecord
from rove_core.errors import DiskTrouble
from rove_core.store.files import read_file, write_atomic
from rove_core.wire.structure import STRICT, WrongShape, to_json

_VERSION: Final = 1


@frozen
class ItemName:
    """The name of an item: its account and id."""

    account: str
    id: str

    @property
    def key(self) -> Key:
        """The item's key, as outlines use it."""
        return self.account, self.id


@frozen
class WrittenTopic:
    """A topic of the document as it was last written.

    Attributes:
        name: The name of its first statement, which identifies it.
        heading: Its heading.
        members: The statements in it.
    """

    name: ItemName
    heading: str
    members: tuple[ItemName, ...]


@frozen
class GoneItem:
    """An item gone from its source.

    Attributes:
        name: Its name.
        at: When that was noticed.
    """

    name: ItemName
    at: datetime


@frozen(kw_only=True)
class DocumentBase:
    """The saved base of a document.

    Attributes:
        blocks: The blocks that Rove wrote, in the file's order, and those that people took over.
        references: All citations that ever got a number.
        topics: The topics as last written.
        gone: The items that were gone from their source.
        is_moved: Whether a person has reordered what Rove wrote.
    """

    blocks: Mapping[str, BlockRecord] = field(factory=dict)
    references: tuple[Citation, ...] = ()
    topics: tuple[WrittenTopic, ...] = ()
    gone: tuple[GoneItem, ...] = ()
    is_moved: bool = False

    @property
    def gone_items(self) -> Mapping[Key, datetime]:
        """Items gone from their source, and when that was noticed."""
        return {each.name.key: each.at for each in self.gone}

    @property
    def lists_failures(self) -> bool:
        """Whether the document's head lists failed sources."""
        blocks = self.blocks.items()
        return any(key.startswith("failures:") and not block.held for key, block in blocks)


def load_base(path: Path) -> DocumentBase | None:
    """Return the base saved in a file; None if it is missing or unusable.

    Raises:
        DiskTrouble: It exists but cannot be read now, so it must not count as missing.
    """
    try:
        file = STRICT.structure(json.loads(read_file(path)), _File)
    except (FileNotFoundError, IsADirectoryError, ValueError, WrongShape, RecursionError):
        return None
    except OSError as error:
        raise DiskTrouble(f"{path} cannot be read: {error.strerror}") from error
    return file.base if file.version == _VERSION else None


def save_base(path: Path, base: DocumentBase, key: bytes = b"") -> None:
    """Save a base so that only its user can read it.

    Args:
        path: The file.
        base: The base.
        key: The user's key, which signs the file; empty for no signature.
    """
    file = _File(_VERSION, base, _mark(path, base, key))
    text = json.dumps(to_json(file), separators=(",", ":"))
    write_atomic(path, text.encode("ascii") + b"\n")


def is_written_by(key: bytes, bases: Path, filename: str) -> bool:
    """Return whether a document was written with a user's key; one from a clone was not.

    Args:
        key: The user's key.
        bases: The folder of all saved bases.
        filename: The document.
    """
    places = (path for kind in ("json", "next") for path in bases.glob(f"*/{filename}.{kind}"))
    return any(_is_marked(path, key) for path in places)


def _is_marked(path: Path, key: bytes) -> bool:
    try:
        file = STRICT.structure(json.loads(read_file(path)), _File)
    except (OSError, ValueError, WrongShape, RecursionError):
        return False
    return bool(key) and hmac.compare_digest(file.mark, _mark(path, file.base, key))


def _mark(path: Path, base: DocumentBase, key: bytes) -> str:
    if not key:
        return ""
    payload = json.dumps([path.parent.name, path.stem, to_json(base)], separators=(",", ":"))
    return hmac.new(key, payload.encode("ascii"), hashlib.sha256).hexdigest()


def written_topics(outline: Outline) -> tuple[WrittenTopic, ...]:
    """Return the topics of an outline."""
    return tuple(
        WrittenTopic(
            ItemName(*topic.key),
            topic.heading,
            tuple(ItemName(*statement.key) for statement in topic.statements),
        )
        for topic in outline.topics
    )


def written_gone_items(outline: Outline) -> tuple[GoneItem, ...]:
    """Return the items that an outline reports as gone."""
    return tuple(GoneItem(ItemName(*key), at) for key, at in outline.gone.items())


@frozen
class _File:
    """The file format of a base."""

    version: int
    base: DocumentBase
    mark: str = ""
