"""When a person is told of a login that is lost or soon expires."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from rove_core.auth.login_ledger import LoginLedger, LoginRecord

_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)


@pytest.fixture
def ledger(tmp_path: Path) -> LoginLedger:
    """Return the ledger of a user whose login expires in 30 days."""
    ledger = LoginLedger(tmp_path)
    ledger.write("github", LoginRecord(renewed_at=_NOW, ends_at=_NOW + 30 * _DAY))
    return ledger


def _days_told(ledger: LoginLedger) -> list[int]:
    """Return on which days a person who works twice a day is told."""
    halves = (_NOW + half * _DAY / 2 for half in range(64))
    return [(each - _NOW).days for each in halves if ledger.news(each)]


def test_two_weeks_before_the_end_and_in_the_last_days(ledger: LoginLedger) -> None:
    """Once when there is time, then once a day until somebody has logged in again."""
    assert _days_told(ledger) == [16, 27, 28, 29, 30, 31]


def test_a_loss_is_told_once(ledger: LoginLedger) -> None:
    """The next build says it again anyway; whether the end was told does not matter."""
    lost = LoginRecord(renewed_at=_NOW, ends_at=_NOW + _DAY, lost_at=_NOW, told_at=_NOW)
    ledger.write("github", lost)

    assert _days_told(ledger) == [0]


def test_nothing_while_it_is_being_renewed(ledger: LoginLedger) -> None:
    """What is told then may not be true any more."""
    lost = LoginRecord(renewed_at=_NOW, lost_at=_NOW)
    ledger.write("github", lost)
    turn = ledger.turn("github")
    assert turn.try_acquire()
    try:
        assert ledger.news(_NOW) == {}
    finally:
        turn.release()

    assert ledger.news(_NOW) == {"github": lost}


def test_the_next_login_is_news_of_its_own(ledger: LoginLedger) -> None:
    """It begins without anything told."""
    before = _NOW + 29 * _DAY
    assert ledger.news(before)

    renewed = LoginRecord(renewed_at=before, ends_at=before + 10 * _DAY)
    ledger.write("github", renewed)

    assert ledger.news(before) == {"github": renewed}
