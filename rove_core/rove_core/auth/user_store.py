"""The user's credential store, as configured in the settings."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rove_core.auth.credentials import CredentialStore
    from rove_core.project.local import LocalProject


async def user_store(project: "LocalProject") -> "CredentialStore":
    """Return the credential store that the settings name."""
    from rove_core.auth.credentials import choose_store  # noqa: PLC0415  # it loads asyncio

    settings = project.settings.credentials
    return await choose_store(
        settings.backend,
        data_dir=project.places.data_dir,
        location=settings.location,
        project=project.places.root,
        clock=project.clock,
    )
