"""Check the credential store: which one is used, why, and how fast it is."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from rove.doctor.findings import Finding, ok, problem, warning
from rove.doctor.subject import Subject
from rove_core.errors import KeychainUnusable

if TYPE_CHECKING:
    from rove_core.project.local import LocalProject

_NAME: Final = "logins"


async def check_logins(subject: Subject) -> Iterable[Finding]:
    """Return which credential store is used, and whether it works."""
    from rove_core.auth.credentials import remembered_choice  # noqa: PLC0415  # it may be what is broken

    project = subject.prepared()
    backend = project.settings.credentials.backend
    choice = None if backend == "encrypted_file" else remembered_choice(project.places.data_dir)
    if backend == "encrypted_file":
        return (await _file(subject, project, "the settings say so"),)
    if choice and not choice.keychain and backend == "auto":
        return (await _file(subject, project, choice.why),)
    expected = choice.keychain if choice else ""
    return (await _keychain(subject, expected, must=backend == "keychain" or bool(expected)),)


async def _file(subject: Subject, project: "LocalProject", why: str) -> Finding:
    from rove_core.auth.login_states import project_file_store  # noqa: PLC0415  # as above

    store = project_file_store(project)
    before = subject.clock.monotonic()
    await store.get("doctor")
    took = _milliseconds(subject, before)
    there = f"read in {took}" if store.path.exists() else "not there yet"
    return ok(_NAME, f"an encrypted file, {store.path}, {there}; {why}")


async def _keychain(subject: Subject, expected: str, *, must: bool) -> Finding:
    from rove_core.auth.keychain import probe_keychain  # noqa: PLC0415  # keyring is slow to import

    before = subject.clock.monotonic()
    try:
        store = await probe_keychain()
    except KeychainUnusable as error:
        if must:
            return problem(_NAME, error.message, error.hint)
        return ok(_NAME, f"none is kept yet; it would be in an encrypted file: {error.message}")
    took = _milliseconds(subject, before)
    if expected and expected != store.backend:
        step = "rove sources move-logins --to keychain"
        return warning(_NAME, f"they are in {expected}, but the keychain is {store.backend}", step)
    there = "" if must else "none is kept yet; it would be in "
    return ok(
        _NAME,
        f"{there}the keychain {store.backend}, which stored and returned a test entry in {took}",
    )


def _milliseconds(subject: Subject, before: float) -> str:
    return f"{(subject.clock.monotonic() - before) * 1000:.0f} ms"
