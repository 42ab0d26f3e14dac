"""Whose a kind of source is: a login goes to no other package than the one that it was made for."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rove_core.auth.accounts import AccountRecord, AccountStore, kind_owners
from rove_core.errors import PluginFailed
from rove_core.plugins.loader import Plugins, load_plugins
from rove_core.project.opener import open_project

Install = Callable[..., None]

#: A package that brings the kind "wiki".
WIKI = """
from rove_core import CommonSettings, SourceHooks, SourceKind, hookimpl

class Wiki(SourceHooks):
    @hookimpl
    async def rove_item_detail(self, ref):
        return None

@hookimpl
def rove_sources():
    kind = SourceKind(
        name="wiki", title="Wiki", settings=CommonSettings, connect=lambda *_: Wiki()
    )
    return [kind]
"""


@pytest.fixture
def book(monkeypatch: pytest.MonkeyPatch) -> AccountStore:
    """Return the user's accounts, and load only the packages of the test."""
    names = ["aaa-wiki", "acme-wiki", "rove-wiki", "wiki"]
    monkeypatch.setenv("ROVE_LOAD_PLUGINS", ",".join(names))
    return AccountStore(Path(os.environ["ROVE_DATA_DIR"]))


def brings(plugins: Plugins) -> str:
    """Return the distribution that brings the kind "wiki"; empty if none does."""
    return plugins.distribution_of("wiki")


def refusals(plugins: Plugins) -> dict[str, str]:
    """Return why plugins are refused, by their distributions."""
    return {each.distribution: each.error for each in plugins.broken}


@pytest.mark.usefixtures("book")
def test_the_package_named_after_a_kind_has_it(install_plugin: Install) -> None:
    """A stranger that sorts before it is refused, and told whose it is."""
    install_plugin("aaa-wiki", text=WIKI)
    install_plugin("rove-wiki", text=WIKI)

    plugins = load_plugins()

    assert brings(plugins) == "rove-wiki"
    assert refusals(plugins) == {
        "aaa-wiki": "provides the source 'wiki', which belongs to rove-wiki"
    }


@pytest.mark.usefixtures("book")
def test_also_when_that_package_is_broken(install_plugin: Install) -> None:
    """Nobody takes its place."""
    install_plugin("aaa-wiki", text=WIKI)
    install_plugin("rove-wiki", text="raise KeyError('wiki')")

    plugins = load_plugins()

    assert brings(plugins) == ""
    assert "aaa-wiki" in refusals(plugins)


@pytest.mark.usefixtures("book")
def test_two_strangers_are_both_refused(install_plugin: Install) -> None:
    """Each is told of the other, and a kind that neither has cannot be connected."""
    install_plugin("aaa-wiki", text=WIKI)
    install_plugin("acme-wiki", text=WIKI)

    plugins = load_plugins()

    assert brings(plugins) == ""
    assert refusals(plugins) == {
        "aaa-wiki": "provides the source 'wiki', and so does acme-wiki; uninstall all but one",
        "acme-wiki": "provides the source 'wiki', and so does aaa-wiki; uninstall all but one",
    }
    with pytest.raises(PluginFailed, match="and so does acme-wiki"):
        plugins.kind("wiki")


def test_the_package_that_made_an_account_has_its_kind(
    install_plugin: Install, book: AccountStore
) -> None:
    """Even if another one is named after it."""
    book.add(AccountRecord(name="wiki", kind="wiki", distribution="acme-wiki"))
    install_plugin("acme-wiki", text=WIKI)
    install_plugin("rove-wiki", text=WIKI)

    plugins = load_plugins()

    assert brings(plugins) == "acme-wiki"
    assert refusals(plugins) == {
        "rove-wiki": "provides the source 'wiki', which belongs to acme-wiki"
    }


def test_an_account_is_not_given_to_a_lone_stranger(
    install_plugin: Install, book: AccountStore
) -> None:
    """Where the package that made it is gone, whoever brings its kind now is refused."""
    book.add(AccountRecord(name="wiki", kind="wiki", distribution="rove-wiki"))
    install_plugin("aaa-wiki", text=WIKI)

    plugins = load_plugins()

    assert brings(plugins) == ""
    with pytest.raises(PluginFailed, match="which belongs to rove-wiki"):
        plugins.kind("wiki")


@pytest.mark.anyio
async def test_an_account_of_an_older_rove_is_adopted(
    install_plugin: Install, book: AccountStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It remembers who brings its kind when it is used the first time."""
    book.add(AccountRecord(name="wiki", kind="wiki"))
    monkeypatch.setenv("ROVE_SOURCES_USE", "wiki")
    install_plugin("acme-wiki", text=WIKI)
    before = kind_owners(book.folder)

    async with open_project(tmp_path):
        pass

    assert (before, kind_owners(book.folder)) == ({}, {"wiki": "acme-wiki"})


def test_damaged_accounts_own_nothing(book: AccountStore) -> None:
    """Who connects an account says what is wrong with the file; plugins are loaded before."""
    book.folder.mkdir(parents=True, exist_ok=True)
    book.path.write_text("this is no TOML")

    assert kind_owners(book.folder) == {}
