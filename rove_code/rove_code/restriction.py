"""Repositories reduced to some of their folders, for people who may not see the rest.

Nothing outside of the folders takes part: neither in ranking, nor in sentences about types, nor in
what is said to be near when nothing fits.
"""

from collections.abc import Sequence

from attrs import evolve

from rove_code.model import Version
from rove_code.ranking.corpus import CodeCorpus
from rove_code.repository_cache import LoadedRepositories


def restricted(loaded: LoadedRepositories, folders: Sequence[str]) -> LoadedRepositories:
    """Return repositories as if they had nothing but some folders.

    Args:
        loaded: The repositories.
        folders: Folders or files, relative to each repository.
    """
    prefixes = tuple(folder.strip("/") for folder in folders)
    indexed = tuple(evolve(each, version=_only(each.version, prefixes)) for each in loaded.indexed)
    corpus = CodeCorpus.of(indexed, loaded.commits, previous=loaded.corpus)
    return evolve(loaded, indexed=indexed, corpus=corpus)


def _only(version: Version, folders: Sequence[str]) -> Version:
    files = tuple(each for each in version.files if _is_in(each.path, folders))
    skipped = tuple(each for each in version.skipped if _is_in(each.path, folders))
    return evolve(version, files=files, skipped=skipped)


def _is_in(path: str, folders: Sequence[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)
