"""What each command prints, and where."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove_core.store.connection import open_for_writing

if TYPE_CHECKING:
    from tests.app.conftest import Rove


@pytest.mark.usefixtures("empty")
def test_alone_says_what_to_do_next(rove: "Rove") -> None:
    """Without arguments Rove says in at most fifteen lines how things stand and what comes next."""
    outcome = rove()

    assert outcome.code == 0
    assert len(outcome.out.splitlines()) <= 15
    assert "none connected" in outcome.out
    assert "rove --add-source jira" in outcome.out


@pytest.mark.usefixtures("project")
def test_alone_names_the_newest_document(rove: "Rove") -> None:
    """Where there is a document already, Rove says how to find it."""
    assert "rove --find TB-123" in rove().out


def test_demo_stays_in_its_folder(rove: "Rove", project: Path) -> None:
    """Below another project the sample has a project of its own."""
    outcome = rove("--demo", "sample")

    assert Path(outcome.out.strip()).parent == project / "sample" / ".context"


def test_demo_prints_the_path_alone(rove: "Rove", tmp_path: Path) -> None:
    """Standard output holds the document's absolute path and nothing else."""
    outcome = rove("--demo", str(tmp_path / "demo"))

    path = Path(outcome.out.rstrip("\n"))

    assert outcome.code == 0
    assert path.is_absolute()
    assert path.read_text("utf-8").startswith("# Context: TB-123 - User Authentication Flow\n")


def test_demo_shows_the_beginning_beside_it(rove: "Rove", tmp_path: Path) -> None:
    """Standard error shows how the document begins and what to do next."""
    outcome = rove("--demo", str(tmp_path / "demo"))

    assert re.search(r"^TB-123  jira      [1-9]\d* found", outcome.err, re.MULTILINE)
    assert "# Context: TB-123" in outcome.err
    assert "rove explain TB-123" in outcome.err
    assert "rove --add-source" in outcome.err


def test_progress_is_short(rove: "Rove", tmp_path: Path) -> None:
    """A build tells in at most fifteen lines how far it is."""
    progress, _, _ = rove("--demo", str(tmp_path / "demo")).err.partition("\n\n")

    assert len(progress.splitlines()) <= 15


def test_demo_a_second_time(rove: "Rove", tmp_path: Path) -> None:
    """In the folder of an earlier one the document is refreshed: it stays where it is."""
    first, second = (rove("--demo", str(tmp_path / "demo")) for _ in range(2))

    assert (second.code, second.out) == (0, first.out)
    assert rove("--demo", str(tmp_path / "demo")).out == first.out


def test_demo_of_a_document_in_another_encoding(rove: "Rove", tmp_path: Path) -> None:
    """Whoever saved the sample's document as UTF-16 still sees its beginning."""
    document = Path(rove("--demo", str(tmp_path / "demo")).out.strip())
    document.write_text(document.read_text("utf-8"), "utf-16")

    outcome = rove("--demo", str(tmp_path / "demo"))

    assert (outcome.code, outcome.out) == (0, f"{document}\n")


def test_demo_beside_other_files(rove: "Rove", empty: Path) -> None:
    """A folder that has other files takes the sample in, and they stay; it may be relative."""
    (empty / "mine.txt").write_text("mine", "utf-8")

    outcome = rove("--demo", ".")

    assert outcome.out.startswith(f"{empty}/.context/TB-123_")
    assert (empty / "mine.txt").read_text("utf-8") == "mine"


@pytest.mark.parametrize("sign", [".git/config", ".rove/settings.toml"])
def test_demo_in_a_project(rove: "Rove", empty: Path, sign: str) -> None:
    """A project of somebody's takes no sample in, and the command that works is named."""
    (empty / sign).parent.mkdir()
    (empty / sign).write_text("", "utf-8")

    outcome = rove("--demo", ".")

    assert (outcome.code, outcome.out) == (2, "")
    assert f"rove --demo {empty}/rove-demo" in outcome.err
    assert not (empty / ".context").exists()


def test_demo_in_a_file(rove: "Rove", empty: Path) -> None:
    """Where no folder can be made, that is told with its name."""
    (empty / "file").touch()

    outcome = rove("--demo", "file")

    assert (outcome.code, outcome.out) == (7, "")
    assert f"{empty}/file/.rove cannot be made" in outcome.err


def test_find_prints_the_path(rove: "Rove", project: Path) -> None:
    """``--find`` prints the absolute path of a document that is there."""
    path = Path(rove("--find", "TB-123").out.rstrip("\n"))

    assert path.parent == project / ".context"
    assert path.is_file()


