"""What every test of this checkout has: a home of its own, and no clock to race against."""

import ctypes
import os
import re
import signal
import sys
import tomllib
from base64 import b64encode
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from docs_src.levels import NOT_SHOWN
from hypothesis import settings

from rove_core.testing.levels import MISSING

_COMPANY = Path(__file__).parents[1] / "rove_sim" / "rove_sim" / "sample" / "company.toml"

#: How long an example takes says something about the machine, not about Rove.
settings.register_profile("rove", deadline=None)
#: A check says the same of the same code each time; people and campaigns look for more.
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "rove")

# A shell lets what it starts in the background ignore Ctrl-C, and so do all programs started there:
# tests that interrupt one would wait for its end in vain.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


#: How the made-up logins of the tests begin, so that each can be looked for; the sample company's
#: token is one, too.
_CANARIES = ("CANARY-", "canary-", tomllib.loads(_COMPANY.read_text("utf-8"))["token"])
#: What a test itself hands over may hold a login.
_HANDED_OVER = ("*.token", "company.toml", "*.py")
#: How the variables begin that say who runs the tests.
_OWN = ("ROVE_", "XDG_", "GH_", "GITHUB_", "SLACK_", "LINEAR_", "ASANA_", "AZURE_")


def _forms(token: bytes) -> list[bytes]:
    """Return a token as it is, in hex, URL-encoded, and in the base64 of any text around it."""
    cores = []
    for before in range(3):
        whole = b64encode(bytes(before) + token)
        # The first and last characters may hold bits of what stands beside the token.
        cores.append(whole[(0, 2, 3)[before] : (before + len(token)) * 8 // 6])
    coded = "".join(f"%{byte:02X}" for byte in token).encode()
    return [token, token.hex().encode(), token.hex().upper().encode(), coded, *cores]


_LEAK = re.compile(
    b"|".join(re.escape(form) for each in _CANARIES for form in _forms(each.encode()))
)


@pytest.fixture(scope="session")
def leaks() -> Callable[[str | bytes], bool]:
    """Return what tells whether a text holds a made-up login, in whatever form."""
    return lambda text: bool(_LEAK.search(_bytes(text)))


@pytest.fixture(autouse=True, scope="session")
def _canary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """See, when all is done, that no made-up login was written anywhere or given to a process.

    What tests write lies below one folder; only what a test itself hands over may hold one.
    """
    started: list[str] = []
    sys.addaudithook(lambda event, of: started.append(_command(of)) if event == _STARTED else None)
    yield
    files = [path for path in tmp_path_factory.getbasetemp().rglob("*") if _is_written(path)]

    assert [str(path) for path in files if _LEAK.search(path.read_bytes())] == []
    assert [command for command in started if _LEAK.search(_bytes(command))] == []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """See that no test prints or logs a made-up login, and that shipped sources reach gold."""
    report = yield
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
    is_suite = item.path.name == "test_compliance.py" and reason.startswith(f"Skipped: {MISSING}")
    if is_suite and item.name not in NOT_SHOWN.get(item.path.parent.name, ()):
        report.outcome, report.longrepr = "failed", f"gold needs this test: {reason}"
    said = "".join(text for name, text in report.sections if name.startswith("Captured"))
    meant = call.excinfo or item.get_closest_marker("logs_a_login")
    if not meant and _LEAK.search(_bytes(said)):
        report.outcome, report.longrepr = "failed", f"{item.nodeid} printed or logged a login"
    return report


#: What Python tells of each process that it starts.
_STARTED = "subprocess.Popen"


def _command(event: tuple[Any, ...]) -> str:
    """Return the command line of a process, as everybody on the machine can read it."""
    arguments = event[1]
    if isinstance(arguments, str | bytes):
        return os.fsdecode(arguments)
    shown = [os.fsdecode(each) for each in arguments]
    # A program that a test writes on the command line is the test's own.
    return " ".join(shown[: shown.index("-c")] if "-c" in shown else shown)


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode(errors="surrogatepass")


def _is_written(path: Path) -> bool:
    if path.is_symlink() or not path.is_file() or any(map(path.match, _HANDED_OVER)):
        return False
    # A file that only pretends to be long holds nothing.
    return path.stat().st_blocks > 0


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep every test away from the accounts, logins and settings of whoever runs it."""
    home = tmp_path_factory.mktemp("home")
    for name in os.environ:
        if name.startswith(_OWN):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("ROVE_DATA_DIR", str(home / "data"))
    monkeypatch.setenv("ROVE_CONFIG_DIR", str(home / "config"))
    # A server would outlive its test: who wants one says so.
    monkeypatch.setenv("ROVE_DAEMON", "0")


@pytest.fixture
def ordinary_user() -> Iterator[None]:
    """Let the rights of files hold for root, too; on Linux, where it is known how."""
    if os.geteuid() != 0:
        yield
        return
    if sys.platform != "linux":
        pytest.skip("root may read and write everything")
    libc = ctypes.CDLL(None, use_errno=True)
    # Version 3, of this thread; then effective, permitted and inheritable, low and high words.
    header, had = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    assert libc.capget(header, had) == 0
    # Neither CAP_DAC_OVERRIDE nor CAP_DAC_READ_SEARCH.
    less = (ctypes.c_uint32 * 6)(had[0] & ~0b110, *had[1:])
    assert libc.capset(header, less) == 0
    yield
    assert libc.capset(header, had) == 0


@pytest.fixture(scope="session")
def specifications() -> Path:
    """Return the folder of the vendors' specifications, or skip with the reason."""
    folder = os.environ.get("ROVE_SPECS", "")
    if not Path(folder).is_dir() or not folder:
        pytest.skip("ROVE_SPECS names no folder of the vendors' specifications")
    return Path(folder)
