"""Static word vectors from a local folder; a text's vector is the mean of its words'."""

import os
import threading
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from attrs import define, field, frozen

from rove_code.ranking.arrays import Floats, Ints
from rove_code.vectors.embedder import NoVectors

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_TOKENIZER: Final = "tokenizer.json"
#: What the table of vectors is called in such files, and what may stand beside it.
_TABLES: Final = ("embeddings", "embedding.weight")
_WEIGHTS: Final = "weights"
_ROWS: Final = "mapping"


@frozen(eq=False)
class _Model:
    name: str
    tokenizer: "Tokenizer"
    unknown: int
    table: Floats
    rows: Ints | None
    weights: Floats | None


@define(eq=False)
class StaticEmbedder:
    """Reads ``tokenizer.json`` and one ``.safetensors`` file when it is first asked.

    Attributes:
        folder: Where they are.
    """

    folder: Path
    _model: _Model | None = field(default=None, init=False)
    _turn: threading.Lock = field(factory=threading.Lock, init=False)

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._loaded().name

    @property
    def dimension(self) -> int:
        """Dimension of its vectors."""
        return int(self._loaded().table.shape[1])

    def embed(self, texts: Sequence[str], deadline: float) -> Floats:  # noqa: ARG002  # it takes no time
        """Return the mean word vector of each text; zeros without known words."""
        model = self._loaded()
        encoded = model.tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        words = [[word for word in each.ids if word != model.unknown] for each in encoded]
        return np.stack([_mean(model, np.array(each, np.int64)) for each in words])

    def _loaded(self) -> _Model:
        with self._turn:
            if self._model is None:
                self._model = _load(self.folder)
            return self._model


def _load(folder: Path) -> _Model:
    tokenizer, tables = folder / _TOKENIZER, sorted(folder.glob("*.safetensors"))
    if not tokenizer.is_file() or len(tables) != 1:
        raise NoVectors(f"{folder} needs {_TOKENIZER} and one .safetensors file")
    # It would use all processors, and complain wherever a process is started afterwards.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        return _read(tokenizer, tables[0])
    except ImportError as error:
        raise NoVectors("install rove-code[vectors]: it reads such folders") from error
    except Exception as error:  # both packages raise exceptions of their own making
        raise NoVectors(f"{folder} cannot be read: {error}") from error


def _read(tokenizer_file: Path, table_file: Path) -> _Model:
    from safetensors.numpy import load_file  # noqa: PLC0415  # an extra
    from tokenizers import Tokenizer  # noqa: PLC0415  # an extra

    found = load_file(table_file)
    name = next((each for each in _TABLES if each in found), "")
    if not name or found[name].ndim != 2 or not found[name].size:
        raise NoVectors(f"{table_file} has no table called {' or '.join(_TABLES)}")
    tokenizer = Tokenizer.from_file(str(tokenizer_file))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    digest = sha256(tokenizer_file.read_bytes() + table_file.read_bytes()).hexdigest()[:16]
    unknown = getattr(tokenizer.model, "unk_token", None)
    number = tokenizer.token_to_id(unknown) if unknown else None
    model = _Model(
        f"static {digest}",
        tokenizer,
        -1 if number is None else number,
        found[name],
        found.get(_ROWS),
        found.get(_WEIGHTS),
    )
    _check_words(model)
    return model


def _check_words(model: _Model) -> None:
    """Raise NoVectors if the tokenizer has words that the table lacks."""
    words = model.tokenizer.get_vocab_size(with_added_tokens=True)
    rows = len(model.table) if model.rows is None else len(model.rows)
    beyond = model.rows is not None and int(model.rows.max()) >= len(model.table)
    if words > rows or beyond or (model.weights is not None and words > len(model.weights)):
        raise NoVectors(f"the tokenizer knows {words} words, and the table has {rows}")


def _mean(model: _Model, words: Ints) -> Floats:
    if not words.size:
        return np.zeros(model.table.shape[1], np.float32)
    rows = words if model.rows is None else model.rows[words]
    vectors = model.table[rows].astype(np.float32)
    if model.weights is not None:
        vectors *= model.weights[words][:, None].astype(np.float32)
    return np.asarray(vectors.mean(axis=0), np.float32)
