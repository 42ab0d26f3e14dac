"""Read a section of the settings files that is this package's own."""

from datetime import timedelta
from typing import Annotated

from attrs import field, frozen
from attrs.validators import ge, le

from rove_core import SAFE, Operation, Project, Secret, SettingsSection, hookimpl


@frozen(kw_only=True)
class DigestSettings:
    """The settings of the weekly digest.

    Attributes:
        depth: How many documents it covers.
        max_age: How old the news in it may be.
        token: What lets it post; better kept in ROVE_DIGEST_TOKEN than in a file.
    """

    depth: int = field(default=10, validator=[ge(1), le(100)], metadata=SAFE)
    max_age: timedelta = field(default=timedelta(days=7), metadata=SAFE)
    token: Secret | None = None


DIGEST = SettingsSection(
    name="digest", settings=DigestSettings, decides="where the digest is posted"
)


@hookimpl
def rove_settings() -> tuple[SettingsSection[DigestSettings], ...]:
    """Bring the section [digest]."""
    return (DIGEST,)


async def digest(
    rove: Project, *, depth: Annotated[int | None, "How many documents it covers."] = None
) -> str:
    """Say what the digest would cover."""
    settings = rove.settings.section(DIGEST)
    return f"{depth or settings.depth} documents, news of {settings.max_age.days} days"


@hookimpl
def rove_operations() -> tuple[Operation, ...]:
    """Bring ``rove digest``."""
    return (Operation(digest, show=str),)
