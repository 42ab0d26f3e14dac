"""Check the plugins: which ones work, and why the others do not."""

from collections.abc import Iterator

from rove.doctor.findings import Finding, ok, problem, warning
from rove.doctor.subject import Subject


def check_plugins(subject: Subject) -> Iterator[Finding]:
    """Yield the errors of broken plugins, and the names of working ones."""
    from rove_core.plugins.loader import load_plugins  # noqa: PLC0415  # it may be what is broken

    found = load_plugins(kept_off=subject.project.kept_off)
    subject.plugins = found
    for broken in found.broken:
        distribution = f"{broken.distribution} {broken.version}".strip()
        step = f"pip install --upgrade {broken.distribution}, or tell its author"
        yield problem(f"plugin {broken.name}", f"{distribution}: {broken.error}", step)
    working = [f"{plugin.name} {plugin.version}" for plugin in found.working]
    if not working:
        yield warning("plugins", "no working plugin is installed", "pip install 'rove[all]'")
        return
    yield ok("plugins", ", ".join(working))
    for plugin in found.working:
        for note in plugin.notes:
            yield warning(f"plugin {plugin.name}", note, "pip install --upgrade rove-core")
