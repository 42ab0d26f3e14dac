"""How long a thread waited for a processor, which a call's deadline does not count."""

from pathlib import Path

import pytest

from rove_core.http.processor_waits import ProcessorWaits


def test_only_what_was_waited_since_the_last_look(tmp_path: Path) -> None:
    """The thread ran 9 seconds, and waited 2 and then 5."""
    file = tmp_path / "schedstat"
    file.write_text("1000000000 3000000000 7\n", "ascii")
    waits = ProcessorWaits(file)

    file.write_text("10000000000 5000000000 8\n", "ascii")
    assert waits.more() == 2.0
    assert waits.more() == 0.0

    file.write_text("10000000000 10000000000 9\n", "ascii")
    assert waits.more() == 5.0


@pytest.mark.parametrize("text", ["", "1", "one two three"])
def test_nothing_was_waited_if_the_system_does_not_tell(tmp_path: Path, text: str) -> None:
    """Then all time counts."""
    file = tmp_path / "schedstat"
    waits = ProcessorWaits(file)
    file.write_text(text, "ascii")

    assert waits.more() == 0.0
