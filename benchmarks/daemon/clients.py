"""Callers of a server in a process of their own: plain sockets, one question after the other."""

import json
import selectors
import socket
import sys
from collections.abc import Sequence
from itertools import cycle
from time import perf_counter  # noqa: TID251  # how long it takes is what is measured
from typing import Final, cast

_PIECE: Final = 65_536


def main(arguments: Sequence[str]) -> None:
    """Ask for paths, named on standard input, as often as there is time.

    Print the requests per second, the seconds in which half of them and those in which all but
    one in a hundred were answered, and how many were answered wrongly.
    """
    socket_path, connections, seconds = arguments[0], int(arguments[1]), float(arguments[2])
    paths = sys.stdin.read().split()
    asks = [f"GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode() for path in paths]
    sockets = [_connected(socket_path) for _ in range(connections)]
    print(json.dumps(_asked(sockets, asks, seconds)), flush=True)


def _asked(
    sockets: Sequence[socket.socket], asks: Sequence[bytes], seconds: float
) -> Sequence[float]:
    """Keep each connection busy with one question at a time."""
    sent: dict[socket.socket, float] = {}
    took: list[float] = []
    wrong, turn = 0, cycle(asks)
    with selectors.DefaultSelector() as answers:
        for each in sockets:
            answers.register(each, selectors.EVENT_READ)
            sent[each] = perf_counter()
            each.sendall(next(turn))
        began = perf_counter()
        while perf_counter() - began < seconds:
            for key, _ in answers.select(1):
                each = cast("socket.socket", key.fileobj)
                answer = each.recv(_PIECE)
                now = perf_counter()
                took.append(now - sent[each])
                wrong += not answer.startswith(b"HTTP/1.1 200")
                sent[each] = now
                each.sendall(next(turn))
    whole = perf_counter() - began
    took.sort()
    return [len(took) / whole, took[len(took) // 2], took[len(took) * 99 // 100], wrong]


def _connected(path: str) -> socket.socket:
    caller = socket.socket(socket.AF_UNIX)
    caller.connect(path)
    return caller


if __name__ == "__main__":
    main(sys.argv[1:])
