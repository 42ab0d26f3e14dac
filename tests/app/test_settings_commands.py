"""Settings and the accounts of a project, changed at the command line."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove_core.auth.accounts import AccountRecord, AccountStore

if TYPE_CHECKING:
    from tests.app.conftest import Rove

pytestmark = pytest.mark.usefixtures("empty")


@pytest.fixture
def known() -> None:
    """Let the user have accounts of Jira, connected in some other project."""
    store = AccountStore(Path(os.environ["ROVE_DATA_DIR"]))
    for name in ("jira", "jira:work"):
        store.add(AccountRecord(name=name, kind="jira", base_url="https://acme.example"))


def test_a_source_without_a_login_is_used_at_once(rove: "Rove", empty: Path) -> None:
    """And no more after a word."""
    used, unused = rove("sources", "use", "notes"), rove("sources", "unuse", "notes")

    assert (used.code, used.out) == (0, "this project uses notes\n")
    assert unused.out == "this project uses no account\n"
    assert (empty / ".rove/settings.toml").read_text() == "[sources]\nuse = []\n"


@pytest.mark.usefixtures("known")
def test_an_account_of_another_project_is_used_here(rove: "Rove") -> None:
    """Nobody logs in again."""
    outcome = rove("sources", "use", "jira", "JIRA:work")

    assert (outcome.code, outcome.out) == (0, "this project uses jira, jira:work\n")


@pytest.mark.usefixtures("known")
def test_who_has_accounts_is_told_how_to_use_them(rove: "Rove") -> None:
    """A build in a project without accounts names them."""
    outcome = rove("--ticket", "TB-1")

    assert outcome.code == 7
    assert "rove sources use jira jira:work" in outcome.err


def test_an_account_that_nobody_has(rove: "Rove") -> None:
    """The next command connects it."""
    outcome = rove("sources", "use", "jira")

    assert outcome.code == 7
    assert "rove --add-source jira" in outcome.err


@pytest.mark.usefixtures("known")
def test_one_account_is_the_default(rove: "Rove") -> None:
    """A kind that two accounts are of decides nothing."""
    rove("sources", "use", "jira", "jira:work")
    rove("settings", "set", "sources.default_ticket_source", "jira:work")
    shown = json.loads(rove("sources", "list", "--json").out)

    assert [each["name"] for each in shown if each["default"]] == ["jira:work"]


def test_a_setting_is_set_read_and_removed(rove: "Rove", empty: Path) -> None:
    """What else stands in the file stays."""
    file = empty / ".rove/settings.toml"
    file.parent.mkdir(exist_ok=True)
    file.write_text("# mine\n[ai]\nmax_hops = 1  # few\n")
    rove("settings", "set", "ai.max_hops", "2")
    got = rove("settings", "get", "ai.max_hops")
    written = file.read_text()
    rove("settings", "unset", "ai.max_hops")

    assert (got.code, got.out) == (0, "2\n")
    assert written == "# mine\n[ai]\nmax_hops = 2  # few\n"
    assert file.read_text() == "# mine\n[ai]\n"


def test_a_setting_for_all_projects(rove: "Rove", empty: Path) -> None:
    """It is in the user's own file."""
    outcome = rove("settings", "set", "context.max_tokens", "9000", "--global")

    assert outcome.code == 0
    assert not (empty / ".rove/settings.toml").exists()
    assert rove("settings", "get", "context.max_tokens").out == "9000\n"


def test_a_setting_of_an_account(rove: "Rove", empty: Path) -> None:
    """Its table is made, and the list of settings shows it."""
    rove("sources", "use", "notes")
    rove("settings", "set", "sources.notes.folder", "minutes")

    assert '[sources.notes]\nfolder = "minutes"\n' in (empty / ".rove/settings.toml").read_text()
    assert 'sources.notes.folder = "minutes"  (project .rove/settings.toml:' in rove("settings").out


def test_a_setting_of_an_account_that_this_project_does_not_use(rove: "Rove") -> None:
    """Its default is shown, or what a file sets."""
    default = rove("settings", "get", "sources.jira.rate_limit")
    rove("settings", "set", "sources.jira.rate_limit", "50")
    changed = rove("settings", "get", "sources.jira.rate_limit")

    assert (default.code, default.out) == (0, "100\n")
    assert (changed.code, changed.out) == (0, "50\n")


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("ai.hops", "2", "did you mean"),
        ("ai.max_hops", "many", "ai.max_hops = 'many'"),
        ("ai.max_hops", "99", "max_hops must be between 0 and 10"),
        ("ai.api_key", "CANARY-key", "ai.api_key is a secret"),
        ("sources.notes.depth", "2", "Notes has no setting"),
    ],
)
def test_a_wrong_setting_is_refused(
    rove: "Rove", empty: Path, key: str, value: str, said: str
) -> None:
    """Nothing is written."""
    outcome = rove("settings", "set", key, value)

    assert outcome.code == 2
    assert said in outcome.err
    assert not (empty / ".rove/settings.toml").exists()


def test_a_remark_costs_no_account(rove: "Rove", empty: Path) -> None:
    """Only what decides something must be trusted anew, and that is told."""
    rove("sources", "use", "notes")
    file = empty / ".rove/settings.toml"
    file.write_text(f"# my remark\n{file.read_text()}")
    remarked = rove("trust", "--show")
    file.write_text(file.read_text().replace('"notes"', '"notes", "jira"'))
    changed = rove("trust", "--show")
    built = rove("--ticket", "TB-1")

    assert remarked.out.startswith(".rove/settings.toml is trusted\n")
    assert "changed: sources.use" in changed.out
    assert "changed after you trusted it" in built.err
    assert "rove trust" in built.err


def test_the_seeds_own_file_asks_a_model(rove: "Rove", empty: Path) -> None:
    """Whoever names an endpoint wants it to be asked."""
    file = empty / ".rove/settings.toml"
    file.parent.mkdir(exist_ok=True)
    file.write_text('[ai]\napi_base = "http://localhost:1/v1"\nmodel = "gpt-4o-mini"\n')
    before = rove("settings", "get", "ai.engine").out
    rove("trust", "--yes")

    assert (before, rove("settings", "get", "ai.engine").out) == ("extractive\n", "openai\n")
