"""What Rove remembers of a document, between builds."""

import errno
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rove_core.build.write.base import (
    DocumentBase,
    GoneItem,
    ItemName,
    WrittenTopic,
    load_base,
    save_base,
)
from rove_core.build.write.citations import Citation
from rove_core.build.write.merge import BlockRecord
from rove_core.errors import DiskTrouble

BASE = DocumentBase(
    blocks={"title": BlockRecord("ab"), "by:slack:C1/1": BlockRecord("cd", held=True)},
    references=(Citation(1, "https://a.example", "Slack: #a"),),
    topics=(WrittenTopic(ItemName("slack", "C1/1"), "Keys", (ItemName("slack", "C1/1"),)),),
    gone=(GoneItem(ItemName("slack", "C1/1"), datetime(2024, 12, 20, tzinfo=UTC)),),
    is_moved=True,
)


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    """All of it comes back, in its order."""
    save_base(tmp_path / "base.json", BASE)

    loaded = load_base(tmp_path / "base.json") or DocumentBase()

    assert loaded == BASE
    assert list(loaded.blocks) == list(BASE.blocks)


def test_only_its_user_reads_it(tmp_path: Path) -> None:
    """Others have no permission."""
    save_base(tmp_path / "base.json", BASE)

    assert (tmp_path / "base.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", "\udcff", '{"version": 1}', "[" * 100_000, '{"blocks": {"a": 1}}'],
)
def test_what_cannot_be_read_is_lost(tmp_path: Path, text: str) -> None:
    """A damaged file is as good as none."""
    (tmp_path / "base.json").write_bytes(text.encode("utf-8", "surrogateescape"))

    assert load_base(tmp_path / "base.json") is None


def test_what_is_newer_is_lost(tmp_path: Path) -> None:
    """What a later Rove wrote in another way is not guessed at."""
    save_base(tmp_path / "base.json", BASE)
    text = (tmp_path / "base.json").read_text("utf-8")
    (tmp_path / "base.json").write_text(text.replace('"version":1', '"version":2'), "utf-8")

    assert load_base(tmp_path / "base.json") is None


@pytest.mark.parametrize("name", ["none.json", ""])
def test_what_is_not_there_is_lost(tmp_path: Path, name: str) -> None:
    """No file, or a folder in its place."""
    assert load_base(tmp_path / name) is None


def test_what_cannot_be_opened_now_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that may open no more files does not forget what it wrote."""
    save_base(tmp_path / "base.json", BASE)

    def refuse(*_: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refuse)
        with pytest.raises(DiskTrouble, match=r"base\.json cannot be read: Too many open files"):
            load_base(tmp_path / "base.json")
