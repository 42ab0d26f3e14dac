"""The page on the architecture names modules that exist."""

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).parents[2] / "docs/explanation/architecture.md"


def test_modules_that_the_page_names_exist() -> None:
    """Who looks for a module where the page says it is finds it."""
    named = set(re.findall(r"`(rove(?:_core)?(?:\.\w+)+)`", PAGE.read_text("utf-8")))

    assert len(named) > 10
    assert [name for name in sorted(named) if find_spec(name) is None] == []
