"""Vectors from a folder on this machine, made as the tools that publish such folders make them."""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

from rove_code.ranking.arrays import Floats, Ints
from rove_code.vectors.embedder import NoVectors, checked, in_bytes
from rove_code.vectors.static import StaticEmbedder

tokenizers = pytest.importorskip("tokenizers", reason="the extra rove-code[vectors]")
numpy_files = pytest.importorskip("safetensors.numpy", reason="the extra rove-code[vectors]")

WORDS = {"[UNK]": 0, "pay": 1, "purse": 2, "rain": 3}
TABLE = np.array([[9, 9], [1, 0], [0.5, 0.5], [0, 1]], np.float16)
Make = Callable[[Mapping[str, Floats | Ints]], StaticEmbedder]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Return what makes a folder, and an embedder that reads it."""

    def made(tables: Mapping[str, Floats | Ints]) -> StaticEmbedder:
        model = tokenizers.models.WordLevel(WORDS, unk_token="[UNK]")  # noqa: S106  # a word
        tokenizer = tokenizers.Tokenizer(model)
        tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
        tokenizer.save(str(tmp_path / "tokenizer.json"))
        numpy_files.save_file(dict(tables), tmp_path / "model.safetensors")
        return StaticEmbedder(tmp_path)

    return made


@pytest.mark.parametrize("name", ["embeddings", "embedding.weight"])
def test_a_text_is_the_mean_of_its_words(make: Make, name: str) -> None:
    """Words that are not known do not count; of none at all there are zeros."""
    found = make({name: TABLE}).embed(["pay rain", "purse is", "nothing", ""], 1.0)

    assert found.tolist() == [[0.5, 0.5], [0.5, 0.5], [0, 0], [0, 0]]
    assert found.dtype == np.float32


def test_words_may_have_weights_and_share_vectors(make: Make) -> None:
    """As folders have it whose tables were made smaller."""
    tables: dict[str, Floats | Ints] = {
        "embeddings": TABLE[1:],
        "mapping": np.array([0, 0, 0, 2], np.int32),
        "weights": np.array([1, 1, 3, 2], np.float32),
    }

    assert make(tables).embed(["pay", "purse", "rain"], 1.0).tolist() == [[1, 0], [3, 0], [0, 2]]


def test_its_name_is_that_of_its_content(make: Make) -> None:
    """Another table in the same place is another embedder."""
    first = make({"embeddings": TABLE})
    before, dimension = first.name, first.dimension

    assert make({"embeddings": TABLE}).name == before
    assert make({"embeddings": TABLE * 2}).name != before
    assert dimension == 2


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ({"other": TABLE}, "has no table called embeddings or embedding.weight"),
        ({"embeddings": TABLE[:2]}, "knows 4 words, and the table has 2"),
        ({"embeddings": TABLE[0]}, "has no table called"),
        ({"embeddings": TABLE, "mapping": np.array([0, 1, 2, 9])}, "knows 4 words"),
        ({"embeddings": TABLE, "weights": np.ones(2)}, "knows 4 words"),
    ],
)
def test_what_does_not_fit_is_refused(
    make: Make, tables: Mapping[str, Floats | Ints], said: str
) -> None:
    """It is said once it is asked, and not by an index out of range."""
    with pytest.raises(NoVectors, match=said):
        make(tables).embed(["pay"], 1.0)


@pytest.mark.parametrize("broken", ["tokenizer.json", "model.safetensors"])
def test_a_damaged_file(make: Make, tmp_path: Path, broken: str) -> None:
    """Whatever is in it, there are no vectors and no other error."""
    embedder = make({"embeddings": TABLE})
    (tmp_path / broken).write_bytes(b"\xff" * 100)

    with pytest.raises(NoVectors, match="cannot be read"):
        embedder.embed(["pay"], 1.0)


def test_a_folder_that_holds_none(tmp_path: Path) -> None:
    """What is missing is named; nothing is fetched."""
    with pytest.raises(NoVectors, match=r"needs tokenizer\.json and one \.safetensors file"):
        StaticEmbedder(tmp_path).embed(["pay"], 1.0)


def test_a_byte_for_each_number_keeps_the_direction() -> None:
    """The cosine of two vectors changes by little."""
    made = np.random.default_rng(1).normal(size=(50, 256)).astype(np.float32)
    vectors = checked(made * np.float32(1e30), 50, 256)
    small = in_bytes(vectors).astype(np.float32)
    small /= np.linalg.norm(small, axis=1, keepdims=True)

    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(50), abs=1e-5)
    assert np.abs(small @ small.T - vectors @ vectors.T).max() < 0.02
