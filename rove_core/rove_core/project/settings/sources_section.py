"""The section ``[sources]``: most commands read no other of the core's own."""

from collections.abc import Iterable

from attrs import field, frozen

from rove_core.auth.account_names import is_account_name
from rove_core.project.settings.plugin_section import SAFE


def _names(_: object, __: object, value: str | tuple[str, ...]) -> None:
    for name in (value,) if isinstance(value, str) else value:
        if name and not is_account_name(name):
            raise ValueError(f"{name!r} is not an account name, like jira or jira:work")


def _lower(name: str) -> str:
    return name.lower()


def _all_lower(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(_lower, names))


@frozen(kw_only=True)
class SourcesSettings:
    """Accounts that a project uses.

    Attributes:
        default_ticket_source: The account, or the kind of source, that tickets are looked up in.
        use: The accounts this project may search; no other is ever asked.
    """

    default_ticket_source: str = field(
        default="", converter=_lower, validator=_names, metadata=SAFE
    )
    use: tuple[str, ...] = field(default=(), converter=_all_lower, validator=_names)
