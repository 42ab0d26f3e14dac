"""What a plugin may take: what is more is cut, reported by name, and costs no other plugin."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest

from rove_core import ContextItem, ItemRef, Section, SourceHooks, hookimpl, run
from rove_core.build.section_budget import fit_sections
from rove_core.build.write.plugin_sections import section_blocks
from rove_core.build.write.token_count import tokens
from rove_core.errors import WrongSetting
from rove_core.plugins.accounts import Accounts
from rove_core.plugins.limits import (
    MOST_REFERENCES,
    MOST_REFERENCES_OF_BUILD,
    MOST_SECONDS_RECOGNISING,
    MOST_SECTIONS,
    plugin_memory,
    plugin_seconds,
)
from rove_core.plugins.loader import use_plugins
from rove_core.plugins.reports import PluginReports, reporting
from rove_core.testing import VirtualClock

ITEM = ContextItem(
    ref=ItemRef(account="good", kind="note", id="A-1"),
    source="acme",
    role="page",
    title="Keys",
    content="Rotate them.",
    timestamp=datetime(2026, 1, 1, tzinfo=UTC),
)


class Recogniser(SourceHooks):
    """Finds so many references in each text, in so many seconds."""

    def __init__(
        self, count: int, *, clock: VirtualClock | None = None, seconds: float = 0
    ) -> None:
        self.calls = 0
        self._count = count
        self._clock = clock
        self._seconds = seconds

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # the hook's
        """Find references."""
        self.calls += 1
        if self._clock:
            self._clock.advance(self._seconds)
        return [ItemRef(account="bad", kind="note", id=f"{text}-{n}") for n in range(self._count)]


@contextmanager
def asking(
    source: Recogniser, clock: VirtualClock | None = None
) -> Iterator[tuple[Accounts, PluginReports]]:
    """Connect a source as the account ``bad``, and collect what is reported."""
    accounts = Accounts(use_plugins(()).manager, clock=clock or VirtualClock())
    accounts.connect("bad", source)
    with reporting() as reports:
        yield accounts, reports


def test_references_of_one_text_are_cut() -> None:
    """The first ones are taken, and the account is named."""
    with asking(Recogniser(MOST_REFERENCES + 1)) as (accounts, reports):
        found = accounts.recognise("A")

    assert len(found) == MOST_REFERENCES
    assert reports.notes == (
        f"bad: rove_recognise gave more than {MOST_REFERENCES} for one text: cut.",
    )
    assert reports.failures == {}


def test_references_of_one_build_are_cut() -> None:
    """Many texts with some each come to an end as well."""
    texts = [f"T{n}" for n in range(MOST_REFERENCES_OF_BUILD // MOST_REFERENCES + 1)]
    with asking(Recogniser(MOST_REFERENCES)) as (accounts, reports):
        found = [ref for text in texts for ref in accounts.recognise(text)]

    assert len(found) == MOST_REFERENCES_OF_BUILD
    assert reports.notes == (
        f"bad: rove_recognise gave more than {MOST_REFERENCES_OF_BUILD}: cut.",
    )


def test_flood_of_texts_is_its_own_accounts() -> None:
    """Whose texts name another account's items again and again is named, not that account."""
    talk = ItemRef(account="talk", kind="note", id="B-1")
    with asking(Recogniser(1)) as (accounts, reports):
        for number in range(MOST_REFERENCES_OF_BUILD + 1):
            accounts.recognise(f"T{number}", origin=talk)
        found = accounts.recognise("A", origin=ITEM.ref)

    assert len(found) == 1
    assert reports.notes == (
        f"talk: its items name bad more than {MOST_REFERENCES_OF_BUILD} times: cut.",
    )


