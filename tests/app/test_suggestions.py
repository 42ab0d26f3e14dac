"""What was probably meant, everywhere in the same words."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.app.conftest import Rove


@pytest.fixture(autouse=True)
def _one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run commands in the process of the tests."""
    monkeypatch.setenv("ROVE_ISOLATION", "0")


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("command", "suggestion"),
    [
        ("login", "did you mean 'rove sources add'?"),
        ("sources login jira", "did you mean 'rove sources add'?"),
        ("sources lgout jira", "did you mean 'rove sources remove'?"),
        ("delete TB-1", "did you mean 'rove remove'?"),
        ("plan lst", "did you mean 'list'?"),
        ("build --sinc 3d TB-1", "did you mean '--since'?"),
        ("--tiket TB-1", "did you mean '--ticket'?"),
        ("sources schema jura", "did you mean 'jira'?"),
        ("settings get contxt.max_tokens", "did you mean 'context.max_tokens'?"),
        ("settings get max_token", "did you mean 'ai.max_tokens' or 'context.max_tokens' or"),
        ("settings get context.budget", "[context] has: max_tokens, shape"),
        ("settings get context", "[context] has: max_tokens, shape"),
        ("show TB-132", "did you mean 'TB-123'?"),
        ("show TB-1234", "did you mean 'TB-123'?"),
    ],
)
def test_what_was_meant(rove: "Rove", command: str, suggestion: str) -> None:
    """It ends the message, or the hint says what there is."""
    assert suggestion in rove(*command.split()).err


@pytest.mark.usefixtures("project")
def test_another_ticket_is_no_slip(rove: "Rove") -> None:
    """An id that differs in one digit is as good as any."""
    outcome = rove("show", "TB-124")

    assert "did you mean" not in outcome.err
    assert "Build it with: rove --ticket TB-124" in outcome.err


@pytest.mark.usefixtures("project")
def test_who_removes_builds_nothing(rove: "Rove") -> None:
    """The hint shows the documents that there are."""
    assert "See the documents: rove list" in rove("remove", "TB-999").err
