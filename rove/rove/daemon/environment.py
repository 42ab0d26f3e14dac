"""Whether two processes would do the same work: what of their environments decides it."""

import hashlib
import os
import re
from typing import Final

#: The header by which a caller says what its environment is like.
HEADER: Final = "rove-environment"

_DECIDES: Final = re.compile(
    r"ROVE_.+|.+_(TOKEN|API_KEY)|(HTTPS?|ALL|NO)_PROXY|SSL_CERT_(FILE|DIR)", re.IGNORECASE
)
#: They decide how a command is run, not what it does.
_DECIDES_NOTHING: Final = frozenset({"ROVE_DAEMON", "ROVE_DEBUG"})


def environment_digest() -> str:
    """Return a digest of the log-ins, settings, proxies and authorities in the environment."""
    deciding = sorted(
        (name, value)
        for name, value in os.environ.items()
        if value and name not in _DECIDES_NOTHING and _DECIDES.fullmatch(name)
    )
    told = "".join(f"{len(text)}:{text}" for pair in deciding for text in pair)
    return hashlib.sha256(told.encode(errors="surrogateescape")).hexdigest()
