"""Validate the results of plugin hooks, and name the plugin if one is wrong."""

from typing import Final, TypeVar

from rove_core.errors import PluginFailed, RoveError
from rove_core.items import ContextItem, ItemRef, Section
from rove_core.listing import ListedChange
from rove_core.plugins.calls import blame
from rove_core.plugins.item_validation import Misfit, check_reference, fitted
from rove_core.plugins.limits import MOST_CURSOR, MOST_TEXT, MOST_TEXT_OF_HIT
from rove_core.plugins.reports import current_reports
from rove_core.plugins.watchdog import step

Result = TypeVar("Result")

#: Exceptions that count as a plugin's own where Rove may be cancelled.
ITS_OWN: Final = (Exception, SystemExit, GeneratorExit)


def item_of(account: str, hook: str, value: object, *, by: str = "") -> ContextItem:
    """Return an item from a plugin, validated and cut to the limits."""
    item, name = expect(by or account, hook, value, ContextItem), by or account
    try:
        with step(name, hook):  # The item may run code of the plugin.
            fitting, cut = fitted(
                item, text=MOST_TEXT_OF_HIT if hook == "rove_search" else MOST_TEXT
            )
    except Misfit as wrong:
        raise PluginFailed(f"{name}: {hook} gave an item {wrong}", account=account) from None
    except ITS_OWN as error:
        raise blame(name, error, hook) from error
    for each in cut:
        current_reports().note(name, hook, f"gave {each} for {fitting.ref.id}: cut")
    check_owner(account, hook, fitting.ref, by=by)
    return fitting


def reference_of(account: str, value: object, *, hook: str = "rove_recognise") -> ItemRef:
    """Return a reference from a source, validated."""
    ref = expect(account, hook, value, ItemRef)
    try:
        check_reference(ref)
    except Misfit as wrong:
        message = f"{account}: {hook} gave a reference {wrong}"
        raise PluginFailed(message, account=account) from None
    return ref


def change_of(account: str, value: object) -> ListedChange:
    """Return a step of a listing, validated but for its item."""
    hook = "rove_list"
    change = expect(account, hook, value, ListedChange)
    if len(expect(account, hook, change.cursor, str)) > MOST_CURSOR:
        raise PluginFailed(
            f"{account}: rove_list gave a cursor of more than {MOST_CURSOR} characters",
            account=account,
        )
    if change.gone is not None:
        check_owner(account, hook, reference_of(account, change.gone, hook=hook))
    return change


def check_section(name: str, section: Section) -> None:
    """Raise :class:`PluginFailed` unless a section consists of texts."""
    for part in (section.heading, section.content):
        if not isinstance(part, str):
            raise PluginFailed(
                f"{name}: rove_sections gave a section with {type(part).__name__} instead of str",
                account=name,
            )


def reason_of(name: str, error: RoveError) -> str:
    """Return an error's message without the leading name."""
    return error.message.removeprefix(f"{name}: ")


def check_owner(account: str, hook: str, ref: ItemRef, *, by: str = "") -> None:
    """Raise :class:`PluginFailed` unless an item belongs to the queried account."""
    if ref.account != account:
        raise PluginFailed(
            f"{by or account}: {hook} gave {ref.id!r} of the account {ref.account!r}",
            account=account,
        )


def expect(who: str, hook: str, value: object, expected: type[Result]) -> Result:
    """Return a hook's result, or raise :class:`PluginFailed` if its class is wrong."""
    if not isinstance(value, expected):
        raise PluginFailed(
            f"{who}: {hook} gave {type(value).__name__} instead of {expected.__name__}",
            account=who,
        )
    return value
