"""What is kept of vectors, and until when."""

from pathlib import Path

import pytest

from rove_code.vectors.vector_store import Vector, VectorStore


@pytest.fixture
def kept(tmp_path: Path) -> VectorStore:
    """Return an empty database."""
    return VectorStore(tmp_path / "code-vectors.db")


def test_nothing_is_kept_before_there_is_anything(kept: VectorStore) -> None:
    """To look makes no file."""
    assert (kept.dimension("e"), kept.trouble("e"), dict(kept.counts("e"))) == (0, "", {})
    assert not kept.path.exists()


def test_what_is_kept_is_found_by_content_and_embedder(kept: VectorStore) -> None:
    """Each embedder has its own; what was kept first stays."""
    kept.add("e", 2, [Vector("a:python", 0, b"\1\2"), Vector("a:python", 1, b"\3\4")])
    kept.add("e", 2, [Vector("a:python", 1, b"\5\6"), Vector("b:", 0, b"\7\7")])
    kept.add("f", 1, [Vector("a:python", 0, b"\1")])

    assert dict(kept.counts("e")) == {"a:python": 2, "b:": 1}
    assert list(kept.find("e", ["a:python"])) == [
        Vector("a:python", 0, b"\1\2"),
        Vector("a:python", 1, b"\3\4"),
    ]
    assert (kept.dimension("e"), kept.dimension("f")) == (2, 1)


def test_the_last_trouble_is_kept_until_something_works(kept: VectorStore) -> None:
    """Another process can say what went wrong."""
    kept.note("e", "it does not answer")
    told = kept.trouble("e")
    kept.add("e", 1, [Vector("a:", 0, b"\1")])

    assert (told, kept.trouble("e")) == ("it does not answer", "")


def test_what_is_gone_is_removed(kept: VectorStore) -> None:
    """Of contents that nobody has any more no vector stays."""
    kept.add("e", 1, [Vector("a:", 0, b"\1"), Vector("b:", 0, b"\1")])
    kept.sweep(lambda keys: keys & {"b:"})

    assert dict(kept.counts("e")) == {"b:": 1}
    assert list(kept.find("e", ["a:", "b:"])) == [Vector("b:", 0, b"\1")]
