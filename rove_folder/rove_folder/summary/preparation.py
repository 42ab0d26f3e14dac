"""Read new files, and find out which need a new summary."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from attrs import frozen

from rove_core import PackageDatabase
from rove_folder import phrases
from rove_folder.extract.content import ExtractedContent
from rove_folder.extract.extractor import Extractor
from rove_folder.files.content_kinds import content_kind
from rove_folder.files.guard import AccessDeniedError, OpenedFile, open_below, open_root
from rove_folder.files.kinds import FileKind, most_bytes, suffix_of
from rove_folder.storage.files import DueFile, ReadFile
from rove_folder.storage.summaries import find_summary
from rove_folder.summary.extractive import RECIPE
from rove_folder.summary.line import summary_line

_LOG: Final = logging.getLogger("rove.folder")
#: What people write beside an image about it, by the ending that is added or put in its place.
_CAPTIONS: Final = (".txt", ".md")
_MOST_CAPTION: Final = 2_000
#: What the name of a way to summarise has where a model sees images.
VISION: Final = "-vision"


@frozen(kw_only=True)
class PreparedFile:
    """A file that was read.

    Attributes:
        due: The file.
        digest: The digest of its content.
        data: Its bytes, if it needs a new summary.
        content: What was taken out of them.
        caption: What a file beside an image says about it.
        recorded: What is recorded of it, if it needs no new summary.
    """

    due: DueFile
    digest: str = ""
    data: bytes = b""
    content: ExtractedContent | None = None
    caption: str = ""
    recorded: ReadFile | None = None

    @property
    def is_open(self) -> bool:
        """Whether it needs a new summary."""
        return self.content is not None and self.recorded is None


def cache_key(recipe: str, path: str, kind: FileKind) -> str:
    """Return the name of a way to summarise: files of different endings are read differently.

    Whether a model sees images matters to images alone.
    """
    own = recipe if kind == "image" else recipe.replace(VISION, "", 1)
    return f"{own}:{suffix_of(path.rpartition('/')[2])}"


@frozen
class FileReader:
    """Reads the files of one folder.

    Attributes:
        root: The linked folder.
        extractor: What takes the text out of them.
        database: Where summaries are stored by content.
        recipe: How new summaries are made.
    """

    root: Path
    extractor: Extractor
    database: PackageDatabase
    recipe: str

    def prepare(self, due: Sequence[DueFile]) -> list[PreparedFile]:
        """Return files with what their summaries are made of; those that are gone are left out."""
        with open_root(self.root) as root:
            return [prepared for each in due for prepared in self._prepare(root, each)]

    def _prepare(self, root: int, due: DueFile) -> Iterator[PreparedFile]:
        try:
            with open_below(root, due.path) as file:
                data, too_large = _bytes(file)
            caption = _caption(root, due.path) if content_kind(data) == "image" else ""
        except FileNotFoundError:
            return  # The next scan finds that it is gone.
        except AccessDeniedError:
            _LOG.warning("%s: %r", phrases.DENIED, due.path)
            yield self._skip(due, "", phrases.DENIED)
            return
        except OSError:
            yield self._skip(due, "", None)
            return
        digest = sha256(data).hexdigest()
        if too_large:
            yield self._skip(due, "", too_large)
        else:
            yield self._looked_up(due, data, digest, caption)

    def _looked_up(self, due: DueFile, data: bytes, digest: str, caption: str) -> PreparedFile:
        """Return a file with the summary of its content, or with what to make one of."""
        key = cache_key(self.recipe, due.path, content_kind(data))
        with self.database.reading() as db:
            # Without a model a caption is part of the summary, and may change by itself.
            own_words = bool(caption) and self.recipe == RECIPE
            stored = None if own_words else find_summary(db, digest, key)
        if stored:
            file = ReadFile(
                id=due.id,
                kind=stored.kind,
                sha256=digest,
                recipe=self.recipe,
                summary=stored.summary,
            )
            return PreparedFile(due=due, digest=digest, data=data, recorded=file)
        content = self.extractor.read(due.path.rpartition("/")[2], data)
        if isinstance(content, str):
            return self._skip(due, digest, content)
        return PreparedFile(due=due, digest=digest, data=data, content=content, caption=caption)

    def _skip(self, due: DueFile, digest: str, reason: str | None) -> PreparedFile:
        kind: FileKind = "skipped"
        file = ReadFile(id=due.id, kind=kind, sha256=digest, recipe=self.recipe, summary=reason)
        return PreparedFile(due=due, digest=digest, recorded=file)


def _bytes(file: OpenedFile) -> tuple[bytes, str]:
    """Return the bytes of a file, and why they are too many, if they are."""
    data = file.read(1_024)
    kind = content_kind(data)
    most = most_bytes(kind)
    data += file.read(most + 1 - len(data))
    return data, phrases.too_large(kind) if len(data) > most else ""


def _caption(root: int, path: str) -> str:
    """Return the first lines of a text file beside an image that has its name."""
    stem = path[: -len(suffix_of(path))]
    for beside in (each + ending for each in (path, stem) for ending in _CAPTIONS):
        with suppress(OSError, AccessDeniedError), open_below(root, beside) as file:
            return summary_line(file.read(_MOST_CAPTION).decode("utf-8", "replace"))
    return ""
