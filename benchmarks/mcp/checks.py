"""What was seen of an outside program."""

from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    import subprocess

_LONGEST = 200


@frozen
class OutsideCheck:
    """Whether an outside program and Rove understood each other.

    Attributes:
        what: The program, and what it did.
        passed: Whether that went well.
        note: What there is to say of it.
    """

    what: str
    passed: bool
    note: str = ""

    def __str__(self) -> str:
        note = f"  ({self.note})" if self.note else ""
        return f"{'passed' if self.passed else 'FAILED'}  {self.what}{note}"


def check_output(what: str, done: "subprocess.CompletedProcess[str]", words: str) -> OutsideCheck:
    """Check that a program ended well and printed some words."""
    passed = done.returncode == 0 and words in done.stdout
    output = " ".join((done.stderr or done.stdout).split())
    return OutsideCheck(what, passed, "" if passed else f"{done.returncode}: {output[-_LONGEST:]}")
