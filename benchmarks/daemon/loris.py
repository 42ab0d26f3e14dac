"""Callers that never end what they begin to say: byte by byte, and again when they are put out."""

import socket
import sys
from collections.abc import Sequence
from contextlib import suppress

from rove_core.clock import SYSTEM
from rove_core.project.opener import run


async def _hold(path: str, count: int) -> None:
    sockets: dict[int, socket.socket] = {}
    print("ready", flush=True)
    while True:
        for number in range(count):
            try:
                if number not in sockets:
                    sockets[number] = _called(path)
                sockets[number].send(b"x")
            except OSError:
                with suppress(KeyError):
                    sockets.pop(number).close()
        await SYSTEM.sleep(0.2)


def _called(path: str) -> socket.socket:
    caller = socket.socket(socket.AF_UNIX)
    caller.setblocking(False)  # noqa: FBT003  # its one argument
    caller.connect(path)
    caller.send(b"GET /health HTTP/1.1\r\nhost: ")
    return caller


def main(arguments: Sequence[str]) -> None:
    """Hold so many connections to a socket until the process ends."""
    run(_hold(arguments[0], int(arguments[1])))


if __name__ == "__main__":
    main(sys.argv[1:])
