"""Check everything that Rove needs on this machine."""

from typing import TYPE_CHECKING, Annotated

from attrs import frozen

from rove.doctor.findings import Finding
from rove_core.operations import Operation, Outcome
from rove_core.terminal.tables import counted, entries, page

if TYPE_CHECKING:
    from rove_core.project.local import LocalProject


@frozen(kw_only=True)
class Diagnosis(Outcome):
    """The results of all checks.

    Attributes:
        findings: What was looked at, and what was found.
    """

    findings: tuple[Finding, ...]

    @property
    def exit_code(self) -> int:
        """The exit code: 1 if anything does not work."""
        return int(any(finding.state == "problem" for finding in self.findings))

    def show(self) -> str:
        """Return it for people."""
        return _show(self)


async def doctor(
    rove: "LocalProject",
    *,
    fix: Annotated[bool, "Fix what is safe to fix; documents and logins stay untouched."] = False,
) -> Diagnosis:
    """Check the installation and this project, and suggest fixes.

    It asks each account only who you are. It prints no secrets.
    """
    from rove.doctor.checks import run_checks  # noqa: PLC0415  # a help page needs no checks
    from rove.doctor.subject import Subject  # noqa: PLC0415  # the same

    subject = Subject(rove, fix=fix)
    return Diagnosis(findings=tuple([finding async for finding in run_checks(subject)]))


def _show(diagnosis: Diagnosis) -> str:
    rows = entries((_state(each), each.name, each.found) for each in diagnosis.findings)
    lines: list[str] = []
    for row, finding in zip(rows, diagnosis.findings, strict=True):
        lines += [*row, *([f"         next: {finding.next}"] if finding.next else [])]
    return page([*lines, _sum(diagnosis)])


def _state(finding: Finding) -> str:
    return "fixed" if finding.fixed else finding.state


def _sum(diagnosis: Diagnosis) -> str:
    states = [finding.state for finding in diagnosis.findings]
    problems, warnings = states.count("problem"), states.count("warning")
    found = [
        counted(count, word)
        for count, word in ((problems, "problem"), (warnings, "warning"))
        if count
    ]
    return ", ".join(found) or "no problems found"


DOCTOR = Operation(doctor, command="doctor", changes=True, project="broken", for_people=("fix",))
