"""The identity of a project outside its own folder."""

import os
import re
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from rove_core.project.paths import git_folder
from rove_core.safety.digests import sha256_hex
from rove_core.safety.lazy_pattern import lazy_pattern
from rove_core.store.files import read_file

#: ``git@github.com:acme/api.git``
_AT_HOST: Final = lazy_pattern(r"(?:[^@/\s]+@)?([^:/\s]+):([^/].*|/[^/].*)")
_SECTION: Final = lazy_pattern(r'\[\s*remote\s+"(.+)"\s*\]')
_URL: Final = lazy_pattern(r"url\s*=\s*(.+)", re.IGNORECASE)
#: No settings of a repository are longer.
_LONGEST: Final = 1_000_000


def project_id(root: Path) -> str:
    """Return the id of a project: of its repository's remote if it has one, else of its place.

    A project in a folder of a repository is another one than that of the whole.
    """
    real = Path(os.path.realpath(root))
    for top in (real, *real.parents):
        if git := git_folder(str(top)):
            remote = next(iter(_remotes(Path(git, "config"))), "")
            return _digest(f"{remote}\n{real.relative_to(top)}" if remote else str(real))
    return _digest(str(real))


def project_remotes(root: Path) -> tuple[str, ...]:
    """Return the remotes of a project's repository like ``github.com/acme/api``, origin first."""
    real = Path(os.path.realpath(root))
    for top in (real, *real.parents):
        if git := git_folder(str(top)):
            return _remotes(Path(git, "config"))
    return ()


def checkout_id(root: Path) -> str:
    """Return an id for this checkout of the project on this machine."""
    return _digest(os.path.realpath(root))


def _digest(text: str) -> str:
    return sha256_hex(os.fsencode(text))[:16]


def _remotes(config: Path) -> tuple[str, ...]:
    """Return the addresses of a repository's remotes, however they are spelled, origin first."""
    try:
        lines = read_file(config, most=_LONGEST).decode("utf-8", "replace").splitlines()
    except OSError:
        return ()
    urls: dict[str, str] = {}
    name = ""
    for line in map(str.strip, lines):
        if line.startswith("["):
            section = _SECTION.fullmatch(line)
            name = section[1] if section else ""
        elif name and (found := _URL.fullmatch(line)):
            urls.setdefault(name, found[1])
    first = [urls.pop("origin")] if "origin" in urls else []
    return tuple(dict.fromkeys(filter(None, map(_normal, [*first, *urls.values()]))))


def _normal(url: str) -> str:
    """Return ``github.com/acme/api`` of any address of it; empty where no host is named."""
    url = url.strip('"')
    if "://" in url:
        try:
            parts = urlsplit(url)
            host, path = parts.hostname or "", parts.path
        except ValueError:
            return ""
    elif found := _AT_HOST.fullmatch(url):
        host, path = found.groups()
    else:
        return ""
    path = path.strip("/").removesuffix(".git")
    return f"{host}/{path}".lower() if host else ""
