"""Settings of linked folders: the section ``[folder]``, and those of an account."""

from typing import Final, Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import ge

from rove_core import SettingsSection

Tier: TypeAlias = Literal["free", "pro", "power", "team"]

#: What each tier may have: files of a folder, and tokens of a month; -1 is no limit.
TIERS: Final[dict[Tier, tuple[int, int]]] = {
    "free": (200, 100_000),
    "pro": (5_000, 2_000_000),
    "power": (-1, -1),
    "team": (-1, -1),
}


@frozen(kw_only=True)
class FolderSettings:
    """Settings of scanning and summarising linked folders.

    Attributes:
        tier: The plan whose limits hold: ``free``, ``pro``, ``power`` or ``team``.
        max_files: How many files a folder may have, whatever the tier says; -1 for no limit.
        monthly_tokens: How many tokens a month's summaries may take; -1 for no limit.
        summaries: Who writes summaries: ``extractive`` works on this machine alone; ``model``
            sends the text of files to the model that ``[ai]`` names.
        vision: Whether that model is shown images.
        all_projects: Whether agents in this project see the folders of your other projects, too.
    """

    tier: Tier = field(default="power")
    max_files: int | None = field(default=None)
    monthly_tokens: int | None = field(default=None)
    summaries: Literal["extractive", "model"] = "extractive"
    vision: bool = False
    all_projects: bool = False

    @max_files.validator
    @monthly_tokens.validator
    def _check_limit(self, attribute: object, value: int | None) -> None:
        if value is not None:
            ge(-1)(self, attribute, value)  # type: ignore[arg-type]  # an attribute of this class

    @property
    def file_cap(self) -> int:
        """Maximum number of files in a folder; -1 for no limit."""
        return TIERS[self.tier][0] if self.max_files is None else self.max_files

    @property
    def token_cap(self) -> int:
        """Monthly token budget of summaries; -1 for no limit."""
        return TIERS[self.tier][1] if self.monthly_tokens is None else self.monthly_tokens


@frozen(kw_only=True)
class FolderSourceSettings:
    """The settings of a folder as a source.

    A project's file that nobody vouched for sets none of them: they say what is read.

    Attributes:
        folder: The folder: an absolute path, one below ``~``, or one in the project; the one that
            is linked to the project unless given.
    """

    folder: str = ""


FOLDER: Final = SettingsSection(
    name="folder", settings=FolderSettings, decides="whether a model reads the files of a folder"
)
