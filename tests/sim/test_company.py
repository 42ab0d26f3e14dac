"""A company is read from files, and what is wrong with it is named."""

from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import pytest

from rove_core import WrongSetting
from rove_sim import Company, load_company, sample_company
from rove_sim.company_people import Person
from rove_sim.company_slack import SlackMessage

EXAMPLE = Path(str(files("rove_sim").joinpath("example.toml")))
HEAD = 'name = "Northwind"\ntoken = "t"\n[[people]]\nkey = "ann"\nname = "Ann"\n'
TICKET = (
    '[[tickets]]\nkey = "TB-1"\ntitle = "One"\nauthor = "ann"\ncreated = 2024-12-01T09:00:00Z\n'
)


def write(folder: Path, text: str) -> Path:
    """Write a company's file."""
    file = folder / "company.toml"
    file.write_text(text, "utf-8")
    return file


def test_the_example_has_one_of_each(company: Company) -> None:
    """Whoever writes a company finds every kind of thing in it."""
    empty = [name for name, value in vars_of(company).items() if value == ()]

    assert empty == [
        "repositories",
        "repository_issues",
        "linear_projects",
        "cycles",
        "private_teams",
    ]


def vars_of(company: Company) -> dict[str, object]:
    """Return a company's attributes by name."""
    return {name: getattr(company, name) for name in Company.__annotations__}


def test_the_sample_is_a_company() -> None:
    """It can be read, and somebody's login opens it."""
    assert sample_company().owner.name == "Robin Doe"


def test_ids_follow_from_keys() -> None:
    """They are the same in each run, and different for each person."""
    ann, ben = Person(key="ann", name="Ann"), Person(key="ben", name="Ben")

    assert ann == Person(key="ann", name="Ann")
    assert {ann.jira, ann.slack, ann.linear}.isdisjoint({ben.jira, ben.slack, ben.linear})
    assert (ann.slack[0], len(ann.slack), len(ann.jira)) == ("U", 11, 24)


def test_a_message_is_named_by_its_time() -> None:
    """To the microsecond."""
    at = datetime(2024, 12, 15, 12, 0, 0, 100, tzinfo=UTC)

    assert SlackMessage(author="ann", at=at).ts == "1734264000.000100"


def test_files_of_a_folder_are_joined(tmp_path: Path) -> None:
    """Tables of a kind from several files follow each other; notes are files themselves."""
    (tmp_path / "a.toml").write_text(HEAD + TICKET, "utf-8")
    (tmp_path / "b.toml").write_text(TICKET.replace("TB-1", "TB-2"), "utf-8")
    (tmp_path / "notes" / "2024").mkdir(parents=True)
    (tmp_path / "notes" / "2024" / "weekly.md").write_text("Said", "utf-8")
    company = load_company(tmp_path)

    assert [ticket.key for ticket in company.tickets] == ["TB-1", "TB-2"]
    assert [(note.path, note.text) for note in company.notes] == [("2024/weekly.md", "Said")]


def test_files_of_a_folder_agree(tmp_path: Path) -> None:
    """Two names for one company are none."""
    (tmp_path / "a.toml").write_text(HEAD, "utf-8")
    (tmp_path / "b.toml").write_text('name = "Other"\n', "utf-8")

    with pytest.raises(WrongSetting, match="name is 'Other', but another file"):
        load_company(tmp_path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (HEAD + TICKET + "colour = 'red'\n", r"tickets\[0\].colour: unknown key"),
        (HEAD + TICKET.replace('"ann"', '"eve"'), "tickets TB-1: nobody has the key 'eve'"),
        (HEAD + TICKET + "parent = 'TB-9'\n", "tickets TB-1: there is no ticket TB-9"),
        (HEAD + TICKET + "links = [{to = 'TB-8'}]\n", "tickets TB-1: there is no ticket TB-8"),
        (HEAD + TICKET + TICKET, "tickets TB-1: it is there 2 times"),
        (HEAD + TICKET.replace("TB-1", "TB1"), "tickets TB1: a key is like TB-123"),
        (HEAD + "time_zone = 'Mars/North'\n", "'Mars/North' is not a valid time zone"),
        (HEAD + "[[messages]]\nchannel = 'a'\nauthor = 'ann'\n", "has neither at nor ts"),
        (HEAD + "[[messages]]\nts = '1.0'\nauthor = 'ann'\n", "it says no channel"),
        ('me = "zoe"\n' + HEAD, "me: nobody has the key 'zoe'"),
        ("name = ", "company.toml: "),
    ],
)
def test_says_what_is_wrong(tmp_path: Path, text: str, told: str) -> None:
    """With the place, and the value."""
    with pytest.raises(WrongSetting, match=told):
        load_company(write(tmp_path, text))


def test_no_file(tmp_path: Path) -> None:
    """A path that leads nowhere is named."""
    with pytest.raises(WrongSetting, match="is neither a file nor a folder"):
        load_company(tmp_path / "nothing")


def test_an_unknown_author_is_a_stranger(company: Company) -> None:
    """People are found by key or by name; of others only the name is known."""
    assert company.person("Sarah Chen") is company.person("sarah")
    assert company.person("renovate[bot]").bot is True
