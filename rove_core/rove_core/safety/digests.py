"""SHA-256 of short texts, without loading OpenSSL.

``hashlib`` loads OpenSSL, which takes a quarter of the time that Python needs to start. Quick
commands take Python's own module instead, as the standard library does in ``random``.
"""

import sys


def sha256_hex(data: bytes) -> str:
    """Return the SHA-256 of some bytes as hexadecimal digits."""
    name = "_sha2" if sys.version_info >= (3, 12) else "_sha256"
    try:
        digest = __import__(name).sha256
    except ImportError:  # This Python was built without it.
        from hashlib import sha256 as digest  # noqa: PLC0415  # it loads OpenSSL
    return str(digest(data).hexdigest())
