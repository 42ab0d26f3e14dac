"""The texts of an account that the indexes of projects have beyond the quotes in documents."""

from collections.abc import Sequence

from rove_core.errors import RoveError
from rove_core.project.layout import ProjectPaths
from rove_core.project.trust import trusted_projects
from rove_core.store.account_removal import forget_unquoted


def forget_texts(places: ProjectPaths, account: str) -> Sequence[str]:
    """Erase them in this project and in all trusted ones; return why that failed, a note each."""
    folders = {places.root.resolve(), *trusted_projects(places.data_dir)}
    notes = list[str]()
    for index in (folder / ".rove" / "index.db" for folder in sorted(folders)):
        try:
            forget_unquoted(index, account)
        except (OSError, RoveError) as error:
            notes.append(
                f"texts of {account} may still be in {index}: {error}. Remove it: rove purge"
            )
    return notes
