"""``rove trust``: a person reads what a file wants, and then it counts, until it changes."""

import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove.operations import trust
from rove_core.terminal import tables

if TYPE_CHECKING:
    from tests.app.conftest import Outcome, Rove

UNSAFE = """\
[sources]
use = ["notes"]

[ai]
api_base = "https://model.example"
api_key = "CANARY-key"
"""


@pytest.fixture
def cloned(empty: Path) -> Iterator[Path]:
    """Give a project whose settings somebody else wrote."""
    (empty / ".rove").mkdir(mode=0o700)
    (empty / ".rove" / "settings.toml").write_text(UNSAFE)
    yield empty
    (empty / ".rove" / "settings.toml").unlink()


class Terminal(io.StringIO):
    """Where a person types."""

    def isatty(self) -> bool:
        """Say that it is a terminal."""
        return True


@pytest.fixture
def at_a_terminal(rove: "Rove", monkeypatch: pytest.MonkeyPatch) -> "Rove":
    """Return what runs ``rove`` where a person types the answers."""

    def call(*arguments: str, typed: str = "") -> "Outcome":
        with monkeypatch.context() as patch:
            patch.setattr("io.StringIO", Terminal)
            return rove(*arguments, typed=typed)

    return call


def _used(rove: "Rove") -> str:
    shown = json.loads(rove("settings", "--json").out)["settings"]
    return str(next(each["value"] for each in shown if each["key"] == "sources.use"))


@pytest.mark.usefixtures("cloned")
def test_show_tells_what_a_file_wants(rove: "Rove") -> None:
    """Each key that does not count is shown with its value, its line, and what it decides."""
    outcome = rove("trust", "--show")

    assert outcome.code == 0
    assert ".rove/settings.toml is not trusted" in outcome.out
    assert 'sources.use  ["notes"]' in outcome.out
    assert '"https://model.example"  .rove/settings.toml:5  where text is sent' in outcome.out


