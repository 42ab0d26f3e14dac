"""Check that the configured model's endpoint is reachable. No key is sent."""

from collections.abc import Iterable

from rove.doctor.findings import Finding, ok, problem
from rove.doctor.reach import reach
from rove.doctor.subject import Subject
from rove_core.build.model.choose import lacking
from rove_core.errors import RoveError
from rove_core.project.settings.sections import EXTRACTIVE


async def look_at_the_model(subject: Subject) -> Iterable[Finding]:
    """Return whether the configured endpoint answers."""
    wanted = subject.prepared().settings.ai
    if subject.plugins is not None:
        engines = subject.plugins.engines
        if wanted.engine not in {EXTRACTIVE, *engines}:
            step = f"pip install rove-{wanted.engine}"
            return (problem("model", lacking(wanted.engine, engines), step),)
    if not wanted.api_base:
        return (ok("model", f"none is set; the engine is {wanted.engine}"),)
    use = "" if wanted.engine != EXTRACTIVE else f", though the engine is {wanted.engine}"
    try:
        reached = await reach("model", wanted.api_base, clock=subject.clock)
    except RoveError as error:
        return (problem("model", error.message, "Check it: rove settings get ai.api_base"),)
    return (ok("model", f"{reached.message}; no key was sent{use}"),)
