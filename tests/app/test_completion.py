"""Shell completion is Click's own."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.app.conftest import Rove


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_each_shell(rove: "Rove", monkeypatch: pytest.MonkeyPatch, shell: str) -> None:
    """The shell's completion script is printed."""
    monkeypatch.setenv("_ROVE_COMPLETE", f"{shell}_source")

    assert "_ROVE_COMPLETE" in rove().out


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("rove sour", ["sources"]),
        ("rove --api", ["--api-find", "--api-search"]),
        ("rove sources p", ["plugins", "probe"]),
        ("rove find --acc", ["--account"]),
        ("rove nonsense x", []),
    ],
)
def test_words_are_completed(
    rove: "Rove", monkeypatch: pytest.MonkeyPatch, words: str, offered: list[str]
) -> None:
    """Commands, flags and options that may follow are offered."""
    monkeypatch.setenv("_ROVE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(words.count(" ")))

    assert rove().out.split() == [f"plain,{word}" for word in offered]
