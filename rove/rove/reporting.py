"""Telling a person, or a program, how far the work is and what went wrong."""

import json
import os
from typing import TYPE_CHECKING

import click

from rove_core.errors import InternalError, RoveError

if TYPE_CHECKING:
    from rove_core.events import Event


def report(error: RoveError, *, as_json: bool) -> int:
    """Print an error on standard error and return its exit code."""
    _print(error.code, error.message, error.hint, error.docs, as_json=as_json)
    return error.exit_code


def report_failures(result: object) -> None:
    """Print what failed beside what worked, where a result tells of both."""
    for failed in getattr(result, "failed", ()):
        error = failed.error
        _print(error.code, error.message, error.hint, error.docs, as_json=False)


def internal(error: Exception) -> InternalError:
    """Return what to say of an error that nobody foresaw; its trace goes to the log."""
    import logging  # noqa: PLC0415  # 14 ms that only a bug should pay

    logging.getLogger("rove").error("an error nobody foresaw", exc_info=error)
    if os.environ.get("ROVE_DEBUG"):
        raise error
    return InternalError(f"{type(error).__name__}: {' '.join(str(error).split())}")


def tell(event: "Event") -> None:
    """Print one step of a task on standard error."""
    of_total = f" of {event.total}" if event.total is not None else ""
    many = f" {event.done}{of_total}" if event.done else ""
    click.echo(
        f"{' '.join(filter(None, (event.stage, event.account)))}{many}  {event.note}", err=True
    )


def _print(code: str, message: str, hint: str, docs: str, *, as_json: bool) -> None:
    if as_json:
        told = {"code": code, "message": message, "hint": hint, "docs": docs}
        click.echo(json.dumps(told, ensure_ascii=False), err=True)
        return
    click.echo(f"rove: {message} [{code}]", err=True)
    if hint:
        click.echo(f"      {hint}", err=True)
