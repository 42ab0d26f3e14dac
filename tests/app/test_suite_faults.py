"""The suite catches faults in a plugin that talks to a vendor: one for each kind of test.

``nox -s bench -- mutants`` plays many more.
"""

from pathlib import Path

import pytest
from benchmarks.mutants import FAULTS, announced, first_failure

#: A fault for each standard test that needs a vendor over HTTP.
SHOWN = {
    "test_search_reads_every_page": "only the first page",
    "test_search_keeps_to_the_fields_asked_for": "fields ignored",
    "test_search_of_fields_needs_every_word": "one word of several",
    "test_words_elsewhere_do_not_count": "fields ignored for several words",
    "test_search_of_fields_keeps_the_window": "window ignored in fields",
    "test_search_tells_each_failure": "429 as nothing",
    "test_search_tells_a_failing_page": "every failure as nothing",
    "test_search_checks_the_window_itself": "window ignored",
    "test_detail_tells_each_failure": "5xx as not found",
    "test_detail_tells_a_failing_part": "403 as an empty item",
    "test_identity_tells_each_failure": "identity hides a refusal",
    "test_zone_of_the_machine_changes_nothing": "the machine's zone",
    "test_accounts_keep_their_own_connection": "one client for all accounts",
    "test_login_is_renewed_twice": "rotated token dropped",
    "test_refused_renewal_asks_for_a_login": "renewal does nothing",
    "test_trouble_loses_no_login": "trouble as a refusal",
    "test_found_items_are_complete": "url empty",
}


@pytest.mark.parametrize(("test", "kind"), SHOWN.items())
def test_a_fault_is_caught(tmp_path: Path, test: str, kind: str) -> None:
    """The plugin with the fault fails the test that is about it."""
    (fault,) = (each for each in FAULTS if each.kind == kind)
    plugin = announced(tmp_path / "plugin")
    file = plugin / fault.file
    text = file.read_text("utf-8")
    assert fault.right in text
    file.write_text(text.replace(fault.right, fault.wrong, 1), "utf-8")

    assert first_failure(plugin, only=test) == test


def test_a_listing_of_one_page_is_caught(tmp_path: Path) -> None:
    """Mirrors would lose what stands on the others, and nobody would be told."""
    plugin = announced(tmp_path / "plugin", kind="token", writes=True)
    file = plugin / "rove_wiki" / "work_items.py"
    page = (
        "                for ticket in reply.read(tracker.Page).tickets:\n"
        + 20 * " "
        + "yield ticket\n"
    )
    text = file.read_text("utf-8")
    assert page in text
    file.write_text(text.replace(page, page + 16 * " " + "return\n", 1), "utf-8")

    test = "test_listing_reads_every_page"
    assert first_failure(plugin, only=test) == test


@pytest.mark.parametrize(
    ("test", "right", "wrong"),
    [
        (
            "test_containers_tell_each_failure",
            '        return [Container(name="ACME")]\n',
            (
                "        try:\n"
                '            await self._http.get("api/me")\n'
                "        except RoveError:\n"
                "            return []\n"
                '        return [Container(name="ACME")]\n'
            ),
        ),
        (
            "test_failed_listing_goes_on",
            "        async with aclosing(self._changed(place)) as tickets:\n",
            (
                "        from contextlib import suppress\n"
                "        with suppress(RoveError):\n"
                "         async with aclosing(self._changed(place)) as tickets:\n"
            ),
        ),
        (
            "test_expired_page_is_no_end",
            "        async with aclosing(self._changed(place)) as tickets:\n",
            (
                "        from contextlib import suppress\n"
                "        from rove_core import ItemNotFound\n"
                "        with suppress(ItemNotFound):\n"
                "         async with aclosing(self._changed(place)) as tickets:\n"
            ),
        ),
    ],
)
def test_a_listing_that_hides_a_failure_is_caught(
    tmp_path: Path, test: str, right: str, wrong: str
) -> None:
    """A failure that looks like an end costs a copy what was not listed yet."""
    plugin = announced(tmp_path / "plugin", kind="token", writes=True)
    file = plugin / "rove_wiki" / "work_items.py"
    text = file.read_text("utf-8").replace("ACME", "WIKI")
    assert right.replace("ACME", "WIKI") in text
    file.write_text(text.replace(right.replace("ACME", "WIKI"), wrong, 1), "utf-8")

    assert first_failure(plugin, only=test) == test


