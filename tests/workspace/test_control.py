"""Answers of another system beside ours in the benchmark of code retrieval."""

import json
from pathlib import Path

import pytest
from benchmarks.code.control import control_scores, differences


def results(folder: Path) -> Path:
    """Return what a harness wrote of two cases."""
    rows = [{"id": each, "r": {"bm25@4000": {"line": 0.5, "body": None}}} for each in ("a", "b")]
    path = folder / "lab.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


def test_only_cases_that_both_answered_are_compared(tmp_path: Path) -> None:
    """And only those with the measure: a change of no declaration has no body to show."""
    theirs = control_scores(results(tmp_path), "bm25", 4_000)
    ours = {"a": {"line": 0.75, "body": 1.0}, "c": {"line": 1.0, "body": 1.0}}

    assert differences(ours, theirs, "line") == ({"a": 75.0}, {"a": 50.0})
    assert differences(ours, theirs, "body") == ({}, {})


def test_a_system_that_is_not_there_is_named(tmp_path: Path) -> None:
    """With the budget: the control may have been run with another one."""
    with pytest.raises(SystemExit, match="has nothing of bm25@10000"):
        control_scores(results(tmp_path), "bm25", 10_000)
