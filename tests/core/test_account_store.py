"""The accounts of a user."""

import multiprocessing
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rove_core.auth.accounts import AccountRecord, AccountStore, resolve_account
from rove_core.errors import UnknownAccount, WrongCall, WrongSetting
from rove_core.items import Identity
from rove_core.wire.json_types import JSON

JIRA = AccountRecord(
    name="jira",
    kind="jira",
    base_url="https://acme.atlassian.net",
    hosts=("acme.atlassian.net",),
    login="token",
    identity=Identity(name='Ann "A" Ü', id="1", reads=("Project TB",), prefixes=("TB",)),
    settings={"rate_limit": 30, "deep": {"a": [1.5, True]}},
)
WORK = AccountRecord(name="slack:work", kind="slack")

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
lists = st.lists(texts, max_size=2).map(tuple)
#: A field of another type needs a line here: what cannot be read back stops every command.
values: dict[object, st.SearchStrategy[object]] = {
    str: texts,
    tuple[str, ...]: lists,
    bool | None: st.none() | st.booleans(),
    datetime | None: st.none(),  # the end of a login is kept with the login
}
drawn = {each.name: values[each.type] for each in attrs.fields(Identity)}
identities = st.builds(Identity, **drawn)
settings: st.SearchStrategy[Mapping[str, JSON]] = st.dictionaries(
    texts, st.one_of(texts, st.integers(), st.booleans(), st.lists(texts, max_size=2)), max_size=3
)
records = st.builds(
    AccountRecord,
    name=st.from_regex(r"[a-z0-9-]{1,5}(:[a-z0-9-]{1,5})?", fullmatch=True),
    kind=st.sampled_from(["jira", "my-notes"]),
    base_url=texts,
    hosts=lists,
    login=texts,
    identity=st.none() | identities,
    settings=settings,
)


@pytest.fixture
def book(tmp_path: Path) -> AccountStore:
    """Give the book of a user who has none yet."""
    return AccountStore(tmp_path / "data")


def test_empty_book(book: AccountStore) -> None:
    """Without a file there is no account, and reading makes none."""
    assert book.accounts() == ()
    assert not book.folder.exists()


def test_add(book: AccountStore) -> None:
    """Accounts are kept in the order in which they were added, in a file nobody else reads."""
    book.add(JIRA)
    book.add(WORK)

    assert book.accounts() == (JIRA, WORK)
    assert book.path.stat().st_mode & 0o777 == 0o600


@given(st.lists(records, max_size=3, unique_by=lambda each: each.name.replace(":", "-")))
def test_round_trip(some: list[AccountRecord]) -> None:
    """Whatever a record holds is read back as it was."""
    with TemporaryDirectory() as folder:
        book = AccountStore(Path(folder))
        for record in some:
            book.add(record)

        assert book.accounts() == tuple(some)


def test_update(book: AccountStore) -> None:
    """An account keeps its place when it is updated."""
    book.add(JIRA)
    book.add(WORK)
    changed = attrs.evolve(JIRA, base_url="https://other.example")
    book.update(changed)

    assert book.accounts() == (changed, WORK)


def test_remove(book: AccountStore) -> None:
    """A removed account is gone; case does not count."""
    book.add(JIRA)
    book.add(WORK)
    book.remove("Slack:Work")

    assert book.accounts() == (JIRA,)


def test_unknown_accounts(book: AccountStore) -> None:
    """What is not there can be neither removed nor updated; the message lists what is."""
    book.add(JIRA)

    with pytest.raises(UnknownAccount, match="no account 'slack'; there are: jira"):
        book.remove("slack")
    with pytest.raises(UnknownAccount, match="no account 'slack:work'; there are: jira"):
        book.update(WORK)


def test_names_are_kept_small() -> None:
    """Case does not count in names."""
    assert AccountRecord(name="Jira:Work", kind="jira").name == "jira:work"


