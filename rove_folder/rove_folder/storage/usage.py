"""The token ledger of each month, exact under concurrent spending.

Tokens are reserved before a model is asked and counted afterwards. The counter of a month is
always the sum of its log. A process that dies leaves a reservation, which expires.
"""

import os
import sqlite3
from datetime import UTC, datetime
from typing import Final

from attrs import frozen

#: What the tokens of summaries are booked on.
FEATURE: Final = "folder_index"
#: The one user of a machine's own database.
LOCAL_USER: Final = "local"
#: Longer than any question to a model takes.
RESERVED_MS: Final = 15 * 60_000


@frozen(kw_only=True)
class TokenAccount:
    """The owner and purpose of spent tokens.

    Attributes:
        user: Who pays.
        feature: What for.
    """

    user: str = LOCAL_USER
    feature: str = FEATURE


@frozen(kw_only=True)
class Reservation:
    """Tokens set aside until the real cost is known.

    Attributes:
        id: Its row's id.
        account: Whose tokens they are.
        month: The month they belong to.
        tokens: How many.
    """

    id: str
    account: TokenAccount
    month: str
    tokens: int


@frozen(kw_only=True)
class MonthlyUsage:
    """Token usage of a month.

    Attributes:
        used: The tokens that were taken.
        reserved: Those that are set aside just now.
    """

    used: int = 0
    reserved: int = 0


def month_of(now: datetime) -> str:
    """Return the month of a time in UTC (``2026-11``)."""
    return now.astimezone(UTC).strftime("%Y-%m")


def reset_date(now: datetime) -> str:
    """Return the day on which the next month's budget begins (``2026-12-01``)."""
    now = now.astimezone(UTC)
    year, month = (now.year + 1, 1) if now.month == 12 else (now.year, now.month + 1)
    return f"{year:04}-{month:02}-01"


def milliseconds(moment: datetime) -> int:
    """Return a moment as milliseconds since 1970."""
    return int(moment.timestamp() * 1_000)


def reserve(
    db: sqlite3.Connection, account: TokenAccount, tokens: int, *, cap: int, now: datetime
) -> Reservation | None:
    """Set tokens aside; return None when the month's budget does not allow it.

    Args:
        db: The database, in a transaction.
        account: Who spends, on what.
        tokens: How many the question may take.
        cap: How many the month may take; -1 for no limit.
        now: The time.
    """
    release_expired(db, now)
    month = month_of(now)
    key = [account.user, month, account.feature]
    db.execute(
        "INSERT OR IGNORE INTO monthly_token_usage (user_id, year_month, feature) VALUES (?, ?, ?)",
        key,
    )
    taken = db.execute(
        "UPDATE monthly_token_usage SET tokens_reserved = tokens_reserved + ?"
        " WHERE user_id = ? AND year_month = ? AND feature = ?"
        " AND (? < 0 OR tokens_used + tokens_reserved + ? <= ?)",
        [tokens, *key, cap, tokens, cap],
    )
    if taken.rowcount != 1:
        return None
    reservation = Reservation(id=os.urandom(16).hex(), account=account, month=month, tokens=tokens)
    db.execute(
        "INSERT INTO token_reservations (id, user_id, year_month, feature, tokens, expires_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [reservation.id, *key, tokens, milliseconds(now) + RESERVED_MS],
    )
    return reservation


def commit(db: sqlite3.Connection, reservation: Reservation, used: int, *, now: datetime) -> None:
    """Book the real cost and release the rest; repeating it changes nothing.

    Args:
        db: The database, in a transaction.
        reservation: What was set aside for it.
        used: What it took.
        now: The time.
    """
    key = [reservation.account.user, reservation.month, reservation.account.feature]
    logged = db.execute(
        "INSERT OR IGNORE INTO agent_run_logs (id, user_id, year_month, feature, at, tokens_used)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [reservation.id, *key, milliseconds(now), used],
    )
    if logged.rowcount == 1:
        db.execute(
            "UPDATE monthly_token_usage SET tokens_used = tokens_used + ?"
            " WHERE user_id = ? AND year_month = ? AND feature = ?",
            [used, *key],
        )
    release(db, reservation.id)


def release(db: sqlite3.Connection, reservation: str) -> None:
    """Release an unused reservation."""
    row = db.execute(
        "DELETE FROM token_reservations WHERE id = ?"
        " RETURNING tokens, user_id, year_month, feature",
        [reservation],
    ).fetchone()
    if row:
        db.execute(
            "UPDATE monthly_token_usage SET tokens_reserved = tokens_reserved - ?"
            " WHERE user_id = ? AND year_month = ? AND feature = ?",
            row,
        )


def release_expired(db: sqlite3.Connection, now: datetime) -> None:
    """Release reservations of dead processes."""
    expired = db.execute(
        "SELECT id FROM token_reservations WHERE expires_at <= ?", [milliseconds(now)]
    ).fetchall()
    for (reservation,) in expired:
        release(db, reservation)


def monthly_usage(db: sqlite3.Connection, account: TokenAccount, now: datetime) -> MonthlyUsage:
    """Return the usage of the current month."""
    row = db.execute(
        "SELECT tokens_used, tokens_reserved FROM monthly_token_usage"
        " WHERE user_id = ? AND year_month = ? AND feature = ?",
        [account.user, month_of(now), account.feature],
    ).fetchone()
    return MonthlyUsage(used=row[0], reserved=row[1]) if row else MonthlyUsage()
