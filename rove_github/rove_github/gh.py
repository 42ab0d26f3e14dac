"""Reuse the login of the GitHub command line."""

import asyncio
from asyncio.subprocess import DEVNULL, PIPE
from typing import Final

from rove_core import NotLoggedIn, Secret

_SECONDS: Final = 10.0


async def gh_token(host: str) -> Secret:
    """Return the token with which ``gh`` is logged in to a host.

    Raises:
        NotLoggedIn: There is no ``gh``, it has no login for that host, or it does not answer.
    """
    command = ("gh", "auth", "token", "--hostname", host)
    try:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL
        )
    except OSError as error:
        raise NotLoggedIn(
            f"gh cannot be started: {error.strerror}",
            hint="Install it from https://cli.github.com, or paste a token: --way token",
        ) from error
    try:
        async with asyncio.timeout(_SECONDS):
            output, _ = await process.communicate()
    except TimeoutError as error:
        raise NotLoggedIn(f"gh did not answer within {_SECONDS:g} s") from error
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    token = output.decode(errors="replace").strip()
    if process.returncode or not token:
        raise NotLoggedIn(
            f"gh has no login for {host}", hint=f"Log in with: gh auth login --hostname {host}"
        )
    return Secret(token)
