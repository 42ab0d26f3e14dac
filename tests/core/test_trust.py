"""Whose word a project's settings file is."""

from pathlib import Path

import attrs
import pytest

from rove_core.project.layout import ProjectPaths
from rove_core.project.trust import (
    changes_since_trusted,
    forget_trust,
    is_trusted,
    record_trust,
)

DATA = b"[sources]\nuse = ['jira']\n"


def record(places: ProjectPaths) -> Path:
    """Return the file that holds the only record."""
    (path,) = (places.data_dir / "trust").iterdir()
    return path


def test_nothing_is_trusted_at_first(places: ProjectPaths) -> None:
    """A file that nobody vouched for is not trusted, and asking leaves no trace."""
    assert not is_trusted(places, DATA)
    assert not places.data_dir.exists()


@pytest.mark.parametrize(
    "data",
    [
        DATA + b"# a remark\n",
        b"[context]\nmax_tokens = 9000\n" + DATA,
        b'[sources]\nuse = [\n  "jira",\n]\n',
    ],
)
def test_what_decides_nothing_may_change(places: ProjectPaths, data: bytes) -> None:
    """Remarks, spelling and harmless settings leave the trust as it is."""
    record_trust(places, DATA)

    assert is_trusted(places, data)


@pytest.mark.parametrize(
    ("data", "change"),
    [
        (b"[sources]\nuse = ['slack']\n", "changed: sources.use"),
        (DATA + b"[ai]\nmodel = 'm'\n", "added: ai.model"),
        (b"", "removed: sources.use"),
        (DATA + b"[sources.jira]\nurl = 1\n", "added: ("),
    ],
)
def test_any_other_change_ends_the_trust(places: ProjectPaths, data: bytes, change: str) -> None:
    """What changed can be told."""
    record_trust(places, DATA)

    assert not is_trusted(places, data)
    (told,) = changes_since_trusted(places, data)
    assert told.startswith(change)


def test_a_secret_is_not_in_the_record(places: ProjectPaths) -> None:
    """Only that it changed can be told."""
    record_trust(places, b"[ai]\napi_key = 'CANARY-1'\n")
    (change,) = changes_since_trusted(places, b"[ai]\napi_key = 'CANARY-2'\n")

    assert change == "changed: ai.api_key"
    assert b"CANARY" not in record(places).read_bytes()


def test_trust_is_for_one_project(places: ProjectPaths, tmp_path: Path) -> None:
    """The same file in another project is another matter."""
    record_trust(places, DATA)

    assert not is_trusted(attrs.evolve(places, root=tmp_path / "other"), DATA)


def test_trust_is_by_the_real_path(places: ProjectPaths, tmp_path: Path) -> None:
    """A project that is reached over a link is the same project."""
    record_trust(places, DATA)
    (tmp_path / "link").symlink_to(places.root)

    assert is_trusted(attrs.evolve(places, root=tmp_path / "link"), DATA)


def test_trust_is_outside_the_project(places: ProjectPaths) -> None:
    """The record is private, and out of reach of whoever writes the project."""
    record_trust(places, DATA)

    assert record(places).stat().st_mode & 0o777 == 0o600
    assert not list(places.rove.iterdir())


def test_trust_can_end(places: ProjectPaths) -> None:
    """Trust that is forgotten is gone; forgetting twice does nothing."""
    record_trust(places, DATA)
    forget_trust(places)
    forget_trust(places)

    assert not is_trusted(places, DATA)


@pytest.mark.parametrize("damage", [b"", b"\xff\x00", b"0" * 64])
def test_damaged_record(places: ProjectPaths, damage: bytes) -> None:
    """A damaged record trusts nothing, and the next one replaces it."""
    record_trust(places, DATA)
    record(places).write_bytes(damage)
    believed = is_trusted(places, DATA)
    record_trust(places, DATA)

    assert not believed
    assert is_trusted(places, DATA)


def test_folder_for_a_record(places: ProjectPaths) -> None:
    """A record that cannot be read trusts nothing."""
    record_trust(places, DATA)
    path = record(places)
    path.unlink()
    path.mkdir()

    assert not is_trusted(places, DATA)
