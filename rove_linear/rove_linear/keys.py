"""Client-chosen ids that make creation idempotent."""

from hashlib import sha256
from uuid import UUID


def id_of(*parts: str) -> str:
    """Return the id for a key: the same in each attempt and on each machine.

    Linear wants the form of a random UUID.

    Args:
        parts: What is made, where it is made, and the key.
    """
    digest = sha256("\0".join(("rove", *parts)).encode()).digest()
    return str(UUID(bytes=digest[:16], version=4))
