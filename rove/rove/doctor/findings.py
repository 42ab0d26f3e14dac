"""The result of one check."""

from typing import Final, Literal, TypeAlias

from attrs import frozen

from rove_core.errors import RoveError, WrongSetting
from rove_core.safety.redaction import redact
from rove_core.safety.secrets import redact_secrets

State: TypeAlias = Literal["ok", "warning", "problem"]

FIX: Final = "rove doctor --fix"
#: What is longer tells nobody more.
_LONGEST: Final = 400


@frozen(kw_only=True)
class Finding:
    """The result of one check.

    Attributes:
        name: What was checked.
        state: ``ok``; ``warning`` if Rove works all the same; ``problem`` if something does not.
        found: What was found.
        next: The next step; empty if none is needed.
        fixed: Whether this run fixed it.
    """

    name: str
    state: State
    found: str
    next: str = ""
    fixed: bool = False

    def redacted(self) -> "Finding":
        """Return the same in words that hold no secret and move no cursor."""
        return Finding(
            name=_one_line(self.name),
            state=self.state,
            found=_one_line(self.found),
            next=_one_line(self.next),
            fixed=self.fixed,
        )


def ok(name: str, found: str) -> Finding:
    """Return that a thing is as it should be."""
    return Finding(name=name, state="ok", found=found)


def warning(name: str, found: str, step: str = "") -> Finding:
    """Report something that should be changed, though Rove works."""
    return Finding(name=name, state="warning", found=found, next=step)


def problem(name: str, found: str, step: str = "") -> Finding:
    """Return that something does not work."""
    return Finding(name=name, state="problem", found=found, next=step)


def failed(name: str, error: RoveError) -> Finding:
    """Return that something does not work, in the words of its error.

    What stands in a wrong setting is left out: a key may have been pasted there by mistake.
    """
    message = error.message
    if isinstance(error, WrongSetting) and " = " in message:
        message = f"{message.partition(' = ')[0]} has a wrong value"
    return problem(name, message, error.hint)


def fixed(name: str, found: str) -> Finding:
    """Return that a thing was not as it should be, and is now."""
    return Finding(name=name, state="ok", found=found, fixed=True)


def _one_line(text: str) -> str:
    line = " ".join(redact_secrets(redact(text)).split())
    shown = line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)
