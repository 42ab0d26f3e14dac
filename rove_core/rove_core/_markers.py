"""The marker of hooks that a plugin implements, the same as pluggy's, without importing pluggy.

Every package of a plugin marks its hooks at import, and most commands call none of them: they
need a package's operations or its settings alone.
"""

from collections.abc import Callable
from typing import Final, TypeVar, overload

#: Where pluggy looks for the options of a hook of the project "rove".
_ATTRIBUTE: Final = "rove_impl"

_Hook = TypeVar("_Hook", bound=Callable[..., object])


@overload
def hookimpl(
    function: _Hook,
    *,
    wrapper: bool = ...,
    hookwrapper: bool = ...,
    optionalhook: bool = ...,
    tryfirst: bool = ...,
    trylast: bool = ...,
    specname: str | None = ...,
) -> _Hook: ...


@overload
def hookimpl(
    function: None = ...,
    *,
    wrapper: bool = ...,
    hookwrapper: bool = ...,
    optionalhook: bool = ...,
    tryfirst: bool = ...,
    trylast: bool = ...,
    specname: str | None = ...,
) -> Callable[[_Hook], _Hook]: ...


def hookimpl(  # noqa: PLR0913  # the options of pluggy's own
    function: _Hook | None = None,
    *,
    wrapper: bool = False,
    hookwrapper: bool = False,
    optionalhook: bool = False,
    tryfirst: bool = False,
    trylast: bool = False,
    specname: str | None = None,
) -> _Hook | Callable[[_Hook], _Hook]:
    """Mark a function as the implementation of a hook; the options are those of pluggy."""

    def mark(hook: _Hook) -> _Hook:
        options = {
            "wrapper": wrapper,
            "hookwrapper": hookwrapper,
            "optionalhook": optionalhook,
            "tryfirst": tryfirst,
            "trylast": trylast,
            "specname": specname,
        }
        setattr(hook, _ATTRIBUTE, options)
        return hook

    return mark if function is None else mark(function)