def test_a_slow_recogniser_is_not_called_again() -> None:
    """Once it has taken its time of a build it is a failure of its account."""
    clock = VirtualClock()
    slow = Recogniser(1, clock=clock, seconds=MOST_SECONDS_RECOGNISING * 0.6)
    with asking(slow, clock) as (accounts, reports):
        found = [len(accounts.recognise(text)) for text in ("A", "B", "C", "D")]

    assert (found, slow.calls) == ([1, 1, 0, 0], 2)
    assert reports.failures["bad"].message == (
        "bad: rove_recognise has taken more than 5 s; it is not called again in this build"
    )


def test_each_build_begins_anew() -> None:
    """What was slow in one build is called in the next one."""
    clock = VirtualClock()
    slow = Recogniser(1, clock=clock, seconds=MOST_SECONDS_RECOGNISING * 2)
    with asking(slow, clock) as (accounts, _):
        accounts.recognise("A")
    with reporting():
        found = accounts.recognise("B")

    assert len(found) == 1


@hookimpl
async def _flood() -> Sequence[Section]:
    return (Section(heading=f"Section {n}", content="words") for n in range(10**9))  # type: ignore[return-value]  # what is tested


def test_sections_of_one_plugin_are_cut() -> None:
    """The first ones are taken, however many it would give."""
    module = ModuleType("bad")
    vars(module)["rove_sections"] = _flood
    accounts = Accounts(use_plugins([module]).manager)
    with reporting() as reports:
        given = run(accounts.sections(ITEM, budget=100, project=Path()))

    assert len(given["bad/bad"]) == MOST_SECTIONS
    assert reports.notes == (
        f"bad/bad: rove_sections gave more than {MOST_SECTIONS} sections: cut.",
    )


def cost(sections: Sequence[Section]) -> int:
    """Return how many tokens some sections take in a document."""
    blocks = (block for section in sections for block in section_blocks(section))
    return sum(tokens(f"{block.text}\n\n") for block in blocks)


@pytest.mark.parametrize(
    "content",
    ["word " * 12_000, "a line\n\n" * 2_000, "x" * 200_000],
    ids=["words", "lines", "one"],
)
def test_a_long_section_is_cut_to_its_share(content: str) -> None:
    """It takes no more than there is, and its plugin is named."""
    with reporting() as reports:
        fitting = fit_sections({"bad/bad": [Section(heading="Taste", content=content)]}, 500)

    assert cost(fitting) <= 500
    assert reports.notes == ("bad/bad: rove_sections exceeded its share of 500 tokens: cut.",)


def test_a_modest_plugin_keeps_its_sections() -> None:
    """What it leaves of its share is another's, who takes no more than that."""
    modest, greedy = (
        Section(heading="Decided", content="Keys rotate."),
        Section(heading="Taste", content="word " * 12_000),
    )
    with reporting():
        fitting = fit_sections({"bad/bad": [greedy], "good/good": [modest]}, 500)

    assert fitting[-1] == modest
    assert 400 < cost(fitting) <= 500


def test_sections_that_fit_are_left_alone() -> None:
    """Nothing is changed and nothing said."""
    given = {
        "one/one": [Section(heading="A", content="a")],
        "two/two": [Section(heading="B", content="b"), Section(heading="C", content="c")],
    }
    with reporting() as reports:
        fitting = fit_sections(given, 500)

    assert [section.heading for section in fitting] == ["A", "B", "C"]
    assert reports.notes == ()


def test_limits_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both may be set."""
    monkeypatch.setenv("ROVE_PLUGIN_SECONDS", "2.5")
    monkeypatch.setenv("ROVE_PLUGIN_MEMORY", "300")

    assert (plugin_seconds(), plugin_memory()) == (2.5, 300 << 20)


@pytest.mark.parametrize("text", ["soon", "0", "-3", "inf", "nan"])
def test_a_limit_that_is_none(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """It is refused with its value."""
    monkeypatch.setenv("ROVE_PLUGIN_SECONDS", text)

    with pytest.raises(WrongSetting, match=f"ROVE_PLUGIN_SECONDS .* not {text!r}"):
        plugin_seconds()
