"""Which plugin API a package is made for, and what Rove makes of that."""

from types import ModuleType

import pytest

from rove_core import LoginWay, SourceKind
from rove_core.plugins.loader import use_plugins
from rove_core.testing.reference import ReferenceSettings


def plugin(**said: object) -> ModuleType:
    """Return a plugin that brings nothing and says something of its API."""
    module = ModuleType("rove_empty")
    vars(module).update(said)
    return module


@pytest.mark.parametrize(("said", "api"), [({"rove_api": 1}, 1), ({}, None)])
def test_a_plugin_for_this_rove(said: dict[str, object], api: int | None) -> None:
    """There is nothing to say of it, whether it gives the number or not."""
    (found,) = use_plugins([plugin(**said)]).working

    assert (found.api, found.notes) == (api, ())


def test_a_plugin_for_a_newer_rove() -> None:
    """It is used, with a note that says what to upgrade."""
    (found,) = use_plugins([plugin(rove_api=2)]).working

    assert found.notes == (
        "made for API 2 of Rove, this one has 1: pip install --upgrade rove-core",
    )


@pytest.mark.parametrize(
    ("said", "error"),
    [
        (0, "made for API 0 of Rove, which is no longer supported; this Rove has 1"),
        ("1", "rove_api is str, expected a number: rove_api = 1"),
    ],
)
def test_a_plugin_that_cannot_be_used(said: object, error: str) -> None:
    """It is broken, and says why."""
    (found,) = use_plugins([plugin(rove_api=said)]).broken

    assert found.error == error


def test_the_page_of_a_login_may_follow_the_address() -> None:
    """People who host a vendor's product get their own page, not that of the public site."""
    fixed = LoginWay(name="token", title="Token", url="https://acme.example/tokens")
    own = LoginWay(name="token", title="Token", url=lambda base_url: f"{base_url}/tokens")

    assert fixed.page("https://own.example") == "https://acme.example/tokens"
    assert own.page("https://own.example") == "https://own.example/tokens"


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("acme/api#12", ("#12", "pull/12")),
        ("acme/api#1", ("pull/1",)),
        ("acme/api@0123abc", ()),
        ("other", ()),
    ],
)
def test_how_else_people_write_an_id(text: str, forms: tuple[str, ...]) -> None:
    """A source says so in terms of its ids' pattern; a single digit alone tells nothing."""
    kind = SourceKind(
        name="acme",
        title="Acme",
        settings=ReferenceSettings,
        id_pattern=r"[^#@]+(?:#(?P<number>\d+)|@(?P<sha>[0-9a-f]+))",
        id_forms=("#{number}", "pull/{number}"),
        connect=lambda *_: None,  # type: ignore[arg-type]  # never called
    )

    assert kind.forms_of(text) == forms


def test_a_form_of_ids_that_the_pattern_does_not_know() -> None:
    """The author hears of it when the package is loaded."""
    with pytest.raises(ValueError, match=r"id_forms '#\{nr\}' names 'nr', which is no group"):
        SourceKind(
            name="acme",
            title="Acme",
            settings=ReferenceSettings,
            id_pattern=r"(?P<number>\d+)",
            id_forms=("#{nr}",),
            connect=lambda *_: None,  # type: ignore[arg-type]  # never called
        )


def test_an_id_pattern_that_is_none() -> None:
    """It is refused where it stands, not when somebody types an id."""
    with pytest.raises(ValueError, match=r"id_pattern '\(' is not a regular expression"):
        SourceKind(
            name="x",
            title="X",
            settings=ReferenceSettings,
            connect=lambda *_: None,  # type: ignore[arg-type]  # never called
            id_pattern="(",
        )
