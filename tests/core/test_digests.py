"""Digests of short texts."""

import hashlib

import pytest

from rove_core.safety.digests import sha256_hex


@pytest.mark.parametrize(
    "data", [b"", b"rove", bytes(range(256)) * 999], ids=["none", "word", "long"]
)
def test_it_is_what_everybody_else_computes(data: bytes) -> None:
    """Records that were written with ``hashlib`` are found again."""
    assert sha256_hex(data) == hashlib.sha256(data).hexdigest()
