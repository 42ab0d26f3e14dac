"""The doubles and fixtures that come with the suite."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from urllib.parse import urlencode

import pytest

import rove_core.testing
from rove_core import Http, LoginField, LoginRefused, Project, run
from rove_core.errors import NotLoggedIn
from rove_core.testing import AnsweringLogin, FaultProxy, VirtualClock, reference
from rove_core.testing.side_effects import TookTooLongError, at_most, touched
from rove_sim.server import Request, Response, serve


def test_every_public_name_is_there() -> None:
    """What ``rove_core.testing`` promises it has, though nothing is loaded in advance."""
    names = rove_core.testing.__all__

    assert [name for name in names if not hasattr(rove_core.testing, name)] == []
    assert dir(rove_core.testing) == sorted(names)
    with pytest.raises(AttributeError, match="Nothing"):
        rove_core.testing.Nothing  # type: ignore[attr-defined]  # noqa: B018  # what is tested


def test_fixtures_give_what_they_promise(
    virtual_clock: VirtualClock,
    fault_proxy: FaultProxy,
    rove_project: Callable[..., AbstractAsyncContextManager[Project]],
    tmp_path: Path,
) -> None:
    """A clock that obeys, a proxy that spoils, a project with just the plugins of the test."""

    async def look() -> tuple[list[str], Path]:
        async with fault_proxy, rove_project(plugins=[reference], clock=virtual_clock) as project:
            return list(project.plugins.kinds), project.places.root

    assert run(look()) == (["reference"], tmp_path)


def _login(**answers: str) -> AnsweringLogin:
    return AnsweringLogin("key", answers, Http(account="test", base_url="", elsewhere=True))


def test_login_remembers_what_was_asked_and_shown() -> None:
    """A test can look at what a person would have seen."""
    login = _login(key="s3cret")
    login.show("https://vendor.example/keys")

    answer = run(login.ask_secret(LoginField(name="key", title="Key", secret=True)))

    assert (answer.reveal(), login.asked, login.secrets) == ("s3cret", ["key"], [answer])
    assert login.shown == ["https://vendor.example/keys"]


def test_login_without_an_answer_says_which() -> None:
    """A field that the test did not think of is named."""
    with pytest.raises(NotLoggedIn, match="'site'"):
        run(_login().ask(LoginField(name="site", title="Site")))


@pytest.mark.parametrize("answer", [{"state": "another"}, {}], ids=["wrong state", "no state"])
def test_login_takes_no_redirect_of_a_stranger(answer: dict[str, str]) -> None:
    """What comes back without the state that went out is refused."""

    def vendor(request: Request) -> Response:
        back = urlencode({"code": "c", **answer})
        return Response({}, 302, {"location": f"{request.query['redirect_uri']}?{back}"})

    async def log_in() -> None:
        async with serve(vendor) as url:
            await _login().redirect(lambda uri, _: f"{url}/?{urlencode({'redirect_uri': uri})}")

    with pytest.raises(LoginRefused, match="the vendor sent the browser to"):
        run(log_in())


def test_files_are_seen_by_who_looks() -> None:
    """What another thread touches, or what is touched afterwards, is no concern of it."""
    other = threading.Thread(target=lambda: Path(__file__).read_bytes())
    with touched() as things:
        Path(__file__).read_bytes()
        other.start()
        other.join()
    Path(__file__).read_bytes()

    assert things == [f"open {__file__}"]


def _endless() -> None:
    while True:
        try:
            sum(range(1000))
        except Exception:  # noqa: BLE001, S112  # what a plugin may do
            continue


def test_endless_work_is_stopped() -> None:
    """Processor time is limited also for code that catches every exception."""
    with pytest.raises(TookTooLongError), at_most(0.05):
        _endless()


def test_nothing_is_stopped_outside_the_main_thread() -> None:
    """Where there is no timer the code just runs."""

    def work() -> int:
        with at_most(0.001):
            return sum(range(1_000_000))

    assert run(asyncio.to_thread(work)) == 499_999_500_000