@pytest.mark.parametrize("name", ["", "jira work", "jira:", "a:b:c", "jirä", "../x", "jira\n"])
def test_bad_names(name: str) -> None:
    """A name that could not stand in a setting or a variable is refused."""
    with pytest.raises(WrongCall, match="is not a valid account name"):
        AccountRecord(name=name, kind="jira")


def test_taken_name(book: AccountStore) -> None:
    """A name can be taken once; the hint shows another."""
    book.add(JIRA)

    with pytest.raises(WrongCall, match="there is an account 'jira' already") as caught:
        book.add(JIRA)

    assert "jira:work" in caught.value.hint


def test_clash_in_the_environment(book: AccountStore) -> None:
    """Two names that become one in variables are refused, and both are named."""
    book.add(AccountRecord(name="jira:work", kind="jira"))

    with pytest.raises(WrongCall, match=r"'jira-work' and 'jira:work' .* ROVE_JIRA_WORK_"):
        book.add(AccountRecord(name="jira-work", kind="jira"))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x", 1),
        ("accounts = 1", 1),
        ("[accounts]\njira = 1", 2),
        ("[accounts.jira]", 1),
        ("[accounts.jira]\nkind = 1", 2),
        ("[accounts.jira]\nkind = 'jira'\nhosts = 'x'", 3),
        ("[accounts.jira]\nkind = 'jira'\nname = 'x'", 3),
        ("[accounts.jira]\nkind = 'jira'\nstrange = 'x'", 3),
        ("[accounts.jira]\nkind = 'jira'\n[accounts.jira.identity]\nid = 'x'", 3),
        ("[accounts.jira]\nkind = 'jira'\nsettings = { day = 2024-01-01 }", 3),
        ("[accounts.jira]\nkind = 'jira'\nsettings = 3", 3),
        ("[accounts.'my jira']\nkind = 'jira'", 1),
    ],
)
def test_damaged_book(book: AccountStore, text: str, line: int) -> None:
    """A damaged file is one error with its line, and is never written over."""
    book.folder.mkdir()
    book.path.write_text(text)

    with pytest.raises(WrongSetting, match=rf"accounts\.toml:{line}: ") as caught:
        book.accounts()
    assert "add your accounts again" in caught.value.hint
    with pytest.raises(WrongSetting, match=rf"accounts\.toml:{line}: "):
        book.add(WORK)

    assert book.path.read_text() == text


def _add(folder: Path, number: int) -> None:
    AccountStore(folder).add(AccountRecord(name=f"notes:{number}", kind="notes"))


def test_many_processes(book: AccountStore) -> None:
    """Processes that add accounts at the same time lose none."""
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        pool.starmap(_add, [(book.folder, number) for number in range(12)])

    assert {f"notes:{number}" for number in range(12)} == {each.name for each in book.accounts()}


@pytest.mark.parametrize("text", ["slack:work", "Slack:Work", "slack"])
def test_resolve(text: str) -> None:
    """An account is meant by its name, or by its kind if it is the only one."""
    assert WORK is resolve_account(text, [JIRA, WORK])


def test_resolve_prefers_names() -> None:
    """An account that is named like its kind is meant before others of the kind."""
    other = AccountRecord(name="jira:work", kind="jira")

    assert JIRA is resolve_account("jira", [other, JIRA])


def test_resolve_several() -> None:
    """A kind of which several accounts are in use is not enough; the hint lists them."""
    others = [AccountRecord(name=f"slack:{name}", kind="slack") for name in ("a", "b")]

    with pytest.raises(UnknownAccount, match="'slack' matches several accounts") as caught:
        resolve_account("slack", [JIRA, *others])

    assert caught.value.hint == "Choose one: slack:a or slack:b"


def test_resolve_unknown() -> None:
    """What is not in use is refused with what is."""
    with pytest.raises(UnknownAccount, match="no account 'linear'; there are: jira, slack:work"):
        resolve_account("linear", [JIRA, WORK])
