"""Embedding models, and validation of their vectors."""

from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from rove_code.ranking.arrays import Floats

#: As many numbers as one vector may have.
MOST_NUMBERS: Final = 8192
#: The largest number that a byte with a sign holds on both sides.
_LARGEST: Final = 127


class NoVectors(Exception):  # noqa: N818  # no error: a question is then answered by words alone
    """There are no vectors that can be used.

    Attributes:
        reason: Why, for people.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class UsedUp(NoVectors):
    """There are no more for now: they would cost more than they may."""


class Embedder(Protocol):
    """Turns texts into vectors. Threads may share it."""

    @property
    def name(self) -> str:
        """Its name; vectors of different models are never compared.

        It may raise :class:`NoVectors`.
        """

    @property
    def dimension(self) -> int:
        """Dimension of the vectors; 0 until the first are known.

        It may raise :class:`NoVectors`.
        """

    def embed(self, texts: Sequence[str], deadline: float) -> Floats:
        """Return a row of 32-bit numbers for each text, or raise :class:`NoVectors`.

        Args:
            texts: Them.
            deadline: So many seconds it may take.
        """


def checked(vectors: Floats, count: int, dimension: int) -> Floats:
    """Return the vectors normalised; raise NoVectors if they are invalid.

    Args:
        vectors: What an embedder gave.
        count: For how many texts.
        dimension: How many numbers each must have; 0 if that is not known yet.
    """
    if vectors.ndim != 2 or len(vectors) != count:
        raise NoVectors(f"{len(vectors)} vectors came for {count} texts")
    numbers = vectors.shape[1]
    if not 0 < numbers <= MOST_NUMBERS or (dimension and numbers != dimension):
        expected = f"{dimension} are kept" if dimension else f"1 to {MOST_NUMBERS} make sense"
        raise NoVectors(f"vectors of {numbers} numbers came where {expected}")
    if not np.isfinite(vectors).all():
        raise NoVectors("vectors came with what is not a number")
    # In steps, so that the squares of large numbers are numbers as well.
    scaled = vectors / np.maximum(np.abs(vectors).max(axis=1, keepdims=True), 1e-30)
    lengths = np.linalg.norm(scaled, axis=1, keepdims=True)
    return np.asarray(scaled / np.where(lengths > 0, lengths, 1), np.float32)


def in_bytes(vectors: Floats) -> npt.NDArray[np.int8]:
    """Return the vectors with one byte per number."""
    most = np.abs(vectors).max(axis=1, keepdims=True)
    return np.rint(vectors * (_LARGEST / np.where(most > 0, most, 1))).astype(np.int8)