def test_a_login_that_is_not_revoked_is_caught(tmp_path: Path) -> None:
    """Who asks for something else instead leaves a login behind that still works."""
    plugin = announced(tmp_path / "plugin")
    file = plugin / "rove_wiki" / "source.py"
    text, revoke = file.read_text("utf-8"), 'await self._http.post("oauth/revoke")'
    assert revoke in text
    file.write_text(text.replace(revoke, 'await self._http.get("api/me")'), "utf-8")

    test = "test_disconnected_login_is_refused"
    assert first_failure(plugin, only=test) == test


def test_a_reported_failure_with_another_error_is_caught(tmp_path: Path) -> None:
    """Who takes a refused login for trouble that passes tries again for ever."""
    plugin = announced(tmp_path / "plugin")
    tests = plugin / "tests" / "test_compliance.py"
    given = (
        '    vendor_failures = {"no login": Fault(status=401)}\n'
        '    failure_errors = {"no login": LoginRefused}\n'
    )
    text = tests.read_text("utf-8").replace('    kind = "wiki"\n', f'    kind = "wiki"\n{given}')
    imports = "from rove_core import LoginRefused\nfrom rove_core.testing.faults import Fault\n"
    tests.write_text(imports + text, "utf-8")
    test = "test_reported_failures_have_their_errors"
    assert first_failure(plugin, only=test) == ""
    file = plugin / "rove_wiki" / "tracker.py"
    right = '        me = (await self._http.get("api/me")).read(Me)\n'
    wrong = (
        "        from rove_core import LoginRefused, Unavailable\n"
        "        try:\n"
        f"    {right}"
        "        except LoginRefused as error:\n"
        "            raise Unavailable('no') from error\n"
    )
    code = file.read_text("utf-8")
    assert right in code
    file.write_text(code.replace(right, wrong), "utf-8")

    assert first_failure(plugin, only=test) == test


def test_a_failure_may_be_raised_by_an_item_alone(tmp_path: Path) -> None:
    """A reply that is a fine identity and no ticket is a failure of reading the ticket."""
    plugin = announced(tmp_path / "plugin")
    tests = plugin / "tests" / "test_compliance.py"
    before = tests.read_text("utf-8")
    given = (
        '    vendor_failures = {"no ticket": Fault(body=b\'{"name": "Ann"}\')}\n'
        '    failure_errors = {"no ticket": MalformedReply}\n'
    )
    item = '    failure_items = {"no ticket": ("ticket", "WIKI-2")}\n'
    imports = "from rove_core import MalformedReply\nfrom rove_core.testing.faults import Fault\n"
    test, named = "test_reported_failures_have_their_errors", '    kind = "wiki"\n'

    tests.write_text(imports + before.replace(named, named + given), "utf-8")
    assert first_failure(plugin, only=test) == test
    tests.write_text(imports + before.replace(named, named + given + item), "utf-8")
    assert first_failure(plugin, only=test) == ""


def test_a_guard_that_is_not_sent_is_caught(tmp_path: Path) -> None:
    """Who compares revisions and does not send them overtakes whoever writes meanwhile."""
    plugin = announced(tmp_path / "plugin", kind="token", writes=True)
    for name, right, wrong in (
        (
            "rove_wiki/work_items.py",
            "        guard = change.if_revision or str(ticket.revision)\n",
            (
                '        if change.if_revision not in ("", str(ticket.revision)):\n'
                '            raise Conflict("somebody was faster")\n'
            ),
        ),
        ("rove_wiki/work_items.py", ", if_match=guard", ""),
        ("rove_wiki/work_items.py", "    Container,\n", "    Conflict,\n    Container,\n"),
        (
            "tests/wiki_changes.py",
            'seen.headers["if-match"] != str(',
            'seen.headers.get("if-match", str(ticket["revision"])) != str(',
        ),
    ):
        file = plugin / name
        text = file.read_text("utf-8")
        assert right in text
        file.write_text(text.replace(right, wrong, 1), "utf-8")

    assert first_failure(plugin) == "test_guard_reaches_the_vendor"


@pytest.mark.parametrize(("kind", "writes"), [("file", False), ("token", True), ("oauth", False)])
def test_a_new_plugin_reaches_gold(tmp_path: Path, kind: str, *, writes: bool) -> None:
    """What ``rove plugins new`` makes passes the whole suite, and lacks no fact."""
    assert first_failure(announced(tmp_path / "plugin", kind=kind, writes=writes)) == ""