@pytest.mark.usefixtures("project")
def test_find_knows_titles(rove: "Rove") -> None:
    """A document is found by its ticket's title too."""
    assert rove("--find", "TB-123") == rove("--find", "User Authentication Flow")


@pytest.mark.usefixtures("project")
def test_find_without_a_document(rove: "Rove") -> None:
    """What is not there prints nothing on standard output and ends with 3."""
    outcome = rove("--find", "TB-999")

    assert (outcome.code, outcome.out) == (3, "")
    assert "rove --ticket TB-999" in outcome.err


@pytest.mark.usefixtures("project")
def test_find_of_a_deleted_file(rove: "Rove") -> None:
    """A document that somebody removed is not said to be there."""
    Path(rove("--find", "TB-123").out.rstrip("\n")).unlink()

    outcome = rove("--find", "TB-123")

    assert (outcome.code, outcome.out) == (3, "")


def test_find_in_two_accounts(rove: "Rove", project: Path) -> None:
    """An id that two accounts know is refused, with the choices."""
    db = open_for_writing(project / ".rove" / "index.db")
    db.execute(
        "INSERT INTO context_files"
        " (ticket_id, filename, keywords, last_updated, created_at, account, title, url)"
        " SELECT ticket_id, 'TB-123-2.md', keywords, last_updated, created_at, 'jira:work', '', ''"
        " FROM context_files"
    )
    db.close()

    outcome = rove("--find", "TB-123")

    assert outcome.code == 2
    assert "jira, jira:work" in outcome.err
    assert rove("find", "TB-123", "--account", "jira").code == 0


@pytest.mark.usefixtures("project")
def test_api_find_prints_the_name(rove: "Rove") -> None:
    """``--api-find`` prints the file name alone, for a shell's ``&&``."""
    outcome = rove("--api-find", "TB-123")

    assert outcome.out == f"{Path(rove('--find', 'TB-123').out.strip()).name}\n"


@pytest.mark.usefixtures("project")
def test_search_scores(rove: "Rove") -> None:
    """``--search`` prints score, ticket, title and file of each document."""
    outcome = rove("--search", "authentication")

    assert re.match(
        r"(?:0\.\d\d|1\.00)  TB-123  User Authentication Flow  \.context/TB-123_", outcome.out
    )


@pytest.mark.usefixtures("project")
def test_search_without_a_hit(rove: "Rove") -> None:
    """A search that finds nothing has still worked."""
    outcome = rove("--search", "kubernetes")

    assert (outcome.code, outcome.out) == (0, "")


@pytest.mark.usefixtures("project")
def test_api_search_prints_names_in_one_line(rove: "Rove") -> None:
    """``--api-search`` prints the names in one line, and ends with 3 if there are none."""
    found, missed = rove("--api-search", "flow"), rove("--api-search", "kubernetes")

    assert (found.code, found.out) == (0, rove("--api-find", "TB-123").out)
    assert (missed.code, missed.out) == (3, "")


@pytest.mark.usefixtures("project")
def test_explain_prints_a_table(rove: "Rove") -> None:
    """``explain`` marks what is quoted, and says why; ``--json`` says it to programs."""
    outcome = rove("explain", "TB-123")
    explained = json.loads(rove("explain", "TB-123", "--json").out)

    assert re.match(r"\*  \d\.\d\d  \w+ +\S+ +\d+ tokens  ", outcome.out)
    assert explained["ticket"] == "TB-123"
    assert {"id", "url", "tokens", "kept", "merged", "reason"} <= explained["items"][0].keys()


@pytest.mark.usefixtures("project")
def test_explain_without_a_document(rove: "Rove") -> None:
    """What is not there cannot be explained."""
    assert rove("explain", "TB-999").code == 3


@pytest.mark.usefixtures("project")
def test_remove_removes(rove: "Rove") -> None:
    """A document that is removed is not found any more."""
    rove("reindex")  # The demonstration is a project of nobody's; its user takes it over.
    path = Path(rove("--find", "TB-123").out.rstrip("\n"))

    outcome = rove("remove", "TB-123")

    assert (outcome.code, outcome.out) == (0, f"{path} is removed\n")
    assert not path.exists()
    assert rove("--find", "TB-123").code == 3


