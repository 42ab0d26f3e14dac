"""A digest of the environment variables that affect what Rove does."""

import hashlib
import os
import re
from typing import Final

from rove_core.project.paths import config_dir, data_dir

#: The header by which a caller says what its environment is like.
HEADER: Final = "rove-environment"

_DECIDES: Final = re.compile(
    r"ROVE_.+|.+_(TOKEN|API_KEY)|(HTTPS?|ALL|NO)_PROXY|SSL_CERT_(FILE|DIR)", re.IGNORECASE
)
#: They decide how a command is run, not what it does; and where the user's folders are, which
#: other variables decide as well.
_DECIDES_NOTHING: Final = frozenset(
    {"ROVE_DAEMON", "ROVE_DEBUG", "ROVE_ISOLATION", "ROVE_DATA_DIR", "ROVE_CONFIG_DIR"}
)


def environment_digest() -> str:
    """Return a digest of the logins, settings, proxies and authorities in the environment."""
    deciding = sorted(
        (name, value)
        for name, value in os.environ.items()
        if value and name not in _DECIDES_NOTHING and _DECIDES.fullmatch(name)
    )
    deciding += [("accounts", data_dir()), ("settings", config_dir())]
    payload = "".join(f"{len(text)}:{text}" for pair in deciding for text in pair)
    return hashlib.sha256(payload.encode(errors="surrogateescape")).hexdigest()