@pytest.mark.usefixtures("cloned")
def test_a_narrow_terminal_shows_whole_values(
    rove: "Rove", monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can agree to a value that is cut off."""
    for module in (tables, trust):
        monkeypatch.setattr(module, "width", lambda: 60)

    lines = rove("trust", "--show").out.splitlines()

    assert '  ai.api_base = "https://model.example"' in lines
    assert max(map(len, lines)) <= 60


@pytest.mark.usefixtures("cloned")
def test_show_changes_nothing(rove: "Rove") -> None:
    """To look is not to trust."""
    rove("trust", "--show")

    assert _used(rove) == "[]"


@pytest.mark.usefixtures("cloned")
def test_a_key_is_not_shown(rove: "Rove") -> None:
    """The key of a model stays unseen, for people and for programs."""
    shown = rove("trust", "--show").out + rove("trust", "--show", "--json").out

    assert "api_key" in shown
    assert "CANARY-key" not in shown


@pytest.mark.usefixtures("cloned")
def test_what_is_trusted_counts(rove: "Rove") -> None:
    """What a trusted file says counts from then on."""
    outcome = rove("trust", "--yes")

    assert outcome.out.startswith(".rove/settings.toml is trusted\n")
    assert _used(rove) == "['notes']"


@pytest.mark.usefixtures("cloned")
def test_nobody_to_agree(rove: "Rove") -> None:
    """Where nobody is at the terminal, it is shown what would be trusted, and nothing is."""
    outcome = rove("trust")

    assert (outcome.code, outcome.out) == (2, "")
    assert "https://model.example" in outcome.err
    assert "rove trust --yes" in outcome.err
    assert _used(rove) == "[]"


@pytest.mark.usefixtures("cloned")
@pytest.mark.parametrize(("answer", "code", "used"), [("y\n", 0, "['notes']"), ("n\n", 2, "[]")])
def test_a_person_is_asked(
    at_a_terminal: "Rove", rove: "Rove", answer: str, code: int, used: str
) -> None:
    """Whoever is there is shown everything and asked; what they say is done."""
    outcome = at_a_terminal("trust", typed=answer)

    assert outcome.code == code
    assert "https://model.example" in outcome.err
    assert "Trust .rove/settings.toml as it is now?" in outcome.err
    assert _used(rove) == used


def test_a_file_that_changes_meanwhile(
    at_a_terminal: "Rove", rove: "Rove", cloned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is trusted is what was shown: a file that changes while one reads is not."""

    def confirm(*_: object, **__: object) -> bool:
        (cloned / ".rove" / "settings.toml").write_text(UNSAFE + 'model = "another"\n')
        return True

    monkeypatch.setattr("click.confirm", confirm)

    outcome = at_a_terminal("trust")

    assert outcome.code == 2
    assert "has changed since you looked at it" in outcome.err
    assert _used(rove) == "[]"


def test_a_change_ends_the_trust(rove: "Rove", cloned: Path) -> None:
    """The next command says that the file changed, and with which command to look at it."""
    rove("trust", "--yes")
    (cloned / ".rove" / "settings.toml").write_text(UNSAFE + 'model = "another"\n')

    shown, listed = rove("trust", "--show"), rove("sources", "list")

    assert "has changed since you trusted it" in shown.out
    assert "it has changed since you trusted it; review it with: rove trust --show" in listed.err
    assert _used(rove) == "[]"


@pytest.mark.usefixtures("cloned")
def test_rove_alone_tells_it(rove: "Rove") -> None:
    """``rove`` alone says that there are settings that do not count."""
    assert "because you do not trust it; review it with: rove trust --show" in rove().out


@pytest.mark.usefixtures("cloned")
def test_trust_is_revoked(rove: "Rove") -> None:
    """``--revoke`` ends it, and leaves no record."""
    rove("trust", "--yes")

    assert rove("trust", "--revoke").out.startswith(".rove/settings.toml is not trusted")
    assert list(Path(os.environ["ROVE_DATA_DIR"], "trust").iterdir()) == []


def test_trust_is_revoked_without_a_file(rove: "Rove", cloned: Path) -> None:
    """Trust can be ended when the file is gone: it might come back."""
    rove("trust", "--yes")
    (cloned / ".rove" / "settings.toml").unlink()

    rove("trust", "--revoke")

    (cloned / ".rove" / "settings.toml").write_text(UNSAFE)
    assert _used(rove) == "[]"


@pytest.mark.parametrize(
    ("text", "state"), [(None, "no file"), ("[ai]\nmax_hops = 2\n", "harmless")]
)
def test_nothing_to_trust(rove: "Rove", empty: Path, text: str | None, state: str) -> None:
    """Where nothing needs trust nobody is asked, and nothing is recorded."""
    if text:
        (empty / ".rove").mkdir(mode=0o700)
        (empty / ".rove" / "settings.toml").write_text(text)

    outcome = rove("trust", "--json")

    assert (outcome.code, json.loads(outcome.out)["state"]) == (0, state)
    assert not Path(os.environ["ROVE_DATA_DIR"]).exists()


@pytest.mark.usefixtures("cloned")
def test_only_the_file_one_looked_at(rove: "Rove") -> None:
    """A script trusts the file whose digest it read, and no other."""
    digest = json.loads(rove("trust", "--show", "--json").out)["sha256"]

    assert rove("trust", "--yes", "--sha256", "0" * 64).code == 2
    assert rove("trust", "--yes", "--sha256", digest).code == 0


@pytest.mark.usefixtures("cloned")
def test_options_that_exclude_each_other(rove: "Rove") -> None:
    """One cannot look and agree at once."""
    assert rove("trust", "--show", "--yes").code == 2


def test_nothing_hides_in_a_value(rove: "Rove", cloned: Path) -> None:
    """What cannot be seen, or turns the direction of text, is written out; a long value is cut."""
    long = "x" * 5000
    text = f'[ai]\napi_base = "https://a\u202e.example"\nmodel = "{long}"\n'
    (cloned / ".rove" / "settings.toml").write_text(text)

    outcome = rove("trust", "--show")

    assert "\u202e" not in outcome.out
    assert "https://a\\u202e.example" in outcome.out
    assert "and 4702 characters more" in outcome.out


def test_a_wrong_file_cannot_be_trusted(rove: "Rove", cloned: Path) -> None:
    """What cannot be read is told with its line."""
    (cloned / ".rove" / "settings.toml").write_text("[ai\n")

    outcome = rove("trust", "--yes")

    assert outcome.code == 7
    assert ".rove/settings.toml:1" in outcome.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '[sources.jira]\nbase_url = "https://evil.example"\n',
            "no setting 'sources.jira.base_url'",
        ),
        ('[sources]\nuse = "jira"\n', "sources.use"),
    ],
)
def test_what_would_break_every_command_is_not_trusted(
    rove: "Rove", cloned: Path, text: str, said: str
) -> None:
    """What no source knows, or what has the wrong type, is told before anybody agrees to it."""
    (cloned / ".rove" / "settings.toml").write_text(text)

    outcome = rove("trust", "--yes")

    assert outcome.code == 7
    assert said in outcome.err
    assert rove("status").code == 0
