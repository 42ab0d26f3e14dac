"""Check that the configured model's endpoint is reachable. No key is sent."""

from collections.abc import Iterable

from rove.doctor.findings import Finding, ok, problem
from rove.doctor.reach import reach
from rove.doctor.subject import Subject
from rove_core.build.model.choose import lacking
from rove_core.errors import RoveError
from rove_core.project.settings.ai_section import EXTRACTIVE


async def check_model(subject: Subject) -> Iterable[Finding]:
    """Return whether the configured endpoint answers."""
    settings = subject.prepared().settings.ai
    if subject.plugins is not None:
        engines = subject.plugins.engines
        if settings.engine not in {EXTRACTIVE, *engines}:
            step = f"pip install rove-{settings.engine}"
            return (problem("model", lacking(settings.engine, engines), step),)
    if not settings.api_base:
        return (ok("model", f"none is set; the engine is {settings.engine}"),)
    use = "" if settings.engine != EXTRACTIVE else f", though the engine is {settings.engine}"
    try:
        reached = await reach("model", settings.api_base, clock=subject.clock)
    except RoveError as error:
        return (problem("model", error.message, "Check it: rove settings get ai.api_base"),)
    return (ok("model", f"{reached.message}; no key was sent{use}"),)
