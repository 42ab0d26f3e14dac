"""Patterns that are compiled on their first use."""

import re
import subprocess
import sys

import pytest

from rove_core.safety.lazy_pattern import lazy_pattern


def test_finds_what_a_compiled_pattern_finds() -> None:
    """A lazy pattern finds what the same compiled pattern finds, flags included."""
    lazy, compiled = lazy_pattern("a(b+)", re.IGNORECASE), re.compile("a(b+)", re.IGNORECASE)

    assert [each.span(1) for each in lazy.finditer("xABB ab")] == [
        each.span(1) for each in compiled.finditer("xABB ab")
    ]
    assert lazy.sub("-", "ab aB c") == "- - c"
    assert lazy.fullmatch("abc") is None


def test_a_wrong_pattern_fails_on_first_use() -> None:
    """A pattern with a mistake can be made, and fails when a text is compared with it."""
    wrong = lazy_pattern("(")

    with pytest.raises(re.error):
        wrong.search("a")


def test_an_unknown_name_is_no_method() -> None:
    """What no pattern has is no attribute of a lazy one."""
    with pytest.raises(AttributeError):
        lazy_pattern("a").finds  # type: ignore[attr-defined]  # noqa: B018  # it raises


def test_importing_the_scanner_compiles_few_patterns() -> None:
    """A command that cleans one short text does not pay for all patterns of secrets."""
    code = """
import re, attrs
compiled = []
make = re._compiler.compile
re._compiler.compile = lambda *given: compiled.append(given[0]) or make(*given)
from rove_core import clean, redact_secrets
assert redact_secrets(clean("Limits are per account")) == "Limits are per account"
print(len(compiled))
"""
    done = subprocess.run(  # noqa: S603  # our own code
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert int(done.stdout) < 80
