"""Load the public names of a package when they are first used."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def lazy(
    package: str, homes: "Mapping[str, Sequence[str]]"
) -> "tuple[Callable[[str], object], Callable[[], list[str]]]":
    """Return ``__getattr__`` and ``__dir__`` for a package that loads its names from modules.

    Args:
        package: The package's ``__name__``.
        homes: The names that each module offers, by the module's name below the package.
    """
    home_of = {name: module for module, names in homes.items() for name in names}

    def getattr_(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module  # noqa: PLC0415  # the fast path never comes here

        return getattr(import_module(f"{package}.{home_of[name]}"), name)

    return getattr_, lambda: sorted(home_of)
