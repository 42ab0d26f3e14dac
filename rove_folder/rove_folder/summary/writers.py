"""Summary writers: extractive rules or the configured model."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from attrs import define, evolve, field

from rove_folder.storage.files import ReadFile
from rove_folder.storage.summaries import StoredSummary, keep_summary
from rove_folder.summary.extractive import RECIPE, extractive_summary
from rove_folder.summary.preparation import PreparedFile, cache_key

if TYPE_CHECKING:
    from rove_folder.project_folder import ProjectFolder

_MANY: Final = 64


@define
class ModelSpending:
    """Model usage of a scan.

    Attributes:
        questions: How many questions.
        tokens: How many tokens they took.
    """

    questions: int = 0
    tokens: int = 0


class SummaryWriter(Protocol):
    """Writes summaries of files."""

    @property
    def recipe(self) -> str:
        """Version of the method; summaries of other versions are redone."""

    @property
    def batch(self) -> int:
        """Number of files summarised at once."""

    @property
    def asks_model(self) -> bool:
        """Whether file text is sent to a model."""

    @property
    def spent(self) -> ModelSpending:
        """The usage so far."""

    async def write(self, files: Sequence[PreparedFile]) -> Mapping[str, ReadFile]:
        """Return what to record of some files, by the id of their rows."""


@define
class ExtractiveWriter:
    """Summarises files in their own words."""

    folder: "ProjectFolder"
    recipe: str = RECIPE
    batch: int = _MANY
    asks_model: bool = False
    spent: ModelSpending = field(factory=ModelSpending)

    async def write(self, files: Sequence[PreparedFile]) -> Mapping[str, ReadFile]:
        """Return what to record of some files, by the id of their rows."""
        made: dict[str, ReadFile] = {}
        with self.folder.database.writing() as db:
            for each in files:
                made[each.due.id] = read = _extractive(each)
                if not each.caption:
                    stored = StoredSummary(kind=read.kind, summary=read.summary)
                    key = cache_key(self.recipe, each.due.path, read.kind)
                    keep_summary(db, each.digest, key, stored, now=self.folder.now)
        return made


def _extractive(file: PreparedFile) -> ReadFile:
    assert file.content is not None  # noqa: S101  # only open files get here
    name = file.due.path.rpartition("/")[2]
    return ReadFile(
        id=file.due.id,
        kind=file.content.kind,
        sha256=file.digest,
        recipe=RECIPE,
        summary=extractive_summary(name, file.content, file.caption),
    )


def summary_meanwhile(file: PreparedFile) -> ReadFile:
    """Return a file's summary in its own words; the next scan asks the model for a better one."""
    return evolve(_extractive(file), due=True)


def summary_writer(folder: "ProjectFolder") -> SummaryWriter:
    """Return who writes the summaries of a folder's files, as the settings say."""
    if folder.settings.summaries == "extractive":
        return ExtractiveWriter(folder)
    from rove_folder.summary.model import ModelWriter  # noqa: PLC0415  # most folders need none

    return ModelWriter.of(folder)
