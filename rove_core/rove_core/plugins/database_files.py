"""Databases that a package declares, so that ``rove doctor`` can check them."""

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path
from typing import Final

from attrs import field, frozen
from attrs.validators import matches_re

from rove_core.errors import PluginFailed

_NAME: Final = re.compile(r"[\w.*-]+(?:/[\w.*-]+)*\.db")


def _no_way_out(_: object, __: object, value: str) -> None:
    if not _NAME.fullmatch(value) or ".." in value:
        raise PluginFailed(f"{value!r} is not the name of a database file like notes.db")


@frozen(kw_only=True)
class DatabaseFiles:
    """Databases of a package: :class:`PackageDatabase` files with the same migrations.

    Attributes:
        files: Their path below a folder of the package (see :func:`state_folder`), or in ``.rove``
            itself; ``*`` stands for any characters: ``bookmarks.db``, ``projects/*.db``.
        migrations: The import path of their migrations: ``package.module:NAME``. It is imported
            only to check a database.
    """

    files: str = field(validator=_no_way_out)
    migrations: str = field(validator=matches_re(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*"))

    def has(self, path: Path, folder: Path) -> bool:
        """Return whether a file is one of them.

        Args:
            path: The file.
            folder: The package's folder that contains it.
        """
        return path.is_relative_to(folder) and fnmatchcase(
            path.relative_to(folder).as_posix(), self.files
        )

    def version(self) -> int:
        """Return the newest version that the installed package can use."""
        place, _, name = self.migrations.partition(":")
        migrations = getattr(import_module(place), name)
        if not isinstance(migrations, Sequence) or isinstance(migrations, str):
            raise PluginFailed(f"{self.migrations} is not a sequence of migrations")
        return len(migrations)
