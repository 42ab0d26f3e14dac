"""Telling a person, or a program, what went wrong: one message, the next step, and an exit code."""

import json
import os

import click

from rove_core.errors import InternalError, RoveError


def report(error: RoveError, *, as_json: bool) -> int:
    """Print an error on standard error and return its exit code."""
    if as_json:
        click.echo(json.dumps(as_data(error), ensure_ascii=False), err=True)
    else:
        click.echo(f"rove: {error.message} [{error.code}]", err=True)
        if error.hint:
            click.echo(f"      {error.hint}", err=True)
    return error.exit_code


def as_data(error: RoveError) -> dict[str, str]:
    """Return what ``--json`` says of an error."""
    return {
        "code": error.code,
        "message": error.message,
        "hint": error.hint,
        "docs": error.docs,
    }


def internal(error: Exception) -> InternalError:
    """Return what to say of an error that nobody foresaw; its trace goes to the log."""
    import logging  # noqa: PLC0415  # 14 ms that only a bug should pay

    logging.getLogger("rove").error("an error nobody foresaw", exc_info=error)
    if os.environ.get("ROVE_DEBUG"):
        raise error
    line = " ".join(str(error).split())
    return InternalError(f"{type(error).__name__}: {line}")