@pytest.mark.usefixtures("project")
def test_remove_asks_for_people(rove: "Rove") -> None:
    """A document with words of people is removed only with ``--yes``."""
    rove("reindex")  # As above.
    path = Path(rove("--find", "TB-123").out.rstrip("\n"))
    with path.open("a", encoding="utf-8") as file:
        file.write("\nAsk Mike first.\n")

    refused = rove("remove", "TB-123")

    assert (refused.code, refused.out) == (2, "")
    assert "rove remove --yes TB-123" in refused.err
    assert rove("remove", "TB-123", "--yes").code == 0


def test_reindex_finds_documents_again(rove: "Rove", project: Path) -> None:
    """An index that was lost is made anew from the documents."""
    found = rove("--find", "TB-123")
    for file in (project / ".rove").glob("index.db*"):
        file.unlink()

    outcome = rove("reindex")

    assert outcome.out == f"added  {Path(found.out.strip()).name}\n1 document\n"
    assert rove("--find", "TB-123") == found


@pytest.mark.usefixtures("project")
def test_refresh_needs_a_document(rove: "Rove") -> None:
    """A ticket without a document cannot be refreshed, and the next command is named."""
    outcome = rove("refresh", "TB-999")

    assert (outcome.code, outcome.out) == (3, "")
    assert "rove --ticket TB-999" in outcome.err


@pytest.mark.usefixtures("project")
def test_refresh_what(rove: "Rove") -> None:
    """Either documents are named, or all are meant."""
    assert rove("refresh").code == rove("refresh", "--all", "TB-123").code == 2


@pytest.mark.usefixtures("empty")
def test_refresh_of_no_document_says_so(rove: "Rove") -> None:
    """An index that was lost is not taken for a refresh that went well."""
    outcome = rove("refresh", "--all")

    assert (outcome.code, outcome.out) == (0, "")
    assert "no document to refresh" in outcome.err
    assert "rove reindex" in outcome.err


@pytest.mark.usefixtures("project")
def test_status_shows_the_last_task(rove: "Rove") -> None:
    """``--status`` shows what was done and with what."""
    outcome = rove("--status")

    assert outcome.out.startswith("done  build TB-123  write ")


@pytest.mark.usefixtures("project")
def test_settings_show_their_origin(rove: "Rove", monkeypatch: pytest.MonkeyPatch) -> None:
    """Each setting says what holds and where it comes from."""
    monkeypatch.setenv("ROVE_AI_MAX_HOPS", "1")

    outcome = rove("settings")

    assert "ai.max_hops = 1  (environment ROVE_AI_MAX_HOPS)" in outcome.out
    assert "context.max_tokens = 8000  (default)" in outcome.out
    assert "context.commit = false  (default)" in outcome.out
    assert 'ai.api_base = ""  (default)' in outcome.out


@pytest.mark.usefixtures("empty")
def test_source_plugins_name_version_and_state(rove: "Rove") -> None:
    """``--source-plugins`` lists what is installed, with version and state."""
    outcome = rove("--source-plugins")

    assert (
        "github  rove-github 0.1.0  works  source: github\njira    rove-jira 0.1.0 " in outcome.out
    )


@pytest.mark.usefixtures("empty")
def test_schema_of_a_source(rove: "Rove") -> None:
    """``sources schema`` prints the JSON Schema of a kind's settings."""
    assert '"rate_limit"' in rove("sources", "schema", "jira").out


@pytest.mark.usefixtures("project")
def test_nothing_is_coloured_in_a_pipe(rove: "Rove") -> None:
    """What goes to a pipe holds no escape sequence."""
    outcomes = [rove("--help"), rove("--status"), rove("--source-plugins"), rove("nonsense")]

    assert not any("\x1b" in outcome.out + outcome.err for outcome in outcomes)


@pytest.mark.usefixtures("empty")
def test_a_plugin_cannot_print_among_results(
    rove: "Rove", install_plugin: Callable[..., object]
) -> None:
    """What a plugin prints goes to standard error, and its useless source is named."""
    install_plugin(
        "void",
        text=(
            "from rove_core import CommonSettings, SourceKind, hookimpl\n"
            "@hookimpl\n"
            "def rove_sources():\n"
            "    return [SourceKind(name='void', title='Void', settings=CommonSettings,"
            " connect=print)]\n"
        ),
    )

    outcome = rove("--source-plugins", "--json")
    states = {plugin["name"]: plugin["reason"] for plugin in json.loads(outcome.out)}

    assert outcome.code == 0
    assert states["void"] == "connect gives a NoneType, which implements no hook"
    assert "Account(" in outcome.err
