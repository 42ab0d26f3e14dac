"""The compliance suite: the tests that every source must pass."""

# ruff: noqa: S101  # assert is how pytest speaks

from collections.abc import Iterator
from typing import Any, Final

from rove_core.testing.account_tests import AccountTests
from rove_core.testing.agreement_tests import AgreementTests
from rove_core.testing.behaviour_tests import BehaviourTests
from rove_core.testing.change_failure_tests import ChangeFailureTests
from rove_core.testing.comment_tests import CommentTests
from rove_core.testing.container_tests import ContainerTests
from rove_core.testing.described_tests import DescribedTests
from rove_core.testing.endless_tests import EndlessTests
from rove_core.testing.fault_tests import FaultTests
from rove_core.testing.item_tests import ItemTests
from rove_core.testing.kind_tests import KindTests
from rove_core.testing.limit_tests import LimitTests
from rove_core.testing.list_fault_tests import ListFaultTests
from rove_core.testing.list_tests import ListTests
from rove_core.testing.login_tests import LoginTests
from rove_core.testing.page_tests import PageTests
from rove_core.testing.part_tests import PartTests
from rove_core.testing.recent_tests import RecentTests
from rove_core.testing.recognise_tests import RecogniseTests
from rove_core.testing.recording_tests import RecordingTests
from rove_core.testing.renewal_tests import RenewalTests
from rove_core.testing.search_tests import SearchTests
from rove_core.testing.small_page_tests import SmallPageTests
from rove_core.testing.window_tests import WindowTests
from rove_core.testing.word_tests import WordTests
from rove_core.testing.work_field_tests import WorkFieldTests
from rove_core.testing.work_tests import WorkTests

_WATCH: Final = "test_nothing_is_left_out_silently"


class SourceTests(
    KindTests,
    LoginTests,
    ItemTests,
    PartTests,
    SearchTests,
    WindowTests,
    ListTests,
    ListFaultTests,
    RecentTests,
    RecogniseTests,
    AccountTests,
    ContainerTests,
    PageTests,
    SmallPageTests,
    EndlessTests,
    AgreementTests,
    FaultTests,
    BehaviourTests,
    LimitTests,
    ChangeFailureTests,
    RecordingTests,
    RenewalTests,
    WordTests,
    DescribedTests,
    WorkFieldTests,
    CommentTests,
    WorkTests,
):
    """The standard tests of a source: inherit this class and describe your test data.

    ::

        class TestNotes(SourceTests):
            kind = "notes"
            known, known_kind, unknown = "NOTE-1", "note", "NOTE-999"
            query = "login"
            mentions = ("see NOTE-1", "{base_url}/notes/NOTE-1")

    What the source talks to, and how it lets one in, is given by a fixture named ``vendor``.
    A test of a hook that the source does not have is skipped. A test that the source cannot
    pass is overridden, carries ``@pytest.mark.xfail(reason=...)`` or
    ``@pytest.mark.skip(reason=...)``, and calls ``super()``.
    """

    def __init_subclass__(cls, **options: Any) -> None:  # noqa: ANN401  # as the language has it
        super().__init_subclass__(**options)
        # This one cannot be replaced: it is what watches over the others.
        setattr(cls, _WATCH, getattr(SourceTests, _WATCH))

    def test_nothing_is_left_out_silently(self) -> None:
        """No standard test is replaced without a reason."""
        changed = [name for name in standard_tests() if not _is_ours(type(self), name)]

        assert [name for name in changed if not _has_reason(getattr(type(self), name))] == []


def standard_tests() -> Iterator[str]:
    """Yield the names of the standard tests."""
    for base in SourceTests.__mro__:
        yield from (name for name in vars(base) if name.startswith("test_"))


def _is_ours(cls: type, name: str) -> bool:
    return getattr(cls, name, None) is getattr(SourceTests, name)


def _has_reason(test: object) -> bool:
    marks = [mark for mark in getattr(test, "pytestmark", ()) if mark.name in {"skip", "xfail"}]
    return any(mark.kwargs.get("reason") for mark in marks)
