"""What the benchmark of the ranking keeps from one run to the next."""

import json
from pathlib import Path

import pytest
from benchmarks.context.known import KnownCompany
from benchmarks.context.outside import Outside
from benchmarks.context.weights import answers

from rove_core.build.rank.cutoff import enough
from rove_core.build.rank.ranking import rank
from rove_core.build.rank.weights import DEFAULT, RankWeights

_WORDS = ("signing", "keys", "rotate", "vault", "login", "cache", "expiry", "token", "lunch")


def _line(number: int) -> dict[str, object]:
    """Return a ticket, a change or a message about some words; every fifth names a ticket."""
    kind = ("ticket", "pr", "thread")[number % 3]
    words = " ".join(_WORDS[(number * step) % len(_WORDS)] for step in (1, 2, 4))
    named = f" for TB-{number % 4 * 3}" if number % 5 == 0 else ""
    return {
        "id": f"{kind}/{number}",
        "source": "jira",
        "kind": kind,
        "unit": f"unit-{number // 2}",
        "key": f"TB-{number}" if kind == "ticket" else "",
        "title": words,
        "body": f"{words} again{named}",
        "author": ("ann", "ben")[number % 2],
        "time": f"2025-01-{number % 28 + 1:02d}T10:00:00+00:00",
    }


@pytest.fixture
def company(tmp_path: Path) -> Path:
    """Return the folder of a company with more than is judged closely."""
    folder = tmp_path / "vaults"
    folder.mkdir()
    lines = "".join(f"{json.dumps(_line(number))}\n" for number in range(700))
    for variant in ("easy", "half"):
        (folder / f"items.{variant}.jsonl").write_text(lines, "utf-8")
    truth = {f"TB-{n}": {"ticket": f"ticket/{n}", "direct": {"unit-5": {}}} for n in (0, 3, 6)}
    (folder / "truth.json").write_text(json.dumps(truth), "utf-8")
    return folder


def test_figures_are_those_of_the_whole_ranking(company: Path, tmp_path: Path) -> None:
    """By any weights, whether what is known was just found or read from its file."""
    other = RankWeights(tuple(0.5 * weight.value + 0.1 for weight in DEFAULT.values()))
    whole = Outside.load(company, "half")
    for weights in (RankWeights(), other):
        told = answers(KnownCompany(company, "half", tmp_path / "kept"), weights)
        assert len(told) == 3
        for key, answer in told.items():
            name = whole.tickets[key]
            ranked = rank(whole.items[name], whole.candidates(name), weights)
            assert [(each.units, each.score, each.linked) for each in answer.seen] == [
                ([whole.units[one.candidate.item.ref.id]], one.score, one.candidate.is_linked)
                for one in ranked
            ]
            assert sum(each.kept for each in answer.seen) == enough(ranked)


def test_a_run_goes_on_where_one_was_stopped(company: Path, tmp_path: Path) -> None:
    """Half a line counts for nothing."""
    kept = tmp_path / "kept"
    before = answers(KnownCompany(company, "half", kept), RankWeights())
    (file,) = kept.iterdir()
    lines = file.read_bytes()
    file.write_bytes(lines[: len(lines) // 2])

    again = answers(KnownCompany(company, "half", kept), RankWeights())

    assert again == before
    assert file.read_bytes() == lines


def test_tickets_whose_truth_is_known_teach_nothing(company: Path, tmp_path: Path) -> None:
    """Nobody may learn from what is asked."""
    told = list(KnownCompany.as_it_is(company, tmp_path / "kept").lessons(4))

    assert told
    assert not {each.name[1] for each in told} & {"ticket/0", "ticket/3", "ticket/6"}
    assert all(each.linked and each.hidden <= each.linked for each in told)
