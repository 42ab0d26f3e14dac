"""``rove code serve``: answer ``/coderag`` requests on a port until stopped."""

import asyncio
import secrets
import signal
import sys
from typing import TYPE_CHECKING, Annotated, Final

from rove_code.access import SharedAccess
from rove_code.project_code import access_of
from rove_code.query_log import QueryLog
from rove_code.tokens import CodeTokens
from rove_core import Operation, Secret

if TYPE_CHECKING:
    from rove_core import Project

_TOKEN_BYTES: Final = 32


async def code_serve(
    rove: "Project",
    *,
    port: Annotated[int, "The port; default: any free one."] = 0,
    allow: Annotated[tuple[str, ...], "Another repository to serve; may be given again."] = (),
) -> None:
    """Answer POST /coderag/query and /coderag/refresh on a port of this machine, until Ctrl-C.

    The printed address contains the owner's token. Others have the tokens of rove code token.
    """
    from rove_code.tcp_server import TcpDoor, serving  # noqa: PLC0415  # only a server needs h11

    token = Secret(secrets.token_urlsafe(_TOKEN_BYTES))
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    own = access_of(rove, allow=allow, token=token)
    access = SharedAccess(own, CodeTokens.of(rove.places.rove))
    log = QueryLog.of(rove.places.rove, rove.clock)
    async with serving(TcpDoor(rove, access, log), port) as bound:
        # It is needed while this runs, and there is nothing to print when it ends.
        sys.stdout.write(f"http://127.0.0.1:{bound}/?token={token.reveal()}\n")
        sys.stdout.flush()
        await ended.wait()


SERVE: Final = Operation(
    code_serve,
    command="code serve",
    group="Find, list and explain code.",
    terminal_only=True,
    door=True,
    show=lambda _: "",
)
