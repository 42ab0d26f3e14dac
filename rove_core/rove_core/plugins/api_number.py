"""The number of Rove's plugin API, and notes on plugins made for another one.

A plugin may set ``rove_api = 1`` in the module that its entry point names. The number goes up
only when something that plugins use is removed or changes its meaning; hooks and arguments are
added without it. Removals are announced one minor version before.
"""

from collections.abc import Iterator
from types import ModuleType
from typing import Final

from rove_core.errors import PluginFailed

#: The API of this version of Rove.
API_NUMBER: Final = 1
#: The oldest API whose plugins still work.
_OLDEST: Final = 1


def api_number(module: ModuleType) -> int | None:
    """Return the API number that a plugin declares; None if it declares none.

    Raises:
        PluginFailed: It is not a number, or that API is no longer supported.
    """
    api = getattr(module, "rove_api", None)
    if api is None:
        return None
    if not isinstance(api, int) or isinstance(api, bool):
        raise PluginFailed(f"rove_api is {type(api).__name__}, expected a number: rove_api = 1")
    if api < _OLDEST:
        raise PluginFailed(
            f"made for API {api} of Rove, which is no longer supported; this Rove has {API_NUMBER}"
        )
    return api


def api_notes(number: int | None) -> Iterator[str]:
    """Yield notes on a plugin that is made for an API."""
    if number is not None and number > API_NUMBER:
        yield (
            f"made for API {number} of Rove, this one has {API_NUMBER}: "
            "pip install --upgrade rove-core"
        )
    elif number is not None and number < API_NUMBER:
        yield f"made for API {number} of Rove, which is deprecated; this Rove has {API_NUMBER}"
